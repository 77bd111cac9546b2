"""Records to JSON-ready values and back: the form in which they are stored and shipped.

Absent and empty members are left out, so that equal records give equal documents and a
new member does not change the documents that lack it.
"""

import json
from typing import Any

from app.identifiers.equivalence import equivalence_to, read_equivalence
from app.registration.declarations.registries import IdentifierSpace, space_of
from app.registration.profiles.profile_documents import profile_to, stored_profile
from app.registration.profiles.profile_records import NO_PROFILE
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

Document = dict[str, Any]


def canonical_json(document: Document) -> str:
    """One text for equal documents: sorted keys, no white space, only ASCII."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _known(**members: Any) -> Document:
    return {name: value for name, value in members.items() if value not in (None, [])}


def _worded(**members: Any) -> Document:
    return {name: value for name, value in _known(**members).items() if value != ""}


def xref_to(xref: Xref) -> Document:
    """A reference as a document."""
    return _worded(
        type=str(xref.type),
        data=xref.data,
        label=xref.label,
        fragment=xref.fragment and str(xref.fragment),
        at=xref.at,
        lastupdated=xref.lastupdated,
        title=xref.title,
    )


def xref_from(document: Document) -> Xref:
    """A reference from its document; ``ValueError`` for a type the registry does not know."""
    fragment = document.get("fragment")
    return Xref(
        type=XrefType(document["type"]),
        data=document.get("data", ""),
        label=document.get("label", ""),
        fragment=XrefFragment(fragment) if fragment else None,
        at=document.get("at", ""),
        lastupdated=document.get("lastupdated"),
        title=document.get("title", ""),
    )


def rich_to(text: RichText) -> list[Any]:
    """A mixed text as a list of strings and references."""
    return [part if isinstance(part, str) else xref_to(part) for part in text]


def rich_from(parts: list[Any]) -> RichText:
    """A mixed text from its list."""
    return tuple(part if isinstance(part, str) else xref_from(part) for part in parts)


def dispute_to(dispute: Dispute) -> Document:
    """What is noted against a registration, as a document."""
    return _worded(
        kind=str(dispute.kind),
        date=dispute.date,
        reference=dispute.reference,
        grounds=dispute.grounds,
    )


def dispute_from(document: Document) -> Dispute:
    """What is noted against a registration, from its document."""
    return Dispute(
        kind=DisputeKind(document["kind"]),
        date=document["date"],
        reference=document.get("reference", ""),
        grounds=document.get("grounds", ""),
    )


def registration_to(record: Registration) -> Document:
    """A registered namespace as a document."""
    no_contact = record.contact is not None and not record.contact
    return ({"contact": []} if no_contact else {}) | _known(
        name=record.name,
        date=record.date,
        updated=record.updated,
        template=rich_to(record.template),
        references=[xref_to(xref) for xref in record.references],
        contact=None if record.contact is None else rich_to(record.contact),
        status=None if record.status is Status.REGISTERED else str(record.status),
        successor=record.successor,
        version=record.version,
        style=None if record.style is TemplateStyle.FACTS else str(record.style),
        fields=[list(pair) for pair in record.fields],
        request=record.request,
        text=record.text or None,
        text_source=record.text_source or None,
        equivalence=equivalence_to(record.equivalence) if record.equivalence.rules else None,
        disputes=[dispute_to(dispute) for dispute in record.disputes],
        profile=None if record.profile == NO_PROFILE else profile_to(record.profile),
    )


def registration_from(document: Document, space: IdentifierSpace) -> Registration:
    """A registered name of a space from its document."""
    contact = document.get("contact")
    return Registration(
        name=document["name"],
        date=document.get("date"),
        updated=document.get("updated"),
        template=rich_from(document.get("template", [])),
        references=tuple(xref_from(xref) for xref in document.get("references", [])),
        contact=None if contact is None else rich_from(contact),
        status=Status(document.get("status", Status.REGISTERED)),
        successor=document.get("successor"),
        version=document.get("version"),
        style=TemplateStyle(document.get("style", TemplateStyle.FACTS)),
        fields=tuple((name, value) for name, value in document.get("fields", [])),
        request=document.get("request"),
        text=document.get("text", ""),
        text_source=document.get("text_source", ""),
        equivalence=read_equivalence(document.get("equivalence", {"rules": []})),
        disputes=tuple(dispute_from(dispute) for dispute in document.get("disputes", [])),
        profile=stored_profile(document.get("profile", {})),
        space=space,
    )


def person_to(person: Person) -> Document:
    """A person as a document."""
    return _known(
        id=person.id,
        name=person.name,
        org=person.org,
        uris=list(person.uris),
        updated=person.updated,
    )


def person_from(document: Document) -> Person:
    """A person from their document."""
    return Person(
        id=document["id"],
        name=document.get("name"),
        org=document.get("org"),
        uris=tuple(document.get("uris", [])),
        updated=document.get("updated"),
    )


def sub_registry_to(registry: SubRegistry) -> Document:
    """What stands above one table, without its records."""
    return _worded(
        id=registry.id,
        title=registry.title,
        references=[xref_to(xref) for xref in registry.references],
        rule=rich_to(registry.rule),
        expert=registry.expert,
    )


def sub_registry_from(document: Document, records: tuple[Registration, ...] = ()) -> SubRegistry:
    """One table from the document of its head and its records."""
    return SubRegistry(
        id=document["id"],
        title=document.get("title", ""),
        references=tuple(xref_from(xref) for xref in document.get("references", [])),
        rule=rich_from(document.get("rule", [])),
        expert=document.get("expert", ""),
        records=records,
    )


def head_to(snapshot: RegistrySnapshot) -> Document:
    """What a registry says of itself, its tables' heads included, without names or people."""
    return _worded(
        id=snapshot.id,
        title=snapshot.title,
        category=snapshot.category,
        notes=[rich_to(note) for note in snapshot.notes],
        registries=[sub_registry_to(registry) for registry in snapshot.registries],
        on_file=snapshot.on_file,
    )


def snapshot_from(
    head: Document,
    *,
    updated: str,
    edition: int = 0,
    records: dict[str, tuple[Registration, ...]],
    people: tuple[Person, ...],
) -> RegistrySnapshot:
    """The whole registry from its head, its records by table and its people."""
    return RegistrySnapshot(
        id=head["id"],
        title=head.get("title", ""),
        category=head.get("category", ""),
        updated=updated,
        edition=edition,
        notes=tuple(rich_from(note) for note in head.get("notes", [])),
        registries=tuple(
            sub_registry_from(registry, records.get(registry["id"], ()))
            for registry in head.get("registries", [])
        ),
        people=people,
        on_file=head.get("on_file", ""),
    )


def snapshot_read(document: Document) -> RegistrySnapshot:
    """The whole registry from the document it is shipped as."""
    return snapshot_from(
        document["head"],
        updated=document["updated"],
        records={
            registry: tuple(registration_from(record, space_of(registry)) for record in records)
            for registry, records in document["records"].items()
        },
        people=tuple(person_from(person) for person in document["people"]),
    )
