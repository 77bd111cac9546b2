"""Which software can run with the schema, told to software that does not know it."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None
# Each migration from here on says which software can run beside the newest: the oldest by the
# revision that it expects. One that only adds gives what the one before gave.
oldest = "0016"


def upgrade() -> None:
    """Make room for one row; what every upgrade ends with writes it."""
    op.create_table(
        "oldest_software",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oldest_software")),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("oldest_software")
