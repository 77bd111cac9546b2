"""Nobody decides their own case, in any spelling, and no decision is older than its question."""

from datetime import timedelta

import pytest
from flask import Flask

from app.registration.declarations.registries import URN_SPACE, Procedure
from app.registration.records.registry_records import DisputeKind
from app.services.accounts.actors import Actor, parties_of, parties_of_all
from app.services.delegates import delegation
from app.services.experts import fast_track_organizations, panel_membership
from app.services.refusals import InvalidInput, NotAllowed
from app.services.registrations import disputes
from app.services.registrations.corrections import Correction, correct, find_entry
from app.services.registrations.disputes import DisputeInput
from app.services.requests.detail.request_detail import RequestDetail, show_request
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.database import read_transaction, transaction
from app.store.requests import request_rows
from app.store.tables.accounts import Grant
from app.store.tables.delegates import DelegateOrigin
from app.workflow.engine import EvidenceMissing, RoleMissing
from app.workflow.reviews import Verdict
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.web import stages
from tests.web.stages import Stage

A, S = Action, State
WHY = "It was misspelt."


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def at(app: Flask, people: Cast, clock: Clock, state: State) -> Stage:
    """A request that stands at a state."""
    stage = stages.begin(app, people, clock, Procedure.COMMUNITY)
    stages.TO[state, None](stage)
    return stage


def seen_by(stage: Stage, who: Actor) -> RequestDetail:
    """A request as somebody sees it."""
    with read_transaction():
        return show_request(stage.number, who, stage.clock())


def order(actor: Actor, clock: Clock, people: int = 3) -> Command:
    """Somebody who corrects a name now."""
    with read_transaction():
        seen = find_entry("isbn", URN_SPACE).n
    return factories.command(actor, clock(), seen=seen, separation=SeparationOfDuties(people))


# ---- names


def test_who_acts_for_a_name_does_not_correct_it_by_any_account(people: Cast, clock: Clock) -> None:
    other = factories.person("Odell+isbn@registry.example", clock())
    with transaction():
        held = delegate_rows.find_name(URN_SPACE, "isbn")
        assert held is not None
        delegate_rows.add(held, other.id, DelegateOrigin.INVITED, clock())
    facts, noting = (
        Correction(date="2020-01-01"),
        DisputeInput(kind=DisputeKind.APPEAL, grounds="A trade mark."),
    )
    with pytest.raises(NotAllowed, match="another operator"):
        correct(order(people.operator, clock), "isbn", facts, reason=WHY, space=URN_SPACE)
    with pytest.raises(NotAllowed, match="another operator"):
        disputes.note(order(people.operator, clock), "isbn", noting, space=URN_SPACE)
    assert (
        correct(order(people.second_operator, clock), "isbn", facts, reason=WHY, space=URN_SPACE)
        == 2
    )
    again = Correction(date="2020-01-02")
    alone = order(people.operator, clock, people=1)
    assert correct(alone, "isbn", again, reason=WHY, space=URN_SPACE) == 3, "one runs it all"


def test_an_operator_does_not_make_themselves_speak_for_an_organization(
    people: Cast, clock: Clock
) -> None:
    listed = factories.recognized(people, clock(), "Wombats")
    given = (listed, "odell+wombats@registry.example")
    add = fast_track_organizations.add_representative
    with pytest.raises(InvalidInput, match="can’t appoint yourself"):
        add(factories.command(people.operator, clock()), *given)
    add(factories.command(people.second_operator, clock()), *given)
    alone = factories.command(people.second_operator, clock(), separation=SeparationOfDuties(1))
    add(alone, listed, people.second_operator.email)


# ---- appeals


def test_who_reviewed_or_declined_does_not_enter_what_was_decided_on_the_appeal(
    app: Flask, people: Cast, clock: Clock
) -> None:
    both = factories.person("both@registry.example", clock(), Grant.EXPERT, Grant.OPERATOR)
    stage = at(app, people, clock, S.EXPERT_REVIEW)
    stage.review(both, Verdict.DECLINE)
    stage.review(people.leader, Verdict.DECLINE)
    stage.do(A.APPEAL, people.registrant)
    assert not {A.UPHOLD, A.OVERTURN} & set(seen_by(stage, both).actions)
    assert {A.UPHOLD, A.OVERTURN} <= set(seen_by(stage, people.operator).actions)
    with pytest.raises(EvidenceMissing, match="enter the outcome of the appeal"):
        stage.do(A.UPHOLD, both, details=factories.DECISION)
    assert stage.do(A.UPHOLD, people.operator, details=factories.DECISION) is S.DECLINED


def test_the_operator_who_declined_leaves_the_appeal_to_another(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, S.VALIDATING_REQUEST)
    stage.do(A.DECLINE, people.operator, details={"rule": "name-taken"})
    stage.do(A.APPEAL, people.registrant)
    with pytest.raises(EvidenceMissing, match="enter the outcome of the appeal"):
        stage.do(A.OVERTURN, people.operator, details=factories.DECISION)
    assert stage.decide(A.OVERTURN) is S.EXPERT_REVIEW


@pytest.mark.parametrize("state", [S.IESG_APPEAL_1, S.IESG_EXPERTS])
def test_a_decision_is_not_older_than_what_it_decides(
    app: Flask, people: Cast, clock: Clock, state: State
) -> None:
    clock.on(days=10)
    stage = at(app, people, clock, state)
    action = A.ANSWER if state is S.IESG_EXPERTS else A.UPHOLD
    days = {by: (clock() + timedelta(days=by)).date().isoformat() for by in (-1, 0, 1)}
    for wrong in (days[-1], days[1]):
        details = {**factories.DECISION, "date": wrong}
        with pytest.raises(EvidenceMissing, match="before the question"):
            stage.do(action, people.second_operator, details=details)
    details = {**factories.DECISION, "date": days[0]}
    stage.do(action, people.second_operator, details=details)


# ---- organizations


def test_an_expert_whose_organization_reads_like_the_registrants_says_how_they_differ(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, S.EXPERT_REVIEW)
    ltd = f"{stage.organization} Ltd."
    panel_membership.belong(factories.command(people.expert, clock()), ltd)
    declaring = factories.command(people.second_expert, clock())
    panel_membership.declare_interest(declaring, ltd)
    for who in (people.expert, people.second_expert):
        expert = factories.person(who.email, clock(), Grant.EXPERT)
        shown = seen_by(stage, expert).expert
        assert shown is not None
        assert (shown.alike, shown.conflicts) == (ltd, ())
        with pytest.raises(EvidenceMissing, match="similar to the registrant’s"):
            stage.review(expert, Verdict.APPROVE)
        said = {"relation": "They share a word."}
        values = {"verdict": Verdict.COMMENT, "reason": "Because.", "details": said}
        stage.do(A.REVIEW, expert, **values)
    story = seen_by(stage, people.operator).story
    told = [event.details.get("relation") for event in story if event.kind == A.REVIEW.past]
    assert told == ["They share a word."] * 2
    leader = seen_by(stage, people.leader).expert
    assert leader is not None
    assert leader.alike == ""


# ---- people who wrote a request and left it


def join_and_leave(stage: Stage, who: Actor) -> None:
    """Act for a request, write its text, and stop acting for it."""
    with transaction():
        held = delegate_rows.DelegateScope(request=stage.number)
        delegate_rows.add(held, who.id, DelegateOrigin.INVITED, stage.clock.on(minutes=1))
    factories.change_text(stage.number, who, stage.clock.on(minutes=1), purpose="By an expert.")
    delegation.leave(factories.command(who, stage.clock.on(minutes=1)), request=stage.number)


def test_a_co_editor_who_left_stays_an_author(app: Flask, people: Cast, clock: Clock) -> None:
    stage = stages.begin(app, people, clock, Procedure.COMMUNITY)
    for who in (people.expert, people.operator):
        join_and_leave(stage, who)
    stage.do(A.SUBMIT, people.registrant)
    with pytest.raises(EvidenceMissing):
        stage.do(A.TAKE, people.operator)
        stage.do(A.PASS, people.operator)
    stage.do(A.PASS, people.second_operator)
    assert A.REVIEW not in seen_by(stage, people.expert).actions
    shown = seen_by(stage, people.expert).expert
    assert shown is not None
    assert shown.conflicts
    with pytest.raises(RoleMissing):
        stage.review(people.expert, Verdict.APPROVE)


def test_who_stopped_acting_for_a_name_before_its_revision_began_may_judge_it(
    people: Cast, clock: Clock
) -> None:
    factories.registered(people, clock(), namespace_identifier="quokka")
    with transaction():
        held = delegate_rows.find_name(URN_SPACE, "quokka")
        assert held is not None
        for who in (people.expert, people.second_expert):
            delegate_rows.add(held, who.id, DelegateOrigin.INVITED, clock())
        delegate_rows.end(held, [people.expert.id], clock.on(minutes=1))
    clock.on(minutes=1)
    number = factories.revision(people.registrant, clock(), "quokka")
    with transaction():
        delegate_rows.end(held, [people.second_expert.id], clock.on(minutes=1))
        request = request_rows.find_request(number)
        assert request is not None
        for parties in (parties_of(request), parties_of_all([request])[number]):
            assert people.second_expert.email in parties.authors
            assert people.expert.email not in parties.authors
