"""What is noted beside a registration: published from the next edition on, and on record."""

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import Dispute, DisputeKind, Registration
from app.services.accounts.actors import Actor
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.registrations import disputes
from app.services.registrations.corrections import find_entry
from app.services.registrations.disputes import DisputeInput
from app.services.registry import snapshots
from app.services.requests.detail import show
from app.services.requests.internal_notes import note
from app.services.use_cases import Command
from app.store.database import db, reading
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
    with reading():
        seen = find_entry(name).n
    return factories.command(actor, clock(), seen=seen)


def record(name: str = "isbn") -> Registration:
    """A record as it stands."""
    with reading():
        return find_entry(name).record


def events() -> list[Event]:
    """What happened to names."""
    with reading():
        found = list(db.session.scalars(select(Event).where(Event.subject == "name")))
        db.session.expunge_all()
        return found


def test_a_dispute_over_an_imported_name_stands_beside_it_from_the_next_edition_on(
    people: Cast, clock: Clock
) -> None:
    before = record()
    edition = disputes.note(order(people.operator, clock), "ISBN", COURT)
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
        disputes.note(order(people.operator, clock), "isbn", noting)
    assert [one.kind for one in record().disputes] == [DisputeKind.DISPUTE, DisputeKind.APPEAL]
    assert [one.kind for one in events()] == ["dispute noted", "appeal noted"]


def test_a_form_that_is_sent_twice_notes_once(people: Cast, clock: Clock) -> None:
    given = order(people.operator, clock)
    editions = {disputes.note(given, "isbn", COURT) for _ in range(2)}
    assert editions == {2}
    assert len(record().disputes) == 1


def test_a_note_says_where_the_order_can_be_read_or_on_what_grounds(
    people: Cast, clock: Clock
) -> None:
    for noting, missing in (
        (DisputeInput(kind=DisputeKind.DISPUTE, grounds="It is ours."), "court’s order"),
        (DisputeInput(kind=DisputeKind.APPEAL, reference="https://x.example/"), "what grounds"),
        (DisputeInput(kind=DisputeKind.APPEAL), "what grounds"),
    ):
        with pytest.raises(EvidenceMissing, match=missing):
            disputes.note(order(people.operator, clock), "isbn", noting)
    with pytest.raises(InvalidInput, match="200 characters"):
        long = replace(COURT, reference="x" * 201)
        disputes.note(order(people.operator, clock), "isbn", long)
    assert record().disputes == ()
    assert events() == []


def test_only_an_operator_who_sees_what_stands_notes_it_beside_a_name_in_use(
    people: Cast, clock: Clock
) -> None:
    given = order(people.operator, clock)
    with pytest.raises(NotAllowed):
        disputes.note(replace(given, actor=people.leader), "isbn", COURT)
    with pytest.raises(EditConflict):
        disputes.note(replace(given, seen=99), "isbn", COURT)
    with pytest.raises(NotFound):
        disputes.note(given, "numbat", COURT)
    with pytest.raises(InvalidInput, match="former name"):
        disputes.note(order(people.operator, clock, "ad-id"), "ad-id", COURT)


def test_the_story_of_the_request_tells_it_and_its_registrant_gets_mail(
    people: Cast, clock: Clock
) -> None:
    number = factories.registered(people, clock())
    noting = replace(COURT, grounds="Two societies claim it.")
    disputes.note(order(people.operator, clock, "quokka"), "quokka", noting)
    with reading():
        newest = show(number, None, clock()).story[0]
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
    disputes.note(order(people.operator, clock, "quokka"), "quokka", GROUNDS)
    note(factories.command(people.operator, clock()), number, "Ask counsel.")
    factories.comment(number, people.registrant, clock())
    with reading():
        kinds = [told.kind for told in show(number, None, clock()).story]
    assert kinds[:2] == [Action.NOTE_APPEAL.past, Action.REGISTER.past]


def test_a_revision_and_a_stored_copy_keep_what_is_noted(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    disputes.note(order(people.operator, clock, "quokka"), "quokka", GROUNDS)
    number = factories.modifiable(people, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.KEPT)
    assert [one.grounds for one in record("quokka").disputes] == [GROUNDS.grounds]
    snapshot = snapshots.current_snapshot(URN_GROUP)
    assert snapshot_read(snapshot_to(snapshot)).registries == snapshot.registries
