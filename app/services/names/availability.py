"""Which names can be asked for: what stands against each, and what is like it and free."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.findings import Finding
from app.identifiers.nid import suggest_nids
from app.identifiers.urn_grammar import NID_LONGEST
from app.registration.declarations.registries import FORMAL
from app.registration.records.registry_records import Status
from app.services.names.name_search import instead_of
from app.services.registry.competing_requests import PENDING
from app.services.registry.snapshots import taken_index
from app.store.registry import record_versions as names
from app.store.requests import request_rows

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
    asking: dict[str, list[int]] = {}
    for number, name in request_rows.names_asked(FORMAL.id, PENDING):
        asking.setdefault(name, []).append(number)
    return tuple(_one(name, asking.get(FORMAL.fold(name), ())) for name in list(wanted)[:MOST])


def _one(name: str, asking: Collection[int]) -> AvailabilityReport:
    index = taken_index(FORMAL.space)
    holder = index.find_registered(name)
    if holder is not None:
        return _taken(name, holder)
    report = FORMAL.check(name, index)
    standing = _standing({finding.code for finding in report.problems}, asking, report.advisories)
    return AvailabilityReport(
        name=name,
        standing=standing,
        findings=(*report.problems, *report.advisories),
        asking=tuple(asking),
        suggested=suggest_nids(name[: 2 * NID_LONGEST], index) if report.problems else (),
    )


def _standing(
    forbidden: Collection[str], asking: Collection[int], advisories: Collection[Finding]
) -> NameAvailability:
    if forbidden:
        return NameAvailability.RESERVED if _TAKEN & set(forbidden) else NameAvailability.FORBIDDEN
    if asking:
        return NameAvailability.PENDING
    return NameAvailability.QUESTIONED if advisories else NameAvailability.FREE


def _taken(name: str, holder: str) -> AvailabilityReport:
    found = names.find_record(FORMAL.space.id, holder)
    if found is None:
        raise RuntimeError("a registered name without a record")
    record = found[1]
    former = record.status is Status.FORMER
    return AvailabilityReport(
        name=name,
        standing=NameAvailability.FORMER if former else NameAvailability.REGISTERED,
        page=record.folded,
        successor=instead_of(record),
    )
