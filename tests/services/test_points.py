"""What was asked of a text is answered before the next goes out, and the answers go with it."""

from collections.abc import Mapping
from functools import partial

import pytest
from flask import Flask

from app.registration.submissions.text_points import LONGEST_REPLY, PointReply, PointReplyKind
from app.services.accounts.actors import Actor
from app.services.refusals import InvalidInput
from app.services.requests import comments, drafts, request_points
from app.services.requests.detail.request_detail import show_request
from app.services.requests.point_sources import points_of
from app.services.requests.request_points import AnsweredPoint
from app.services.requests.reviewer_context import ReviewerContext, reviewer_context
from app.services.requests.text_studies import difference_between
from app.store.database import read_transaction
from app.store.requests import draft_rows, request_rows
from app.workflow.engine import EvidenceMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

CHANGED = PointReply(PointReplyKind.CHANGED)
LEFT = PointReply(PointReplyKind.LEFT, "The agency has no other name.")
ASKED = "Who are you?\n\n> Purpose\n\nFor whom?\n\n> Syntax\n\nWhich letters?"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    return factories.cast(clock())


def _returned(people: Cast, clock: Clock) -> int:
    number = factories.in_review(people, clock())
    factories.review(
        number, people.second_expert, Verdict.APPROVE, clock(), reason="Purpose: fine."
    )
    factories.review(number, people.expert, Verdict.RETURN, clock(), reason=ASKED)
    return number


def _points(number: int, clock: Clock) -> dict[str, AnsweredPoint]:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        writing = drafts.writing_of(request, clock().date().isoformat())
        found = request_points.answered_points(request, writing)
    return {one.of.point.words: one for one in found}


def _standing(number: int, clock: Clock) -> list[tuple[str, bool, bool]]:
    found = _points(number, clock).values()
    return [(one.of.point.field, one.of.is_asked, one.is_open) for one in found]


def test_each_thing_stands_at_its_field_and_is_answered_by_its_change(
    people: Cast, clock: Clock
) -> None:
    number = _returned(people, clock)
    factories.comment(number, people.rival, clock.on(minutes=1), "Security and Privacy: none?")
    factories.comment(number, people.rival, clock(), "Welcome.")
    factories.comment(number, people.registrant, clock(), "Purpose: thank you.")
    open_ones = [("", True, True), ("purpose", True, True)]
    rest = [
        ("purpose", False, False),
        ("syntax", True, True),
        ("security_and_privacy", False, False),
    ]
    assert _standing(number, clock) == [*open_ones, *rest]
    factories.change_text(number, people.registrant, clock(), purpose="For all.")
    assert _standing(number, clock)[1] == ("purpose", True, False)


def test_no_text_goes_back_before_each_point_has_an_answer(people: Cast, clock: Clock) -> None:
    number = _returned(people, clock)
    factories.change_text(number, people.registrant, clock(), purpose="For all.")
    points = _points(number, clock)
    syntax, whole = (
        next(one.of.key for one in points.values() if one.of.point.field == field)
        for field in ("syntax", "")
    )
    refused: list[Mapping[str, PointReply]] = [
        {},
        {syntax: CHANGED},
        {syntax: CHANGED, whole: CHANGED},  # another field was changed, and no word says so
        {syntax: PointReply(PointReplyKind.LEFT, "."), whole: CHANGED},  # a stop is no sentence
        {syntax: PointReply(PointReplyKind.CHANGED, " ."), whole: CHANGED},
        {syntax: LEFT, whole: PointReply(PointReplyKind.LEFT, " ")},
    ]
    for replies in refused:
        with pytest.raises(InvalidInput, match="has no answer") as error:
            factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies=replies)
        assert error.value.field in (f"answer_{whole}", f"answer_{syntax}")
    given = {syntax: LEFT, whole: CHANGED}
    factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies=given)
    with read_transaction():
        page = show_request(number, people.expert, clock())
    (sent,) = (event for event in page.story if event.kind == Action.RESUBMIT.past)
    kept = request_points.answers_in(sent.details)
    assert [(one.field, one.in_words) for one in kept if one.who == "An expert"][:1] == [
        ("", "Changed.")
    ]
    assert ("syntax", f"Not changed. {LEFT.words}") in [(one.field, one.in_words) for one in kept]
    assert LEFT.words not in str(page.iterations[-1].fields)  # no part of the public template


def test_answers_are_saved_with_the_draft_and_go_with_the_next_text_once(
    people: Cast, clock: Clock
) -> None:
    number = _returned(people, clock)
    keys = [one.of.key for one in _points(number, clock).values() if one.of.is_asked]
    for key in keys:  # each from a page of its own, opened before
        saving = drafts.DraftInput(fields={}, private={}, replies={key: LEFT})
        drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    assert not any(one.is_open for one in _points(number, clock).values())
    # a sentence on why it stays is enough: nobody has to change a text for it to be read again
    factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies={})
    factories.review(number, people.expert, Verdict.RETURN, clock.on(minutes=1), reason="Again?")
    assert _standing(number, clock) == [("", True, True)]
    with pytest.raises(EvidenceMissing, match="Change the text"):
        factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies={})


def test_words_that_lead_to_what_is_asked_ask_nothing(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    said = "Thank you. Two things.\n\n> Purpose\n\nFor whom."
    factories.review(number, people.expert, Verdict.RETURN, clock(), reason=said)
    assert _standing(number, clock) == [("", False, False), ("purpose", True, True)]


def test_whoever_changed_nothing_did_not_change_it(people: Cast, clock: Clock) -> None:
    number = _returned(people, clock)
    keys = [one.of.key for one in _points(number, clock).values()]
    saving = drafts.DraftInput(fields={}, private={}, replies=dict.fromkeys(keys, CHANGED))
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    assert all(one.is_open for one in _points(number, clock).values() if one.of.is_asked)


def test_what_counts_as_changed_is_what_its_pages_show(people: Cast, clock: Clock) -> None:
    number = _returned(people, clock)
    given = {
        one.of.key: PointReply(PointReplyKind.CHANGED, "Another body asks by now.")
        for one in _points(number, clock).values()
    }
    spaced = factories.template()["syntax"] + " \n"
    factories.change_text(number, people.registrant, clock(), syntax=spaced)
    with pytest.raises(EvidenceMissing, match="Change the text"):  # a blank is nothing that is read
        factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies=given)
    saving = drafts.DraftInput(fields={}, private={}, organization="Wombat Society")
    drafts.save(factories.command(people.registrant, clock(), seen=3), number, saving)
    with read_transaction():
        writing = drafts.open_draft(people.registrant, number, "2026-09-01")
        shown = request_points.changes_of_draft(writing)
    assert shown is not None
    assert [one.label for one in shown.changed] == ["Organization"]
    factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies=given)
    with read_transaction():
        page = show_request(number, people.expert, clock())
    between = difference_between(number, page.iterations[0], page.iterations[1])
    assert [one.label for one in between.changed] == ["Organization"]


def test_what_an_operator_asks_before_the_experts_do_is_answered_too(
    people: Cast, clock: Clock
) -> None:
    number = factories.draft(people.registrant, clock())
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.RETURN, people.operator, clock(), reason="In Purpose: which?")
    (point,) = _points(number, clock).values()
    assert (point.of.who, point.of.point.field, point.is_open) == ("The operator", "purpose", True)


@pytest.mark.parametrize(
    ("asked", "quoted"),
    [
        ("> Purpose\n\nFor whom?", "> For whom?"),
        ("> Purpose, line 2: For all\n\nFor whom?", "> Purpose, line 2: For all\n>\n> For whom?"),
        ("> Purpose", "> Purpose"),
    ],
)
def test_what_was_asked_is_quoted_once_and_its_place_said_once(asked: str, quoted: str) -> None:
    answer = request_points.PointAnswer(
        key="review_1_1",
        who="An expert",
        field="purpose",
        line=0,
        asked=asked,
        kind=PointReplyKind.CHANGED,
        words="",
    )
    said = request_points.answers_as_text([answer])
    assert said == f"An expert asked (Purpose):\n{quoted}\n\nChanged."


def test_the_list_reads_the_answers_with_the_text(people: Cast, clock: Clock) -> None:
    assert request_points.answers_as_text(
        [
            request_points.PointAnswer(
                key="k",
                who="An expert",
                field="syntax",
                line=2,
                asked="> a\n\nWhich?",
                kind=PointReplyKind.LEFT,
                words="None.",
            )
        ]
    ) == ("An expert asked (Syntax, line 2):\n> a\n>\n> Which?\n\nNot changed. None.")


def test_a_page_of_older_software_that_asked_nothing_still_sends(
    people: Cast, clock: Clock
) -> None:
    number = _returned(people, clock)
    factories.change_text(number, people.registrant, clock(), purpose="For all.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock(), replies=None)
    with read_transaction():
        page = show_request(number, people.expert, clock())
    (sent,) = (event for event in page.story if event.kind == Action.RESUBMIT.past)
    assert [one.field for one in request_points.answers_in(sent.details)] == ["purpose", "purpose"]


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("x" * (LONGEST_REPLY + 1), "answer_{}_words"),
        ("a\0b", "answer_{}_words"),
        ("\ud800", "answer_{}_words"),
        ("", ""),  # to what nobody asked
    ],
)
def test_an_answer_that_is_not_taken_is_refused_where_it_stands_and_nothing_is_kept(
    people: Cast, clock: Clock, words: str, at: str
) -> None:
    number = _returned(people, clock)
    keys = [one.of.key for one in _points(number, clock).values() if one.of.is_asked]
    wrong = {keys[0]: PointReply(PointReplyKind.LEFT, words)} if words else {"review_9_1": LEFT}
    replies = dict.fromkeys(keys, LEFT) | wrong
    saving = drafts.DraftInput(fields={"purpose": "Lost?"}, private={}, replies=replies)
    for take in (
        partial(drafts.save, factories.command(people.registrant, clock(), seen=2), number, saving),
        partial(
            factories.act, number, Action.RESUBMIT, people.registrant, clock(), replies=replies
        ),
    ):
        with pytest.raises(InvalidInput) as error:
            take()
        assert error.value.field == at.format(keys[0])
        assert words or LEFT.words in str(error.value)  # no field shows what was written
    assert all(one.is_open for one in _points(number, clock).values() if one.of.is_asked)
    with read_transaction():
        assert "Lost?" not in draft_rows.get_draft(number).fields


def test_only_what_stands_of_the_newest_text_is_asked_and_shown_beside_its_review(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    for body in ("Purpose: for whom?", "Syntax: why?"):
        ident = factories.comment(number, people.rival, clock.on(minutes=1), body)
    changing = factories.command(people.rival, clock.on(minutes=1))
    comments.change(changing, number, ident, "Syntax: why so?")
    factories.review(number, people.second_expert, Verdict.COMMENT, clock(), reason="Purpose: who?")
    factories.review(number, people.expert, Verdict.DECLINE, clock(), reason="Resolution: no.")
    factories.review(number, people.expert, Verdict.RETURN, clock(), reason="Resolution: how?")
    assert set(_points(number, clock)) == {
        *("Purpose: for whom?", "Syntax: why so?", "Purpose: who?", "Resolution: how?"),
    }
    factories.change_text(
        number, people.registrant, clock.on(minutes=1), purpose="For all.", resolution="None."
    )
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.comment(number, people.rival, clock.on(minutes=1), "Purpose: all?")
    seen = _beside(number, people.expert, clock)
    assert (seen.reviewed, seen.is_own) == (1, True)
    other = _beside(number, people.second_expert, clock)
    assert seen.answers[0].asked == "Resolution: how?", "to each first what they asked"
    assert other.answers[0].asked == "Purpose: who?"
    factories.review(number, people.expert, Verdict.COMMENT, clock.on(minutes=1), reason="Better.")
    factories.comment(number, people.rival, clock.on(minutes=1), "Syntax: still?")
    seen = _beside(number, people.expert, clock)
    assert (seen.reviewed, seen.is_own) == (1, False)  # they judged the newest already
    assert [one.body for one in seen.comments] == ["Syntax: still?"]
    assert set(_points_of_sent(number)) == {"Purpose: all?", "Syntax: still?", "Better."}


def _beside(number: int, expert: Actor, clock: Clock) -> ReviewerContext:
    with read_transaction():
        page = show_request(number, expert, clock())
        return reviewer_context(page, expert, clock())


def _points_of_sent(number: int) -> list[str]:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return [one.point.words for one in points_of(request)]
