"""What reviews decide together, and what reviewers are asked."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import ProcedureCase, actions_for
from app.workflow.reviews import (
    COUNTED_ANEW,
    QUESTIONS,
    OutcomeRule,
    Review,
    ReviewAnswer,
    Verdict,
    current_reviews,
    is_deadlocked,
    questions_for,
    review_outcome,
    verdicts_for,
)
from app.workflow.states import Action, Role, State
from app.workflow.transitions import TABLES

V = Verdict
NOW = 2
SAYS = {"+": V.APPROVE, "-": V.DECLINE, "<": V.RETURN, "?": V.COMMENT}
NOT_ALONE = OutcomeRule(leader_decides=False)
ONE_IS_ENOUGH = OutcomeRule(needed=1)
THREE = OutcomeRule(needed=3)


def _reviews(text: str) -> list[Review]:
    """``a+ b-1 L<`` is: a approves, b declined iteration 1, the leader L returns."""
    return [
        Review(
            expert=word[0],
            iteration=int(word[2:] or NOW),
            verdict=SAYS[word[1]],
            leader=word[0].isupper(),
        )
        for word in text.split()
    ]


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("", None),
        ("a+", None),
        ("a+ b+", V.APPROVE),
        ("a- b-", V.DECLINE),
        ("a-", None),
        ("a+ b-", None),
        ("a+ b- c+", None),
        ("a+ b- c-", None),
        ("a+ b- L+", V.APPROVE),
        ("a+ b- L-", V.DECLINE),
        ("L+", V.APPROVE),
        ("L-", V.DECLINE),
        ("a+ b+ L-", V.DECLINE),
        ("L+ M-", None),
        ("L+ M+", V.APPROVE),
        ("L+ M<", V.RETURN),
        ("a<", V.RETURN),
        ("a+ b<", V.RETURN),
        ("a+ b+ c<", V.RETURN),
        ("a< L+", V.APPROVE),
        ("L<", V.RETURN),
        ("a+ a+", None),
        ("a- b+ a+", V.APPROVE),
        ("a+ b+ a-", None),
        ("a+1 b+1", None),
        ("a+1 b+", None),
        ("a-1 a+ b+", V.APPROVE),
        ("L-1 a+ b+", V.APPROVE),
        ("a<1", None),
        ("a+3 b+3", None),
        ("a?", None),
        ("a+ b?", None),
        ("a+ a? b+", V.APPROVE),
        ("L? a+", None),
        ("L+ L?", V.APPROVE),
    ],
)
def test_two_who_agree_or_the_leader_decide(text: str, decided: Verdict | None) -> None:
    assert review_outcome(_reviews(text), NOW) is decided


@pytest.mark.parametrize(
    ("rule", "text", "decided"),
    [
        (NOT_ALONE, "L+", None),
        (NOT_ALONE, "L+ a+", V.APPROVE),
        (NOT_ALONE, "L+ a-", None),
        (NOT_ALONE, "a+ b- L+", None),
        (NOT_ALONE, "L+ a<", V.RETURN),
        (ONE_IS_ENOUGH, "a+", V.APPROVE),
        (ONE_IS_ENOUGH, "a+ b-", None),
        (THREE, "a+ b+", None),
        (THREE, "a+ b+ c+", V.APPROVE),
        (THREE, "L-", V.DECLINE),
    ],
)
def test_the_rule_is_a_setting(rule: OutcomeRule, text: str, decided: Verdict | None) -> None:
    assert review_outcome(_reviews(text), NOW, rule) is decided


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        ("a+ b-", True),
        ("a+ b- c+", True),
        ("a+ b- L+", False),
        ("L+ M-", True),
        ("a+ b- c<", False),
        ("a+", False),
        ("a+ b+", False),
        ("a+1 b-", False),
        ("", False),
    ],
)
def test_opposite_reviews_without_the_leader_are_a_deadlock(text: str, locked: bool) -> None:
    assert is_deadlocked(_reviews(text), NOW) is locked


def test_without_a_deciding_leader_opposite_reviews_stay_a_deadlock() -> None:
    assert is_deadlocked(_reviews("a+ L-"), NOW, NOT_ALONE)


A_REVIEW = st.builds(
    Review,
    expert=st.sampled_from("abcd"),
    iteration=st.integers(1, 3),
    verdict=st.sampled_from(Verdict),
    leader=st.booleans(),
)
A_RULE = st.builds(OutcomeRule, needed=st.integers(1, 3), leader_decides=st.booleans())


@given(st.lists(A_REVIEW, max_size=8), A_RULE)
def test_a_review_of_another_iteration_never_counts(
    reviews: list[Review], rule: OutcomeRule
) -> None:
    current = [review for review in reviews if review.iteration == NOW]
    assert review_outcome(reviews, NOW, rule) is review_outcome(current, NOW, rule)


@given(st.lists(A_REVIEW, max_size=4, unique_by=lambda review: review.expert), A_RULE)
def test_the_order_of_different_experts_does_not_matter(
    reviews: list[Review], rule: OutcomeRule
) -> None:
    orders: Sequence[tuple[Review, ...]] = list(permutations(reviews))
    assert len({review_outcome(order, NOW, rule) for order in orders}) == 1


@given(st.lists(A_REVIEW, max_size=8), A_RULE)
def test_what_is_decided_was_said_in_a_standing_review_and_is_never_a_comment(
    reviews: list[Review], rule: OutcomeRule
) -> None:
    decided = review_outcome(reviews, NOW, rule)
    said = {review.verdict for review in current_reviews(reviews, NOW)}
    assert V.COMMENT not in said
    assert decided is None or decided in said


@given(st.lists(A_REVIEW, max_size=8))
def test_a_later_review_takes_the_place_of_the_experts_earlier_one(reviews: list[Review]) -> None:
    last = Review("a", NOW, V.APPROVE)
    counted = current_reviews([*reviews, last], NOW)
    assert [review for review in counted if review.expert == "a"] == [last]


@given(st.lists(A_REVIEW, max_size=6), A_RULE)
def test_a_further_approval_by_a_plain_expert_never_turns_into_a_denial(
    reviews: list[Review], rule: OutcomeRule
) -> None:
    after = review_outcome([*reviews, Review("z", NOW, V.APPROVE)], NOW, rule)
    assert after is not V.DECLINE or review_outcome(reviews, NOW, rule) is V.DECLINE


def test_reviews_may_come_from_an_iterator() -> None:
    assert is_deadlocked(iter(_reviews("a+ b-")), NOW)


def test_reviews_are_counted_anew_after_every_move_that_undoes_a_decision() -> None:
    decided = {
        State.ASSIGNABLE,
        State.MODIFIABLE,
        State.IESG_APPEAL_1,
        State.IESG_APPEAL_2,
    }
    undoing = {
        row.action
        for table in TABLES.values()
        for row in table
        if row.source in decided and row.target is State.EXPERT_REVIEW
    }
    assert undoing == {Action.REOPEN, Action.OVERTURN}
    another_kind = {Action.CHANGE_PROCEDURE, Action.NO_STANDARD}
    assert undoing | another_kind == COUNTED_ANEW


def test_what_the_reviews_decide_is_a_move_of_the_outcome_rule() -> None:
    case = ProcedureCase(Procedure.COMMUNITY, Purpose.NEW, State.EXPERT_REVIEW)
    by_rule = actions_for(case, frozenset({Role.OUTCOME}))
    assert set(by_rule) == {V.APPROVE.action, V.DECLINE.action}


def test_in_the_fast_track_no_review_decides_and_none_returns() -> None:
    case = ProcedureCase(Procedure.FAST_TRACK, Purpose.NEW, State.EXPERT_REVIEW)
    assert actions_for(case, frozenset({Role.OUTCOME})) == ()
    assert verdicts_for(case) == (V.APPROVE, V.DECLINE, V.COMMENT)


def test_a_review_form_offers_every_verdict_in_review_and_none_elsewhere() -> None:
    case = ProcedureCase(Procedure.COMMUNITY, Purpose.NEW, State.EXPERT_REVIEW)
    assert verdicts_for(case) == tuple(Verdict)
    assert verdicts_for(ProcedureCase(Procedure.COMMUNITY, Purpose.NEW, State.NEW)) == ()
    offered = {
        procedure: [verdict.label_in(procedure) for verdict in Verdict]
        for procedure in (Procedure.COMMUNITY, Procedure.FAST_TRACK)
    }
    assert offered == {
        Procedure.COMMUNITY: ["Approve", "Request changes", "Decline", "Comment"],
        Procedure.FAST_TRACK: ["In favor", "Request changes", "Against", "Comment"],
    }


def test_reviewers_are_asked_the_five_points_of_a_formal_namespace() -> None:
    assert [question.key for question in QUESTIONS] == [
        "benefit",
        "stability",
        "competence",
        "permanence",
        "name",
    ]
    for question in QUESTIONS:
        assert question.answers == (ReviewAnswer.YES, ReviewAnswer.NO, ReviewAnswer.UNCLEAR)
        assert question.label.endswith("?")
        assert question.help.endswith(".")
        assert question.source.startswith("RFC 8141 section 5.1")


@pytest.mark.parametrize("procedure", Procedure)
def test_an_informal_namespace_is_not_asked_for_its_name(procedure: Procedure) -> None:
    keys = {question.key for question in questions_for(procedure)}
    informal = procedure is Procedure.INFORMAL
    assert ("name" in keys, "benefit" in keys) == (not informal, not informal)
    assert {"stability", "competence", "permanence"} <= keys
