"""The JSON Schemas of the published JSON, made from the same declarations as the JSON.

Source: JSON Schema, draft 2020-12.
"""

from collections.abc import Iterator
from functools import cache

from app.exports.content.file_names import delta_schema_file, record_schema_file, schema_file
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
    defined,
    listed,
    members,
    one_of,
    said,
)
from app.exports.serialization.json_text import json_bytes
from app.identifiers.equivalence import EquivalenceOperation
from app.registration.declarations.registries import REGISTRIES, Field, Format
from app.registration.records.registry_records import (
    DisputeKind,
    RegistrySnapshot,
    Status,
    TemplateStyle,
    XrefFragment,
    XrefType,
)

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """Both schemas under the names that the published JSON gives them."""
    yield schema_file(snapshot), schema_bytes()
    yield record_schema_file(snapshot), record_schema_bytes()


@cache
def schema_bytes() -> bytes:
    """The schema of a whole registry's JSON."""
    return json_bytes(_schema("A registry, as published", _REGISTRY))


@cache
def record_schema_bytes() -> bytes:
    """The schema of one record's JSON."""
    return json_bytes(_schema("One record of a registry, as published", _RECORD_FILE))


def history_schema_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The schemas of a delta and of the list of editions, under the names given to them."""
    yield delta_schema_file(snapshot.id), delta_schema_bytes()
    yield editions_schema_file(snapshot), editions_schema_bytes()


@cache
def delta_schema_bytes() -> bytes:
    """The schema of what leads from one edition to another."""
    title = "What leads from one edition of a registry to another"
    return json_bytes(_schema(title, _DELTA))


@cache
def editions_schema_bytes() -> bytes:
    """The schema of the list of editions."""
    return json_bytes(_schema("The editions of a registry", _EDITIONS, {}))


def _schema(title: str, whole: Schema, definitions: Schema | None = None) -> Schema:
    known = _DEFINITIONS if definitions is None else definitions
    return {"$schema": _DIALECT, "title": title, **whole} | ({"$defs": known} if known else {})


def _public_fields() -> dict[str, Field]:
    fields = (field for registry in REGISTRIES.values() for field in registry.fields)
    return {field.name: field for field in fields if field.public}


def _field_members() -> Schema:
    return members(
        {},
        **{
            name: said(f"{field.label}: {field.source}", TEXT)
            for name, field in _public_fields().items()
        },
    ) | {"minProperties": 1}


_REFERENCE = members(
    {
        "type": one_of(XrefType),
        "shown": said("The reference as pages print it", ANY_TEXT),
    },
    data=said("What it points at: an RFC, a URI, a person's id", TEXT),
    label=TEXT,
    **{str(fragment): TEXT for fragment in XrefFragment},
    lastupdated=DATE,
    url=said("Where it leads", {"type": "string", "pattern": "^https?://"}),
    title=said("What the document is called", TEXT),
)

_RICH = members(
    {
        "text": said("The whole as plain text", ANY_TEXT),
        "parts": listed({"anyOf": [ANY_TEXT, defined("reference")]}),
    }
)

_PERSON = members(
    {"id": TEXT},
    name=TEXT,
    org=TEXT,
    uris=listed(ANY_TEXT),
    updated=DATE,
)

_RECORD_LINKS = members(
    {"page": TEXT, "json": TEXT},
    xml=TEXT,
    request=said("The request that led to this record", TEXT),
    template=said("The text of the template, where it is on file", TEXT),
)

_RULES = said(
    "What the registration declares to be one name, beside RFC 8141 section 3.1",
    listed(
        members(
            {
                "do": one_of(EquivalenceOperation),
                "clause": said("Where the registration says so", TEXT),
            },
            characters=said("Those that are dropped or decoded", TEXT),
            part=members(
                {"separator": TEXT, "first": {"type": "integer", "minimum": 0}},
                last={"type": ["integer", "null"]},
            ),
            begins=said("Of names alone whose NSS begins so, in either case", TEXT),
            case=said("The case that a normal form is written in; else lower", {"const": "upper"}),
        )
    ),
)

_DISPUTE = said(
    "What is noted beside a registration, which stands",
    members(
        {"kind": one_of(DisputeKind), "date": said("When it was noted", DATE)},
        reference=said("Where a court's order can be read", TEXT),
        grounds=said("What is held against the registration", TEXT),
    ),
)

_RECORD = members(
    {
        "name": said("The name as registered", TEXT),
        "folded": said("The name as it is compared: in lower case", TEXT),
        "status": one_of(Status),
        "style": said("The document whose template was filled in", one_of(TemplateStyle)),
    },
    urn=said(
        "What every name of the namespace begins with", {"type": "string", "pattern": "^urn:.+:$"}
    ),
    kind=one_of(registry.kind for registry in REGISTRIES.values()),
    successor=said("The name that took the place of this one", TEXT),
    date=said("When it was registered, where that is known", DATE),
    updated=said("When the record last changed, where that is known", DATE),
    version=said("Of the template", {"type": "integer", "minimum": 1}),
    template=defined("rich"),
    references=listed(defined("reference")),
    contact=defined("rich"),
    fields=_field_members(),
    fields_from=said(
        "Where the fields were read from the text of the template, which came as a whole; else "
        "they are as they were filled in",
        {"const": FROM_TEXT},
    ),
    text_source=said("Where the text of the template stands, as a place in an RFC", TEXT),
    profile=said("What the namespace says of itself beside its template", defined("profile")),
    equivalence=_RULES,
    disputes=listed(_DISPUTE),
    links=_RECORD_LINKS,
)

_NONE: Schema = {"type": "array", "maxItems": 0}


def _table(records: Schema) -> Schema:
    return members(
        {
            "id": TEXT,
            "title": ANY_TEXT,
            "links": members({str(Format.CSV): TEXT}),
            "records": records,
        },
        kind=one_of(registry.kind for registry in REGISTRIES.values()),
        references=listed(defined("reference")),
        rule=defined("rich"),
        expert=TEXT,
    )


_NOTICE = said("What the registry says of itself where it is not the official one", TEXT)


def _registry(records: Schema, people: Schema) -> Schema:
    return members(
        {
            "$schema": TEXT,
            "id": TEXT,
            "title": ANY_TEXT,
            "edition": said("0 where none was given", {"type": "integer", "minimum": 0}),
            "updated": {"type": "string", "pattern": f"^{DAY}$"},
            "links": members({str(format_): TEXT for format_ in LINKED}),
            "tables": listed(_table(records), at_least=0),
            "people": people,
        },
        category=TEXT,
        notice=_NOTICE,
        notes=listed(defined("rich")),
    )


_REGISTRY = _registry(listed(defined("record"), at_least=0), listed(defined("person"), at_least=0))
_HEAD = _registry(_NONE, _NONE)

_RECORD_FILE = members(
    {
        "$schema": TEXT,
        "registry": TEXT,
        "table": TEXT,
        "record": defined("record"),
        "people": listed(defined("person"), at_least=0),
    },
    notice=_NOTICE,
)

_DEFINITIONS = {
    "reference": _REFERENCE,
    "rich": _RICH,
    "person": _PERSON,
    "profile": profile_schema(),
    "record": _RECORD,
}

_EDITION_NUMBER: Schema = {"type": "integer", "minimum": 0}
_SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_AFTER = said(
    "The entry that it comes after; null for the first place", {"type": ["string", "null"]}
)


def _difference(record: str) -> Schema:
    moved, added = {"key": TEXT, "after": _AFTER}, {"record": defined(record), "after": _AFTER}
    return members(
        {},
        removed=said("By name in lower case, or by id", listed(ANY_TEXT)),
        changed=said("Whole, in the place where they were", listed(defined(record))),
        moved=listed(members(moved)),
        added=listed(members(added)),
    ) | {"minProperties": 1}


_PUBLISHED = members({"edition": _EDITION_NUMBER, "sha256": _SHA256})

_DELTA = members(
    {
        "$schema": TEXT,
        "registry": TEXT,
        "from": said("The JSON of the registry that it begins at, by the edition", _PUBLISHED),
        "to": said("The JSON of the registry that it leads to, by the edition", _PUBLISHED),
        "head": said("That later JSON without its records and people", _HEAD),
    },
    tables=said(
        "What changed in each table, by its id",
        {"type": "object", "additionalProperties": _difference("record")},
    ),
    people=_difference("person"),
)

_COUNT: Schema = {"type": "integer", "minimum": 1}

_EDITIONS = members(
    {
        "$schema": TEXT,
        "registry": TEXT,
        "editions": listed(
            members(
                {
                    "edition": _EDITION_NUMBER,
                    "as_of": {"type": "string", "pattern": f"^{DAY}T[0-9:]{{8}}Z$"},
                    "origin": TEXT,
                    "cause": TEXT,
                    "summary": TEXT,
                    "names": said(
                        "To how many names what happened",
                        members({}, **{str(kind): _COUNT for kind in NameChangeKind}),
                    ),
                    "changes": listed(TEXT, at_least=0),
                    "links": members(
                        {"page": TEXT, **{str(form): TEXT for form in LINKED_OF_EDITIONS}},
                        delta=TEXT,
                    ),
                },
                reason=said("What the operator said of a correction or a transfer", TEXT),
            ),
            at_least=0,
        ),
    }
)
