"""What a host's folder holds and the database lacks is noted, and what was published stands."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the two tables; software that does not know them goes on as before."""
    op.create_table(
        "divergence",
        sa.Column("folder", sa.String(500), primary_key=True),
        sa.Column("edition", KEY, nullable=False),
        sa.Column("noted", sa.DateTime(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
    )
    op.create_table(
        "standing_manifest",
        sa.Column("edition", KEY, primary_key=True, autoincrement=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["edition"], ["edition.n"]),
        sa.ForeignKeyConstraint(["sha256"], ["blob.sha256"]),
    )


def downgrade() -> None:
    """Forget what was noted, and which lists stand in place of others."""
    drop_triggers(op.get_bind())
    op.drop_table("standing_manifest")
    op.drop_table("divergence")
