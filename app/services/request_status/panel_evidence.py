"""A request's experts: who can review it now, what they said, and whether they can decide it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from app.registration.declarations.registries import procedure_named
from app.services.accounts.actors import parties_of, parties_of_all
from app.services.policy import ProcedureSettings
from app.store.accounts import expert_panels
from app.store.database import read_once
from app.store.requests import review_rows
from app.store.tables import Account, Request, ReviewRow
from app.workflow.deadlines import last_day_of_answer
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import (
    PanelStatus,
    Review,
    Verdict,
    current_reviews,
    is_deadlocked,
    questions_for,
)
from app.workflow.separation_of_duties import (
    Parties,
    SeparationOfDuties,
    conflicts_of,
    fold_mailbox,
)


def panel_of(request: Request, at: datetime) -> list[Account]:
    """Everybody who is an expert for a request, with those appointed for it alone."""
    lasting = expert_panels.members_of(request.registry_id, at)
    known = {account.id for account in lasting}
    temporary = expert_panels.temporary_experts(request.number)
    return lasting + [account for account in temporary if account.id not in known]


@read_once
def eligible(
    request: Request, at: datetime, rule: SeparationOfDuties, known: Parties | None = None
) -> list[Account]:
    """The experts on the panel without a conflict of interest, including those who are away."""
    parties = known or parties_of(request)
    return without_conflicts(panel_of(request, at), parties, rule)


def without_conflicts(
    panel: Iterable[Account], parties: Parties, rule: SeparationOfDuties
) -> list[Account]:
    """The experts who have no conflict of interest with a request of these parties."""
    return [account for account in panel if not _has_conflict(account, parties, rule)]


def able(request: Request, at: datetime, rule: SeparationOfDuties) -> list[Account]:
    """The experts who can review a request now: eligible and not away."""
    away = expert_panels.absent_experts(at)
    return [account for account in eligible(request, at, rule) if account.id not in away]


def _has_conflict(account: Account, parties: Parties, rule: SeparationOfDuties) -> bool:
    return bool(
        conflicts_of(
            fold_mailbox(account.email), parties, organization=account.organization, rule=rule
        )
    )


@dataclass(frozen=True, kw_only=True)
class PanelEvidence:
    """Facts about a request's experts at a moment; each fact is read once, when needed.

    ``parties`` says who has a conflict of interest, if the caller has read that already.
    """

    request: Request
    at: datetime
    rules: ProcedureSettings
    parties: Parties | None = None

    @cached_property
    def panel(self) -> list[Account]:
        """Every expert for the request."""
        return panel_of(self.request, self.at)

    @cached_property
    def eligible(self) -> list[Account]:
        """The experts without a conflict of interest, including those who are away."""
        rule = self.rules.separation
        return eligible(self.request, self.at, rule, self.parties)

    @cached_property
    def able(self) -> list[Account]:
        """The eligible experts who are not away."""
        return [account for account in self.eligible if account.id not in self.away]

    @cached_property
    def away(self) -> dict[int, datetime]:
        """When each of the experts who are away returns, by account."""
        return expert_panels.absent_experts(self.at)

    @cached_property
    def reviews(self) -> list[Review]:
        """The reviews that count, oldest first. An expert who left after a review still counts."""
        people = {account.id: fold_mailbox(account.email) for account in self.eligible}
        return [
            Review(people[row.author], row.iteration, Verdict(row.verdict), row.leader)
            for row in self._rows
        ]

    @cached_property
    def _given(self) -> list[ReviewRow]:
        return review_rows.counted_reviews(self.request)

    @property
    def _rows(self) -> list[ReviewRow]:
        may = {account.id for account in self.eligible}
        return [row for row in self._given if row.author in may]

    @property
    def _current(self) -> list[ReviewRow]:
        return [row for row in self._rows if row.iteration == self.request.iterations]

    @cached_property
    def _assigned(self) -> frozenset[int]:
        return frozenset(account.id for account in expert_panels.assigned_to(self.request.number))

    @cached_property
    def _leaders(self) -> frozenset[int]:
        appointed = {one.id for one in expert_panels.temporary_experts(self.request.number)}
        return expert_panels.leaders_of(self.request.registry_id, self.at) | appointed

    @property
    def has_leader(self) -> bool:
        """True if a lead expert can review the request now."""
        return any(account.id in self._leaders for account in self.able)

    def status(self, given: Review | None = None) -> PanelStatus:
        """Return the state of the panel; ``given`` is a review not stored yet."""
        rule, newest = self.rules.outcome, self.request.iterations
        reviews = self.reviews + ([given] if given else [])
        verdicts = {one.expert: one.verdict for one in current_reviews(reviews, newest)}
        panel = _people(self.panel)
        eligible, able = _people(self.eligible), _people(self.able)
        available = able | (verdicts.keys() & eligible)
        assigned = _people(one for one in self.able if one.id in self._assigned)
        leaders = _people(one for one in self.able if one.id in self._leaders)
        back = [
            self.away[one.id]
            for one in self.eligible
            if one.id in self.away and fold_mailbox(one.email) not in available
        ]
        return PanelStatus(
            procedure=procedure_named(self.request.procedure),
            rule=rule,
            appointed=len(panel),
            conflicted=len(panel - eligible),
            away=len(eligible - available),
            back=min(back).date() if back else None,
            available=len(available),
            awaited=len(assigned - verdicts.keys()),
            has_leader=bool(leaders),
            leader_is_awaited=bool(leaders - verdicts.keys()),
            approvals=list(verdicts.values()).count(Verdict.APPROVE),
            declines=list(verdicts.values()).count(Verdict.DECLINE),
            is_deadlocked=is_deadlocked(reviews, newest, rule),
        )

    def are_silent(self, case: ProcedureCase) -> bool:
        """True if no expert sent a review for twice the days until one is due."""
        judged = [row.at for row in self._current if row.verdict != Verdict.COMMENT]
        last = max([self.request.since, *judged])
        day = last_day_of_answer(case, last.date(), self.rules.due_days)
        return day is not None and self.at.date() > day

    @property
    def have_reviewed(self) -> bool:
        """True if an expert reviewed the newest text; a comment is no review."""
        return any(row.verdict != Verdict.COMMENT for row in self._current)

    def have_answered(self, case: ProcedureCase) -> bool:
        """True if every question about the newest text has an answer in a review."""
        answered = {
            question
            for row in self._current
            for question, answer in json.loads(row.answers).items()
            if answer
        }
        return {question.key for question in questions_for(case.procedure)} <= answered


def _people(accounts: Iterable[Account]) -> set[str]:
    return {fold_mailbox(account.email) for account in accounts}


def panel_statuses(
    requests: Iterable[Request],
    at: datetime,
    rules: ProcedureSettings,
    given: Review | None = None,
) -> dict[int, PanelStatus]:
    """The status of the experts of each request, in a fixed number of queries.

    ``given`` is a review of a single request that isn't stored yet.
    """
    listed = list(requests)
    if not listed:
        return {}
    numbers = [request.number for request in listed]
    parties = parties_of_all(listed)
    temporary = expert_panels.temporary_experts_of(numbers)
    assigned = expert_panels.assignments_of(numbers)
    reviews = review_rows.counted_reviews_of(numbers)
    registries = {request.registry_id for request in listed}
    members = {one: expert_panels.members_of(one, at) for one in registries}
    leaders = {one: expert_panels.leaders_of(one, at) for one in registries}
    away = expert_panels.absent_experts(at)
    found = {}
    for request in listed:
        own = temporary.get(request.number, [])
        panel = members[request.registry_id] + [
            one for one in own if one not in members[request.registry_id]
        ]
        may = without_conflicts(panel, parties[request.number], rules.separation)
        evidence = PanelEvidence(request=request, at=at, rules=rules)
        vars(evidence).update(
            panel=panel,
            eligible=may,
            away=away,
            _given=reviews.get(request.number, []),
            _assigned=assigned.get(request.number, frozenset()),
            _leaders=leaders[request.registry_id] | {one.id for one in own},
        )
        found[request.number] = evidence.status(given)
    return found
