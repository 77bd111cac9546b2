"""Migrations, run from code: the same on a laptop, in a test and on a server."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from app.store.database import db

HEAD = "head"
_LOCK = 8141  # any number will do, as long as every upgrade takes the same


def migrate(scripts: Path, revision: str = HEAD) -> None:
    """Bring the database to a revision, up or down; one process at a time."""
    with db.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            # a batch migration copies tables; with the keys on, children of the old one go
            connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            _run(connection, scripts, revision)
        if connection.dialect.name == "sqlite":
            connection.connection.cursor().execute("PRAGMA foreign_keys=ON")


def is_current(scripts: Path) -> bool:
    """Whether the database stands at the newest revision."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    with db.engine.connect() as connection:
        at = MigrationContext.configure(connection).get_current_revision()
    return at == ScriptDirectory.from_config(config).get_current_head()


def _run(connection: Connection, scripts: Path, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    if revision != HEAD and current is not None:
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)
