"""The profiles of all namespaces as CSV, one row a namespace, former names included.

Source: RFC 4180.
"""

from collections.abc import Callable, Mapping

from app.exports.content.name_presentation import kind_of
from app.exports.serialization.csv_text import NOTICE_HEADING, csv_line
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    NamespaceProfile,
    ResolutionService,
)
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    plain,
)

_Column = Callable[[NamespaceProfile], str]

_OF_PROFILE: Mapping[str, _Column] = {
    "title": lambda profile: profile.title,
    "names": lambda profile: profile.names,
    "description": lambda profile: profile.description,
    "holder": lambda profile: profile.holder,
    "homepage": lambda profile: profile.homepage,
    "example": lambda profile: next((one.urn for one in profile.examples), ""),
    "pattern": lambda profile: profile.pattern.expression if profile.pattern else "",
    "exact": lambda profile: _yes_or_no(profile.pattern.is_exact) if profile.pattern else "",
    "case": lambda profile: profile.case or "",
    "check": lambda profile: profile.check,
    # nothing is known of a namespace without a profile, and so not that nothing is declared
    "resolvability": lambda profile: (
        "" if profile == NO_PROFILE else profile.resolution.resolvability
    ),
    "services": lambda profile: str(len(profile.resolution.services) or ""),
    "service_target": lambda profile: _of_first(profile, lambda service: service.target),
    "service_kind": lambda profile: _of_first(profile, lambda service: service.kind),
    "service_when": lambda profile: _of_first(profile, lambda service: service.when),
    "related": lambda profile: " ".join(profile.related),
}
HEADINGS = ("nid", "kind", "status", "successor", *_OF_PROFILE)


def profile_table_bytes(snapshot: RegistrySnapshot) -> bytes:
    """All namespaces in the order of the registry; what is not known is an empty cell.

    ``service_target`` and what follows it are of the first of the ``services``. No cell is read as
    a formula by a spreadsheet.
    """
    notice = (plain((snapshot.notice,)),) if snapshot.notice else ()
    heading = csv_line((*HEADINGS, *([NOTICE_HEADING] if notice else ())))
    lines = (
        csv_line((*_cells(table, record), *notice))
        for table in snapshot.registries
        for record in table.records
    )
    return "".join((heading, *lines)).encode()


def _cells(table: SubRegistry, record: Registration) -> tuple[str, ...]:
    of_profile = (of(record.profile) for of in _OF_PROFILE.values())
    first = (record.folded, kind_of(table), record.status, record.successor or "")
    return (*first, *of_profile)


def _of_first(profile: NamespaceProfile, of: Callable[[ResolutionService], str]) -> str:
    return next(map(of, profile.resolution.services), "")


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"
