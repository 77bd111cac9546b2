"""Which services names lead to, as they stand on file, each with an address to ask."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from app.exports.content.file_names import registry_folder
from app.identifiers.errors import spell_text
from app.problems import use_case_codes
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import (
    REGISTRIES,
    DerivedFormat,
    Registry,
    declared_spaces,
    space_told,
)
from app.registration.declarations.registry_groups import GROUPS, group_of_space
from app.registration.records.naan_registrations import naan_row_of
from app.registration.records.registry_records import Registration, Status
from app.resolution.ark_resolver import ark_sample
from app.resolution.ark_rules import ark_rules_of
from app.resolution.namespace_rules import RuleBook
from app.resolution.record_rules import rules_of
from app.resolution.urn_resolver import service_samples
from app.services.names.rule_book import rule_book
from app.services.refusals import NotFound
from app.services.registry.snapshots import current_snapshot
from app.store.registry import record_versions as names
from app.store.registry.service_answers import KnownService

_TARGET = "target"  # the one service that a NAAN or a shoulder has


class NoSuchNamespace(NotFound):
    """Nobody has a name, so that it has no services."""


class RegisteredName(NamedTuple):
    """A name that somebody has: its space and its folded form."""

    space: IdentifierSpace
    folded: str

    @property
    def whole(self) -> str:
        """The name with what stands around it in use: ``urn:isbn:``."""
        return self.space.whole(self.folded)

    @property
    def page(self) -> str:
        """The path of its page."""
        return self.space.page.format(self.folded)

    @property
    def registry_page(self) -> str:
        """The path of the registry's page."""
        return registry_folder(group_of_space(self.space).id)

    @property
    def services_page(self) -> str:
        """The path of the page that tells whether its services answer."""
        return f"{self.page}/resolvers" if self.space.has_profiles else f"/resolvers/{self.whole}"


class ServiceScope(NamedTuple):
    """What samples are made for: a day, and the hosts of this site, which are not asked."""

    day: str
    own_hosts: Collection[str] = ()


def name_told(about: str) -> RegisteredName:
    """The name that a service is of, as the store tells it."""
    return RegisteredName(*space_told(about))


def get_registered(text: str) -> RegisteredName:
    """The name that a text is, as it stands alone or in use: ``isbn`` or ``ark:12345/x5``.

    Raises NoSuchNamespace where nobody has it.
    """
    code = use_case_codes.NAMESPACE_UNKNOWN
    for space in declared_spaces():
        before, _, after = space.written.partition("{}")
        is_whole = text[: len(before)].lower() == before
        folded = space.fold(text[len(before) :].removesuffix(after) if is_whole else text)
        if is_whole and space.scheme:
            code = use_case_codes.NAME_UNKNOWN
        if space.may_be_name(folded) and names.find_record(space.id, folded) is not None:
            return RegisteredName(space, folded)
    raise NoSuchNamespace(
        code,
        f"No {' or '.join(space.label for space in declared_spaces())} is called "
        f"{spell_text(text)}. Enter, for example, `isbn`, `ark:12345` or `ark:12345/x5`.",
    )


def known_services(
    scope: ServiceScope, wanted: Iterable[RegisteredName] | None = None
) -> Iterator[KnownService]:
    """The services of some names, or of all that stand, each with its sample.

    A former name has none, and neither has one of a registry whose names lead nowhere.
    """
    book = rule_book()
    for registry, record in _standing() if wanted is None else _found(wanted):
        declared = REGISTRIES[registry]
        if record.status is not Status.FORMER:
            for rules, sampled in _SAMPLED.items():
                if rules in declared.derived:
                    yield from sampled(declared, record, scope, book)


def _standing() -> Iterator[tuple[str, Registration]]:
    for group in GROUPS.values():
        for table in current_snapshot(group).registries:
            yield from ((table.id, record) for record in table.records)


def _found(wanted: Iterable[RegisteredName]) -> Iterator[tuple[str, Registration]]:
    found = (names.find_record(one.space.id, one.folded) for one in wanted)
    return (one for one in found if one is not None)


def _of_profile(
    registry: Registry, record: Registration, scope: ServiceScope, book: RuleBook
) -> Iterator[KnownService]:
    """The services that a profile has, each asked for an example."""
    if not record.profile.resolution.services:
        return
    rules = rules_of(record, registry.kind)
    samples = service_samples(rules, record.profile.examples, book, scope.day)
    for place, (service, urn, url) in enumerate(samples):
        told = f"{record.key}\n{service.kind}\n{service.target}\n{service.when}"
        yield KnownService(
            key=_digest(told),
            namespace=record.key,
            place=place,
            kind=service.kind,
            target=service.target,
            urn=urn,
            url=url,
        )


def _of_target(
    _registry: Registry, record: Registration, scope: ServiceScope, _book: RuleBook
) -> Iterator[KnownService]:
    """The target of a NAAN or a shoulder, asked for its test ARK or without a name."""
    rules = ark_rules_of(naan_row_of(record))
    sample = ark_sample(rules, scope.own_hosts)
    if sample is not None:
        yield KnownService(
            key=_digest(f"{record.key}\n{_TARGET}\n{rules.target}\n"),
            namespace=record.key,
            place=0,
            kind=_TARGET,
            target=rules.target,
            urn=sample.ark,
            url=sample.url,
        )


def _digest(told: str) -> str:
    return hashlib.sha256(told.encode()).hexdigest()


_Sampling = Callable[[Registry, Registration, ServiceScope, RuleBook], Iterator[KnownService]]
# How the services of a name are found, by the rules that its registry publishes to lead it on.
_SAMPLED: Mapping[DerivedFormat, _Sampling] = {
    DerivedFormat.RESOLUTION: _of_profile,
    DerivedFormat.ARK_RULES: _of_target,
}
