"""The JSON Schemas of the published JSON, made from the same declarations as the JSON.

Source: JSON Schema, draft 2020-12.
"""

import re
from collections.abc import Iterator
from functools import cache

from app.exports.content.file_names import (
    delta_schema_file,
    record_schema_file,
    schema_file,
)
from app.exports.editions.changes import NameChangeKind
from app.exports.editions.edition_list import LINKED as LINKED_OF_EDITIONS
from app.exports.editions.edition_list import editions_schema_file
from app.exports.formats.json import FROM_TEXT, LINKED
from app.exports.schemas.profile_schema import profile_schema
from app.exports.schemas.subschemas import (
    ANY_TEXT,
    DATE,
    DAY,
    TEXT,
    Schema,
    array_schema,
    definition_schema,
    described_schema,
    enum_schema,
    object_schema,
)
from app.exports.serialization.json_text import json_bytes
from app.identifiers.equivalence import EquivalenceOperation
from app.registration.declarations.registries import REGISTRIES, Format, IdentifierSpace, Registry
from app.registration.records.registry_records import (
    DisputeKind,
    RegistrySnapshot,
    Status,
    TemplateStyle,
    XrefFragment,
    XrefType,
)

Registries = tuple[Registry, ...]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """Both schemas under the names that the published JSON gives them."""
    yield schema_file(snapshot), schema_bytes(snapshot.id)
    yield record_schema_file(snapshot), record_schema_bytes(snapshot.id)


def schema_bytes(group: str) -> bytes:
    """The schema of a whole registry's JSON, by the id of its group."""
    registries = _registries_of(group)
    whole = _registry(array_schema(definition_schema("record"), at_least=0), _PEOPLE, registries)
    return _bytes_of("A registry, as published", whole, registries)


def record_schema_bytes(group: str) -> bytes:
    """The schema of one record's JSON, by the id of its group."""
    title = "One record of a registry, as published"
    return _bytes_of(title, _RECORD_FILE, _registries_of(group))


def history_schema_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The schemas of a delta and of the list of editions, under the names given to them."""
    yield delta_schema_file(snapshot.id), delta_schema_bytes(snapshot.id)
    yield editions_schema_file(snapshot), editions_schema_bytes()


def delta_schema_bytes(group: str) -> bytes:
    """The schema of what leads from one edition of a group to another."""
    title, registries = (
        "The changes from one edition of a registry to another",
        _registries_of(group),
    )
    return _bytes_of(title, _delta(registries), registries)


@cache
def editions_schema_bytes() -> bytes:
    """The schema of the list of editions."""
    return json_bytes(_schema("The editions of a registry", _EDITIONS, {}))


def _registries_of(group: str) -> Registries:
    declared = tuple(one for one in REGISTRIES.values() if one.group == group)
    return declared or tuple(REGISTRIES.values())


def _bytes_of(title: str, whole: Schema, registries: Registries) -> bytes:
    return json_bytes(_schema(title, whole, _definitions(registries)))


def _schema(title: str, whole: Schema, definitions: Schema) -> Schema:
    known = {"$defs": definitions} if definitions else {}
    return {"$schema": _DIALECT, "title": title, **whole} | known


def _field_members(registries: Registries) -> Schema:
    public = {field.name: field for one in registries for field in one.fields if field.public}
    said_of = {
        name: described_schema(f"{it.label}: {it.source}", TEXT) for name, it in public.items()
    }
    return object_schema({}, **said_of) | {"minProperties": 1}


def _whole_names(registries: Registries) -> Schema:
    spaces = dict.fromkeys(one.space for one in registries if one.space.member)
    return {space.member: _whole_name(space) for space in spaces}


def _whole_name(space: IdentifierSpace) -> Schema:
    told = f"The beginning of every name of the {space.label}"
    if space.written.endswith("{}"):
        told = "The name as written in identifiers, such as urn:isbn:"
    pattern = re.escape(space.written).replace(r"\{\}", ".+")
    return described_schema(told, {"type": "string", "pattern": f"^{pattern}$"})


def _kinds(registries: Registries) -> Schema:
    return enum_schema(dict.fromkeys(registry.kind for registry in registries))


_REFERENCE = object_schema(
    {
        "type": enum_schema(XrefType),
        "shown": described_schema("The reference as pages show it", ANY_TEXT),
    },
    data=described_schema("Its target: an RFC, a URI or a person's id", TEXT),
    label=TEXT,
    **{str(fragment): TEXT for fragment in XrefFragment},
    lastupdated=DATE,
    url=described_schema(
        "The address of the reference", {"type": "string", "pattern": "^https?://"}
    ),
    title=described_schema("The title of the document", TEXT),
)

_RICH = object_schema(
    {
        "text": described_schema("The whole text as plain text", ANY_TEXT),
        "parts": array_schema({"anyOf": [ANY_TEXT, definition_schema("reference")]}),
    }
)

_PERSON = object_schema(
    {"id": TEXT},
    name=TEXT,
    org=TEXT,
    uris=array_schema(ANY_TEXT),
    updated=DATE,
)

_RECORD_LINKS = object_schema(
    {"page": TEXT, "json": TEXT},
    xml=TEXT,
    request=described_schema("The request for this record", TEXT),
    template=described_schema("The text of the template, if available", TEXT),
)

_RULES = described_schema(
    "Rules of equivalence in the registration, in addition to RFC 8141 section 3.1",
    array_schema(
        object_schema(
            {
                "do": enum_schema(EquivalenceOperation),
                "clause": described_schema("The clause in the registration", TEXT),
            },
            characters=described_schema("The characters that are dropped or decoded", TEXT),
            part=object_schema(
                {"separator": TEXT, "first": {"type": "integer", "minimum": 0}},
                last={"type": ["integer", "null"]},
            ),
            begins=described_schema(
                ("Applies only to an NSS that starts with this text, in either case"), TEXT
            ),
            case=described_schema(
                "The case of the normal form; lower by default", {"const": "upper"}
            ),
        )
    ),
)

_DISPUTE = described_schema(
    "Disputes and appeals about the registration, which stays valid",
    object_schema(
        {
            "kind": enum_schema(DisputeKind),
            "date": described_schema("The date when it was recorded", DATE),
        },
        reference=described_schema("The address of the court order", TEXT),
        grounds=described_schema("The grounds of the dispute", TEXT),
    ),
)


def _record(registries: Registries) -> Schema:
    return object_schema(
        {
            "name": described_schema("The name as registered", TEXT),
            "folded": described_schema("The name in lower case, for comparison", TEXT),
            "status": enum_schema(Status),
            "style": described_schema(
                "The document that defines the template", enum_schema(TemplateStyle)
            ),
        },
        **_whole_names(registries),
        kind=_kinds(registries),
        successor=described_schema("The name that replaces this one", TEXT),
        date=described_schema("The date of registration, if known", DATE),
        updated=described_schema("The date of the last change, if known", DATE),
        version=described_schema("The version of the template", {"type": "integer", "minimum": 1}),
        template=definition_schema("rich"),
        references=array_schema(definition_schema("reference")),
        contact=definition_schema("rich"),
        fields=_field_members(registries),
        fields_from=described_schema(
            "True if the fields were read from the template's text; otherwise they are as entered",
            {"const": FROM_TEXT},
        ),
        text_source=described_schema(
            "Where the text of the template appears, as a place in an RFC", TEXT
        ),
        profile=described_schema(
            "Facts about the namespace in addition to its template", definition_schema("profile")
        ),
        equivalence=_RULES,
        disputes=array_schema(_DISPUTE),
        links=_RECORD_LINKS,
    )


_NONE: Schema = {"type": "array", "maxItems": 0}


def _table_links(registries: Registries) -> Schema:
    file = {str(Format.CSV): TEXT}
    is_always = all(Format.CSV in registry.exports for registry in registries)
    return object_schema(file) if is_always else object_schema({}, **file)


def _table(records: Schema, registries: Registries) -> Schema:
    return object_schema(
        {
            "id": TEXT,
            "title": ANY_TEXT,
            "links": _table_links(registries),
            "records": records,
        },
        kind=_kinds(registries),
        references=array_schema(definition_schema("reference")),
        rule=definition_schema("rich"),
        expert=TEXT,
    )


_NOTICE = described_schema("A notice if this registry is not the official one", TEXT)


def _registry(records: Schema, people: Schema, registries: Registries) -> Schema:
    return object_schema(
        {
            "$schema": TEXT,
            "id": TEXT,
            "title": ANY_TEXT,
            "edition": described_schema("0 if there is none", {"type": "integer", "minimum": 0}),
            "updated": {"type": "string", "pattern": f"^{DAY}$"},
            "links": object_schema({str(format_): TEXT for format_ in LINKED}),
            "tables": array_schema(_table(records, registries), at_least=0),
            "people": people,
        },
        category=TEXT,
        notice=_NOTICE,
        notes=array_schema(definition_schema("rich")),
    )


_PEOPLE = array_schema(definition_schema("person"), at_least=0)

_RECORD_FILE = object_schema(
    {
        "$schema": TEXT,
        "registry": TEXT,
        "table": TEXT,
        "record": definition_schema("record"),
        "people": _PEOPLE,
    },
    notice=_NOTICE,
)

_PROFILE = profile_schema()


def _definitions(registries: Registries) -> Schema:
    return {
        "reference": _REFERENCE,
        "rich": _RICH,
        "person": _PERSON,
        "profile": _PROFILE,
        "record": _record(registries),
    }


_EDITION_NUMBER: Schema = {"type": "integer", "minimum": 0}
_SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_AFTER = described_schema("The entry before it; null for the first", {"type": ["string", "null"]})


def _difference(record: str) -> Schema:
    moved, added = (
        {"key": TEXT, "after": _AFTER},
        {"record": definition_schema(record), "after": _AFTER},
    )
    return object_schema(
        {},
        removed=described_schema("Keyed by name in lower case, or by id", array_schema(ANY_TEXT)),
        changed=described_schema(
            "Complete entries, in their previous order", array_schema(definition_schema(record))
        ),
        moved=array_schema(object_schema(moved)),
        added=array_schema(object_schema(added)),
    ) | {"minProperties": 1}


_PUBLISHED = object_schema({"edition": _EDITION_NUMBER, "sha256": _SHA256})


def _delta(registries: Registries) -> Schema:
    return object_schema(
        {
            "$schema": TEXT,
            "registry": TEXT,
            "from": described_schema("The JSON of the earlier registry, by edition", _PUBLISHED),
            "to": described_schema("The JSON of the later registry, by edition", _PUBLISHED),
            "head": described_schema(
                "The later JSON without records and people",
                _registry(_NONE, _NONE, registries),
            ),
        },
        tables=described_schema(
            "The changes in each table, by its id",
            {"type": "object", "additionalProperties": _difference("record")},
        ),
        people=_difference("person"),
    )


_COUNT: Schema = {"type": "integer", "minimum": 1}

_EDITIONS = object_schema(
    {
        "$schema": TEXT,
        "registry": TEXT,
        "editions": array_schema(
            object_schema(
                {
                    "edition": _EDITION_NUMBER,
                    "as_of": {"type": "string", "pattern": f"^{DAY}T[0-9:]{{8}}Z$"},
                    "origin": TEXT,
                    "cause": TEXT,
                    "summary": TEXT,
                    "names": described_schema(
                        "The number of names for each kind of change",
                        object_schema({}, **{str(kind): _COUNT for kind in NameChangeKind}),
                    ),
                    "changes": array_schema(TEXT, at_least=0),
                    "links": object_schema(
                        {"page": TEXT, **{str(form): TEXT for form in LINKED_OF_EDITIONS}},
                        delta=TEXT,
                    ),
                },
                reason=described_schema("The operator's reason for a correction or transfer", TEXT),
            ),
            at_least=0,
        ),
    }
)
