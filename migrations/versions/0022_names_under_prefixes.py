"""Names under a prefix: who gives them, which were given, and what is known of each."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None
oldest = "0018"

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    "resolution_count",
    "name_import_finding",
    "name_import",
    "assigned_name_version",
    "assigned_name",
    "name_batch",
    "prefix_delegate",
    "name_prefix",
)


def upgrade() -> None:
    """Make the tables; software that does not know them goes on as before."""
    _make_prefixes()
    _make_names()
    _make_imports()
    op.create_table(
        "resolution_count",
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("host", sa.String(length=64), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("prefix", "day", "host", name=op.f("pk_resolution_count")),
    )


def _make_prefixes() -> None:
    op.create_table(
        "name_prefix",
        sa.Column("id", KEY, nullable=False),
        sa.Column("text", NAME, nullable=False),
        sa.Column("parent", KEY, nullable=True),
        sa.Column("registered", KEY, nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("numbering", sa.String(length=64), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("persistence", sa.Text(), nullable=False),
        sa.Column("target_rule", sa.Text(), nullable=False),
        sa.Column("next_number", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
        sa.CheckConstraint("next_number >= 0", name=op.f("ck_name_prefix_next_number")),
        sa.CheckConstraint("length(text) <= 1024", name=op.f("ck_name_prefix_length")),
        sa.ForeignKeyConstraint(
            ["parent"], ["name_prefix.id"], name=op.f("fk_name_prefix_parent_name_prefix")
        ),
        sa.ForeignKeyConstraint(
            ["registered"], ["name.id"], name=op.f("fk_name_prefix_registered_name")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name_prefix")),
        sa.UniqueConstraint("text", name=op.f("uq_name_prefix_text")),
    )
    op.create_index(op.f("ix_name_prefix_parent"), "name_prefix", ["parent"])
    op.create_index(op.f("ix_name_prefix_registered"), "name_prefix", ["registered"])
    op.create_table(
        "prefix_delegate",
        sa.Column("id", KEY, nullable=False),
        sa.Column("prefix", KEY, nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
        sa.CheckConstraint("role IN ('holder', 'delegate')", name=op.f("ck_prefix_delegate_role")),
        sa.ForeignKeyConstraint(
            ["prefix"], ["name_prefix.id"], name=op.f("fk_prefix_delegate_prefix_name_prefix")
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_prefix_delegate_account_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prefix_delegate")),
    )
    op.create_index(op.f("ix_prefix_delegate_account"), "prefix_delegate", ["account"])
    is_open = sa.text("ends IS NULL")
    op.create_index(
        "uq_prefix_delegate_open",
        "prefix_delegate",
        ["prefix", "account"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def _make_names() -> None:
    states = "state IN ('reserved', 'public', 'withdrawn')"
    op.create_table(
        "name_batch",
        sa.Column("event", KEY, autoincrement=False, nullable=False),
        sa.Column("prefix", KEY, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "kind IN ('minted', 'changed', 'imported')", name=op.f("ck_name_batch_kind")
        ),
        sa.CheckConstraint("first > 0 AND first <= last", name=op.f("ck_name_batch_changes")),
        sa.ForeignKeyConstraint(["event"], ["event.n"], name=op.f("fk_name_batch_event_event")),
        sa.ForeignKeyConstraint(
            ["prefix"], ["name_prefix.id"], name=op.f("fk_name_batch_prefix_name_prefix")
        ),
        sa.PrimaryKeyConstraint("event", name=op.f("pk_name_batch")),
        sa.UniqueConstraint("first", name=op.f("uq_name_batch_first")),
    )
    op.create_index(op.f("ix_name_batch_prefix"), "name_batch", ["prefix"])
    op.create_table(
        "assigned_name",
        sa.Column("name", NAME, nullable=False),
        sa.Column("prefix", KEY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=True),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(states, name=op.f("ck_assigned_name_state")),
        sa.CheckConstraint("length(name) <= 1024", name=op.f("ck_assigned_name_length")),
        sa.ForeignKeyConstraint(
            ["prefix"], ["name_prefix.id"], name=op.f("fk_assigned_name_prefix_name_prefix")
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_assigned_name")),
        sa.UniqueConstraint("prefix", "number", name=op.f("uq_assigned_name_prefix_number")),
        sa.UniqueConstraint("change", name=op.f("uq_assigned_name_change")),
    )
    op.create_index(op.f("ix_assigned_name_prefix_name"), "assigned_name", ["prefix", "name"])
    op.create_table(
        "assigned_name_version",
        sa.Column("change", KEY, autoincrement=False, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("event", KEY, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.CheckConstraint(states, name=op.f("ck_assigned_name_version_state")),
        sa.ForeignKeyConstraint(
            ["name"],
            ["assigned_name.name"],
            name=op.f("fk_assigned_name_version_name_assigned_name"),
        ),
        sa.ForeignKeyConstraint(
            ["event"], ["event.n"], name=op.f("fk_assigned_name_version_event_event")
        ),
        sa.PrimaryKeyConstraint("change", name=op.f("pk_assigned_name_version")),
        sa.UniqueConstraint("name", "n", name=op.f("uq_assigned_name_version_name_n")),
    )
    op.create_index(op.f("ix_assigned_name_version_event"), "assigned_name_version", ["event"])


def _make_imports() -> None:
    op.create_table(
        "name_import",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("row", sa.BigInteger(), nullable=False),
        sa.Column("taken", sa.BigInteger(), nullable=False),
        sa.Column("same", sa.BigInteger(), nullable=False),
        sa.Column("refused", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('stopped', 'done')", name=op.f("ck_name_import_state")),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_name_import_account_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name_import")),
        sa.UniqueConstraint("account", "digest", name=op.f("uq_name_import_account_digest")),
    )
    op.create_table(
        "name_import_finding",
        sa.Column("id", KEY, nullable=False),
        sa.Column("import_id", KEY, nullable=False),
        sa.Column("row", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["name_import.id"],
            name=op.f("fk_name_import_finding_import_id_name_import"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name_import_finding")),
        sa.UniqueConstraint(
            "import_id", "row", "place", name=op.f("uq_name_import_finding_import_id_row_place")
        ),
    )


def downgrade() -> None:
    """Forget them, where no name was given: a name is given for ever."""
    if op.get_bind().scalar(sa.text("SELECT count(*) FROM assigned_name")):
        raise RuntimeError("names were given under prefixes, which older software does not keep")
    drop_triggers(op.get_bind())
    for table in TABLES:
        op.drop_table(table)
