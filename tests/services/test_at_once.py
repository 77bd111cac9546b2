"""People acting at one moment, on both databases: one wins, nothing is lost or done twice."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.exports.formats.exporters import FORMATS
from app.exports.formats.xml_reader import read_xml
from app.problems import use_case_codes
from app.registration.declarations.registries import FORMAL, INFORMAL, Format, Procedure
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_answers import PROFILE
from app.registration.records.registry_records import Purpose, Registration
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor
from app.services.accounts.sign_in import LinkSpent, SignInResult
from app.services.delegates import delegation
from app.services.editions import edition_build
from app.services.refusals import EditConflict, InvalidInput, NameUnavailable
from app.services.registrations import name_registration
from app.services.registry import snapshots
from app.services.requests import action_effects, comments, drafts, request_actions
from app.services.requests.comments import CommentInput
from app.store.accounts import attempts, sign_in_rows
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.mail import outbox_messages
from app.store.registry import record_versions as names
from app.store.requests import draft_rows, iteration_rows, request_queues, request_rows, review_rows
from app.store.tables import Account, Edition, Event, Name, SignIn
from app.store.tables.accounts import Grant
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from app.workflow.engine import ActionRefused
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.running.sites import names_in
from tests.services.racing import kinds, reviewing, sending, split, state_of
from tests.store.at_once import Meeting, at_once
from tests.torture.conftest import rounds

pytestmark = pytest.mark.postgresql


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], None]:
    """Lets two threads meet before a function, where a missing lock would let them."""

    def arrange(owner: Any, name: str) -> None:
        monkeypatch.setattr(owner, name, Meeting().before(getattr(owner, name)))

    return arrange


def test_who_is_invited_to_a_request_and_who_speaks_of_it_wait_for_nobody(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried with one lock for all that is counted: on PostgreSQL they waited for each other
    people = factories.cast(clock())
    number, at = factories.in_review(people, clock()), clock()
    doing, key = factories.command(people.registrant, at), factories.key()
    meeting(attempts, "hold")
    outcomes = at_once(
        app,
        lambda: delegation.invite(doing, "new@person.example", request=number),
        lambda: comments.say(
            factories.command(people.expert, at, key=key), number, CommentInput(body="What?")
        ),
    )
    assert not any(isinstance(outcome, Exception) for outcome in outcomes), outcomes


def test_of_two_approvals_of_the_same_page_one_counts(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried without FOR UPDATE on the request: on PostgreSQL both are kept, with two events
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    forms = [
        reviewing(number, expert, Verdict.APPROVE, clock())
        for expert in (people.expert, people.second_expert)
    ]
    meeting(request_actions, "transition")
    done, refused = split(at_once(app, *forms))
    assert done == [State.EXPERT_REVIEW]
    assert [type(error) for error in refused] == [EditConflict]
    assert kinds(number)[-2:] == ["passed", "reviewed"]
    with read_transaction():
        assert len(review_rows.reviews_of(number)) == 1


def test_of_two_leaders_who_decide_differently_one_decides(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried without FOR UPDATE on the request: on PostgreSQL it is both approved and declined
    people = factories.cast(clock())
    other = factories.person("other@experts.example", clock(), Grant.LEADER)
    number = factories.in_review(people, clock())
    forms = [
        reviewing(number, people.leader, Verdict.APPROVE, clock()),
        reviewing(number, other, Verdict.DECLINE, clock()),
    ]
    meeting(request_actions, "transition")
    (decided,), refused = split(at_once(app, *forms))
    assert [type(error) for error in refused] == [EditConflict]
    assert state_of(number) is decided
    assert decided in (State.ASSIGNABLE, State.DECLINED)
    assert len(kinds(number)) == 4


def test_one_name_asked_for_in_two_cases_is_given_once(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried with a name that is inserted without ON CONFLICT: the database refuses the second, in
    # words that no page explains; and with names kept as they were written: both are given
    people = factories.cast(clock())
    numbers = [
        factories.assignable(people.registrant, clock(), namespace_identifier="QUOKKA"),
        factories.assignable(people.rival, clock(), namespace_identifier="quoKKa"),
    ]
    operators = (people.operator, people.second_operator)
    given: dict[str, Any] = {
        "reference": factories.REFERENCE,
        "details": {"priority": "They agreed."},
    }
    forms = [
        sending(number, Action.REGISTER, operator, clock(), **given)
        for number, operator in zip(numbers, operators, strict=True)
    ]
    meeting(request_actions, "transition")
    done, refused = split(at_once(app, *forms))
    assert done == [State.ASSIGNED]
    assert len(refused) == 1
    assert isinstance(refused[0], NameUnavailable | ActionRefused), refused
    assert "collision" in str(refused[0])
    assert sorted(map(state_of, numbers)) == [State.ASSIGNABLE, State.ASSIGNED]
    with read_transaction():
        assert len(list(db.session.scalars(select(Name).where(Name.folded == "quokka")))) == 1
        assert list(db.session.scalars(select(Edition.n).order_by(Edition.n))) == [1, 2]


def add_assignable(registrant: Actor, at: datetime) -> int:
    """A request for a number that waits to be registered, without its way there."""
    request = request_rows.add_request(
        registry=INFORMAL.id,
        procedure=Procedure.INFORMAL,
        purpose=Purpose.NEW,
        registrant=registrant.id,
        at=at,
    )
    fields = factories.template(namespace_identifier="", version="1", date="2026-09-01")
    fields |= {PROFILE: factories.TITLED}
    request.organization = "Quokka Society"
    iteration_rows.add_iteration(request, fields, registrant.id, at, "")
    request.state = State.ASSIGNABLE
    return request.number


def test_informal_numbers_have_no_gap_and_no_repeat(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # tried with a number that is read and then written: 16 threads get the same one; and with a
    # PostgreSQL sequence, which leaves a gap for each registration that is rolled back
    people = factories.cast(clock())
    threads, each = 16, 2
    with transaction():
        numbers = [add_assignable(people.registrant, clock()) for _ in range(threads * each)]
    refused_first = set(numbers[::5])
    check = snapshots.check_writable

    def refuse_some(snapshot: Any) -> None:
        check(snapshot)
        request = next(snapshot.records()).request
        if request in refused_first:
            refused_first.discard(request)
            raise InvalidInput(use_case_codes.EVIDENCE_MISSING, "after the number was taken")

    monkeypatch.setattr(name_registration, "check_writable", refuse_some)
    monkeypatch.setattr(name_registration, "try_formats", lambda *_, **__: None)
    forms = [
        sending(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
        for number in numbers
    ]

    def register(own: list[Any]) -> None:
        for form in own:
            try:
                form()
            except InvalidInput:
                form()

    shares = [forms[n * each : (n + 1) * each] for n in range(threads)]
    assert at_once(app, *(partial(register, share) for share in shares)) == [None] * threads
    assert not refused_first
    with read_transaction():
        given = [request_rows.find_request(number).assigned_name for number in numbers]  # type: ignore[union-attr]  # each is there
        found = list(db.session.scalars(select(Edition.n).order_by(Edition.n)))
    assert sorted(int(str(name)[4:]) for name in given) == list(range(9, 9 + len(numbers)))
    assert found == list(range(1, len(numbers) + 2))


def test_a_form_sent_eight_times_at_once_acts_once_and_is_answered_eight_times(
    app: Flask, clock: Clock
) -> None:
    # tried with a key that is written after the work: on PostgreSQL seven get “changed”
    people = factories.cast(clock())
    form = sending(
        factories.sent(people.registrant, clock()), Action.TAKE, people.operator, clock()
    )
    number = form.args[1]
    assert at_once(app, *[form] * 8) == [State.VALIDATING_REQUEST] * 8
    assert kinds(number) == ["submitted", "taken"]


def test_a_request_started_eight_times_at_once_is_one_draft(app: Flask, clock: Clock) -> None:
    people, key = factories.cast(clock()), factories.key()
    command = factories.command(people.registrant, clock(), key=key)
    start = partial(drafts.start, command, FORMAL.id)
    assert at_once(app, *[start] * 8) == [1] * 8
    with read_transaction():
        assert len(request_queues.of_registrant(people.registrant.id, 10)) == 1


def test_of_two_tabs_that_save_a_draft_one_wins_and_nothing_is_mixed(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried without the version in the UPDATE, and without FOR UPDATE: the second overwrites
    people = factories.cast(clock())
    number = factories.draft(people.registrant, clock())
    texts = [
        drafts.DraftInput(fields={"purpose": tab, "syntax": tab}, private={"contact_name": tab})
        for tab in ("one", "two")
    ]
    meeting(draft_rows, "save_draft")
    saves = [
        partial(drafts.save, factories.command(people.registrant, clock(), seen=2), number, text)
        for text in texts
    ]
    results = at_once(app, *saves)
    assert sorted(map(type, results), key=str) == sorted([EditConflict, type(None)], key=str)
    won = ("one", "two")[results.index(None)]
    with read_transaction():
        writing = drafts.open_draft(people.registrant, number, "2026-09-01")
    assert (writing.fields["purpose"], writing.fields["syntax"]) == (won, won)
    assert writing.private["contact_name"] == won
    assert writing.lock_version == 3


def test_two_who_send_the_same_words_at_once_both_succeed(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried with a rendering that is looked for and then added: on PostgreSQL one fails
    people = factories.cast(clock())
    forms = [
        sending(
            factories.draft(person, clock(), namespace_identifier=name),
            Action.SUBMIT,
            person,
            clock(),
        )
        for person, name in ((people.registrant, "wombat"), (people.rival, "numbat"))
    ]
    meeting(action_effects, "keep_rendered")
    assert at_once(app, *forms) == [State.NEW, State.NEW]


def ask_for_links(address: str, count: int, at: datetime) -> list[str]:
    """The tokens of links that were asked for."""
    for _ in range(count):
        sign_in.ask_for_link(address, "/", at, secret="s", host="h")
    with read_transaction():
        idents = list(db.session.scalars(select(SignIn.id).where(SignIn.email == address)))
    return [sign_in.token_of(ident, "s") for ident in idents]


def test_a_link_lets_one_of_two_in(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried without “used is null” in the UPDATE: both get in
    (token,) = ask_for_links("new@org.example", 1, clock())
    meeting(sign_in_rows, "use_sign_in")
    done, refused = split(at_once(app, *[partial(sign_in.use_link, token, clock())] * 2))
    assert [type(entered) for entered in done] == [SignInResult]
    assert [type(error) for error in refused] == [LinkSpent]


def test_two_links_of_a_new_address_make_one_account(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried with an account that is looked for and then added: on PostgreSQL one fails
    tokens = ask_for_links("new@org.example", 2, clock())
    meeting(sign_in_rows, "use_sign_in")
    entered = at_once(app, *(partial(sign_in.use_link, token, clock()) for token in tokens))
    assert [person.actor.email for person in entered] == ["new@org.example"] * 2
    with read_transaction():
        made = select(Account).where(Account.email == "new@org.example")
        assert len(list(db.session.scalars(made))) == 1


def test_two_workers_build_an_edition_once(
    app: Flask, clock: Clock, meeting: Callable[[Any, str], None]
) -> None:
    # tried without FOR UPDATE on the publication: on PostgreSQL one fails on equal paths
    meeting(edition_rows, "keep_files")
    clock.on(minutes=16)  # so long that whoever finds another at it builds as well
    build = partial(edition_build.build_pending, clock(), factories.PLACE)
    assert at_once(app, build, build) == [[1], [1]]
    with read_transaction():
        assert edition_rows.built(URN_GROUP) == [1]
        assert edition_rows.failures(10) == []


def test_a_message_is_leased_to_one_of_two_workers(app: Flask, clock: Clock) -> None:
    # tried without SKIP LOCKED: on PostgreSQL the second waits, then sends it too
    people = factories.cast(clock())
    factories.sent(people.registrant, clock())  # to the list, two operators and its author

    def lease() -> str:
        with transaction():
            message = outbox_messages.lease(clock())
            return message.recipient if message else ""

    leased = at_once(app, *[lease] * 5)
    assert sorted(leased) == [
        "",
        people.operator.email,
        people.second_operator.email,
        people.registrant.email,
        "urn@lists.example",
    ]


def test_two_imports_of_one_file_at_once_change_it_once(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # tried without holding the counter of editions: on PostgreSQL the second fails
    shipped = snapshots.bundled_snapshot()
    changed = replace(shipped, title="Changed", updated="2026-08-01")
    monkeypatch.setattr(snapshots, "read_xml", lambda _: changed)
    plans = at_once(app, *[partial(snapshots.import_xml, b"", clock())] * 2)
    assert sorted(plan.is_empty for plan in plans) == [False, True]
    with read_transaction():
        assert snapshots.current_snapshot(URN_GROUP).edition == 2
        assert len(list(db.session.scalars(select(Event).where(Event.kind == "imported")))) == 2


@pytest.mark.all_names
@pytest.mark.slow
def test_what_is_read_while_many_names_are_given_is_one_edition(app: Flask, clock: Clock) -> None:
    # tried with a snapshot read statement by statement: a reader sees half of a change
    shipped = [record.name for record in snapshots.bundled_snapshot().records()]
    over = threading.Event()
    seen: list[tuple[int, list[str], list[str]]] = []

    def write() -> None:
        for number in range(1000):
            if number >= rounds(100, 30) and len({edition for edition, _, _ in seen}) > 3:
                break
            with transaction():
                edition = edition_rows.add_edition(
                    URN_GROUP,
                    as_of=clock(),
                    updated="2026-09-01",
                    origin=EditionOrigin.LOCAL,
                    cause=Cause.CORRECTION,
                    notice="",
                )
                change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
                for stem in ("first", "second"):
                    record = Registration(name=f"{stem}-{number:03d}")
                    names.add_record(record, FORMAL.id, record.folded, change)
        over.set()

    def read() -> None:
        while not over.is_set():
            with read_transaction():
                snapshot = snapshots.current_snapshot(URN_GROUP)
            made = dict(FORMATS[Format.JSON].files(snapshot)) | dict(
                FORMATS[Format.XML].files(snapshot)
            )
            listed = names_in(made["urn-namespaces.json"])
            in_xml = [record.name for record in read_xml(made["urn-namespaces.xml"]).records()]
            seen.append((snapshot.edition, listed, in_xml))

    assert [r for r in at_once(app, write, read, read) if isinstance(r, Exception)] == []
    assert len({edition for edition, _, _ in seen}) > 3, "nobody saw a switch"
    for edition, listed, in_xml in seen:
        given = [f"{s}-{n:03d}" for n in range(edition - 1) for s in ("first", "second")]
        assert sorted(listed) == sorted([*shipped, *given])
        assert set(in_xml) == set(listed) - {"ad-id"}
