"""Two hosts whose older dump is put back: the one that heard nothing gives nothing."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.config import Settings
from app.factory import now, open_application
from app.problems import assigned_name_codes as codes
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration
from app.services.refusals import Refusal
from app.services.registry.record_import import RecordImport, import_records
from tests import factories
from tests.conftest import Clock, leave_out
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.hosts import Host, hosts
from tests.running.sites import get, get_when_ready, settings_of
from tests.services.assigned_names.conftest import NameDesk, revision
from tests.waiting import DEADLINE, wait_until


class _Now(Clock):
    def __call__(self) -> datetime:
        return now()


class DumpedServer:
    """A server of which a database is dumped, and put back as an operator does it."""

    def __init__(self, binaries: Path, server: PostgreSQL, file: Path) -> None:
        self._binaries, self._server, self._file = binaries, server, file
        self.url = server.create("registry")
        self._plain = self.url.replace("+psycopg", "")

    def dump(self) -> None:
        """Keep the database as it is."""
        self._run("pg_dump", "-Fc", "-f", str(self._file), self._plain)

    def put_back(self) -> None:
        """Let the database be what was dumped."""
        self._server.drop(self.url)
        self._server.create("registry")
        self._run("pg_restore", "-d", self._plain, str(self._file))

    def _run(self, program: str, *words: str) -> None:
        subprocess.run([self._binaries / program, *words], check=True, timeout=DEADLINE)


@pytest.fixture
def dumped(tmp_path: Path) -> Iterator[DumpedServer]:
    """A server of this test's own."""
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as server:
        yield DumpedServer(binaries, server, tmp_path / "dump")


@contextmanager
def at(host: Host, url: str, desk: NameDesk | None = None) -> Iterator[NameDesk]:
    """Somebody who gives names on a host; the first brings the NAAN and its prefix."""
    with open_application(Settings(data_dir=host.folder, database_url=url, secret_key="-")):
        if desk is None:
            known = Registration(name="10099", space=NAAN_SPACE, contact=())
            import_records(RecordImport(records={NAANS.id: [known]}), now())
            desk = NameDesk(factories.cast(now()), _Now(), host.folder / "given")
            desk.prefix = desk.add("ark:10099/x5")
        yield NameDesk(desk.people, _Now(), host.folder / "given", desk.prefix)


def led(host: Host, name: str) -> Callable[[], bool]:
    return lambda: get(host.port, f"/{name}")[0] == 302


def troubles(host: Host) -> list[str]:
    told: Any = json.loads(get(host.port, "/readyz")[2])
    return list(told["troubles"])


def is_at_peace(host: Host) -> Callable[[], bool]:
    return lambda: "names" not in troubles(host)


def command(host: Host, *words: str) -> str:
    """Carry a command out as on that host, in this process: another would take long to begin."""
    said = StringIO()
    with settings_of(host.env), redirect_stdout(said), redirect_stderr(said):
        code = main([*words])
    assert code in (0, 1), said.getvalue()
    return f"{code} {said.getvalue()}"


@pytest.mark.slow
def test_a_host_that_did_not_hear_of_lost_names_gives_none_of_them_after_a_dump_is_put_back(
    dumped: DumpedServer, tmp_path: Path
) -> None:
    url = dumped.url
    with hosts(tmp_path, 2, database_url=url, NAANS="no") as (a, b):
        with at(a, url) as desk:
            names = desk.mint(2)
            desk.change(revision(names[0], target="https://a.example/before"))
        for host in (a, b):
            wait_until(led(host, names[0]))
        b.stop()
        dumped.dump()
        with at(a, url, desk) as of_a:
            lost = of_a.mint(4)
            of_a.change(revision(lost[0], target="https://a.example/lost"))
        wait_until(led(a, lost[0]))
        a.stop()
        dumped.put_back()
        b.start()
        b.wait()
        wait_until(lambda: "names" in troubles(b))
        with at(b, url, desk) as of_b, pytest.raises(Refusal) as refused:
            of_b.mint(6)
        assert refused.value.code is codes.NUMBERS_AWAITED
        a.start()
        a.wait()
        wait_until(
            lambda: "older backup" in command(a, "names", "resume", "--by", _by(desk), *_WHY)
        )
        told = command(a, "names", "verify", "--lost", str(tmp_path / "lost.jsonl"))
        assert lost[0] in told
        with at(b, url, desk) as of_b:
            given = of_b.mint(6)
            assert not {*given} & {*lost, *names}
            of_b.change(revision(given[0], target="https://a.example/after"))
        for host in (a, b):
            wait_until(led(host, given[0]))
            assert get_when_ready(host.port, f"/{lost[0]}")[0] == 404
            wait_until(is_at_peace(host))  # a process trusts for a while what it knew
        assert (
            command(b, "names", "import", str(tmp_path / "lost.jsonl"), "--prefix", _X5)[0] == "0"
        )
        for host in (a, b):
            wait_until(led(host, lost[0]))


_X5 = "ark:10099/x5"
_WHY = ("--reason", "The disk broke; what is lost is on file.")


def _by(desk: NameDesk) -> str:
    return desk.people.operator.email
