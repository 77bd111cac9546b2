"""NAANs and shoulders as CSV, one row each.

Source: RFC 4180.
"""

from collections.abc import Iterable

from app.exports.serialization.csv_text import csv_line
from app.registration.naans.naan_records import NaanRecord, NaanRow

HEADINGS = (
    *("naan", "shoulder", "holder", "native_name", "acronym", "day", "kind", "where", "target"),
    *("status", "policy", "policy_address", "tenure", "service_provider", "purpose", "test_ark"),
)


def naan_table_bytes(records: Iterable[NaanRow]) -> bytes:
    """Records in their order; what is not known is an empty cell, an unknown day too.

    No cell is read as a formula by a spreadsheet, and nothing private is in a record.
    """
    lines = (csv_line(_cells(record)) for record in records)
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
