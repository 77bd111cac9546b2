"""One secret for all hosts."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for it; the first host that starts keeps it there."""
    op.create_table(
        "installation_secret",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("changed", sa.DateTime(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_installation_secret_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation_secret")),
    )


def downgrade() -> None:
    """Drop it: each host has a secret of its own again, and every session and link ends."""
    drop_triggers(op.get_bind())
    op.drop_table("installation_secret")
