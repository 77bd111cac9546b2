"""Versions of records that no edition holds, because they can't be published."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None
oldest = "0018"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table. Older software ignores it and can't build the editions concerned."""
    op.create_table(
        "withheld_version",
        sa.Column("version_id", _KEY, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["record_version.id"],
            name=op.f("fk_withheld_version_version_id_record_version"),
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_withheld_version")),
    )


def downgrade() -> None:
    """Drop the table: withheld versions block publication again."""
    drop_triggers(op.get_bind())
    op.drop_table("withheld_version")
