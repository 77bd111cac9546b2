"""What people wait for most asks the database little: each page reads a thing once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from app.workflow.states import State
from tests.web.stages import Office

# half of what they were when each question was asked anew by everybody who needed its answer
# A review also reads the panel twice: for the e-mail about it, and for the notice of what is next.
MOST_TO_SHOW, MOST_TO_REVIEW = 40, 64
MOST_TO_LOOK, MOST_TO_REGISTER = 26, 72


@contextmanager
def statements() -> Iterator[list[str]]:
    """What the database is asked for meanwhile."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_the_page_of_a_review_reads_each_thing_once(office: Office) -> None:
    stage = office.at(State.EXPERT_REVIEW)
    browser = stage.visitor(office.people.expert)
    path = f"/review/{stage.number}"
    browser.get(path)
    with statements() as asked:
        page = browser.get(path)
    assert page.status == 200
    assert len(asked) < MOST_TO_SHOW, asked


def test_a_review_is_kept_with_few_questions(office: Office) -> None:
    stage = office.at(State.EXPERT_REVIEW)
    browser = stage.visitor(office.people.expert)
    given = {"verdict": "approve", "reason": "It is fine.", **stage.fields()}
    with statements() as asked:
        sent = browser.post(f"/review/{stage.number}", given)
    assert sent.status == 303, sent.words
    assert len(asked) < MOST_TO_REVIEW, asked


def test_a_name_is_registered_with_few_questions(office: Office) -> None:
    stage = office.at(State.ASSIGNABLE)
    browser = stage.visitor(office.people.operator)
    path = f"/desk/{stage.number}/register"
    given = {"reference": "RFC 8141", "label": "", **stage.fields()}
    browser.get(path)
    with statements() as asked:
        page = browser.get(path)
    assert page.status == 200
    assert len(asked) < MOST_TO_LOOK, asked
    with statements() as asked:
        sent = browser.post(path, given)
    assert sent.status == 303, sent.words
    assert len(asked) < MOST_TO_REGISTER, asked
