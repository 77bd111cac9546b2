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
        "What leads from one edition of a registry to another",
        _registries_of(group),
    )
    return _bytes_of(title, _delta(registries), registries)


@cache
def editions_schema_bytes() -> bytes:
    """The schema of the list of editions."""
    return json_bytes(_schema("The editions of a registry", _EDITIONS, {}))


def _registries_of(group: str) -> Registries:
    """The registries whose names a group's JSON holds; those of all where nobody declared it."""
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
    """The member of each space that says a name with what stands around it in use."""
    spaces = dict.fromkeys(one.space for one in registries if one.space.member)
    return {space.member: _whole_name(space) for space in spaces}


def _whole_name(space: IdentifierSpace) -> Schema:
    told = f"What every name of the {space.label} begins with"
    if space.written.endswith("{}"):
        told = "The name with what stands around it in use"
    pattern = re.escape(space.written).replace(r"\{\}", ".+")
    return described_schema(told, {"type": "string", "pattern": f"^{pattern}$"})


def _kinds(registries: Registries) -> Schema:
    return enum_schema(dict.fromkeys(registry.kind for registry in registries))


_REFERENCE = object_schema(
    {
        "type": enum_schema(XrefType),
        "shown": described_schema("The reference as pages print it", ANY_TEXT),
    },
    data=described_schema("What it points at: an RFC, a URI, a person's id", TEXT),
    label=TEXT,
    **{str(fragment): TEXT for fragment in XrefFragment},
    lastupdated=DATE,
    url=described_schema("Where it leads", {"type": "string", "pattern": "^https?://"}),
    title=described_schema("What the document is called", TEXT),
)

_RICH = object_schema(
    {
        "text": described_schema("The whole as plain text", ANY_TEXT),
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
    request=described_schema("The request that led to this record", TEXT),
    template=described_schema("The text of the template, where it is on file", TEXT),
)

_RULES = described_schema(
    "What the registration declares to be one name, beside RFC 8141 section 3.1",
    array_schema(
        object_schema(
            {
                "do": enum_schema(EquivalenceOperation),
                "clause": described_schema("Where the registration says so", TEXT),
            },
            characters=described_schema("Those that are dropped or decoded", TEXT),
            part=object_schema(
                {"separator": TEXT, "first": {"type": "integer", "minimum": 0}},
                last={"type": ["integer", "null"]},
            ),
            begins=described_schema("Of names alone whose NSS begins so, in either case", TEXT),
            case=described_schema(
                "The case that a normal form is written in; else lower", {"const": "upper"}
            ),
        )
    ),
)

_DISPUTE = described_schema(
    "What is noted beside a registration, which stands",
    object_schema(
        {"kind": enum_schema(DisputeKind), "date": described_schema("When it was noted", DATE)},
        reference=described_schema("Where a court's order can be read", TEXT),
        grounds=described_schema("What is held against the registration", TEXT),
    ),
)


def _record(registries: Registries) -> Schema:
    return object_schema(
        {
            "name": described_schema("The name as registered", TEXT),
            "folded": described_schema("The name as it is compared: in lower case", TEXT),
            "status": enum_schema(Status),
            "style": described_schema(
                "The document whose template was filled in", enum_schema(TemplateStyle)
            ),
        },
        **_whole_names(registries),
        kind=_kinds(registries),
        successor=described_schema("The name that took the place of this one", TEXT),
        date=described_schema("When it was registered, where that is known", DATE),
        updated=described_schema("When the record last changed, where that is known", DATE),
        version=described_schema("Of the template", {"type": "integer", "minimum": 1}),
        template=definition_schema("rich"),
        references=array_schema(definition_schema("reference")),
        contact=definition_schema("rich"),
        fields=_field_members(registries),
        fields_from=described_schema(
            "Where the fields were read from the text of the template, which came as a whole; else "
            "they are as they were filled in",
            {"const": FROM_TEXT},
        ),
        text_source=described_schema(
            "Where the text of the template stands, as a place in an RFC", TEXT
        ),
        profile=described_schema(
            "What the namespace says of itself beside its template", definition_schema("profile")
        ),
        equivalence=_RULES,
        disputes=array_schema(_DISPUTE),
        links=_RECORD_LINKS,
    )


_NONE: Schema = {"type": "array", "maxItems": 0}


def _table_links(registries: Registries) -> Schema:
    """A table's file, which it lacks where its registry is not published so."""
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


_NOTICE = described_schema(
    "What the registry says of itself where it is not the official one", TEXT
)


def _registry(records: Schema, people: Schema, registries: Registries) -> Schema:
    return object_schema(
        {
            "$schema": TEXT,
            "id": TEXT,
            "title": ANY_TEXT,
            "edition": described_schema(
                "0 where none was given", {"type": "integer", "minimum": 0}
            ),
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
_AFTER = described_schema(
    "The entry that it comes after; null for the first place", {"type": ["string", "null"]}
)


def _difference(record: str) -> Schema:
    moved, added = (
        {"key": TEXT, "after": _AFTER},
        {"record": definition_schema(record), "after": _AFTER},
    )
    return object_schema(
        {},
        removed=described_schema("By name in lower case, or by id", array_schema(ANY_TEXT)),
        changed=described_schema(
            "Whole, in the place where they were", array_schema(definition_schema(record))
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
            "from": described_schema(
                "The JSON of the registry that it begins at, by the edition", _PUBLISHED
            ),
            "to": described_schema(
                "The JSON of the registry that it leads to, by the edition", _PUBLISHED
            ),
            "head": described_schema(
                "That later JSON without its records and people",
                _registry(_NONE, _NONE, registries),
            ),
        },
        tables=described_schema(
            "What changed in each table, by its id",
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
                        "To how many names what happened",
                        object_schema({}, **{str(kind): _COUNT for kind in NameChangeKind}),
                    ),
                    "changes": array_schema(TEXT, at_least=0),
                    "links": object_schema(
                        {"page": TEXT, **{str(form): TEXT for form in LINKED_OF_EDITIONS}},
                        delta=TEXT,
                    ),
                },
                reason=described_schema(
                    "What the operator said of a correction or a transfer", TEXT
                ),
            ),
            at_least=0,
        ),
    }
)
