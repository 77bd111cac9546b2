"""Entries of the record whose words can be shown and their actors not."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

COLUMNS = (
    ("leaf_kind", sa.String(length=16)),
    ("commitment", sa.String(length=64)),
    ("digests", sa.Text()),
)


def upgrade() -> None:
    """Make room beside the leaf; entries of older software have none of it."""
    for name, kind in COLUMNS:
        op.add_column("event", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    """Drop it. The leaves stay, and are known again by later software."""
    drop_triggers(op.get_bind())
    for name, _kind in reversed(COLUMNS):
        op.execute(f"ALTER TABLE event DROP COLUMN {name}")
