"""What experts are asked, what they answer, and what their reviews decide together."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Self

from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.workflow.engine import ProcedureCase, actions_for
from app.workflow.states import Action, Role


class Verdict(StrEnum):
    """What one review says. ``action`` is the move it counts toward."""

    action: Action

    def __new__(cls, value: str, action: Action = Action.REVIEW) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.action = action
        return member

    APPROVE = "approve", Action.APPROVE
    RETURN = "return", Action.RETURN
    DECLINE = "decline", Action.DECLINE
    COMMENT = "comment"  # advice or a question, which decides nothing

    def label_in(self, procedure: DeclaredProcedure) -> str:
        """The verdict as a form of a procedure offers it: on the fast track experts advise.

        Source: RFC 8141 section 6.3.
        """
        labels = _LABELS | (_ADVICE if procedure is Procedure.FAST_TRACK else {})
        return labels.get(self.value, self.value.capitalize())


_LABELS = {"return": "Request changes"}
_ADVICE = {"approve": "In favor", "decline": "Against"}


@dataclass(frozen=True, slots=True)
class Review:
    """One review: who gave it, on which iteration of the text, and whether they lead the team."""

    expert: str
    iteration: int
    verdict: Verdict
    leader: bool = False


@dataclass(frozen=True, slots=True)
class OutcomeRule:
    """When reviews decide, a setting: how many must agree, and whether the leader's is enough."""

    needed: int = 2
    leader_decides: bool = True


COUNTED_ANEW = frozenset(action for action in Action if action.row.counts_anew)
"""Moves that undo a decision or ask for one of another kind.

Reviews from before the last of them are not given to ``review_outcome`` again: they would decide
at once what was just undone, or turn advice into a decision.
"""


def current_reviews(reviews: Iterable[Review], iteration: int) -> tuple[Review, ...]:
    """The reviews that count: each expert's latest verdict on the current iteration.

    ``reviews`` comes in the order in which they were given. A comment takes back nothing.
    """
    latest = {
        review.expert: review
        for review in reviews
        if review.iteration == iteration and review.verdict is not Verdict.COMMENT
    }
    return tuple(latest.values())


def review_outcome(
    reviews: Iterable[Review], iteration: int, rule: OutcomeRule = OutcomeRule()
) -> Verdict | None:
    """What the reviews of the current iteration decide together, or None while they do not.

    1. The team leader's review decides, where the rule lets it. Two leaders who differ
       are two experts who differ.
    2. Otherwise one expert's return takes effect: the text goes back with the comments.
    3. Otherwise, where some approve and some decline, the leader is waited for.
    4. Otherwise as many as the rule needs decide what they agree on.

    Only who may judge is counted by the caller: no author, nobody with a conflict, and in
    the fast track nobody, because ``actions_for`` offers the rule no move there.

    Source: RFC 8141 section 6.2 names the experts' approval alone; the count is a setting.
    """
    counted = current_reviews(reviews, iteration)
    verdicts = [review.verdict for review in counted]
    leaders = {review.verdict for review in counted if review.leader and rule.leader_decides}
    if len(leaders) == 1:
        return leaders.pop()
    if Verdict.RETURN in verdicts:
        return Verdict.RETURN
    return verdicts[0] if _concur(verdicts, rule.needed) else None


def is_deadlocked(
    reviews: Iterable[Review], iteration: int, rule: OutcomeRule = OutcomeRule()
) -> bool:
    """Whether some approve, some decline, and nothing is decided.

    The leader can end it with a review, or it goes to the IESG: ``Evidence.DEADLOCK``.
    """
    reviews = tuple(reviews)
    verdicts = {review.verdict for review in current_reviews(reviews, iteration)}
    return {Verdict.APPROVE, Verdict.DECLINE} <= verdicts and not review_outcome(
        reviews, iteration, rule
    )


class ReviewImpasse(StrEnum):
    """Why no expert who is available can decide a request."""

    NOT_APPOINTED = "not-appointed"
    CONFLICTED = "conflicted"
    AWAY = "away"
    TOO_FEW = "too-few"
    DISAGREEMENT = "disagreement"


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelStatus:
    """The experts for a request and their reviews of its newest text, counted in people.

    ``available`` experts have no conflict of interest and are not away, or reviewed the text before
    they left. ``back`` is the first day on which one of those who are away returns. ``awaited``
    experts have the request and still have to review it. ``leader_is_awaited`` if an available
    leader has not reviewed the text.
    """

    procedure: DeclaredProcedure
    rule: OutcomeRule = OutcomeRule()
    appointed: int = 0
    conflicted: int = 0
    away: int = 0
    back: date | None = None
    available: int = 0
    awaited: int = 0
    has_leader: bool = False
    leader_is_awaited: bool = False
    approvals: int = 0
    declines: int = 0
    is_deadlocked: bool = False

    @property
    def is_too_small(self) -> bool:
        """True if the available experts could not decide the request even if they all agreed."""
        return self.available < self.rule.needed and not (
            self.rule.leader_decides and self.has_leader
        )

    @property
    def waits_for_leader(self) -> bool:
        """True if only the leader can take the request further, by a review or by the report."""
        if self.procedure is Procedure.STANDARDS_ACTION:
            return self.has_leader and not self.awaited
        is_left = self.is_deadlocked or not self.awaited or self.available < self.rule.needed
        return self.rule.leader_decides and self.leader_is_awaited and is_left

    @property
    def impasse(self) -> ReviewImpasse | None:
        """Why no expert can decide the request; None if one can, or if experts only advise.

        Source: RFC 8141 section 6.3 for the fast track, section 6.2 for the report of a standards
        action, which one expert can send.
        """
        if self.procedure is Procedure.FAST_TRACK:
            return None
        if not self.appointed:
            return ReviewImpasse.NOT_APPOINTED
        if self.conflicted == self.appointed:
            return ReviewImpasse.CONFLICTED
        if not self.available:
            return ReviewImpasse.AWAY
        if self.procedure is Procedure.STANDARDS_ACTION:
            return None
        if self.is_too_small:
            return ReviewImpasse.TOO_FEW
        if self.is_deadlocked and not self.waits_for_leader:
            return ReviewImpasse.DISAGREEMENT
        return None


def verdicts_for(case: ProcedureCase) -> tuple[Verdict, ...]:
    """What a review form offers: no return where the procedure has none."""
    possible = actions_for(case, frozenset({Role.EXPERT}))
    if Action.REVIEW not in possible:
        return ()
    return tuple(v for v in Verdict if v is not Verdict.RETURN or v.action in possible)


def _concur(verdicts: list[Verdict], needed: int) -> bool:
    return len(set(verdicts)) == 1 and len(verdicts) >= needed


class ReviewAnswer(StrEnum):
    """How a reviewer answers a question; a yes speaks for the request."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQuestion:
    """One point that a reviewer judges."""

    key: str
    label: str
    help: str
    source: str
    formal_only: bool = False
    answers: tuple[ReviewAnswer, ...] = tuple(ReviewAnswer)


QUESTIONS: tuple[ReviewQuestion, ...] = (
    ReviewQuestion(
        key="benefit",
        label="Does the namespace benefit Internet users, and can anyone use it?",
        help=(
            "A small community is enough. Fees and private assignment are fine. A closed "
            "network or a lock-in to a proprietary service is not."
        ),
        source="RFC 8141 section 5.1",
        formal_only=True,
    ),
    ReviewQuestion(
        key="stability",
        label="Is the organization stable, or can the namespace continue without it?",
        help="Look for evidence of long-term maintenance, or a plan for a successor.",
        source="RFC 8141 section 5.1, criterion 1",
    ),
    ReviewQuestion(
        key="competence",
        label="Can the organization assign identifiers well?",
        help=(
            "Look for a clear process, experience with identifiers, and a method that "
            "prevents duplicates."
        ),
        source="RFC 8141 section 5.1, criterion 2",
    ),
    ReviewQuestion(
        key="permanence",
        label=("Does it promise never to reassign an identifier, and to keep old ones valid?"),
        help=(
            "This includes members who leave, changed descriptions, and items that no longer exist."
        ),
        source="RFC 8141 section 5.1, criterion 3",
    ),
    ReviewQuestion(
        key="name",
        label="Is the NID free of conflicts?",
        help=(
            "Consider country names and codes, trademarks, URI schemes and other "
            "identifier systems. This review doesn’t decide who owns a word."
        ),
        source="RFC 8141 section 5.1",
        formal_only=True,
    ),
)


def questions_for(procedure: DeclaredProcedure) -> tuple[ReviewQuestion, ...]:
    """What is asked about a request: an informal namespace has no name of its own choosing."""
    informal = procedure is Procedure.INFORMAL
    return tuple(question for question in QUESTIONS if not (informal and question.formal_only))
