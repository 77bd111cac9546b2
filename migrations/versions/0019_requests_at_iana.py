"""What becomes at IANA of a request that a registry only prepared."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None
oldest = "0016"

# in words of SQL, since a batch would make the table anew without its other CHECKs
IANA_STATE = (
    "ALTER TABLE request ADD COLUMN iana_state VARCHAR(16) CONSTRAINT ck_request_iana_state "
    "CHECK (iana_state IN ('sent', 'answered', 'registered', 'refused'))"
)


def upgrade() -> None:
    """Let a request say how it stands there, and since which day."""
    op.execute(IANA_STATE)
    op.add_column("request", sa.Column("iana_day", sa.String(length=10), nullable=True))


def downgrade() -> None:
    """Forget it; the record of what happened has it still."""
    for column in ("iana_day", "iana_state"):
        op.execute(f"ALTER TABLE request DROP COLUMN {column}")
