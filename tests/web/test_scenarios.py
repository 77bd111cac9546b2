"""Whole stories of requests, as people live them on the pages."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from app.registration.declarations.registries import URN_SPACE, Procedure
from app.services.accounts.actors import Actor, actor_of
from app.services.delegates import delegation
from app.store.accounts import expert_panels
from app.store.database import read_transaction
from app.store.tables.accounts import Grant
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import START, Clock
from tests.web import stages
from tests.web.conftest import World
from tests.web.stages import Office, Stage

A, P, S = Action, Procedure, State
DECIDED = {"reason": "It was decided.", **factories.DECISION}


def page_of(stage: Stage, who: Actor) -> str:
    """The words of the request's page."""
    return stage.get(f"/requests/{stage.number}", who).words


def standing(stage: Stage) -> State:
    """Where the request stands now."""
    return stage.state


def judge(stage: Stage, who: Actor, verdict: str) -> int:
    """Send a review; the status of the answer."""
    return stage.send(A.REVIEW, who, {"verdict": verdict, "reason": "Because."}).status


# ---- somebody of another role


def _pass(stage: Stage, who: Actor) -> int:
    return stage.send(A.PASS, who).status


def _approve(stage: Stage, who: Actor) -> int:
    return judge(stage, who, "approve")


def _register(stage: Stage, who: Actor) -> int:
    return stage.send(A.REGISTER, who).status


def _complete(stage: Stage, who: Actor) -> int:
    return stage.send(A.COMPLETE, who).status


WRONG: list[tuple[str, Procedure, State, Callable[[Stage, Actor], int]]] = [
    ("registrant", P.COMMUNITY, S.VALIDATING_REQUEST, _pass),
    ("expert", P.COMMUNITY, S.VALIDATING_REQUEST, _pass),
    ("leader", P.COMMUNITY, S.VALIDATING_REQUEST, _pass),
    ("operator", P.COMMUNITY, S.EXPERT_REVIEW, _approve),
    ("registrant", P.COMMUNITY, S.EXPERT_REVIEW, _approve),
    ("expert", P.COMMUNITY, S.ASSIGNABLE, _register),
    ("leader", P.COMMUNITY, S.ASSIGNABLE, _register),
    ("registrant", P.COMMUNITY, S.ASSIGNABLE, _register),
    ("operator", P.FAST_TRACK, S.EXPERT_REVIEW, _complete),
    ("leader", P.FAST_TRACK, S.EXPERT_REVIEW, _complete),
]


@pytest.mark.parametrize(("who", "procedure", "state", "act"), WRONG)
def test_a_role_that_is_good_for_something_else_moves_nothing(
    office: Office, who: str, procedure: Procedure, state: State, act: Callable[[Stage, Actor], int]
) -> None:
    stage = office.at(state, procedure)
    before = stage.kinds
    assert act(stage, getattr(office.people, who)) == 403
    assert (stage.state, stage.kinds) == (state, before)


def test_who_speaks_for_one_organization_completes_no_request_of_another(office: Office) -> None:
    stage, other = (office.at(S.EXPERT_REVIEW, P.FAST_TRACK) for _ in range(2))
    speaker = factories.person("speaker@org.example", START)
    factories.recognized(office.people, office.clock(), "Society A", speaker.email)
    stage.change(organization="Society A")
    assert _complete(other, speaker) == 403
    assert _complete(stage, speaker) == 303
    assert (stage.state, other.state) == (S.ASSIGNABLE, S.EXPERT_REVIEW)


# ---- what is missing


def test_one_review_of_two_decides_nothing(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    assert judge(stage, people.expert, "approve") == 303
    assert (stage.state, stage.kinds[-1]) == (S.EXPERT_REVIEW, "reviewed")
    assert judge(stage, people.expert, "approve") == 303, "the same person counts once"
    assert standing(stage) is S.EXPERT_REVIEW
    assert judge(stage, people.second_expert, "approve") == 303
    assert (stage.state, stage.kinds[-1]) == (S.ASSIGNABLE, "approved")


@pytest.mark.parametrize("verdict", ["approve", "decline"])
def test_a_review_of_an_old_text_or_of_who_stands_too_near_decides_nothing(
    office: Office, verdict: str
) -> None:
    stage, leader = office.at(S.EXPERT_REVIEW), office.people.leader
    given = {"verdict": verdict, "reason": "Because."}
    assert stage.send(A.REVIEW, leader, given | {"iteration": "0"}).status == 422
    stages.conflict(stage, leader)
    assert stage.send(A.REVIEW, leader, given).status == 403
    assert standing(stage) is S.EXPERT_REVIEW


def test_a_denial_needs_its_reasons(office: Office) -> None:
    stage, leader = office.at(S.EXPERT_REVIEW), office.people.leader
    refused = stage.send(A.REVIEW, leader, {"verdict": "decline", "reason": " "})
    assert refused.status == 422
    assert standing(stage) is S.EXPERT_REVIEW
    assert judge(stage, leader, "decline") == 303
    assert standing(stage) is S.DECLINED


def test_an_approval_over_what_the_checks_find_needs_a_sentence(office: Office) -> None:
    stage, leader = office.at(S.EXPERT_REVIEW), office.people.leader
    factories.sent(office.people.rival, office.clock(), namespace_identifier=stage.name)
    refused = stage.send(A.REVIEW, leader, {"verdict": "approve"})
    assert refused.status == 422
    assert "Give a reason" in refused.words
    assert judge(stage, leader, "approve") == 303
    assert standing(stage) is S.ASSIGNABLE


def test_a_text_is_sent_with_an_answer_on_the_standard(office: Office) -> None:
    number = factories.revision(
        office.people.registrant, office.clock(), office.at(S.ASSIGNED).name
    )
    stage = office.of(number)
    refused = stage.send(A.SUBMIT, office.people.registrant)
    assert refused.status == 422
    assert "Answer whether the namespace will be part of a standard" in refused.words
    assert standing(stage) is S.DRAFT


def test_a_revision_says_what_differs_before_it_is_passed(office: Office) -> None:
    registrant = office.people.registrant
    number = factories.revision(registrant, office.clock(), office.at(S.ASSIGNED).name)
    factories.answer(number, registrant, office.clock())
    stage = office.of(number)
    stage.write(revision_information="")
    refused = stage.send(A.SUBMIT, registrant)
    assert refused.status == 422, "nor is it sent without"
    stage.write(revision_information="The society grew.")
    assert stage.send(A.SUBMIT, registrant).status == 303
    assert stage.send(A.TAKE, office.people.operator).status == 303
    assert _pass(stage, office.people.operator) == 303


def test_a_revision_is_registered_while_its_sender_acts_for_the_registrant(office: Office) -> None:
    people, name = office.people, office.at(S.ASSIGNED).name
    number = factories.modifiable(people, office.clock(), name)
    stage = office.of(number)
    delegation.leave(
        factories.command(people.registrant, office.clock()), name, knowing=True, space=URN_SPACE
    )
    refused = stage.send(A.REGISTER, people.operator)
    assert refused.status == 422
    assert "registrant of record agrees" in refused.words
    assert standing(stage) is S.MODIFIABLE


def test_what_was_never_reported_is_not_directed(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW, P.STANDARDS_ACTION)
    stage.change(state=S.IESG_STANDARD)
    refused = stage.send(A.DIRECT, office.people.operator, DECIDED)
    assert refused.status == 422
    assert "Add the experts’ report" in refused.words
    assert standing(stage) is S.IESG_STANDARD


@pytest.mark.postgresql
def test_a_wish_for_the_present_procedure_is_not_agreed_to(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW)
    stage.change(asked_procedure=P.COMMUNITY)
    refused = stage.send(A.CHANGE_PROCEDURE, office.people.operator, {"reason": "Yes."})
    assert refused.status == 422
    assert "Choose a procedure other than the current one." in refused.words


def test_a_request_is_begun_by_who_is_signed_in_and_discarded_only_unsent(office: Office) -> None:
    stage, people = office.begin(), office.people
    revise = f"/namespaces/{office.at(S.ASSIGNED).name}/revise"
    assert stage.post(revise, people.rival, {}).location.endswith("/claim"), "it is not theirs"
    discard = f"/requests/{stage.number}/discard"
    assert stage.post(discard, people.rival, {}).status == 303, "it tells nobody what is there"
    assert standing(stage) is S.DRAFT
    stage.do(A.SUBMIT, people.registrant)
    assert stage.post(discard, people.registrant, {}).status == 403
    assert standing(stage) is S.NEW


# ---- two who want one name


def test_of_two_who_want_one_name_the_first_to_be_registered_has_it(office: Office) -> None:
    people = office.people
    stage = office.at(S.ASSIGNABLE)
    number = factories.sent(people.rival, office.clock(), namespace_identifier=stage.name.upper())
    other = office.of(number)
    assert f"Request {number}" in page_of(stage, people.registrant)
    assert f"Request {stage.number}" in page_of(other, people.rival)
    other.change(state=S.ASSIGNABLE)
    assert _register(stage, people.operator) == 303
    assert _register(other, people.operator) in {409, 422}
    assert (stage.state, other.state) == (S.ASSIGNED, S.ASSIGNABLE)
    told = page_of(other, people.rival)
    assert "registered for another request" in told
    assert "can choose another identifier and submit again" in told
    assert people.registrant.email not in told
    assert people.registrant.name not in told
    assert other.send(A.COLLISION, people.operator).status == 303
    assert other.state is S.WITH_REQUESTER


# ---- experts


def _assigned(stage: Stage) -> list[Actor]:
    with read_transaction():
        have = expert_panels.assigned_to(stage.number)
        return [actor_of(account, stage.clock()) for account in have]


def test_requests_go_round_and_pass_by_who_is_away(fresh: World) -> None:
    app, clock = fresh.app, Clock()
    app.extensions["now"] = clock
    with app.app_context():
        office = Office(app, factories.cast(START), clock)
        given = []
        for _ in range(2):
            stage = office.at(S.VALIDATING_REQUEST)
            clock.on(minutes=1)
            assert _pass(stage, office.people.operator) == 303
            given.append({one.email for one in _assigned(stage)})
        assert not given[0] & given[1], "the next two have the next"
        away = office.people.expert
        day = str(clock().date())
        absence = {"first": day, "last": day}
        assert stage.post("/review/you/absence", away, absence).status == 303
        stage = office.at(S.VALIDATING_REQUEST)
        assert _pass(stage, office.people.operator) == 303
        assert away.email not in {one.email for one in _assigned(stage)}
        assert f"/review/{stage.number}" not in stage.get("/review/", away).text(
            "//section[@aria-labelledby='mine']"
        )


@pytest.mark.postgresql
def test_where_all_stand_too_near_the_iesg_appoints_somebody_who_decides(fresh: World) -> None:
    app, clock = fresh.app, Clock()
    app.extensions["now"] = clock
    with app.app_context():
        office = Office(app, factories.cast(START), clock)
        stage, operator = office.at(S.EXPERT_REVIEW), office.people.operator
        assert stage.send(A.ESCALATE, operator, {"reason": "Why."}).status == 422
        stages.conflict_all(stage)
        assert stage.send(A.ESCALATE, office.people.leader, {"reason": "All."}).status == 303
        near = DECIDED | {"expert": office.people.expert.email}
        assert stage.send(A.ANSWER, operator, near).status == 422
        answer = DECIDED | {"expert": "temporary@experts.example"}
        assert stage.send(A.ANSWER, operator, answer).status == 303
        expert = factories.person("temporary@experts.example", clock())
        assert f"/review/{stage.number}" in stage.get("/review/", expert).html
        assert "temporary@" not in page_of(stage, office.people.registrant)
        assert judge(stage, expert, "approve") == 303
        assert standing(stage) is S.ASSIGNABLE
        other = office.at(S.EXPERT_REVIEW)
        assert judge(other, expert, "approve") == 403, "it was for one request"


def test_a_review_that_is_reopened_counts_from_nothing(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    for expert in (people.expert, people.second_expert):
        assert judge(stage, expert, "approve") == 303
    assert stage.send(A.REOPEN, people.operator).status == 422, "a reason is asked for"
    assert stage.send(A.REOPEN, people.operator, {"reason": "Look again."}).status == 303
    assert standing(stage) is S.EXPERT_REVIEW
    assert judge(stage, people.expert, "approve") == 303
    assert standing(stage) is S.EXPERT_REVIEW, "the other's earlier review is void"
    assert judge(stage, people.second_expert, "approve") == 303
    assert standing(stage) is S.ASSIGNABLE


# ---- appeals, silence, duplicates


@pytest.mark.parametrize(
    ("decided", "last"),
    [
        (datetime(2026, 9, 10, 12, tzinfo=UTC), datetime(2026, 11, 10, 23, 59, tzinfo=UTC)),
        (datetime(2026, 12, 31, 12, tzinfo=UTC), datetime(2027, 2, 28, 23, 59, tzinfo=UTC)),
    ],
)
def test_an_appeal_is_heard_to_the_last_minute_of_its_last_day(
    office: Office, decided: datetime, last: datetime
) -> None:
    late, early = (office.at(S.EXPERT_REVIEW) for _ in range(2))
    office.clock.now = decided
    for stage in (late, early):
        assert judge(stage, office.people.leader, "decline") == 303
    grounds = {"reason": "They did not read it."}
    office.clock.now = last
    assert early.send(A.APPEAL, office.people.registrant, grounds).status == 303
    office.clock.on(minutes=1)
    refused = late.send(A.APPEAL, office.people.registrant, grounds)
    assert refused.status == 422
    assert "The time to appeal has ended." in refused.words
    assert (early.state, late.state) == (S.IESG_APPEAL_1, S.DECLINED)


def test_a_request_lapses_after_two_reminders_and_silence(office: Office) -> None:
    stage, operator = office.at(S.WITH_REQUESTER), office.people.operator
    assert stage.send(A.REMIND, operator).status == 422, "it was returned just now"
    for _ in range(2):
        office.clock.on(days=8)
        assert stage.send(A.LAPSE, operator).status == 422
        assert stage.send(A.REMIND, operator).status == 303
    assert stage.send(A.LAPSE, operator).status == 422, "reminded just now"
    office.clock.on(days=8)
    assert stage.send(A.LAPSE, operator).status == 303
    assert standing(stage) is S.WITHDRAWN
    assert "the registrant didn’t answer" in page_of(stage, office.people.registrant)


def test_what_was_sent_twice_goes_on_once(office: Office) -> None:
    stage, operator = office.at(S.VALIDATING_REQUEST), office.people.operator
    stages.duplicate(stage)
    other = office.of(int(stage.other))
    assert stage.send(A.MERGE, operator, {"other": "99999"}).status == 422
    assert stage.send(A.MERGE, operator, {"other": stage.other}).status == 303
    assert (stage.state, other.state) == (S.WITHDRAWN, S.NEW)
    assert f"duplicate of request {other.number}" in page_of(stage, office.people.registrant)


# ---- another procedure, and settings


def test_a_request_changes_its_procedure_there_and_back(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    factories.review(stage.number, people.expert, Verdict.APPROVE, office.clock.on(minutes=1))
    for procedure in (P.FAST_TRACK, P.COMMUNITY):
        wish = {"procedure": procedure.value, "reason": "It fits better."}
        assert stage.send(A.ASK_PROCEDURE, people.registrant, wish).status == 303
        agreed = {"reason": "It does."}
        assert stage.send(A.CHANGE_PROCEDURE, people.operator, agreed).status == 303
        assert standing(stage) is S.VALIDATING_REQUEST, "it is checked anew"
        assert f"Procedure {procedure.capitalize()}" in page_of(stage, people.registrant)
    assert _pass(stage, people.operator) == 303
    assert judge(stage, people.second_expert, "approve") == 303
    assert standing(stage) is S.EXPERT_REVIEW, "what was reviewed before counts no more"


@pytest.mark.parametrize(("needed", "may"), [(3, False), (2, True), (1, True)])
def test_who_approved_registers_only_where_two_people_are_enough(
    office: Office, needed: int, may: bool
) -> None:
    both = factories.person("both@registry.example", START, Grant.LEADER, Grant.OPERATOR)
    stage = office.at(S.EXPERT_REVIEW)
    assert judge(stage, both, "approve") == 303
    office.set(people_needed=needed)
    assert (_register(stage, both) == 303) is may
    assert (stage.state is S.ASSIGNED) is may


@pytest.mark.postgresql
@pytest.mark.parametrize(("needed", "may"), [(3, False), (2, False), (1, True)])
def test_who_wrote_it_registers_only_where_one_person_is_enough(
    office: Office, needed: int, may: bool
) -> None:
    stage = office.at(S.ASSIGNABLE)
    stage.change(registrant=office.people.operator.id)
    office.set(people_needed=needed)
    assert (_register(stage, office.people.operator) == 303) is may
    assert (stage.state is S.ASSIGNED) is may


def test_the_days_for_a_step_are_a_setting(office: Office) -> None:
    office.set(due_days=(("validating-request", 3), ("community/expert-review", 9)))
    stage = office.begin()
    assert stage.send(A.SUBMIT, office.people.registrant).status == 303
    assert "Due by 6 September 2026." in page_of(stage, office.people.registrant), "as usual"
    assert stage.send(A.TAKE, office.people.operator).status == 303
    assert "due by 4 September 2026." in page_of(stage, office.people.registrant)
    assert _pass(stage, office.people.operator) == 303
    assert "due by 10 September 2026." in page_of(stage, office.people.registrant)
