"""Which hosts this registry runs on, and how their workers do."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "host",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("seen", sa.DateTime(), nullable=False),
        sa.Column("started", sa.DateTime(), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("edition", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("free_bytes", sa.BigInteger(), nullable=False),
        sa.Column("total_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sends", sa.Boolean(), nullable=False),
        sa.Column("published", sa.DateTime(), nullable=True),
        sa.Column("mailed", sa.DateTime(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("mail_at", sa.DateTime(), nullable=True),
        sa.Column("mail_said", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host")),
    )


def downgrade() -> None:
    """Drop it; workers tell anew."""
    drop_triggers(op.get_bind())
    op.drop_table("host")
