"""Requests that no expert can decide: what each reader sees, who is notified, what can be done."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.registration.declarations.registries import FORMAL, Procedure
from app.registration.submissions import context_checks
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.mail import reminders
from app.services.requests.queues import operator_desk
from app.store.accounts import expert_panels
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.web.conftest import World
from tests.web.stages import Office, Stage

A, P, S = Action, Procedure, State

SETTINGS = reminders.ReminderSettings(base_url="https://r.example", host="r.example")
NO_ONE = "No one can decide this"


@pytest.fixture
def office(fresh: World) -> Iterator[Office]:
    """A registry of the test's own, since the tests change its experts for good."""
    clock = Clock()
    fresh.app.extensions["now"] = clock
    with fresh.app.app_context():
        yield Office(fresh.app, factories.cast(clock()), clock)


def leave(office: Office, *experts: Actor, days: int = 10) -> None:
    """Let experts be away from today on."""
    today = office.clock().date()
    for expert in experts:
        command = factories.command(expert, office.clock.on(minutes=1))
        last = (today + timedelta(days=days)).isoformat()
        panel_membership.be_away(command, today.isoformat(), last)


def everyone(office: Office) -> tuple[Actor, ...]:
    """The experts of the registry, the leader last."""
    with read_transaction():
        appointed = expert_panels.members_of(FORMAL.id, office.clock())
        return tuple(actor_of(account, office.clock()) for account in appointed)


def dismiss(office: Office, *experts: Actor) -> None:
    """End the appointments of experts."""
    gone = {expert.email for expert in experts}
    with read_transaction():
        idents = [one.id for one in panel_membership.panel() if one.email in gone]
    for ident in idents:
        command = factories.command(office.people.operator, office.clock.on(minutes=1))
        panel_membership.dismiss(command, ident, "Decision 8")


def seen_by_all(stage: Stage) -> dict[str, str]:
    """The page of a request as each reader sees it."""
    people = stage.people
    readers = {
        "registrant": people.registrant,
        "stranger": people.rival,
        "expert": people.expert,
        "operator": people.operator,
    }
    return {
        name: stage.get(f"/requests/{stage.number}", who).words for name, who in readers.items()
    }


# Each situation, and why the record then says that the request was escalated.
SITUATIONS = {
    "dismissed": "every expert has a conflict of interest",
    "recused": "every expert has a conflict of interest",
    "away": "too few experts are available",
    "one of two": "too few experts are available",
    "disagree": "the experts disagree",
}


def bring_about(office: Office, stage: Stage, situation: str) -> str:
    """Bring the experts of a request into a situation, and return what pages say of it."""
    people = office.people
    match situation:
        case "dismissed":
            dismiss(office, *everyone(office))
            return "no expert is appointed"
        case "recused":
            for expert in everyone(office):
                stage.do(A.RECUSE, expert)
            return "every expert has a conflict of interest"
        case "away":
            leave(office, *everyone(office))
            return "no expert is available ("
        case "one of two":
            leave(office, *(one for one in everyone(office) if one.id != people.expert.id))
            return "only 1 expert is available ("
    stage.review(people.expert, Verdict.APPROVE)
    stage.review(people.second_expert, Verdict.DECLINE)
    reviewed = {people.expert.id, people.second_expert.id}
    leave(office, *(one for one in everyone(office) if one.id not in reviewed))
    return "the experts disagree (1 to approve, 1 to decline) and no lead expert can decide"


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_reader_and_every_list_says_that_no_one_can_decide_it(
    office: Office, situation: str
) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    assert all(NO_ONE not in words for words in seen_by_all(stage).values())
    reason = bring_about(office, stage, situation)
    for reader, words in seen_by_all(stage).items():
        assert f"{NO_ONE}: {reason}" in words, reader
    assert NO_ONE in stage.get("/requests/", people.rival).words
    assert NO_ONE in stage.get(f"/requests/{stage.number}/record.txt", people.rival).html
    asked = stage.get(f"/namespaces/{stage.name}", people.rival)
    assert NO_ONE in asked.words
    desk = stage.get("/desk/", people.operator)
    own = f"//section[@aria-labelledby='tasks']//tr[.//a[@href='/requests/{stage.number}']]"
    (row,) = desk.each(own)
    assert f"{NO_ONE}: {reason}" in " ".join(row.text_content().split())
    links = [link.get("href") for link in row.iter("a")]
    assert f"/requests/{stage.number}#can-do" in links
    assert ("/desk/experts#appoint" in links) is (situation != "disagree")
    escalated = stage.send(A.ESCALATE, people.operator, {"reason": "No one can decide it."})
    assert escalated.status == 303, "escalation opens at once"
    assert SITUATIONS[situation] in stage.get(f"/requests/{stage.number}", people.operator).words


def test_experts_who_are_away_read_that_their_review_counts_all_the_same(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    path = f"/requests/{stage.number}"
    assert "You are away" not in stage.get(path, people.expert).words
    leave(office, *everyone(office), days=0)
    for page in (path, f"/review/{stage.number}"):
        words = stage.get(page, people.expert).words
        assert f"{NO_ONE}: no expert is available" in words
        assert "You are away until" in words
        assert "You can still review it." in words
    desk = stage.get("/desk/", people.operator).words
    assert "No one can decide" in desk
    assert "whatever they answer" not in desk
    stage.review(people.expert, Verdict.APPROVE)
    stage.review(people.second_expert, Verdict.APPROVE)
    assert stage.state is S.ASSIGNABLE


def test_a_reviewer_who_left_counts_as_one_of_two_who_decide(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    stage.review(people.expert, Verdict.APPROVE)
    leave(office, *(one for one in everyone(office) if one.id != people.second_expert.id))
    for words in seen_by_all(stage).values():
        assert NO_ONE not in words, "the expert who stays can give the second approval"


def test_the_first_of_two_approvals_and_a_contradiction_are_said(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    stage.review(people.expert, Verdict.APPROVE)
    for words in seen_by_all(stage).values():
        assert "1 of 2 approvals" in words
    stage.review(people.second_expert, Verdict.DECLINE)
    for words in seen_by_all(stage).values():
        assert "Waiting for the lead expert" in words
        assert "The experts disagree (1 to approve, 1 to decline)" in words
    leader = stage.get(f"/requests/{stage.number}", people.leader).words
    assert "Your review decides." in leader
    assert "In expert review" not in leader


def test_the_leader_reads_in_the_review_list_that_a_split_waits_for_their_review(
    office: Office,
) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    stage.review(people.expert, Verdict.APPROVE)
    stage.review(people.second_expert, Verdict.DECLINE)
    words = stage.get("/review/", people.leader).words
    assert "Waiting for your review as lead expert" in words
    assert "Waiting for the lead expert" not in words
    other = stage.get("/review/", people.expert).words
    assert "Waiting for the lead expert" in other


def test_a_request_is_decidable_again_when_an_expert_returns(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW)
    leave(office, *everyone(office), days=3)
    assert NO_ONE in seen_by_all(stage)["stranger"]
    office.clock.on(days=5)
    assert NO_ONE not in seen_by_all(stage)["stranger"]
    assert stage.send(A.ESCALATE, office.people.operator).status == 422


def test_a_review_still_counts_when_its_author_leaves(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    stage.review(people.expert, Verdict.APPROVE)
    leave(office, people.expert, people.leader)
    assert NO_ONE not in seen_by_all(stage)["stranger"]
    stage.review(people.second_expert, Verdict.APPROVE)
    assert stage.state is S.ASSIGNABLE


def test_passing_a_request_warns_while_no_expert_can_decide_it(office: Office) -> None:
    stage, operator = office.at(S.VALIDATING_REQUEST), office.people.operator
    path = f"/requests/{stage.number}"
    warning = "decide this request yet"
    assert warning not in stage.get(path, operator).words
    leave(office, *everyone(office))
    page = stage.get(path, operator)
    assert f"{warning}: no expert is available" in page.words
    assert "/desk/experts#appoint" in page.values("href", "a")
    assert warning not in stage.get(path, office.people.registrant).words
    visitor = stage.visitor(operator)
    assert visitor.send(path, {}, action=f"{path}/pass").status == 303
    assert NO_ONE in visitor.get(path).words


def test_the_list_of_experts_shows_absences(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW)
    factories.absence(office.people.leader, office.clock())
    leave(office, office.people.expert)
    page = stage.get("/desk/experts", office.people.operator).words
    assert "Away 2026-09-01 to 2026-09-11" in page
    assert "Away later 2027-05-01 to 2027-05-31" in page


def reported(stage: Stage) -> dict[str, dict[str, str]]:
    """The messages about a request that no expert can decide, sent now; by recipient."""
    at = stage.clock.on(minutes=1)
    reminders.notify_of_impasses(at, SETTINGS)
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.created == at)).all()
        told = [(row.recipient, json.loads(row.arguments)) for row in rows]
    return {who: words for who, words in told if words["number"] == str(stage.number)}


def test_operators_and_leaders_get_one_message_per_impasse(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    factories.absence(people.leader, office.clock())  # in May 2027
    assert reported(stage) == {}
    leave(office, *(one for one in everyone(office) if one.id != people.leader.id), days=400)
    assert reported(stage) == {}, "the leader is there"
    office.clock.on(days=250)
    told = reported(stage)
    assert set(told) == {people.operator.email, people.second_operator.email, people.leader.email}
    words = told[people.operator.email]
    assert f"{NO_ONE}: no expert is available" in words["what"]
    assert words["next"].startswith("Appoint an expert, wait until one returns, or ask the")
    assert words["link"] == f"https://r.example/requests/{stage.number}"
    assert reported(stage) == {}, "it was reported"
    office.clock.on(days=40)
    assert reported(stage) == {}, "the leader is back"
    dismiss(office, people.leader)
    assert set(reported(stage)) == {people.operator.email, people.second_operator.email}


def test_the_weekly_reminder_lists_requests_that_no_one_can_decide(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW)
    dismiss(office, *everyone(office))
    office.clock.on(days=30)
    assert reminders.remind(office.clock(), SETTINGS) == 2
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "reminder"))
        assert all(f"/requests/{stage.number}" in row.arguments for row in rows)


def test_the_fast_track_waits_for_no_expert(office: Office) -> None:
    stage = office.at(S.EXPERT_REVIEW, P.FAST_TRACK)
    dismiss(office, *everyone(office))
    words = seen_by_all(stage)["stranger"]
    assert "No expert is available to advise." in words
    assert NO_ONE not in words
    with read_transaction():
        blocked = {row.number for row in operator_desk(office.clock()).blocked}
    assert stage.number not in blocked


def test_one_expert_is_enough_to_report_on_a_standard(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW, P.STANDARDS_ACTION), office.people
    leave(office, people.second_expert, people.leader)
    words = seen_by_all(stage)["stranger"]
    assert "No lead expert is available. An expert reports" in words
    factories.review_whole(stage.number, people.expert, office.clock.on(minutes=1))
    assert stage.do(A.REPORT, people.expert, details=factories.REPORT) is S.IESG_STANDARD


def test_an_approved_request_without_a_title_can_be_sent_back_from_the_desk(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:  # older software took requests without a title
        older.setattr(context_checks, "_check_entry", lambda *_: iter(()))
        older.setattr(factories, "TITLED", "")
        stage = office.at(S.ASSIGNABLE)
    operator = stage.people.operator
    page = stage.get(f"/desk/{stage.number}/register", operator)
    assert "can’t be registered" in page.words
    assert "Enter the title of the namespace" in page.words
    assert "Reopen the review" in page.words
    assert stage.send(A.REOPEN, operator, {"reason": "It has no title."}).status == 303
    assert stage.state is S.EXPERT_REVIEW


def test_the_register_page_separates_the_obstacles_it_lists(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = context_checks._check_entry
    with monkeypatch.context() as older:  # older software accepted requests without a title
        older.setattr(context_checks, "_check_entry", lambda *_: iter(()))
        older.setattr(factories, "TITLED", "")
        stage = office.at(S.ASSIGNABLE)
    monkeypatch.setattr(context_checks, "_check_entry", lambda text, _: check(text, ""))
    page = stage.get(f"/desk/{stage.number}/register", stage.people.operator)
    assert "that registers the namespace. Enter the title of the namespace" in page.words


def test_a_missing_title_is_filed_under_the_field_of_the_title(office: Office) -> None:
    stage = office.begin()
    path = f"/requests/{stage.number}"
    people = stage.people
    assert stage.post(f"{path}/edit/name-and-purpose", people.registrant, {"title": ""})
    check = stage.get(f"{path}/check", people.registrant)
    (link,) = check.each("//a[contains(@href, '#title')][contains(@href, 'name-and-purpose')]")[:1]
    form = stage.get(link.get("href").partition("#")[0], people.registrant)
    assert form.each("//*[@id='title']")
