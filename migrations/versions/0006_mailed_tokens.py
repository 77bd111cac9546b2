"""Which addresses for answers count; links that came with work to do sign nobody in any more."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for the one, and use the others up: they were quoted where everybody reads."""
    generation = sa.Column("reply_generation", sa.Integer(), server_default="0", nullable=False)
    op.add_column("account", generation)
    op.execute(
        "UPDATE sign_in SET used = created, kept = '' WHERE expires IS NOT NULL AND used IS NULL"
    )


def downgrade() -> None:
    """Drop it. What was used up stays so."""
    drop_triggers(op.get_bind())
    op.execute("ALTER TABLE account DROP COLUMN reply_generation")
