"""The JSON Schemas of the published JSON, made from the same declarations as the JSON.

Source: JSON Schema, draft 2020-12.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from app.exports.changes import Kind
from app.exports.file_names import delta_schema_file, record_schema_file, schema_file
from app.exports.history import LINKED as LINKED_OF_EDITIONS
from app.exports.history import editions_schema_file
from app.exports.json import LINKED
from app.exports.json_text import json_bytes
from app.identifiers.equivalence import Do
from app.registration.declarations import REGISTRIES, Field, Format
from app.registration.records import (
    DisputeKind,
    Fragment,
    RegistrySnapshot,
    Status,
    Style,
    XrefType,
)

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MONTH = "[0-9]{4}-(0[1-9]|1[0-2])"
_DAY = f"{_MONTH}-(0[1-9]|[12][0-9]|3[01])"

_TEXT: Schema = {"type": "string", "minLength": 1}
_ANY_TEXT: Schema = {"type": "string"}
_DATE: Schema = {"type": "string", "pattern": f"^({_MONTH}|{_DAY})$"}


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


def _schema(title: str, members: Schema, definitions: Schema | None = None) -> Schema:
    known = _DEFINITIONS if definitions is None else definitions
    return {"$schema": _DIALECT, "title": title, **members} | ({"$defs": known} if known else {})


def _members(required: Schema, **optional: Schema) -> Schema:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Schema, at_least: int = 1) -> Schema:
    return {"type": "array", "items": items, "minItems": at_least}


def _one_of(values: Iterable[str]) -> Schema:
    return {"enum": [str(value) for value in values]}


def _to(definition: str) -> Schema:
    return {"$ref": f"#/$defs/{definition}"}


def _said(description: str, schema: Schema) -> Schema:
    return {"description": description, **schema}


def _public_fields() -> dict[str, Field]:
    fields = (field for registry in REGISTRIES.values() for field in registry.fields)
    return {field.name: field for field in fields if field.public}


def _field_members() -> Schema:
    return _members(
        {},
        **{
            name: _said(f"{field.label}: {field.source}", _TEXT)
            for name, field in _public_fields().items()
        },
    ) | {"minProperties": 1}


_REFERENCE = _members(
    {
        "type": _one_of(XrefType),
        "shown": _said("The reference as pages print it", _ANY_TEXT),
    },
    data=_said("What it points at: an RFC, a URI, a person's id", _TEXT),
    label=_TEXT,
    **{str(fragment): _TEXT for fragment in Fragment},
    lastupdated=_DATE,
    url=_said("Where it leads", {"type": "string", "pattern": "^https?://"}),
    title=_said("What the document is called", _TEXT),
)

_RICH = _members(
    {
        "text": _said("The whole as plain text", _ANY_TEXT),
        "parts": _list({"anyOf": [_ANY_TEXT, _to("reference")]}),
    }
)

_PERSON = _members(
    {"id": _TEXT},
    name=_TEXT,
    org=_TEXT,
    uris=_list(_ANY_TEXT),
    updated=_DATE,
)

_RECORD_LINKS = _members(
    {"page": _TEXT, "json": _TEXT},
    xml=_TEXT,
    request=_said("The request that led to this record", _TEXT),
)

_RULES = _said(
    "What the registration declares to be one name, beside RFC 8141 section 3.1",
    _list(
        _members(
            {"do": _one_of(Do), "clause": _said("Where the registration says so", _TEXT)},
            characters=_said("Those that are dropped or decoded", _TEXT),
            part=_members(
                {"separator": _TEXT, "first": {"type": "integer", "minimum": 0}},
                last={"type": ["integer", "null"]},
            ),
            begins=_said("Of names alone whose NSS begins so, in either case", _TEXT),
            case=_said("The case that a normal form is written in; else lower", {"const": "upper"}),
        )
    ),
)

_DISPUTE = _said(
    "What is noted beside a registration, which stands",
    _members(
        {"kind": _one_of(DisputeKind), "date": _said("When it was noted", _DATE)},
        reference=_said("Where a court's order can be read", _TEXT),
        grounds=_said("What is held against the registration", _TEXT),
    ),
)

_RECORD = _members(
    {
        "name": _said("The name as registered", _TEXT),
        "folded": _said("The name as it is compared: in lower case", _TEXT),
        "status": _one_of(Status),
        "style": _said("The document whose template was filled in", _one_of(Style)),
    },
    urn=_said(
        "What every name of the namespace begins with", {"type": "string", "pattern": "^urn:.+:$"}
    ),
    kind=_one_of(registry.kind for registry in REGISTRIES.values()),
    successor=_said("The name that took the place of this one", _TEXT),
    date=_said("When it was registered, where that is known", _DATE),
    updated=_said("When the record last changed, where that is known", _DATE),
    version=_said("Of the template", {"type": "integer", "minimum": 1}),
    template=_to("rich"),
    references=_list(_to("reference")),
    contact=_to("rich"),
    fields=_field_members(),
    equivalence=_RULES,
    disputes=_list(_DISPUTE),
    profile=_said("What the namespace says of itself beside its template", {"type": "object"}),
    links=_RECORD_LINKS,
)

_NONE: Schema = {"type": "array", "maxItems": 0}


def _table(records: Schema) -> Schema:
    return _members(
        {
            "id": _TEXT,
            "title": _ANY_TEXT,
            "links": _members({str(Format.CSV): _TEXT}),
            "records": records,
        },
        kind=_one_of(registry.kind for registry in REGISTRIES.values()),
        references=_list(_to("reference")),
        rule=_to("rich"),
        expert=_TEXT,
    )


_NOTICE = _said("What the registry says of itself where it is not the official one", _TEXT)


def _registry(records: Schema, people: Schema) -> Schema:
    return _members(
        {
            "$schema": _TEXT,
            "id": _TEXT,
            "title": _ANY_TEXT,
            "edition": _said("0 where none was given", {"type": "integer", "minimum": 0}),
            "updated": {"type": "string", "pattern": f"^{_DAY}$"},
            "links": _members({str(format_): _TEXT for format_ in LINKED}),
            "tables": _list(_table(records), at_least=0),
            "people": people,
        },
        category=_TEXT,
        notice=_NOTICE,
        notes=_list(_to("rich")),
    )


_REGISTRY = _registry(_list(_to("record"), at_least=0), _list(_to("person"), at_least=0))
_HEAD = _registry(_NONE, _NONE)

_RECORD_FILE = _members(
    {
        "$schema": _TEXT,
        "registry": _TEXT,
        "table": _TEXT,
        "record": _to("record"),
        "people": _list(_to("person"), at_least=0),
    },
    notice=_NOTICE,
)

_DEFINITIONS = {
    "reference": _REFERENCE,
    "rich": _RICH,
    "person": _PERSON,
    "record": _RECORD,
}

_EDITION_NUMBER: Schema = {"type": "integer", "minimum": 0}
_SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_AFTER = _said(
    "The entry that it comes after; null for the first place", {"type": ["string", "null"]}
)


def _difference(record: str) -> Schema:
    moved, added = {"key": _TEXT, "after": _AFTER}, {"record": _to(record), "after": _AFTER}
    return _members(
        {},
        removed=_said("By name in lower case, or by id", _list(_ANY_TEXT)),
        changed=_said("Whole, in the place where they were", _list(_to(record))),
        moved=_list(_members(moved)),
        added=_list(_members(added)),
    ) | {"minProperties": 1}


_PUBLISHED = _members({"edition": _EDITION_NUMBER, "sha256": _SHA256})

_DELTA = _members(
    {
        "$schema": _TEXT,
        "registry": _TEXT,
        "from": _said("The JSON of the registry that it begins at, by the edition", _PUBLISHED),
        "to": _said("The JSON of the registry that it leads to, by the edition", _PUBLISHED),
        "head": _said("That later JSON without its records and people", _HEAD),
    },
    tables=_said(
        "What changed in each table, by its id",
        {"type": "object", "additionalProperties": _difference("record")},
    ),
    people=_difference("person"),
)

_COUNT: Schema = {"type": "integer", "minimum": 1}

_EDITIONS = _members(
    {
        "$schema": _TEXT,
        "registry": _TEXT,
        "editions": _list(
            _members(
                {
                    "edition": _EDITION_NUMBER,
                    "as_of": {"type": "string", "pattern": f"^{_DAY}T[0-9:]{{8}}Z$"},
                    "origin": _TEXT,
                    "cause": _TEXT,
                    "summary": _TEXT,
                    "names": _said(
                        "To how many names what happened",
                        _members({}, **{str(kind): _COUNT for kind in Kind}),
                    ),
                    "changes": _list(_TEXT, at_least=0),
                    "links": _members(
                        {"page": _TEXT, **{str(form): _TEXT for form in LINKED_OF_EDITIONS}},
                        delta=_TEXT,
                    ),
                },
                reason=_said("What the operator said of a correction", _TEXT),
            ),
            at_least=0,
        ),
    }
)
