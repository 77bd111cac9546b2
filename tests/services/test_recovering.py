"""Taking back what was published and the database lacks: nothing that was given is free again."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from app.bundles.layout import current_files, current_manifest
from app.bundles.mirror import mirror_registry
from app.exports.manifests.bundle_paths import SHELL, edition_path
from app.identifiers.equivalence import Equivalence, EquivalenceOperation, EquivalenceRule
from app.outside.http_fetcher import Fetcher
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import RegistrySnapshot
from app.services.editions import edition_build, publication
from app.services.editions.edition_build import export_files
from app.services.editions.version_history import history
from app.services.operations.edition_verification import verify_database, verify_folder
from app.services.operations.recovery import Recovery, plan_recovery, recover_editions
from app.services.registrations import corrections
from app.services.registrations.corrections import Correction, correct
from app.services.registry.snapshots import current_snapshot, import_xml
from app.services.stored_editions.divergence import FOLDER, find_divergence, noted_divergence, watch
from app.services.stored_editions.edition_folder import EditionFolder, UnreadableEditions
from app.services.stored_editions.stored_files import content_at, files_of
from app.store import counters
from app.store.database import read_transaction
from app.store.editions import edition_rows
from app.store.registry.name_rows import is_taken
from app.workflow.engine import EvidenceMissing
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.published.loopback import serve
from tests.published.wsgi_site import PublishedWsgi
from tests.services.older_backup import Backup
from tests.services.test_layout import tree
from tests.services.test_tampering import problems_after
from tests.store.schema import dump, rows_of

NOTICE = "A registry of a test."
_JSON = "urn-namespaces.json"


@pytest.fixture
def folder(app: Flask, tmp_path: Path) -> Path:
    """Where this host lays out what is published."""
    app.config[FOLDER] = tmp_path / "published"
    return tmp_path / "published"


def publish(folder: Path, clock: Clock) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(folder, factories.making(), URN_GROUP)


def register(clock: Clock, name: str = "quokka", *, informal: bool = False) -> int:
    at = clock.on(minutes=1)
    named = {} if informal else {"namespace_identifier": name}
    return factories.registered(factories.cast(at), at, informal=informal, **named)


def recovered(folder: Path, clock: Clock) -> Recovery:
    return recover_editions(
        EditionFolder(folder, URN_GROUP), clock.on(minutes=1), notice=NOTICE, source=str(folder)
    )


def silent(_what: str, _total: int) -> Callable[[int], None]:
    return lambda _done: None


def problems(folder: Path) -> list[str]:
    found = find_divergence(folder, URN_GROUP, every=True)
    told = [found.why] if found else []
    return [*told, *verify_database(silent), *verify_folder(folder, silent)]


def snapshot() -> RegistrySnapshot:
    with read_transaction():
        return current_snapshot(URN_GROUP)


def lose(folder: Path, clock: Clock, backup: Backup) -> list[str]:
    """Three editions are published, and then the database is put back to the first.

    Gives the names that were registered.
    """
    publish(folder, clock)
    backup.save()
    register(clock)
    register(clock, informal=True)
    publish(folder, clock)
    names = sorted(record.folded for record in snapshot().records())
    backup.put_back()
    clock.on(minutes=1)
    return names


def test_what_was_lost_is_shown_and_nothing_is_changed(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    before = dump()
    plan = plan_recovery(EditionFolder(folder, URN_GROUP))
    assert (plan.lacking, plan.other, plan.disputed) == ((2, 3), (), ())
    assert plan.added[0] == "quokka"
    assert len(plan.added) == 2
    assert plan.requests
    told = "\n".join(plan.sentences())
    assert "missing editions: 2, 3" in told
    assert "quokka" in told
    assert "are lost" in told
    assert dump() == before


def test_what_a_host_makes_for_itself_comes_back_with_no_edition(
    app: Flask, folder: Path, clock: Clock
) -> None:
    publish(folder, clock)
    with read_transaction():
        kept = {file.path for file in files_of(1)}
    manifest = current_manifest(folder)
    assert manifest is not None
    assert SHELL in {file.path for file in current_files(folder, manifest)}
    assert {file.path for file in EditionFolder(folder, URN_GROUP).list_of(1).files} == kept


def test_the_order_of_the_names_comes_back(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    publish(folder, clock)
    backup.save()
    shown = current_names()
    (xml,) = (
        body
        for name, body in export_files(URN_GROUP, "xml", None, factories.PLACE)
        if name.endswith("xml")
    )
    first, second = (re.escape(name.encode()) for name in shown[1:3])  # before is a former one
    record = rb"<record\b[^>]*>(?:(?!</record>).)*<name>%s</name>.*?</record>"
    found = re.search(rb"(%s)(\s*)(%s)" % (record % first, record % second), xml, re.DOTALL)
    assert found is not None
    import_xml(xml.replace(found[0], found[3] + found[2] + found[1]), clock.on(minutes=1))
    publish(folder, clock)
    swapped = current_names()
    assert swapped[1:3] == [shown[2], shown[1]]
    backup.put_back()
    recovered(folder, clock)
    assert current_names() == swapped
    assert problems(folder) == []


def test_what_namespaces_say_of_themselves_comes_back(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    publish(folder, clock)
    backup.save()
    with read_transaction():
        stands = corrections.find_entry("isbn", URN_SPACE)
    order = factories.command(factories.cast(clock()).operator, clock.on(minutes=1), seen=stands.n)
    rules = Equivalence(
        (EquivalenceRule(EquivalenceOperation.FOLD_CASE, "4.2", begins="a:", is_upper=True),)
    )
    said = replace(stands.record.profile, names="books and maps")
    correct(
        order,
        "isbn",
        Correction(profile=said, equivalence=rules),
        reason="It names maps too.",
        space=URN_SPACE,
    )
    publish(folder, clock)
    before = snapshot()
    backup.put_back()
    recovered(folder, clock)
    with read_transaction():
        record = corrections.find_entry("isbn", URN_SPACE).record
    assert (record.profile, record.equivalence) == (said, rules)
    assert [one.profile for one in snapshot().records()] == [
        one.profile for one in before.records()
    ]
    assert problems(folder) == []


def current_names() -> list[str]:
    return [record.name for record in snapshot().records()]


def test_every_edition_and_name_comes_back_and_nothing_is_free_again(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    names = lose(folder, clock, backup)
    laid, before = tree(folder), rows_of("counter")
    watch(folder, clock())
    recovered(folder, clock)
    assert noted_divergence() == ""
    assert problems(folder) == []
    assert sorted(record.folded for record in snapshot().records()) == names
    with read_transaction():
        assert is_taken("nid", "quokka")
        for number in (2, 3):
            path = f"/editions/{number}/{_JSON}"
            assert content_at(number, path) in laid.values()
        assert counters.current(edition_rows.COUNTER) == 3
    assert rows_of("counter") != before
    assert publication.lay_out_newest(folder, factories.making(), URN_GROUP) is None
    assert tree(folder) == laid


def test_names_numbers_and_editions_go_on_after_what_was_published(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    names = lose(folder, clock, backup)
    recovered(folder, clock)
    request = register(clock, informal=True)
    publish(folder, clock)
    new = {record.folded for record in snapshot().records()} - set(names)
    assert len(new) == 1
    assert new.isdisjoint(names)
    assert snapshot().edition == 4
    assert request > 2
    assert problems(folder) == []
    assert (folder / edition_path(4)).exists()


def test_other_hosts_lay_out_the_editions_that_came_back_byte_for_byte(
    app: Flask, folder: Path, clock: Clock, backup: Backup, tmp_path: Path
) -> None:
    lose(folder, clock, backup)
    recovered(folder, clock)
    publication.lay_out_newest(tmp_path / "other", factories.making(), URN_GROUP)
    there, here = tree(tmp_path / "other"), tree(folder)
    assert there.pop("current") and here.pop("current")
    lists = {path: target for path, target in here.items() if path.startswith("editions/")}
    assert lists.items() <= there.items()
    assert not verify_all(tmp_path / "other")


def verify_all(folder: Path) -> list[str]:
    return list(verify_folder(folder, silent))


def test_an_edition_that_the_database_gave_to_another_stands_as_published(
    app: Flask, folder: Path, clock: Clock, backup: Backup, tmp_path: Path
) -> None:
    names = lose(folder, clock, backup)
    del app.config[FOLDER]  # as another host did that had no folder yet
    register(clock, "wombat")
    edition_build.build_pending(clock(), factories.PLACE)
    app.config[FOLDER] = folder
    laid = tree(folder)
    plan = recovered(folder, clock)
    assert (plan.other, plan.lacking) == ((2,), (3,))
    publish(folder, clock)
    assert problems(folder) == []
    assert snapshot().edition == 4
    now = {record.folded for record in snapshot().records()}
    assert now == {*names, "wombat"}
    kept = {p: c for p, c in laid.items() if not p.startswith(("bundles/", "current"))}
    assert kept.items() <= tree(folder).items()
    publication.lay_out_newest(tmp_path / "other", factories.making(), URN_GROUP)
    assert (tmp_path / "other" / edition_path(2)).readlink() == (
        folder / edition_path(2)
    ).readlink()


def test_a_name_that_both_lines_gave_is_named_and_stands_as_published(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    published = next(
        record
        for record in EditionFolder(folder, URN_GROUP).snapshot(3).records()
        if record.name == "quokka"
    )
    del app.config[FOLDER]
    at = clock.on(days=3)
    factories.registered(factories.cast(at), at, purpose="Another one.")
    plan = recovered(folder, clock)
    assert plan.disputed == ("quokka",)
    assert any("Check each one" in sentence for sentence in plan.sentences())
    (now,) = (record for record in snapshot().records() if record.name == "quokka")
    assert now == published
    edition_build.build_pending(clock(), factories.PLACE)
    assert list(verify_database(silent)) == []


def test_where_nothing_is_lacking_nothing_is_done(app: Flask, folder: Path, clock: Clock) -> None:
    register(clock)
    publish(folder, clock)
    before = dump()
    assert recovered(folder, clock).is_empty
    assert dump() == before


@pytest.mark.slow
def test_a_mirror_gives_back_what_this_host_lost_and_can_follow_after_it(
    app: Flask, folder: Path, clock: Clock, backup: Backup, tmp_path: Path
) -> None:
    names, copy = lose(folder, clock, backup), tmp_path / "copy"
    with (
        serve(PublishedWsgi(PublishedPlane(folder))) as url,
        Fetcher(timeout=20, deadline=60) as fetch,
    ):
        assert mirror_registry(url, copy, fetch) == 3
    shutil.rmtree(folder)
    recovered(copy, clock)
    register(clock, "wombat")
    publish(folder, clock)
    assert problems(folder) == []
    assert sorted(record.folded for record in snapshot().records()) == sorted([*names, "wombat"])
    with (
        serve(PublishedWsgi(PublishedPlane(folder))) as url,
        Fetcher(timeout=20, deadline=60) as fetch,
    ):
        assert mirror_registry(url, copy, fetch) == 4
    assert verify_all(copy) == []


def test_a_request_that_stands_as_before_is_named_so_that_nothing_is_given_twice(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    publish(folder, clock)
    people = factories.cast(clock())
    number = factories.approved(people, clock())
    backup.save()
    at = clock.on(minutes=1)
    factories.act(number, Action.REGISTER, people.operator, at, reference=factories.REFERENCE)
    publish(folder, clock)
    backup.put_back()
    plan = recovered(folder, clock)
    assert plan.requests == plan.standing == (number,)
    assert any(
        f"requests still open for registered names: {number}." in s for s in plan.sentences()
    )
    at = clock.on(minutes=1)
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.REGISTER, people.operator, at, reference=factories.REFERENCE)


def test_a_request_of_another_name_is_not_taken_for_that_which_was_lost(
    app: Flask, folder: Path, clock: Clock, backup: Backup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Software of before took requests while it stood below what was published."""
    for room in ("drafts", "request_actions"):
        monkeypatch.setattr(f"app.services.requests.{room}.refuse_new_requests", lambda: None)
    publish(folder, clock)
    backup.save()
    lost = register(clock)
    publish(folder, clock)
    backup.put_back()
    at = clock.on(minutes=1)
    assert factories.sent(factories.cast(at).rival, at, namespace_identifier="wombat") == lost
    recovered(folder, clock)
    (quokka,) = (record for record in snapshot().records() if record.name == "quokka")
    assert quokka.request is None


def test_a_correction_and_its_reason_come_back(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    publish(folder, clock)
    backup.save()
    at = clock.on(minutes=1)
    version = corrections.find_entry("isbn", URN_SPACE)
    facts = replace(corrections.unchanged_correction(version.record), date="1999-01-01")
    order = factories.command(factories.cast(at).operator, at, seen=version.n)
    corrections.correct(order, "isbn", facts, reason="The day was wrong.", space=URN_SPACE)
    publish(folder, clock)
    with read_transaction():
        before = history(URN_GROUP)[-1]
    backup.put_back()
    recovered(folder, clock)
    with read_transaction():
        after = history(URN_GROUP)[-1]
    assert (after.number, after.cause, after.reason) == (2, "correction", "The day was wrong.")
    assert after.changes == before.changes
    assert after.moment == before.moment
    assert problems(folder) == []


def test_a_damaged_folder_is_refused_and_says_what_to_do(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    before = dump()
    (folder / edition_path(2)).resolve().write_bytes(b"{}")
    with pytest.raises(UnreadableEditions, match="--from URL"):
        recovered(folder, clock)
    (folder / edition_path(2)).unlink()
    with pytest.raises(UnreadableEditions, match="Edition 2 is missing"):
        recovered(folder, clock)
    assert dump() == before


def test_it_says_of_each_edition_that_it_was_taken_back(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    recovered(folder, clock)
    events = [row for row in rows_of("event") if "recovered" in row]
    assert len(events) == 2
    assert all(any(str(folder) in str(value) for value in row) for row in events)


TAMPERINGS = {
    "UPDATE edition SET as_of = '2026-09-01 12:01:30' WHERE n = 2": "entry 15 of the event log has",
    "UPDATE edition SET notice = 'Another.' WHERE n = 3": "editions were changed",
    "UPDATE record_version SET sort_key = 'zebra' WHERE edition = 2": "records were changed",
    "UPDATE edition_manifest SET sha256 = (SELECT sha256 FROM edition_manifest WHERE edition = 1)"
    " WHERE edition = 3": "Edition 3: the manifest in entry 16",
    "UPDATE event SET body = replace(body, '12:01:00', '12:01:30') WHERE n = 15": "Entry 15",
}


def test_what_is_changed_of_an_edition_that_came_back_is_found(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    recovered(folder, clock)
    assert problems_after() == []
    for statement, words in TAMPERINGS.items():
        found = problems_after(statement)
        assert any(words in problem for problem in found), (statement, found)


def test_what_is_changed_of_an_edition_in_place_of_another_is_found(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    del app.config[FOLDER]
    register(clock, "wombat")
    edition_build.build_pending(clock(), factories.PLACE)
    app.config[FOLDER] = folder
    recovered(folder, clock)
    assert problems_after() == []
    found = problems_after("DELETE FROM standing_manifest")
    assert any("Edition 2: the manifest in entry" in problem for problem in found)
    found = problems_after("UPDATE record_version SET sort_key = 'zebra' WHERE edition = 2")
    assert any("Edition 2 or an earlier one: records were" in one for one in found)
