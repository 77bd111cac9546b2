"""A file of NAANs is taken over as one edition, told in words, and comes out as it went in."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.exports.content.file_names import ARK_RULES_PATH
from app.exports.extracts.naan_files import naan_records_bytes
from app.published.plane import PublishedPlane
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.records.registry_records import Registration, Status
from app.resolution.ark_rules import LineArkRuleBook
from app.services.editions import edition_build, publication
from app.services.editions.version_history import history
from app.services.registry.naan_history import import_naan_history, read_naan_history
from app.services.registry.naan_import import (
    NaanImport,
    import_naans,
    import_sentences,
    read_naan_file,
)
from app.services.registry.record_import import RecordImport, import_records
from app.services.registry.snapshots import snapshot_of
from app.store.database import Base, db, read_transaction
from app.store.editions import edition_rows
from app.store.registry import record_versions
from app.store.tables import Event
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of

DIRTY = file_of(
    entry_of(SHOULDER),
    {"what": 5},
    entry_of(LIBRARY, where="N/A", when=7, purpose=[1]),
    entry_of(LIBRARY, what="24680-"),
    entry_of(LIBRARY, what="no name!"),
    entry_of(LIBRARY, what="B7291"),
    entry_of(SHOULDER, what="24680/X5", shoulder="X5"),
    entry_of(SHOULDER, what="24680/s6.caida", shoulder="s6.caida"),
)


@pytest.fixture
def taken_over(app: Flask, clock: Clock) -> NaanImport:
    """What came of a file with all kinds of dirt."""
    return import_naans(read_naan_file(DIRTY), clock.on(minutes=1))


def laid_out(folder: Path, clock: Clock) -> PublishedPlane:
    """All editions built, and those of NAANs laid out."""
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(9) == []
    publication.lay_out_newest(folder, factories.making(), NAAN_GROUP)
    return PublishedPlane(folder)


def test_what_cannot_be_taken_over_is_kept_and_told_and_the_file_comes_out_again(
    taken_over: NaanImport, clock: Clock, tmp_path: Path
) -> None:
    assert taken_over.plan.added == (
        *("naan:24680", "naan:b7291"),
        *("naan-shoulder:24680/s6.caida", "naan-shoulder:24680/x5"),
    )
    told = {finding.place: finding.code for finding in taken_over.findings}
    assert told["/data/1"] == "no_name"
    assert told["/data/3"] == "duplicate"
    assert (told["/data/4"], told["/data/6"]) == ("unfit_name", "same_name")
    assert told["/data/2/when"] == "unread_value"
    plane = laid_out(tmp_path / "published", clock)
    given = ask(plane, "/assignments/naans/naans-records.json").body
    assert json.loads(given) == json.loads(DIRTY)
    again = import_naans(read_naan_file(given), clock.on(minutes=1))
    assert again.plan.is_empty
    assert again.changes == ()
    with read_transaction():
        assert len(history(NAAN_GROUP)) == 1


def test_a_change_is_told_in_words_before_it_is_made(taken_over: NaanImport, clock: Clock) -> None:
    data = json.loads(DIRTY)
    data["data"][0]["who"]["name"] = "Even Rarer Books"
    file = read_naan_file(json.dumps(data).encode())
    words = "24680/x5: the holder changed from `Rare Books` to `Even Rarer Books`."
    for dry_run, editions in ((True, 1), (False, 2)):
        made = import_naans(file, clock.on(minutes=1), dry_run=dry_run)
        assert words in list(import_sentences(made))
        assert made.plan.changed == ("naan-shoulder:24680/x5",)
        with read_transaction():
            assert len(history(NAAN_GROUP)) == editions


def test_a_name_that_a_later_file_lacks_is_told_each_time_and_stays(
    taken_over: NaanImport, clock: Clock, tmp_path: Path
) -> None:
    later = file_of(entry_of(LIBRARY, what="13579"), entry_of(LIBRARY, where="N/A"))
    lacking = ["24680/x5", "B7291", "24680/s6.caida"]
    words = [f"`{name}` is not in this file. It stays unchanged." for name in lacking]
    for dry_run, is_empty in ((True, False), (False, False), (False, True)):
        made = import_naans(read_naan_file(later), clock.on(minutes=1), dry_run=dry_run)
        missing = [one for one in made.findings if one.code == "not_in_file"]
        assert [one.name for one in missing] == lacking
        assert [line for line in import_sentences(made) if "not in this file" in line] == words
        assert made.plan.is_empty is is_empty
    plane = laid_out(tmp_path / "published", clock)
    given = ask(plane, "/assignments/naans/naans-records.json").body
    names = [entry["what"] for entry in json.loads(given)["data"]]
    unread = [5, "no name!", "24680/X5"]  # of "24680-" the later file says something
    assert names == ["24680/x5", "13579", "24680", "B7291", "24680/s6.caida", *unread]
    again = import_naans(read_naan_file(given), clock.on(minutes=1))
    assert (again.plan.is_empty, again.differs) == (True, ())
    assert [one.code for one in again.findings] == ["no_name", "unfit_name", "same_name"]


def test_what_an_earlier_file_left_unread_and_said_of_itself_outlasts_a_small_one(
    taken_over: NaanImport, clock: Clock, tmp_path: Path
) -> None:
    small = b"naa:\nwho: Utopia\nwhat: 13579\n\nnaa:\nwho: Library\nwhat: 97531\n"
    for dry_run in (True, False):
        made = import_naans(read_naan_file(small), clock.on(minutes=1), dry_run=dry_run)
        assert len(made.plan.added) == 2
    plane = laid_out(tmp_path / "published", clock)
    given = json.loads(ask(plane, "/assignments/naans/naans-records.json").body)
    before = json.loads(DIRTY)
    assert given["metadata"] == before["metadata"]
    assert [one for one in before["data"] if one not in given["data"]] == []
    assert len(given["data"]) == len(before["data"]) + 2


def test_what_a_file_says_otherwise_beside_its_records_is_told_before_there_is_an_edition(
    taken_over: NaanImport, clock: Clock
) -> None:
    data = json.loads(DIRTY)
    data["metadata"] = {"version": "1.0", "description": "Ours"}
    data["data"][0], data["data"][2] = data["data"][2], data["data"][0]
    for dry_run in (True, False):
        made = import_naans(
            read_naan_file(json.dumps(data).encode()), clock.on(minutes=1), dry_run=dry_run
        )
        assert made.changes == ()
        told = "also differs in: `description` in its metadata, the order of its entries"
        assert any(told in line for line in import_sentences(made))


def test_a_naan_that_was_given_here_is_nobody_elses_whatever_a_file_says(
    taken_over: NaanImport, clock: Clock
) -> None:
    own = factories.registered_naan(factories.cast(clock()), clock.on(minutes=1))
    stands = _record(own)
    theirs = entry_of(LIBRARY, what=own.upper())
    shoulder = entry_of(replace(SHOULDER, naan=own))
    lacking = [entry_of(LIBRARY, what=str(naan)) for naan in range(30_000, 30_021)]
    import_naans(read_naan_file(file_of(*lacking)), clock.on(minutes=1))
    for dry_run in (True, False):
        file = read_naan_file(file_of(entry_of(LIBRARY, what="13579"), theirs, shoulder))
        made = import_naans(file, clock.on(minutes=1), dry_run=dry_run)
        told = list(import_sentences(made))
        assert "is assigned here to `Wombat Library`" in told[0]
        assert "but to `Utopian Library`" in told[0]
        assert told[1].startswith(f"`{own}/x5` is under a NAAN with two holders")
        assert "25 entries of earlier files are missing, first `24680/x5`" in told[-1]
        assert not [line for line in told if "is not in this file" in line]
        assert made.plan.added == ("naan:13579",)
        assert _record(own) == stands
    same = entry_of(LIBRARY, what=own, where="https://moved.example")
    same["who"]["name"] = "WOMBAT  library"
    made = import_naans(read_naan_file(file_of(same)), clock.on(minutes=1))
    assert made.plan.changed == (f"naan:{own}",)


def _record(naan: str) -> Registration:
    with read_transaction():
        found = record_versions.find_record(NAANS.space.id, naan)
    assert found is not None
    return found[1]


def test_a_name_that_was_made_a_former_one_here_is_not_brought_back(
    taken_over: NaanImport, clock: Clock
) -> None:
    """Whoever decides of names voids them, and who is named there stays; neither is in a file."""
    with read_transaction():
        found = record_versions.find_record(NAANS.space.id, "24680")
    assert found is not None
    former = replace(found[1], status=Status.FORMER, successor="99999", contact=("Robin Roe",))
    import_records(RecordImport(records={NAANS.id: [former]}), clock.on(minutes=1))
    told = "`24680` is active in this file but retired here. It stays retired."
    again = import_naans(read_naan_file(DIRTY), clock.on(minutes=1))
    assert (again.plan.is_empty, list(import_sentences(again)).count(told)) == (True, 1)
    changed = file_of(entry_of(LIBRARY, where="https://other.example"))
    made = import_naans(read_naan_file(changed), clock.on(minutes=1))
    assert (made.plan.changed, told in import_sentences(made)) == (("naan:24680",), True)
    assert not any("24680` is not in this file" in line for line in import_sentences(made))
    with read_transaction():
        stands = record_versions.find_record(NAANS.space.id, "24680")
    assert stands is not None
    kept = (stands[1].status, stands[1].successor, stands[1].contact)
    assert kept == (Status.FORMER, "99999", ("Robin Roe",))
    lacking = import_naans(read_naan_file(file_of()), clock.on(minutes=1), dry_run=True)
    assert "24680" not in [one.name for one in lacking.findings]


def test_what_a_file_has_no_place_for_stays_when_it_is_taken_over_again(
    taken_over: NaanImport, clock: Clock, tmp_path: Path
) -> None:
    own = {"shoulder_label": "Rare books", "mask": "x5.reedeedk"}
    with read_transaction():
        found = record_versions.find_record(SHOULDERS.space.id, "24680/x5")
    assert found is not None
    fields = SHOULDERS.public_texts(dict(found[1].fields) | own)
    asked = RecordImport(records={SHOULDERS.id: [replace(found[1], fields=fields)]})
    import_records(asked, clock.on(minutes=1))
    again = import_naans(read_naan_file(DIRTY), clock.on(minutes=1))
    assert (again.plan.is_empty, again.changes) == (True, ())
    plane = laid_out(tmp_path / "published", clock)
    assert json.loads(ask(plane, "/assignments/naans/naans-records.json").body) == json.loads(DIRTY)
    for path in ("/naans/24680/x5", "/naans/24680/x5.json"):
        body = ask(plane, path).body.decode()
        assert [text in body for text in own.values()] == [True, True]


def test_naans_and_shoulders_have_pages_below_one_path_and_lead_on_by_one_file(
    taken_over: NaanImport, app: Flask, clock: Clock, tmp_path: Path
) -> None:
    plane, client = laid_out(tmp_path / "published", clock), app.test_client()
    for path, there, words in (
        ("/naans/24680", "", b"Utopian Library"),
        ("/naans/24680/x5", "", b"Rare Books"),
        ("/naans/24680/x5.json", "", b"ark:24680/x5"),
        ("/naans/24680/s6.caida", "", b"s6.caida"),
        ("/naans/24680/s6.caida.txt", "", b"s6.caida"),
        ("/naans/B7291", "/naans/b7291", b""),
        ("/naans/24-680/X5.json", "/naans/24680/x5.json", b""),
    ):
        answer = ask(plane, path)
        assert (answer.status, answer.headers.get("Location", "")) == (
            (301, there) if there else (200, "")
        )
        assert words in answer.body
        if not there and not path.endswith(("json", "txt")):
            assert client.get(path).status_code == 200
    assert ask(plane, "/naans/24680/zz").status == 404
    assert client.get("/naans/editions/1/naans/24680/x5").status_code == 200
    book = LineArkRuleBook(ask(plane, ARK_RULES_PATH).body)
    rules = book.find("24680/x5")
    assert rules is not None
    assert (rules.holder, rules.target) == (SHOULDER.holder, SHOULDER.target)


def test_a_file_of_old_is_read_and_what_is_private_in_it_stays_out(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    data = b"naa:\nwho: Utopia (=) UTO\nwhat: 13579\nwhen: 2002.07.12\n"
    data += b"where: https://utopia.example\n!contact: Marker, Private\n"
    import_naans(read_naan_file(data), clock.on(minutes=1))
    plane = laid_out(tmp_path / "published", clock)
    for path in ("/naans/13579", "/naans/13579.json", "/assignments/naans/naans-anvl.txt"):
        body = ask(plane, path).body
        assert b"Utopia" in body
        assert b"Marker" not in body
    for wrong in (b"", b"neither", b"[]", b'{"data": 1}', b"\xff"):
        with pytest.raises(UnreadableNaanFile):
            read_naan_file(wrong)


@pytest.mark.parametrize("stops", [1, 2, 3])
def test_states_of_former_days_that_were_stopped_leave_nothing_and_are_whole_when_called_again(
    app: Flask, clock: Clock, stops: int
) -> None:
    """No day may be missing then, since nothing older can be added later."""
    entries = [entry_of(LIBRARY), entry_of(SHOULDER), entry_of(LIBRARY, what="13579")]
    files = [_dated(f"2024-02-0{count}", entries[:count]) for count in (1, 2, 3)]
    states = read_naan_history((f"{number}.json", data) for number, data in enumerate(files))

    def stop(done: int) -> None:
        if done == stops:
            raise KeyboardInterrupt

    before = _rows()
    with pytest.raises(KeyboardInterrupt):
        import_naan_history(states, clock.on(minutes=1), progress=stop)
    assert _rows() == before
    made = import_naan_history(states, clock.on(minutes=1))
    assert (made.first, made.last) == (1, 3)
    _urns, *told = [event.body for event in _imported()]
    assert told == ["3 past editions, from 2024-02-01 to 2024-02-03"]
    with read_transaction():
        rows = history(NAAN_GROUP)
        found = [edition_rows.find_numbered(NAAN_GROUP, row.number) for row in rows]
        given = [json.loads(naan_records_bytes(snapshot_of(one.n))) for one in found if one]
    assert [row.as_of.date().isoformat() for row in rows] == [one.day for one in states]
    assert given == [json.loads(data) for data in files]


def _imported() -> list[Event]:
    with read_transaction():
        query = select(Event).where(Event.kind == "imported").order_by(Event.n)
        found = list(db.session.scalars(query))
        db.session.expunge_all()
        return found


def _dated(day: str, entries: list[dict[str, Any]]) -> bytes:
    file = json.loads(file_of(*entries))
    file["metadata"] = {"version": "1.0", "updated": f"{day}T00:00:00+00:00"}
    return json.dumps(file).encode()


def _rows() -> dict[str, list[str]]:
    """All that the database holds."""
    with read_transaction():
        return {
            table.name: sorted(map(repr, db.session.execute(table.select())))
            for table in Base.metadata.sorted_tables
        }
