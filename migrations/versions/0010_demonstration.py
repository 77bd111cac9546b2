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
# Its operators appointed others too, and only the event tells who did.
APPOINTED = """
UPDATE role_grant SET demo = true WHERE EXISTS (
  SELECT 1 FROM event JOIN account ON account.id = event.actor
  WHERE account.demo AND event.subject = 'account' AND event.at = role_grant.starts
  AND event.about = CAST(role_grant.account AS VARCHAR)
  AND event.kind = 'granted ' || role_grant.role)
"""


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
    op.execute(APPOINTED)


def downgrade() -> None:
    """Forget the marks; what they made void would count again, so that it ends."""
    drop_triggers(op.get_bind())
    op.execute("UPDATE session SET ended = created WHERE demo AND ended IS NULL")
    for table in ("role_grant", "representative", "holder"):
        op.execute(f"UPDATE {table} SET ends = starts WHERE demo AND ends IS NULL")
    op.execute("DELETE FROM temporary_expert WHERE demo")
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN demo")
