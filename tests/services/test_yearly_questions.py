"""The yearly question: sent once, answered, and silence listed; on both databases."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app import worker
from app.pages.mail.letters import compose_letter
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.declarations.registries import URN_SPACE
from app.registration.naans.yearly_question import DAYS_TO_ANSWER, NaanAnswer
from app.services.delegates import claims, delegation, yearly_questions
from app.services.delegates.claims import ClaimDecision
from app.services.delegates.yearly_questions import YearlyQuestion
from app.services.refusals import EditConflict, NotAllowed, NotFound
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import db, read_transaction
from app.store.registry import holder_contacts
from app.store.tables import HolderAnswer, HolderQuestion, Outbox
from app.worker import WorkerContext
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.store.at_once import at_once


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def ask(clock: Clock) -> int:
    return yearly_questions.ask_due(clock(), base_url="https://r.example", host="r.example")


def mailed() -> list[Outbox]:
    with read_transaction():
        found = select(Outbox).where(Outbox.template == "holders").order_by(Outbox.id)
        return list(db.session.scalars(found))


def look(name: str, people: Cast, clock: Clock) -> YearlyQuestion:
    with read_transaction():
        found = yearly_questions.question_of(
            name, people.registrant, clock().date(), space=NAAN_SPACE
        )
    assert found is not None
    return found


def say(name: str, people: Cast, clock: Clock, said: NaanAnswer) -> None:
    command = factories.command(people.registrant, clock(), seen=look(name, people, clock).seen)
    yearly_questions.answer(command, name, said, space=NAAN_SPACE)


def claim(people: Cast, clock: Clock, name: str) -> None:
    """Let somebody come to act for a name."""
    claiming = factories.command(people.rival, clock())
    claims.ask_operator(claiming, name, "I am on their board.", space=NAAN_SPACE)
    with read_transaction():
        number = claims.to_decide()[-1].number
    deciding = factories.command(people.operator, clock())
    claims.decide(deciding, number, ClaimDecision.GRANT, "They showed it.")


def silent(clock: Clock, after: str = "") -> yearly_questions.SilentHolderPage:
    with read_transaction():
        return yearly_questions.silent_page(clock(), after)


def test_what_another_worker_asked_meanwhile_is_not_asked_again(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.registered_naan(people, clock())
    clock.on(days=365)
    keep = holder_contacts.add_question

    def kept_before(name_id: int, due: str, at: datetime) -> bool:
        keep(name_id, due, at)
        return keep(name_id, due, at)

    monkeypatch.setattr(holder_contacts, "add_question", kept_before)
    assert (ask(clock), mailed()) == (0, [])


def test_a_holder_is_asked_by_mail_a_year_after_each_sign_and_once_alone(
    people: Cast, clock: Clock
) -> None:
    name = factories.registered_naan(people, clock())
    begun = clock().date()
    clock.on(days=364)
    assert ask(clock) == 0
    assert not look(name, people, clock).is_open
    clock.on(days=1)
    assert (ask(clock), ask(clock)) == (1, 0)
    (message,) = mailed()
    assert message.recipient == people.registrant.email
    told = json.loads(message.arguments)
    assert told["link"] == f"https://r.example/naans/{name}/answer"
    letter = compose_letter(
        message.template,
        told,
        sender="registry@r.example",
        recipient=message.recipient,
        message_id=message.message_id,
        date=clock(),
    )
    assert letter["Subject"] == f"Is the record of ark:{name} correct?"
    body = letter.get_content()
    assert begun.isoformat() in body and "remains yours" in body.replace("\n", " ")
    assert "\n  Organization: Wombat Library\n" in body and told["link"] in body
    assert "robin@wombat.example" not in body, "what is private goes into no mail"
    assert look(name, people, clock).is_open
    with read_transaction():
        (asked,) = yearly_questions.open_questions(people.registrant, clock().date())
        assert asked.name == name
        assert not yearly_questions.open_questions(people.rival, clock().date())
    clock.on(days=100)
    assert ask(clock) == 0
    say(name, people, clock, NaanAnswer.STANDS)
    assert not look(name, people, clock).is_open
    clock.on(days=365)  # a leap year
    assert ask(clock) == 0
    clock.on(days=1)
    assert ask(clock) == 1
    clock.on(days=365)
    assert ask(clock) == 1, "who does not answer is asked again a year later"
    assert len({one.message_id for one in mailed()}) == 3


def test_two_workers_send_one_question(app: Flask, people: Cast, clock: Clock) -> None:
    for _ in range(2):
        factories.registered_naan(people, clock())
    clock.on(days=366)
    asked = at_once(app, *[lambda: ask(clock)] * 3)
    assert sum(asked) == 2, asked
    assert len(mailed()) == 2
    with read_transaction():
        assert len(list(db.session.scalars(select(HolderQuestion)))) == 2


@pytest.mark.parametrize("said", NaanAnswer)
def test_an_answer_is_an_event_of_the_name_and_kept_once_a_day(
    people: Cast, clock: Clock, said: NaanAnswer
) -> None:
    name = factories.registered_naan(people, clock())
    clock.on(days=400)
    for _ in range(2):
        say(name, people, clock, said)
    with read_transaction():
        (kept,) = db.session.scalars(select(HolderAnswer))
        story = delegation.people(people.registrant, name, space=NAAN_SPACE).story
    assert (kept.answer, kept.at) == (said, clock())
    assert [one.kind for one in story] == [yearly_questions.EVENTS[said]]
    assert look(name, people, clock).answered is said
    clock.on(days=1)
    say(name, people, clock, said)
    with read_transaction():
        assert len(list(db.session.scalars(select(HolderAnswer)))) == 2


def test_nobody_else_answers_and_nothing_that_happened_meanwhile_is_overlooked(
    people: Cast, clock: Clock
) -> None:
    name = factories.registered_naan(people, clock())
    seen = look(name, people, clock).seen
    for stranger in (people.rival, people.operator):
        command = factories.command(stranger, clock())
        with pytest.raises(NotAllowed):
            yearly_questions.answer(command, name, NaanAnswer.CEASES, space=NAAN_SPACE)
        with read_transaction():
            found = yearly_questions.question_of(name, stranger, clock().date(), space=NAAN_SPACE)
        assert found is None
    say(name, people, clock, NaanAnswer.STANDS)
    late = factories.command(people.registrant, clock(), seen=seen)
    with pytest.raises(EditConflict):
        yearly_questions.answer(late, name, NaanAnswer.CEASES, space=NAAN_SPACE)


def test_nobody_is_asked_about_a_namespace_nor_about_a_name_out_of_use(
    people: Cast, clock: Clock
) -> None:
    factories.registered(people, clock(), namespace_identifier="quokka")
    clock.on(days=500)
    assert ask(clock) == 0
    with pytest.raises(NotFound), read_transaction():
        yearly_questions.question_of("quokka", people.registrant, clock().date(), space=URN_SPACE)
    assert silent(clock).count == 0


def test_silent_holders_are_listed_the_longest_first_with_whom_to_write_to(
    people: Cast, clock: Clock
) -> None:
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    claim(people, clock, LIBRARY.naan)
    claimed = clock().date()
    clock.on(days=10)
    name = factories.registered_naan(people, clock())
    clock.on(days=365)
    assert ask(clock) == 2
    asked = clock().date()
    clock.on(days=DAYS_TO_ANSWER - 1)
    assert silent(clock).rows == ()
    clock.on(days=1)
    page = silent(clock)
    assert [(one.space, one.name, one.heard, one.asked) for one in page.rows] == [
        (NAAN_SPACE, LIBRARY.naan, claimed, asked),
        (NAAN_SPACE, name, claimed + timedelta(days=10), asked),
    ]
    assert page.count == 2
    assert {one.people for one in page.rows} == {1}
    say(name, people, clock, NaanAnswer.CHANGES)
    assert silent(clock).count == 1


def test_names_of_a_file_that_nobody_claimed_are_counted_apart(people: Cast, clock: Clock) -> None:
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    clock.on(days=800)
    page = silent(clock)
    assert (page.rows, page.count, page.unclaimed) == ((), 0, 2)
    claim(people, clock, LIBRARY.naan)
    assert silent(clock).unclaimed == 1


def test_what_an_import_changes_is_not_the_holders_word(people: Cast, clock: Clock) -> None:
    name = factories.registered_naan(people, clock())
    begun = look(name, people, clock).heard
    clock.on(days=500)
    changed = replace(LIBRARY, naan=name, holder="Another Library")
    import_naans(read_naan_file(file_of(entry_of(changed))), clock())
    assert look(name, people, clock).heard == begun
    assert silent(clock).count == 1


def test_the_time_to_answer_begins_when_the_question_is_sent(people: Cast, clock: Clock) -> None:
    factories.registered_naan(people, clock())
    clock.on(days=800)
    assert ask(clock) == 1
    clock.on(days=DAYS_TO_ANSWER - 1)
    assert silent(clock).count == 0
    clock.on(days=1)
    assert silent(clock).count == 1


def test_the_list_goes_on_from_a_key(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yearly_questions, "MOST_SHOWN", 1)
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    clock.on(days=10)
    name = factories.registered_naan(people, clock())
    claim(people, clock, LIBRARY.naan)
    clock.on(days=500)
    found, after = [], ""
    for _ in range(2):
        page = silent(clock, after)
        found += [one.name for one in page.rows]
        after = page.after
    assert (sorted(found), after) == (sorted([LIBRARY.naan, name]), "")
    for key in ("x", "_", "2026-09-01_1", "2026-09-01T00:00:00.000000_", "_" * 3000, "1_²"):
        with pytest.raises(NotFound):
            silent(clock, key)


def test_who_came_to_act_or_changed_something_was_heard_of(people: Cast, clock: Clock) -> None:
    name = factories.registered_naan(people, clock())
    clock.on(days=300)
    claim(people, clock, name)
    assert look(name, people, clock).heard == date(2026, 9, 1) + timedelta(days=300)


def test_the_worker_asks_unless_it_sends_no_mail_or_the_database_is_older(
    people: Cast, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.registered_naan(people, clock())
    clock.on(days=366)
    sends = WorkerContext(
        folder=tmp_path,
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=lambda _message: None,
    )
    assert worker.ask_holders in worker.UPKEEP.steps
    worker.ask_holders(replace(sends, deliver=None))
    with monkeypatch.context() as patched:
        patched.setattr("app.services.stored_editions.divergence.is_noted", lambda: True)
        worker.ask_holders(sends)
    assert mailed() == []
    worker.ask_holders(sends)
    assert len(mailed()) == 1
