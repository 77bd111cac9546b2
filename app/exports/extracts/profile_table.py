"""The profiles of all namespaces as CSV, one row a namespace, former names included.

Source: RFC 4180.
"""

from collections.abc import Callable, Mapping

from app.exports.content.name_presentation import kind_of
from app.exports.serialization.csv_text import NOTICE_HEADING, csv_line
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    NamespaceProfile,
    NssPattern,
    ResolutionService,
)
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    plain_words,
)
from app.resolution.record_rules import told_pattern_of

_Column = Callable[[Registration], str]

_OF_PROFILE: Mapping[str, _Column] = {
    "title": lambda record: record.profile.title,
    "names": lambda record: record.profile.names,
    "description": lambda record: record.profile.description,
    "holder": lambda record: record.profile.holder,
    "homepage": lambda record: record.profile.homepage,
    "example": lambda record: next((one.urn for one in record.profile.examples), ""),
    "pattern": lambda record: _of_pattern(record, lambda pattern: pattern.expression),
    "exact": lambda record: _of_pattern(record, lambda pattern: _yes_or_no(pattern.is_exact)),
    "case": lambda record: record.profile.case or "",
    "check": lambda record: record.profile.check,
    # nothing is known of a namespace without a profile, and so not that nothing is declared
    "resolvability": lambda record: (
        "" if record.profile == NO_PROFILE else record.profile.resolution.resolvability
    ),
    "services": lambda record: str(len(record.profile.resolution.services) or ""),
    "service_target": lambda record: _of_first(record.profile, lambda service: service.target),
    "service_kind": lambda record: _of_first(record.profile, lambda service: service.kind),
    "service_when": lambda record: _of_first(record.profile, lambda service: service.when),
    "related": lambda record: " ".join(record.profile.related),
}
HEADINGS = ("nid", "kind", "status", "successor", *_OF_PROFILE)


def profile_table_bytes(snapshot: RegistrySnapshot) -> bytes:
    """All namespaces in the order of the registry; what is not known is an empty cell.

    ``service_target`` and what follows it are of the first of the ``services``. No cell is read as
    a formula by a spreadsheet.
    """
    notice = (plain_words((snapshot.notice,)),) if snapshot.notice else ()
    heading = csv_line((*HEADINGS, *([NOTICE_HEADING] if notice else ())))
    lines = (
        csv_line((*_cells(table, record), *notice))
        for table in snapshot.registries
        for record in table.records
    )
    return "".join((heading, *lines)).encode()


def _cells(table: SubRegistry, record: Registration) -> tuple[str, ...]:
    of_profile = (of(record) for of in _OF_PROFILE.values())
    first = (record.folded, kind_of(table), record.status, record.successor or "")
    return (*first, *of_profile)


def _of_pattern(record: Registration, of: Callable[[NssPattern], str]) -> str:
    pattern = told_pattern_of(record)
    return of(pattern) if pattern else ""


def _of_first(profile: NamespaceProfile, of: Callable[[ResolutionService], str]) -> str:
    return next(map(of, profile.resolution.services), "")


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"
