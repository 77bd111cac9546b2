"""Files that hold a part of a registry for one kind of program, beside its forms.

They lie where the forms lie, at the address of the registry and of the edition, and come with
each edition. They are no other form of the registry's page, so that nobody gets one by ``Accept``.
"""

from collections.abc import Callable
from dataclasses import dataclass

from app.exports.content.file_names import RULES_SUFFIX, derived_file
from app.exports.content.name_presentation import kind_of
from app.exports.extracts.prefix_map import context_bytes, prefix_map_bytes
from app.exports.extracts.profile_table import profile_table_bytes
from app.exports.search.suggestions import suggestions_bytes
from app.registration.declarations.registries import DerivedFormat
from app.registration.records.registry_records import RegistrySnapshot
from app.resolution.namespace_rules import rule_lines
from app.resolution.record_rules import rules_of


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """One of them: what people call it, what HTTP does, its suffix, and how it is made."""

    label: str
    media_type: str
    suffix: str
    make: Callable[[RegistrySnapshot], bytes]


def rules_bytes(snapshot: RegistrySnapshot) -> bytes:
    """What every name of a namespace is judged and sent on by, former names included.

    JSON Lines in the order of the folded names, each with the member ``nid``.
    """
    return rule_lines(
        (record.folded, rules_of(record, kind_of(table)))
        for table in snapshot.registries
        for record in table.records
    )


DERIVED_FILES: dict[DerivedFormat, DerivedFile] = {
    DerivedFormat.PROFILES: DerivedFile(
        "CSV: profiles", "text/csv; charset=utf-8; header=present", "csv", profile_table_bytes
    ),
    DerivedFormat.PREFIXES: DerivedFile("Prefix map", "application/json", "json", prefix_map_bytes),
    DerivedFormat.CONTEXT: DerivedFile(
        "JSON-LD context", "application/ld+json", "jsonld", context_bytes
    ),
    DerivedFormat.RESOLUTION: DerivedFile(
        "JSON Lines: rules of resolution", "application/jsonl", RULES_SUFFIX, rules_bytes
    ),
    DerivedFormat.SUGGESTIONS: DerivedFile(
        "JSON: suggestions", "application/json", "json", suggestions_bytes
    ),
}


def derived_file_name(snapshot: RegistrySnapshot, derived: DerivedFormat) -> str:
    """What one of them is called: ``urn-namespaces-profiles.csv``."""
    return derived_file(snapshot.id, derived, DERIVED_FILES[derived].suffix)
