"""A published JSON of the registry -> the snapshot that it was made from.

It says all that is public: former names, profiles, the fields of templates and the requests that
led to them too. A template that came as a text stands in a file of its own, and what is private
nowhere.
"""

import json
from typing import Any

from app.exports.formats.json import FROM_TEXT
from app.exports.formats.xml_reader import UnreadableRegistry
from app.identifiers.equivalence import read_equivalence
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.profile_documents import stored_profile
from app.registration.records.record_documents import dispute_from, person_from
from app.registration.records.registry_records import (
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


def read_json(data: bytes) -> RegistrySnapshot:
    """The registry as a published JSON tells it. Raises UnreadableRegistry for anything else."""
    try:
        return _registry(json.loads(data))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableRegistry(f"This is no JSON of a registry: {error!r}.") from error


def _registry(document: _Members) -> RegistrySnapshot:
    return RegistrySnapshot(
        id=document["id"],
        title=document["title"],
        updated=document["updated"],
        edition=int(document["edition"]),
        notice=document.get("notice", ""),
        category=document.get("category", ""),
        notes=tuple(map(_rich, document.get("notes", []))),
        registries=tuple(map(_table, document["tables"])),
        people=tuple(map(person_from, document["people"])),
    )


def _table(document: _Members) -> SubRegistry:
    return SubRegistry(
        id=document["id"],
        title=document["title"],
        references=tuple(map(_xref, document.get("references", []))),
        rule=_rich(document.get("rule", {})),
        expert=document.get("expert", ""),
        records=tuple(_record(document["id"], record) for record in document["records"]),
    )


def _record(registry: str, document: _Members) -> Registration:
    contact, request = document.get("contact"), document.get("links", {}).get("request", "")
    nobody = () if REGISTRIES[registry].numbering else None
    return Registration(
        name=document["name"],
        date=document.get("date"),
        updated=document.get("updated"),
        template=_rich(document.get("template", {})),
        references=tuple(map(_xref, document.get("references", []))),
        contact=_rich(contact) if contact else nobody,
        status=Status(document["status"]),
        successor=document.get("successor"),
        version=document.get("version"),
        style=TemplateStyle(document["style"]),
        fields=_fields(document),
        request=int(request.rpartition("/")[2]) if request else None,
        text_source=document.get("text_source", ""),
        equivalence=read_equivalence({"rules": document.get("equivalence", [])}),
        disputes=tuple(map(dispute_from, document.get("disputes", []))),
        profile=stored_profile(document.get("profile", {})),
    )


def _fields(document: _Members) -> tuple[tuple[str, str], ...]:
    """What was filled in field by field, and not what was read from a text on file."""
    if document.get("fields_from") == FROM_TEXT:
        return ()
    return tuple(document.get("fields", {}).items())


def _rich(document: _Members) -> RichText:
    parts = document.get("parts", [])
    return tuple(part if isinstance(part, str) else _xref(part) for part in parts)


def _xref(document: _Members) -> Xref:
    fragment = next((each for each in XrefFragment if str(each) in document), None)
    return Xref(
        type=XrefType(document["type"]),
        data=document.get("data", ""),
        label=document.get("label", ""),
        fragment=fragment,
        at=document[str(fragment)] if fragment else "",
        lastupdated=document.get("lastupdated"),
        title=document.get("title", ""),
    )
