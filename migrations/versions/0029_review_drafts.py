"""The reviews that experts are writing, private until they are sent."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None
oldest = "0018"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "review_draft",
        sa.Column("request", KEY, autoincrement=False, nullable=False),
        sa.Column("author", KEY, autoincrement=False, nullable=False),
        sa.Column("iteration", sa.Integer(), nullable=False),
        sa.Column("saved", sa.DateTime(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author"], ["account.id"], name=op.f("fk_review_draft_author_account")
        ),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_review_draft_request_request")
        ),
        sa.PrimaryKeyConstraint("request", "author", name=op.f("pk_review_draft")),
    )


def downgrade() -> None:
    """Drop the table, with the reviews that were never sent."""
    op.drop_table("review_draft")
