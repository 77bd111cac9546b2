"""The facts as shipped."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from app.bundled import history, read, rfc_titles
from app.exports.formats.xml_reader import read_xml
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_history import history_read
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)
from tests.registration.shipped import snapshot_to

TITLES: dict[str, str] = json.loads(rfc_titles())


def bundled() -> RegistrySnapshot:
    """The facts as records."""
    return snapshot_read(json.loads(read()))


def test_all_names_are_there_and_the_former_one() -> None:
    snapshot = bundled()
    formal, informal = snapshot.registries
    current = [record for record in formal.records if record.status is not Status.FORMER]
    assert [registry.id for registry in snapshot.registries] == list(URN_GROUP.registries)
    assert (len(current), len(informal.records)) == (97, 8)
    assert len({record.folded for record in snapshot.records()}) == 106
    assert snapshot.updated == "2026-07-28"


def test_the_former_name_stands_where_it_stood_and_names_what_took_its_place() -> None:
    records = bundled().registries[0].records
    at = [record.name for record in records].index("ad-id")
    former = records[at]
    assert (former.status, former.successor) == (Status.FORMER, "adid")
    assert (former.date, former.updated) == ("2017-01-20", "2017-03-06")
    assert [records[at - 1].name, records[at + 1].name] == ["3gpp2", "adid"]


def test_the_facts_are_in_the_form_in_which_records_are_stored() -> None:
    document = json.loads(read())
    assert snapshot_to(snapshot_read(document)) == document


def test_nobodys_address_is_shipped() -> None:
    for data in (read(), history(), rfc_titles()):
        assert b"@" not in data
        assert b"mailto" not in data
    assert all(not person.uris and person.name for person in bundled().people)
    assert len(bundled().people) == 10


def test_every_rfc_has_its_title() -> None:
    xrefs = [xref for record in bundled().records() for xref in record.references]
    rfcs = [xref for xref in xrefs if xref.type is XrefType.RFC]
    assert len(rfcs) > 65
    assert all(xref.title == TITLES[xref.data] for xref in rfcs)
    assert len(TITLES) == 72
    assert list(TITLES) == sorted(TITLES, key=lambda name: int(name.removeprefix("rfc")))


def test_each_record_is_a_line() -> None:
    lines = read().decode().splitlines()
    for record in bundled().records():
        assert sum(line.lstrip().startswith(f'{{"name": "{record.name}"') for line in lines) == 1


def test_the_facts_are_those_of_ianas_file(shared: Path) -> None:
    iana = shared / "data" / "iana"
    theirs = read_xml((iana / "urn-namespaces" / "urn-namespaces.xml").read_bytes())
    assert without_additions(bundled()) == without_addresses(theirs)
    assert json.loads((iana / "other" / "rfc-titles.json").read_text()) == TITLES


def test_the_former_states_are_those_of_ianas_files(shared: Path) -> None:
    states = history_read(json.loads(history()))
    assert [state.updated for state in states] == [
        "2015-10-19",
        "2017-02-08",
        "2017-03-06",
        "2019-02-28",
        "2021-12-31",
        "2023-11-30",
    ]
    for state in states:
        file = shared / "data" / "iana" / "history" / f"urn-namespaces.{state.updated}.xml"
        assert state == without_addresses(read_xml(file.read_bytes())), state.updated


def without_additions(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """The facts without titles and former names, which IANA's file has not."""
    return replace(snapshot, registries=tuple(map(_untitled_table, snapshot.registries)))


def _untitled_table(table: SubRegistry) -> SubRegistry:
    return replace(
        table,
        references=tuple(map(_untitled, table.references)),
        rule=_untitled_text(table.rule),
        records=tuple(
            _untitled_record(record)
            for record in table.records
            if record.status is not Status.FORMER
        ),
    )


def _untitled_record(record: Registration) -> Registration:
    return replace(
        record,
        references=tuple(map(_untitled, record.references)),
        contact=None if record.contact is None else _untitled_text(record.contact),
    )


def _untitled_text(text: RichText) -> RichText:
    return tuple(part if isinstance(part, str) else _untitled(part) for part in text)


def _untitled(xref: Xref) -> Xref:
    return replace(xref, title="")


def without_addresses(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """IANA's file without addresses, one of which stands in the label of a reference."""
    tables = (
        replace(table, records=tuple(map(_unlabelled_people, table.records)))
        for table in snapshot.registries
    )
    people = tuple(replace(person, uris=()) for person in snapshot.people)
    return replace(snapshot, registries=tuple(tables), people=people)


def _unlabelled_people(record: Registration) -> Registration:
    references = (
        replace(xref, label="") if xref.type is XrefType.PERSON else xref
        for xref in record.references
    )
    return replace(record, references=tuple(references))


def test_the_room_imports_nothing_of_the_project() -> None:
    script = "import sys, app.bundled; print([m for m in sys.modules if m.startswith('app')])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['app', 'app.bundled']"
