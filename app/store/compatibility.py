"""Whether this software can run with the schema that a database has.

During a rolling upgrade two versions run on one database: the newer one brought it to a revision
that the older one does not know. So each schema names the oldest software that can run with it.
"""

from dataclasses import dataclass

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, inspect, select

from app.store.tables import OldestSoftware

_ROW = 1


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revision that a database stands at, and the one that this software expects."""

    revision: str | None
    expected: str
    is_newer: bool = False  # of software that this one does not know
    can_run: bool = False
    is_foreign: bool = False  # the revision is of other software, such as one with Alembic

    @property
    def is_current(self) -> bool:
        return self.revision == self.expected


def state_of(connection: Connection, scripts: ScriptDirectory) -> SchemaState:
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in scripts.walk_revisions()}
    expected = str(scripts.get_current_head())
    if revision is None or revision in known:
        return SchemaState(revision, expected, can_run=revision == expected)
    if not inspect(connection).has_table(OldestSoftware.__tablename__):
        return SchemaState(revision, expected, is_foreign=True)  # newer software has this table
    oldest = _oldest(connection)
    return SchemaState(revision, expected, is_newer=True, can_run=oldest in known)


def note_oldest(connection: Connection, revision: str | None) -> None:
    """Let the schema say which is the oldest software that can run with it."""
    if revision is None or _oldest(connection) == revision:
        return
    connection.execute(delete(OldestSoftware))
    connection.execute(insert(OldestSoftware).values(id=_ROW, revision=revision))


def _oldest(connection: Connection) -> str | None:
    if not inspect(connection).has_table(OldestSoftware.__tablename__):
        return None
    return connection.scalar(select(OldestSoftware.revision).where(OldestSoftware.id == _ROW))
