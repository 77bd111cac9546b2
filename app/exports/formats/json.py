"""A snapshot as JSON of the project's own design; ``schema`` says what it may hold.

A member with nothing to say is left out, so a program finds only what is known.
"""

from collections.abc import Iterator
from functools import lru_cache
from json import loads
from typing import Any

from app.exports.content.file_names import (
    record_schema_file,
    registry_file,
    schema_file,
    table_file,
)
from app.exports.content.name_presentation import (
    forms_of,
    own_forms_of,
    presentation_of,
    template_path,
    whole_name,
)
from app.exports.content.reference_links import xref_url
from app.exports.formats.export_format import ExportFormat, RecordExport
from app.exports.serialization.json_text import Members, json_bytes
from app.identifiers.equivalence import equivalence_to
from app.registration.declarations.formats import Format, forms_on_page
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.profiles.profile_documents import profile_to
from app.registration.records.record_documents import dispute_to
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
    bracket_reference,
    plain_words,
)
from app.registration.templates.template_reader import read_template

SCHEMAS = "/schemas/"
LINKED = tuple(form for form in forms_on_page() if form is not Format.JSON)
FROM_TEXT = "text"  # of fields that a registrant did not fill in one by one

_READ = 512  # texts of templates whose fields are remembered from one edition to the next


def json_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The registry as one JSON file, former names included."""
    yield registry_file(snapshot, Format.JSON), json_bytes(_registry(snapshot))


def record_members(registry: SubRegistry, record: Registration) -> Members:
    """One record, with its place in the registry and on the site spelt out.

    A template that came as a whole text is read into its fields too, so that a program finds
    them in one place.
    """
    space, fields = presentation_of(registry), _fields(registry, record)
    return _present(
        name=record.name,
        folded=record.folded,
        **_in_space(space, record),
        kind=_kind(registry),
        status=str(record.status),
        successor=record.successor,
        date=record.date,
        updated=record.updated,
        version=record.version,
        style=str(record.style),
        template=_rich(record.template),
        references=[_reference(xref) for xref in record.references],
        contact=_rich(record.contact or ()),
        fields=fields,
        fields_from=FROM_TEXT if fields and not record.fields else "",
        text_source=record.text_source,
        profile=profile_to(record.profile),
        equivalence=equivalence_to(record.equivalence)["rules"],
        disputes=[dispute_to(dispute) for dispute in record.disputes],
        links=_links(registry, record),
    )


def person_members(person: Person) -> Members:
    """Somebody a reference names."""
    return _present(
        id=person.id,
        name=person.name,
        org=person.org,
        uris=list(person.uris),
        updated=person.updated,
    )


def _registry(snapshot: RegistrySnapshot) -> Members:
    return {
        "$schema": SCHEMAS + schema_file(snapshot),
        "id": snapshot.id,
        "title": snapshot.title,
        **_present(category=snapshot.category, notice=snapshot.notice),
        "edition": snapshot.edition,
        "updated": snapshot.updated,
        **_present(notes=[_rich(note) for note in snapshot.notes if any(note)]),
        "links": {str(f): registry_file(snapshot, f) for f in LINKED},
        "tables": map(_table, snapshot.registries),
        "people": [person_members(person) for person in snapshot.people],
    }


def _table(registry: SubRegistry) -> Members:
    return {
        "id": registry.id,
        "title": registry.title,
        **_present(
            kind=_kind(registry),
            references=[_reference(xref) for xref in registry.references],
            rule=_rich(registry.rule),
            expert=registry.expert,
        ),
        "links": {str(Format.CSV): table_file(registry)} if _has_table(registry) else {},
        "records": (record_members(registry, record) for record in registry.records),
    }


def _has_table(registry: SubRegistry) -> bool:
    return Format.CSV in forms_of(registry)


def _kind(registry: SubRegistry) -> str:
    declared = REGISTRIES.get(registry.id)
    return declared.kind if declared else ""


def _in_space(space: IdentifierSpace, record: Registration) -> dict[str, str]:
    return {space.member: whole_name(space, record)} if space.member else {}


def _links(registry: SubRegistry, record: Registration) -> dict[str, str]:
    page = presentation_of(registry).page.format(record.folded)
    if not page:
        return {}
    links, forms = {"page": page}, own_forms_of(registry)
    if Format.JSON in forms:
        links["json"] = f"{page}.json"
    if Format.XML in forms and record.status is not Status.FORMER:
        links["xml"] = f"{page}.xml"
    if record.request is not None:
        links["request"] = f"/requests/{record.request}"
    text = template_path(registry, record) if record.has_template else ""
    return links | ({"template": text} if text else {})


def _fields(registry: SubRegistry, record: Registration) -> dict[str, str]:
    declared = REGISTRIES.get(registry.id)
    texts = dict(record.fields) or _read(record.text)
    public = [field.name for field in declared.public_fields] if declared else []
    return {name: texts[name] for name in public if texts.get(name)}


@lru_cache(maxsize=_READ)
def _read(text: str) -> dict[str, str]:
    return read_template(text).fields if text else {}


def _rich(text: RichText) -> Members:
    parts = [part if isinstance(part, str) else _reference(part) for part in text]
    return {"text": plain_words(text), "parts": parts} if any(text) else {}


def _reference(xref: Xref) -> Members:
    return {
        "type": str(xref.type),
        "shown": bracket_reference(xref),
        **_present(
            data=xref.data,
            label=xref.label,
            **({str(xref.fragment): xref.at} if xref.fragment else {}),
            lastupdated=xref.lastupdated,
            url=None if xref.type is XrefType.PERSON else xref_url(xref),
            title=xref.title,
        ),
    }


def _present(**members: Any) -> Members:
    return {name: value for name, value in members.items() if value not in (None, "", [], {})}


def _record_json(one: RecordExport) -> bytes:
    notice = {"notice": one.snapshot.notice} if one.snapshot.notice else {}
    members = {
        "$schema": SCHEMAS + record_schema_file(one.snapshot),
        "registry": one.snapshot.id,
        "table": one.home.id,
        **notice,
        "record": record_members(one.home, one.record),
        "people": [person_members(person) for person in one.people],
    }
    return json_bytes(members)


def _names_in(body: bytes) -> list[str]:
    tables = loads(body)["tables"]
    return [record["name"] for table in tables for record in table["records"]]


FORMAT = ExportFormat(
    format=Format.JSON,
    make=lambda snapshot, _place: json_files(snapshot),
    names_in=_names_in,
    record=_record_json,
    lists_former=True,
    rank=1,
)
