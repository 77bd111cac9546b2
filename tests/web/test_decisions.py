"""What is decided about requests, and by whom, as people see it on the pages."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.registration.declarations.registries import Procedure
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.registry import base_version
from app.services.request_status import request_status
from app.services.request_status.request_status import status_of
from app.store.accounts import expert_panels
from app.store.database import db, read_transaction
from app.store.requests import request_rows
from app.store.tables import Outbox, Request
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import START, Clock
from tests.web import stages
from tests.web.conftest import World
from tests.web.stages import Office, Stage, begin

A, P, S = Action, Procedure, State


# ---- nobody decides what they ask for


def test_an_operator_does_not_decide_what_they_ask_for(office: Office) -> None:
    operator = office.people.operator
    own = replace(office.people, registrant=operator)
    stage = begin(office.app, own, office.clock, P.COMMUNITY)
    stage.do(A.SUBMIT, operator)
    assert stage.send(A.TAKE, operator).status == 303, "to take it up decides nothing"
    page = stage.get(f"/requests/{stage.number}", operator)
    assert "Another operator decides" in page.words
    for action in (A.PASS, A.DECLINE, A.MERGE):
        assert f"/requests/{stage.number}/{action}" not in page.html
    assert f"/requests/{stage.number}/{A.WITHDRAW}" in page.html
    refused = stage.send(A.PASS, operator)
    assert refused.status == 422
    assert "Ask another operator" in refused.words
    assert stage.state is S.VALIDATING_REQUEST
    assert stage.send(A.PASS, office.people.second_operator).status == 303


def test_the_desk_leads_an_operator_past_their_own_requests(office: Office) -> None:
    operator, other = office.people.operator, office.people.second_operator
    own = replace(office.people, registrant=operator)
    office.clock.on(days=-20)
    stage = begin(office.app, own, office.clock, P.COMMUNITY)
    stage.do(A.SUBMIT, operator)
    oldest = f'class="btn" href="/requests/{stage.number}"'
    office.clock.on(days=20)
    theirs, others = (stage.get("/desk/", who) for who in (operator, other))
    assert oldest in others.html
    assert oldest not in theirs.html
    assert "Your own request: another operator decides" in theirs.words
    assert "Your own request: another operator decides" not in others.words
    told = "1 request for another operator"
    assert told in theirs.words and told not in others.words
    own_count, count = (
        int(page.text("//main//p[@class='lede']").partition(" request")[0])
        for page in (theirs, others)
    )
    assert own_count == count - 1


def test_the_desk_leads_to_the_mail_that_waits_for_a_person(office: Office) -> None:
    stage = office.begin()
    page = stage.get("/desk/", office.people.operator)
    link = "//main//a[@href='/desk/mail/'][contains(., 'message')]"
    assert page.text(link) == "2 unassigned messages"


def test_where_one_person_is_enough_an_operator_decides_their_own_request(office: Office) -> None:
    office.set(people_needed=1)
    operator = office.people.operator
    own = replace(office.people, registrant=operator)
    stage = begin(office.app, own, office.clock, P.COMMUNITY)
    stage.do(A.SUBMIT, operator)
    assert stage.send(A.TAKE, operator).status == 303
    page = stage.get(f"/requests/{stage.number}", operator)
    assert "Another operator decides" not in page.words
    assert stage.send(A.PASS, operator).status == 303
    assert stage.state is S.EXPERT_REVIEW


def test_two_people_are_too_few_to_decide_what_one_of_them_asks_for(office: Office) -> None:
    office.set(people_needed=2)
    operator = office.people.operator
    own = replace(office.people, registrant=operator)
    stage = begin(office.app, own, office.clock, P.COMMUNITY)
    stage.do(A.SUBMIT, operator)
    stage.do(A.TAKE, operator)
    assert stage.send(A.PASS, operator).status == 422
    assert stage.state is S.VALIDATING_REQUEST


# ---- another procedure


def test_a_wish_for_another_procedure_is_refused_with_a_reason_and_is_gone(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    stages.ask_procedure(stage)
    page = stage.get(f"/requests/{stage.number}", people.operator)
    assert f"/requests/{stage.number}/{A.REFUSE_PROCEDURE}" in page.html
    assert stage.send(A.REFUSE_PROCEDURE, people.operator).status == 422, "a reason is asked for"
    said = {"reason": "Nobody recognizes the organization."}
    assert stage.send(A.REFUSE_PROCEDURE, people.operator, said).status == 303
    assert (stage.state, stage.kinds[-1]) == (S.EXPERT_REVIEW, "procedure refused")
    page = stage.get(f"/requests/{stage.number}", people.registrant)
    assert "The operator refused the different procedure (fast track)." in page.words
    assert said["reason"] in page.words
    assert f"/requests/{stage.number}/{A.DROP_PROCEDURE}" not in page.html
    assert f"/requests/{stage.number}/{A.ASK_PROCEDURE}" in page.html, "and can be asked again"
    assert f'"/requests/{stage.number}"' not in stage.get("/desk/", people.operator).html


def test_a_wish_for_another_procedure_is_taken_back(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    refused = stage.send(A.DROP_PROCEDURE, people.registrant)
    assert "didn’t ask for a different procedure" in refused.words
    stages.ask_procedure(stage)
    assert stage.send(A.DROP_PROCEDURE, people.operator).status == 403
    assert stage.send(A.DROP_PROCEDURE, people.registrant).status == 303
    assert (stage.state, stage.kinds[-1]) == (S.EXPERT_REVIEW, "procedure no longer asked")
    given = {"reason": "It fits."}
    assert stage.send(A.CHANGE_PROCEDURE, people.operator, given).status == 422
    assert stage.state is S.EXPERT_REVIEW


@pytest.mark.postgresql
def test_a_request_that_asks_for_a_number_now_goes_on_in_the_words_that_were_sent(
    office: Office,
) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    wish = {"procedure": P.INFORMAL.value, "reason": "A number will do."}
    assert stage.send(A.ASK_PROCEDURE, people.registrant, wish).status == 303
    assert stage.send(A.CHANGE_PROCEDURE, people.operator, {"reason": "It will."}).status == 303
    page = stage.get(f"/requests/{stage.number}", people.operator)
    assert "now for an informal namespace with a number" in page.words
    assert stage.send(A.PASS, people.operator).status == 303
    assert (stage.state, stage.iterations) == (S.EXPERT_REVIEW, 1)
    approval = {"verdict": "approve", "reason": "Fine."}
    assert stage.send(A.REVIEW, people.leader, approval).status == 303
    assert stage.send(A.REGISTER, people.operator).status == 303
    assert stage.state is S.ASSIGNED
    page = stage.get(f"/requests/{stage.number}", people.registrant)
    assert "urn:urn-" in page.words


def test_the_answer_on_a_standard_is_no_question_any_more_once_it_was_sent(office: Office) -> None:
    stage, registrant = office.at(S.WITH_REQUESTER), office.people.registrant
    path = f"/requests/{stage.number}/edit/name-and-purpose"
    page = stage.get(path, registrant)
    assert page.each("//*[@id='standard']//a")[0].get("href") == f"/requests/{stage.number}#can-do"
    assert not page.each("//input[@name='standard']")
    visitor = stage.visitor(registrant)
    refused = visitor.post(path, page.form(path) | {"standard": "yes"})
    assert refused.status == 422
    assert "Ask for a different procedure" in refused.words
    kept = visitor.post(path, page.form(path) | {"purpose": "Better."})
    assert kept.status == 303
    assert stage.send(A.RESUBMIT, registrant).status == 303
    assert stage.state is S.EXPERT_REVIEW


# ---- time


def test_the_flag_of_delay_is_raised_once(office: Office) -> None:
    stage, registrant = office.at(S.EXPERT_REVIEW), office.people.registrant
    stages.wait(stage, 400)
    assert stage.send(A.RAISE_DELAY, registrant).status == 303
    page = stage.get(f"/requests/{stage.number}", registrant)
    assert f"/requests/{stage.number}/{A.RAISE_DELAY}" not in page.html
    again = stage.send(A.RAISE_DELAY, registrant)
    assert again.status == 422
    assert "A delay is already reported." in again.words
    assert stage.kinds.count("delay raised") == 1


# ---- experts who leave


def _ident(stage: Stage, who: Actor) -> int:
    with read_transaction():
        return next(one.id for one in panel_membership.panel() if one.email == who.email)


def _leaving(stage: Stage, how: str, expert: Actor) -> tuple[str, Actor, dict[str, str]]:
    """The form by which an expert leaves a request, and who sends it."""
    day = stage.clock().date()
    return {
        "absence": (
            "/review/you/absence",
            expert,
            {"first": str(day), "last": str(day + timedelta(days=3))},
        ),
        "interest": ("/review/you/interest", expert, {"interest": stage.organization}),
        "organization": ("/review/you/organization", expert, {"organization": stage.organization}),
        "dismissal": (
            f"/desk/experts/{_ident(stage, expert)}/end",
            stage.people.operator,
            {"decision": "Decision 9"},
        ),
    }[how]


def _assigned(stage: Stage) -> list[Actor]:
    with read_transaction():
        have = expert_panels.assigned_to(stage.number)
        return [actor_of(account, stage.clock()) for account in have]


def _request(stage: Stage) -> Request:
    with read_transaction():
        found = request_rows.find_request(stage.number)
        assert found is not None
        db.session.expunge(found)
        return found


def _mailed(stage: Stage) -> list[str]:
    """To whom it was written that it is their turn, since somebody left."""
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "next"))
        return [row.recipient for row in rows if f'"number":"{stage.number}"' in row.arguments]


@pytest.mark.parametrize("how", ["absence", "interest", "organization", "dismissal"])
def test_what_an_expert_leaves_goes_to_the_next_who_is_written_to(fresh: World, how: str) -> None:
    app, clock = fresh.app, Clock()
    app.extensions["now"] = clock
    with app.app_context():
        stage = begin(app, factories.cast(START), clock, P.COMMUNITY)
        stages.TO[S.EXPERT_REVIEW, None](stage)
        clock.on(minutes=5)
        leaves, stays = _assigned(stage)
        path, who, fields = _leaving(stage, how, leaves)
        assert stage.post(path, who, fields).status == 303
        kept, came = _assigned(stage)
        assert kept == stays
        assert came.id not in {leaves.id, stays.id}
        assert _mailed(stage) == [came.email]


def test_who_leaves_later_or_has_reviewed_it_keeps_what_they_have(fresh: World) -> None:
    app, clock = fresh.app, Clock()
    app.extensions["now"] = clock
    with app.app_context():
        stage = begin(app, factories.cast(START), clock, P.COMMUNITY)
        stages.TO[S.EXPERT_REVIEW, None](stage)
        first, second = had = _assigned(stage)
        path, who, fields = _leaving(stage, "absence", second)
        later = fields | {"first": str(clock().date() + timedelta(days=2))}
        assert stage.post(path, who, later).status == 303
        stage.review(first, Verdict.APPROVE)
        path, who, fields = _leaving(stage, "absence", first)
        assert stage.post(path, who, fields).status == 303
        assert _assigned(stage) == had
        assert _mailed(stage) == []


# ---- what is held against a registration


def test_a_dispute_is_noted_on_the_page_of_an_imported_name(office: Office) -> None:
    stage, operator = office.at(S.ASSIGNED), office.people.operator
    path, form = "/desk/names/isbn", "/desk/names/isbn/disputes"
    visitor = stage.visitor(operator)
    empty = visitor.send(path, action=form)
    assert empty.status == 422
    assert "Choose a type." in empty.words
    refused = visitor.send(path, {"kind": "dispute", "grounds": "It is ours."}, action=form)
    assert refused.status == 422
    assert refused.each("//a[@class='problem'][@href='#court']")
    assert "It is ours." in refused.html, "what was typed stays"
    given = {"kind": "dispute", "court": "https://court.example/7", "grounds": "It is ours."}
    noted = visitor.send(path, given, action=form)
    assert (noted.status, noted.location) == (303, "/namespaces/isbn")
    page = visitor.get("/namespaces/isbn")
    assert "dispute. The registration remains valid." in page.words
    assert page.each("//a[@href='https://court.example/7']")
    assert "Dispute noted" in page.words, "and its history tells it"


def test_what_is_noted_is_settled_on_the_desk_and_leaves_the_page(office: Office) -> None:
    stage, operator = office.at(S.ASSIGNED), office.people.operator
    path = f"/desk/names/{stage.name}"
    visitor = stage.visitor(operator)
    given = {"kind": "third-party appeal", "grounds": "It is a trade mark."}
    assert not visitor.get(path).each("//*[@id='settling']"), "nothing is noted"
    assert visitor.send(path, given, action=f"{path}/disputes").status == 303
    form = f"{path}/disputes/settle"
    told = {"place": "0", "by": "The parties", "outcome": "They agreed.", "effect": "It stands."}
    refused = visitor.send(path, told, action=form)
    assert refused.status == 422
    assert refused.each("//a[@class='problem'][@href='#decision']")
    assert "They agreed." in refused.html, "what was typed stays"
    day = stage.clock().date().isoformat()
    told |= {"decision": "https://court.example/8", "decided": day}
    settled = visitor.send(path, told, action=form)
    assert (settled.status, settled.location) == (303, f"/namespaces/{stage.name}")
    page = visitor.get(f"/namespaces/{stage.name}")
    assert not page.each("//dt[.='Noted']")
    assert "They agreed." in page.words, "and its history tells it"
    page = stage.get(f"/requests/{stage.number}", office.people.registrant)
    for words in (
        "was settled",
        "Decided by: The parties",
        "Effect on the registration: It stands.",
    ):
        assert words in page.words


def test_the_page_that_registers_a_name_lists_who_asks_for_it_in_their_order(
    office: Office,
) -> None:
    second = office.at(S.ASSIGNABLE)
    first = stages.begin_named(second)
    path, operator = f"/desk/{second.number}/register", office.people.operator
    page = second.get(path, operator)
    listed = page.each("//section[@aria-labelledby='competing']//li")
    words = [" ".join(one.text_content().split()) for one in listed]
    assert [one.split(",")[0].split(" for ")[0] for one in words] == [
        f"Request {second.number}",
        f"Request {first.number}",
    ]
    assert all("submitted on" in one for one in words)
    assert not page.each("//input[@name='priority']"), "it is the first"
    first.change(state=S.ASSIGNABLE)
    late = f"/desk/{first.number}/register"
    assert first.get(late, operator).each("//input[@name='priority']")
    refused = first.send(A.REGISTER, operator)
    assert refused.status == 422
    assert refused.each("//a[@class='problem'][@href='#priority']")
    why = {"priority": "The other cannot be reached."}
    assert first.send(A.REGISTER, operator, why).status == 303


def test_a_decline_cites_a_hard_rule_that_the_page_and_mail_tell(office: Office) -> None:
    stage, operator = office.at(S.VALIDATING_REQUEST), office.people.operator
    refused = stage.send(A.DECLINE, operator, {"reason": "No.", "rule": "taste"})
    assert refused.status == 422
    assert "Choose a rule." in refused.words
    refused = stage.send(A.DECLINE, operator, {"reason": "No."})
    assert refused.status == 422
    assert "Choose the rule that can’t be met" in refused.words
    given = {"reason": "It is that of a country.", "rule": "name-taken"}
    assert stage.send(A.DECLINE, operator, given).status == 303
    told = "Rule that can’t be met: The NID is registered or reserved"
    assert told in stage.get(f"/requests/{stage.number}", office.people.registrant).words
    with read_transaction():
        posted = db.session.scalars(
            select(Outbox)
            .where(Outbox.template == "registrant")
            .order_by(Outbox.id.desc())
            .limit(1)
        ).one()
        assert "It is that of a country." in posted.arguments
        assert "The NID is registered or reserved" in posted.arguments


def test_a_review_is_said_on_the_list_with_its_answers(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW)
    factories.review_whole(stage.number, office.people.expert, stage.clock(), Verdict.RETURN)
    with read_transaction():
        posted = db.session.scalars(
            select(Outbox).where(Outbox.template == "list").order_by(Outbox.id.desc()).limit(1)
        ).one()
        words = json.loads(posted.arguments)
    assert words["reason"] == "Because."
    assert "Outcome" not in words["told"], (
        "the message says in its first sentence that it went back"
    )
    assert words["told"].count(": yes") == 5


def test_the_page_of_a_request_leads_to_where_a_dispute_is_noted_and_tells_of_it(
    office: Office,
) -> None:
    stage, operator = office.at(S.ASSIGNED), office.people.operator
    path = f"/desk/names/{stage.name}"
    page = stage.get(f"/requests/{stage.number}", operator)
    assert f"{path}#dispute" in page.html
    given = {"kind": "third-party appeal", "grounds": "It is a trade mark."}
    visitor = stage.visitor(operator)
    assert visitor.send(path, given, action=f"{path}/disputes").status == 303
    page = stage.get(f"/requests/{stage.number}", office.people.registrant)
    assert "A third party’s appeal was recorded." in page.words
    assert "It is a trade mark." in page.words


# ---- whose turn it is


def test_a_leader_who_stands_too_near_is_told_that_they_can_only_ask_the_iesg(
    fresh: World,
) -> None:
    app, clock = fresh.app, Clock()
    app.extensions["now"] = clock
    with app.app_context():
        people = factories.cast(START)
        stage = begin(app, people, clock, P.COMMUNITY)
        stages.conflict(stage, people.leader)
        stages.TO[S.EXPERT_REVIEW, None](stage)
        near = "Conflict of interest: you can only ask the governing body"
        leader = factories.person(people.leader.email, START, *people.leader.grants)
        assert near not in stage.get("/review/", leader).words
        while left := _assigned(stage):
            stage.do(A.RECUSE, left[0])
        page = stage.get("/review/", leader)
        (row,) = page.each(f"//tr[.//a[@href='/review/{stage.number}']]")
        assert near in row.text_content()
        assert "Waiting for your review" not in row.text_content()
        assert f'class="btn" href="/review/{stage.number}"' not in page.html
        assert stage.send(A.ESCALATE, leader).status == 303


def test_a_registry_that_prepares_requests_says_that_one_waits_to_be_sent_on(
    office: Office,
) -> None:
    stage = office.at(S.ASSIGNABLE)
    shown = stage.get(f"/requests/{stage.number}", office.people.registrant)
    assert "Waiting for the operator to publish." in shown.words
    row = request_status.row_of(_request(stage), office.clock())
    said = status_of(row, office.clock(), is_proposal=True).headline
    assert said.startswith(
        "Approved on 1 September 2026. Waiting for the operator to send it to IANA"
    )


def test_a_successor_that_is_deprecated_itself_is_advised_against(office: Office) -> None:
    first, second = office.at(S.ASSIGNED), office.at(S.ASSIGNED)
    registrant = office.people.registrant
    deprecated = {"status": "deprecated", "successor": base_version.NONE}
    for name, fate in (
        (first.name, deprecated),
        (second.name, {"status": "deprecated", "successor": first.name}),
    ):
        number = factories.revision(registrant, office.clock(), name)
        factories.answer(number, registrant, office.clock(), **fate)
        if name == first.name:
            number = factories.to_modifiable(number, registrant, office.clock())
            operator = office.people.operator
            kept = {"reference": factories.KEPT}
            factories.act(number, A.REGISTER, operator, office.clock(), **kept)
    page = first.get(f"/requests/{number}/check", registrant)
    assert f"{first.name} is deprecated too." in page.words
    assert factories.act(number, A.SUBMIT, registrant, office.clock()) is S.NEW, "it is no problem"


def test_the_page_of_a_request_that_never_asked_for_a_name_speaks_of_none(office: Office) -> None:
    stage = office.at(S.NEW, P.INFORMAL)
    page = stage.get(f"/requests/{stage.number}", office.people.registrant)
    assert page.status == 200
    assert "now for an informal namespace with a number" not in page.words
