"""Lists of requests: what is public, what waits for an expert, what lies on the desk."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from app.problems import use_case_codes
from app.services.accounts.actors import Actor, conflicts_with
from app.services.experts.independence import requests_approved_by
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.refusals import NotFound
from app.services.request_status.request_status import MOST_SHOWN, RequestSummary, rows_of_requests
from app.services.requests.text_findings import PENDING
from app.store.accounts import expert_panels
from app.store.editions import edition_rows
from app.store.mail import correspondence, outbox_messages
from app.store.requests import (
    decision_times,
    draft_rows,
    request_queues,
    request_rows,
    requested_names,
)
from app.store.requests import operator_notes as desk_rows
from app.store.requests.request_queues import RequestCursor
from app.store.tables import Request
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import State, Turn

_DECIDED = tuple(state for state in State if state.is_final and not state.is_private)
_WITH_EXPERTS = tuple(state for state in State if state.turn is Turn.EXPERTS)
_WITH_REGISTRANT = tuple(
    state for state in State if state.turn is Turn.REGISTRANT and state is not State.DRAFT
)
_WITH_IESG = tuple(state for state in State if state.turn is Turn.IESG)
_WITH_OPERATOR = tuple(state for state in State if state.turn is Turn.OPERATOR)
_TO_CHECK = frozenset({State.NEW, State.VALIDATING_REQUEST})
_MOST_IN_REVIEW = 1_000  # requests whose experts are counted for one list

# A key: since when the request before is in its state, in UTC, and its number.
_MOMENT, _THEN, _NUMBER = "%Y-%m-%dT%H:%M:%S.%fZ", "~", re.compile(r"[1-9][0-9]{0,17}")

_ENDED = "~ended"  # the end of the key of a request that is no longer pending


class RequestSeries(StrEnum):
    """The lists of requests that go on over pages."""

    PENDING = "pending"
    DECIDED = "decided"
    YOURS = "yours"


@dataclass(frozen=True, slots=True)
class SeriesPage:
    """A part of a series; ``after`` is the key of the one that follows, empty at the end."""

    rows: tuple[RequestSummary, ...]
    after: str


def series_page(
    series: RequestSeries,
    actor: Actor | None,
    at: datetime,
    rules: ProcedureSettings = USUAL_RULES,
    after: str = "",
) -> SeriesPage:
    """The rows of a series that follow a key, or its first ones; NotFound for no such key."""
    mark, most = _mark(after) if after else None, MOST_SHOWN + 1
    if series is RequestSeries.YOURS:
        found = request_queues.of_registrant(actor.id, most, mark) if actor else []
        made = _own_rows(found[:MOST_SHOWN], at, rules)
        following = _key(made[-1]) if len(found) == most else ""
        return SeriesPage(tuple(sorted(made, key=_waiting_for_registrant)), following)
    found = _PUBLIC[series](most, mark)
    made = rows_of_requests(found[:MOST_SHOWN], at, rules)
    return SeriesPage(made, _key(made[-1]) if len(found) == most else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFilter:
    """Conditions for public requests; one without any condition is false."""

    words: str = ""
    state: State | None = None
    procedure: str = ""
    turn: Turn | None = None
    is_overdue: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.state or self.procedure or self.turn or self.is_overdue)


@dataclass(frozen=True, slots=True)
class FoundRequests:
    """A page of the requests that match a filter, and the count on all pages."""

    page: SeriesPage
    count: int


def median_days_to_decision() -> int | None:
    """Return the median days from submission to decision, or None without decisions."""
    return decision_times.median_days_to_decision()


def find_requests(
    wanted: RequestFilter, at: datetime, rules: ProcedureSettings = USUAL_RULES, after: str = ""
) -> FoundRequests:
    """The public requests that match: pending ones, oldest first, then decided, newest first.

    ``after`` is the key of a page; NotFound for an unknown key.
    """
    mark = _mark(after) if after else None
    public = (state for state in State if not state.is_private)
    query = request_queues.matching(
        [one for one in public if wanted.state is None or one.plain == wanted.state.plain],
        words=wanted.words,
        procedure=wanted.procedure,
        turn=wanted.turn,
        due_before=at if wanted.is_overdue else None,
    )
    found = request_queues.pending_first(query, MOST_SHOWN + 1, mark)
    rows = rows_of_requests(found[:MOST_SHOWN], at, rules)
    following = ""
    if len(found) > MOST_SHOWN:
        last = rows[-1]
        following = _key(last) + ("" if last.case.is_pending else _ENDED)
    return FoundRequests(SeriesPage(rows, following), request_queues.count_of(query))


def _waiting_for_registrant(row: RequestSummary) -> int:
    if row.turn is not Turn.REGISTRANT:
        return 2
    return 1 if row.state is State.DRAFT else 0


def _key(row: RequestSummary) -> str:
    return f"{row.since.strftime(_MOMENT)}{_THEN}{row.number}"


def _mark(key: str) -> RequestCursor:
    moment, _, number = key.removesuffix(_ENDED).partition(_THEN)
    if _NUMBER.fullmatch(number):
        with suppress(ValueError):
            since = datetime.strptime(moment, _MOMENT).replace(tzinfo=UTC)
            return RequestCursor(since, int(number), key.endswith(_ENDED))
    raise NotFound(
        use_case_codes.LIST_PAGE_UNKNOWN,
        "No page of this list begins here. Remove `after=` from the address to see the first page.",
        field="after",
    )


def _pending(most: int, after: RequestCursor | None) -> list[Request]:
    return request_queues.in_states(PENDING, most, after)


def _decided(most: int, after: RequestCursor | None) -> list[Request]:
    return request_queues.last_in_states(_DECIDED, most, after)


_PUBLIC = {RequestSeries.PENDING: _pending, RequestSeries.DECIDED: _decided}


def _own_rows(
    found: list[Request], at: datetime, rules: ProcedureSettings
) -> tuple[RequestSummary, ...]:
    typed = draft_rows.drafts_of([request.number for request in found if not request.asked_name])
    shown = rows_of_requests(found, at, rules)
    return tuple(
        row if row.is_named else replace(row, name=_typed_name(row, typed.get(row.number, {})))
        for row in shown
    )


def _typed_name(row: RequestSummary, draft: Mapping[str, Any]) -> str:
    return str(draft.get("fields", {}).get(row.registry.name_field.name, ""))


def about(
    folded: str, at: datetime, rules: ProcedureSettings = USUAL_RULES
) -> tuple[RequestSummary, ...]:
    """The newest of the public requests for a name, whatever became of them."""
    public = tuple(state for state in State if not state.is_private)
    return rows_of_requests(requested_names.about_name(folded, public, MOST_SHOWN), at, rules)


@dataclass(frozen=True, slots=True)
class ExpertQueue:
    """An expert's view of every pending request: whose turn each is, due first.

    ``advised`` are those whose organization completes them when it is ready: experts advise.
    ``barred`` are the numbers of those in ``mine`` that wait for a leader who stands too near
    to judge them, and can only ask the IESG. ``led`` are the numbers of those that the expert
    can decide as leader.
    """

    mine: tuple[RequestSummary, ...]
    others: tuple[RequestSummary, ...]
    registrants: tuple[RequestSummary, ...]
    advised: tuple[RequestSummary, ...] = ()
    barred: frozenset[int] = frozenset()
    led: frozenset[int] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether no request is with the experts or comes back to them."""
        return not (self.mine or self.others or self.registrants or self.advised)

    @property
    def most_urgent(self) -> RequestSummary | None:
        """What the expert is to review first."""
        return next((row for row in self.mine if row.number not in self.barred), None)


_WITH_REGISTRANT = (State.WITH_REQUESTER,)


def expert_queue(actor: Actor, at: datetime, rules: ProcedureSettings = USUAL_RULES) -> ExpertQueue:
    """Every request that an expert's panel has to do with, in four groups."""
    reader = _reader(actor)
    mine = request_queues.for_expert(_WITH_EXPERTS, reader, MOST_SHOWN)
    panel = request_queues.on_panel(_WITH_EXPERTS, reader, MOST_SHOWN)
    returned = [
        request
        for request in request_queues.on_panel(_WITH_REGISTRANT, reader, MOST_SHOWN)
        if request.returns_to == State.EXPERT_REVIEW
    ]
    own = {request.number for request in mine}
    listed = {request.number: request for request in (*mine, *panel, *returned)}
    rows = {row.number: row for row in rows_of_requests(listed.values(), at, rules)}
    waiting = tuple(rows[request.number] for request in mine)
    of_panel = tuple(rows[request.number] for request in panel)
    barred = _barred(mine, actor, rules.separation) if reader.leads else frozenset()
    return ExpertQueue(
        waiting,
        tuple(one for one in of_panel if one.turn is Turn.EXPERTS and one.number not in own),
        tuple(rows[request.number] for request in returned),
        tuple(one for one in of_panel if one.turn is not Turn.EXPERTS),
        barred,
        frozenset(
            row.number
            for row in (*waiting, *of_panel)
            if {"", row.registry.id} & reader.leads  # "": a leader for every registry
        )
        - barred,
    )


def waits_for(actor: Actor, number: int) -> bool:
    """Whether a request waits for the review of this expert, as their queue has it."""
    return request_queues.is_awaited_of(number, _WITH_EXPERTS, _reader(actor))


def _barred(mine: list[Request], actor: Actor, rule: SeparationOfDuties) -> frozenset[int]:
    have = expert_panels.assignments_of([request.number for request in mine])
    led = (one for one in mine if actor.id not in have.get(one.number, ()))
    return frozenset(one.number for one in led if conflicts_with(actor, one, rule))


def _reader(actor: Actor) -> request_queues.ExpertScope:
    judging = [one for one in actor.appointments if one.grant is not Grant.OPERATOR]
    return request_queues.ExpertScope(
        actor.id,
        registries=frozenset(one.registry for one in judging if one.request is None),
        numbers=frozenset(one.request for one in judging if one.request is not None),
        leads=frozenset(
            one.registry for one in judging if one.grant is Grant.LEADER and one.request is None
        ),
    )


@dataclass(frozen=True, slots=True)
class OperatorDesk:
    """The operator's tasks, requests that wait for other people, and failures.

    ``wishes`` are requests whose registrant asks for another procedure, ``silent`` those that
    wait for a registrant past their day, ``blocked`` those that no expert can decide, ``unread``
    those of the others for which no review is awaited,
    ``escalated`` those whose decision the operator enters. ``unplaced`` counts the mail that waits
    for a person. ``own`` are the numbers of requests that another operator must decide:
    the reader has a part in them or approved them as the first of two.
    """

    to_check: tuple[RequestSummary, ...]
    to_register: tuple[RequestSummary, ...]
    wishes: tuple[RequestSummary, ...]
    blocked: tuple[RequestSummary, ...]
    unread: tuple[RequestSummary, ...]
    silent: tuple[RequestSummary, ...]
    escalated: tuple[RequestSummary, ...]
    unsent: tuple[tuple[outbox_messages.OutgoingMessage, str], ...]
    unpublished: tuple[tuple[int, int, str], ...]
    unplaced: int = 0
    own: frozenset[int] = frozenset()

    @property
    def most(self) -> int:
        """How long each list can be: one that is as long may be a part of what there is."""
        return MOST_SHOWN

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done."""
        return not any(getattr(self, field.name) for field in fields(self))

    @property
    def first_to_check(self) -> RequestSummary | None:
        """The first due that whoever looks may check."""
        return self._first(self.to_check)

    @property
    def first_to_register(self) -> RequestSummary | None:
        """The first due that whoever looks may register, as far as their part in it goes."""
        return self._first(self.to_register)

    def _first(self, waiting: tuple[RequestSummary, ...]) -> RequestSummary | None:
        return next((row for row in waiting if row.number not in self.own), None)


def operator_desk(
    now: datetime, actor: Actor | None = None, rules: ProcedureSettings = USUAL_RULES
) -> OperatorDesk:
    """The first of the operator's work, due first, and the newest of what went wrong."""
    to_register = [state for state in _WITH_OPERATOR if state not in _TO_CHECK]

    def rows(found: Iterable[Request]) -> tuple[RequestSummary, ...]:
        return rows_of_requests(found, now, rules)

    blocked = undecidable_requests(now, rules)
    known = {row.number for row in blocked}
    unread = rows(request_queues.unattended(_WITH_EXPERTS, MOST_SHOWN))
    found = OperatorDesk(
        to_check=rows(request_queues.due_in_states(_TO_CHECK, MOST_SHOWN)),
        to_register=rows(request_queues.due_in_states(to_register, MOST_SHOWN)),
        wishes=rows(request_queues.asking_another_procedure(PENDING, MOST_SHOWN)),
        blocked=blocked[:MOST_SHOWN],
        unread=tuple(row for row in unread if row.number not in known),
        silent=rows(request_queues.overdue(_WITH_REGISTRANT, now, MOST_SHOWN)),
        escalated=rows(request_queues.in_states(_WITH_IESG, MOST_SHOWN)),
        unsent=tuple(outbox_messages.stuck(MOST_SHOWN)),
        unpublished=tuple(edition_rows.standing_failures(MOST_SHOWN)),
        unplaced=correspondence.count_queued(),
    )
    if actor is None:
        return found
    own = _own(found, actor) if rules.separation.people > 1 else frozenset()
    return replace(
        found, own=own | requests_approved_by(actor, [row.number for row in found.to_register])
    )


def undecidable_requests(at: datetime, rules: ProcedureSettings) -> tuple[RequestSummary, ...]:
    """The requests in expert review that no expert can decide, due first."""
    waiting = request_queues.due_in_states(_WITH_EXPERTS, _MOST_IN_REVIEW)
    return tuple(
        row for row in rows_of_requests(waiting, at, rules) if row.panel and row.panel.impasse
    )


def _own(found: OperatorDesk, actor: Actor) -> frozenset[int]:
    lists = (
        *(found.to_check, found.to_register, found.wishes),
        *(found.blocked, found.unread, found.escalated),
    )
    return request_rows.requests_concerning(
        actor.id, {row.number for rows_ in lists for row in rows_}
    )


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many things wait for somebody, for the navigation."""

    requests: int
    review: int
    desk: int


def waiting_counts(actor: Actor) -> QueueCounts:
    """The numbers beside Your requests, Review and Desk; each is counted by one query.

    On the desk, that is requests and the mail that nobody could place.
    """
    return QueueCounts(
        requests=request_queues.count_for_registrant(_WITH_REGISTRANT, actor.id),
        review=request_queues.count_for_expert(_WITH_EXPERTS, _reader(actor))
        if actor.is_expert
        else 0,
        desk=desk_rows.count_waiting(_WITH_OPERATOR) if actor.is_operator else 0,
    )
