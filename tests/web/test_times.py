"""The list of requests for everybody: whose turn it is, what is overdue, how long it takes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.registration.declarations.registries import FORMAL, Procedure
from app.services.accounts import sign_in
from app.services.request_status.request_status import RequestSummary, turn_of
from app.services.requests import queues
from app.web.middleware.response_headers import seconds_left
from app.workflow.states import IanaState, State
from tests import factories
from tests.conftest import START, Clock, MakeApp
from tests.factories import Cast
from tests.web.visitor import Page, Visitor

Populate = Callable[[Cast], object]


def asked(app: Flask, **headers: str) -> TestResponse:
    """The list as a stranger's browser gets it, which comes for the first time."""
    return app.test_client().get("/requests/", headers={"Accept": "text/html"} | headers)


def shown(app: Flask, populate: Populate) -> Page:
    """The list as a stranger sees it, after somebody did something."""
    with app.app_context():
        populate(factories.cast(START))
    return Visitor(app).get("/requests/")


@pytest.mark.parametrize(
    ("at", "seconds"),
    [
        (datetime(2026, 9, 1, 23, 59, 59, tzinfo=UTC), 1),
        (datetime(2026, 9, 1, 23, 59, 59, 999_999, tzinfo=UTC), 0),
        (datetime(2026, 9, 2, tzinfo=UTC), 86_400),
        (datetime(2026, 12, 31, 12, tzinfo=UTC), 43_200),
    ],
)
def test_a_day_ends_at_midnight_in_utc(at: datetime, seconds: int) -> None:
    assert seconds_left(at) == seconds


@pytest.mark.parametrize(
    ("at", "seconds"),
    [("12:00:00", 60), ("23:59:00", 60), ("23:59:01", 59), ("23:59:59", 1), ("00:00:00", 60)],
)
def test_a_page_with_ages_is_kept_for_a_minute_and_never_past_midnight(
    make_app: MakeApp, clock: Clock, at: str, seconds: int
) -> None:
    app = make_app()
    clock.now = datetime.fromisoformat(f"2026-09-01T{at}+00:00")
    answer = asked(app)
    assert answer.headers["Cache-Control"] == f"public, max-age={seconds}"
    assert "Cookie" in answer.headers["Vary"]
    assert "Set-Cookie" not in answer.headers


def test_an_age_grows_at_midnight_in_utc_and_the_page_is_asked_for_again(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app()
    clock.now = datetime(2026, 9, 1, 23, 59, 59, tzinfo=UTC)
    with app.app_context():
        factories.sent(factories.cast(clock()).registrant, clock())
    before = asked(app)
    assert "Operator (since today)" in " ".join(before.text.split())
    kept = timedelta(seconds=int(before.headers["Cache-Control"].partition("=")[2]))
    clock.now += kept
    assert "Operator (1 day)" in " ".join(asked(app).text.split())


def test_who_has_a_session_keeps_nothing(make_app: MakeApp) -> None:
    app = make_app()
    with app.app_context():
        factories.cast(START)
        token = sign_in.enter_as("robin@org.example", START).token
    for visitor in (Visitor(app, token), Visitor(app, "of a session that ended"), Visitor(app)):
        assert visitor.get("/requests/").headers["Cache-Control"] == "private, no-store"


def test_the_page_of_one_request_is_kept_by_nobody(make_app: MakeApp) -> None:
    app = make_app()
    with app.app_context():
        number = factories.sent(factories.cast(START).registrant, START)
    answer = app.test_client().get(f"/requests/{number}", headers={"Accept": "text/html"})
    assert answer.headers["Cache-Control"] == "private, no-store"


# ---- whose turn


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.NEW, "Operator (3 days)."),
        (State.WITH_REQUESTER, "Registrant (3 days)."),
        (State.EXPERT_REVIEW, "Experts (3 days)."),
        (State.IESG_STANDARD, "IESG (3 days)."),
        (State.IESG_APPEAL_2, "IAB (3 days)."),
        (State.ASSIGNABLE, "Operator (3 days)."),
        (State.ASSIGNED, "No one (3 days)."),
    ],
)
def test_whose_turn_it_is_names_a_role_and_a_day(state: State, words: str) -> None:
    row = RequestSummary(
        number=7,
        name="quokka",
        registry=FORMAL,
        procedure=Procedure.COMMUNITY,
        state=state,
        organization="",
        since=START,
        started=START,
        edition=None,
        lock_version=1,
        returns_to=State.EXPERT_REVIEW if state is State.WITH_REQUESTER else None,
    )
    at = START + timedelta(days=3)
    assert turn_of(row, at) == words
    midnight = datetime(2026, 9, 5, tzinfo=UTC)
    due = replace(row, due=midnight)
    assert turn_of(due, at) == f"{words[:-1]}, due by 4 September 2026."
    assert "due by" in turn_of(due, midnight - timedelta(microseconds=1))
    assert turn_of(due, midnight).endswith("(4 days), overdue since 5 September 2026.")


@pytest.mark.parametrize(
    ("at_iana", "words"),
    [
        (IanaState.SENT, "IANA (since today)."),
        (IanaState.ANSWERED, "IANA (since today)."),
        (IanaState.REGISTERED, "No one (since today)."),
        (None, "Operator (4 days)."),
    ],
)
def test_what_was_sent_on_waits_for_iana_since_that_day(
    at_iana: IanaState | None, words: str
) -> None:
    at = START + timedelta(days=4)
    row = RequestSummary(
        number=7,
        name="quokka",
        registry=FORMAL,
        procedure=Procedure.COMMUNITY,
        state=State.ASSIGNABLE,
        organization="",
        since=START,
        started=START,
        edition=None,
        lock_version=1,
        iana_state=at_iana,
        iana_day=at.date().isoformat() if at_iana else "",
    )
    assert turn_of(row, at) == words


def test_a_list_without_requests_says_so(make_app: MakeApp) -> None:
    page = Visitor(make_app()).get("/requests/")
    assert "No requests." in page.text("//main//p[@role='status']")
    assert page.each("//svg[@role='img']") == []


@pytest.mark.postgresql
def test_everybody_sees_whose_turn_it_is_since_when_and_what_is_overdue(
    make_app: MakeApp, clock: Clock
) -> None:
    def populate(people: Cast) -> None:
        late = factories.in_review(people, START, namespace_identifier="wombat")
        due = factories.in_review(people, START, namespace_identifier="numbat")
        free = factories.sent(people.registrant, START, namespace_identifier="bilby")
        factories.change_request(free, due=None)
        day = datetime(2026, 9, 11, tzinfo=UTC)  # in whose night it ends
        factories.change_request(late, due=day, delayed=START)
        factories.change_request(due, due=day + timedelta(days=1))
        clock.on(days=10)

    page = shown(make_app(), populate)
    rows = {
        row.xpath("string(.//th//a)").split(":")[1]: " ".join(row.text_content().split())
        for row in page.each("//section[@aria-label='List of requests']//tbody/tr")
    }
    assert "Experts (10 days), overdue since 11 September 2026." in rows["wombat"]
    assert "Overdue" in rows["wombat"]
    assert "Delay reported" in rows["wombat"]
    assert "due by 11 September 2026." in rows["numbat"]
    assert "Operator (10 days)." in rows["bilby"]
    for name in ("numbat", "bilby"):
        assert "Overdue" not in rows[name]
        assert "Delay" not in rows[name]
    for person in ("robin", "ellis", "odell"):
        assert person not in page.html.lower()


@pytest.mark.parametrize("state", [state for state in State if state.question])
def test_what_others_decide_is_their_turn(make_app: MakeApp, state: State) -> None:
    def populate(people: Cast) -> None:
        factories.change_request(factories.sent(people.registrant, START), state=state)

    body = "Appeals body" if state is State.IESG_APPEAL_2 else "Governing body"
    assert f"{body} (since today)" in shown(make_app(), populate).words


def test_of_very_many_the_first_are_shown_and_all_are_counted(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def populate(people: Cast) -> None:
        for name in ("wombat", "numbat", "bilby"):
            factories.sent(people.registrant, START, namespace_identifier=name)

    app = make_app()
    page = shown(app, populate)
    listed = "//section[@aria-label='List of requests']"
    assert page.text(f"{listed}//p[@role='status']").startswith("3 requests. Pending")
    monkeypatch.setattr(queues, "MOST_SHOWN", 2)
    first = Visitor(app).get("/requests/?state=new&q=b")
    assert first.text(f"{listed}//p[@role='status']").startswith("3 requests, 2 on this page")
    (following,) = first.each("//a[@rel='next']/@href")
    assert "state=new" in following, "the filter stays in the address"
    assert "q=b" in following
    second = Visitor(app).get(following)
    assert len(first.each(f"{listed}//tbody/tr")) == 2
    assert len(second.each(f"{listed}//tbody/tr")) == 1


def test_an_empty_search_tells_how_to_widen_it(make_app: MakeApp) -> None:
    page = Visitor(make_app()).get("/requests/?q=nothing+like+it")
    assert "Remove a filter" in page.text("//main//p[@role='status']")
    assert "/requests/" in page.values("href", "main//a")


@pytest.mark.parametrize("query", ["state=draft", "state=x", "turn=nobody", "procedure=x"])
def test_an_unknown_choice_of_a_filter_is_refused(make_app: MakeApp, query: str) -> None:
    page = Visitor(make_app()).get(f"/requests/?{query}")
    assert page.status == 422
    assert "Choose one from the list" in page.words
