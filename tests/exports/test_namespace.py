"""The downloads of one namespace."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from lxml import etree

from app.exports.formats.exporters import name_forms
from app.exports.formats.record_files import all_namespace_files, namespace_files
from app.exports.formats.xhtml import record_xhtml
from app.exports.formats.xml_reader import read_xml
from app.exports.schemas.json_schema import record_schema_bytes
from app.registration.declarations.formats import FormatUse
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot
from app.registration.templates.template_writer import format_template
from tests.exports.snapshots import FULL, GENERATED, snapshots
from tests.exports.test_iana_editions import ianas_schema
from tests.exports.test_support import our_schema

SCHEMA = Draft202012Validator(json.loads(record_schema_bytes(URN_GROUP.id)))
ALPHA, ALFA, OMEGA, _, URN_1 = FULL.records()


def files_of(name: str, *, former: bool = False) -> list[str]:
    """The files of a name in the forms that need no place, as they are declared."""
    forms = name_forms(FULL.registries[0], former=former)
    return [f"{name}.{form}" for form in forms if form.use is not FormatUse.LINKED_DATA]


def test_a_record_has_a_file_in_each_form_and_a_former_name_none_of_ianas() -> None:
    assert [name for name, _ in namespace_files(FULL, ALPHA)] == files_of("alpha")
    former = [name for name, _ in namespace_files(FULL, ALFA)]
    assert former == files_of("alfa", former=True)
    assert {"alfa.xml", "alfa.csv"}.isdisjoint(former)


def test_the_text_holds_the_facts_and_the_template() -> None:
    text = dict(namespace_files(FULL, ALPHA))["alpha.txt"].decode()
    assert text.startswith("urn:alpha:\n\nRegistry\n        ")
    assert text.endswith(f"\n\n{format_template(dict(ALPHA.fields)).rstrip()}\n")
    person = dict(namespace_files(FULL, URN_1))["urn-1.txt"].decode()
    assert "Contact Information\n        Jane_Doe, Jane Doe" in person
    assert "@" not in person
    former = dict(namespace_files(FULL, ALFA))["alfa.txt"].decode()
    assert "Became\n        alpha" in former


def test_the_csv_holds_the_row_of_the_record_with_its_kind() -> None:
    heading, row, *others = dict(namespace_files(FULL, URN_1))["urn-1.csv"].decode().splitlines()
    assert heading == "URN Namespace,Template,Reference,Kind,Status,Successor,Notice"
    assert row.startswith(
        "urn-1,[urn-1],[Jane_Doe],informal,registered,,This is a private registry."
    )
    assert others == []


def test_the_page_holds_the_row_the_template_and_the_people_and_no_other_record() -> None:
    alpha = dict(namespace_files(FULL, ALPHA))["alpha.xhtml"]
    root = etree.fromstring(alpha)
    words = " ".join("".join(map(str, root.itertext())).split())
    assert root.findtext(".//{*}h1") == "urn:alpha:"
    assert "This is a private registry." in words
    assert "Registered 2020-02-29 Last changed 2021-03" in words
    assert root.findtext(".//{*}pre") == format_template(dict(ALPHA.fields))
    assert "omega" not in words
    person = dict(namespace_files(FULL, URN_1))["urn-1.xhtml"].decode()
    assert '<a href="#Jane_Doe">[Jane_Doe]</a>' in person
    assert '<tr id="Jane_Doe">' in person
    former = etree.fromstring(dict(namespace_files(FULL, ALFA))["alfa.xhtml"])
    assert "Status former Became alpha" in " ".join("".join(map(str, former.itertext())).split())


def test_a_text_that_xml_does_not_take_is_shown_as_far_as_it_does() -> None:
    odd = replace(ALPHA, text="Namespace ID:\x0c <b>&\ud800\r\n")
    formal, informal = FULL.registries
    snapshot = replace(FULL, registries=(replace(formal, records=(odd,)), informal))
    root = etree.fromstring(record_xhtml(snapshot, formal, odd, ()))
    assert root.findtext(".//{*}pre") == "Namespace ID:\ufffd <b>&\ufffd\r\n"


def test_the_json_holds_the_record_and_the_people_it_names() -> None:
    members = json.loads(dict(namespace_files(FULL, URN_1))["urn-1.json"])
    assert members["$schema"] == "/schemas/urn-namespaces-record.json"
    assert members["registry"] == "urn-namespaces"
    assert members["table"] == "urn-namespaces-2"
    assert members["notice"] == FULL.notice
    assert members["record"]["urn"] == "urn:urn-1:"
    assert [person["id"] for person in members["people"]] == ["Jane_Doe"]


def test_the_xml_holds_the_record_alone() -> None:
    xml = dict(namespace_files(FULL, URN_1))["urn-1.xml"]
    root = etree.fromstring(xml)
    assert [name.text for name in root.iter("{*}record/{*}name", "{*}name")] == [
        "urn-1",
        "Jane Doe",
    ]
    assert b'href="/assignments/urn-namespaces/urn-namespaces.rng"' in xml
    assert b"This is a private registry." in xml


def test_a_change_elsewhere_changes_no_byte() -> None:
    formal, informal = FULL.registries
    newer = replace(
        FULL,
        edition=8,
        updated="2026-02-03",
        category="Other",
        notes=(),
        registries=(
            replace(formal, expert="Somebody else", rule=(), records=(ALPHA, OMEGA)),
            replace(informal, records=(*informal.records, Registration(name="urn-2", contact=()))),
        ),
        people=(*FULL.people, Person(id="New")),
    )
    for record in (ALPHA, OMEGA, URN_1):
        assert list(namespace_files(newer, record)) == list(namespace_files(FULL, record))


def test_a_change_of_the_record_or_of_its_person_changes_the_bytes() -> None:
    jane, other = FULL.people
    moved = replace(FULL, people=(replace(jane, updated="2026-01"), other))
    before, after = (dict(namespace_files(s, URN_1)) for s in (FULL, moved))
    changed = {name for name in before if before[name] != after[name]}
    assert {"urn-1.json", "urn-1.xml", "urn-1.xhtml", "urn-1.txt"} <= changed
    assert "urn-1.csv" not in changed, "it tells nothing of people"
    assert dict(namespace_files(FULL, ALPHA)) == dict(namespace_files(moved, ALPHA))


def test_a_record_of_another_registry_is_refused() -> None:
    with pytest.raises(ValueError, match="`beta` is not in this registry"):
        list(namespace_files(FULL, Registration(name="beta")))


def test_a_name_that_leads_out_of_its_folder_is_refused() -> None:
    record = Registration(name="../etc/passwd")
    snapshot = replace(FULL, registries=(replace(FULL.registries[0], records=(record,)),))
    with pytest.raises(ValueError, match="file name"):
        list(namespace_files(snapshot, record))


def test_all_at_once_gives_what_one_by_one_gives() -> None:
    singly = [file for record in FULL.records() for file in namespace_files(FULL, record)]
    assert list(all_namespace_files(FULL)) == singly


def test_the_files_are_valid_by_both_schemas_and_by_ianas(shared: Path) -> None:
    file = shared / "data" / "iana" / "urn-namespaces" / "urn-namespaces.xml"
    schemas = [our_schema(), ianas_schema(shared)]
    files = list(all_namespace_files(read_xml(file.read_bytes())))
    assert len(files) == 5 * 105
    for name, data in files:
        if name.endswith(".json"):
            SCHEMA.validate(json.loads(data))
        elif name.endswith(".xml"):
            for schema in schemas:
                schema.assertValid(etree.fromstring(data))


@GENERATED
@given(snapshots())
def test_the_schema_takes_whatever_is_written(snapshot: RegistrySnapshot) -> None:
    named = replace(
        snapshot,
        registries=tuple(
            replace(
                table,
                records=tuple(replace(r, name=f"name-{n}") for n, r in enumerate(table.records)),
            )
            for table in snapshot.registries[:1]
        ),
    )
    for name, data in all_namespace_files(named):
        if name.endswith(".json"):
            SCHEMA.validate(json.loads(data))
