"""Holders are asked once a year whether all is right, and answer."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None
oldest = "0018"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the two tables; software that does not know them asks nobody."""
    op.create_table(
        "holder_question",
        sa.Column("name_id", KEY, nullable=False),
        sa.Column("due", sa.String(length=10), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["name_id"], ["name.id"], name=op.f("fk_holder_question_name_id_name")
        ),
        sa.PrimaryKeyConstraint("name_id", "due", name=op.f("pk_holder_question")),
    )
    op.create_table(
        "holder_answer",
        sa.Column("event", KEY, nullable=False),
        sa.Column("name_id", KEY, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=False),
        sa.CheckConstraint(
            "answer IN ('stands', 'changes', 'ceases')", name=op.f("ck_holder_answer_answer")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.n"], name=op.f("fk_holder_answer_event_event")),
        sa.ForeignKeyConstraint(
            ["name_id"], ["name.id"], name=op.f("fk_holder_answer_name_id_name")
        ),
        sa.PrimaryKeyConstraint("event", name=op.f("pk_holder_answer")),
    )
    op.create_index(op.f("ix_holder_answer_name_id"), "holder_answer", ["name_id"])


def downgrade() -> None:
    """Forget what was asked and when; the record of what happened has the answers still."""
    drop_triggers(op.get_bind())
    op.drop_index(op.f("ix_holder_answer_name_id"), "holder_answer")
    op.drop_table("holder_answer")
    op.drop_table("holder_question")
