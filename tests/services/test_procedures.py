"""Whole requests by each procedure, and what happens beside the way to a registration."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registries import FORMAL, INFORMAL, Procedure
from app.services.accounts.actors import Actor
from app.services.experts import fast_track_organizations
from app.services.policy import ProcedureSettings
from app.services.refusals import InvalidInput, NameUnavailable, NotAllowed, NotFound
from app.services.requests import drafts, request_actions
from app.services.requests.detail.request_detail import (
    RequestDetail,
    preview_registration,
    show_request,
)
from app.services.requests.queues import operator_desk
from app.services.requests.request_evidence import ActionInput
from app.services.requests.standards_report import draft_of, sent_report
from app.store.database import db, read_transaction
from app.store.requests import iteration_rows, request_rows
from app.store.tables import Outbox
from app.store.tables.accounts import Grant
from app.store.tables.desk import RequestLinkKind
from app.workflow.engine import EvidenceMissing, NoSuchTransition, RoleMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import REFERENCE, Cast
from tests.web import stages
from tests.web.stages import Stage, begin

A, P, S = Action, Procedure, State


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def at(app: Flask, people: Cast, clock: Clock, procedure: Procedure, state: State) -> Stage:
    """A request of a procedure that stands at a state."""
    stage = begin(app, people, clock, procedure)
    stages.TO[state, S.EXPERT_REVIEW if state is S.WITH_REQUESTER else None](stage)
    return stage


def page_of(number: int, actor: Actor | None, clock: Clock) -> RequestDetail:
    with read_transaction():
        return show_request(number, actor, clock())


def mailed(template: str) -> list[Outbox]:
    with read_transaction():
        found = list(db.session.scalars(select(Outbox).where(Outbox.template == template)))
        db.session.expunge_all()
        return found


# ---- standards action


def test_a_standards_action_is_registered_on_a_report_and_directions(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.EXPERT_REVIEW)
    answers = {"stability": "yes", "permanence": "unclear"}
    given: dict[str, Any] = {"reason": "It lasts.", "answers": answers}
    factories.review(stage.number, people.expert, Verdict.APPROVE, clock(), **given)
    state = factories.review(stage.number, people.leader, Verdict.APPROVE, clock())
    assert state is S.EXPERT_REVIEW, "the body decides, not the reviews"
    draft = draft_of(page_of(stage.number, people.leader, clock), "https://r.example")
    assert f"# Report of the designated experts on urn:{stage.name}:" in draft
    assert f"https://r.example/requests/{stage.number}" in draft
    assert "Expert 1 recommends registration:\n\nIt lasts." in draft
    assert "keep old ones valid? unclear, no answer (RFC 8141" in draft
    assert not any(who.email in draft for who in (people.expert, people.leader))
    sent = {"report": draft, "body": "W3C Team"}
    with pytest.raises(EvidenceMissing, match="every question of RFC 8141"):
        stage.do(A.REPORT, people.leader, details=sent)
    factories.review_whole(stage.number, people.second_expert, clock(), Verdict.COMMENT)
    stage.do(A.REPORT, people.leader, details=sent)
    page = page_of(stage.number, None, clock)
    assert (page.row.state, page.row.body) == (S.IESG_STANDARD, "W3C Team")
    assert sent_report(page) == draft.strip()
    with pytest.raises(EvidenceMissing):
        stage.do(A.DIRECT, people.operator, details={"reference": "", "date": "2026-09-01"})
    assert stage.decide(A.DIRECT) is S.ASSIGNABLE
    assert stage.do(A.REGISTER, people.operator, reference=REFERENCE) is S.ASSIGNED


def test_a_standard_that_is_given_up_leaves_the_decision_to_the_experts(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.IESG_STANDARD)
    assert stage.decide(A.NO_STANDARD) is S.EXPERT_REVIEW
    page = page_of(stage.number, None, clock)
    assert page.row.procedure is P.COMMUNITY
    assert page.findings == ()
    assert stage.review(people.leader, Verdict.APPROVE) is S.ASSIGNABLE


def test_changes_that_a_body_asks_for_come_back_to_the_experts(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.IESG_STANDARD)
    assert stage.decide(A.ASK_CHANGES) is S.WITH_REQUESTER
    stage.write(purpose="Better.")
    assert stage.do(A.RESUBMIT, people.registrant) is S.EXPERT_REVIEW
    with pytest.raises(EvidenceMissing, match="at least one review of this text"):
        stage.do(A.REPORT, people.leader, details=factories.REPORT)
    assert stage.report() is S.IESG_STANDARD
    assert stage.decide(A.REFUSE) is S.DECLINED


# ---- fast track


def test_whom_the_iesg_recognizes_is_on_the_list_and_completes_the_request(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.IESG_RECOGNITION)
    assert stage.decide(A.RECOGNIZE) is S.EXPERT_REVIEW
    (listed,) = fast_track_organizations.all_recognized(people.operator, clock())
    assert (listed.name, listed.since) == (stage.organization, "2026-09-01")
    assert listed.representatives == (people.registrant.email,)
    page = page_of(stage.number, None, clock)
    assert page.row.due is None, "no timer runs"
    assert page.row.turn == "registrant"
    assert stage.review(people.leader, Verdict.DECLINE) is S.EXPERT_REVIEW, "reviews advise"
    speaker = factories.person(people.registrant.email, clock())
    stage.write(purpose="As the experts advised.")
    assert stage.do(A.COMPLETE, speaker) is S.ASSIGNABLE
    with read_transaction():
        sent = iteration_rows.find_iteration(stage.number, 2)
    assert sent is not None
    assert sent.fields["purpose"] == "As the experts advised."
    posted = [one for one in mailed("list") if one.message_id == sent.message_id]
    assert len(posted) == 1, "what is completed is posted"


def test_only_who_speaks_for_the_organization_completes_it(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.EXPERT_REVIEW)
    for who in (people.registrant, people.operator, people.leader):
        with pytest.raises(RoleMissing):
            stage.do(A.COMPLETE, who)
    speaker = factories.person(people.rival.email, clock())
    stage.write(purpose="Not sent yet.")
    assert stage.do(A.COMPLETE, speaker) is S.ASSIGNABLE
    assert stage.iterations == 1, "who did not write it completes what was sent"


def test_who_is_not_recognized_goes_on_by_the_community_procedure(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.IESG_RECOGNITION)
    assert stage.decide(A.REFUSE_RECOGNITION) is S.VALIDATING_REQUEST
    assert page_of(stage.number, None, clock).row.procedure is P.COMMUNITY
    assert fast_track_organizations.all_recognized(people.operator, clock()) == ()


def test_the_list_of_organizations_is_kept_by_the_operator(people: Cast, clock: Clock) -> None:
    ident = factories.recognized(people, clock(), "Wombat Society", people.rival.email)
    with pytest.raises(InvalidInput, match="already recognized"):
        factories.recognized(people, clock(), " wombat  SOCIETY")
    speaker = factories.person(people.rival.email, clock())
    assert speaker.represents == {"wombat society"}

    def keep(use: Callable[..., None], said: str) -> None:
        use(factories.command(people.operator, clock()), ident, said)

    with pytest.raises(InvalidInput, match="already"):
        keep(fast_track_organizations.add_representative, people.rival.email)
    keep(fast_track_organizations.remove_representative, people.rival.email)
    with pytest.raises(InvalidInput):
        keep(fast_track_organizations.remove_representative, people.rival.email)
    assert factories.person(people.rival.email, clock()).represents == frozenset()
    with pytest.raises(InvalidInput):
        keep(fast_track_organizations.end, " ")
    keep(fast_track_organizations.end, "It was wound up.")
    with pytest.raises(InvalidInput):
        keep(fast_track_organizations.end, "Again.")
    with read_transaction():
        assert not fast_track_organizations.is_recognized("Wombat Society")
        assert not fast_track_organizations.is_spoken_for(
            "Wombat Society", [people.rival.id], clock()
        )
    assert factories.recognized(people, clock(), "Wombat Society") == ident
    with pytest.raises(NotAllowed):
        fast_track_organizations.all_recognized(people.leader, clock())
    with pytest.raises(NotFound):
        fast_track_organizations.end(factories.command(people.operator, clock()), 99, "Why.")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"since": "2027-01-01"},
        {"since": "soon"},
        {"since": "2026-W01-1"},
        {"decision": ""},
        {"reference": ""},
    ],
)
def test_a_recognition_has_its_day_and_its_decision(
    people: Cast, clock: Clock, wrong: dict[str, str]
) -> None:
    given = {"name": "Wombats", "since": "2020-01-01", "decision": "D", "reference": "R"} | wrong
    with pytest.raises(InvalidInput):
        fast_track_organizations.recognize(
            factories.command(people.operator, clock()),
            fast_track_organizations.Recognition(**given),
        )


@pytest.mark.parametrize("procedure", [P.STANDARDS_ACTION, P.FAST_TRACK])
def test_who_let_a_request_through_does_not_register_it_either(
    app: Flask, people: Cast, clock: Clock, procedure: Procedure
) -> None:
    both = factories.person("both@registry.example", clock(), Grant.LEADER, Grant.OPERATOR)
    stage = at(app, people, clock, procedure, S.EXPERT_REVIEW)
    if procedure is P.FAST_TRACK:
        (row,) = fast_track_organizations.all_recognized(people.operator, clock())
        fast_track_organizations.add_representative(
            factories.command(people.operator, clock()), row.id, both.email
        )
        both = factories.person(both.email, clock(), Grant.LEADER, Grant.OPERATOR)
        stage.do(A.COMPLETE, both)
    else:
        factories.review_whole(stage.number, people.expert, clock())
        stage.do(A.REPORT, both, details=factories.REPORT)
        stage.decide(A.DIRECT)
    assert stage.state is S.ASSIGNABLE
    with pytest.raises(EvidenceMissing, match="Ask another operator"):
        stage.do(A.REGISTER, both, reference=REFERENCE)
    assert stage.do(A.REGISTER, people.operator, reference=REFERENCE) is S.ASSIGNED


# ---- another procedure


def test_a_formal_request_can_become_one_for_a_number(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    wish = {"procedure": P.INFORMAL.value}
    stage.do(A.ASK_PROCEDURE, people.registrant, details=wish)
    assert page_of(stage.number, None, clock).asked_procedure is P.INFORMAL
    assert stage.do(A.CHANGE_PROCEDURE, people.operator) is S.VALIDATING_REQUEST
    row = page_of(stage.number, None, clock).row
    assert (row.registry, row.procedure, row.name) == (INFORMAL, P.INFORMAL, "")
    with pytest.raises(NoSuchTransition):
        stage.do(A.RESUBMIT, people.registrant)
    assert page_of(stage.number, None, clock).findings == (), "nobody sends the same words anew"
    stage.do(A.PASS, people.operator)
    stage.review(people.leader, Verdict.APPROVE)
    assert stage.do(A.REGISTER, people.operator, reference=REFERENCE) is S.ASSIGNED
    assert page_of(stage.number, None, clock).row.name == "urn-9"


def test_another_procedure_answers_point_7_anew(app: Flask, people: Cast, clock: Clock) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    for chosen, standard in ((P.STANDARDS_ACTION, True), (P.FAST_TRACK, False)):
        stage.do(A.ASK_PROCEDURE, people.registrant, details={"procedure": chosen.value})
        stage.do(A.CHANGE_PROCEDURE, people.operator)
        with read_transaction():
            request = request_rows.find_request(stage.number)
            assert request is not None
            assert (request.procedure, request.standard_anticipated) == (chosen, standard)
            assert drafts.writing_of(request, "2026-09-01").standard is standard


def test_a_wish_that_is_no_procedure_is_refused(app: Flask, people: Cast, clock: Clock) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    for wish in ("community", "nothing", ""):
        with pytest.raises(EvidenceMissing):
            stage.do(A.ASK_PROCEDURE, people.registrant, details={"procedure": wish})
    assert page_of(stage.number, None, clock).asked_procedure is None


# ---- where the experts cannot decide


def offers_to_ask(stage: Stage, who: Actor, clock: Clock) -> bool:
    """Whether somebody is offered to ask the IESG."""
    return A.ESCALATE in page_of(stage.number, who, clock).actions


def why_of(stage: Stage, clock: Clock) -> object:
    """Why the IESG was asked, as the story has it."""
    (asked,) = [e for e in page_of(stage.number, None, clock).story if e.kind == A.ESCALATE.past]
    return asked.details["why"]


@pytest.mark.parametrize(
    ("procedure", "stuck", "why"),
    [
        (P.COMMUNITY, stages.conflict_all_but_one, "too few experts are available"),
        (P.INFORMAL, stages.conflict_all_but_one, "too few experts are available"),
        (P.STANDARDS_ACTION, stages.recuse_leaders, "no lead expert is available"),
        (P.STANDARDS_ACTION, stages.conflict_all, "every expert has a conflict"),
        (P.COMMUNITY, lambda stage: stages.wait(stage, 57), "the experts didn’t answer"),
        (P.INFORMAL, lambda stage: stages.wait(stage, 29), "the experts didn’t answer"),
        (P.STANDARDS_ACTION, lambda stage: stages.wait(stage, 57), "the experts didn’t answer"),
    ],
)
def test_nobody_stays_stuck_in_expert_review(
    app: Flask, people: Cast, clock: Clock, procedure: Procedure, stuck: stages.Way, why: str
) -> None:
    stage = at(app, people, clock, procedure, S.EXPERT_REVIEW)
    assert not offers_to_ask(stage, people.operator, clock)
    assert not offers_to_ask(stage, people.leader, clock)
    stuck(stage)
    assert offers_to_ask(stage, people.operator, clock)
    assert offers_to_ask(stage, people.leader, clock), "one who stands too near may say so"
    assert stage.do(A.ESCALATE, people.operator, reason="") is S.IESG_EXPERTS
    assert why in str(why_of(stage, clock))
    assert stage.decide(A.ANSWER) is S.EXPERT_REVIEW


def test_the_time_for_an_answer_begins_with_the_last_review_that_counts(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    clock.on(days=50)
    stage.review(people.expert, Verdict.APPROVE)
    clock.on(days=50)
    stage.review(people.second_expert, Verdict.COMMENT)
    assert not offers_to_ask(stage, people.operator, clock)
    clock.on(days=7)
    assert offers_to_ask(stage, people.operator, clock), "advice is no answer"


def test_two_accounts_of_one_expert_are_too_few_where_two_have_to_agree(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    stages.conflict_all_but_one(stage)
    name, _, domain = people.expert.email.partition("@")
    factories.person(f"{name}+two@{domain}", clock(), Grant.EXPERT)
    assert offers_to_ask(stage, people.operator, clock)


def test_another_expert_reports_where_no_leader_may_judge(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.EXPERT_REVIEW)
    factories.review_whole(stage.number, people.expert, clock())
    with pytest.raises(EvidenceMissing, match="Let the lead expert send the report"):
        stage.do(A.REPORT, people.expert, details=factories.REPORT)
    assert A.REPORT not in page_of(stage.number, people.expert, clock).actions
    stages.recuse_leaders(stage)
    assert A.REPORT in page_of(stage.number, people.expert, clock).actions
    assert stage.do(A.REPORT, people.expert, details=factories.REPORT) is S.IESG_STANDARD


def test_on_a_standards_action_reviews_that_decline_are_reported_and_end_nothing(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.EXPERT_REVIEW)
    for expert in (people.expert, people.second_expert, people.leader):
        assert stage.review(expert, Verdict.DECLINE) is S.EXPERT_REVIEW
    assert stage.report() is S.IESG_STANDARD


def test_on_the_fast_track_no_word_of_an_expert_holds_up_the_representative(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.EXPERT_REVIEW)
    for expert, verdict in (
        (people.expert, Verdict.APPROVE),
        (people.second_expert, Verdict.DECLINE),
    ):
        assert stage.review(expert, verdict) is S.EXPERT_REVIEW
    clock.on(days=400)
    for who in (people.leader, people.operator):
        assert not offers_to_ask(stage, who, clock)
        with pytest.raises(NoSuchTransition):
            stage.do(A.ESCALATE, who)
    speaker = factories.person(people.rival.email, clock())
    assert stage.do(A.COMPLETE, speaker) is S.ASSIGNABLE
    with pytest.raises(RoleMissing):
        stage.do(A.REOPEN, people.leader)
    assert stage.do(A.REGISTER, people.operator, reference=REFERENCE) is S.ASSIGNED


def test_what_older_software_led_away_from_a_representative_is_completed(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.IESG_EXPERTS)
    speaker = factories.person(people.rival.email, clock())
    assert A.COMPLETE in page_of(stage.number, speaker, clock).actions
    assert stage.do(A.COMPLETE, speaker) is S.ASSIGNABLE


def test_the_fast_track_does_not_lapse(app: Flask, people: Cast, clock: Clock) -> None:
    stage = at(app, people, clock, P.FAST_TRACK, S.WITH_REQUESTER)
    stages.remind(stage)
    clock.on(days=400)
    with pytest.raises(NoSuchTransition):
        stage.do(A.LAPSE, people.operator)


# ---- one name, several requests


def test_the_request_that_was_sent_first_goes_first_unless_the_operator_gives_a_reason(
    app: Flask, people: Cast, clock: Clock
) -> None:
    name = {"namespace_identifier": "wombat"}
    first = factories.sent(people.rival, clock(), **name)
    clock.on(days=3)
    second = factories.approved(people, clock(), **name)
    given: dict[str, Any] = {"reference": REFERENCE}
    with read_transaction():
        look = preview_registration(
            second, people.operator, clock(), base_url="https://r.example", rules=factories.RULES
        )
    assert [(one.number, one.sent.day) for one in look.competing] == [(first, 1), (second, 4)]
    assert look.is_second
    with pytest.raises(EvidenceMissing, match="submitted first"):
        factories.act(second, A.REGISTER, people.operator, clock(), **given)
    why = given | {"details": {"priority": "The first is of nobody who can be reached."}}
    assert factories.act(second, A.REGISTER, people.operator, clock(), **why) is S.ASSIGNED
    told = page_of(second, None, clock).story[0]
    assert told.details["priority"] == "The first is of nobody who can be reached."


def test_who_asks_for_the_name_later_in_another_text_is_second(
    app: Flask, people: Cast, clock: Clock
) -> None:
    first = begin(app, people, clock, P.COMMUNITY)
    stages.TO[S.WITH_REQUESTER, S.EXPERT_REVIEW](first)
    clock.on(days=1)
    second = factories.approved(people, clock(), namespace_identifier="wombat")
    first.write(namespace_identifier="wombat")
    first.do(A.RESUBMIT, people.registrant)
    given: dict[str, Any] = {"reference": REFERENCE}
    assert factories.act(second, A.REGISTER, people.operator, clock(), **given) is S.ASSIGNED


# ---- silence, duplicates, copies


def test_a_request_lapses_after_two_reminders_and_silence(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.WITH_REQUESTER)
    with pytest.raises(EvidenceMissing, match="a few days ago"):
        stage.do(A.REMIND, people.operator)
    stages.remind(stage)
    clock.on(days=8)
    stage.write(purpose="I am at it.")
    with pytest.raises(EvidenceMissing, match="a few days ago"):
        stage.do(A.LAPSE, people.operator)
    clock.on(days=8)
    assert stage.do(A.LAPSE, people.operator, reason="") is S.WITHDRAWN
    assert stage.kinds[-3:] == ["reminded", "reminded", "lapsed"]


def test_what_was_sent_twice_is_merged_and_both_pages_say_so(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.VALIDATING_REQUEST)
    assert A.MERGE not in page_of(stage.number, people.operator, clock).actions
    stages.duplicate(stage)
    assert A.MERGE in page_of(stage.number, people.operator, clock).actions
    for wrong in ("", "x", "99", str(stage.number)):
        with pytest.raises(EvidenceMissing):
            stage.do(A.MERGE, people.operator, details={"other": wrong})
    assert stage.do(A.MERGE, people.operator, details={"other": stage.other}) is S.WITHDRAWN
    ours = page_of(stage.number, None, clock).links
    theirs = page_of(int(stage.other), None, clock).links
    assert [(one.number, one.kind, one.is_source) for one in ours] == [
        (int(stage.other), RequestLinkKind.DUPLICATE, True)
    ]
    assert [(one.number, one.is_source) for one in theirs] == [(stage.number, False)]


def test_a_copy_holds_the_text_that_was_sent_and_is_linked(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.STANDARDS_ACTION, S.DECLINED)
    seen = factories.lock_of(stage.number)
    command = factories.command(people.registrant, clock(), seen=seen)
    made = request_actions.copy(command, stage.number)
    assert request_actions.copy(command, stage.number) == made, "sent twice, copied once"
    assert stage.kinds[-1] == "copied"
    assert page_of(stage.number, None, clock).links == (), "a draft is nobody else's"
    assert factories.act(made, A.SUBMIT, people.registrant, clock()) is S.NEW
    with read_transaction():
        texts = [iteration_rows.find_iteration(number, 1) for number in (stage.number, made)]
    assert texts[0] is not None
    assert texts[1] is not None
    assert texts[0].fields == texts[1].fields
    assert page_of(made, None, clock).row.procedure is P.STANDARDS_ACTION
    (link,) = page_of(stage.number, None, clock).links
    assert (link.number, link.kind) == (made, RequestLinkKind.COPY)


# ---- rivals


def test_who_asks_for_one_name_hears_of_the_other_and_of_how_it_ended(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.ASSIGNABLE)
    given = {"namespace_identifier": stage.name.upper()}
    other = factories.sent(people.rival, clock(), **given)
    (told,) = (one for one in mailed("rivals") if one.recipient == people.registrant.email)
    assert f"Request {other} also asks for urn:{stage.name}:" in told.arguments
    for one, another in ((stage.number, other), (other, stage.number)):
        page = page_of(one, None, clock)
        assert [row.number for row in page.rivals] == [another]
        assert page.lost_to is None
    stage.do(A.REGISTER, people.operator, reference=REFERENCE)
    *_, loser = (one for one in mailed("rivals") if one.recipient == people.rival.email)
    assert "choose another" in loser.arguments
    page = page_of(other, None, clock)
    assert page.lost_to == 2
    assert page.rivals == ()
    with pytest.raises((NameUnavailable, EvidenceMissing)):
        factories.change_request(other, state=S.ASSIGNABLE)
        factories.act(other, A.REGISTER, people.operator, clock(), reference=REFERENCE)


def test_the_experts_who_have_a_request_hear_of_a_rival_too(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    factories.sent(people.rival, clock(), namespace_identifier=stage.name)
    assert {one.recipient for one in mailed("rivals")} == {
        people.registrant.email,
        people.expert.email,
        people.second_expert.email,
    }


def test_a_name_that_is_chosen_later_makes_rivals_too_and_is_told_once(
    app: Flask, people: Cast, clock: Clock
) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.WITH_REQUESTER)
    other = factories.sent(people.rival, clock(), namespace_identifier="bilby")
    stage.write(namespace_identifier="Bilby")
    stage.do(A.RESUBMIT, people.registrant)
    assert [one.recipient for one in mailed("rivals")] == [people.rival.email]
    stage.review(people.expert, Verdict.RETURN)
    stage.write(purpose="Better.")
    stage.do(A.RESUBMIT, people.registrant)
    assert len(mailed("rivals")) == 1
    assert [row.number for row in page_of(stage.number, None, clock).rivals] == [other]


def test_names_that_read_alike_are_rivals_too(app: Flask, people: Cast, clock: Clock) -> None:
    first = factories.sent(people.registrant, clock(), namespace_identifier="bilby")
    second = factories.sent(people.rival, clock(), namespace_identifier="bi1by")
    page = page_of(first, None, clock)
    assert [row.name for row in page.rivals] == ["bi1by"]
    found = [finding.message for finding in page_of(second, None, clock).findings]
    assert any(f"Request {first} also asks for `bilby`, which looks like" in one for one in found)


# ---- appeals and what stands


def test_an_appeal_goes_up_two_levels_and_each_once(app: Flask, people: Cast, clock: Clock) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.DECLINED)
    page = page_of(stage.number, people.registrant, clock)
    assert A.APPEAL in page.actions
    assert A.APPEAL_TO_IAB not in page.actions, "the IESG is asked first"
    assert page.last_appeal is not None
    assert page.last_appeal.isoformat() == "2026-11-01"
    stage.do(A.APPEAL, people.registrant)
    stage.decide(A.UPHOLD)
    page = page_of(stage.number, people.registrant, clock)
    assert A.APPEAL not in page.actions
    assert A.APPEAL_TO_IAB in page.actions
    stage.do(A.APPEAL_TO_IAB, people.registrant)
    assert stage.do(A.WITHDRAW, people.registrant) is S.DECLINED
    page = page_of(stage.number, people.registrant, clock)
    assert not {A.APPEAL, A.APPEAL_TO_IAB} & set(page.actions)
    assert page.last_appeal is None, "no day is told for what cannot be done"
    assert page.story[0].target == S.DECLINED


def test_what_an_appeal_overturns_is_reviewed_anew(app: Flask, people: Cast, clock: Clock) -> None:
    stage = at(app, people, clock, P.COMMUNITY, S.IESG_APPEAL_1)
    assert stage.decide(A.OVERTURN) is S.EXPERT_REVIEW
    state = stage.review(people.expert, Verdict.APPROVE)
    assert state is S.EXPERT_REVIEW, "the leader's denial counts no more"
    assert stage.review(people.second_expert, Verdict.APPROVE) is S.ASSIGNABLE


# ---- time


def test_each_state_is_due_on_its_day_and_says_when_it_is_late(
    app: Flask, people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    row = page_of(number, None, clock).row
    assert row.due == datetime(2026, 9, 7, tzinfo=UTC), "five days, and the last one is whole"
    clock.now = datetime(2026, 9, 6, 23, 59, tzinfo=UTC)
    assert not row.is_overdue(clock())
    with pytest.raises(EvidenceMissing):
        factories.act(number, A.RAISE_DELAY, people.registrant, clock())
    clock.now = datetime(2026, 9, 7, tzinfo=UTC)
    assert row.is_overdue(clock())
    factories.act(number, A.RAISE_DELAY, people.registrant, clock())
    assert page_of(number, None, clock).row.delayed == clock()
    factories.act(number, A.TAKE, people.operator, clock())
    row = page_of(number, None, clock).row
    assert (row.delayed, row.due) == (None, datetime(2026, 9, 18, tzinfo=UTC))


def test_the_days_are_a_setting_by_state_and_procedure(
    app: Flask, people: Cast, clock: Clock
) -> None:
    rules = ProcedureSettings(due_days={"new": 1, "informal/new": 3})
    due = []
    for informal in (False, True):
        number = factories.draft(people.registrant, clock(), informal=informal)
        seen, who = factories.lock_of(number), people.registrant
        command = factories.command(who, clock(), seen=seen, due_days=rules.due_days)
        request_actions.carry_out(command, number, A.SUBMIT, ActionInput())
        due.append(page_of(number, None, clock).row.due)
    assert due == [datetime(2026, 9, 3, tzinfo=UTC), datetime(2026, 9, 5, tzinfo=UTC)]


def test_a_request_starts_in_the_formal_table(app: Flask, people: Cast, clock: Clock) -> None:
    stage = begin(app, people, clock, P.FAST_TRACK)
    assert page_of(stage.number, people.registrant, clock).row.registry is FORMAL


def test_the_desk_shows_what_waits_for_others_and_what_nobody_has(
    app: Flask, people: Cast, clock: Clock
) -> None:
    asked = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    stages.ask_procedure(asked)
    unread = at(app, people, clock, P.COMMUNITY, S.EXPERT_REVIEW)
    for expert in (people.leader, people.expert, people.second_expert):
        unread.do(A.RECUSE, expert)
    silent = at(app, people, clock, P.COMMUNITY, S.WITH_REQUESTER)
    escalated = at(app, people, clock, P.STANDARDS_ACTION, S.IESG_STANDARD)
    with read_transaction():
        before, after = operator_desk(clock()), operator_desk(clock.on(days=31))
    found = {name: [row.number for row in getattr(after, name)] for name in PARTS}
    assert found == {
        "wishes": [asked.number],
        "blocked": [unread.number],
        "unread": [],
        "silent": [silent.number],
        "escalated": [escalated.number],
    }
    assert before.silent == ()
    assert not before.is_empty


PARTS = ("wishes", "blocked", "unread", "silent", "escalated")
