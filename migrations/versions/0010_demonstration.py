"""What was made in a demonstration is told from what counts."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TABLES = ("account", "session", "role_grant", "temporary_expert", "representative", "holder")
PEOPLE = "account IN (SELECT id FROM account WHERE demo)"
ENTERED = "entered_by IN (SELECT id FROM account WHERE demo)"  # its operators appointed others too


def upgrade() -> None:
    """Mark what the people of a demonstration have, whom older software told by their address."""
    for table in TABLES:
        demo: sa.Column[bool] = sa.Column(
            "demo", sa.Boolean(), server_default=sa.false(), nullable=False
        )
        op.add_column(table, demo)
    op.execute("UPDATE account SET demo = true WHERE lower(email) LIKE '%@demo.example'")
    for table in ("session", "role_grant"):
        op.execute(f"UPDATE {table} SET demo = true WHERE {PEOPLE}")
    for table in ("role_grant", "temporary_expert"):
        op.execute(f"UPDATE {table} SET demo = true WHERE {ENTERED}")


def downgrade() -> None:
    """Forget the marks; what they made void would count again, so that it ends."""
    drop_triggers(op.get_bind())
    op.execute("UPDATE session SET ended = created WHERE demo AND ended IS NULL")
    for table in ("role_grant", "representative", "holder"):
        op.execute(f"UPDATE {table} SET ends = starts WHERE demo")
    op.execute("DELETE FROM temporary_expert WHERE demo")
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN demo")
