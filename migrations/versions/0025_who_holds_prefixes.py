"""Who holds a prefix, as everybody is told."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None
oldest = "0018"


def upgrade() -> None:
    """Make room for it; of the prefixes that are there nothing is told until somebody says it."""
    holder = sa.Column("holder_name", sa.String(length=200), server_default="", nullable=False)
    op.add_column("name_prefix", holder)


def downgrade() -> None:
    """Forget it."""
    op.execute("ALTER TABLE name_prefix DROP COLUMN holder_name")
