"""By which number names that look like a name are found."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.assigned_names.name_look_alikes import skeleton_number

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None
oldest = "0018"

_AT_ONCE = 2_000
_SOME = sa.text("SELECT name FROM assigned_name WHERE name > :after ORDER BY name LIMIT :most")
_NUMBERED = sa.text("UPDATE assigned_name SET skeleton = :number WHERE name = :name")


def upgrade() -> None:
    """Number the names that are there; those that older software gives meanwhile have no number."""
    op.add_column("assigned_name", sa.Column("skeleton", sa.BigInteger(), nullable=True))
    connection, after = op.get_bind(), ""
    while names := connection.scalars(_SOME, {"after": after, "most": _AT_ONCE}).all():
        _number(connection, names)
        after = names[-1]
    op.create_index("ix_assigned_name_skeleton", "assigned_name", ["skeleton"])


def _number(connection: sa.Connection, names: Sequence[str]) -> None:
    rows = [{"name": name, "number": skeleton_number(name)} for name in names]
    connection.execute(_NUMBERED, rows)


def downgrade() -> None:
    """Forget the numbers."""
    op.drop_index("ix_assigned_name_skeleton", "assigned_name")
    op.execute("ALTER TABLE assigned_name DROP COLUMN skeleton")
