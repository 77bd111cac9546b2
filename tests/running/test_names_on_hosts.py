"""Names on several hosts: a change is led on by everywhere, also while the database is away."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState
from app.bundles.given_numbers import GivenNumberFolder
from app.bundles.name_copies import NameCopyWriter
from app.config import Settings
from app.factory import now, open_application
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration
from app.services.registry.record_import import RecordImport, import_records
from tests import factories
from tests.conftest import Clock, leave_out
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.hosts import Hosts, hosts
from tests.running.run_delays import RunDelays, worker_of
from tests.running.sites import get, get_when_ready
from tests.services.assigned_names.conftest import NameDesk, revision
from tests.torture.conftest import rounds
from tests.waiting import DEADLINE

HOSTS, CHANGES = rounds(3, 2), rounds(10, 4)
SECONDS = 2.0


class _Now(Clock):
    def __call__(self) -> Any:
        return now()


@contextmanager
def _desk(url: str, folder: Path) -> Iterator[NameDesk]:
    """Somebody who gives names on a host of their own."""
    with open_application(Settings(data_dir=folder, database_url=url, secret_key="-")):
        known = Registration(name="10099", space=NAAN_SPACE, contact=())
        import_records(RecordImport(records={NAANS.id: [known]}), now())
        made = NameDesk(factories.cast(now()), _Now(), folder / "given")
        made.prefix = made.add("ark:10099/x5")
        yield made


def _wait_until_led(all_hosts: Hosts, name: str, status: int, target: str = "") -> float:
    """The seconds until each host was asked for a name and answered it so."""
    began = time.monotonic()
    waiting, seconds = {*all_hosts}, 0.0
    while waiting:
        assert time.monotonic() < began + DEADLINE, (name, status, len(waiting))
        for host in [*waiting]:
            asked = time.monotonic() - began
            answer, headers, _ = get(host.port, f"/{name}")
            if (answer, headers.get("Location", "")) == (status, target):
                waiting.discard(host)
                seconds = asked
        time.sleep(0.01)
    return seconds


def _followed(port: int, after: int) -> Iterator[Mapping[str, Any]]:
    """The changes after one, as a mirror asks for them, in small parts."""
    target = f"/names/changes?after={after}&limit=3"
    while target:
        status, headers, body = get(port, target)
        assert status == 200
        yield from map(json.loads, body.splitlines())
        target = headers.get("Link", "").partition("<")[2].partition(">")[0]


def _names_in(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as copy:
        return copy.execute("SELECT name, change, document FROM names ORDER BY name").fetchall()


@pytest.fixture
def server() -> Iterator[PostgreSQL]:
    """A PostgreSQL server that this test may stop."""
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as made:
        yield made


@pytest.mark.slow
def test_a_change_is_led_on_by_everywhere_also_while_the_database_is_away(
    server: PostgreSQL, tmp_path: Path
) -> None:
    url = server.create()
    with hosts(tmp_path, HOSTS, database_url=url, NAANS="no") as found:
        with _desk(url, tmp_path / "own") as desk:
            _changes_are_led_on_by(desk, found, server)
            mirror = NameCopyWriter(tmp_path / "mirror")
            port = found[0].port
            mirror.follow(lambda after: _followed(port, after))
            names = desk.mint(4)
            desk.change(revision(names[0], target="https://a.example/0"))
            desk.mint(1, reserved=True)
            target = "https://a.example/last"
            desk.change(revision(names[1], target=target))
            _wait_until_led(found, names[1], 302, target)
        mirror.follow(lambda after: _followed(port, after))
        copies = [_names_in(host.folder / "names" / "names.sqlite") for host in found]
        assert [_names_in(mirror.path), *copies] == [copies[0]] * (HOSTS + 1)
        assert len(copies[0]) > CHANGES
        given = GivenNumberFolder(found[0].folder / "given")
        assert given.next_of("ark:10099/x5") == desk.given.next_of("ark:10099/x5")
        server.stop()
        _is_led_without_the_database(found, names, target)
        found[1].kill()
        found[1].start()  # also by a host that begins meanwhile
        found[1].wait("/healthz")
        _is_led_without_the_database(found, names, target)
        assert get(found[1].port, "/readyz")[0] == 503
        server.start()
        found[1].wait()
        with open_application(
            Settings(data_dir=tmp_path / "own", database_url=url, secret_key="-")
        ):
            desk.change(revision(names[1], target="https://a.example/back"))
        _wait_until_led(found, names[1], 302, "https://a.example/back")


def _changes_are_led_on_by(desk: NameDesk, found: Hosts, server: PostgreSQL) -> None:
    """Each within the time, but for that in which who takes part was given no processor."""
    took = []
    for number in range(CHANGES):
        name, target = desk.mint()[0], f"https://a.example/{number}"
        desk.change(revision(name, target=target))
        database, workers = server.processes, [worker_of(host.pid) for host in found]
        delays = RunDelays([*database, *chain(*workers)])
        seconds = _wait_until_led(found, name, 302, target)
        # the worker of a host asks the database, one after the other
        waited = delays.longest(database) + max(map(delays.longest, workers))
        took.append((seconds, waited))
    assert all(seconds - waited < SECONDS for seconds, waited in took), took
    withdrawn = AssignedNameState.WITHDRAWN
    desk.change(revision(name, state=withdrawn, reason="Given twice.", since="2026-09-01"))
    _wait_until_led(found, name, 410)


def _is_led_without_the_database(found: Hosts, names: list[str], target: str) -> None:
    for host in found:
        status, headers, _ = get_when_ready(host.port, f"/{names[1]}/page?q=1")
        assert (status, headers["Location"]) == (302, f"{target}/page?q=1")
        status, _, body = get_when_ready(host.port, f"/{names[0]}?info", accept="application/json")
        assert status == 200 and b"https://a.example/0" in body
        assert get_when_ready(host.port, "/names/changes?after=0")[0] == 200
