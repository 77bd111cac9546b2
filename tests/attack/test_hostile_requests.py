"""Pages of a request whose texts were written to cost their readers."""

from datetime import datetime
from functools import partial

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.pages.text.template_diff import TOO_DIFFERENT
from app.registration.submissions.submission_rules import LONGEST_TEXT, MOST_LINES
from app.services.requests import drafts, text_studies
from app.store.database import read_transaction
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.attack.cpu import least_cpu
from tests.attack.test_differences import LONG, PAIRS, whole
from tests.conftest import Clock
from tests.factories import Cast

pytestmark = pytest.mark.cost

MOST = 0.5  # seconds of CPU of an anonymous GET under its worst known input
OF_A_DRAFT = 0.2  # of what is found in a draft, for its author
URNS = ("urn:" * LONGEST_TEXT)[:LONGEST_TEXT]


def taken(text: str) -> str:
    """As many lines of a text as a field takes."""
    return "\n".join(text.split("\n")[:MOST_LINES])


TEXTS = {
    "urns": ("urn:quokka:", "URN:QUOKKA:"),
    "few lines": PAIRS["few lines, each just rare enough to count"],
    "a few more": PAIRS["a few more"],
}


PATHS = ("", "/diff", "/diff?view=sides", "/diff.txt")


def resent(app: Flask, at: datetime, first: dict[str, str], second: dict[str, str]) -> int:
    """A request that was sent with one text in each long field, and again with another."""
    people: Cast = factories.cast(at)
    number = factories.draft(people.registrant, at)
    factories.change_text(number, people.registrant, at, **first)
    factories.act(number, Action.SUBMIT, people.registrant, at)
    for action in (Action.TAKE, Action.PASS):
        factories.act(number, action, people.operator, at)
    factories.review(number, people.expert, Verdict.RETURN, at)
    factories.change_text(number, people.registrant, at, **second)
    factories.act(number, Action.RESUBMIT, people.registrant, at)
    return number


@pytest.mark.parametrize("pair", TEXTS.values(), ids=TEXTS)
def test_a_stranger_reads_a_hostile_request_within_the_bound(
    app: Flask, clock: Clock, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ({name: taken(text) for name, text in whole(one).items()} for one in pair)
    number = resent(app, clock(), first, second)
    monkeypatch.setattr(
        text_studies, "check_texts", lambda _: 1 / 0
    )  # nothing is found for a reader
    browser = app.test_client()
    browser.get(f"/requests/{number}")  # whatever is made once in a process is made
    took = {path: cpu_of(browser, f"/requests/{number}{path}") for path in PATHS}
    assert {path: seconds for path, seconds in took.items() if seconds > MOST} == {}


def cpu_of(browser: FlaskClient, path: str) -> float:
    """The seconds of CPU that a page takes."""
    took, answer = least_cpu(lambda: browser.get(path), MOST)
    assert answer.status_code == 200
    return took


def test_both_texts_are_offered_where_they_are_too_different(app: Flask, clock: Clock) -> None:
    people: Cast = factories.cast(clock())
    first, second = (taken(text[:50_000]) for text in PAIRS["a few more"])
    sent = factories.returned(people, clock(), purpose=first)
    factories.change_text(sent, people.registrant, clock(), purpose=second)
    factories.act(sent, Action.RESUBMIT, people.registrant, clock())
    for view in ("", "?view=sides"):
        page = app.test_client().get(f"/requests/{sent}/diff{view}").text
        assert "differ too much" in page
        assert first.strip() in page
        assert second.strip() in page
    assert TOO_DIFFERENT in app.test_client().get(f"/requests/{sent}/diff.txt").text


def test_the_worst_draft_is_checked_within_the_bound(app: Flask, clock: Clock) -> None:
    people: Cast = factories.cast(clock())
    draft = factories.draft(people.registrant, clock())
    factories.change_text(draft, people.registrant, clock(), **dict.fromkeys(LONG, URNS))
    with read_transaction():
        today = clock().date().isoformat()
        opened = partial(drafts.open_draft, people.registrant, draft, today)
        assert least_cpu(opened, OF_A_DRAFT)[0] <= OF_A_DRAFT
