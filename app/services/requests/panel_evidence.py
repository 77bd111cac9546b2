"""What holds of a request's experts: who of them may judge it, what they said, and since when."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.store.accounts import expert_panels
from app.store.requests import review_rows
from app.store.tables import Account, Request, ReviewRow
from app.workflow.deadlines import last_day_of_answer
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import OutcomeRule, Verdict, questions_for
from app.workflow.separation_of_duties import fold_mailbox


@dataclass(frozen=True, slots=True)
class PanelEvidence:
    """The experts who may judge a request, whether they are there or not, at a moment."""

    request: Request
    able: list[Account]
    at: datetime

    @property
    def has_leader(self) -> bool:
        """Whether one of them leads; whom the IESG appointed for the request does."""
        leaders = expert_panels.leaders_of(self.request.registry_id, self.at)
        leading = leaders | {one.id for one in expert_panels.temporary_experts(self.request.number)}
        return any(account.id in leading for account in self.able)

    def are_too_few(self, rule: OutcomeRule) -> bool:
        """Whether they could not decide it if they all agreed; accounts of a mailbox are one."""
        people = {fold_mailbox(account.email) for account in self.able}
        return len(people) < rule.needed and not (rule.leader_decides and self.has_leader)

    def are_silent(self, case: ProcedureCase, days: Mapping[str, int]) -> bool:
        """Whether twice the days until a review is due went by without one that counts."""
        judged = [row.at for row in self._reviews() if row.verdict != Verdict.COMMENT]
        last = max([self.request.since, *judged])
        day = last_day_of_answer(case, last.date(), days)
        return day is not None and self.at.date() > day

    @property
    def have_reviewed(self) -> bool:
        """Whether one of them judged the newest text; advice alone is no review of it."""
        return any(row.verdict != Verdict.COMMENT for row in self._reviews())

    def have_answered(self, case: ProcedureCase) -> bool:
        """Whether every question about the newest text has an answer in one of their reviews."""
        answered = {
            question
            for row in self._reviews()
            for question, answer in json.loads(row.answers).items()
            if answer
        }
        return {question.key for question in questions_for(case.procedure)} <= answered

    def _reviews(self) -> Iterator[ReviewRow]:
        may = {account.id for account in self.able}
        for row in review_rows.counted_reviews(self.request):
            if row.author in may and row.iteration == self.request.iterations:
                yield row
