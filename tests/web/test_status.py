"""What operators see of how the site is run, and what `/readyz` tells everybody."""

import errno
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy.exc import InternalError

from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.operations import database_binding
from app.services.operations.database_binding import DatabaseAway
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.accounts import attempts
from app.store.database import db, read_transaction, transaction
from app.store.tables import Attempt, Host
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.factories import HERE, THERE
from tests.full_disks import no_new_pages
from tests.registration.naans.made_records import entry_of, file_of
from tests.web.conftest import World
from tests.web.test_branches import well
from tests.web.visitor import Visitor


@pytest.fixture
def app(make_app: MakeApp, clock: Clock, tmp_path: Any) -> Flask:
    """A site whose host is known by its file, some minutes after its edition was made."""
    return site(make_app, clock, tmp_path)


def site(make_app: MakeApp, clock: Clock, tmp_path: Path, **given: object) -> Flask:
    """The same with settings of the test's choice."""
    app = make_app(demo=True, **given)  # whose people sign in without a link
    with app.app_context():
        edition_build.build_pending(None, factories.PLACE)
    clock.on(minutes=10)
    (tmp_path / "host-id").write_text(HERE)
    factories.laid_out(app)
    return app


def ready(app: Flask, status: int = 200) -> Any:
    answer = app.test_client().get("/readyz")
    assert answer.status_code == status
    return answer.get_json()


def test_it_is_ready_where_a_worker_was_seen_within_a_minute(app: Flask) -> None:
    with app.app_context():
        factories.host()
    assert ready(app) == {
        "status": "ready",
        "troubles": [],
        "troubles of": {"this host": [], "the site": [], "other hosts": []},
        "database": "there",
        "worker": "seen 0 seconds ago",
        "hosts": {"seen": 1, "not seen": 0, "behind": 0},
        "edition": {"newest": 1, "here": 1},
        "groups": {"naans": {"newest": None, "here": None}},
        "publication": "ok",
        "names": "ok",
        "mail": "no messages waiting",
        "mail server": "not asked yet",
        "disk": "50% free",
    }


def test_a_group_that_is_published_and_not_laid_out_here_is_a_trouble(
    app: Flask, clock: Clock
) -> None:
    """What balances load sends nobody away for it, and who watches knows why it answers 503."""
    with app.app_context():
        factories.host()
        import_naans(read_naan_file(file_of(entry_of())), clock())
        edition_build.build_pending(None, factories.PLACE)
    told = ready(app)
    assert told["groups"]["naans"]["newest"] and not told["groups"]["naans"]["here"]
    assert (told["status"], told["troubles"]) == ("degraded", ["publication"])
    assert told["publication"] == "waiting on this host: naans"


def test_a_worker_that_is_gone_is_told_and_takes_the_site_from_nobody(
    app: Flask, clock: Clock
) -> None:
    assert ready(app)["worker"] == "never seen"
    with app.app_context():
        factories.host()
    clock.on(minutes=3)
    told = ready(app)
    assert (told["status"], told["troubles"]) == ("degraded", ["worker"])
    assert told["worker"] == "not seen for 3 minutes"
    with app.app_context():
        factories.host(THERE)
    assert ready(app)["hosts"] == {"seen": 1, "not seen": 1, "behind": 0}


def test_a_restart_after_a_clean_stop_raises_no_alarm_until_the_worker_had_a_minute(
    make_app: MakeApp, clock: Clock, tmp_path: Path
) -> None:
    app = site(make_app, clock, tmp_path)
    app.extensions["started"] = clock()
    told = ready(app)
    assert (told["status"], told["troubles"]) == ("ready", []), told
    assert told["worker"] == "never seen"
    clock.on(seconds=61)
    told = ready(app)
    assert (told["status"], told["troubles"]) == ("degraded", ["worker"])


def test_a_restart_after_a_power_cut_raises_no_alarm_until_the_worker_had_a_minute(
    app: Flask, clock: Clock
) -> None:
    with app.app_context():
        factories.host()
    clock.on(minutes=3)
    app.extensions["started"] = clock()
    assert (ready(app)["status"], ready(app)["worker"]) == ("ready", "not seen for 3 minutes")
    clock.on(seconds=61)
    assert ready(app)["troubles"] == ["worker"]


def test_the_troubles_of_another_host_do_not_degrade_this_one(app: Flask, clock: Clock) -> None:
    with app.app_context():
        factories.host(THERE, free_bytes=10**8)
        clock.on(hours=3)
        factories.host()
    told = ready(app)
    assert (told["status"], told["troubles"]) == ("ready", [])
    assert told["troubles of"] == {"this host": [], "the site": [], "other hosts": ["worker"]}
    assert told["hosts"]["not seen"] == 1
    with app.app_context():
        factories.host(THERE, free_bytes=10**8, trouble="OSError")
        factories.host(free_bytes=10**8)
        sign_in.ask_for_link("robin@org.example", "/", clock(), secret="s", host="h")
        clock.on(minutes=12)
        factories.host(free_bytes=10**8, sends=False)
        factories.host(THERE, free_bytes=10**8, trouble="OSError", sends=False)
    told = ready(app)
    assert (told["status"], told["troubles"]) == ("degraded", ["mail", "disk"])
    assert told["troubles of"] == {
        "this host": ["disk"],
        "the site": ["mail"],
        "other hosts": ["publication", "disk"],
    }


def test_mail_that_is_stuck_takes_the_site_from_nobody_and_names_nobody(
    app: Flask, clock: Clock
) -> None:
    with app.app_context():
        sign_in.ask_for_link("robin@org.example", "/", clock(), secret="s", host="h")
        clock.on(minutes=12)
        factories.host(heard=timedelta(minutes=2), said="NotLetIn: 535 for robin of one.example")
    told = ready(app)
    assert told["troubles"] == ["mail"]
    assert told["mail"] == "1 message waiting, the oldest for 12 minutes"
    assert told["mail server"] == "took no mail 2 minutes ago"
    for secret in ("robin", "535", "one.example", HERE):
        assert secret not in json.dumps(told)


def test_each_other_trouble_is_told_in_its_member(app: Flask) -> None:
    with app.app_context():
        factories.host(edition=None, free_bytes=10**8, trouble="OlderEdition: of /srv/secret")
        factories.host(THERE, sends=False, edition=None)
    told = ready(app)
    assert told["troubles"] == ["publication", "disk"]
    assert told["hosts"]["behind"] == 2
    assert told["publication"] == "fails on 1 host"
    assert told["disk"] == "0% free"
    assert "secret" not in json.dumps(told)


def test_a_host_that_lags_behind_is_told_where_publishing_is(app: Flask) -> None:
    with app.app_context():
        factories.host(edition=None)
    told = ready(app)
    assert told["troubles"] == ["publication"]
    assert told["publication"] == "is late on 1 host"


def test_a_host_whose_worker_just_started_is_not_late_with_an_edition(app: Flask) -> None:
    with app.app_context():
        factories.host(edition=None, age=timedelta(seconds=40))
    told = ready(app)
    assert (told["status"], told["publication"]) == ("ready", "ok")


def test_a_site_whose_database_is_away_is_not_ready_and_then_gives_its_worker_a_minute(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_here: object, **_more: object) -> None:
        raise DatabaseAway("SELECT", {}, OSError("gone"))

    with app.app_context():
        factories.host()
    clock.on(minutes=3)
    assert ready(app)["troubles"] == ["worker"]
    with monkeypatch.context() as patched:
        patched.setattr("app.services.operations.site_condition.site_condition", fail)
        assert ready(app, 503) == {"status": "the database cannot be reached"}
    clock.on(seconds=50)
    assert ready(app)["status"] == "ready", "no sign of life could be saved until then"
    clock.on(seconds=20)
    assert ready(app)["troubles"] == ["worker"]


# ---- a database that saves nothing


@pytest.fixture
def probing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is tried each time that somebody asks."""
    monkeypatch.setattr(database_binding, "PROBE_EVERY", 0)


ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@ON_SQLITE
@pytest.mark.usefixtures("probing")
def test_a_site_whose_database_has_no_space_left_is_not_ready_though_signs_of_life_are_kept(
    app: Flask, clock: Clock
) -> None:
    with app.app_context():
        factories.host()
        assert ready(app)["status"] == "ready"
        with no_new_pages():
            factories.host()  # an update in place
            told = ready(app, 503)
            clock.on(minutes=3)
            later = ready(app, 503)
        factories.host()
        assert ready(app)["status"] == "ready"
    assert told["status"] == "the disk of the database is full"
    assert (told["database"], told["troubles"]) == ("disk full", ["database"])
    assert told["publication"] == "stopped: the database saves no new data"
    assert told["worker"] == "seen 0 seconds ago", "updates in place are saved"
    assert later["worker"] == "not known: the worker last reported 3 minutes ago"
    assert later["troubles"] == ["database"]


@ON_SQLITE
@pytest.mark.usefixtures("probing")
def test_operators_see_why_nothing_is_saved_and_everybody_else_only_that(
    app: Flask, clock: Clock
) -> None:
    operator = _operator(app, clock)
    with app.app_context():
        factories.host()
        with no_new_pages():
            for path in ("/desk/", "/desk/status/"):
                well(operator.get(path), "Changes can't be saved.", "database or disk is full")
            assert "database or disk" not in json.dumps(ready(app, 503))


@ON_SQLITE
@pytest.mark.usefixtures("probing")
def test_a_full_disk_next_to_a_file_with_free_pages_is_seen(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(attempts, "TemporaryFile", full)
    assert ready(app, 503)["status"] == "the disk of the database is full"


@pytest.mark.usefixtures("probing")
def test_a_database_that_is_only_read_is_not_ready(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise InternalError("INSERT", {}, ReadOnlySqlTransaction("cannot execute INSERT"))

    monkeypatch.setattr(attempts, "try_write", refuse)
    told = ready(app, 503)
    assert (told["status"], told["database"]) == ("the database accepts no changes", "read-only")


@pytest.mark.usefixtures("probing")
def test_a_test_write_leaves_nothing_and_waits_for_nobody(app: Flask) -> None:
    def count() -> int:
        return db.session.query(Attempt).count()

    with app.app_context():
        factories.host()
        with read_transaction():
            before = count()
        ready(app)
        with transaction():  # on SQLite nobody else can write meanwhile
            db.session.add(Attempt(what="test", whose="x", at=app.extensions["now"]()))
            db.session.flush()
            with ThreadPoolExecutor(1) as another:
                assert another.submit(ready, app).result()["status"] == "ready"
            assert count() == before + 1


def test_the_database_is_tried_now_and_then_however_often_somebody_asks(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[None]()
    monkeypatch.setattr(attempts, "try_write", lambda: tried.append(None))
    moment = [1000.0]
    clock = "app.services.operations.database_binding.time.monotonic"
    monkeypatch.setattr(clock, lambda: moment[0])
    for _ in range(5):
        ready(app)
        moment[0] += 1
    assert len(tried) == 1
    moment[0] += 5
    ready(app)
    assert len(tried) == 2


def _operator(app: Flask, clock: Clock) -> Visitor:
    with app.app_context():
        people = factories.cast(clock())
        return Visitor(app, sign_in.enter_as(people.operator.email, clock()).token)


def test_operators_see_each_host_with_what_its_worker_told(app: Flask, clock: Clock) -> None:
    operator = _operator(app, clock)
    well(operator.get("/desk/status/"), "No worker has run on any host yet.", "1 problem")
    with app.app_context():
        factories.host(heard=timedelta(minutes=2))
    page = well(
        operator.get("/desk/status/"),
        "No problems.",
        "one.example",
        "This page was served by this host.",
    )
    assert "accepted a message 2 minutes ago" in page.text("//main")
    assert "50.0 GB free, 50% of the disk" in page.text("//main")
    with app.app_context():
        factories.host(THERE, trouble="OSError: no space", said="535 no", heard=timedelta())
    page = well(operator.get("/desk/status/"), "1 problem", "two.example")
    assert "Publishing fails on two.example: OSError: no space" in page.text("//main")
    assert "refused a message 0 seconds ago: 535 no" in page.text("//main")


def test_the_desk_says_in_one_line_what_is_wrong(app: Flask, clock: Clock) -> None:
    operator = _operator(app, clock)
    with app.app_context():
        factories.host()
    assert "/desk/status/" in operator.get("/desk/").values("href", "a")
    assert "problem" not in operator.get("/desk/").text("//main")
    clock.on(minutes=4)
    page = well(operator.get("/desk/"), "No worker has reported for 4 minutes.")
    assert len(page.each("//main//p[contains(@class, 'say')]")) == 1


def test_a_mail_server_that_is_away_leaves_two_figures_on_the_desk(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh.app.app_context(), transaction():
        db.session.execute(db.text("UPDATE outbox SET why = '451 Later', attempts = 1"))
    page = fresh.visitor("operator").get("/desk/")
    said = page.text("//main")
    assert said.count("Failed e-mails") == 1
    assert re.search(r"Failed e-mails 1 E-mails waiting to be resent [1-9]", said)
    assert "451 Later" not in page.text("//main")


@pytest.mark.postgresql
def test_an_operator_takes_a_host_off_the_list_that_is_no_more(fresh: World) -> None:
    operator, path = fresh.visitor("operator"), "/desk/status/"
    page = operator.get(path)
    assert "two.example" in page.text("//main")
    assert operator.send(path, action=fresh.path("/desk/status/{host}/dismiss")).status == 303
    well(operator.get(path), "Host removed.", "No worker has run on any host yet.")
    with fresh.app.app_context():
        assert db.session.query(Host).count() == 0


def test_a_registration_is_said_to_be_published_within_seconds_only_where_it_is(
    fresh: World, tmp_path: Any
) -> None:
    operator = fresh.visitor("operator")
    path = fresh.path("/desk/{approved}/register")
    assert operator.send(path, {"reference": "RFC 8141"}, action=path).status == 303
    said = operator.get(fresh.path("/requests/{approved}")).text("//body")
    assert "Registered. The next edition of the registry will be published when" in said
    assert "no worker has reported for 3 days" in said
