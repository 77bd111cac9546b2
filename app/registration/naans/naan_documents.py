"""Records of NAANs in the form of this project: a line for each, without what goes without saying.

A fact that is as it usually is, is left out: a not-for-profit organization, a policy that nobody
declared, the target that follows from the address, the tenure that begins in the year of the day,
and midnight.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from app.registration.naans.json_values import UnreadableNaanFile, parse_json
from app.registration.naans.naan_records import (
    TARGET_STATUSES,
    NaanFile,
    NaanRecord,
    NaanRow,
    ShoulderRecord,
    UnreadValue,
    derived_target,
    is_fit,
    records_by_name,
)

__all__ = ["naan_file_from", "naan_record_from"]

Document = dict[str, Any]

_AT_MIDNIGHT = "T00:00:00+00:00"
_MIDNIGHT = re.compile("([0-9]{4})-[0-9]{2}-[0-9]{2}" + re.escape(_AT_MIDNIGHT))
# Where a value may stand that no fact holds: JSON Pointers from a record, and from a file.
_OF_RECORD = re.compile("/(?:(?:who|target|na_policy)/)?[^/]*")
_OF_FILE = re.compile("/(?:data/(?:0|[1-9][0-9]{0,8})|(?:metadata/)?[^/]*)")
_NULLABLE = frozenset({
    *("native_name", "acronym", "policy_address", "test_ark", "service_provider"),
})  # fmt: skip


def naan_record_from(document: Document) -> NaanRow:
    """A record from its document. Raises ValueError for a document of none."""
    kind = ShoulderRecord if "shoulder" in document else NaanRecord
    given = {**document, "when": _moment(document)}
    given.pop("day", None)
    given["unread"] = _unread_from(given.get("unread", []), _OF_RECORD)
    facts = {**_usual(kind, given.get("where", ""), given["when"]), **given}
    try:
        record = kind(**facts)
    except TypeError as error:
        raise ValueError(f"This is not a NAAN record: {error}.") from None
    _check(record)
    return record


def _check(record: NaanRow) -> None:
    for one in fields(record):
        value = getattr(record, one.name)
        if one.name == "status":
            is_right = type(value) is int and value in TARGET_STATUSES
        elif one.name == "unread":
            is_right = True  # which was looked at when it was made
        elif value is None:
            is_right = one.name in _NULLABLE
        else:
            is_right = type(value) is str and is_fit(value)
        if not is_right:
            raise ValueError(f"`{one.name}` of a NAAN has the invalid value {value!r:.80}.")


def _unread_from(lines: object, places: re.Pattern[str]) -> tuple[UnreadValue, ...]:
    if not isinstance(lines, list) or not all(_is_unread(one, places) for one in lines):
        raise ValueError(f"{lines!r:.80} is not a list of values with places.")
    return tuple(UnreadValue(*one) for one in lines)


def _is_unread(line: object, places: re.Pattern[str]) -> bool:
    is_told = isinstance(line, list) and 2 <= len(line) <= 3
    if not isinstance(line, list) or not is_told or not all(type(one) is str for one in line):
        return False
    for written in filter(None, line[1:]):
        parse_json(written.encode("utf-8", "surrogatepass"))  # raises a ValueError for others
    return places.fullmatch(line[0]) is not None


def _usual(kind: type[NaanRow], where: object, when: str) -> Document:
    usual: Document = {one.name: one.default for one in fields(kind)}
    del usual["naan"]
    usual.pop("shoulder", None)
    if isinstance(where, str) and where:
        usual["target"], usual["status"] = derived_target(where)
    found = _MIDNIGHT.fullmatch(when)
    return {**usual, "tenure": found[1]} if found else usual


def _moment(document: Document) -> str:
    day, when = document.get("day"), document.get("when", "")
    moment = when if day is None else f"{day}{_AT_MIDNIGHT}"
    if type(moment) is not str or (day is not None and not _MIDNIGHT.fullmatch(moment)):
        raise ValueError(f"{day!r:.40} is not a date, or {when!r:.40} is not text.")
    return moment


def naan_file_from(data: bytes) -> NaanFile:
    """A file of NAANs from the form of this project.

    Raises UnreadableNaanFile, a ValueError, for anything else, and for two records of one name.
    """
    document, _ = parse_json(data)
    try:
        records = tuple(map(_given_record, document["records"]))
        metadata = tuple(document.get("metadata", {}).items())
        unread = _unread_from(document.get("unread", []), _OF_FILE)
        _check_metadata(metadata)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        message = f"This is not a NAAN file in this project's format: {error}"
        raise UnreadableNaanFile("", message) from None
    _check_names(records)
    return NaanFile(metadata=metadata, records=records, unread=unread)


def _check_metadata(metadata: Iterable[tuple[str, object]]) -> None:
    for name, value in metadata:
        if value is not None and not (type(value) is str and is_fit(value)):
            raise ValueError(f"`{name:.80}` of the metadata is {value!r:.80}. It must be text.")


def _given_record(document: Document) -> NaanRow:
    return naan_record_from(document)


def _check_names(records: Iterable[NaanRow]) -> None:
    rows = tuple(records)
    if len(records_by_name(rows)) < len(rows):
        raise UnreadableNaanFile("/records", "A member appears twice. Remove one.")
