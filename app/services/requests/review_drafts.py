"""The reviews that experts are writing, each private to its author."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.input_texts import require_storable
from app.services.refusals import InvalidInput, NotAllowed
from app.services.requests.detail.request_detail import RequestDetail
from app.store.database import transaction
from app.store.requests import review_rows
from app.workflow.evidence_inputs import LONGEST_REASON
from app.workflow.states import Action


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """Answers of the review form by field, and the iteration that they were written about."""

    answers: Mapping[str, str]
    iteration: int
    saved: datetime


def find_review_draft(number: int, actor: Actor) -> ReviewDraft | None:
    """Return the actor's own draft of a review of a request."""
    row = review_rows.find_review_draft(number, actor.id)
    return ReviewDraft(json.loads(row.content), row.iteration, row.saved) if row else None


def save_review_draft(
    page: RequestDetail, actor: Actor, answers: Mapping[str, str], at: datetime
) -> None:
    """Store what the actor has written of a review, in place of their earlier draft.

    No event: a draft is no part of the record. Empty answers delete it. ``page`` is the request as
    the actor sees it. Raises NotAllowed if they can't review it, and InvalidInput for text that is
    too long or that no database stores.
    """
    if Action.REVIEW not in page.actions:
        raise NotAllowed(use_case_codes.REVIEW_CLOSED, "You can’t review this request now.")
    require_storable(dict(answers))
    if any(len(text) > LONGEST_REASON for text in answers.values()):
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"Your text is too long. Use at most {LONGEST_REASON} characters.",
            field="reason",
        )
    number = page.row.number
    with transaction():
        if any(answers.values()):
            iteration = len(page.iterations)
            review_rows.save_review_draft(number, actor.id, iteration, answers, at)
        else:
            review_rows.delete_review_draft(number, actor.id)
