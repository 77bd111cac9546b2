"""The form of this project for NAANs, written: so the file that is shipped was made."""

import json
from dataclasses import fields

from app.registration.naans.naan_documents import _MIDNIGHT, Document, _usual
from app.registration.naans.naan_records import NaanFile, NaanRow

# The order in a line: what the record is of, who holds it, where names lead, and the rest.
_ORDER = (
    *(
        "naan",
        "shoulder",
        "holder",
        "native_name",
        "acronym",
        "day",
        "when",
        "tenure",
        "kind",
        "where",
    ),
    *("target", "status", "policy", "policy_address", "service_provider", "purpose", "test_ark"),
)


def naan_record_to(record: NaanRow) -> Document:
    """A record as a document without what goes without saying; ``naan_record_from`` reads it."""
    said = {one.name: getattr(record, one.name) for one in fields(record)}
    usual = _usual(type(record), record.where, record.when)
    if _MIDNIGHT.fullmatch(record.when):
        said["day"], usual["when"] = record.when[:10], record.when
    document = {
        fact: said[fact] for fact in _ORDER if fact in said and said[fact] != usual.get(fact)
    }
    if record.unread:
        document["unread"] = [[one.place, one.text, one.read_as] for one in record.unread]
    return document


def naan_file_to(file: NaanFile) -> bytes:
    """A file of NAANs, a record a line."""
    lines = ",\n".join(map(_line, file.records))
    metadata = _line_of(dict(file.metadata))
    unread = [[one.place, one.text, one.read_as] for one in file.unread]
    rest = f',\n"unread": {_line_of(unread)}' if unread else ""
    return f'{{"metadata": {metadata}{rest},\n"records": [\n{lines}\n]}}\n'.encode()


def _line(record: NaanRow) -> str:
    return _line_of(naan_record_to(record))


def _line_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
