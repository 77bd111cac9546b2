"""What a comment answers, where the list keeps a message, and addresses that mail does not reach."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make room for them."""
    answers = sa.Column("answers", sa.String(length=200), server_default="", nullable=False)
    op.add_column("comment", answers)
    op.create_table(
        "archived",
        sa.Column("message_id", sa.String(length=200), primary_key=True, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
    )
    op.create_table(
        "undeliverable",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.UniqueConstraint("address", name=op.f("uq_undeliverable_address")),
    )


def downgrade() -> None:
    """Drop them, and what they hold."""
    drop_triggers(op.get_bind())
    for table in ("undeliverable", "archived"):
        op.drop_table(table)
    op.execute("ALTER TABLE comment DROP COLUMN answers")
