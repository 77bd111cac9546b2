"""Run by Alembic; the connection comes from ``app.store.administration.migrations``."""

from alembic import context
from sqlalchemy import text

from app.store import tables  # noqa: F401 — imported for the tables it declares
from app.store.compatibility import note_oldest
from app.store.database import Base
from app.store.triggers import are_complete, make_triggers

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
before = context.get_context().get_current_heads()
context.run_migrations()
now = context.get_context().get_current_revision()
if now is not None:
    note_oldest(connection, getattr(context.script.get_revision(now).module, "oldest", None))
if context.get_context().get_current_heads() != before or not are_complete(connection):
    make_triggers(connection)
if connection.dialect.name == "sqlite":
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    if broken:
        raise RuntimeError(f"the migration leaves rows without their parents: {broken[:5]}")
