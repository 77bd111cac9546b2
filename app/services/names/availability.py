"""Which names can be asked for: what stands against each, and what is like it and free."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from app.identifiers.errors import Finding, spell_text
from app.identifiers.nid import NidIndex, suggest_nids
from app.identifiers.urn import NID_LONGEST
from app.pages.lists.search_results import SearchResult
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import FORMAL, REGISTRIES, declared_spaces
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Status
from app.registration.submissions.name_rivals import (
    MOST_RIVALS,
    iana_name_sentence,
    rival_sentence,
)
from app.registration.templates.template_lint import LintFinding, lint
from app.registration.templates.template_reader import ParsedTemplate
from app.registration.templates.text_encodings import DecodedText
from app.resolution.namespace_rules import similar_names
from app.services.names.name_search import final_successor, find_similar
from app.services.names.rule_book import rule_book
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.registry.base_version import PENDING, NamesAsked, names_by_shape
from app.services.registry.snapshots import taken_index
from app.services.request_status import request_status
from app.services.requests import queues
from app.services.requests.syntax_studies import study_syntax
from app.store.database import read_transaction
from app.store.registry import record_versions as names
from app.store.requests import requested_names

MOST = 200  # names at once
_TAKEN = frozenset({"registered", "reserved"})


class NameAvailability(StrEnum):
    """What can be said of a name that somebody would like to have, the worst first."""

    REGISTERED = "registered"
    FORMER = "former"
    RESERVED = "reserved"
    FORBIDDEN = "forbidden"
    PENDING = "pending"
    QUESTIONED = "likely to be questioned"
    FREE = "free"

    @property
    def can_be_asked_for(self) -> bool:
        """Whether a request for it can be sent."""
        return self in (
            NameAvailability.PENDING,
            NameAvailability.QUESTIONED,
            NameAvailability.FREE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityReport:
    """One name: how it stands, why, who asks for it, and free names like it.

    ``page`` is the name under which it is registered or was, ``successor`` the one that came
    in its place, ``asking`` the numbers of the open requests for it.
    """

    name: str
    standing: NameAvailability
    findings: tuple[Finding, ...] = ()
    page: str = ""
    successor: str = ""
    asking: tuple[int, ...] = ()
    suggested: tuple[str, ...] = ()


def availability_of(wanted: Iterable[str]) -> tuple[AvailabilityReport, ...]:
    """How each of these names stands as a formal NID; those beyond ``MOST`` are not looked at."""
    asked = names_by_shape(FORMAL, requested_names.names_asked(FORMAL.id, PENDING))
    given = {name: n for n, name in requested_names.names_at_iana(FORMAL.id, PENDING)}
    shape_of = FORMAL.space.shape
    return tuple(
        _one(name, asked.get(shape_of(FORMAL.fold(name)), []), given)
        for name in list(wanted)[:MOST]
    )


def _one(name: str, rivals: NamesAsked, given: Mapping[str, int]) -> AvailabilityReport:
    index, folded = taken_index(FORMAL.space), FORMAL.fold(name)
    holder, report = index.find_registered(name), FORMAL.check(name, index)
    if holder is not None:
        return _taken(name, holder, report.problems)
    if folded in given:
        return AvailabilityReport(
            name=name,
            standing=NameAvailability.REGISTERED,
            findings=(_found("registered-at-iana", iana_name_sentence(given[folded])),),
        )
    alike = _alike(folded, rivals)
    asking = tuple(number for number, asked in rivals if asked == folded)
    advisories = (*report.advisories, *alike)
    return AvailabilityReport(
        name=name,
        standing=_standing({finding.code for finding in report.problems}, asking, advisories),
        findings=(*report.problems, *advisories),
        asking=asking,
        suggested=suggest_nids(name[: 2 * NID_LONGEST], index) if report.problems else (),
    )


def _alike(folded: str, rivals: NamesAsked) -> tuple[Finding, ...]:
    others = [(number, name) for number, name in rivals if name != folded]
    told = (rival_sentence(number, name, folded) for number, name in others[:MOST_RIVALS])
    return tuple(_found("asked-for", sentence) for sentence in told)


def _found(code: str, sentence: str) -> Finding:
    return Finding(code, sentence, FORMAL.name_field.source)


def _standing(
    forbidden: Collection[str], asking: Collection[int], advisories: Collection[Finding]
) -> NameAvailability:
    if forbidden:
        return NameAvailability.RESERVED if _TAKEN & set(forbidden) else NameAvailability.FORBIDDEN
    if asking:
        return NameAvailability.PENDING
    return NameAvailability.QUESTIONED if advisories else NameAvailability.FREE


def _taken(name: str, holder: str, problems: tuple[Finding, ...]) -> AvailabilityReport:
    found = names.find_record(FORMAL.space.id, holder)
    if found is None:
        raise RuntimeError("a registered name without a record")
    record = found[1]
    former = record.status is Status.FORMER
    return AvailabilityReport(
        name=name,
        standing=NameAvailability.FORMER if former else NameAvailability.REGISTERED,
        findings=problems,
        page=record.folded,
        successor=final_successor(record),
    )


def check_template(decoded: DecodedText, read: ParsedTemplate) -> tuple[LintFinding, ...]:
    """Return what ``template lint`` finds in a template, with the names registered here.

    Raises CapacityExhausted while too much is at work.
    """
    with read_transaction():
        registered = taken_index(FORMAL.space)
    return lint(decoded, registered, study=study_syntax, read=read)


_INFORMAL = "urn-"
_MOST_SHOWN, _MOST_NEAR, _LONGEST = 10, 4, 80


@dataclass(frozen=True, slots=True)
class NameElsewhere:
    """A registered name of a kind: ``ark:12345``, and where its page is."""

    label: str
    whole: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisteredName:
    """A name that stands in no table.

    ``problems`` forbid its registration and ``advisories`` make experts ask; ``alike`` are
    registered names that it may have been meant for, the nearest first, ``titled`` namespaces
    whose titles have such a word; ``suggested`` are free.
    ``asking`` are the open requests for it, ``decided`` those that led to nothing. ``elsewhere``
    are names of other kinds that are written so.
    """

    name: str
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]
    alike: tuple[str, ...]
    titled: tuple[SearchResult, ...]
    suggested: tuple[str, ...]
    asking: tuple[request_status.RequestSummary, ...]
    decided: tuple[request_status.RequestSummary, ...]
    elsewhere: tuple[NameElsewhere, ...] = ()

    @property
    def is_informal(self) -> bool:
        """Whether it has the form of a number that only this registry gives."""
        return self.name.startswith(_INFORMAL)

    @property
    def may_be_requested(self) -> bool:
        """Whether no rule forbids asking for it."""
        return not self.problems


def describe_unregistered(
    name: str, at: datetime, rules: ProcedureSettings = USUAL_RULES
) -> UnregisteredName:
    """All that is known of a name of NID form that is not registered, in whatever case."""
    folded, index = FORMAL.fold(name), taken_index(FORMAL.space)
    report = FORMAL.check(folded, index)
    alike = [near for near in rule_book().nearest(folded) if near != folded]
    requests = [
        row for row in queues.about(folded, at, rules) if row.registry.space is FORMAL.space
    ]
    return UnregisteredName(
        name=folded,
        problems=report.problems,
        advisories=report.advisories,
        alike=tuple(alike[:_MOST_SHOWN]),
        titled=tuple(
            one for one in find_similar(folded, _MOST_SHOWN, URN_GROUP) if one.name not in alike
        ),
        suggested=suggest_nids(folded, index),
        asking=tuple(row for row in requests if not row.state.is_final),
        decided=tuple(row for row in requests if row.state.is_final),
        elsewhere=tuple(_elsewhere(name, FORMAL.space)),
    )


def _elsewhere(name: str, missing: IdentifierSpace) -> Iterator[NameElsewhere]:
    for space in declared_spaces():
        folded = space.fold(name)
        if space is not missing and space.may_be_name(folded) and _stands(folded, space):
            yield NameElsewhere(space.label, space.whole(folded), space.page.format(folded))


def _stands(folded: str, space: IdentifierSpace) -> bool:
    return bool(taken_index(space).find_registered(folded))


def missing_sentences(name: str, space: IdentifierSpace) -> str:
    """What is told of a name that nobody has in a space: what is like it, and how to ask."""
    folded = space.fold(name)
    said = [f"No {space.label} {spell_text(space.whole(name[:_LONGEST]))} is registered."]
    near = [spell_text(space.whole(one)) for one in _near(folded, space)[:_MOST_NEAR]]
    if near:
        said.append(f"Did you mean {', '.join(near)}?")
    over = folded.partition("/")[0]
    if space.under and _stands(over, space.under):
        path = space.under.page.format(over)
        said.append(f"{spell_text(space.under.whole(over))} is registered: see {path}.")
    asked = next(one.asked_first for one in REGISTRIES.values() if one.space is space)
    return " ".join((*said, f"To request one, go to {asked or '/requests/new'}."))


def _near(folded: str, space: IdentifierSpace) -> list[str]:
    index = taken_index(space)
    near = list(index.find_look_alikes(folded))
    if not space.under:
        near += similar_names(folded, _by_edits(tuple(index)))
    return list(dict.fromkeys(near))


@lru_cache(maxsize=4)
def _by_edits(taken: tuple[str, ...]) -> NidIndex:
    return NidIndex(taken)
