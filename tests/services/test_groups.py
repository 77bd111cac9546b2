"""Two groups of registries are published from one database, each in editions of its own."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import insert, text
from sqlalchemy.exc import DatabaseError

from app.bundles.layout import editions_laid_out
from app.exports.editions.edition_list import delta_path, edition_path
from app.exports.manifests.bundle_paths import find_owner
from app.exports.manifests.manifest import read_manifest
from app.registration.declarations.naan_registries import SHOULDERS
from app.registration.declarations.registries import FORMAL, REGISTRIES, URN_SPACE
from app.registration.declarations.registry_groups import GROUPS, URN_GROUP, RegistryGroup
from app.registration.records.registry_records import Person, Registration
from app.services.editions import edition_build, publication
from app.services.editions.version_history import edition_of_day, get_row, history, newest_edition
from app.services.operations.edition_verification import verify_database, verify_folder
from app.services.operations.recovery import plan_recovery, recover_editions
from app.services.refusals import NotFound
from app.services.registry.snapshots import (
    current_snapshot,
    key_of,
    note_registry_event,
    open_edition,
    snapshot_of,
)
from app.services.stored_editions.divergence import FOLDER, find_divergence, watch
from app.services.stored_editions.edition_folder import EditionFolder
from app.store import counters
from app.store.database import db, read_transaction, transaction
from app.store.edition_groups import find_before
from app.store.editions import edition_rows
from app.store.event_log.event_rows import NewEvent
from app.store.registry import person_changes
from app.store.registry import record_versions as names
from app.store.tables import Edition
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from tests import factories
from tests.conftest import Clock
from tests.services.older_backup import Backup
from tests.services.test_verifying import change, silent
from tests.store.at_once import at_once

NAANS = RegistryGroup(id="naans", title="NAANs", editions="/naans/editions/")
ARKS = replace(URN_SPACE, id="naan", heading="NAAN", written="ark:{}", page="/naans/{}")
NUMBERS = replace(FORMAL, id="naans-1", kind="naan", label="NAAN", space=ARKS, group="naans")


@pytest.fixture(autouse=True)
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTRIES, SHOULDERS.id)
    monkeypatch.setitem(REGISTRIES, NUMBERS.id, NUMBERS)
    monkeypatch.setitem(GROUPS, NAANS.id, NAANS)


def opened(group: RegistryGroup, clock: Clock, name: str = "") -> int:
    """Open an edition of a group, with a name where one is given; its key."""
    with transaction():
        at = edition_rows.next_moment(clock())
        edition = open_edition(group, at, Cause.CORRECTION, "")
        if name:
            table = NUMBERS.id if group == NAANS else FORMAL.id
            record = Registration(name=name, date=at.date().isoformat())
            made = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
            names.add_record(record, table, name, made)
            person_changes.set_people([Person(id=f"Person_{name}", name=name)], edition)
        note_registry_event(
            NewEvent(at=at, kind="corrected", about=str(edition), edition=edition, reason="So.")
        )
        return edition


def numbers(group: RegistryGroup) -> list[int]:
    with read_transaction():
        return [edition.number for edition in edition_rows.all_editions(group)]


def problems() -> list[str]:
    return list(verify_database(silent))


def publish(folder: Path, clock: Clock) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    for group in GROUPS.values():
        publication.lay_out_newest(folder, factories.making(), group)


def test_two_groups_written_in_turn_count_each_from_one_without_gaps(
    app: Flask, clock: Clock
) -> None:
    keys = [opened(group, clock) for group in (NAANS, URN_GROUP, NAANS, NAANS, URN_GROUP)]
    assert keys == [2, 3, 4, 5, 6]
    assert (numbers(URN_GROUP), numbers(NAANS)) == ([1, 2, 3], [1, 2, 3])
    with read_transaction():
        assert [key_of(NAANS, n) for n in (1, 2, 3)] == [2, 4, 5]
        assert [row.number for row in history(NAANS)] == [1, 2, 3]
        assert (newest_edition(NAANS).n, newest_edition(URN_GROUP).n) == (5, 6)
        assert find_before(3) == 1
        assert find_before(2) is None
        with pytest.raises(NotFound, match=r"newest is 3"):
            get_row(NAANS, 4)
        assert edition_of_day(NAANS, clock().date().isoformat()) == 3


def test_two_groups_written_at_once_leave_no_number_out(app: Flask, clock: Clock) -> None:
    # tried without the counter of all editions: two of a group ask for one number
    turns = [partial(opened, group, clock) for group in (URN_GROUP, NAANS) * 4]
    assert [made for made in at_once(app, *turns) if isinstance(made, Exception)] == []
    assert (numbers(URN_GROUP), numbers(NAANS)) == ([1, 2, 3, 4, 5], [1, 2, 3, 4])
    with read_transaction():
        assert [edition.n for edition in edition_rows.every_edition()] == list(range(1, 10))


def test_an_edition_holds_the_names_and_people_of_its_group_alone(app: Flask, clock: Clock) -> None:
    with read_transaction():
        before = current_snapshot(URN_GROUP)
    first, second = opened(NAANS, clock, "quoll"), opened(URN_GROUP, clock)
    with read_transaction():
        shown, urns = snapshot_of(first), snapshot_of(second)
        assert (shown.id, shown.title, shown.edition) == ("naans", "NAANs", 1)
        assert [record.name for record in shown.records()] == ["quoll"]
        assert [person.id for person in shown.people] == ["Person_quoll"]
        assert urns.registries == before.registries
        assert (urns.edition, urns.people) == (2, before.people)
        assert not get_row(URN_GROUP, 2).changes.names
        assert get_row(NAANS, 1).changes.names[0].name == "quoll"


def test_a_past_of_former_days_comes_after_that_of_its_group_alone(
    app: Flask, clock: Clock
) -> None:
    long_ago = clock().replace(year=2000)
    with transaction():
        edition_rows.add_edition(
            NAANS,
            as_of=long_ago,
            updated="2000-01-01",
            origin=EditionOrigin.IMPORTED,
            cause=Cause.IMPORT,
            notice="",
        )
    with read_transaction():
        assert edition_rows.get_edition(2).as_of == long_ago
        found = edition_rows.find_as_of(NAANS, long_ago)
        assert found is not None and found.number == 1
        assert edition_rows.find_as_of(URN_GROUP, long_ago) is None


def test_the_addresses_of_editions_are_those_of_their_group() -> None:
    assert edition_path(3, "a.json") == "/editions/3/a.json"
    assert edition_path(3, "a.json", "naans") == "/naans/editions/3/a.json"
    assert delta_path(2, 3, "naans") == "/naans/editions/2..3.json"
    assert find_owner("/naans/editions/3/a.json") == find_owner("/editions/3/a.json") == 3
    assert (URN_GROUP.folder, NAANS.folder) == ("", "naans")
    assert URN_GROUP.registries == ("urn-namespaces-1", "urn-namespaces-2")
    assert NAANS.registries == ("naans-1",)
    with pytest.raises(ValueError, match="no address of editions"):
        RegistryGroup(id="x", title="X", editions="/x/y/editions/")


def test_the_pages_of_editions_show_those_of_urn_namespaces(app: Flask, clock: Clock) -> None:
    opened(NAANS, clock, "quoll")
    client = app.test_client()
    assert client.get("/editions/2/").status_code == 404
    opened(URN_GROUP, clock)
    page = client.get("/editions/2/").get_data(as_text=True)
    assert "Edition 2" in page
    assert "quoll" not in page
    assert client.get("/editions/3/").status_code == 404
    assert "quoll" not in client.get("/editions/").get_data(as_text=True)


def insert_as_older_software(n: int) -> None:
    """A row with the columns that software knows which knows one group."""
    with transaction():
        db.session.execute(
            text(
                "INSERT INTO edition (n, as_of, updated, origin, cause, notice) VALUES "
                f"({n}, '2030-01-0{n} 00:00:00', '2030-01-01', 'local', 'correction', '')"
            )
        )
        counters.raise_to(edition_rows.COUNTER, n)


def test_a_row_of_older_software_has_its_number_among_all_while_there_is_one_group(
    app: Flask, clock: Clock
) -> None:
    insert_as_older_software(2)
    assert numbers(URN_GROUP) == [1, 2]
    assert opened(URN_GROUP, clock) == 3
    assert opened(NAANS, clock) == 4
    assert (numbers(URN_GROUP), numbers(NAANS)) == ([1, 2, 3], [1])
    with read_transaction():
        assert key_of(URN_GROUP, 2) == 2


def test_older_software_is_refused_an_edition_where_there_is_a_second_group(
    app: Flask, clock: Clock
) -> None:
    opened(NAANS, clock)
    with pytest.raises(DatabaseError, match="newer software is needed"):
        insert_as_older_software(3)
    assert (numbers(URN_GROUP), numbers(NAANS)) == ([1], [1])


def test_no_number_of_a_group_is_given_twice(app: Flask, clock: Clock) -> None:
    opened(NAANS, clock)
    with pytest.raises(DatabaseError, match=r"(?i)unique"), transaction():
        row = {"updated": "2030-01-01", "origin": "local", "cause": "import", "notice": ""}
        db.session.execute(
            insert(Edition).values(n=3, as_of=clock(), group_id="naans", numbered=1, **row)
        )


def test_both_groups_are_published_in_their_own_folders_and_found_whole(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    for group, name in ((NAANS, "quoll"), (URN_GROUP, ""), (NAANS, "numbat")):
        opened(group, clock, name)
    publish(tmp_path, clock)
    assert problems() == []
    for folder, there in ((tmp_path, {1, 2}), (tmp_path / "naans", {1, 2})):
        assert editions_laid_out(folder) == there
        assert list(verify_folder(folder, silent)) == []
    with read_transaction():
        listed = read_manifest(edition_rows.content(edition_rows.manifest_digest(key_of(NAANS, 2))))
        first = edition_rows.manifest_digest(key_of(NAANS, 1))
    assert (listed.edition, listed.previous) == (2, first)
    paths = {file.path for file in listed.files}
    assert "/naans/editions/2/naans.json" in paths
    assert not [path for path in paths if path.startswith("/editions/")]
    for group in GROUPS.values():
        assert find_divergence(tmp_path, group, every=True) is None


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE edition SET number = 3 WHERE n = 4", "Edition 3 of naans has the wrong number"),
        ("UPDATE edition SET group_id = 'naans', number = 3 WHERE n = 3", "has the wrong number"),
    ],
)
def test_a_number_or_a_group_that_was_changed_is_told(
    app: Flask, clock: Clock, statement: str, told: str
) -> None:
    for group in (NAANS, URN_GROUP, NAANS):
        opened(group, clock)
    edition_build.build_pending(clock(), factories.PLACE)
    assert problems() == []
    change(statement)
    found = problems()
    assert any(told in problem for problem in found)
    assert any("editions were changed" in problem for problem in found)


@pytest.fixture
def folder(app: Flask, tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    app.config[FOLDER] = folder
    return folder


def test_what_an_older_backup_lacks_comes_back_to_its_own_group(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    opened(NAANS, clock, "quoll")
    publish(folder, clock)
    backup.save()
    clock.on(minutes=1)
    opened(NAANS, clock, "numbat")
    publish(folder, clock)
    backup.put_back()
    clock.on(minutes=1)
    assert find_divergence(folder, URN_GROUP) is None
    found = watch(folder, clock())
    assert found is not None and found.edition == 2
    line = EditionFolder(folder / NAANS.folder, NAANS)
    assert plan_recovery(EditionFolder(folder, URN_GROUP)).is_empty
    assert plan_recovery(line).lacking == (2,)
    recover_editions(line, clock(), notice="", source="a folder")
    assert numbers(NAANS)[:2] == [1, 2]
    assert numbers(URN_GROUP) == [1]
    with read_transaction():
        kept = [record.name for record in snapshot_of(key_of(NAANS, 2)).records()]
    assert kept == ["numbat", "quoll"]
    publish(folder, clock)
    assert watch(folder, clock()) is None
    assert problems() == []
