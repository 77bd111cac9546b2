"""Who acts for the registrant of a name or a request; claims; what a revision is based on."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
OPEN = sa.text("ends IS NULL")
MOVING = sa.text("kind = 'transfer' AND state = 'open'")
ONE = "(name_id IS NULL) <> (request IS NULL)"
LINKED = "('invitation', 'contact', 'transfer')"
# whoever sent a request that is not over, or that a name was given to, acts for it as before
BEGAN = (
    "INSERT INTO holder (request, account, how, starts) "
    "SELECT number, registrant, 'started', started FROM request WHERE purpose = 'new'"
)
HOLD = (
    "INSERT INTO holder (name_id, account, how, starts) "
    "SELECT name.id, request.registrant, 'registered', request.since FROM request "
    "JOIN name ON name.folded = request.assigned_name AND name.space = 'nid' "
    "WHERE request.purpose = 'new'"
)


def _held() -> tuple[sa.Column[int], sa.Column[int]]:
    return (
        sa.Column("name_id", KEY, sa.ForeignKey("name.id"), nullable=True),
        sa.Column("request", KEY, sa.ForeignKey("request.number"), nullable=True),
    )


def upgrade() -> None:
    """Make them."""
    op.add_column("request", sa.Column("base_record", sa.Integer(), nullable=True))
    _make_holders()
    _make_claims()
    op.execute(BEGAN)
    op.execute(HOLD)


def _make_holders() -> None:
    op.create_table(
        "holder",
        sa.Column("id", KEY, primary_key=True, nullable=False),
        *_held(),
        sa.Column("account", KEY, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("how", sa.String(length=16), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "how IN ('started', 'registered', 'invited', 'contact', 'evidence', 'transferred')",
            name=op.f("ck_holder_how"),
        ),
        sa.CheckConstraint(ONE, name=op.f("ck_holder_one")),
    )
    op.create_index("ix_holder_account", "holder", ["account"])
    for column, name in (("name_id", "uq_holder_name_open"), ("request", "uq_holder_request_open")):
        op.create_index(
            name,
            "holder",
            [column, "account"],
            unique=True,
            sqlite_where=OPEN,
            postgresql_where=OPEN,
        )


def _make_claims() -> None:
    op.create_table(
        "claim",
        sa.Column("number", KEY, primary_key=True, nullable=False, autoincrement=False),
        *_held(),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("account", KEY, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("due", sa.DateTime(), nullable=True),
        sa.Column("token_sha256", sa.String(length=64), nullable=True),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("organization", sa.String(length=200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("decided", sa.DateTime(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('invitation', 'contact', 'evidence', 'transfer')", name=op.f("ck_claim_kind")
        ),
        sa.CheckConstraint(
            "state IN ('open', 'granted', 'refused', 'objected', 'withdrawn')",
            name=op.f("ck_claim_state"),
        ),
        sa.CheckConstraint(ONE, name=op.f("ck_claim_one")),
        sa.CheckConstraint("request IS NULL OR kind = 'invitation'", name=op.f("ck_claim_request")),
        sa.CheckConstraint("(decided IS NULL) = (state = 'open')", name=op.f("ck_claim_decided")),
        sa.CheckConstraint(
            "state NOT IN ('refused', 'objected') OR reason <> ''", name=op.f("ck_claim_reason")
        ),
        *(
            sa.CheckConstraint(
                f"({column} IS NOT NULL) = (kind IN {LINKED})",
                name=op.f(f"ck_claim_{column}_present"),
            )
            for column in ("token_sha256", "due")
        ),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_claim_token_sha256")),
    )
    for column in ("name_id", "request", "account"):
        op.create_index(f"ix_claim_{column}", "claim", [column])
    op.create_index("ix_claim_state_kind", "claim", ["state", "kind"])
    op.create_index(
        "uq_claim_transfer_open",
        "claim",
        ["name_id"],
        unique=True,
        sqlite_where=MOVING,
        postgresql_where=MOVING,
    )


def downgrade() -> None:
    """Drop them, and what they hold."""
    op.drop_table("claim")
    op.drop_table("holder")
    op.execute("ALTER TABLE request DROP COLUMN base_record")
