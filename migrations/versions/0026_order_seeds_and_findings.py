"""The secret order in which a mask gives its names, and how many findings a file has."""

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
    op.add_column(
        "name_import", sa.Column("found", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.execute(
        "UPDATE name_import SET found = (SELECT count(*) FROM name_import_finding"
        " WHERE name_import_finding.import_id = name_import.id)"
    )


def downgrade() -> None:
    """Drop the columns: from now on every prefix mints in the public order."""
    op.execute("ALTER TABLE name_import DROP COLUMN found")
    for table in ("name_prefix", "given_number"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN order_seed")
