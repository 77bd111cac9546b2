"""A request on its way, on both databases."""

import json
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registry_groups import URN_GROUP
from app.services.refusals import EditConflict, IdempotencyConflict, InvalidInput, NotFound
from app.services.registrations import name_registration
from app.services.registry.snapshots import current_snapshot
from app.services.request_status.request_status import status_of, turn_of
from app.services.requests import drafts, queues, request_actions, request_evidence
from app.services.requests.detail.request_detail import show_request
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.requests import iteration_rows, request_rows
from app.store.tables import Outbox
from app.store.tables.accounts import Grant
from app.web.actions.request_steps import steps
from app.workflow.engine import EvidenceMissing, NoSuchTransition, RoleMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State, Turn
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast


def state_of(number: int) -> State:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return State(request.state)


def kinds(number: int) -> list[str]:
    with read_transaction():
        return [event.kind for event in event_rows.of_request(number)]


def test_a_request_goes_all_the_way_to_the_registry(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.registered(people, clock())
    assert state_of(number) is State.ASSIGNED
    assert kinds(number) == ["submitted", "taken", "passed", "reviewed", "approved", "registered"]
    with read_transaction():
        snapshot = current_snapshot(URN_GROUP)
        assert snapshot.edition == 2
        record = next(record for record in snapshot.records() if record.name == "quokka")
        assert record.date == clock().date().isoformat()
        assert dict(record.fields)["version"] == "1"
        assert edition_rows.unbuilt()[-1] == 2


def test_a_returned_request_goes_back_to_where_it_was(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    assert factories.review(number, people.expert, Verdict.RETURN, clock()) is State.WITH_REQUESTER
    writing = drafts.open_draft(people.registrant, number, "2026-09-01")
    saving = drafts.DraftInput(fields={"purpose": "Better."}, private={})
    drafts.save(
        factories.command(people.registrant, clock(), seen=writing.lock_version), number, saving
    )
    assert factories.act(number, Action.RESUBMIT, people.registrant, clock()) is State.EXPERT_REVIEW
    with read_transaction():
        assert [sent.k for sent in iteration_rows.iterations_of(number)] == [1, 2]


def test_a_text_that_did_not_change_is_not_sent_again(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock())
    with pytest.raises(EvidenceMissing, match="Change the text"):
        factories.act(number, Action.RESUBMIT, people.registrant, clock())


def test_approvals_of_an_earlier_text_do_not_count(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    factories.review(number, people.second_expert, Verdict.RETURN, clock())
    saving = drafts.DraftInput(fields={"purpose": "Better."}, private={})
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    state = factories.review(number, people.second_expert, Verdict.APPROVE, clock())
    assert state is State.EXPERT_REVIEW


def test_the_second_of_two_who_act_on_the_same_page_is_told(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    seen = factories.lock_of(number)
    factories.review(number, people.expert, Verdict.APPROVE, clock(), seen=seen)
    with pytest.raises(EditConflict):
        factories.review(number, people.second_expert, Verdict.DECLINE, clock(), seen=seen)
    assert kinds(number)[-1] == "reviewed"


def test_the_same_key_acts_once_and_answers_the_same(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.sent(people.registrant, clock())
    same = {"key": factories.key(), "seen": factories.lock_of(number)}
    first = factories.act(number, Action.TAKE, people.operator, clock(), **same)
    again = factories.act(number, Action.TAKE, people.operator, clock(), **same)
    assert first is again is State.VALIDATING_REQUEST
    assert kinds(number) == ["submitted", "taken"]
    with pytest.raises(IdempotencyConflict):
        factories.act(number, Action.PASS, people.operator, clock(), **same)


def test_a_name_that_was_given_meanwhile_is_refused_in_any_case(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    first = factories.approved(people, clock())
    second = factories.draft(people.rival, clock(), namespace_identifier="QuokKa")
    factories.act(second, Action.SUBMIT, people.rival, clock())
    factories.act(second, Action.TAKE, people.operator, clock())
    factories.act(second, Action.PASS, people.operator, clock())
    factories.review(second, people.leader, Verdict.APPROVE, clock())
    reference = factories.REFERENCE
    factories.act(first, Action.REGISTER, people.operator, clock(), reference=reference)
    with read_transaction():
        page = show_request(second, people.operator, clock())
    assert page.is_taken
    assert Action.REGISTER not in page.actions
    assert Action.COLLISION in page.actions
    with pytest.raises(EvidenceMissing, match="Report collision"):
        factories.act(second, Action.REGISTER, people.operator, clock(), reference=reference)
    state = factories.act(second, Action.COLLISION, people.operator, clock())
    assert state is State.WITH_REQUESTER


def test_whoever_approved_does_not_register(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    both = factories.person("both@registry.example", clock(), Grant.EXPERT, Grant.OPERATOR)
    number = factories.in_review(people, clock())
    factories.review(number, both, Verdict.APPROVE, clock())
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    with pytest.raises(EvidenceMissing, match="Ask another operator"):
        factories.act(number, Action.REGISTER, both, clock(), reference=factories.REFERENCE)


def test_an_informal_namespace_gets_the_next_number(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.registered(people, clock(), informal=True)
    with read_transaction():
        assert show_request(number, None, clock()).row.name == "urn-9"
        found = names.find_record("nid", "urn-9")
        assert found is not None
        assert found[0] == "urn-namespaces-2"


def test_a_registry_that_only_proposes_registers_nothing(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.approved(people, clock())
    lock = factories.lock_of(number)
    with pytest.raises(name_registration.RegistrationDisabled):
        request_actions.carry_out(
            factories.command(people.operator, clock(), seen=lock, authority="proposal"),
            number,
            Action.REGISTER,
            request_evidence.ActionInput(reference=factories.REFERENCE),
        )
    assert state_of(number) is State.ASSIGNABLE
    with read_transaction():
        assert not name_rows.is_taken("nid", "quokka")


def at_iana(
    number: int, action: Action, people: Cast, at: datetime, day: str, authority: str = "proposal"
) -> State:
    """What the operator enters of IANA, by the rules of a registry that only prepares requests."""
    seen = factories.lock_of(number)
    command = factories.command(people.operator, at, seen=seen, authority=authority)
    given = request_evidence.ActionInput(
        reason="As IANA wrote.", details={"day": day, "ticket": "#1234"}
    )
    return request_actions.carry_out(command, number, action, given)


def next_told() -> str:
    """What the newest letter says comes next."""
    with read_transaction():
        newest = select(Outbox.arguments).order_by(Outbox.id.desc()).limit(1)
        return str(json.loads(db.session.scalars(newest).one())["next"])


def subjects_of(number: int, action: Action) -> set[str]:
    """What the subjects of the letters about an action begin with; the list has its own form."""
    with read_transaction():
        (event,) = (one for one in event_rows.of_request(number) if one.kind == action.past)
        letters = select(Outbox.arguments).where(Outbox.event == event.n)
        given = [json.loads(each) for each in db.session.scalars(letters)]
    return {f"{one['happened']}. {one['todo']}".rstrip(". ") for one in given}


def test_a_registry_that_only_proposes_says_that_it_sends_on(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    command = factories.command(
        people.leader, clock(), seen=factories.lock_of(number), authority="proposal"
    )
    given = request_evidence.ActionInput(iteration=1, reason="Fine.", verdict=Verdict.APPROVE)
    assert request_actions.carry_out(command, number, Action.REVIEW, given) is State.ASSIGNABLE
    said = "The operator sends it to IANA."
    assert next_told().startswith(said)


@pytest.mark.parametrize("end", [Action.ENTER_REGISTRATION, Action.ENTER_REFUSAL])
def test_a_registry_that_only_proposes_follows_a_request_to_its_end_at_iana(
    app: Flask, clock: Clock, end: Action
) -> None:
    people, approved = factories.cast(clock()), clock()
    number = factories.approved(people, approved)
    days = [(approved + timedelta(days=later)).date().isoformat() for later in range(-1, 5)]
    at = approved + timedelta(days=4, hours=1)
    refused = [
        (Action.SEND_ON, days[0], "proposal"),  # before it was approved
        (Action.SEND_ON, days[1], "private"),  # which registers itself
        (end, days[1], "proposal"),  # before it was sent
    ]
    for action, day, authority in refused:
        with pytest.raises(EvidenceMissing):
            at_iana(number, action, people, at, day, authority)
    assert at_iana(number, Action.SEND_ON, people, at, days[2]) is State.ASSIGNABLE
    assert "The operator enters IANA’s answer." in next_told()
    with read_transaction():
        row = show_request(number, None, at).row
    assert (row.turn, row.due) == (Turn.IANA, None), "nothing is due here while IANA has it"
    assert turn_of(row, at) == "IANA (3 days)."
    assert steps(row)[-1] == ("Registered: at IANA", "now")
    assert at_iana(number, Action.ENTER_ANSWER, people, at, days[3]) is State.ASSIGNABLE
    with pytest.raises(EvidenceMissing, match="before the previous step"):
        at_iana(number, end, people, at, days[2])
    assert number in {row.number for row in queues.operator_desk(at).to_register}
    ended = at_iana(number, end, people, at, days[4])
    with read_transaction():
        row = show_request(number, None, at).row
    refuses = end is Action.ENTER_REFUSAL
    assert subjects_of(number, Action.SEND_ON) == {"Sent to IANA"}
    assert subjects_of(number, Action.ENTER_ANSWER) == {"IANA answered"}
    assert subjects_of(number, end) == {"Refused by IANA" if refuses else "Registered by IANA"}
    assert steps(row)[-1] == (("Declined", "ended") if refuses else ("Registered", "done"))
    pending = queues.series_page(queues.RequestSeries.PENDING, None, clock())
    assert number not in {one.number for one in pending.rows}
    assert turn_of(row, at) == "No one (1 day)."
    letter = next_told()
    assert "Next:" not in letter
    assert ("in IANA’s registry, not in this one" in letter) is not refuses
    assert ended is (State.DECLINED if refuses else State.ASSIGNABLE)
    assert (row.turn, row.iana_day) == (Turn.NOBODY, days[4])
    assert number not in {row.number for row in queues.operator_desk(at).to_register}
    assert status_of(row, at, is_proposal=True).headline.startswith(
        "Refused by IANA on" if refuses else "Registered at IANA on"
    )
    for action in (Action.ENTER_ANSWER, Action.REOPEN):
        with pytest.raises(NoSuchTransition):
            at_iana(number, action, people, at, days[4])


def test_a_text_with_a_problem_cannot_be_sent(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.draft(people.registrant, clock(), namespace_identifier="un-wmo")
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.SUBMIT, people.registrant, clock())


def test_an_approval_over_findings_takes_a_sentence(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock(), documentation="")
    with pytest.raises(EvidenceMissing, match="Give a reason"):
        factories.review(number, people.expert, Verdict.APPROVE, clock(), reason="")
    factories.review(number, people.expert, Verdict.APPROVE, clock(), reason="It is fine so.")


def test_nobody_reviews_what_they_wrote(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    author = factories.person("author@experts.example", clock(), Grant.EXPERT)
    number = factories.sent(author, clock())
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.PASS, people.operator, clock())
    with pytest.raises(RoleMissing):
        factories.review(number, author, Verdict.APPROVE, clock())


def test_a_draft_is_nobody_elses(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.draft(people.registrant, clock())
    for stranger in (None, people.rival, people.operator, people.expert):
        with pytest.raises(NotFound):
            show_request(number, stranger, clock())
    with pytest.raises(NotFound):
        factories.act(number, Action.SUBMIT, people.rival, clock())


def test_a_withdrawn_name_is_free_again(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.sent(people.registrant, clock())
    assert factories.act(number, Action.WITHDRAW, people.registrant, clock()) is State.WITHDRAWN
    with read_transaction():
        assert not name_rows.is_taken("nid", "quokka")
    with pytest.raises(NoSuchTransition):
        factories.act(number, Action.TAKE, people.operator, clock())


def test_a_reopened_request_counts_its_reviews_anew(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.approved(people, clock())
    clock.on(minutes=1)
    factories.act(number, Action.REOPEN, people.operator, clock(), reason="New facts.")
    clock.on(minutes=1)
    state = factories.review(number, people.expert, Verdict.APPROVE, clock())
    assert state is State.EXPERT_REVIEW


@pytest.mark.parametrize(
    "action", sorted(action for action in Action if action.row.has_own_use_case)
)
def test_what_is_not_carried_out_leaves_no_event_that_says_it_was(
    app: Flask, clock: Clock, action: Action
) -> None:
    people = factories.cast(clock())
    number = factories.sent(people.registrant, clock())
    with pytest.raises(InvalidInput, match="available on this page"):
        factories.act(number, action, people.registrant, clock(), reason="Please.")
    assert kinds(number) == ["submitted"]


def test_a_reason_is_not_a_book(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.sent(people.registrant, clock())
    with pytest.raises(InvalidInput):
        factories.act(number, Action.TAKE, people.operator, clock(), reason="x" * 8001)


def test_since_is_the_day_the_state_began(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    began = clock()
    factories.review(number, people.expert, Verdict.APPROVE, clock.on(days=3))
    with read_transaction():
        assert show_request(number, None, clock()).row.since == began
    assert clock() - began == timedelta(days=3)
