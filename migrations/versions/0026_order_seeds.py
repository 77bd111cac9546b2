"""The secret order in which a prefix's mask gives its names."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
oldest = "0018"


def upgrade() -> None:
    """Add the columns. Existing prefixes keep "", which means the public order."""
    for table in ("name_prefix", "given_number"):
        op.add_column(
            table, sa.Column("order_seed", sa.String(length=128), server_default="", nullable=False)
        )


def downgrade() -> None:
    """Drop the seeds: from now on every prefix mints in the public order."""
    for table in ("name_prefix", "given_number"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN order_seed")
