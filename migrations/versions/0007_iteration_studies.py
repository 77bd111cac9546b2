"""What follows from a text alone, kept beside it when it is sent."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make room for it; the worker fills in what was sent before."""
    op.create_table(
        "iteration_study",
        sa.Column("request", KEY, nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=False),
        sa.Column("alignment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_iteration_study_request_request")
        ),
        sa.PrimaryKeyConstraint("request", "k", "checks", name=op.f("pk_iteration_study")),
    )


def downgrade() -> None:
    """Drop it; all of it can be made again."""
    op.drop_table("iteration_study")
