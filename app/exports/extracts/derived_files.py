"""Files that hold a part of a registry for one kind of program, beside its forms.

They lie where the forms lie, at the address of the registry and of the edition, and come with
each edition. They are no other form of the registry's page, so that nobody gets one by ``Accept``.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from app.exports.content.file_names import RULES_SUFFIX, derived_file
from app.exports.content.name_presentation import derived_tables, kind_of
from app.exports.extracts import naan_files
from app.exports.extracts.prefix_map import (
    context_bytes,
    context_prefixes,
    mapped_prefixes,
    prefix_map_bytes,
)
from app.exports.extracts.profile_table import profile_table_bytes
from app.exports.search.suggestions import MOST_SUGGESTED, suggested_names, suggestions_bytes
from app.exports.serialization.csv_text import first_cells
from app.registration.declarations.formats import Format
from app.registration.declarations.registries import DerivedFormat
from app.registration.records.registry_records import RegistrySnapshot
from app.resolution.namespace_rules import rule_lines
from app.resolution.record_rules import rules_of


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """A derived file: what people and HTTP call it, its suffix, how it is made and read."""

    label: str
    media_type: str
    suffix: str
    make: Callable[[RegistrySnapshot], bytes]
    names_in: Callable[[bytes], list[str]]  # as they are read back, folded
    lists_former: bool = False
    at_most: int | None = None  # of more names than these it holds none
    part: str = ""  # as its file is called after, where that is another word
    beside: Callable[[RegistrySnapshot], list[str]] = lambda _: []  # names of no record in it
    purpose: str = ""  # what it is for, said to whoever chooses among them

    def bytes_of(self, snapshot: RegistrySnapshot, derived: DerivedFormat) -> bytes:
        """The file, with the tables whose registries declare it."""
        return self.make(derived_tables(snapshot, derived))


def rules_bytes(snapshot: RegistrySnapshot) -> bytes:
    """What every name of a namespace is judged and sent on by, former names included.

    JSON Lines in the order of the folded names, each with the member ``nid``.
    """
    return rule_lines(
        (record.folded, rules_of(record, kind_of(table)))
        for table in snapshot.registries
        for record in table.records
    )


def _rule_names(body: bytes) -> list[str]:
    return [json.loads(line)["nid"] for line in body.splitlines()]


DERIVED_FILES: dict[DerivedFormat, DerivedFile] = {
    DerivedFormat.PROFILES: DerivedFile(
        "CSV: profiles",
        Format.CSV.media_type,
        Format.CSV,
        profile_table_bytes,
        first_cells,
        lists_former=True,
        purpose="what each namespace names, for a spreadsheet",
    ),
    DerivedFormat.PREFIXES: DerivedFile(
        "Prefix map",
        Format.JSON.media_type,
        Format.JSON,
        prefix_map_bytes,
        mapped_prefixes,
        purpose="for tools that expand CURIEs",
    ),
    DerivedFormat.CONTEXT: DerivedFile(
        "JSON-LD context",
        Format.JSONLD.media_type,
        Format.JSONLD,
        context_bytes,
        context_prefixes,
        purpose="for documents of your own that cite the registrations",
    ),
    DerivedFormat.RESOLUTION: DerivedFile(
        "JSON Lines: rules of resolution",
        "application/jsonl",
        RULES_SUFFIX,
        rules_bytes,
        _rule_names,
        lists_former=True,
        purpose="for running your own resolver",
    ),
    DerivedFormat.SUGGESTIONS: DerivedFile(
        "JSON: suggestions",
        Format.JSON.media_type,
        Format.JSON,
        suggestions_bytes,
        suggested_names,
        at_most=MOST_SUGGESTED,
        purpose="suggestions of the search field",
    ),
    DerivedFormat.ARK_RULES: DerivedFile(
        "JSON Lines: rules of resolution",
        "application/jsonl",
        RULES_SUFFIX,
        naan_files.ark_rules_bytes,
        naan_files.ark_rule_names,
        lists_former=True,
        part=DerivedFormat.RESOLUTION,
        purpose="for running your own resolver",
    ),
    DerivedFormat.NAAN_RECORDS: DerivedFile(
        "JSON: records in the format of the ARK Alliance",
        Format.JSON.media_type,
        Format.JSON,
        naan_files.naan_records_bytes,
        naan_files.naan_names_in,
        part="records",
        beside=naan_files.unread_naan_names,
        purpose="for programs that read the ARK Alliance’s list",
    ),
    DerivedFormat.NAAN_ANVL: DerivedFile(
        "ANVL",
        Format.TXT.media_type,
        Format.TXT,
        naan_files.naan_anvl_bytes,
        naan_files.naan_anvl_names,
        part="anvl",
        purpose="all records in plain text",
    ),
    DerivedFormat.NAAN_TABLE: DerivedFile(
        "CSV",
        Format.CSV.media_type,
        Format.CSV,
        naan_files.naan_csv_bytes,
        naan_files.naan_csv_names,
        lists_former=True,
        part="table",
        purpose="for a spreadsheet",
    ),
}


def derived_file_name(snapshot: RegistrySnapshot, derived: DerivedFormat) -> str:
    """What one of them is called: ``urn-namespaces-profiles.csv``."""
    maker = DERIVED_FILES[derived]
    return derived_file(snapshot.id, maker.part or derived, maker.suffix)
