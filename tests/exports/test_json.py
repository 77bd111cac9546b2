"""The JSON and its schema."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from app.bundled import read
from app.exports.formats.json import LINKED, json_files
from app.exports.formats.xml_reader import read_xml
from app.exports.schemas.json_schema import record_schema_bytes, schema_bytes, schema_files
from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_documents import profile_to
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefType,
)
from tests.exports.snapshots import EMPTY, FULL, GENERATED, LETTERS, profiled, snapshots

SCHEMA = Draft202012Validator(json.loads(schema_bytes(URN_GROUP.id)))


def json_text(snapshot: RegistrySnapshot) -> bytes:
    """The file."""
    [(name, data)] = json_files(snapshot)
    assert name == f"{snapshot.id}.json"
    return data


def members_of(snapshot: RegistrySnapshot) -> dict[str, Any]:
    """The file as members."""
    members: dict[str, Any] = json.loads(json_text(snapshot))
    return members


def test_the_head_says_what_the_registry_is() -> None:
    members = members_of(FULL)
    head = {name: members[name] for name in members if name not in ("tables", "people", "notes")}
    assert head == {
        "$schema": "/schemas/urn-namespaces.json",
        "id": "urn-namespaces",
        "title": "Names & <Numbers>",
        "category": "Names",
        "notice": "This is a private registry.\nIts numbers are not IANA's.",
        "edition": 7,
        "updated": "2026-01-02",
        "links": {form: f"urn-namespaces.{form}" for form in LINKED},
    }
    assert [*members["links"]][:3] == ["xml", "xhtml", "txt"], "in IANA's order"
    assert members["notes"][1] == {"text": "Another", "parts": ["Another"]}
    assert members["people"] == [
        {
            "id": "Jane_Doe",
            "name": "Jane Doe",
            "uris": ["mailto:jane&example.org"],
            "updated": "2020-01",
        },
        {"id": "Ørg", "org": "The Ørg"},
    ]


def test_a_record_holds_all_that_is_public() -> None:
    record = members_of(FULL)["tables"][0]["records"][0]
    template = {
        "type": "uri",
        "shown": "[alpha-template]",
        "data": "https://example.org/a?b&c",
        "label": "alpha-template",
        "url": "https://example.org/a?b&c",
    }
    assert record == {
        "name": "Alpha",
        "folded": "alpha",
        "urn": "urn:alpha:",
        "kind": "formal",
        "status": "registered",
        "date": "2020-02-29",
        "updated": "2021-03",
        "version": 2,
        "style": "rfc8141",
        "template": {"text": "[alpha-template]", "parts": [template]},
        "references": [
            {
                "type": "rfc",
                "shown": "[RFC8141]",
                "data": "rfc8141",
                "url": "https://www.rfc-editor.org/info/rfc8141",
                "title": "Uniform Resource Names (URNs)",
            },
            {
                "type": "rfc-errata",
                "shown": "[RFC Errata 3188]",
                "data": "3188",
                "lastupdated": "2022-01",
                "url": "https://www.rfc-editor.org/errata/eid3188",
            },
        ],
        "fields": {"purpose": "Identifies\nletters <a>", "syntax": "alpha = 1*DIGIT"},
        "equivalence": [
            {"do": "drop", "clause": "Hyphens are nothing.", "characters": "-"},
            {
                "do": "fold-case",
                "clause": "3.2 <b>",
                "part": {"separator": ":", "first": 1, "last": None},
            },
        ],
        "links": {
            "page": "/namespaces/alpha",
            "json": "/namespaces/alpha.json",
            "xml": "/namespaces/alpha.xml",
            "request": "/requests/41",
            "template": "/assignments/urn-formal/alpha",
        },
        "profile": profile_to(LETTERS),
    }


def test_the_schema_takes_what_an_edition_that_stands_calls_by_an_older_name() -> None:
    members = members_of(FULL)
    pattern = members["tables"][0]["records"][0]["profile"]["pattern"]
    pattern["is_exact"] = pattern.pop("exact")
    SCHEMA.validate(members)


TEXT = """Namespace ID: wombat

Registrant: Jane Doe

Purpose: To name wombats.

Syntax: wombat = 1*DIGIT
"""


def test_a_template_that_came_as_a_text_is_read_into_its_fields_and_says_so() -> None:
    record = Registration(name="Wombat", style=TemplateStyle.RFC8141, text=TEXT)
    snapshot = replace(FULL, registries=(replace(FULL.registries[0], records=(record,)),))
    members = members_of(snapshot)
    SCHEMA.validate(members)
    [written] = members["tables"][0]["records"]
    assert written["fields_from"] == "text"
    assert written["fields"] == {
        "namespace_identifier": "wombat",
        "registrant": "Jane Doe",
        "purpose": "To name wombats.",
        "syntax": "wombat = 1*DIGIT",
    }
    assert written["links"]["template"] == "/assignments/urn-formal/wombat"
    for other in (b'"fields_from": "form"', b'"fields_from": ""'):
        told = json.loads(json_text(snapshot).replace(b'"fields_from": "text"', other))
        assert not SCHEMA.is_valid(told)


@pytest.mark.parametrize("text", ["", "No heading is here.", "\n" * 9])
def test_a_text_without_a_heading_gives_no_fields(text: str) -> None:
    record = Registration(name="a", text=text)
    snapshot = replace(FULL, registries=(replace(FULL.registries[0], records=(record,)),))
    [written] = members_of(snapshot)["tables"][0]["records"]
    assert not {"fields", "fields_from"} & written.keys()
    assert ("template" in written["links"]) is bool(text)


def test_fields_that_were_filled_in_are_told_and_not_the_text() -> None:
    assert "fields_from" not in members_of(FULL)["tables"][0]["records"][0]


def test_the_schema_takes_every_bundled_profile_and_knows_every_member() -> None:
    members = members_of(profiled())
    SCHEMA.validate(members)
    told = [record for table in members["tables"] for record in table["records"]]
    assert sum("profile" in record for record in told) == 105
    known = json.loads(schema_bytes(URN_GROUP.id))["$defs"]["profile"]["properties"]
    assert list(known) == [member.name for member in fields(NamespaceProfile)]


def test_former_names_are_listed_with_what_took_their_place() -> None:
    former = members_of(FULL)["tables"][0]["records"][1]
    assert (former["name"], former["status"], former["successor"]) == ("alfa", "former", "alpha")
    assert "xml" not in former["links"]


def test_texts_stand_in_the_order_of_the_template_and_nothing_private_is_there() -> None:
    fields = tuple((field.name, f"about {field.name}") for field in TEMPLATE_FIELDS)
    record = Registration(name="a", fields=(("contact_address", "jane@example.org"), *fields[::-1]))
    snapshot = replace(FULL, registries=(replace(FULL.registries[0], records=(record,)),))
    [written] = members_of(snapshot)["tables"][0]["records"]
    assert list(written["fields"].items()) == list(fields)
    for _, data in json_files(replace(FULL, people=())):
        assert b"Never To Be Published" not in data
        assert b"contact_name" not in data


def test_a_registry_that_nobody_declared_is_written_without_what_is_of_urns() -> None:
    table = SubRegistry(id="things-1", title="All", records=(Registration(name="Thing"),))
    members = members_of(replace(EMPTY, registries=(table,)))
    assert members["tables"][0]["records"] == [
        {"name": "Thing", "folded": "thing", "status": "registered", "style": "facts"}
    ]
    SCHEMA.validate(members)


def test_the_text_is_readable_and_ends_its_last_line() -> None:
    [(_, data)] = json_files(FULL)
    text = data.decode()
    assert text.startswith('{\n  "$schema"')
    assert text.endswith("}\n")
    assert "Juan Pérez" in text


def test_both_schemas_are_schemas_named_by_the_files() -> None:
    for name, data in schema_files(FULL):
        Draft202012Validator.check_schema(json.loads(data))
        assert name in ("urn-namespaces.json", "urn-namespaces-record.json")
    assert [data for _, data in schema_files(FULL)] == [
        schema_bytes(URN_GROUP.id),
        record_schema_bytes(URN_GROUP.id),
    ]


def test_the_schema_knows_every_public_field_and_no_private_one() -> None:
    known = json.loads(schema_bytes(URN_GROUP.id))["$defs"]["record"]["properties"]["fields"][
        "properties"
    ]
    assert list(known) == [field.name for field in TEMPLATE_FIELDS]


def test_the_schema_takes_the_bundled_registry() -> None:
    SCHEMA.validate(members_of(snapshot_read(json.loads(read()))))


def test_the_schema_takes_ianas_registry(shared: Path) -> None:
    file = shared / "data" / "iana" / "urn-namespaces" / "urn-namespaces.xml"
    SCHEMA.validate(members_of(read_xml(file.read_bytes())))


@GENERATED
@given(snapshots())
def test_the_schema_takes_whatever_is_written(snapshot: RegistrySnapshot) -> None:
    SCHEMA.validate(members_of(snapshot))


def test_links_to_scripts_are_not_written() -> None:
    record = Registration(name="a", references=(Xref(XrefType.URI, "javascript:alert(1)"),))
    table = SubRegistry(id="things-1", title="", records=(record,))
    [written] = members_of(replace(EMPTY, registries=(table,)))["tables"][0]["records"]
    assert "url" not in written["references"][0]


def mutations(members: Any) -> Iterator[tuple[str, Any]]:
    """Every object with a stranger, every member of a wrong type, every enum misspelt."""
    for path, value in places(members, ()):
        if isinstance(value, dict):
            yield f"{path} + surprise", changed(members, path, value | {"surprise": 1})
        for wrong in (12.5, {"surprise": 1}):
            yield f"{path} = {wrong}", changed(members, path, wrong)


def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value with the way to it."""
    yield path, value
    if isinstance(value, dict | list):
        children = value.items() if isinstance(value, dict) else enumerate(value)
        for key, child in children:
            yield from places(child, (*path, key))


def changed(members: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The members with one place changed."""
    if not path:
        return value
    copy = deepcopy(members)
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def test_the_schema_refuses_strangers_and_wrong_types_everywhere() -> None:
    members = members_of(FULL)
    mutants = list(mutations(members))
    assert len(mutants) > 300
    assert [what for what, mutant in mutants if SCHEMA.is_valid(mutant)] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("edition",), -1),
        (("edition",), "7"),
        (("updated",), "2026-01"),
        (("updated",), "2026-13-01"),
        (("tables", 0, "kind"), "informative"),
        (("tables", 0, "records", 0, "status"), "gone"),
        (("tables", 0, "records", 0, "style"), "rfc1"),
        (("tables", 0, "records", 0, "date"), "2020"),
        (("tables", 0, "records", 0, "version"), 0),
        (("tables", 0, "records", 0, "name"), ""),
        (("tables", 0, "records", 0, "urn"), "alpha"),
        (("tables", 0, "records", 0, "references", 0, "type"), "web"),
        (("tables", 0, "records", 0, "references", 0, "url"), "javascript:alert(1)"),
        (("tables", 0, "records", 0, "fields"), {}),
    ],
)
def test_the_schema_refuses_values_out_of_range(path: tuple[Any, ...], value: Any) -> None:
    assert not SCHEMA.is_valid(changed(members_of(FULL), path, value))


@pytest.mark.parametrize(
    "path",
    [
        ("$schema",),
        ("id",),
        ("edition",),
        ("updated",),
        ("tables",),
        ("people",),
        ("tables", 0, "records"),
        ("tables", 0, "records", 0, "name"),
        ("tables", 0, "records", 0, "folded"),
        ("tables", 0, "records", 0, "status"),
        ("tables", 0, "records", 0, "references", 0, "type"),
        ("people", 0, "id"),
    ],
)
def test_the_schema_misses_what_is_required(path: tuple[Any, ...]) -> None:
    members = members_of(FULL)
    place = members
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    assert not SCHEMA.is_valid(members)


def test_every_status_can_be_written() -> None:
    for status in Status:
        record = Registration(name="a", status=status)
        table = SubRegistry(id="things-1", title="", records=(record,))
        SCHEMA.validate(members_of(replace(EMPTY, registries=(table,))))
