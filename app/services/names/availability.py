"""Which names can be asked for: what stands against each, and what is like it and free."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import Finding
from app.identifiers.nid import suggest_nids
from app.identifiers.urn import NID_LONGEST
from app.registration.declarations.registries import FORMAL
from app.registration.records.registry_records import Status
from app.registration.submissions.name_rivals import (
    MOST_RIVALS,
    iana_name_sentence,
    rival_sentence,
)
from app.registration.templates.template_lint import LintFinding, lint
from app.registration.templates.template_reader import ParsedTemplate
from app.registration.templates.text_encodings import DecodedText
from app.services.names.name_search import final_successor
from app.services.registry.competing_requests import PENDING, NamesAsked, names_by_shape
from app.services.registry.snapshots import taken_index
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
    """What is said of requests for names that only read like this one, as a draft is told it."""
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
