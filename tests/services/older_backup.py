"""A database that is saved and put back later, as an operator would after a loss."""

import shutil
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import make_url

from app.services.operations import database_binding
from tests.postgresql import PostgreSQL


@dataclass
class Backup:
    """Saves the database of the application that is in its context, and puts it back."""

    url: str
    folder: Path
    server: PostgreSQL | None
    _saved: str = field(default="", init=False)

    def save(self) -> None:
        """Keep the database as it is now."""
        database_binding.close_connections()
        if self.server is not None:
            self._saved = f"saved_{self._name}"
            self.server.create(self._saved, template=self._name)
            return
        with sqlite3.connect(self._name) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        self._saved = str(shutil.copy(self._name, self.folder / "saved.sqlite3"))

    def save_for(self, folder: Path) -> str:
        """Keep it for tests that follow, whoever ends this one; gives what to put back there."""
        self.save()
        if self.server is None:
            return str(shutil.copy(self._saved, folder))
        saved, self._saved = self._saved, ""
        return saved

    def put_back(self, saved: str = "") -> None:
        """Let the database be what was saved, here or by a test before."""
        database_binding.close_connections()
        if self.server is not None:
            self.server.drop(self.url)
            self.server.create(self._name, template=saved or self._saved)
            return
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._name}{suffix}").unlink(missing_ok=True)
        shutil.copy(saved or self._saved, self._name)

    def end(self) -> None:
        """Leave nothing behind on the server."""
        if self.server is not None and self._saved:
            self.server.drop(str(make_url(self.url).set(database=self._saved)))

    @property
    def _name(self) -> str:
        return str(make_url(self.url).database)
