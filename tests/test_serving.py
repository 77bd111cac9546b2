"""What is said of a site as it starts."""

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from socket import AF_INET, AF_INET6

import pytest

from app import server
from app.cli import main
from app.config import Settings, read_settings
from app.front.processes import _WebProcess, _WebProcesses, config_of, open_socket
from app.server import way_to
from app.services.operations.database_binding import (
    DatabaseNotReady,
    DatabaseUnreachable,
    find_file,
)
from tests.published.bundles import make_bundle


@pytest.mark.parametrize(
    ("base_url", "port", "lines"),
    [
        ("http://127.0.0.1:8000", 8000, 1),
        ("http://127.0.0.1:8000", 8123, 2),
        ("https://registry.example", 8000, 1),  # behind a server that people reach
    ],
)
def test_a_site_on_loopback_says_where_its_links_do_not_lead(
    base_url: str, port: int, lines: int
) -> None:
    said = way_to(Settings(base_url=base_url), "127.0.0.1", port)
    assert said.startswith(f"The registry is at {base_url}\n")
    assert said.count("\n") == lines
    assert ("URN_REGISTRY_BASE_URL=http://127.0.0.1:8123 " in said) == (lines == 2)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with open_socket("127.0.0.1", 0) as listener:
        port: int = listener.getsockname()[1]
        yield port


def test_an_address_that_cannot_be_listened_at_is_said_in_words(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path))
    assert main(["init", "--empty"]) == 0
    capsys.readouterr()
    for given, words in (
        (("--port", str(taken)), "Stop the other server"),
        (("--port", "65536"), "up to 65535"),
        (("--port", "-1"), "up to 65535"),
        (("--host", "nowhere.invalid"), "--host"),
        (("--host", "192.0.2.1"), "another address"),
        (("--host", "é" * 80), "--host"),
    ):
        for what in ((), ("--published", str(tmp_path))):
            assert main(["serve", *given, *what]) == 2
            said = capsys.readouterr().err
            assert "Can't listen on " in said
            assert words in said
            assert "Traceback" not in said


@pytest.mark.parametrize("count", ["0", "-1", "100", "two", "٣"])
def test_processes_are_counted_in_whole_numbers(
    count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["serve", "--workers", count])
    assert caught.value.code == 2
    assert "from 1 to 99" in capsys.readouterr().err


def test_it_listens_by_ipv4_and_by_ipv6() -> None:
    for host, family in (("127.0.0.1", AF_INET), ("::1", AF_INET6)):
        with open_socket(host, 0) as listener:
            assert (listener.family, listener.getsockname()[0]) == (family, host)


class Pipe:
    """The end of a pipe that a web process has: one question came, and its answers are kept."""

    def __init__(self) -> None:
        self.answered = threading.Event()

    def recv(self) -> bytes:
        return b"ping"

    def send(self, _answer: object) -> None:
        self.answered.set()


def test_a_web_process_whose_event_loop_hangs_does_not_say_that_it_lives() -> None:
    config = config_of(lambda: None, 1)  # type: ignore[arg-type, return-value]  # none is made
    process = _WebProcess(config, [])
    process.child_conn = pipe = Pipe()  # type: ignore[assignment]  # as much of one as it needs
    process.server.started = True
    thread = threading.Thread(target=process.pong, daemon=True)
    thread.start()
    assert not pipe.answered.wait(0.3)
    asyncio.run(process.server.on_tick(1))
    assert pipe.answered.wait(60)
    thread.join(60)


class EndedProcess:
    """A web process that a signal ended."""

    pid, exitcode, was_replaced = 1, -15, False

    def kill(self) -> None:
        self.was_replaced = True

    def join(self) -> None:
        """It has ended already."""


@pytest.mark.parametrize("is_stopping", [False, True])
def test_a_web_process_that_ended_is_replaced_unless_the_server_stops(
    is_stopping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal to the whole process group, such as Ctrl-C, ends the web processes too."""
    monkeypatch.setattr("signal.signal", lambda *_: None)
    config = config_of(lambda: None, 1)  # type: ignore[arg-type, return-value]  # none is made
    supervisor, ended = _WebProcesses(config, []), EndedProcess()
    monkeypatch.setattr(supervisor, "_started", EndedProcess)
    supervisor.processes = [ended]  # type: ignore[list-item]  # as much of one as it needs
    if is_stopping:
        supervisor.handle_term()
    supervisor.keep_subprocess_alive()
    assert ended.was_replaced is not is_stopping


class RunningProcess:
    """A web process that answers; one that ``hangs`` ends only when it is killed."""

    def __init__(self, pid: int, *, hangs: bool = False, starts: bool = True) -> None:
        self.pid, self.hangs, self.starts = pid, hangs, starts
        self.exitcode: int | None = None
        self.process = self

    def wait_until_ready(self, _timeout: float, _should_exit: object) -> bool:
        return self.starts

    def terminate(self) -> None:
        self.exitcode = None if self.hangs else 0

    def kill(self) -> None:
        self.exitcode = -9

    def join(self, timeout: float | None = None) -> None:
        assert timeout is not None or self.exitcode is not None, "this would wait for ever"


def supervisor_of(
    monkeypatch: pytest.MonkeyPatch, running: list[RunningProcess], starts: bool = True
) -> _WebProcesses:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    config = config_of(lambda: None, len(running))  # type: ignore[arg-type, return-value]  # none is made
    supervisor = _WebProcesses(config, [])
    supervisor.processes = list(running)  # type: ignore[arg-type]  # as much of one as it needs
    new = (RunningProcess(pid, starts=starts) for pid in range(100, 200))
    monkeypatch.setattr(supervisor, "_started", lambda: next(new))
    return supervisor


@pytest.mark.parametrize("hangs", [False, True])
def test_hup_replaces_every_web_process_by_one_that_is_watched(
    hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = [RunningProcess(pid, hangs=hangs) for pid in (1, 2)]
    supervisor = supervisor_of(monkeypatch, old)
    supervisor.handle_hup()
    assert [process.pid for process in supervisor.processes] == [100, 101]
    assert [process.exitcode for process in old] == [-9 if hangs else 0] * 2


def test_hup_keeps_a_web_process_while_no_other_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor = supervisor_of(monkeypatch, [RunningProcess(1)], starts=False)
    supervisor.handle_hup()
    assert [(one.pid, one.exitcode) for one in supervisor.processes] == [(1, None)]


def test_ttin_and_ttou_start_and_end_web_processes_that_are_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hung = RunningProcess(2, hangs=True)
    supervisor = supervisor_of(monkeypatch, [RunningProcess(1), hung])
    supervisor.handle_ttou()
    assert ([one.pid for one in supervisor.processes], hung.exitcode) == ([1], -9)
    supervisor.handle_ttin()
    assert [one.pid for one in supervisor.processes] == [1, 100]
    assert supervisor.processes_num == 2


def test_a_stop_ends_a_web_process_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    hung = RunningProcess(1, hangs=True)
    supervisor = supervisor_of(monkeypatch, [hung])
    supervisor.terminate_all()
    supervisor.join_all()
    assert hung.exitcode == -9


@pytest.mark.parametrize("left", [None, b""])
def test_a_file_of_the_database_that_was_taken_away_is_one_that_may_come_back(
    left: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that served before goes on with what it has; one that never did is told to begin."""
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path))
    assert main(["init", "--empty"]) == 0
    settings = read_settings(os.environ)
    file = find_file(settings.database)
    assert file is not None
    server._require_database(settings)
    file.unlink()
    if left is not None:
        file.write_bytes(left)
    with pytest.raises(DatabaseNotReady, match="init` first") as told:
        server._require_database(settings)
    assert not isinstance(told.value, DatabaseUnreachable)
    make_bundle().lay_out(settings.published_dir)
    with pytest.raises(DatabaseUnreachable, match="Restore it"):
        server._require_database(settings)


def test_a_worker_that_waits_for_its_database_logs_each_reason_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The disk of the database is full at each of three attempts, then it is away, then back."""
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path))
    caplog.set_level("INFO", "app.server")
    reasons = iter(["Full.", "Full.", "Full.", "Away."])

    def require(_scripts: Path) -> None:
        for reason in reasons:
            raise DatabaseUnreachable(reason)

    assert main(["init", "--empty"]) == 0
    settings = read_settings(os.environ)
    monkeypatch.setattr("app.server.database_binding.require_current", require)
    monkeypatch.setattr(server, "_PAUSE_AWAY", 0.01)
    monkeypatch.setattr("app.server.worker.run", lambda _work: True)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("os.nice", lambda _by: 0)
    assert server.run_worker(settings) == 0
    told = [one.getMessage() for one in caplog.records if one.name == "app.server"]
    assert [one[:5] for one in told if one.endswith(" s.")] == ["Full.", "Away."]
    assert "the worker can use the database now" in told
