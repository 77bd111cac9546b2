"""One row changed, put in or taken out, past every trigger: it is found, and named in words."""

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import text

from app.services.editions import edition_build
from app.services.experts import panel_membership
from app.services.operations.edition_verification import verify_database
from app.store.database import db, write_transaction
from app.store.triggers import drop_triggers
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.services.test_verifying import silent
from tests.torture.conftest import some

_ROLE = "account, role, registry_id, starts, decision, demo"

# what is done -> statements, words of the problem that names it
TAMPERINGS: dict[str, tuple[tuple[str, ...], str]] = {
    "the reason of an entry": (
        ("UPDATE event SET reason = 'Another.' WHERE kind = 'returned'",),
        "(returned, request 1) was changed",
    ),
    "who did it": (
        ("UPDATE event SET actor = 1 + actor WHERE kind = 'registered'",),
        "(registered, request 1) was changed",
    ),
    "when it was done": (
        ("UPDATE event SET at = '2001-01-01 00:00:00' WHERE kind = 'taken' AND about = '1'",),
        "(taken, request 1) was changed",
    ),
    "where it led": (
        ("UPDATE event SET target = 'declined' WHERE kind = 'passed' AND about = '1'",),
        "(passed, request 1) was changed",
    ),
    "what was written with it": (
        ("UPDATE event SET digests = NULL WHERE kind = 'reviewed'",),
        "(reviewed, request 1) was changed",
    ),
    "the kind of a leaf": (
        ("UPDATE event SET leaf_kind = 'no words' WHERE kind = 'reviewed'",),
        "(reviewed, request 1) was changed",
    ),
    "an entry taken out": (
        ("DELETE FROM event WHERE kind = 'taken' AND about = '1'",),
        "of the event log is missing",
    ),
    "the last entry taken out": (
        ("DELETE FROM event WHERE n = (SELECT max(n) FROM event)",),
        "The counter `event` is",
    ),
    "two entries swapped": (
        (
            "UPDATE event SET n = n + 1000 WHERE kind = 'taken' AND about = '1'",
            "UPDATE event SET n = n - 1 WHERE kind = 'passed' AND about = '1'",
            "UPDATE event SET n = n - 999 WHERE kind = 'taken' AND about = '1'",
        ),
        "(passed, request 1) was changed",
    ),
    "an entry put in": (
        (
            (
                "INSERT INTO event (n, at, role, subject, about, kind, source, target, reason,"
                " body, salt, leaf) SELECT n + 1, at, role, subject, about, kind, source, target,"
                " reason, body, salt, leaf FROM event WHERE n = (SELECT max(n) FROM event)"
            ),
            "UPDATE counter SET value = value + 1 WHERE name = 'event'",
        ),
        "was changed",
    ),
    "where a request stands": (
        ("UPDATE request SET state = 'declined' WHERE number = 2",),
        "Request 2 is in the state `declined`",
    ),
    "a request taken out": (("DELETE FROM request WHERE number = 2",), "Request 2 of entry"),
    "from where reviews count": (
        ("UPDATE request SET counted_from = 1 WHERE number = 2",),
        "Request 2: its reviews are counted",
    ),
    "the name that a request was given": (
        ("UPDATE request SET assigned_name = 'wombat' WHERE number = 1",),
        "Request 1 has the name `wombat`",
    ),
    "the words of a review": (
        ("UPDATE review SET body = 'Other words.' WHERE id = 1",),
        "its review was changed",
    ),
    "the verdict of a review": (
        ("UPDATE review SET verdict = 'decline' WHERE id = 2",),
        "its review was changed",
    ),
    "a review put in": (
        (
            (
                "INSERT INTO review (id, request, iteration, author, leader, at, verdict, body,"
                " answers) SELECT 99, request, iteration, author, leader, at, verdict, body,"
                " answers FROM review WHERE id = 1"
            ),
        ),
        "Review 99 has no entry",
    ),
    "a review taken out": (
        ("DELETE FROM review WHERE id = 1",),
        "its review is missing",
    ),
    "a text that was sent": (
        ("UPDATE iteration SET fields = '{}' WHERE request = 1 AND k = 1",),
        "its text was changed",
    ),
    "a text taken out": (
        ("DELETE FROM iteration WHERE request = 2",),
        "Request 2 has 1 texts according to its row, 0 stored",
    ),
    "what was said": (
        ("UPDATE comment SET body = 'Other words.'",),
        "its comment was changed",
    ),
    "what was said taken out": (
        ("DELETE FROM comment",),
        "its comment is missing",
    ),
    "the author of what was said": (
        ("UPDATE comment SET author = author + 1",),
        "its comment was changed",
    ),
    "a record": (
        ("UPDATE record_version SET document = document || ' ' WHERE edition = 2",),
        "`quokka`, in edition 2: the text doesn't match its SHA-256",
    ),
    "a record and its digest": (
        (
            (
                "UPDATE record_version SET (document, sha256) = (SELECT o.document, o.sha256 FROM"
                " record_version o WHERE o.edition = 1 ORDER BY o.id LIMIT 1) WHERE edition = 2"
            ),
        ),
        "Edition 2 or an earlier one: records were changed",
    ),
    "the state of a name": (
        ("UPDATE record_version SET status = 'deprecated' WHERE edition = 2",),
        "Edition 2 or an earlier one: records were changed",
    ),
    "a name put in": (
        (
            (
                "INSERT INTO name (id, space, registry_id, folded, kind) SELECT 999, space,"
                " registry_id, 'wombat', kind FROM name WHERE folded = 'quokka'"
            ),
        ),
        "The registered name `wombat` has no record",
    ),
    "a name that is another": (
        ("UPDATE name SET folded = 'wombat' WHERE folded = 'quokka'",),
        "records were changed",
    ),
    "what the registry says of itself": (
        ("UPDATE registry_head SET document = '{}'",),
        "the description of the registry were changed",
    ),
    "a person taken out": (
        ("DELETE FROM person WHERE id = (SELECT min(id) FROM person)",),
        "people in references were changed",
    ),
    "what an edition says": (
        ("UPDATE edition SET notice = 'Other words.' WHERE n = 1",),
        "Edition 1 or an earlier one: editions were changed",
    ),
    "when an edition was opened": (
        ("UPDATE edition SET as_of = '2030-01-01 00:00:00' WHERE n = 2",),
        "of the event log has",
    ),
    "a list of files that is another's": (
        (
            (
                "UPDATE edition_manifest SET sha256 = (SELECT o.sha256 FROM edition_manifest o"
                " WHERE o.edition = 1) WHERE edition = 2"
            ),
        ),
        "of the event log is changed",
    ),
    "a list of files taken out": (
        (
            "DELETE FROM edition_manifest WHERE edition = 2",
            "UPDATE publication SET result = 'pending' WHERE edition = 2",
        ),
        "of the event log is missing",
    ),
    "that an edition is built": (
        ("UPDATE publication SET result = 'pending' WHERE edition = 2",),
        "Edition 2 is marked as not built",
    ),
    "two lists swapped": (
        (
            "UPDATE edition_manifest SET edition = 1000 WHERE edition = 1",
            "UPDATE edition_manifest SET edition = 1 WHERE edition = 2",
            "UPDATE edition_manifest SET edition = 2 WHERE edition = 1000",
        ),
        "Edition 1: the manifest belongs to edition 2",
    ),
    "bytes that were published": (
        (
            (
                "UPDATE blob SET content = (SELECT o.content FROM blob o WHERE o.sha256 = (SELECT"
                " m.sha256 FROM edition_manifest m WHERE m.edition = 1)) WHERE sha256 = (SELECT"
                " m.sha256 FROM edition_manifest m WHERE m.edition = 2)"
            ),
        ),
        "Edition 2: the manifest is damaged",
    ),
    "bytes taken out": (
        (
            (
                "DELETE FROM blob WHERE sha256 = (SELECT max(sha256) FROM blob WHERE sha256 NOT IN"
                " (SELECT sha256 FROM edition_manifest))"
            ),
        ),
        "missing (SHA-256",
    ),
    "which role somebody has": (
        ("UPDATE role_grant SET role = 'operator' WHERE role = 'expert'",),
        "has the role operator from",
    ),
    "a role put in": (
        (
            (
                f"INSERT INTO role_grant (id, {_ROLE}) SELECT 999, 1, 'operator', registry_id,"
                " '2020-01-01 00:00:00', decision, demo FROM role_grant WHERE id = 1"
            ),
        ),
        "Account 1 has the role operator from 2020-01-01",
    ),
    "a role taken out": (
        ("DELETE FROM role_grant WHERE role = 'leader'",),
        "lacks the role leader",
    ),
    "a role that ended": (
        ("UPDATE role_grant SET ends = NULL WHERE ends IS NOT NULL",),
        "still has the role",
    ),
    "a counter raised": (
        ("UPDATE counter SET value = value + 1 WHERE name = 'edition'",),
        "The counter `edition` is 3. The last assigned number is 2",
    ),
    "a counter of names set back": (
        ("UPDATE counter SET value = value - 1 WHERE name LIKE '%informal%'",),
        "The last assigned number is",
    ),
    "a counter of requests set back": (
        ("UPDATE counter SET value = 1 WHERE name = 'request'",),
        "The counter `request` is 1",
    ),
}


@pytest.fixture
def world(app: Flask, clock: Clock) -> Iterator[Flask]:
    """A registration that was returned, discussed and reviewed; a request; a role that ended."""
    people = factories.cast(clock())
    clock.on(minutes=1)
    number = factories.returned(people, clock())
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.comment(number, people.expert, clock())
    for expert in (people.expert, people.second_expert):
        factories.review(number, expert, Verdict.APPROVE, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    factories.in_review(people, clock(), namespace_identifier="numbat")
    ident = factories.appointed(people, clock(), "third@experts.example")
    panel_membership.dismiss(
        factories.command(people.operator, clock.on(minutes=1)), ident, "Decision 8"
    )
    edition_build.build_pending(clock(), factories.PLACE)
    yield app


def problems_after(*statements: str) -> list[str]:
    """What is found after these; nothing of them is kept."""
    with write_transaction():
        db.session.rollback()
        connection = db.session.connection()
        if connection.dialect.name == "sqlite":
            connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            drop_triggers(connection)
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        for statement in statements:
            assert connection.execute(text(statement)).rowcount, statement
        db.session.expire_all()
        return list(verify_database(silent))


def test_every_tampering_is_found_and_named(world: Flask) -> None:
    assert problems_after() == []
    # half of them on each database, all of them on both in `make torture`
    chosen = some([*TAMPERINGS], 2, db.engine.dialect.name == "sqlite")
    found = {what: problems_after(*TAMPERINGS[what][0]) for what in chosen}
    unnoticed = {
        what: problems
        for what, problems in found.items()
        if not any(TAMPERINGS[what][1] in problem for problem in problems)
    }
    assert unnoticed == {}
    assert len(TAMPERINGS) >= 19
