"""What pages show: the right rows, no more than a page holds, by few queries."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from app.services.policy import ProcedureSettings
from app.services.refusals import NotFound
from app.services.request_status import request_status
from app.services.requests import queues
from app.services.requests.detail.request_detail import preview_registration, show_request
from app.services.requests.queues import (
    RequestFilter,
    RequestSeries,
    expert_queue,
    find_requests,
    operator_desk,
    series_page,
    waiting_counts,
)
from app.store.accounts import expert_panels as panel_rows
from app.store.database import db, read_transaction
from app.store.tables.accounts import Grant
from app.workflow.reviews import Verdict
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action, State, Turn
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

NAMES = ("wombat", "numbat", "bilby", "dibbler", "kowari", "mulgara")


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


@contextmanager
def counting() -> Iterator[list[str]]:
    """The statements that were sent meanwhile."""
    heard: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    event.listen(db.engine, "before_cursor_execute", hear)
    try:
        yield heard
    finally:
        event.remove(db.engine, "before_cursor_execute", hear)


def cost(look: Callable[[], object]) -> int:
    """How many queries a look takes."""
    with read_transaction(), counting() as heard:
        look()
    return sum(statement.lstrip().startswith("SELECT") for statement in heard)


def numbers(rows: tuple[request_status.RequestSummary, ...]) -> list[int]:
    return [row.number for row in rows]


def test_an_expert_has_what_they_were_given_and_have_not_reviewed_due_first(
    people: Cast, clock: Clock
) -> None:
    first, second, third = (
        factories.in_review(people, clock.on(days=1), namespace_identifier=name)
        for name in NAMES[:3]
    )
    given = {
        one: [account.id for account in panel_rows.assigned_to(one)]
        for one in (first, second, third)
    }
    ellis, emery, lee = people.expert.id, people.second_expert.id, people.leader.id
    assert given == {first: [ellis, emery], second: [lee, ellis], third: [emery, lee]}
    factories.review(second, people.expert, Verdict.COMMENT, clock())
    with read_transaction():
        assert numbers(expert_queue(people.expert, clock()).mine) == [first, second], (
            "a comment decides nothing"
        )
    factories.review(second, people.expert, Verdict.DECLINE, clock())
    with read_transaction():
        assert numbers(expert_queue(people.expert, clock()).mine) == [first]
        assert numbers(expert_queue(people.expert, clock()).others) == [second, third]
        assert numbers(expert_queue(people.leader, clock()).mine) == [second, third]
        assert waiting_counts(people.expert).review == 1
        assert waiting_counts(people.expert).desk == 0


def test_the_queue_has_what_comes_back_from_the_registrant(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock())
    unchecked = factories.sent(people.registrant, clock(), namespace_identifier="wombat")
    factories.act(unchecked, Action.TAKE, people.operator, clock())
    factories.act(unchecked, Action.RETURN, people.operator, clock(), reason="Mend it.")
    with read_transaction():
        found = expert_queue(people.expert, clock())
    assert (found.mine, found.others, numbers(found.registrants)) == ((), (), [number])


def test_a_new_text_has_to_be_reviewed_again(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.second_expert, Verdict.APPROVE, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock())
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    with read_transaction():
        for expert in (people.expert, people.second_expert):
            assert numbers(expert_queue(expert, clock()).mine) == [number]


def test_what_was_reopened_has_to_be_reviewed_again(people: Cast, clock: Clock) -> None:
    number = factories.approved(people, clock())
    factories.act(number, Action.REOPEN, people.operator, clock(), reason="New facts.")
    with read_transaction():
        assert numbers(expert_queue(people.expert, clock()).mine) == [number]
        assert waiting_counts(people.expert).review == 1


def test_nobody_has_their_own_request_to_review_but_where_one_person_is_all(
    people: Cast, clock: Clock
) -> None:
    author = factories.person(people.registrant.email, clock(), Grant.EXPERT)
    number = factories.in_review(people, clock())
    alone = SeparationOfDuties(people=1)
    with read_transaction():
        assert expert_queue(author, clock()).mine == ()
        assert waiting_counts(author).review == 0
        assert Action.REVIEW not in show_request(number, author, clock()).actions
        assert (
            Action.REVIEW
            in show_request(number, author, clock(), ProcedureSettings(separation=alone)).actions
        )


def test_the_desk_has_what_is_to_check_and_what_is_to_register(people: Cast, clock: Clock) -> None:
    new = factories.sent(people.registrant, clock(), namespace_identifier="wombat")
    taken = factories.sent(people.registrant, clock.on(days=1), namespace_identifier="numbat")
    factories.act(taken, Action.TAKE, people.operator, clock())
    approved = factories.approved(people, clock())
    factories.draft(people.registrant, clock())
    with read_transaction():
        assert numbers(operator_desk(clock()).to_check) == [new, taken]
        assert numbers(operator_desk(clock()).to_register) == [approved]
        assert waiting_counts(people.operator).desk == 3
        assert waiting_counts(people.registrant) == queues.QueueCounts(requests=0, review=0, desk=0)


def test_lists_show_what_is_public_and_ones_own(people: Cast, clock: Clock) -> None:
    pending = factories.sent(people.registrant, clock(), namespace_identifier="wombat")
    decided = [
        factories.sent(people.registrant, clock(), namespace_identifier=name) for name in NAMES[1:3]
    ]
    for number in decided:
        factories.act(number, Action.WITHDRAW, people.registrant, clock.on(days=1))
    draft = factories.draft(people.registrant, clock(), namespace_identifier="Bettong")
    with read_transaction():
        found = find_requests(RequestFilter(), clock())
        own = series_page(RequestSeries.YOURS, people.registrant, clock())
    assert numbers(found.page.rows) == [pending, *decided[::-1]], "pending first, no draft"
    assert found.count == 3
    assert numbers(own.rows) == [draft, *decided[::-1], pending]
    assert own.rows[0].name == "Bettong", "a draft goes by what was typed"


def test_no_filter_finds_a_draft(people: Cast, clock: Clock) -> None:
    draft = factories.draft(people.registrant, clock(), namespace_identifier="Bettong")
    with read_transaction():
        for wanted in (
            RequestFilter(words="bettong"),
            RequestFilter(words=str(draft)),
            RequestFilter(state=State.DRAFT),
            RequestFilter(turn=Turn.REGISTRANT),
        ):
            assert find_requests(wanted, clock()).count == 0, wanted


def test_the_found_requests_go_on_over_pages_until_each_was_shown_once(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MOST_SHOWN", 2)
    sent = [factories.sent(people.registrant, clock(), namespace_identifier=n) for n in NAMES]
    for days, number in zip((0, 0, 1), sent[:3], strict=True):  # two at one moment
        factories.act(number, Action.WITHDRAW, people.registrant, clock.on(days=days))
    seen, after = [], ""
    with read_transaction():
        while True:
            found = find_requests(RequestFilter(), clock(), after=after)
            assert found.count == len(NAMES)
            seen += numbers(found.page.rows)
            after = found.page.after
            if not after:
                break
    assert seen == sent[3:] + sent[2::-1]


def test_a_list_holds_so_many_rows_and_the_count_tells_the_rest(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MOST_SHOWN", 2)
    for name in NAMES[:3]:
        number = factories.in_review(people, clock(), namespace_identifier=name)
        if not panel_rows.ever_assigned_to(number) & {people.expert.id}:
            factories.act(number, Action.TAKE_ON, people.expert, clock())
    for name in NAMES[3:]:
        factories.sent(people.registrant, clock(), namespace_identifier=name)
    with read_transaction():
        shown = find_requests(RequestFilter(), clock())
        assert len(shown.page.rows) == 2
        assert shown.count == len(NAMES)
        assert (
            len(expert_queue(people.expert, clock()).mine)
            == len(operator_desk(clock()).to_check)
            == len(operator_desk(clock()).unsent) + 2
        )
        assert waiting_counts(people.expert).review == waiting_counts(people.operator).desk == 3


@pytest.mark.parametrize("series", RequestSeries)
def test_a_list_goes_on_until_every_request_was_shown_once(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch, series: RequestSeries
) -> None:
    monkeypatch.setattr(queues, "MOST_SHOWN", 2)
    sent = [factories.sent(people.registrant, clock(), namespace_identifier=n) for n in NAMES]
    if series is RequestSeries.DECIDED:  # two of them at one moment
        for days, number in zip((0, 0, 1, 2, 3, 4), sent, strict=True):
            factories.act(number, Action.WITHDRAW, people.registrant, clock.on(days=days))
    seen, after = [], ""
    with read_transaction():
        while True:
            part = series_page(series, people.registrant, clock(), after=after)
            seen += numbers(part.rows)
            assert len(part.rows) <= 2
            if not part.after:
                break
            after = part.after
    assert seen == (sent if series is RequestSeries.PENDING else sent[::-1])


@pytest.mark.parametrize(
    "key",
    ["1", "~1", "2026-09-01~1", "2026-13-01T00:00:00.000000Z~1", "2026-09-01T00:00:00.000000Z~0"],
)
def test_a_list_has_no_page_after_what_is_no_key(key: str, clock: Clock) -> None:
    with pytest.raises(NotFound, match="first page"):
        series_page(RequestSeries.PENDING, None, clock(), after=key)


def test_mail_that_nobody_could_place_is_work_on_the_desk(people: Cast, clock: Clock) -> None:
    with read_transaction():
        assert operator_desk(clock()).is_empty
    for count in (1, 2):
        factories.queued_mail(clock(), f"Message-ID: <{count}@nowhere.example>\n\nHello.".encode())
        with read_transaction():
            shown = operator_desk(clock())
            assert (shown.unplaced, shown.is_empty) == (count, False)
            assert waiting_counts(people.operator).desk == count
            assert waiting_counts(people.expert).desk == 0


def test_what_is_looked_at_on_every_page_takes_a_query_each_however_much_there_is(
    people: Cast, clock: Clock
) -> None:
    everything = factories.person("all@x.example", clock(), Grant.EXPERT, Grant.OPERATOR)
    for name in NAMES:
        number = factories.in_review(people, clock(), namespace_identifier=name)
        factories.review(number, people.expert, Verdict.COMMENT, clock())
    assert cost(lambda: waiting_counts(everything)) == 3
    assert cost(lambda: waiting_counts(people.expert)) == 2
    assert cost(lambda: waiting_counts(people.registrant)) == 1
    assert cost(lambda: expert_queue(people.expert, clock())) <= 14
    assert cost(lambda: find_requests(RequestFilter(), clock())) <= 30
    assert cost(lambda: operator_desk(clock())) <= 40


def test_a_request_takes_as_many_queries_with_three_texts_as_with_one(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    first = cost(lambda: show_request(number, people.operator, clock()))
    for text in ("Better.", "Best."):
        factories.review(number, people.expert, Verdict.RETURN, clock())
        factories.change_text(number, people.registrant, clock(), purpose=text)
        factories.act(number, Action.RESUBMIT, people.registrant, clock())
    with read_transaction():
        assert len(show_request(number, None, clock()).iterations) == 3
    assert cost(lambda: show_request(number, people.operator, clock())) == first <= 29


def test_the_checks_of_a_decided_request_say_nothing(people: Cast, clock: Clock) -> None:
    number = factories.registered(people, clock())
    with read_transaction():
        page = show_request(number, None, clock())
    assert page.row.state is State.ASSIGNED
    assert page.findings == (), "its own name is taken by now"
    assert page.actions == ()


def test_a_story_names_roles_and_nobody(people: Cast, clock: Clock) -> None:
    number = factories.registered(people, clock())
    with read_transaction():
        page = show_request(number, None, clock())
    assert [told.kind for told in page.story] == [
        "registered",
        "approved",
        "reviewed",
        "passed",
        "taken",
        "submitted",
    ]
    assert page.story[0].edition == 2
    told = repr((page.story, page.reviews))
    for person in (people.registrant, people.expert, people.operator):
        assert person.email not in told
    with read_transaction():
        mine = show_request(number, people.expert, clock()).my_review
    assert mine is not None
    assert mine.own


def test_what_is_not_there_is_not_found(people: Cast, clock: Clock) -> None:
    draft = factories.draft(people.registrant, clock())
    for number in (draft, 99, 2**62):
        with pytest.raises(NotFound), read_transaction():
            show_request(number, people.rival, clock())
    with read_transaction(), pytest.raises(NotFound):
        preview_registration(
            draft, people.registrant, clock(), base_url="http://x", rules=factories.RULES
        )
