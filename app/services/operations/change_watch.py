"""Tell whether the database has changed, so that an idle worker has nothing to ask it."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from app.store.database import db


class ChangeWatch:
    """A number that SQLite changes when another connection commits.

    Reading it takes a few microseconds and no lock. Other databases have no such number.
    """

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        path = db.engine.url.database
        if db.engine.dialect.name == "sqlite" and path and Path(path).is_absolute():
            with suppress(sqlite3.Error):
                address = f"{Path(path).as_uri()}?mode=ro"
                self._connection = sqlite3.connect(address, uri=True, isolation_level=None)

    def version(self) -> int | None:
        """Return a number that stays the same while nothing changes; None where unknown."""
        if self._connection is None:
            return None
        try:
            number: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error:
            return None
        return number

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
