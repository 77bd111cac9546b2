"""An action on a request, and what is known of it: read when it is asked for, and once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from app.registration.declarations.registries import REGISTRIES
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.text_points import PointReply, PointReplyKind
from app.services.accounts.parties import accounts_acting_for, parties_of
from app.services.experts.independence import may_give_alone
from app.services.registrations.name_registration import FormatTrial, Reference
from app.services.registry.competing_requests import NamesAsked, names_asked
from app.services.request_status.panel_evidence import PanelEvidence
from app.services.requests import open_drafts, request_points, text_findings
from app.services.requests.text_findings import TextCheck
from app.services.use_cases import Command
from app.store.accounts import expert_panels as panel_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.requests import draft_rows, request_queues, request_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Account, Event, Request
from app.workflow.evidence_inputs import says_something
from app.workflow.reviews import Review, Verdict, is_deadlocked, review_outcome
from app.workflow.separation_of_duties import Parties
from app.workflow.states import Action


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
    def writing(self) -> open_drafts.OpenDraft:
        """The draft, as it would be sent now."""
        return open_drafts.writing_of(self.request, self.command.at.date().isoformat())

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
