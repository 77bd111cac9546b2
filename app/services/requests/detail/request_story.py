"""What became of a request: its texts, its reviews and its events, as everybody sees them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.registration.declarations.registries import REGISTRIES
from app.services.accounts.actors import Actor
from app.services.registrations.disputes import NOTED as DISPUTES
from app.services.requests import request_actions
from app.services.requests.comments import DISCUSSED
from app.services.requests.internal_notes import NOTED
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.requests import iteration_rows, review_rows
from app.store.tables import Event, Request
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role

# private, for operators, or told elsewhere on the page
UNTOLD = frozenset({NOTED, request_actions.REFUSED}) | DISCUSSED


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """A review as everybody sees it."""

    id: int
    at: datetime
    iteration: int
    verdict: Verdict
    leader: bool
    body: str
    own: bool
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """An event of a request; ``own`` if the reader caused it, others appear only as a role."""

    at: datetime
    kind: str
    role: str
    iteration: int | None
    reason: str
    edition: int | None = None
    target: str | None = None
    judged: ReviewView | None = None
    own: bool = False
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationView:
    """A text that was sent in."""

    k: int
    at: datetime
    organization: str
    fields: Mapping[str, str]


def events_of(request: Request) -> list[Event]:
    """What happened to a request, and what was noted beside the registration that it led to."""
    own = event_rows.of_request(request.number)
    if not request.assigned_name:
        return own
    given = max(one.n for one in own if one.kind == Action.REGISTER.past)
    name = REGISTRIES[request.registry_id].space.about(request.assigned_name)
    noted = [one for one in event_rows.of_name(name, DISPUTES) if one.n > given]
    return sorted([*own, *noted], key=lambda one: one.n)


def iteration_views(sent: list[iteration_rows.IterationText]) -> tuple[IterationView, ...]:
    """The texts that were sent in."""
    return tuple(
        IterationView(k=text.k, at=text.at, organization=text.organization, fields=text.fields)
        for text in sent
    )


def event_views(
    request: Request, happened: list[Event], reviews: list[ReviewView], actor: Actor | None
) -> list[EventView]:
    """The events of a request for a reader, without private ones and comments."""
    given = {review.id: review for review in reviews}
    edition = edition_rows.number_of(request.edition)
    return [
        EventView(
            at=event.at,
            kind=event.kind,
            role=event.role,
            iteration=event.iteration,
            reason=event.reason,
            edition=edition if event.kind == Action.REGISTER.past else None,
            target=event.target,
            judged=given.get(event.review) if event.review else None,
            own=actor is not None and event.actor == actor.id and event.role != Role.OUTCOME,
            details=event_rows.details_of(event.body),
        )
        for event in happened
        if event.kind not in UNTOLD
    ]


def review_views(request: Request, actor: Actor | None) -> list[ReviewView]:
    """The reviews of a request, oldest first; which of them are the reader's own."""
    return [
        ReviewView(
            id=row.id,
            at=row.at,
            iteration=row.iteration,
            verdict=Verdict(row.verdict),
            leader=row.leader,
            body=row.body,
            own=actor is not None and row.author == actor.id,
            answers=json.loads(row.answers),
        )
        for row in review_rows.reviews_of(request.number)
    ]
