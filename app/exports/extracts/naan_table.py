"""NAANs and shoulders as CSV, one row each.

Source: RFC 4180.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from app.exports.serialization.csv_text import csv_line
from app.registration.naans.naan_names import fold_naan_name
from app.registration.naans.naan_records import NaanRecord, NaanRow

HEADINGS = (
    *("naan", "shoulder", "holder", "native_name", "acronym", "day", "kind", "where", "target"),
    *("status", "policy", "policy_address", "tenure", "service_provider", "purpose", "test_ark"),
    *("state", "successor"),
)


class NaanStanding(NamedTuple):
    """Whether a name is in use, voided or otherwise former, and which takes its place."""

    state: str
    successor: str = ""


_IN_USE = NaanStanding("registered")


def naan_table_bytes(
    records: Iterable[NaanRow], standings: Mapping[str, NaanStanding] | None = None
) -> bytes:
    """Records in their order; what is not known is an empty cell, an unknown day too.

    ``standings`` are of those that are not simply in use, by their folded names.
    No cell is read as a formula by a spreadsheet, and nothing private is in a record.
    """
    of_all = standings or {}
    lines = (
        csv_line((*_cells(one), *of_all.get(fold_naan_name(one.name), _IN_USE))) for one in records
    )
    return f"{csv_line(HEADINGS)}{''.join(lines)}".encode()


def _cells(record: NaanRow) -> tuple[str, ...]:
    shoulder, provider, purpose = "", "", ""
    if isinstance(record, NaanRecord):
        provider, purpose = record.service_provider or "", record.purpose
    else:
        shoulder = record.shoulder
    return (
        *(record.naan, shoulder),
        *(record.holder, record.native_name or "", record.acronym or "", record.day),
        *(record.kind, record.where, record.target, str(record.status)),
        *(record.policy, record.policy_address or "", record.tenure),
        *(provider, purpose, record.test_ark or ""),
    )
