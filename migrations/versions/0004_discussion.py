"""What is said about requests, the mail that comes in, and which mail somebody does not want."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.add_column("sign_in", sa.Column("expires", sa.DateTime(), nullable=True))
    op.create_table(
        "comment",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        sa.Column("request", KEY, sa.ForeignKey("request.number"), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("author", KEY, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("role", sa.String(length=32), nullable=False),
        sa.Column("signature", sa.String(length=200), nullable=False),
        sa.Column("relayed", sa.Boolean(), nullable=False),
        sa.Column("section", sa.String(length=64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("replaces", KEY, sa.ForeignKey("comment.id"), nullable=True),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.UniqueConstraint("replaces", name=op.f("uq_comment_replaces")),
        sa.UniqueConstraint("message_id", name=op.f("uq_comment_message_id")),
    )
    op.create_index("ix_comment_request", "comment", ["request"])
    op.create_table(
        "incoming_mail",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("sender", sa.String(length=320), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("attachments", sa.Text(), nullable=False),
        sa.Column("filed", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("request", KEY, sa.ForeignKey("request.number"), nullable=True),
        sa.CheckConstraint(
            "filed IN ('comment', 'draft', 'queued', 'bounce', 'ignored', 'discarded')",
            name=op.f("ck_incoming_mail_filed"),
        ),
        sa.CheckConstraint(
            "(filed = 'comment') <= (request IS NOT NULL)", name=op.f("ck_incoming_mail_request")
        ),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_incoming_mail_fingerprint")),
    )
    op.create_index("ix_incoming_mail_filed", "incoming_mail", ["filed"])
    op.create_table(
        "mail_choice",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        sa.Column("account", KEY, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.UniqueConstraint("account", "kind", name=op.f("uq_mail_choice_account_kind")),
    )
    op.create_table(
        "reminder",
        sa.Column("account", KEY, sa.ForeignKey("account.id"), primary_key=True, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )


def downgrade() -> None:
    """Drop them, and what they hold."""
    drop_triggers(op.get_bind())
    for table in ("reminder", "mail_choice", "incoming_mail", "comment"):
        op.drop_table(table)
    op.execute("ALTER TABLE sign_in DROP COLUMN expires")
