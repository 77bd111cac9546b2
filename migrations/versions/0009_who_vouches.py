"""How a comment came, and who entered an appointment."""

from typing import Literal

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# in words of SQL, since a batch would make the table anew without its other CHECKs
CHANNEL = (
    "ALTER TABLE comment ADD COLUMN channel VARCHAR(16) DEFAULT '' NOT NULL CONSTRAINT "
    "ck_comment_channel CHECK (channel IN ('', 'page', 'reply', 'dmarc', 'placed'))"
)
REFERRING = {"role_grant": ("entered_by", "confirmed_by"), "temporary_expert": ("entered_by",)}
ROLES = "role IN ('operator', 'expert', 'leader')"
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# Each appointment left an event of its moment, with who entered it.
GRANTED = (
    "UPDATE role_grant SET entered_by = (SELECT max(event.actor) FROM event "
    "WHERE event.subject = 'account' AND event.about = CAST(role_grant.account AS VARCHAR(20)) "
    "AND event.kind = 'granted ' || role_grant.role AND event.at = role_grant.starts)"
)
ANSWERED = (
    "UPDATE temporary_expert SET entered_by = (SELECT max(event.actor) FROM event "
    "WHERE event.subject = 'request' "
    "AND event.about = CAST(temporary_expert.request AS VARCHAR(20)) "
    "AND event.kind = 'answered' AND event.at = temporary_expert.starts)"
)


def _checks(table: str) -> tuple[sa.CheckConstraint, ...]:
    """What SQLite does not tell of a table, and a batch would lose."""
    of_roles = sa.CheckConstraint(ROLES, name=op.f("ck_role_grant_role"))
    return (of_roles,) if table == "role_grant" else ()


def _refer(table: str) -> None:
    """Let it say which accounts entered and confirmed it; SQLite makes the table anew for that."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    checks = _checks(table)
    anew: Literal["always", "never"] = "always" if is_sqlite else "never"
    with op.batch_alter_table(table, recreate=anew, table_args=tuple(checks)) as batch:
        for column in REFERRING[table]:
            name = op.f(f"fk_{table}_{column}_account")
            account = sa.ForeignKey("account.id", name=name)
            batch.add_column(sa.Column(column, KEY, account, nullable=True))


def upgrade() -> None:
    """Make room for it, and say what is known of appointments."""
    op.execute(CHANNEL)
    origin = sa.Column("origin", sa.String(length=320), server_default="", nullable=False)
    op.add_column("comment", origin)
    for table in REFERRING:
        _refer(table)
    op.execute(GRANTED)
    op.execute(ANSWERED)


def downgrade() -> None:
    """Drop it, and what it holds."""
    drop_triggers(op.get_bind())
    for table, columns in REFERRING.items():
        _forget(table, columns)
    for column in ("origin", "channel"):
        op.execute(f"ALTER TABLE comment DROP COLUMN {column}")


def _forget(table: str, columns: tuple[str, ...]) -> None:
    checks = _checks(table)
    with op.batch_alter_table(table, table_args=tuple(checks)) as batch:
        for column in columns:
            batch.drop_column(column)
