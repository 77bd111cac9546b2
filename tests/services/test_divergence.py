"""An older backup of the database under a newer folder: seen at once, nothing is given twice."""

import logging
import shutil
from pathlib import Path

import pytest
from flask import Flask

from app.bundles.layout import current_manifest, editions_laid_out
from app.exports.manifests.bundle_paths import edition_path
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.editions.edition_build import export_files
from app.services.registry.snapshots import import_xml
from app.services.stored_editions import divergence
from app.services.stored_editions.divergence import FOLDER, DivergenceRefusal, find_divergence
from app.store.database import read_transaction
from app.store.editions import edition_rows
from app.web.middleware.problem_responses import problem_of
from app.worker import WorkerContext
from app.workflow.states import Action
from tests import factories
from tests.conftest import START, Clock
from tests.rounds import run_once
from tests.services.older_backup import Backup
from tests.store.schema import rows_of

pytestmark = pytest.mark.postgresql

REFERRED = {"reference": factories.REFERENCE}


@pytest.fixture
def folder(app: Flask, tmp_path: Path) -> Path:
    """Where this host lays out what is published."""
    folder = tmp_path / "published"
    app.config[FOLDER] = folder
    return folder


def publish(folder: Path, clock: Clock) -> None:
    """Whatever waits, as the worker does it."""
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(folder, factories.making(), URN_GROUP)


def register(clock: Clock, name: str = "quokka") -> None:
    at = clock.on(minutes=1)
    factories.registered(factories.cast(at), at, namespace_identifier=name)


Lines = dict[bool, tuple[str, Path]]  # on a server or not: a saved database, and a folder


@pytest.fixture(scope="module")
def lines() -> Lines:
    """What is published beyond a saved database, made once on each kind of it."""
    return {}


@pytest.fixture
def older(
    app: Flask,
    folder: Path,
    clock: Clock,
    backup: Backup,
    lines: Lines,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A folder whose second edition the database, put back, does not know."""
    is_server = backup.server is not None
    if is_server not in lines:
        publish(folder, clock)
        saved = backup.save_for(tmp_path_factory.mktemp("older"))
        register(clock)
        publish(folder, clock)
        beyond = tmp_path_factory.mktemp("beyond") / "published"
        lines[is_server] = saved, Path(shutil.copytree(folder, beyond, symlinks=True))
        shutil.rmtree(folder)
        clock.now = START
    saved, beyond = lines[is_server]
    backup.put_back(saved)
    shutil.copytree(beyond, folder, symlinks=True)
    clock.on(minutes=2)
    return folder


def newest() -> int:
    with read_transaction():
        latest = edition_rows.latest_edition(URN_GROUP)
        return latest.n if latest else 0


def test_what_was_published_from_this_database_is_one_story(
    app: Flask, folder: Path, clock: Clock
) -> None:
    assert find_divergence(folder, URN_GROUP) is None
    register(clock)
    publish(folder, clock)
    assert find_divergence(folder, URN_GROUP, every=True) is None
    assert divergence.watch(folder, clock()) is None


def test_an_edition_that_is_opened_and_not_built_is_no_divergence(
    app: Flask, folder: Path, clock: Clock
) -> None:
    publish(folder, clock)
    register(clock)
    assert find_divergence(folder, URN_GROUP) is None


def test_an_older_backup_is_seen_by_what_it_lacks(older: Path) -> None:
    found = find_divergence(older, URN_GROUP)
    assert found is not None
    assert found.edition == 2
    assert "Edition 2 is published" in found.why
    assert "newest one in the database is 1" in found.why
    assert "urn-registry recover" in found.why


def test_a_line_that_went_on_to_the_same_number_is_seen_by_its_content(
    app: Flask, older: Path, clock: Clock
) -> None:
    del app.config[FOLDER]  # as on a host that had no folder of its own yet
    register(clock, "wombat")
    for is_built in (False, True):
        if is_built:
            edition_build.build_pending(clock(), factories.PLACE)
        found = find_divergence(older, URN_GROUP)
        assert found is not None, f"built: {is_built}"
        assert (found.edition, "differs from the database" in found.why) == (2, True)


def test_a_folder_without_its_link_to_the_current_edition_is_compared_too(older: Path) -> None:
    (older / "current").unlink()
    assert find_divergence(older, URN_GROUP) is not None


def test_a_damaged_list_is_no_other_story(app: Flask, folder: Path, clock: Clock) -> None:
    register(clock)
    publish(folder, clock)
    (folder / edition_path(2)).resolve().write_bytes(b"{}")
    assert find_divergence(folder, URN_GROUP, every=True) is None


def test_nothing_is_numbered_sent_or_registered_over_what_is_published(
    app: Flask, older: Path, clock: Clock
) -> None:
    people = factories.cast(clock())
    del app.config[FOLDER]  # as on a host that had no folder of its own yet
    draft = factories.draft(people.registrant, clock(), namespace_identifier="numbat")
    approved = factories.assignable(people.registrant, clock(), namespace_identifier="wombat")
    app.config[FOLDER] = older
    kept = ("name", "edition", "counter", "request", "iteration")
    before = [rows_of(table) for table in kept]
    for what in (
        lambda at: factories.draft(people.registrant, at, namespace_identifier="bilby"),
        lambda at: factories.naan_draft(people, at),
        lambda at: factories.act(draft, Action.SUBMIT, people.registrant, at),
        lambda at: factories.act(approved, Action.REGISTER, people.operator, at, **REFERRED),
    ):
        with pytest.raises(DivergenceRefusal, match="urn-registry recover"):
            what(clock.on(minutes=1))
    assert [rows_of(table) for table in kept] == before
    assert newest() == 1


def test_an_import_opens_none_either(older: Path, clock: Clock) -> None:
    with read_transaction():
        xml = export_files(URN_GROUP, "xml", None, factories.PLACE)[0][1]
    changed = xml.replace(b"<title>", b"<title>The ", 1)
    with pytest.raises(DivergenceRefusal):
        import_xml(changed, clock())


def test_what_one_host_saw_stops_every_host(app: Flask, older: Path, clock: Clock) -> None:
    divergence.watch(older, clock())
    del app.config[FOLDER]
    with pytest.raises(DivergenceRefusal, match="Edition 2 is published"):
        register(clock, "wombat")


def test_the_worker_publishes_nothing_and_tells_it_once(
    older: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    work = WorkerContext(
        folder=older,
        making=factories.making("other software"),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=None,
    )
    before = (older / "current").readlink(), editions_laid_out(older)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            run_once(work)
    assert [record.message for record in caplog.records] == [divergence.noted_divergence()]
    assert "urn-registry recover" in caplog.records[0].message
    assert ((older / "current").readlink(), editions_laid_out(older)) == before
    assert current_manifest(older) is not None


def test_a_folder_that_agrees_again_is_forgotten(older: Path, clock: Clock, tmp_path: Path) -> None:
    divergence.watch(older, clock())
    assert divergence.noted_divergence()
    older.rename(tmp_path / "away")
    assert divergence.watch(older, clock()) is None
    assert divergence.noted_divergence() == ""
    register(clock, "wombat")


def test_ready_says_that_it_publishes_nothing_and_stays_in_service(
    app: Flask, older: Path, clock: Clock
) -> None:
    client = app.test_client()
    assert "divergence" not in client.get("/readyz").get_json()["troubles"]
    divergence.watch(older, clock())
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert "divergence" in answer.get_json()["troubles"]
    assert str(older) not in answer.text, "where it lies is for operators"


def test_the_refusal_is_a_503_in_plain_words(app: Flask, older: Path, clock: Clock) -> None:
    with app.test_request_context("/"):
        divergence.watch(older, clock())
        try:
            register(clock, "wombat")
        except DivergenceRefusal as error:
            problem = problem_of(error)
    assert problem.status == 503
    assert "Nothing is registered or published until" in problem.detail
