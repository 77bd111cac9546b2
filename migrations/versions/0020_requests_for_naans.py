"""A request may go by the procedures of NAANs and of shoulders."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None
# From here on two groups have editions, and software of one group numbers none of its own.
oldest = "0018"

BEFORE = "'community', 'standards action', 'fast track', 'informal'"
NOW = f"{BEFORE}, 'NAAN', 'shoulder'"
COLUMNS = ("procedure", "asked_procedure")
USED = (
    "SELECT count(*) FROM request WHERE procedure IN ('NAAN', 'shoulder') "
    "OR asked_procedure IN ('NAAN', 'shoulder')"
)


def upgrade() -> None:
    """Let their words stand where the others do."""
    _allow(NOW, BEFORE)


def downgrade() -> None:
    """Allow the others alone, where no request goes by these."""
    if op.get_bind().scalar(sa.text(USED)):
        raise RuntimeError("there are requests for NAANs or shoulders, which older software lacks")
    _allow(BEFORE, NOW)


def _allow(words: str, instead_of: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rewrite_schema(words, instead_of)
        return
    for column in COLUMNS:
        name = f"ck_request_{column}"
        op.execute(f"ALTER TABLE request DROP CONSTRAINT {name}")
        op.execute(f"ALTER TABLE request ADD CONSTRAINT {name} CHECK ({column} IN ({words}))")


def _rewrite_schema(words: str, instead_of: str) -> None:
    """Change the CHECKs where SQLite keeps them, since they alter no row.

    Source: https://sqlite.org/lang_altertable.html, section 7.
    """
    connection = op.get_bind()
    version = connection.scalar(sa.text("PRAGMA schema_version"))
    connection.execute(sa.text("PRAGMA writable_schema = ON"))
    connection.execute(
        sa.text(
            "UPDATE sqlite_master SET sql = replace(sql, :before, :now) "
            "WHERE type = 'table' AND name = 'request'"
        ),
        {"before": f"IN ({instead_of})", "now": f"IN ({words})"},
    )
    connection.execute(sa.text(f"PRAGMA schema_version = {version + 1}"))
    connection.execute(sa.text("PRAGMA writable_schema = OFF"))
