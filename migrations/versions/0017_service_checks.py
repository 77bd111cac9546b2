"""Whether the services answer that names lead to, and who asks them now."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None
oldest = "0016"


def upgrade() -> None:
    """Make the two tables; software that does not know them goes on as before."""
    op.create_table(
        "service_check",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("urn", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("looked", sa.DateTime(), nullable=True),
        sa.Column("answers", sa.Boolean(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=True),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.CheckConstraint("failures >= 0", name=op.f("ck_service_check_count")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_service_check")),
    )
    op.create_index(op.f("ix_service_check_namespace"), "service_check", ["namespace"])
    op.create_table(
        "check_round",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("leased_until", sa.DateTime(), nullable=True),
        sa.Column("done", sa.DateTime(), nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_check_round_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_check_round")),
    )


def downgrade() -> None:
    """Forget what was seen; it is seen anew."""
    drop_triggers(op.get_bind())
    op.drop_table("check_round")
    op.drop_index(op.f("ix_service_check_namespace"), "service_check")
    op.drop_table("service_check")
