"""What an action can show: what came with it, and what holds of its request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from app.registration.declarations.registries import REGISTRIES, Procedure
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.context_checks import STANDARD
from app.services.accounts.parties import acting_for, conflicts_with, parties_of
from app.services.experts import assignments, fast_track_organizations
from app.services.experts.independence import may_decide, may_register
from app.services.registrations.name_registration import FormatTrial, Reference
from app.services.registry import base_version
from app.services.registry.competing_requests import NamesAsked, names_asked
from app.services.requests import appeals, drafts, text_findings
from app.services.requests.text_findings import TextCheck
from app.services.use_cases import Command
from app.store.accounts import expert_panels as panel_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.requests import request_rows
from app.store.tables import Account, Event, Request, ReviewRow
from app.workflow.evidence import Evidence
from app.workflow.reviews import Review, Verdict, is_deadlocked, review_outcome
from app.workflow.separation_of_duties import Parties, fold_mailbox
from app.workflow.states import Action, Role, State
from app.workflow.transitions import TABLES

DECIDED: Mapping[Verdict | None, Action] = {
    Verdict.APPROVE: Action.APPROVE,
    Verdict.DECLINE: Action.DECLINE,
}
REMINDERS_NEEDED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInput:
    """What came with an action: what the person said.

    ``details`` holds what the form asked for beside the words, by ``Ask``.
    """

    iteration: int = 0
    reason: str = ""
    verdict: Verdict | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    reference: Reference | None = None
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def says_something(self) -> bool:
        """Whether words came with it."""
        return bool(self.reason.strip())

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
        own = self.command.actor.id in acting_for(self.request)
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

    @cached_property
    def reviews(self) -> list[Review]:
        """The reviews that count, of experts who may judge it still, with the one being given."""
        may = {account.id: fold_mailbox(account.email) for account in self.able}
        given = [
            review_of(row, may[row.author])
            for row in request_rows.counted_reviews(self.request)
            if row.author in may
        ]
        return given + ([self.review] if self.review else [])

    @cached_property
    def able(self) -> list[Account]:
        """The experts who may judge the request."""
        rule = self.command.rules.separation
        return assignments.able(self.request, self.command.at, rule, self.parties)

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
        space = REGISTRIES[self.request.registry_id].space
        return names.is_taken(space, self.request.asked_name)

    @property
    def is_numbered(self) -> bool:
        """Whether the registry gives the name itself."""
        return REGISTRIES[self.request.registry_id].numbering is not None

    @property
    def is_changed(self) -> bool:
        """Whether the draft differs from what was sent last."""
        sent = request_rows.find_iteration(self.request.number, self.request.iterations)
        now = drafts.sent_fields(self.writing), self.writing.organization
        return sent is None or now != (sent.fields, sent.organization)

    @property
    def reminders(self) -> list[datetime]:
        """When the registrant was reminded since the request was last with them."""
        since = self.request.since
        return [e.at for e in self.story if e.kind == Action.REMIND.past and e.at >= since]

    @property
    def is_silent(self) -> bool:
        """Whether the registrant neither heard nor wrote anything for some days."""
        written = request_rows.get_draft(self.request.number).saved
        last = max([self.request.since, written, *self.reminders])
        return last + timedelta(days=self.command.rules.reminder_days) <= self.command.at

    @cached_property
    def assigned(self) -> frozenset[int]:
        """Those who have the request to review."""
        return frozenset(one.id for one in panel_rows.assigned_to(self.request.number))

    @cached_property
    def twins(self) -> list[int]:
        """The other open requests by which the registrant asks for the same."""
        own = acting_for(self.request)
        asking = request_rows.open_requests(self.request.registry_id, own, text_findings.PENDING)
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
_OF_THE_REQUEST = ("parties", "able", "asking", "story", "assigned", "name_is_taken")


def _is_the_same(request: Request, other: Request) -> bool:
    return (
        other.number != request.number
        and other.state in text_findings.PENDING
        and other.registry_id == request.registry_id
        and other.asked_name == request.asked_name
        and bool(acting_for(other) & acting_for(request))
    )


def review_of(row: ReviewRow, person: str) -> Review:
    """A review as the outcome rule counts it: one for each person."""
    return Review(person, row.iteration, Verdict(row.verdict), row.leader)


def _says(facts: ActionFacts) -> bool:
    return facts.given.says_something


def _is_reported(facts: ActionFacts) -> bool:
    """A report is written once; who enters the directions has it beside them."""
    if facts.action is Action.REPORT:
        return bool(facts.given.detail("report"))
    return any(event.kind == Action.REPORT.past for event in facts.story)


def _is_in_period(facts: ActionFacts) -> bool:
    last = appeals.last_day(facts.story, facts.command.rules.appeal_months)
    return last is not None and facts.command.at.date() <= last


def _represents(facts: ActionFacts) -> bool:
    """Whether the one who sent the request speaks for a recognized organization."""
    return fast_track_organizations.is_spoken_for(
        facts.request.organization, acting_for(facts.request), facts.command.at
    )


_HOLDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.PROCEDURE: lambda _: True,  # it follows from the registry and from point 7
    Evidence.POSTED: lambda _: True,  # in this commit, or the public page is the posting
    Evidence.STANDARD_ANSWER: lambda f: not any(one.question == STANDARD for one in f.problems),
    Evidence.HARD_RULES: lambda f: not f.problems,
    Evidence.NEW_ITERATION: lambda f: f.is_changed,
    Evidence.NO_NAME: lambda f: not f.request.asked_name,
    Evidence.SPECIFICATION: lambda f: not f.problems.of_fields({"documentation"}),
    Evidence.AUTHORIZATION: lambda f: f.given.says_something or _represents(f),
    Evidence.RECOGNIZED: lambda f: fast_track_organizations.is_recognized(f.request.organization),
    Evidence.NOT_RECOGNIZED: lambda f: (
        not fast_track_organizations.is_recognized(f.request.organization)
    ),
    Evidence.REASON: _says,
    Evidence.COMMENTS: _says,
    Evidence.RULE: _says,
    Evidence.DECISION: _says,
    Evidence.DIRECTIONS: _says,
    Evidence.EXPLANATION: _says,
    Evidence.GROUNDS: _says,
    Evidence.CURRENT: lambda f: f.given.iteration == f.request.iterations,
    Evidence.NO_PARTY: lambda f: may_decide(
        f.request, f.command.actor, f.command.rules.separation, f.parties.authors
    ),
    Evidence.NO_CONFLICT: lambda f: (
        not conflicts_with(
            f.command.actor, f.request, f.command.rules.separation, lambda: f.parties
        )
    ),
    Evidence.CHECKS_ANSWERED: lambda f: (
        f.given.verdict is not Verdict.APPROVE or f.given.says_something or not f.asks_approver
    ),
    Evidence.REVIEWS: lambda f: DECIDED.get(f.decided) is f.action,
    Evidence.REPORT: _is_reported,
    Evidence.BODY: lambda f: bool(f.given.detail("body")),
    Evidence.DEADLOCK: lambda f: f.is_deadlocked and f.given.says_something,
    Evidence.ALL_CONFLICTED: lambda f: not f.able,
    Evidence.SILENCE: lambda f: f.is_silent,
    Evidence.REMINDERS: lambda f: len(f.reminders) >= REMINDERS_NEEDED,
    Evidence.DUPLICATE: lambda f: f.duplicated is not None,
    Evidence.OVERDUE: lambda f: f.request.due is not None and f.request.due <= f.command.at,
    Evidence.NOT_FLAGGED: lambda f: f.request.delayed is None,
    Evidence.ASKED: lambda f: f.request.asked_procedure is not None,
    Evidence.REFERENCE: lambda f: bool(f.given.detail("reference")),
    Evidence.DATE: lambda f: fast_track_organizations.is_past_day(
        f.given.detail("date"), f.command.at
    ),
    Evidence.TEMPORARY_EXPERT: lambda f: bool(f.given.detail("expert")),
    Evidence.IN_PERIOD: _is_in_period,
    Evidence.FIRST_APPEAL: lambda f: appeals.is_first(f.story, f.action),
    Evidence.APPEAL_UPHELD: lambda f: appeals.was_upheld(f.story),
    Evidence.OTHER_PERSON: lambda f: may_register(
        f.request, f.command.actor, f.command.rules.separation, f.command.at, f.parties.authors
    ),
    Evidence.NAME_FREE: lambda f: bool(f.request.asked_name) and not f.name_is_taken,
    Evidence.NAME_TAKEN: lambda f: f.name_is_taken,
    Evidence.NUMBER: lambda f: f.is_numbered,
    Evidence.DIFFERENCES: lambda f: base_version.tells_differences(f.request),
    Evidence.BASE_LATEST: lambda f: base_version.is_latest(f.request),
    Evidence.NEWER_VERSION: lambda f: not base_version.is_latest(f.request),
    Evidence.AUTHORITY: lambda f: base_version.is_agreed(f.request),
}


# What no form can give: where it does not stand, the action is not offered.
_STANDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.DEADLOCK: lambda f: f.is_deadlocked,
    Evidence.DUPLICATE: lambda f: bool(f.twins),
    **{
        evidence: _HOLDS[evidence]
        for evidence in (
            Evidence.RECOGNIZED,
            Evidence.NOT_RECOGNIZED,
            Evidence.ALL_CONFLICTED,
            Evidence.SILENCE,
            Evidence.REMINDERS,
            Evidence.OVERDUE,
            Evidence.NOT_FLAGGED,
            Evidence.ASKED,
            Evidence.IN_PERIOD,
            Evidence.FIRST_APPEAL,
            Evidence.APPEAL_UPHELD,
            Evidence.NAME_TAKEN,
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
        for row in TABLES[Procedure(facts.request.procedure)]
        if row.action is facts.action
        and row.source is State(facts.request.state)
        and row.role in roles
    ) and _is_sensible(facts)


def _is_sensible(facts: ActionFacts) -> bool:
    """Whether it leads anywhere: where nothing is registered, no page for that is offered."""
    if facts.action is Action.REGISTER and facts.command.rules.authority == "proposal":
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
        return f"An expert returns a request by a review, which says why: /review/{number}."
    if action is Action.PASS_ON and not has_it:
        return "You do not have this request, so you cannot pass it on. You can take it first."
    if action is Action.TAKE_ON and has_it:
        return f"You have this request already. Review it: /review/{number}."
    return ""


def evidence_for(facts: ActionFacts) -> frozenset[Evidence]:
    """What holds of all that the tables ask of this action here; nothing else is looked at."""
    asked = {
        evidence
        for row in TABLES[Procedure(facts.request.procedure)]
        if row.action is facts.action and row.source is State(facts.request.state)
        for evidence in row.evidence
    }
    return frozenset(e for e in asked if e in _HOLDS and _HOLDS[e](facts))
