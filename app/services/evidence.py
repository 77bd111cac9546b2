"""What an action can show: what came with it, and what holds of its request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from app.registration.declarations import REGISTRIES, Procedure
from app.registration.rules import Finding
from app.services import checks, drafts
from app.services.actors import Actor, may_judge
from app.services.registering import Reference
from app.services.telling import Post
from app.store import registry as names
from app.store import requests
from app.store.tables import Request, ReviewRow
from app.workflow.evidence import Evidence
from app.workflow.people import Separation, who_may_register
from app.workflow.reviews import OutcomeRule, Review, Verdict, outcome
from app.workflow.states import Action, State
from app.workflow.transitions import TABLES

DECIDED: Mapping[Verdict | None, Action] = {
    Verdict.APPROVE: Action.APPROVE,
    Verdict.DECLINE: Action.DECLINE,
}
SENDING = frozenset({Action.SUBMIT, Action.RESUBMIT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What of the procedures is a setting."""

    outcome: OutcomeRule
    separation: Separation
    authority: str
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What came with an action: what the person saw, and what they said."""

    lock_version: int
    key: str
    iteration: int = 0
    reason: str = ""
    verdict: Verdict | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    reference: Reference | None = None

    @property
    def says_something(self) -> bool:
        """Whether words came with it."""
        return bool(self.reason.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Who acts, when, and by which rules."""

    actor: Actor
    at: datetime
    rules: Rules
    post: Post


@dataclass(frozen=True, kw_only=True)
class Facts:
    """An action on a request. What it needs to know is read when it is asked for, and once.

    ``review`` is the review that is being given, which the outcome rule counts with the others.
    """

    request: Request
    action: Action
    given: Given
    context: Context
    review: Review | None = None

    @cached_property
    def writing(self) -> drafts.Writing:
        """The draft, as it would be sent now."""
        return drafts.writing_of(self.request, self.context.at.date().isoformat())

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is found in the text that the action is about."""
        if self.action in SENDING:
            return self.writing.findings
        return checks.findings_in_sent(self.request)

    @cached_property
    def decided(self) -> Verdict | None:
        """What the reviews decide together."""
        given = [review_of(row) for row in requests.counted_reviews(self.request)]
        added = [self.review] if self.review else []
        return outcome(given + added, self.request.iterations, self.context.rules.outcome)

    @cached_property
    def name_is_taken(self) -> bool:
        """Whether the name asked for can no longer be given."""
        space = REGISTRIES[self.request.registry_id].space
        return names.is_taken(space, self.request.asked_name)

    @property
    def is_numbered(self) -> bool:
        """Whether the registry gives the name itself."""
        return REGISTRIES[self.request.registry_id].numbering is not None

    @property
    def is_changed(self) -> bool:
        """Whether the draft differs from what was sent last."""
        sent = requests.find_iteration(self.request.number, self.request.iterations)
        now = drafts.sent_fields(self.writing), self.writing.organization
        return sent is None or now != (sent.fields, sent.organization)


def review_of(row: ReviewRow) -> Review:
    """A review as the outcome rule counts it."""
    return Review(str(row.author), row.iteration, Verdict(row.verdict), row.leader)


def may_register(request: Request, actor: Actor, rule: Separation) -> bool:
    """Whether somebody stands far enough from a request to register it."""
    approvers = {
        str(row.author)
        for row in requests.reviews_of(request.number)
        if row.iteration == request.iterations and row.verdict == Verdict.APPROVE
    }
    authors, own = [str(request.registrant)], str(actor.id)
    return own in who_may_register([own], authors=authors, approvers=approvers, rule=rule)


_HOLDS: Mapping[Evidence, Callable[[Facts], bool]] = {
    Evidence.PROCEDURE: lambda _: True,  # it follows from the registry and from point 7
    Evidence.POSTED: lambda _: True,  # in this commit, or the public page is the posting
    Evidence.STANDARD_ANSWER: lambda f: f.is_numbered or f.writing.standard is not None,
    Evidence.HARD_RULES: lambda f: not any(finding.is_problem for finding in f.findings),
    Evidence.NEW_ITERATION: lambda f: f.is_changed,
    Evidence.NO_NAME: lambda f: not f.request.asked_name,
    Evidence.REASON: lambda f: f.given.says_something,
    Evidence.COMMENTS: lambda f: f.given.says_something,
    Evidence.RULE: lambda f: f.given.says_something,
    Evidence.CURRENT: lambda f: f.given.iteration == f.request.iterations,
    Evidence.NO_CONFLICT: lambda f: may_judge(
        f.context.actor, f.request.registrant, f.context.rules.separation
    ),
    Evidence.CHECKS_ANSWERED: lambda f: (
        f.given.verdict is not Verdict.APPROVE or f.given.says_something or not f.findings
    ),
    Evidence.REVIEWS: lambda f: DECIDED.get(f.decided) is f.action,
    Evidence.OTHER_PERSON: lambda f: may_register(
        f.request, f.context.actor, f.context.rules.separation
    ),
    Evidence.NAME_FREE: lambda f: bool(f.request.asked_name) and not f.name_is_taken,
    Evidence.NAME_TAKEN: lambda f: f.name_is_taken,
    Evidence.NUMBER: lambda f: f.is_numbered,
}


def evidence_for(facts: Facts) -> frozenset[Evidence]:
    """What holds of all that the tables ask of this action here; nothing else is looked at."""
    asked = {
        evidence
        for row in TABLES[Procedure(facts.request.procedure)]
        if row.action is facts.action and row.source is State(facts.request.state)
        for evidence in row.evidence
    }
    return frozenset(e for e in asked if e in _HOLDS and _HOLDS[e](facts))
