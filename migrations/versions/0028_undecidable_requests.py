"""The requests that no expert can decide, of which the operators were notified."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None
oldest = "0018"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table; the worker fills it and writes to the operators."""
    op.create_table(
        "undecidable_request",
        sa.Column("request", KEY, autoincrement=False, nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"],
            ["request.number"],
            name=op.f("fk_undecidable_request_request_request"),
        ),
        sa.PrimaryKeyConstraint("request", name=op.f("pk_undecidable_request")),
    )


def downgrade() -> None:
    """Drop the table. After the next upgrade the operators are notified again."""
    op.drop_table("undecidable_request")
