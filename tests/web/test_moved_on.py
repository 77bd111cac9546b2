"""Forms that are open while their request moves on: what was typed comes back, with a way on."""

from collections.abc import Mapping

from app.services.accounts.actors import Actor
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests.web.stages import Office, Stage

A, S = Action, State
TYPED = "Which of the two organizations assigns the names?"


def _comes_back(stage: Stage, path: str, who: Actor, fields: Mapping[str, str], back: str) -> None:
    """The text is shown on a page that offers nothing which is over, and leads to what is."""
    answer = stage.post(path, who, fields)
    assert answer.status == 409
    assert TYPED in answer.words
    assert "Your text isn’t saved. Copy your text from below." in answer.words
    assert back in answer.values("href", "a")
    assert path not in answer.values("action", "form")
    assert stage.get(back, who).status in {200, 303}


def test_what_was_typed_about_a_request_that_moved_on_comes_back(office: Office) -> None:
    people = office.people
    stage = office.at(S.EXPERT_REVIEW)
    fields = stage.fields() | {"verdict": "return", "reason": TYPED}
    stage.review(people.leader, Verdict.DECLINE)
    path = f"/review/{stage.number}"
    _comes_back(stage, path, people.expert, fields, path)
    path = f"/requests/{stage.number}"
    _comes_back(stage, f"{path}/pass-on", people.expert, fields, path)


def test_a_registration_of_what_was_reopened_comes_back(office: Office) -> None:
    stage = office.at(S.ASSIGNABLE)
    fields = stage.fields() | {"reference": "https://x.example/spec", "label": TYPED}
    stage.do(A.REOPEN, office.people.operator, reason="Look at it once more.")
    path = f"/desk/{stage.number}/register"
    _comes_back(stage, path, office.people.operator, fields, path)


def test_a_button_of_a_request_that_moved_on_leads_back_to_it(office: Office) -> None:
    stage = office.at(S.NEW)
    fields = stage.fields()
    stage.do(A.TAKE, office.people.operator)
    path = f"/requests/{stage.number}"
    answer = stage.post(f"{path}/take", office.people.operator, fields)
    assert answer.status == 409
    assert "text" not in answer.text("//main//h1/following::p[1]"), "there is none"
    assert path in answer.values("href", "a")
