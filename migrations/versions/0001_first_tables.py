"""The first tables: names, editions, requests, accounts, outbox."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.sql.elements import conv

from app.store.triggers import drop_triggers

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_IS_LOWER = "folded = lower(folded) AND length(folded)"
FOLDED = (
    sa.CheckConstraint(
        f"{_IS_LOWER} = length(CAST(folded AS BLOB))", name=conv("ck_name_folded")
    ).ddl_if(dialect="sqlite"),
    sa.CheckConstraint(f"{_IS_LOWER} = octet_length(folded)", name=conv("ck_name_folded")).ddl_if(
        dialect="postgresql"
    ),
)

SORTED = sa.String(length=200).with_variant(sa.String(length=200, collation="C"), "postgresql")
FULL_TEXT = (
    "CREATE VIRTUAL TABLE search_text USING fts5(words, content='search', "
    "content_rowid='name_id', detail='none', tokenize=\"ascii tokenchars ':-'\")"
)
VECTOR = (
    "ALTER TABLE search ADD COLUMN vector tsvector "
    "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED"
)
VECTOR_INDEX = "CREATE INDEX ix_search_vector ON search USING gin (vector) WITH (fastupdate = off)"
SEARCHED_BY = (
    ("registry_id", "status", "reference", "year"),
    ("registry_id", "place"),
    ("registry_id", "by_name", "place"),
    ("registry_id", "by_template", "place"),
    ("registry_id", "by_reference", "place"),
    ("registry_id", "by_date", "place"),
    ("by_date", "place"),
    ("changed", "place"),
)


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "account",
        sa.Column("id", KEY, nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    op.create_table(
        "blob",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_blob")),
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.CheckConstraint("value >= 0", name=op.f("ck_counter_value")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counter")),
    )
    op.create_table(
        "edition",
        sa.Column("n", KEY, autoincrement=False, nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        sa.Column("updated", sa.String(length=10), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("notice", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "cause IN ('import', 'registration', 'correction', 'templates')",
            name=op.f("ck_edition_cause"),
        ),
        sa.CheckConstraint("origin IN ('local', 'imported')", name=op.f("ck_edition_origin")),
        sa.PrimaryKeyConstraint("n", name=op.f("pk_edition")),
    )
    op.create_table(
        "name",
        sa.Column("id", KEY, nullable=False),
        sa.Column("space", sa.String(length=16), nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=False),
        sa.Column("folded", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.CheckConstraint("kind IN ('registered', 'reserved')", name=op.f("ck_name_kind")),
        *FOLDED,
        sa.PrimaryKeyConstraint("id", name=op.f("pk_name")),
        sa.UniqueConstraint("space", "folded", name=op.f("uq_name_space_folded")),
    )
    op.create_table(
        "rendering",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_rendering")),
    )
    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("next", sa.Text(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("used", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_sign_in_token_sha256")),
    )
    op.create_index(op.f("ix_sign_in_email"), "sign_in", ["email"], unique=False)
    op.create_table(
        "edition_manifest",
        sa.Column("edition", KEY, autoincrement=False, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["edition"], ["edition.n"], name=op.f("fk_edition_manifest_edition_edition")
        ),
        sa.ForeignKeyConstraint(
            ["sha256"], ["blob.sha256"], name=op.f("fk_edition_manifest_sha256_blob")
        ),
        sa.PrimaryKeyConstraint("edition", name=op.f("pk_edition_manifest")),
    )
    op.create_table(
        "idempotency",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("key_sha256", sa.String(length=64), nullable=False),
        sa.Column("request_sha256", sa.String(length=64), nullable=False),
        sa.Column("response", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_idempotency_account_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_idempotency")),
        sa.UniqueConstraint(
            "account", "key_sha256", name=op.f("uq_idempotency_account_key_sha256")
        ),
    )
    op.create_table(
        "person",
        sa.Column("id", KEY, nullable=False),
        sa.Column("ident", sa.String(length=200), nullable=False),
        sa.Column("edition", KEY, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["edition"], ["edition.n"], name=op.f("fk_person_edition_edition")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("ident", "edition", name=op.f("uq_person_ident_edition")),
    )
    op.create_table(
        "publication",
        sa.Column("edition", KEY, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("result", sa.String(length=16), nullable=False),
        sa.Column("next_at", sa.DateTime(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "result IN ('pending', 'built', 'failed')", name=op.f("ck_publication_result")
        ),
        sa.ForeignKeyConstraint(
            ["edition"], ["edition.n"], name=op.f("fk_publication_edition_edition")
        ),
        sa.PrimaryKeyConstraint("edition", name=op.f("pk_publication")),
    )
    op.create_table(
        "record_version",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name_id", KEY, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("edition", KEY, nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("template_version", sa.Integer(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("style", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("successor", sa.String(length=64), nullable=True),
        sa.Column("sort_key", sa.String(length=80), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "cause IN ('import', 'registration', 'correction', 'templates')",
            name=op.f("ck_record_version_cause"),
        ),
        sa.CheckConstraint(
            "status IN ('registered', 'deprecated', 'former')",
            name=op.f("ck_record_version_status"),
        ),
        sa.CheckConstraint(
            "style IN ('rfc8141', 'rfc3406', 'rfc2611', 'facts')",
            name=op.f("ck_record_version_style"),
        ),
        sa.ForeignKeyConstraint(
            ["edition"], ["edition.n"], name=op.f("fk_record_version_edition_edition")
        ),
        sa.ForeignKeyConstraint(
            ["name_id"], ["name.id"], name=op.f("fk_record_version_name_id_name")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_record_version")),
        sa.UniqueConstraint("name_id", "n", name=op.f("uq_record_version_name_id_n")),
    )
    op.create_table(
        "registry_head",
        sa.Column("id", KEY, nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=False),
        sa.Column("edition", KEY, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["edition"], ["edition.n"], name=op.f("fk_registry_head_edition_edition")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registry_head")),
        sa.UniqueConstraint(
            "registry_id", "edition", name=op.f("uq_registry_head_registry_id_edition")
        ),
    )
    op.create_table(
        "request",
        sa.Column("number", KEY, autoincrement=False, nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=False),
        sa.Column("procedure", sa.String(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("asked_name", sa.String(length=64), nullable=False),
        sa.Column("assigned_name", sa.String(length=64), nullable=True),
        sa.Column("registrant", KEY, nullable=False),
        sa.Column("organization", sa.String(length=200), nullable=False),
        sa.Column("standard_anticipated", sa.Boolean(), nullable=True),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("returns_to", sa.String(length=32), nullable=True),
        sa.Column("body", sa.String(length=200), nullable=True),
        sa.Column("base_version", sa.Integer(), nullable=True),
        sa.Column("edition", KEY, nullable=True),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("counted_from", KEY, nullable=False),
        sa.Column("started", sa.DateTime(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("lock_version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "(assigned_name IS NOT NULL) = (state IN ('assigned', 'modified'))",
            name=op.f("ck_request_assigned_name_present"),
        ),
        sa.CheckConstraint(
            "(edition IS NOT NULL) = (state IN ('assigned', 'modified'))",
            name=op.f("ck_request_edition_present"),
        ),
        sa.CheckConstraint(
            "(returns_to IS NOT NULL) = (state IN ('with-requester'))",
            name=op.f("ck_request_returns_to_present"),
        ),
        sa.CheckConstraint(
            "procedure IN ('community', 'standards action', 'fast track', 'informal')",
            name=op.f("ck_request_procedure"),
        ),
        sa.CheckConstraint("purpose IN ('new', 'revision')", name=op.f("ck_request_purpose")),
        sa.CheckConstraint(
            "returns_to IN ('expert-review', 'validating-request')",
            name=op.f("ck_request_returns_to"),
        ),
        sa.CheckConstraint(
            "state IN ('draft', 'new', 'validating-request', 'with-requester', 'expert-review', 'iesg-recognition', 'iesg-standard', 'iesg-experts', 'iesg-appeal-1', 'iesg-appeal-2', 'assignable', 'modifiable', 'assigned', 'modified', 'declined', 'withdrawn')",
            name=op.f("ck_request_state"),
        ),
        sa.ForeignKeyConstraint(
            ["edition"], ["edition.n"], name=op.f("fk_request_edition_edition")
        ),
        sa.ForeignKeyConstraint(
            ["registrant"], ["account.id"], name=op.f("fk_request_registrant_account")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_request")),
    )
    op.create_index(op.f("ix_request_asked_name"), "request", ["asked_name"], unique=False)
    op.create_index(op.f("ix_request_registrant"), "request", ["registrant"], unique=False)
    op.create_index(op.f("ix_request_state"), "request", ["state"], unique=False)
    op.create_table(
        "role_grant",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "role IN ('operator', 'expert', 'leader')", name=op.f("ck_role_grant_role")
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_role_grant_account_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role_grant")),
    )
    op.create_index(op.f("ix_role_grant_account"), "role_grant", ["account"], unique=False)
    op.create_table(
        "session",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        sa.Column("ended", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_session_account_account")
        ),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_account"), "session", ["account"], unique=False)
    op.create_table(
        "draft",
        sa.Column("request", KEY, nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("saved", sa.DateTime(), nullable=False),
        sa.Column("lock_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_draft_request_request")
        ),
        sa.PrimaryKeyConstraint("request", name=op.f("pk_draft")),
    )
    op.create_table(
        "iteration",
        sa.Column("id", KEY, nullable=False),
        sa.Column("request", KEY, nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("author", KEY, nullable=False),
        sa.Column("style", sa.String(length=16), nullable=False),
        sa.Column("organization", sa.String(length=200), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.CheckConstraint(
            "style IN ('rfc8141', 'rfc3406', 'rfc2611', 'facts')", name=op.f("ck_iteration_style")
        ),
        sa.ForeignKeyConstraint(
            ["author"], ["account.id"], name=op.f("fk_iteration_author_account")
        ),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_iteration_request_request")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_iteration")),
        sa.UniqueConstraint("request", "k", name=op.f("uq_iteration_request_k")),
    )
    op.create_table(
        "private_value",
        sa.Column("id", KEY, nullable=False),
        sa.Column("request", KEY, nullable=False),
        sa.Column("field", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"], ["request.number"], name=op.f("fk_private_value_request_request")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_private_value")),
        sa.UniqueConstraint("request", "field", name=op.f("uq_private_value_request_field")),
    )
    op.create_table(
        "review",
        sa.Column("id", KEY, nullable=False),
        sa.Column("request", sa.Integer(), nullable=False),
        sa.Column("iteration", sa.Integer(), nullable=False),
        sa.Column("author", KEY, nullable=False),
        sa.Column("leader", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('approve', 'return', 'decline', 'comment')", name=op.f("ck_review_verdict")
        ),
        sa.ForeignKeyConstraint(["author"], ["account.id"], name=op.f("fk_review_author_account")),
        sa.ForeignKeyConstraint(
            ["request", "iteration"],
            ["iteration.request", "iteration.k"],
            name=op.f("fk_review_request_iteration_iteration"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
    )
    op.create_index(op.f("ix_review_request"), "review", ["request"], unique=False)
    op.create_table(
        "event",
        sa.Column("n", KEY, autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor", KEY, nullable=True),
        sa.Column("role", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("about", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=32), nullable=True),
        sa.Column("target", sa.String(length=32), nullable=True),
        sa.Column("iteration", sa.Integer(), nullable=True),
        sa.Column("review", KEY, nullable=True),
        sa.Column("edition", KEY, nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("leaf", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "subject IN ('request', 'name', 'registry', 'account')", name=op.f("ck_event_subject")
        ),
        sa.CheckConstraint("n > 0", name=op.f("ck_event_n")),
        sa.ForeignKeyConstraint(["actor"], ["account.id"], name=op.f("fk_event_actor_account")),
        sa.ForeignKeyConstraint(["review"], ["review.id"], name=op.f("fk_event_review_review")),
        sa.ForeignKeyConstraint(["edition"], ["edition.n"], name=op.f("fk_event_edition_edition")),
        sa.PrimaryKeyConstraint("n", name=op.f("pk_event")),
        sa.UniqueConstraint("review", name=op.f("uq_event_review")),
        sa.UniqueConstraint("edition", name=op.f("uq_event_edition")),
    )
    op.create_index(op.f("ix_event_subject_about"), "event", ["subject", "about"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", KEY, nullable=False),
        sa.Column("event", KEY, nullable=True),
        sa.Column("sign_in", sa.String(length=64), nullable=True),
        sa.Column("recipient", sa.String(length=320), nullable=False),
        sa.Column("template", sa.String(length=64), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(), nullable=False),
        sa.Column("leased_until", sa.DateTime(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'failed')", name=op.f("ck_outbox_state")),
        sa.ForeignKeyConstraint(["event"], ["event.n"], name=op.f("fk_outbox_event_event")),
        sa.ForeignKeyConstraint(
            ["sign_in"], ["sign_in.id"], name=op.f("fk_outbox_sign_in_sign_in")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("event", "recipient", name=op.f("uq_outbox_event_recipient")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
        sa.UniqueConstraint("sign_in", "recipient", name=op.f("uq_outbox_sign_in_recipient")),
    )
    op.create_index(op.f("ix_outbox_state_next_at"), "outbox", ["state", "next_at"], unique=False)
    _make_search()


def _make_search() -> None:
    """The index of names; it is full from the start, for there are none."""
    op.create_table(
        "search",
        sa.Column("name_id", KEY, nullable=False),
        sa.Column("version_id", KEY, nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reference", sa.String(length=16), nullable=False),
        sa.Column("year", sa.String(length=4), nullable=False),
        sa.Column("changed", sa.String(length=10), nullable=False),
        sa.Column("by_name", SORTED, nullable=False),
        sa.Column("by_template", SORTED, nullable=False),
        sa.Column("by_reference", SORTED, nullable=False),
        sa.Column("by_date", SORTED, nullable=False),
        sa.Column("place", SORTED, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "reference IN ('rfc', 'draft', 'organization', 'person', 'none')",
            name=op.f("ck_search_reference"),
        ),
        sa.CheckConstraint(
            "status IN ('registered', 'deprecated', 'former')", name=op.f("ck_search_status")
        ),
        sa.ForeignKeyConstraint(["name_id"], ["name.id"], name=op.f("fk_search_name_id_name")),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["record_version.id"],
            name=op.f("fk_search_version_id_record_version"),
        ),
        sa.PrimaryKeyConstraint("name_id", name=op.f("pk_search")),
    )
    for columns in SEARCHED_BY:
        op.create_index(op.f(f"ix_search_{'_'.join(columns)}"), "search", list(columns))
    if op.get_bind().dialect.name == "sqlite":
        op.execute(FULL_TEXT)
    else:
        op.execute(VECTOR)
        op.execute(VECTOR_INDEX)


def downgrade() -> None:
    """Drop everything, and what it holds."""
    drop_triggers(op.get_bind())
    op.execute("DROP TABLE IF EXISTS search_text")  # takes the tables that it is made of along
    found = sa.MetaData()
    found.reflect(op.get_bind())
    for table in reversed(found.sorted_tables):
        if table.name != "alembic_version":
            op.drop_table(table.name)
