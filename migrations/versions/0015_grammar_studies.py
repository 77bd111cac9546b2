"""The study of a sent text's grammar, made once by the worker and read by whoever reviews it."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make room for it; older software makes it anew for each page, as before."""
    op.create_table(
        "grammar_study",
        sa.Column("request", KEY, nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_grammar_study_request_request")
        ),
        sa.PrimaryKeyConstraint("request", "k", "source", name=op.f("pk_grammar_study")),
    )


def downgrade() -> None:
    """Drop it; all of it can be made again."""
    op.drop_table("grammar_study")
