"""Which line of changes of names a database has, and which hosts told the numbers that they gave."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None
oldest = "0018"

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables; software that does not know them waits for no host."""
    op.create_table(
        "name_line",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.String(length=32), nullable=False),
        sa.Column("former", sa.Text(), nullable=False),
        sa.Column("telling", sa.String(length=32), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("lost", sa.Text(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_name_line_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name_line")),
    )
    op.create_table(
        "name_host",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("seen", sa.DateTime(), nullable=False),
        sa.Column("telling", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name_host")),
    )
    op.create_table(
        "given_number",
        sa.Column("prefix", NAME, nullable=False),
        sa.Column("following", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("following >= 0", name=op.f("ck_given_number_following")),
        sa.PrimaryKeyConstraint("prefix", name=op.f("pk_given_number")),
    )


def downgrade() -> None:
    """Forget them, unless hosts told numbers: the names of some may not be in this database."""
    if op.get_bind().scalar(sa.text("SELECT lost FROM name_line WHERE lost <> ''")):
        raise RuntimeError("names are lost, which older software would give again")
    drop_triggers(op.get_bind())
    for table in ("given_number", "name_host", "name_line"):
        op.drop_table(table)
