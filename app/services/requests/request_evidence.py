"""What an action can show: what the tables ask of it, and whether it holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from app.registration.declarations.registries import REGISTRIES, DeclaredProcedure, procedure_named
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.context_checks import STANDARD
from app.registration.submissions.text_points import PointReply, PointReplyKind
from app.services.accounts.actors import (
    accounts_acting_for,
    conflicts_with,
    is_held_above,
    parties_of,
)
from app.services.experts import fast_track_organizations
from app.services.experts.independence import (
    may_agree,
    may_decide_request,
    may_enter_appeal,
    may_give_alone,
    may_register,
    reads_like_own,
)
from app.services.registrations.name_registration import FormatTrial, Reference
from app.services.registry import base_version
from app.services.registry.base_version import NamesAsked, names_asked, requests_sent_before
from app.services.request_status.panel_evidence import PanelEvidence
from app.services.requests import drafts, request_points, text_findings
from app.services.requests.text_findings import TextCheck
from app.services.use_cases import Command
from app.store.accounts import expert_panels as panel_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.requests import draft_rows, request_queues, request_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Account, Event, Request
from app.workflow.deadlines import last_day_of_appeal
from app.workflow.evidence import Evidence
from app.workflow.evidence_inputs import says_something
from app.workflow.hard_rules import HardRule
from app.workflow.reviews import Review, Verdict, is_deadlocked, review_outcome
from app.workflow.separation_of_duties import Parties
from app.workflow.states import Action, Role, State, Turn
from app.workflow.transitions import TABLES, TransitionRow

_DENIED = frozenset({Action.DECLINE.past, Action.REFUSE.past})
_DECIDED = _DENIED | {Action.UPHOLD.past}
_APPEALED = {Action.APPEAL: Action.APPEAL.past, Action.APPEAL_TO_IAB: Action.APPEAL_TO_IAB.past}


def are_heard(procedure: DeclaredProcedure) -> bool:
    """Whether decisions can be appealed in a procedure at all."""
    return any(row.action in _APPEALED for row in TABLES[procedure])


def last_day(story: Sequence[Event], months: int) -> date | None:
    """The last day on which the last decision can be appealed; None where there is none.

    Each decision has its own period: the denial, and what the IESG decided on the appeal.
    """
    decided = [event.at.date() for event in story if event.kind in _DECIDED]
    return last_day_of_appeal(decided[-1], months) if decided else None


def last_day_left(story: Sequence[Event], months: int) -> date | None:
    """The last day of an appeal that is left; None where none is, since both were used up."""
    left = is_first(story, Action.APPEAL) or (
        was_upheld(story) and is_first(story, Action.APPEAL_TO_IAB)
    )
    return last_day(story, months) if left else None


def last_day_after(story: Sequence[Event], kind: str, day: date, months: int) -> date | None:
    """The last day of the appeal that is left after an event of a kind, on a day, ends a story.

    A new denial can be appealed; of a dismissed appeal the next one is left, where it was the
    first. Of an appeal that was withdrawn nothing is left but what the denial left.
    """
    if kind in _DENIED or (kind == Action.UPHOLD.past and is_first(story, Action.APPEAL_TO_IAB)):
        return last_day_of_appeal(day, months)
    return None if kind == Action.UPHOLD.past else last_day_left(story, months)


def is_first(story: Sequence[Event], action: Action) -> bool:
    """Whether the last denial was not yet appealed where the action leads to."""
    return all(event.kind != _APPEALED[action] for event in _since_denial(story))


def was_upheld(story: Sequence[Event]) -> bool:
    """Whether the IESG upheld the last denial."""
    return any(event.kind == Action.UPHOLD.past for event in _since_denial(story))


def _since_denial(story: Sequence[Event]) -> Sequence[Event]:
    places = [place for place, event in enumerate(story) if event.kind in _DENIED]
    return story[places[-1] :] if places else story


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInput:
    """What came with an action: what the person said.

    ``details`` holds what the form asked for beside the words, by ``EvidenceInput``; ``replies``
    what was answered to what was asked of the text, over what the draft keeps; None where its page
    asked nothing, as those of older software did.
    """

    iteration: int = 0
    reason: str = ""
    verdict: Verdict | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    reference: Reference | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    replies: Mapping[str, PointReply] | None = None

    @property
    def says_something(self) -> bool:
        """Whether words came with it."""
        return says_something(self.reason)

    def detail(self, name: str) -> str:
        """One thing that the form asked for, without outer spaces."""
        return self.details.get(name, "").strip()


@dataclass(frozen=True, kw_only=True)
class ActionFacts:
    """An action on a request. What it needs to know is read when it is asked for, and once.

    ``review`` is the review that is being given, which the outcome rule counts with the others;
    ``tried`` what was tried ahead of a registration.
    """

    request: Request
    action: Action
    given: ActionInput
    command: Command
    review: Review | None = None
    tried: FormatTrial | None = None

    def going_on(self, **changed: Any) -> "ActionFacts":
        """The facts with another action, or with a review; what is known already stays known."""
        known = vars(self)
        facts = replace(self, **changed)
        vars(facts).update({name: known[name] for name in _OF_THE_REQUEST if name in known})
        return facts

    @cached_property
    def parties(self) -> Parties:
        """Who stands where toward the request."""
        return parties_of(self.request)

    @cached_property
    def writing(self) -> drafts.OpenDraft:
        """The draft, as it would be sent now."""
        return drafts.writing_of(self.request, self.command.at.date().isoformat())

    @property
    def sends(self) -> bool:
        """Whether the action sends the draft; a representative who wrote none completes what is."""
        own = self.command.actor.id in accounts_acting_for(self.request)
        completes = self.action is Action.COMPLETE and own
        return completes or self.action in (Action.SUBMIT, Action.RESUBMIT)

    @cached_property
    def check(self) -> TextCheck | None:
        """The check of the text that the action is about; None where nothing was sent."""
        if self.sends:
            return self.writing.check
        return text_findings.check_of_sent(self.request, lambda: self.asking)

    @property
    def problems(self) -> SubmissionCheck:
        """What forbids the action in its text."""
        return self.check.problems if self.check else SubmissionCheck()

    @property
    def asks_approver(self) -> bool:
        """Whether something was found of which whoever approves says why."""
        return self.check is not None and self.check.asks_approver

    @cached_property
    def asking(self) -> NamesAsked:
        """What the open requests of its registry ask for, this one among them."""
        return names_asked(self.request)

    @cached_property
    def story(self) -> list[Event]:
        """What happened to the request, oldest first."""
        return event_rows.of_request(self.request.number)

    @property
    def reviews(self) -> list[Review]:
        """The reviews that count, with the one being given."""
        return self.panel.reviews + ([self.review] if self.review else [])

    @property
    def able(self) -> list[Account]:
        """The experts who can review the request now."""
        return self.panel.able

    @cached_property
    def panel(self) -> PanelEvidence:
        """Facts about the experts of the request."""
        rules = self.command.rules
        return PanelEvidence(
            request=self.request, at=self.command.at, rules=rules, parties=self.parties
        )

    @property
    def is_unanswered(self) -> bool:
        """Whether the experts left it unanswered for too long."""
        return self.panel.are_silent(case_of(self.request))

    @cached_property
    def decided(self) -> Verdict | None:
        """What the reviews decide together."""
        return review_outcome(self.reviews, self.request.iterations, self.command.rules.outcome)

    @property
    def is_deadlocked(self) -> bool:
        """Whether the reviews contradict each other, and nothing is decided."""
        return is_deadlocked(self.reviews, self.request.iterations, self.command.rules.outcome)

    @cached_property
    def name_is_taken(self) -> bool:
        """Whether the name asked for can no longer be given."""
        space = REGISTRIES[self.request.registry_id].space.id
        return name_rows.is_taken(space, self.request.asked_name)

    @cached_property
    def gives_alone(self) -> bool:
        """Whether whoever acts may give one more name without a second operator."""
        return may_give_alone(self.command.actor, self.command.rules.separation, self.command.at)

    @property
    def is_numbered(self) -> bool:
        """Whether the registry gives the name itself."""
        return REGISTRIES[self.request.registry_id].numbering is not None

    @property
    def is_changed(self) -> bool:
        """Whether the draft differs from what was sent last."""
        return bool(request_points.changed_since_sent(self.request, self.writing))

    @cached_property
    def answered(self) -> tuple[request_points.AnsweredPoint, ...]:
        """What was asked of the text before, with the answers that go with the new one."""
        return request_points.answered_points(self.request, self.writing, self.given.replies)

    @property
    def is_defended(self) -> bool:
        """Whether a sentence says of something that was asked why the text stays as it is."""
        replies = (one.reply for one in self.answered)
        return any(reply and reply.kind is PointReplyKind.LEFT for reply in replies)

    @property
    def reminders(self) -> list[datetime]:
        """When the registrant was reminded since the request was last with them."""
        since = self.request.since
        return [e.at for e in self.story if e.kind == Action.REMIND.past and e.at >= since]

    @property
    def is_silent(self) -> bool:
        """Whether the registrant neither heard nor wrote anything for some days."""
        written = draft_rows.get_draft(self.request.number).saved
        last = max([self.request.since, written, *self.reminders])
        return last + timedelta(days=self.command.rules.reminder_days) <= self.command.at

    @cached_property
    def assigned(self) -> frozenset[int]:
        """Those who have the request to review."""
        return frozenset(one.id for one in panel_rows.assigned_to(self.request.number))

    @cached_property
    def twins(self) -> list[int]:
        """The other open requests by which the registrant asks for the same."""
        own = accounts_acting_for(self.request)
        asking = request_queues.open_requests(self.request.registry_id, own, text_findings.PENDING)
        return [other.number for other in asking if _is_the_same(self.request, other)]

    @property
    def duplicated(self) -> Request | None:
        """The other request that asks for the same, where there is one such."""
        number = self.given.detail("other")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            return None
        other = request_rows.find_request(int(number))
        return other if other and _is_the_same(self.request, other) else None


# what neither a review nor another action changes until the request moves
_OF_THE_REQUEST = ("parties", "panel", "asking", "story", "assigned", "name_is_taken")


def _is_the_same(request: Request, other: Request) -> bool:
    return (
        other.number != request.number
        and case_of(other).is_pending
        and other.registry_id == request.registry_id
        and other.asked_name == request.asked_name
        and bool(accounts_acting_for(other) & accounts_acting_for(request))
    )


DECIDED: Mapping[Verdict | None, Action] = {
    Verdict.APPROVE: Action.APPROVE,
    Verdict.DECLINE: Action.DECLINE,
}
REMINDERS_NEEDED = 2
PRIORITY = "priority"  # the operator's answer: why a request goes before one that was sent first


def _says(facts: ActionFacts) -> bool:
    return facts.given.says_something


def _is_reported(facts: ActionFacts) -> bool:
    if facts.action is Action.REPORT:
        return bool(facts.given.detail("report"))
    return any(event.kind == Action.REPORT.past for event in facts.story)


def _is_dated(facts: ActionFacts) -> bool:
    day, asked = facts.given.detail("date"), facts.request.since.date().isoformat()
    return fast_track_organizations.is_past_day(day, facts.command.at) and day >= asked


def _is_day_at_iana(facts: ActionFacts) -> bool:
    day, before = facts.given.detail("day"), facts.request.iana_day
    earliest = before or facts.request.since.date().isoformat()
    return fast_track_organizations.is_past_day(day, facts.command.at) and day >= earliest


def _is_in_period(facts: ActionFacts) -> bool:
    last = last_day(facts.story, facts.command.rules.appeal_months)
    return last is not None and facts.command.at.date() <= last


def _is_for_it(facts: ActionFacts) -> bool:
    return facts.action is not Action.REVIEW or facts.given.verdict is Verdict.APPROVE


def _represents(facts: ActionFacts) -> bool:
    return fast_track_organizations.is_spoken_for(
        facts.request.organization, accounts_acting_for(facts.request), facts.command.at
    )


_HOLDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.PROCEDURE: lambda _: True,  # it follows from the registry and from point 7
    Evidence.POSTED: lambda _: True,  # in this commit, or the public page is the posting
    Evidence.STANDARD_ANSWER: lambda f: not any(one.question == STANDARD for one in f.problems),
    Evidence.HARD_RULES: lambda f: not f.problems,
    Evidence.NEW_ITERATION: lambda f: f.is_changed or f.is_defended,
    Evidence.NO_NAME: lambda f: not f.request.asked_name,
    Evidence.SPECIFICATION: lambda f: not f.problems.of_fields({"documentation"}),
    Evidence.AUTHORIZATION: lambda f: f.given.says_something or _represents(f),
    Evidence.RECOGNIZED: lambda f: fast_track_organizations.is_recognized(f.request.organization),
    Evidence.NOT_RECOGNIZED: lambda f: (
        not fast_track_organizations.is_recognized(f.request.organization)
    ),
    Evidence.REASON: _says,
    Evidence.COMMENTS: _says,
    Evidence.RULE: lambda f: f.given.detail("rule") in {rule.value for rule in HardRule},
    Evidence.DECISION: _says,
    Evidence.DIRECTIONS: _says,
    Evidence.EXPLANATION: _says,
    Evidence.GROUNDS: _says,
    Evidence.CURRENT: lambda f: f.given.iteration == f.request.iterations,
    Evidence.NO_PARTY: lambda f: may_decide_request(
        f.request, f.command.actor, f.command.rules.separation, f.parties.authors
    ),
    Evidence.NO_CONFLICT: lambda f: (
        not conflicts_with(
            f.command.actor, f.request, f.command.rules.separation, lambda: f.parties
        )
    ),
    Evidence.CHECKS_ANSWERED: lambda f: (
        not _is_for_it(f) or f.given.says_something or not f.asks_approver
    ),
    Evidence.REVIEWS: lambda f: DECIDED.get(f.decided) is f.action,
    Evidence.REPORT: _is_reported,
    Evidence.BODY: lambda f: bool(f.given.detail("body")),
    Evidence.DEADLOCK: lambda f: f.is_deadlocked and f.given.says_something,
    Evidence.REVIEWED: lambda f: f.panel.have_reviewed,
    Evidence.QUESTIONS_ANSWERED: lambda f: f.panel.have_answered(case_of(f.request)),
    Evidence.ALL_CONFLICTED: lambda f: not f.panel.eligible,
    Evidence.TOO_FEW_ABLE: lambda f: f.panel.status().is_too_small,
    Evidence.NO_LEADER: lambda f: not f.panel.has_leader,
    Evidence.NO_ANSWER: lambda f: f.is_unanswered,
    Evidence.SILENCE: lambda f: f.is_silent,
    Evidence.REMINDERS: lambda f: len(f.reminders) >= REMINDERS_NEEDED,
    Evidence.DUPLICATE: lambda f: f.duplicated is not None,
    Evidence.OVERDUE: lambda f: f.request.due is not None and f.request.due <= f.command.at,
    Evidence.NOT_FLAGGED: lambda f: f.request.delayed is None,
    Evidence.ASKED: lambda f: f.request.asked_procedure is not None,
    Evidence.REFERENCE: lambda f: bool(f.given.detail("reference")),
    Evidence.DATE: _is_dated,
    Evidence.NOT_JUDGED: lambda f: may_enter_appeal(
        f.request, f.command.actor, f.command.rules.separation, f.story
    ),
    Evidence.RELATION: lambda f: (
        says_something(f.given.detail("relation")) or not reads_like_own(f.command.actor, f.request)
    ),
    Evidence.TEMPORARY_EXPERT: lambda f: bool(f.given.detail("expert")),
    Evidence.IN_PERIOD: _is_in_period,
    Evidence.FIRST_APPEAL: lambda f: is_first(f.story, f.action),
    Evidence.APPEAL_UPHELD: lambda f: was_upheld(f.story),
    Evidence.OTHER_PERSON: lambda f: may_register(
        f.request, f.command.actor, f.command.rules.separation, f.command.at, f.parties.authors
    ),
    Evidence.WITHIN_SHARE: lambda f: f.gives_alone,
    Evidence.BEYOND_SHARE: lambda f: not f.gives_alone,
    Evidence.SECOND_PERSON: lambda f: may_agree(
        f.request, f.command.actor, f.command.rules.separation, f.parties
    ),
    Evidence.FIRST_SENT: lambda f: (
        says_something(f.given.detail(PRIORITY)) or not requests_sent_before(f.request, f.asking)
    ),
    Evidence.HOLDER_AGREES: lambda f: (
        f.given.says_something or not is_held_above(f.request, f.request.asked_name)
    ),
    Evidence.NAME_FREE: lambda f: bool(f.request.asked_name) and not f.name_is_taken,
    Evidence.NAME_TAKEN: lambda f: f.name_is_taken,
    Evidence.NUMBER: lambda f: f.is_numbered,
    Evidence.PROPOSES: lambda f: f.command.rules.is_proposal,
    Evidence.NOT_SENT_ON: lambda f: f.request.iana_state is None,
    Evidence.SENT_ON: lambda f: case_of(f.request).turn is Turn.IANA,
    Evidence.DAY: _is_day_at_iana,
    Evidence.TICKET: lambda f: bool(f.given.detail("ticket")),
    Evidence.DIFFERENCES: lambda f: base_version.tells_differences(f.request),
    Evidence.BASE_LATEST: lambda f: base_version.is_latest(f.request),
    Evidence.NEWER_VERSION: lambda f: not base_version.is_latest(f.request),
    Evidence.AUTHORITY: lambda f: base_version.is_agreed(f.request),
}


# What no form can give: where it does not stand, the action is not offered.
_STANDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.DEADLOCK: lambda f: f.is_deadlocked,
    Evidence.DUPLICATE: lambda f: bool(f.twins),
    Evidence.NAME_FREE: lambda f: not f.name_is_taken,
    **{
        evidence: _HOLDS[evidence]
        for evidence in (
            Evidence.RECOGNIZED,
            Evidence.NOT_RECOGNIZED,
            Evidence.ALL_CONFLICTED,
            Evidence.TOO_FEW_ABLE,
            Evidence.NO_LEADER,
            Evidence.NO_ANSWER,
            Evidence.SILENCE,
            Evidence.REMINDERS,
            Evidence.OVERDUE,
            Evidence.NOT_FLAGGED,
            Evidence.ASKED,
            Evidence.IN_PERIOD,
            Evidence.FIRST_APPEAL,
            Evidence.APPEAL_UPHELD,
            Evidence.NAME_TAKEN,
            Evidence.WITHIN_SHARE,
            Evidence.BEYOND_SHARE,
            Evidence.SECOND_PERSON,
            Evidence.BASE_LATEST,
            Evidence.NEWER_VERSION,
            Evidence.PROPOSES,
            Evidence.NOT_SENT_ON,
            Evidence.SENT_ON,
        )
    },
}


def is_offered(facts: ActionFacts, roles: frozenset[Role], *, barred: bool = False) -> bool:
    """Whether somebody with these roles could take the action with what its form asks for.

    Who is ``barred`` has a part in the request, and decides nothing about it.
    """
    return any(
        not (barred and Evidence.NO_PARTY in row.evidence)
        and all(_STANDS[evidence](facts) for evidence in row.evidence if evidence in _STANDS)
        for row in TABLES[procedure_named(facts.request.procedure)]
        if row.action is facts.action
        and row.source is State(facts.request.state)
        and row.role in roles
    ) and _is_sensible(facts)


def _is_sensible(facts: ActionFacts) -> bool:
    if facts.action is Action.REGISTER and facts.command.rules.is_proposal:
        return False
    if case_of(facts.request).has_ended_at_iana:
        return False
    return not objection_to(facts)


def objection_to(facts: ActionFacts) -> str:
    """Why an action is nobody's to take as it stands, whoever they are; nothing where it is.

    An expert returns by a review, which is on record as one. Nobody takes what they have, or
    passes on what they lack.
    """
    action, number = facts.action, facts.request.number
    has_it = facts.command.actor.id in facts.assigned
    if action is Action.RETURN and facts.request.state == State.EXPERT_REVIEW and not facts.review:
        return f"To return a request, send a review with your reasons: /review/{number}."
    if action is Action.PASS_ON and not has_it:
        return "This request isn't assigned to you, so you can't pass it on. Take it first."
    if action is Action.TAKE_ON and has_it:
        return f"This request is already assigned to you. Review it: /review/{number}."
    return ""


# What a name that is given to another request takes away.
_OF_THE_SHARE = frozenset({Evidence.WITHIN_SHARE})


def evidence_gone(facts: ActionFacts, row: TransitionRow) -> frozenset[Evidence]:
    """What of the evidence of a move went while it waited for its edition; others gave names."""
    return frozenset(e for e in row.evidence & _OF_THE_SHARE if not _HOLDS[e](facts))


def evidence_for(facts: ActionFacts) -> frozenset[Evidence]:
    """What holds of all that the tables ask of this action here; nothing else is looked at."""
    asked = {
        evidence
        for row in TABLES[procedure_named(facts.request.procedure)]
        if row.action is facts.action and row.source is State(facts.request.state)
        for evidence in row.evidence
    }
    return frozenset(e for e in asked if e in _HOLDS and _HOLDS[e](facts))
