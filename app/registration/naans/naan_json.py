"""Files of NAANs in the JSON of the ARK Alliance: read leniently, and written as they were.

What a fact cannot hold, such as a number where a text belongs, is kept beside the facts with its
place, told as a finding, and written again. A member that such a file does not have is told and not
kept, since all that is kept is published, and it may be meant for the registry alone.

Source: ``naan_records.json`` of the ARK Alliance, and the schema ``PublicNAAN`` beside it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from app.registration.naans.json_values import (
    UnreadableNaanFile,
    json_text,
    member_place,
    parse_json,
)
from app.registration.naans.known_members import without_unknown
from app.registration.naans.naan_records import (
    TARGET_STATUSES,
    NaanFile,
    NaanFinding,
    NaanRecord,
    NaanRow,
    ShoulderRecord,
    UnreadValue,
    is_fit,
    name_key,
)
from app.registration.naans.quoted_text import quote

__all__ = ["FACT_PLACES", "SCHEMA", "read_naan_json", "write_naan_json"]

SCHEMA = "the schema PublicNAAN of the ARK Alliance"

_WHO = (
    ("/who/name", "holder"),
    ("/who/name_native", "native_name"),
    ("/who/acronym", "acronym"),
)
_TARGET = (("/target/url", "target"), ("/target/http_code", "status"))
_POLICY = (
    ("/na_policy/orgtype", "kind"),
    ("/na_policy/policy", "policy"),
    ("/na_policy/tenure", "tenure"),
    ("/na_policy/policy_url", "policy_address"),
)
# Where each fact stands, in the order of the file; shoulders have another one.
_NAAN_PLACES = (
    *(("/what", "name"), ("/where", "where"), *_TARGET, ("/when", "when"), *_WHO, *_POLICY),
    ("/test_identifier", "test_ark"),
    ("/service_provider", "service_provider"),
    ("/purpose", "purpose"),
    ("/rtype", "record_type"),
)
_SHOULDER_PLACES = (
    *(("/shoulder", "shoulder"), ("/naan", "naan"), ("/what", "name"), *_WHO, ("/where", "where")),
    *(*_TARGET, ("/when", "when"), *_POLICY),
    *(("/test_identifier", "test_ark"), ("/rtype", "record_type")),
)
FACT_PLACES: Mapping[str, str] = {fact: place for place, fact in (*_SHOULDER_PLACES, *_NAAN_PLACES)}
_NAMES = ("name", "naan", "shoulder", "record_type")
_MAY_BE_NULL = ("native_name", "acronym", "policy_address", "test_ark", "service_provider")
_MAY_BE_ABSENT = {FACT_PLACES[fact] for fact in (*_MAY_BE_NULL, "purpose", "record_type")}
_ENTRY = re.compile("/data/([0-9]{1,9})")
_NOTHING = object()


def read_naan_json(data: bytes) -> NaanFile:
    """The records of a file, with what was found on the way.

    Records keep their order. A second entry of one name, and one that has no name, are no records:
    they are kept with their place. Raises UnreadableNaanFile, a ValueError, for what is no JSON
    (see ``parse_json``), no object, or has no list ``data``.

    Source: the schema PublicNAAN of the ARK Alliance.
    """
    document, is_marked = parse_json(data)
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise _no_list(document)
    public, unknown = without_unknown(document)
    findings = [_mark_finding()] if is_marked else []
    return _file_of(public, [*findings, *map(_unknown_finding, unknown)])


def _no_list(document: object) -> UnreadableNaanFile:
    if isinstance(document, dict) and "what" in document:
        one = f"This is the record of one NAAN or shoulder, {quote(str(document['what']))}."
        wrapped = '{"data": [RECORD]}'
        return UnreadableNaanFile("", f"{one} Put it in a list of records: `{wrapped}`.")
    if isinstance(document, list):
        told = 'This is a list of records. Put it in an object: `{"data": LIST}`.'
        return UnreadableNaanFile("", told)
    told = 'A NAAN file is an object with a list of records, such as `{"data": [RECORD]}`.'
    return UnreadableNaanFile("/data", told)


def _file_of(document: dict[str, Any], findings: list[NaanFinding]) -> NaanFile:
    records: dict[str, NaanRow] = {}
    unread = []
    for number, entry in enumerate(document["data"]):
        place, record = f"/data/{number}", _record(entry)
        refusal = _refusal(place, record, records)
        if refusal:
            findings.append(refusal)
            unread.append(UnreadValue(place, json_text(entry, "")))
        elif record:
            records[name_key(record.name)] = record
            findings += _all_told(record.unread, record.name, place)
    metadata, rest = _head(document)
    return NaanFile(
        metadata=metadata,
        records=tuple(records.values()),
        unread=(*rest, *unread),
        findings=(*_all_told(rest, "", ""), *findings),
    )


def _refusal(
    place: str, record: NaanRow | None, known: Mapping[str, NaanRow]
) -> NaanFinding | None:
    if record is None:
        message = (
            "This entry has no NAAN: `what` is empty or not text. It is kept but not imported."
        )
        return NaanFinding("", place, "no_name", message, SCHEMA)
    if name_key(record.name) in known:
        message = (
            f"{quote(record.name)} is already in the file. The first entry is used; this one "
            "is kept but not imported."
        )
        return NaanFinding(record.name, place, "duplicate", message, SCHEMA)
    return None


def _head(
    document: dict[str, Any],
) -> tuple[tuple[tuple[str, str | None], ...], tuple[UnreadValue, ...]]:
    said = document.get("metadata")
    members = said.items() if isinstance(said, dict) else ()
    metadata = tuple((name, value) for name, value in members if _is_nullable_text(value))
    rest = {name: value for name, value in document.items() if name != "data"}
    return metadata, tuple(_differences({"metadata": dict(metadata)}, rest, ""))


def _record(entry: object) -> NaanRow | None:
    if not isinstance(entry, dict):
        return None
    record = _shoulder(entry) if _is_shoulder(entry) else _naan(entry)
    if record is None:
        return None
    unread = tuple(_differences(_document(record), entry, ""))
    return replace(record, unread=unread) if unread else record


def _is_shoulder(entry: Mapping[str, Any]) -> bool:
    return "shoulder" in entry or entry.get("rtype") == ShoulderRecord.record_type


def _naan(entry: dict[str, Any]) -> NaanRecord | None:
    what = _name(entry.get("what"))
    return NaanRecord(naan=what, **_facts(entry, _NAAN_PLACES)) if what else None


def _shoulder(entry: dict[str, Any]) -> ShoulderRecord | None:
    first, slash, second = _name(entry.get("what")).partition("/")
    naan = _name(entry.get("naan")) or (first if slash else "")
    shoulder = _name(entry.get("shoulder")) or second
    if not naan or not shoulder:
        return None
    return ShoulderRecord(naan=naan, shoulder=shoulder, **_facts(entry, _SHOULDER_PLACES))


def _name(value: object) -> str:
    return value if isinstance(value, str) and _fits("naan", value) else ""


def _is_nullable_text(value: object) -> bool:
    return value is None or (type(value) is str and is_fit(value))


def _facts(entry: dict[str, Any], places: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    # the schema knows a target that is a text alone, and the file none
    is_text = type(entry.get("target")) is str
    said = {**entry, "target": {"url": entry["target"]}} if is_text else entry
    values = ((fact, _value_at(said, place)) for place, fact in places if fact not in _NAMES)
    return {fact: value for fact, value in values if _fits(fact, value)}


def _fits(fact: str, value: object) -> bool:
    if fact == "status":
        return type(value) is int and value in TARGET_STATUSES
    if value is None:
        return fact in _MAY_BE_NULL
    return type(value) is str and is_fit(value)


def _value_at(entry: Mapping[str, Any], place: str) -> object:
    first, _, second = place[1:].partition("/")
    value = entry.get(first, _NOTHING)
    if not second:
        return value
    return value.get(second, _NOTHING) if isinstance(value, dict) else _NOTHING


def _differences(
    standard: dict[str, Any], said: dict[str, Any], place: str
) -> Iterator[UnreadValue]:
    for name in (*standard, *(name for name in said if name not in standard)):
        at = member_place(place, name)
        own, given = standard.get(name, _NOTHING), said.get(name, _NOTHING)
        if isinstance(own, dict) and isinstance(given, dict):
            yield from _differences(own, given, at)
        elif own is not given and _text(own) != _text(given):
            yield UnreadValue(at, _text(given), _text(own))


def _text(value: object) -> str:
    return "" if value is _NOTHING else json_text(value, "")


def _all_told(unread: Iterable[UnreadValue], name: str, place: str) -> list[NaanFinding]:
    return list(filter(None, (_told(one, name, place) for one in unread)))


def _told(unread: UnreadValue, name: str, place: str) -> NaanFinding | None:
    where, whose = f"{place}{unread.place}", f"{quote(name)}: " if name else ""
    if not unread.text:
        if unread.place in _MAY_BE_ABSENT:
            return None
        message = f"{whose}`{unread.place}` is missing and read as {_cut(unread.read_as)}."
        return NaanFinding(name, where, "absent_member", message, SCHEMA)
    if unread.place == "/target" and unread.text.startswith('"'):
        return None  # which the schema allows
    taken = f" and read as {_cut(unread.read_as)}" if unread.read_as else ""
    message = (
        f"{whose}`{unread.place}` is {_cut(unread.text)}, which is not recognized. It is "
        f"kept{taken}."
    )
    return NaanFinding(name, where, "unread_value", message, SCHEMA)


def _unknown_finding(place: str) -> NaanFinding:
    message = (
        f"{quote(place)} is not a known member. It may be private, so it is not imported; "
        "keep the file."
    )
    return NaanFinding("", place, "unknown_member", message, SCHEMA)


def _mark_finding() -> NaanFinding:
    message = "The file begins with a byte order mark, which is ignored."
    return NaanFinding("", "", "byte_order_mark", message, "RFC 8259 section 8.1")


def _cut(text: str, most: int = 60) -> str:
    return f"`{text[:most]}...`" if len(text) > most else f"`{text}`"


def write_naan_json(file: NaanFile) -> bytes:
    """A file of NAANs as the ARK Alliance writes it.

    What was read with ``read_naan_json`` and not changed gives the same JSON, and a file of the
    ARK Alliance the same bytes. Of a value that no fact holds, the place is told again only where
    the facts still say there what they said when it was read.

    Source: ``naan_records.json`` of the ARK Alliance.
    """
    document: dict[str, Any] = {"metadata": dict(file.metadata), "data": []}
    entries = [_written(record) for record in file.records]
    for one in file.unread:
        if (number := _ENTRY.fullmatch(one.place)) and one.text:
            entries.insert(int(number[1]), parse_json(one.text.encode())[0])
        else:
            _restore(document, one)
    return json_text({**document, "data": entries}).encode()


def _written(record: NaanRow) -> dict[str, Any]:
    document = _document(record)
    for one in record.unread:
        _restore(document, one)
    return document


def _document(record: NaanRow) -> dict[str, Any]:
    document: dict[str, Any] = {}
    places = _SHOULDER_PLACES if isinstance(record, ShoulderRecord) else _NAAN_PLACES
    for place, fact in places:
        first, _, second = place[1:].partition("/")
        if second:
            document.setdefault(first, {})[second] = getattr(record, fact)
        else:
            document[first] = getattr(record, fact)
    return document


def _restore(document: dict[str, Any], one: UnreadValue) -> None:
    *path, name = (part.replace("~1", "/").replace("~0", "~") for part in one.place[1:].split("/"))
    inner: object = document
    for step in path:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if not isinstance(inner, dict) or _text(inner.get(name, _NOTHING)) != one.read_as:
        return
    if one.text:
        inner[name] = parse_json(one.text.encode())[0]
    else:
        inner.pop(name, None)
