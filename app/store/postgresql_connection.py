"""Connections to PostgreSQL that give up a server which stopped responding.

A server that is frozen keeps its connections open, and the kernel confirms every packet. So neither
its own timeouts nor those of TCP end a wait. Import this only where psycopg is installed.
"""

import time
from collections.abc import Generator
from math import inf
from typing import Any, Self

import psycopg
from psycopg import OperationalError
from psycopg.errors import ConnectionTimeout

ASKS_AFTER = 3.0  # seconds without a byte, and a new connection shows whether the server responds
_RESPONDS_WITHIN = 4  # seconds to accept that connection
_REMEMBERED = 1.0  # seconds in which no connection is tried after that
_NO_RESPONSE = "the server does not respond"


class DatabaseConnection(psycopg.Connection[Any]):
    """A connection that fails after seconds if its server stopped responding.

    A long statement, or a wait for a lock, goes on as long as the server accepts new connections.
    ``longest_silence`` in seconds ends it anyway, for example behind a pooler that responds itself.
    """

    longest_silence = inf
    _found_silent = -inf

    @classmethod
    def connect(cls, conninfo: str = "", **given: Any) -> Self:
        """Connect, or raise OperationalError."""
        if time.monotonic() - DatabaseConnection._found_silent < _REMEMBERED:
            raise OperationalError(_NO_RESPONSE)
        try:
            return super().connect(conninfo, **given)
        except ConnectionTimeout as error:
            DatabaseConnection._found_silent = time.monotonic()
            raise OperationalError(f"{_NO_RESPONSE}: {error}") from error

    def wait(self, gen: Any, *limits: Any, **named: Any) -> Any:
        """Run a generator of psycopg to its end. Raises OperationalError for a silent server."""
        return super().wait(self._watched(gen), *limits, **named)

    def _watched(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        try:
            awaited = next(gen)
            heard = asked = time.monotonic()
            while True:
                ready = yield awaited
                now = time.monotonic()
                if ready:
                    heard = asked = now
                elif now - asked > ASKS_AFTER:
                    if now - heard > self.longest_silence or not self._responds():
                        self.pgconn.finish()
                        raise OperationalError(_NO_RESPONSE)
                    asked = time.monotonic()
                awaited = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _responds(self) -> bool:
        info = self.info
        try:
            psycopg.connect(
                info.dsn,
                host=info.host,
                hostaddr=info.hostaddr or None,
                port=info.port,
                password=info.password or None,
                connect_timeout=_RESPONDS_WITHIN,
                target_session_attrs="any",
            ).close()
        except ConnectionTimeout:
            DatabaseConnection._found_silent = time.monotonic()
            return False
        except OperationalError:
            return True
        return True
