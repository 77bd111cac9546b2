"""Panels, recognized organizations, due dates, and what the operator keeps beside a request."""

import sqlalchemy as sa
from alembic import op

from app.store.triggers import drop_triggers

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
OPEN = sa.text("ended IS NULL")
# in words of SQL, since a batch would make the table anew without its other CHECKs
ASKED_PROCEDURE = (
    "ALTER TABLE request ADD COLUMN asked_procedure VARCHAR(32) "
    "CONSTRAINT ck_request_asked_procedure CHECK (asked_procedure IN "
    "('community', 'standards action', 'fast track', 'informal'))"
)
TABLES = (
    "absence",
    "interest",
    "recusal",
    "assignment",
    "temporary_expert",
    "representative",
    "recognized_organization",
    "request_link",
    "operator_note",
    "reply_text",
)


def _key(name: str, target: str) -> sa.Column[int]:
    return sa.Column(name, KEY, sa.ForeignKey(target), nullable=False)


def _table(name: str, *rest: sa.schema.SchemaItem) -> None:
    op.create_table(name, sa.Column("id", KEY, primary_key=True, nullable=False), *rest)


def upgrade() -> None:
    """Make them."""
    op.add_column("request", sa.Column("due", sa.DateTime(), nullable=True))
    op.add_column("request", sa.Column("delayed", sa.DateTime(), nullable=True))
    op.execute(ASKED_PROCEDURE)
    op.add_column(
        "account",
        sa.Column("organization", sa.String(length=200), server_default="", nullable=False),
    )
    _make_panels()
    _make_organizations()
    _make_desk()


def _make_panels() -> None:
    _table(
        "absence",
        _key("account", "account.id"),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=False),
        sa.CheckConstraint("ends > starts", name=op.f("ck_absence_ends")),
    )
    op.create_index("ix_absence_account", "absence", ["account"])
    _table(
        "interest",
        _key("account", "account.id"),
        sa.Column("organization", sa.String(length=200), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_interest_account", "interest", ["account"])
    _table(
        "recusal",
        _key("request", "request.number"),
        _key("account", "account.id"),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("request", "account", name=op.f("uq_recusal_request_account")),
    )
    _table(
        "assignment",
        _key("request", "request.number"),
        _key("account", "account.id"),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("ended", sa.DateTime(), nullable=True),
    )
    op.create_index(
        "uq_assignment_open",
        "assignment",
        ["request", "account"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
    op.create_index("ix_assignment_account_ended", "assignment", ["account", "ended"])
    _table(
        "temporary_expert",
        _key("request", "request.number"),
        _key("account", "account.id"),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.UniqueConstraint("request", "account", name=op.f("uq_temporary_expert_request_account")),
    )
    op.create_index("ix_temporary_expert_account", "temporary_expert", ["account"])


def _make_organizations() -> None:
    _table(
        "recognized_organization",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("folded", sa.String(length=200), nullable=False),
        sa.Column("since", sa.String(length=10), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("ended", sa.DateTime(), nullable=True),
        sa.UniqueConstraint("folded", name=op.f("uq_recognized_organization_folded")),
    )
    _table(
        "representative",
        _key("organization", "recognized_organization.id"),
        _key("account", "account.id"),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_representative_organization", "representative", ["organization"])
    op.create_index("ix_representative_account", "representative", ["account"])


def _make_desk() -> None:
    _table(
        "request_link",
        _key("request", "request.number"),
        _key("other", "request.number"),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.CheckConstraint("kind IN ('copy', 'duplicate')", name=op.f("ck_request_link_kind")),
        sa.CheckConstraint("request <> other", name=op.f("ck_request_link_other")),
        sa.UniqueConstraint("request", "kind", name=op.f("uq_request_link_request_kind")),
    )
    op.create_index("ix_request_link_other", "request_link", ["other"])
    _table(
        "operator_note",
        _key("request", "request.number"),
        _key("author", "account.id"),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_index("ix_operator_note_request", "operator_note", ["request"])
    _table(
        "reply_text",
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.UniqueConstraint("title", name=op.f("uq_reply_text_title")),
    )


def downgrade() -> None:
    """Drop them, and what they hold."""
    drop_triggers(op.get_bind())
    for table in TABLES:
        op.drop_table(table)
    for column in ("asked_procedure", "delayed", "due"):
        op.execute(f"ALTER TABLE request DROP COLUMN {column}")
    op.execute("ALTER TABLE account DROP COLUMN organization")
