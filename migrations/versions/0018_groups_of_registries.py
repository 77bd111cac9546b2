"""Editions are of a group of registries, and each group counts its own."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None
# Software that knows one group writes no number of its own, and the one among all is meant. That
# holds while there is one group: a migration that brings a second one says "0018" here.
oldest = "0016"

# in words of SQL, since a batch would make the table anew without its other CHECKs
NUMBER = (
    "ALTER TABLE edition ADD COLUMN number {key} CONSTRAINT ck_edition_number CHECK (number >= 1)"
)
OTHERS = "SELECT count(*) FROM edition WHERE group_id <> 'urn-namespaces'"
_KEYS = {"sqlite": "INTEGER", "postgresql": "BIGINT"}


def upgrade() -> None:
    """Say of each edition that it is of URN namespaces, and that its number is its own there."""
    dialect = op.get_bind().dialect.name
    group = sa.Column("group_id", sa.String(64), server_default="urn-namespaces", nullable=False)
    op.add_column("edition", group)
    op.execute(NUMBER.format(key=_KEYS[dialect]))
    # which lets no row be changed; what every upgrade ends with makes it again
    op.execute(
        f"DROP TRIGGER IF EXISTS edition_no_update{' ON edition' * (dialect == 'postgresql')}"
    )
    op.execute("UPDATE edition SET number = n")
    op.create_index("uq_edition_group_id_number", "edition", ["group_id", "number"], unique=True)


def downgrade() -> None:
    """Drop the groups where there is but one; editions of others would come to be its own."""
    if op.get_bind().scalar(sa.text(OTHERS)):
        raise RuntimeError("there are editions of another group, which older software cannot keep")
    _drop_trigger(op.get_bind().dialect.name)
    op.drop_index("uq_edition_group_id_number", "edition")
    for column in ("number", "group_id"):
        op.execute(f"ALTER TABLE edition DROP COLUMN {column}")


def _drop_trigger(dialect: str) -> None:
    is_sqlite = dialect == "sqlite"
    op.execute(f"DROP TRIGGER IF EXISTS edition_numbered{'' if is_sqlite else ' ON edition'}")
    if not is_sqlite:
        op.execute("DROP FUNCTION IF EXISTS refuse_unnumbered()")
