"""A mail server in bad weather, and the worker at its door, who can be killed at any moment."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

from aiosmtpd.smtp import SMTP

from tests.outside.test_smtp import Mailbox, Running
from tests.processes import PROCESSES
from tests.torture import sending
from tests.torture.sending import Turn

NOBODY = "nobody@org.example"
TAKES, DIES, STALLS = "takes it", "dies with it", "stalls"
BEFORE, WITH, AFTER = "killed before", "killed with it", "killed after the 250"
BAD = ["MAIL", "RCPT", "DATA", DIES, STALLS, BEFORE, WITH, AFTER, AFTER]
PATIENCE, STALL = 0.5, 0.8  # seconds that a worker waits, and that a server stalls
_FOR_EVER = 120  # a kill limit


@dataclass
class Handed:
    """A message that the server kept. ``is_told``: the worker heard of it and lived."""

    ident: str
    is_told: bool = False


class Weather:
    """What befalls messages and workers, by chance from a seed."""

    def __init__(self, seed: int = 0, *, calm: bool = False) -> None:
        self.chance = Random(seed)
        self.calm = calm
        self.always = ""  # what befalls every message, where a test wants one thing alone
        self.stall = STALL
        self.handed: list[Handed] = []
        self.promised: list[str] = []
        self.befell: list[str] = []

    def choose(self) -> str:
        """What happens to the next message."""
        kind = self.always or (TAKES if self.calm else self.chance.choice([TAKES] * 9 + BAD))
        self.befell.append(kind)
        return kind

    @property
    def kept(self) -> Counter[str]:
        """How often the server kept each message."""
        return Counter(handed.ident for handed in self.handed)


class Door(Mailbox):
    """The mail server as one worker finds it. What it hands over after its death nobody told it."""

    def __init__(self, weather: Weather) -> None:
        super().__init__()
        self.weather = weather
        self.kind = TAKES
        self.pid = 0
        self.is_struck = False
        self.handed: Handed | None = None
        self.stalls, self.goes_on = Event(), Event()

    def strike(self) -> None:
        """Kill the worker: of what it handed over last it may or may not have made a note."""
        if not self.is_struck:
            os.kill(self.pid, signal.SIGKILL)
            self.is_struck = True
            if self.handed:
                self.handed.is_told = False

    async def handle_MAIL(self, *given: Any) -> str:  # noqa: N802 — the name that the server asks for
        """A message begins."""
        self.kind = self.weather.choose()
        self.answers = {self.kind: "451 try again later"}
        if self.kind == BEFORE:
            self.strike()
        return await super().handle_MAIL(*given)

    async def handle_RCPT(  # noqa: N802 — the name that the server asks for
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """A recipient is named."""
        if address == NOBODY:
            return "550 5.1.1 no such user"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(  # noqa: N802 — the name that the server asks for
        self, server: SMTP, _session: Any, envelope: Any
    ) -> str:
        """The message is there."""
        if self.kind == "DATA":
            return "451 try again later"
        ident = message_from_bytes(envelope.content)["Message-ID"]
        self.handed = Handed(ident)
        self.weather.handed.append(self.handed)
        if self.kind in {DIES, STALLS}:
            return await self._go(server)
        if self.kind == WITH:
            self.strike()
        elif self.kind == AFTER:
            later = self.weather.chance.uniform(0, 0.012)
            asyncio.get_running_loop().call_later(later, self.strike)
        self.weather.promised.append(ident)
        return "250 OK"

    async def _go(self, server: SMTP) -> str:
        """Leave the worker without an answer, at once or after longer than it waits."""
        if self.kind == STALLS:
            self.stalls.set()
            await asyncio.to_thread(self.goes_on.wait, self.weather.stall)
        line: Any = server.transport
        line.abort()
        return "421 gone"

    async def handle_QUIT(self, *given: Any) -> str:  # noqa: N802 — the name that the server asks for
        """The worker knows what became of its message."""
        if self.handed and not self.is_struck:
            self.handed.is_told = True
        return await super().handle_QUIT(*given)


class Worker:
    """A process that sends, with a door of its own; killed, it begins anew at another."""

    def __init__(self, weather: Weather, database_url: str, folder: Path) -> None:
        self.weather, self.database_url, self.folder = weather, database_url, folder
        self.deaths = 0
        self._begin()

    def _begin(self) -> None:
        self.door = Door(self.weather)
        self._server = Running(self.door)
        self.address = self._server.__enter__()
        self.line, theirs = PROCESSES.Pipe()
        given = (theirs, self.database_url, self.folder)
        self._process = PROCESSES.Process(target=sending.work, args=given, daemon=True)
        self._process.start()
        theirs.close()
        self.door.pid = self._process.pid or 0

    def end(self) -> None:
        """Stop both; a worker that nobody killed is killed now."""
        self.door.goes_on.set()
        self._server.__exit__()
        with suppress(ProcessLookupError):
            os.kill(self.door.pid, signal.SIGKILL)
        self._process.join()
        self._process.close()
        self.line.close()

    def tell(self, turn: Turn) -> None:
        """Let it send what is due, beginning anew if it was killed since the last turn."""
        try:
            self.line.send(turn)
        except OSError:
            self._begin_anew()
            self.line.send(turn._replace(address=self.address))

    def wait(self) -> None:
        """Until it is through with its turn, or dead."""
        try:
            assert self.line.poll(_FOR_EVER), "the worker hangs"
            self.line.recv()
        except (EOFError, ConnectionResetError):
            self._begin_anew()

    def _begin_anew(self) -> None:
        self._process.join(_FOR_EVER)
        assert self._process.exitcode == -signal.SIGKILL, "it died by itself"
        self.deaths += 1
        self.end()
        self._begin()


@contextmanager
def workers(
    weather: Weather, database_url: str, folder: Path, count: int
) -> Iterator[list[Worker]]:
    """So many workers on one database."""
    made = [Worker(weather, database_url, folder) for _ in range(count)]
    try:
        yield made
    finally:
        for worker in made:
            worker.end()
