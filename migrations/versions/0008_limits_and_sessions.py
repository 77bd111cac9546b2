"""What was asked for and how often; where a session is, and when it was used last."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "attempt",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("whose", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_index(op.f("ix_attempt_what_whose_at"), "attempt", ["what", "whose", "at"])
    op.create_index(op.f("ix_attempt_at"), "attempt", ["at"])
    op.create_index(op.f("ix_sign_in_created"), "sign_in", ["created"])
    for name, length in (("network", 64), ("device", 80)):
        column = sa.Column(name, sa.String(length=length), server_default="", nullable=False)
        op.add_column("session", column)
    op.add_column("session", sa.Column("last_used", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop them, and what they hold."""
    drop_triggers(op.get_bind())
    for name in ("last_used", "device", "network"):
        op.execute(f"ALTER TABLE session DROP COLUMN {name}")
    op.drop_index(op.f("ix_sign_in_created"), "sign_in")
    op.drop_table("attempt")
