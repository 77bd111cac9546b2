"""What is noted beside a registration: published from the next edition on, and on record."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import Dispute, DisputeKind, Registration
from app.services.accounts.actors import Actor
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.registrations import disputes
from app.services.registrations.corrections import find_entry, reasons_of
from app.services.registrations.disputes import DisputeInput, DisputeOutcome
from app.services.registry import snapshots
from app.services.requests.comments import note
from app.services.requests.detail.request_detail import show_request
from app.services.use_cases import Command
from app.store.database import db, read_transaction
from app.store.tables import Event, Outbox
from app.workflow.engine import EvidenceMissing
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.registration.shipped import snapshot_to

COURT = DisputeInput(kind=DisputeKind.DISPUTE, reference=" https://court.example/7 ")
GROUNDS = DisputeInput(kind=DisputeKind.APPEAL, grounds="The name is a trade mark.")


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def order(actor: Actor, clock: Clock, name: str = "isbn") -> Command:
    """Somebody who looks at a name now and notes something."""
    with read_transaction():
        seen = find_entry(name, URN_SPACE).n
    return factories.command(actor, clock(), seen=seen)


def record(name: str = "isbn") -> Registration:
    """A record as it stands."""
    with read_transaction():
        return find_entry(name, URN_SPACE).record


def events() -> list[Event]:
    """What happened to names."""
    with read_transaction():
        found = list(db.session.scalars(select(Event).where(Event.subject == "name")))
        db.session.expunge_all()
        return found


def test_a_dispute_over_an_imported_name_stands_beside_it_from_the_next_edition_on(
    people: Cast, clock: Clock
) -> None:
    before = record()
    edition = disputes.note(order(people.operator, clock), "ISBN", COURT, space=URN_SPACE)
    assert edition == 2
    noted = Dispute(
        kind=DisputeKind.DISPUTE, date="2026-09-01", reference="https://court.example/7"
    )
    assert record() == replace(before, disputes=(noted,)), "the registration stands"
    (event,) = events()
    assert (event.kind, event.about, event.edition) == ("dispute noted", "isbn", 2)
    assert event.reason == "https://court.example/7"


def test_a_second_note_leaves_the_first(people: Cast, clock: Clock) -> None:
    for noting in (COURT, GROUNDS):
        disputes.note(order(people.operator, clock), "isbn", noting, space=URN_SPACE)
    assert [one.kind for one in record().disputes] == [DisputeKind.DISPUTE, DisputeKind.APPEAL]
    assert [one.kind for one in events()] == ["dispute noted", "appeal noted"]


def test_a_form_that_is_sent_twice_notes_once(people: Cast, clock: Clock) -> None:
    given = order(people.operator, clock)
    editions = {disputes.note(given, "isbn", COURT, space=URN_SPACE) for _ in range(2)}
    assert editions == {2}
    assert len(record().disputes) == 1


def test_a_note_says_where_the_order_can_be_read_or_on_what_grounds(
    people: Cast, clock: Clock
) -> None:
    for noting, missing in (
        (DisputeInput(kind=DisputeKind.DISPUTE, grounds="It is ours."), "court’s order"),
        (
            DisputeInput(kind=DisputeKind.APPEAL, reference="https://x.example/"),
            "grounds of the appeal",
        ),
        (DisputeInput(kind=DisputeKind.APPEAL), "grounds of the appeal"),
    ):
        with pytest.raises(EvidenceMissing, match=missing):
            disputes.note(order(people.operator, clock), "isbn", noting, space=URN_SPACE)
    with pytest.raises(InvalidInput, match="200 characters"):
        long = replace(COURT, reference="x" * 201)
        disputes.note(order(people.operator, clock), "isbn", long, space=URN_SPACE)
    assert record().disputes == ()
    assert events() == []


def test_only_an_operator_who_sees_what_stands_notes_it_beside_a_name_in_use(
    people: Cast, clock: Clock
) -> None:
    given = order(people.operator, clock)
    with pytest.raises(NotAllowed):
        disputes.note(replace(given, actor=people.leader), "isbn", COURT, space=URN_SPACE)
    with pytest.raises(EditConflict):
        disputes.note(replace(given, seen=99), "isbn", COURT, space=URN_SPACE)
    with pytest.raises(NotFound):
        disputes.note(given, "numbat", COURT, space=URN_SPACE)
    with pytest.raises(InvalidInput, match="entry is former"):
        disputes.note(order(people.operator, clock, "ad-id"), "ad-id", COURT, space=URN_SPACE)


def test_the_story_of_the_request_tells_it_and_its_registrant_gets_mail(
    people: Cast, clock: Clock
) -> None:
    number = factories.registered(people, clock())
    noting = replace(COURT, grounds="Two societies claim it.")
    disputes.note(order(people.operator, clock, "quokka"), "quokka", noting, space=URN_SPACE)
    with read_transaction():
        newest = show_request(number, None, clock()).story[0]
        mail = db.session.scalars(select(Outbox).order_by(Outbox.id.desc()).limit(2)).all()
        assert {one.recipient for one in mail} == {
            factories.POST.list_address,
            people.registrant.email,
        }
    assert (newest.kind, newest.reason) == ("dispute noted", "Two societies claim it.")
    assert newest.details["reference"] == "https://court.example/7"


def test_what_follows_at_the_request_does_not_take_a_note_out_of_its_story(
    people: Cast, clock: Clock
) -> None:
    number = factories.registered(people, clock())
    disputes.note(order(people.operator, clock, "quokka"), "quokka", GROUNDS, space=URN_SPACE)
    note(factories.command(people.operator, clock()), number, "Ask counsel.")
    factories.comment(number, people.registrant, clock())
    with read_transaction():
        kinds = [told.kind for told in show_request(number, None, clock()).story]
    assert kinds[:2] == [Action.NOTE_APPEAL.past, Action.REGISTER.past]


@pytest.mark.usefixtures("quokka")
def test_a_revision_and_a_stored_copy_keep_what_is_noted(people: Cast, clock: Clock) -> None:
    disputes.note(order(people.operator, clock, "quokka"), "quokka", GROUNDS, space=URN_SPACE)
    number = factories.modifiable(people, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.KEPT)
    assert [one.grounds for one in record("quokka").disputes] == [GROUNDS.grounds]
    snapshot = snapshots.current_snapshot(URN_GROUP)
    assert snapshot_read(snapshot_to(snapshot)).registries == snapshot.registries


# ---- how it ends

SETTLED = DisputeOutcome(
    place=0,
    by="The district court of Exampleton",
    outcome="The claim was dismissed.",
    effect="The registration stands.",
    reference="https://court.example/8",
    date="2026-09-01",
)


def settle(settling: DisputeOutcome, actor: Actor, clock: Clock, name: str = "isbn") -> int:
    """End what is noted beside a name."""
    return disputes.settle(order(actor, clock, name), name, settling, space=URN_SPACE)


def test_what_is_settled_leaves_the_page_and_stays_in_the_history(
    people: Cast, clock: Clock
) -> None:
    number = factories.registered(people, clock())
    for noting in (COURT, GROUNDS):
        disputes.note(order(people.operator, clock, "quokka"), "quokka", noting, space=URN_SPACE)
    assert settle(SETTLED, people.operator, clock, "quokka") == 5
    assert [one.kind for one in record("quokka").disputes] == [DisputeKind.APPEAL]
    told = events()[-1]
    assert (told.kind, told.edition) == ("dispute settled", 5)
    assert told.leaf_kind == "words", "everybody can read it in the record"
    with read_transaction():
        newest, *_ = show_request(number, None, clock()).story
        assert reasons_of([5])[5].startswith("The district court of Exampleton, 2026-09-01: The")
        mail = db.session.scalars(select(Outbox).order_by(Outbox.id.desc()).limit(2)).all()
        assert {one.recipient for one in mail} == {
            factories.POST.list_address,
            people.registrant.email,
        }
    assert newest.details == {
        "by": SETTLED.by,
        "date": SETTLED.date,
        "effect": SETTLED.effect,
        "kind": "dispute",
        "noted": "2026-09-01",
        "outcome": SETTLED.outcome,
        "reference": SETTLED.reference,
    }


@pytest.mark.parametrize(
    ("lacking", "missing"),
    [
        ({"by": " "}, "that decided it"),
        ({"outcome": ""}, "Enter the outcome"),
        ({"effect": ""}, "Enter the effect"),
        ({"reference": ""}, "a reference for the decision"),
        ({"date": ""}, "date of the decision"),
        ({"date": "2026-08-31"}, "future or before"),
        ({"date": "2026-09-02"}, "in the future"),
    ],
)
def test_an_outcome_says_who_decided_when_and_what_follows(
    people: Cast, clock: Clock, lacking: dict[str, Any], missing: str
) -> None:
    disputes.note(order(people.operator, clock), "isbn", COURT, space=URN_SPACE)
    with pytest.raises(EvidenceMissing, match=missing):
        settle(replace(SETTLED, **lacking), people.operator, clock)
    assert len(record().disputes) == 1


def test_only_what_is_noted_is_settled_and_only_by_an_operator(people: Cast, clock: Clock) -> None:
    disputes.note(order(people.operator, clock), "isbn", COURT, space=URN_SPACE)
    for place in (-1, 1):
        with pytest.raises(InvalidInput, match="a recorded dispute"):
            settle(replace(SETTLED, place=place), people.operator, clock)
    with pytest.raises(InvalidInput, match="200 characters"):
        settle(replace(SETTLED, effect="x" * 201), people.operator, clock)
    with pytest.raises(NotAllowed):
        settle(SETTLED, people.leader, clock)
    given = order(people.operator, clock)
    editions = {disputes.settle(given, "isbn", SETTLED, space=URN_SPACE) for _ in range(2)}
    assert editions == {3}, "sent twice, settled once"
