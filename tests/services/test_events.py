"""The record of what happened: an entry for each writing use case, none missing, none changed."""

import hashlib
import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import inspect, select

from app.registration.records.record_documents import canonical_json
from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.mail import outbox_delivery
from app.services.registry import snapshots
from app.services.requests import drafts
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.event_log.merkle_leaves import NO_WORDS, WORDS, commitment_of, is_whole, leaf_of
from app.store.tables import Event, ReviewRow
from app.store.tables.accounts import Grant
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.services.use_cases import USE_CASES, UseCase


def events() -> list[Event]:
    with read_transaction():
        found = list(db.session.scalars(select(Event).order_by(Event.n)))
        db.session.expunge_all()
        return found


def new_since(before: list[Event]) -> list[Event]:
    return events()[len(before) :]


@pytest.mark.parametrize("case", USE_CASES, ids=lambda case: case.name)
def test_an_action_leaves_one_event_that_says_what_was_done(
    app: Flask, clock: Clock, case: UseCase
) -> None:
    people = factories.cast(clock())
    clock.on(seconds=1)  # after the edition that is there
    act = case.ready(people, clock())
    before = events()
    act()
    (event,) = new_since(before)
    assert (event.kind, event.target) == (case.event, case.target)
    assert event.actor == getattr(people, case.actor).id
    assert event.reason == case.given.get("reason", "")
    assert event.at == clock()
    assert (event.review is not None) == (case.action is Action.REVIEW)


def test_what_is_no_event_leaves_none(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.sent(people.registrant, clock())
    before = events()
    drafts.discard(people.rival, factories.draft(people.rival, clock()))
    sign_in.ask_for_link("new@org.example", "/", clock(), secret="s", host="h")
    sign_in.leave(sign_in.enter_as("rival@other.example", clock()).token, clock())
    outbox_delivery.send_waiting(
        clock(), deliver=lambda _: None, sender="r@x.example", secret="s", base_url="https://x"
    )
    sign_in.forget(clock())
    assert number
    assert new_since(before) == []


def test_an_edition_that_was_built_is_on_record_once_with_its_list(
    app: Flask, clock: Clock
) -> None:
    before = events()
    for _ in range(2):
        edition_build.build_pending(clock(), factories.PLACE)
    (event,) = new_since(before)
    with read_transaction():
        digest = edition_rows.manifest_digest(1)
    assert (event.kind, event.subject, event.about) == (edition_build.BUILT, "registry", "1")
    assert event.body == canonical_json({"manifest": digest})
    assert (event.actor, event.at) == (None, clock())
    assert set(json.loads(event.digests or "")) == {"editions", "records", "heads", "people"}


def test_accounts_and_roles_are_on_record(app: Flask, clock: Clock) -> None:
    before = events()
    sign_in.add_account("new@org.example", clock())
    sign_in.add_account("NEW@org.example", clock())
    sign_in.grant("new@org.example", Grant.EXPERT, clock(), why="decision 7")
    sign_in.grant("new@org.example", Grant.EXPERT, clock())
    sign_in.revoke("new@org.example", Grant.EXPERT, clock(), why="decision 8")
    sign_in.revoke("new@org.example", Grant.EXPERT, clock())
    told = [(event.kind, event.reason) for event in new_since(before)]
    assert told == [
        ("added", ""),
        ("granted expert", "decision 7"),
        ("revoked expert", "decision 8"),
    ]


def test_numbers_are_contiguous_and_every_hash_is_that_of_what_is_stored(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.approved(people, clock())
    factories.act(
        number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE, reason="é"
    )
    found = events()
    assert [event.n for event in found] == list(range(1, len(found) + 1))
    assert [event.leaf for event in found] == [leaf_of(event) for event in found]
    assert len({event.salt for event in found}) == len(found)


_LATER = {"leaf_kind", "commitment", "digests"}  # what an entry of the first kind has not


@pytest.mark.parametrize("kind", [None, WORDS, NO_WORDS])
@pytest.mark.parametrize("column", sorted(set(inspect(Event).columns.keys()) - {"leaf"}))
def test_the_hash_covers_every_column(column: str, kind: str | None) -> None:
    values: dict[str, Any] = {"n": 7, "at": Clock().now, "salt": "s", "reason": "r"}
    event = Event(**values, leaf_kind=kind)
    event.commitment = commitment_of(event, kind) if kind else None
    event.leaf = leaf_of(event)
    assert is_whole(event)
    setattr(event, column, Clock().on(days=1) if column == "at" else "8")
    assert is_whole(event) == (kind is None and column in _LATER - {"leaf_kind"})


def test_an_entry_is_shown_without_who_did_it(app: Flask, clock: Clock) -> None:
    # nothing but what the story of a request shows, and a hash that nobody can try out
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    factories.review(number, people.leader, Verdict.DECLINE, clock(), reason="Schön “anders”.")
    event = events()[-1]
    assert event.leaf_kind == WORDS
    shown = {
        "leaf_kind": "words",
        "n": event.n,
        "at": event.at.isoformat(),
        "kind": "declined",
        "subject": "request",
        "about": str(number),
        "role": event.role,
        "source": event.source,
        "target": event.target,
        "iteration": 1,
        "review": event.review,
        "edition": None,
        "digests": event.digests,
        "reason": event.reason,
        "body": event.body,
        "commitment": event.commitment,
    }
    public = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(b"\0" + public.encode()).hexdigest() == event.leaf
    hidden = json.dumps({"actor": event.actor, "salt": event.salt}, separators=(",", ":"))
    assert hashlib.sha256(hidden.encode()).hexdigest() == event.commitment
    assert len(event.salt) == 32


def test_what_an_account_did_is_not_shown_at_all(app: Flask, clock: Clock) -> None:
    sign_in.grant("new@org.example", Grant.EXPERT, clock(), why="decision 7")
    event = events()[-1]
    assert event.leaf_kind == NO_WORDS
    said = {"about": event.about, "reason": "decision 7", "body": "", "actor": None}
    hidden = json.dumps(said | {"salt": event.salt}, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(hidden.encode()).hexdigest() == event.commitment


def test_the_event_of_a_registration_says_what_was_given(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock(), informal=True)
    assert events()[-1].body == '{"edition":2,"name":"urn-9"}'


def test_the_move_that_a_review_leads_to_names_the_review(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    factories.review(number, people.leader, Verdict.APPROVE, clock(), reason="Good.")
    event = events()[-1]
    with read_transaction():
        review = db.session.get(ReviewRow, event.review)
        assert review is not None
        assert (review.body, review.author) == ("Good.", people.leader.id)
    assert event.source == State.EXPERT_REVIEW


@pytest.mark.all_names
def test_setting_up_and_importing_are_on_record(app: Flask) -> None:
    (event,) = (event for event in events() if event.kind == "imported")
    shipped = len(list(snapshots.bundled_snapshot().records()))
    counts, legacy = event.body.splitlines()
    assert (event.about, counts) == ("1", f"{shipped} added, 0 changed")
    assert legacy.startswith("Legacy name: `ad-id`")
