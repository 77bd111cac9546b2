"""IANA's editions of former days: imported by date, each as it was, and no name lost."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from app.config import NOTICES
from app.exports.editions.changes import NameChangeKind, registry_changes
from app.exports.formats.xml import xml_bytes
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    Xref,
    XrefType,
)
from app.services.editions import edition_build
from app.services.registry import snapshots
from app.services.registry.history_import import (
    BrokenHistory,
    DatedState,
    HistoryConflict,
    HistoryImport,
    import_history,
    read_history,
)
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of
from app.store import counters
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.tables import Edition, Event, RecordVersion
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from tests import factories
from tests.conftest import START, Clock
from tests.exports.canonical import canonical
from tests.store.at_once import at_once
from tests.store.schema import dump

RFC = Xref(XrefType.RFC, "rfc8141")


def file_of(day: str, *formal: str, people: tuple[Person, ...] = (), informal: str = "") -> bytes:
    """A registry's file of a day, with these names in this order."""
    shipped = snapshots.bundled_snapshot()
    first, second = shipped.registries
    given = (Registration(name=name, references=(RFC,)) for name in formal)
    number = (Registration(name=informal, contact=(RFC,)),) if informal else ()
    tables = (replace(first, records=tuple(given)), replace(second, records=number))
    return xml_bytes(replace(shipped, updated=day, registries=tables, people=people))


def imported(*files: bytes) -> HistoryImport:
    named = ((f"{n}.xml", data) for n, data in enumerate(files, 1))
    return import_history(read_history(named), START)


def body(data: bytes) -> bytes:
    """The document; up to 2019 IANA named its schema in another way before it."""
    return canonical(data).partition(b"<registry")[2]


def formal_names(snapshot: RegistrySnapshot) -> list[str]:
    return [record.name for record in snapshot.registries[0].records]


def in_folder(shared: Path) -> list[Path]:
    return sorted((shared / "data/iana/history").glob("*.xml"))


def test_every_edition_is_written_as_ianas_file_of_its_day(empty: Flask, shared: Path) -> None:
    files = in_folder(shared)
    made = import_history(
        read_history((f.name, f.read_bytes()) for f in files), START, allow_legacy=True
    )
    (legacy,) = made.findings
    assert "2017-01-20.xml: Legacy name: `ad-id`" in legacy
    assert replace(made, findings=()) == HistoryImport(1, 76, "2015-04-29", "2026-07-28")
    with read_transaction():
        for number, file in enumerate(files, 1):
            edition, snapshot = edition_rows.get_edition(number), snapshot_of(number)
            assert body(xml_bytes(snapshot)) == body(file.read_bytes()), file.name
            assert edition.as_of.isoformat() == f"{snapshot.updated}T00:00:00+00:00"
            assert file.name == f"urn-namespaces.{edition.updated}.xml"
            assert (edition.origin, edition.notice) == (EditionOrigin.IMPORTED, "")


def test_the_newest_edition_gives_names_the_profiles_that_are_shipped(empty: Flask) -> None:
    imported(file_of("2020-01-01", "isbn"), file_of("2020-01-02", "isbn", "quokka"))
    imported(file_of("2020-01-03", "isbn", "issn"))
    with read_transaction():
        profiles = [
            {record.folded: record.profile.names for record in snapshot_of(n).records()}
            for n in (1, 2, 3)
        ]
    assert profiles[0] == {"isbn": ""}
    assert profiles[1] == {"isbn": "books", "quokka": ""}
    assert profiles[2] == {"isbn": "books", "issn": "serial publications", "quokka": ""}


def test_the_one_name_that_went_stays_taken_and_leads_to_its_successor(
    empty: Flask, shared: Path
) -> None:
    files = [file for file in in_folder(shared) if "2017-0" in file.name]
    import_history(read_history((f.name, f.read_bytes()) for f in files), START, allow_legacy=True)
    with read_transaction():
        days = {snapshot_of(n).updated: snapshot_of(n) for n in range(1, len(files) + 1)}
        found = names.find_record("nid", "ad-id")
        assert name_rows.is_taken("nid", "ad-id")
    assert found is not None
    former = found[1]
    assert (former.status, former.successor, former.updated) == (
        Status.FORMER,
        "adid",
        "2017-03-06",
    )
    told = registry_changes(days["2017-02-08"], days["2017-03-06"]).of(NameChangeKind.RENAMED)
    assert [(change.name, change.successor) for change in told] == [("ad-id", "adid")]


@pytest.mark.usefixtures("empty")
def test_a_name_that_vanishes_without_a_known_successor_is_a_former_one() -> None:
    imported(file_of("2001-01-01", "aax", "bbx"), file_of("2002-01-01", "bbx"))
    with read_transaction():
        (former,) = (
            record for record in current_snapshot(URN_GROUP).records() if record.name == "aax"
        )
        assert (former.status, former.successor) == (Status.FORMER, None)
        assert b"<name>aax</name>" not in xml_bytes(current_snapshot(URN_GROUP))
        assert b"<name>aax</name>" in xml_bytes(snapshot_of(1))


@pytest.mark.usefixtures("empty")
def test_a_name_that_comes_back_is_in_use_again() -> None:
    imported(
        *(file_of(f"200{n}-01-01", "aax", *more) for n, more in enumerate([["bbx"], [], ["bbx"]]))
    )
    with read_transaction():
        assert all(
            record.status is Status.REGISTERED for record in current_snapshot(URN_GROUP).records()
        )
        assert [len(formal_names(snapshot_of(n))) for n in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.usefixtures("empty")
def test_an_order_put_by_hand_is_that_of_each_file() -> None:
    first, then = ["aax", "bbx", "ccx", "ddx"], ["ccx", "bbx", "aax", "ddx"]
    imported(file_of("2001-01-01", *first), file_of("2002-01-01", *then))
    with read_transaction():
        assert formal_names(snapshot_of(1)) == first
        assert formal_names(snapshot_of(2)) == then


@pytest.mark.usefixtures("empty")
def test_an_order_turned_round_is_kept_however_long_the_file() -> None:
    order = sorted((f"{a}{b}x" for a in "abcdefghij" for b in "klmnopqrst"), reverse=True)
    imported(file_of("2001-01-01", *order), file_of("2002-01-01", *sorted(order)))
    with read_transaction():
        assert formal_names(snapshot_of(1)) == order
        assert formal_names(snapshot_of(2)) == sorted(order)


@pytest.mark.usefixtures("empty")
def test_only_what_changes_between_two_files_is_kept_anew() -> None:
    person = Person(id="Jo", name="Jo")
    imported(
        file_of("2001-01-01", "aax", "bbx", people=(person,)),
        file_of("2002-01-01", "aax", "bbx", "ccx"),
    )
    with read_transaction():
        kept = db.session.query(RecordVersion).filter(RecordVersion.edition == 2)
        assert kept.count() == 1
        assert [snapshot_of(n).people for n in (1, 2)] == [(person,), ()]


@pytest.mark.usefixtures("empty")
def test_a_file_of_a_day_to_come_is_named_and_nothing_is_imported() -> None:
    tomorrow, after = (START + timedelta(days=n) for n in (1, 2))
    with pytest.raises(BrokenHistory) as refused:
        imported(file_of("2001-01-01", "aax"), file_of(after.date().isoformat(), "aax", "bbx"))
    assert str(refused.value).startswith("2.xml: `2026-09-03` is in the future.")
    with read_transaction():
        assert edition_rows.latest_edition(URN_GROUP) is None
    imported(file_of("2001-01-01", "aax"), file_of(tomorrow.date().isoformat(), "aax", "bbx"))


@pytest.mark.usefixtures("empty")
def test_files_are_taken_by_their_dates_and_not_by_their_names() -> None:
    imported(file_of("2002-01-01", "aax", "bbx"), file_of("2001-01-01", "aax"))
    with read_transaction():
        assert [len(formal_names(snapshot_of(n))) for n in (1, 2)] == [1, 2]


@pytest.mark.usefixtures("empty")
def test_numbers_that_were_given_once_are_not_given_again() -> None:
    imported(file_of("2001-01-01", informal="urn-7"), file_of("2002-01-01", informal="urn-5"))
    with read_transaction():
        assert INFORMAL.numbering is not None
        assert counters.current(INFORMAL.numbering.counter) == 7


@pytest.mark.usefixtures("empty")
def test_a_whole_import_is_one_event() -> None:
    imported(file_of("2001-01-01", "aax"), file_of("2002-01-01", "bbx"))
    with read_transaction():
        event = db.session.query(Event).order_by(Event.n.desc()).first()
        assert event is not None
        assert (event.kind, event.about) == ("imported", "1..2")
        assert event.body == "2 past editions, from 2001-01-01 to 2002-01-01"


def moved(day: str) -> bytes:
    """A file in which the first formal name stands among the informal ones."""
    return file_of(day, informal="aax")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ([b"junk"], "2.xml: Line 1"),
        ([file_of("2002-01-01", "bbx")[:-20]], "2.xml: Line"),
        ([file_of("2002-01-01", "bbx").replace(b'-2"', b'-3"')], "2.xml: The tables of this file"),
        ([file_of("2002-01-01").replace(b"2002-01-01", b"2002-01")], "2.xml: .* isn't a da"),
        ([file_of("2001-01-01", "bbx")], "1.xml and 2.xml have the same date"),
        ([b"junk", b"more of it"], "2.xml: .*\n3.xml: "),
        ([moved("2002-01-01")], "2.xml: `aax` is in `urn-namespaces-2` but was in"),
    ],
    ids=["junk", "cut", "another", "month", "twice", "two", "moved"],
)
def test_where_one_file_is_broken_it_is_named_and_nothing_is_imported(
    broken: list[bytes], why: str
) -> None:
    before = dump()
    with pytest.raises(BrokenHistory, match=f"(?s){why}.*Nothing was imported"):
        imported(file_of("2001-01-01", "aax"), *broken)
    assert dump() == before


@pytest.mark.usefixtures("empty")
def test_a_folder_without_files_is_told_so() -> None:
    with pytest.raises(BrokenHistory, match=r"ending in \.xml"):
        imported()


def test_nothing_comes_before_the_bundled_registry(app: Flask) -> None:
    before = dump()
    with pytest.raises(HistoryConflict, match=r"Edition 1 is the bundled registry.*init --empty"):
        imported(file_of("2001-01-01", "aax"))
    assert dump() == before


@pytest.mark.usefixtures("empty")
def test_nothing_comes_before_a_name_that_was_given_here(clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    with pytest.raises(HistoryConflict, match=r"Edition 1 was made here.*init --empty"):
        imported(file_of("2001-01-01", "aax"))


def test_of_two_imports_at_one_moment_one_is_made(empty: Flask) -> None:
    history = read_history([("1.xml", file_of("2001-01-01", "aax", "bbx"))])
    results = at_once(empty, *[partial(import_history, history, START)] * 2)
    assert sorted(type(result) is HistoryConflict for result in results) == [False, True]
    with read_transaction():
        assert current_snapshot(URN_GROUP).edition == 1


@pytest.mark.usefixtures("empty")
def test_an_import_that_fails_at_its_end_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError

    before = dump()
    monkeypatch.setattr(event_rows, "append", fail)
    with pytest.raises(ZeroDivisionError):
        imported(file_of("2001-01-01", "aax"), file_of("2002-01-01", "bbx"))
    assert dump() == before


@pytest.mark.usefixtures("empty")
def test_a_history_goes_on_with_newer_files_alone() -> None:
    first = file_of("2001-01-01", "aax", "bbx")
    imported(first)
    with pytest.raises(HistoryConflict, match="imported with the date 2001-01-01"):
        imported(first, file_of("2002-01-01", "aax", "bbx", "ccx"))
    assert imported(file_of("2002-01-01", "bbx", "ccx")) == HistoryImport(
        2, 2, "2002-01-01", "2002-01-01"
    )
    with read_transaction():
        standing = {record.name: record.status for record in current_snapshot(URN_GROUP).records()}
    assert standing == {"aax": Status.FORMER, "bbx": Status.REGISTERED, "ccx": Status.REGISTERED}


@pytest.mark.usefixtures("empty")
def test_a_file_imported_alone_stands_on_the_day_of_its_import(clock: Clock) -> None:
    import_xml(file_of("2001-01-01", "aax"), clock())
    with pytest.raises(HistoryConflict, match="imported with the date 2026-09-01"):
        imported(file_of("2002-01-01", "aax"))


@pytest.mark.usefixtures("empty")
def test_progress_is_told_file_by_file() -> None:
    told: list[int] = []
    files = [("1.xml", file_of("2001-01-01", "aax")), ("2.xml", file_of("2002-01-01", "aax"))]
    history = read_history(files, told.append)
    import_history(history, START, told.append)
    assert told == [1, 2, 1, 2]
    assert history[0] == DatedState("1.xml", "2001-01-01", history[0].content)


@pytest.mark.usefixtures("empty")
def test_imported_editions_are_published_like_any_other(clock: Clock) -> None:
    imported(file_of("2001-01-01", "aax", "bbx"), file_of("2002-01-01", "bbx", "ccx"))
    assert edition_build.build_pending(clock(), factories.PLACE) == [1, 2]


@pytest.mark.usefixtures("empty")
def test_an_empty_registry_has_no_edition_and_says_what_it_is() -> None:
    with read_transaction():
        assert edition_rows.latest_edition(URN_GROUP) is None
        snapshot = current_snapshot(URN_GROUP)
    assert (snapshot.edition, snapshot.updated) == (0, START.date().isoformat())
    assert (snapshot.notice, snapshot.notes) == (NOTICES["private"], ())
    assert [table.id for table in snapshot.registries] == [FORMAL.id, INFORMAL.id]
    assert snapshots.initialize("", START) is None  # a plain `init` does not fill it later
    assert edition_build.build_pending(None, factories.PLACE) == []


@pytest.mark.usefixtures("empty")
def test_the_first_name_of_an_empty_registry_opens_its_first_edition(clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    assert edition_build.build_pending(clock(), factories.PLACE) == [1]
    with read_transaction():
        snapshot, edition = current_snapshot(URN_GROUP), db.session.get(Edition, 1)
        assert edition is not None
        assert (edition.origin, edition.cause) == (EditionOrigin.LOCAL, Cause.REGISTRATION)
    assert [record.name for record in snapshot.records()] == ["quokka"]
    assert snapshot.title == snapshots.bundled_snapshot().title
    assert (snapshot.edition, snapshot.notice) == (1, NOTICES["private"])
