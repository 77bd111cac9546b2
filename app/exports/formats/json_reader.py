"""A published JSON of the registry -> the snapshot that it was made from.

It says all that is public: former names, profiles, the fields of templates and the requests that
led to them too. A template that came as a text stands in a file of its own, and what is private
nowhere.
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from app.exports.formats.json import FROM_TEXT
from app.exports.formats.xml_reader import UnreadableRegistry
from app.identifiers.equivalence import read_equivalence
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.profile_documents import stored_profile
from app.registration.records.registry_records import (
    Dispute,
    DisputeKind,
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefFragment,
    XrefType,
)

_Members = dict[str, Any]
_HIGHEST_NUMBER = 999_999_999  # of a request or a version, so that counters go on behind it


def read_json(data: bytes) -> RegistrySnapshot:
    """The registry as a published JSON tells it. Raises UnreadableRegistry for anything else."""
    try:
        return _registry(json.loads(data))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        why = str(error) if isinstance(error, ValueError | TypeError) else repr(error)
        raise UnreadableRegistry(f"This isn't the JSON of a registry: {why}.") from error


def _registry(document: _Members) -> RegistrySnapshot:
    read = RegistrySnapshot(
        id=_text(document["id"]),
        title=_text(document["title"]),
        updated=_text(document["updated"]),
        edition=int(document["edition"]),
        notice=_text(document.get("notice", "")),
        category=_text(document.get("category", "")),
        notes=tuple(map(_rich, document.get("notes", []))),
        registries=tuple(map(_table, document["tables"])),
        people=tuple(map(_person, document["people"])),
    )
    _refuse_repeated("table", (table.id for table in read.registries))
    _refuse_repeated("name", (record.key for record in read.records()))
    _refuse_repeated("person", (person.id for person in read.people))
    return read


def _refuse_repeated(what: str, ids: Iterable[str]) -> None:
    for ident, count in Counter(ids).items():
        if count > 1:
            raise ValueError(f"the {what} {ident!r} appears {count} times")


def _table(document: _Members) -> SubRegistry:
    return SubRegistry(
        id=_text(document["id"]),
        title=_text(document["title"]),
        references=tuple(map(_xref, document.get("references", []))),
        rule=_rich(document.get("rule", {})),
        expert=_text(document.get("expert", "")),
        records=tuple(_record(document["id"], record) for record in document["records"]),
    )


def _record(registry: str, document: _Members) -> Registration:
    contact, request = document.get("contact"), document.get("links", {}).get("request", "")
    nobody = () if REGISTRIES[registry].numbering else None
    return Registration(
        name=_text(document["name"]),
        date=_text_or_none(document.get("date")),
        updated=_text_or_none(document.get("updated")),
        template=_rich(document.get("template", {})),
        references=tuple(map(_xref, document.get("references", []))),
        contact=_rich(contact) if contact else nobody,
        status=Status(document["status"]),
        successor=_text_or_none(document.get("successor")),
        version=_number(document["version"]) if "version" in document else None,
        style=TemplateStyle(document["style"]),
        fields=_fields(registry, document),
        request=_number(int(request.rpartition("/")[2])) if request else None,
        text_source=_text(document.get("text_source", "")),
        equivalence=read_equivalence({"rules": document.get("equivalence", [])}),
        disputes=tuple(map(_dispute, document.get("disputes", []))),
        profile=stored_profile(document.get("profile", {})),
    )


def _person(document: _Members) -> Person:
    return Person(
        id=_text(document["id"]),
        name=_text_or_none(document.get("name")),
        org=_text_or_none(document.get("org")),
        uris=tuple(map(_text, _list(document.get("uris", [])))),
        updated=_text_or_none(document.get("updated")),
    )


def _dispute(document: _Members) -> Dispute:
    return Dispute(
        kind=DisputeKind(document["kind"]),
        date=_text(document["date"]),
        reference=_text(document.get("reference", "")),
        grounds=_text(document.get("grounds", "")),
    )


def _list(told: object) -> list[Any]:
    if not isinstance(told, list):
        raise TypeError(f"{told!r} isn't a list")
    return told


def _text(told: object) -> str:
    if not isinstance(told, str):
        raise TypeError(f"{told!r} isn't text")
    told.encode()  # ValueError for half a surrogate pair
    return told


def _text_or_none(told: object) -> str | None:
    return None if told is None else _text(told)


def _number(told: object) -> int:
    if type(told) is not int or not 0 < told <= _HIGHEST_NUMBER:
        raise ValueError(f"{told!r} isn't a number from 1 to {_HIGHEST_NUMBER}")
    return told


def _fields(registry: str, document: _Members) -> tuple[tuple[str, str], ...]:
    if document.get("fields_from") == FROM_TEXT:
        return ()
    fields: _Members = document.get("fields", {})
    known = {field.name for field in REGISTRIES[registry].public_fields}
    if unknown := sorted(fields.keys() - known):
        raise ValueError(f"{REGISTRIES[registry].label} entries have no field {unknown[0]!r}")
    return tuple((name, _text(text)) for name, text in fields.items())


def _rich(document: _Members) -> RichText:
    parts = _list(document.get("parts", []))
    return tuple(_text(part) if isinstance(part, str) else _xref(part) for part in parts)


def _xref(document: _Members) -> Xref:
    fragment = next((each for each in XrefFragment if str(each) in document), None)
    return Xref(
        type=XrefType(document["type"]),
        data=_text(document.get("data", "")),
        label=_text(document.get("label", "")),
        fragment=fragment,
        at=_text(document[str(fragment)]) if fragment else "",
        lastupdated=_text_or_none(document.get("lastupdated")),
        title=_text(document.get("title", "")),
    )
