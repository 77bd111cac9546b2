"""A judged name and the rules of an edition -> what comes of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import NamedTuple

from app.identifiers.urn import NID_LONGEST, PCHAR
from app.registration.profiles.profile_records import (
    ExampleName,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.records.registry_records import Status
from app.resolution.check_digits import ALGORITHMS
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import NamespaceRules, Possibility, RuleBook
from app.resolution.service_choice import (
    NO_PREFERENCES,
    Destination,
    Preferences,
    ServiceCandidate,
    ServiceChooser,
    is_in_use,
)


@dataclass(frozen=True, slots=True)
class BadSyntax:
    """The text is no URN; the judgement has the fault and its place."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Unregistered:
    """Nobody registered the namespace; ``nearest`` are names that it may have been meant for."""

    judgement: Judgement
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImpossibleName:
    """The namespace can have no such name."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The namespace was registered once and is no longer."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class UnresolvedName:
    """The namespace is registered, and there is no further way from here.

    ``is_meant`` is False where its names are not meant to be resolved.
    """

    judgement: Judgement
    is_meant: bool = True


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """There is a way: the first choice, and others, the better ones first.

    ``is_negotiated``: what the asker prefers has a say in which is the first.
    """

    judgement: Judgement
    first: Destination
    alternates: tuple[Destination, ...] = ()
    is_negotiated: bool = False


@dataclass(frozen=True, slots=True)
class EqualChoice:
    """There are equals among which the asker chooses; the preferred one stands first."""

    judgement: Judgement
    choices: tuple[Destination, ...]
    is_negotiated: bool = False


Outcome = (
    BadSyntax
    | Unregistered
    | ImpossibleName
    | Withdrawn
    | UnresolvedName
    | ResolvedName
    | EqualChoice
)


_HELD = 4096
_LONGEST_PLAIN = 300
# A URN in normal form with no component and nothing encoded, as nearly all are.
_PLAIN = re.compile(
    rf"urn:([a-z0-9][a-z0-9\-]{{1,{NID_LONGEST - 1}}}+(?<!-)):([{PCHAR}][{PCHAR}/]*+)"
)
# Names of their own, since to look one up in an enumeration takes long.
_REGISTERED, _IMPOSSIBLE = Status.REGISTERED, Possibility.IMPOSSIBLE


class PlainNameWay(NamedTuple):
    """Where a name leads that came in normal form, and nothing else is to be told of it.

    ``found`` are the services by their targets, the best first.
    """

    name: str
    found: dict[str, ServiceCandidate]
    is_negotiated: bool


class UrnResolver:
    """Leads names on by one edition's rules; what it needs of a namespace is made ready once."""

    def __init__(self, book: RuleBook) -> None:
        self._book, self._lock = book, Lock()
        self._made: dict[str, tuple[NamespaceRules, ServiceChooser]] = {}

    def resolve(
        self, judgement: Judgement, day: str = "", preferences: Preferences = NO_PREFERENCES
    ) -> Outcome:
        """What comes of a judged text on a day; without a day, services of all days count.

        Source: RFC 8141 sections 1.2.1, 2.3 and 6.4.6.
        """
        rules = judgement.rules
        if rules is None:
            return _unknown(judgement)
        if rules.status is Status.FORMER:
            return Withdrawn(judgement)
        if judgement.possibility is Possibility.IMPOSSIBLE:
            return ImpossibleName(judgement)
        return self._lead(judgement, self.chooser_of(rules), day, preferences)

    def find_plain_way(self, text: str, preferences: Preferences) -> PlainNameWay | None:
        """Where a name leads that is as nearly all are, found in a part of the time of ``resolve``.
        None for every other, of which ``resolve`` tells; it says the same of this one on any
        day."""
        plain = _PLAIN.fullmatch(text)
        if plain is None or len(text) > _LONGEST_PLAIN:
            return None
        nid, nss = plain.groups()
        rules = self._book.find(nid)
        if rules is None or rules.status is not _REGISTERED or rules.successor:
            return None
        chooser = self.chooser_of(rules)
        if not chooser.is_plain or not _is_own_form(nss, rules):
            return None
        if rules.decider.decide(nss).possibility is _IMPOSSIBLE:
            return None
        found, is_negotiated = chooser.choose_plainly(nss, preferences)
        return PlainNameWay(text, found, is_negotiated) if found else None

    def chooser_of(self, rules: NamespaceRules) -> ServiceChooser:
        known = self._made.get(rules.name)
        return known[1] if known is not None and known[0] is rules else self._make(rules)

    def _lead(
        self, judgement: Judgement, chooser: ServiceChooser, day: str, preferences: Preferences
    ) -> Outcome:
        if not chooser.is_meant or judgement.urn is None:
            return UnresolvedName(judgement, is_meant=chooser.is_meant)
        found, is_negotiated = chooser.choose(
            judgement.urn, judgement.normal_form, judgement.own_form, day, preferences
        )
        if not found:
            return UnresolvedName(judgement)
        if chooser.is_choice and len(found) > 1:
            return EqualChoice(judgement, found, is_negotiated)
        return ResolvedName(judgement, found[0], found[1:], is_negotiated)

    def _make(self, rules: NamespaceRules) -> ServiceChooser:
        chooser = ServiceChooser(rules)
        with self._lock:
            self._made.pop(rules.name, None)
            if len(self._made) >= _HELD:
                del self._made[next(iter(self._made))]  # the one that was made first
            self._made[rules.name] = rules, chooser
        return chooser


def _is_own_form(nss: str, rules: NamespaceRules) -> bool:
    if rules.check and (algorithm := ALGORITHMS.get(rules.check)) and algorithm.unify(nss) != nss:
        return False
    equivalence = rules.equivalence
    return not equivalence.rules or equivalence.own_nss(nss) == nss


def _unknown(judgement: Judgement) -> Outcome:
    if judgement.urn is None:
        return BadSyntax(judgement)
    return Unregistered(judgement, judgement.nearest)


_ALL = frozenset(ServiceKind)


class ServiceSample(NamedTuple):
    """A service, and an example of its namespace with the address at which the service has it."""

    service: ResolutionService
    urn: str = ""
    url: str = ""


def service_samples(
    rules: NamespaceRules, examples: tuple[ExampleName, ...], book: RuleBook, day: str
) -> Iterator[ServiceSample]:
    """Each service that is in use on a day, with the first example that it applies to.

    Source: RFC 8141 section 6.4.6.
    """
    if rules.resolution.resolvability is Resolvability.NOT_RESOLVED:
        return
    judged = [judge_text(example.urn, book) for example in examples]
    possible = [one for one in judged if one.possibility is not Possibility.IMPOSSIBLE]
    for service in rules.resolution.services:
        if is_in_use(service, day):
            yield _sample(service, rules, possible, day)


def _sample(
    service: ResolutionService, rules: NamespaceRules, names: list[Judgement], day: str
) -> ServiceSample:
    alone = replace(rules.resolution, services=(service,))
    chooser = ServiceChooser(replace(rules, resolution=alone))
    for name in names:
        if name.urn is None:
            continue
        found, _ = chooser.choose(name.urn, name.normal_form, name.own_form, day, kinds=_ALL)
        if found:
            return ServiceSample(service, name.text, found[0].target)
    return ServiceSample(service)
