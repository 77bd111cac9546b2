"""Requests, their drafts, iterations and reviews."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute

from app.registration.declarations.registries import Procedure
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Purpose, TemplateStyle
from app.store.accounts import delegate_rows
from app.store.counters import next_number
from app.store.database import built_once, db, read_for_good, read_once
from app.store.requests.request_cases import goes_on_in, has_ended_at_iana, waits_for
from app.store.tables import (
    Assignment,
    Draft,
    Event,
    Iteration,
    PrivateValue,
    Recusal,
    Request,
    ReviewRow,
)
from app.store.tables.delegates import DelegateOrigin
from app.workflow.reviews import Verdict
from app.workflow.states import IanaState, State, Turn


@dataclass(frozen=True, slots=True)
class IterationText:
    """A text as it was sent in: what of it is public."""

    k: int
    at: datetime
    author: int
    organization: str
    fields: dict[str, str]
    message_id: str


@dataclass(frozen=True, slots=True)
class RequestCursor:
    """Where a request stands in a list: since when it is in its state, and its number."""

    since: datetime
    number: int


def add_request(
    *, registry: str, procedure: str, purpose: str, registrant: int, at: datetime
) -> Request:
    """Open a request with an empty draft; it gets the next number."""
    request = Request(
        number=next_number("request"),
        registry_id=registry,
        procedure=procedure,
        purpose=purpose,
        registrant=registrant,
        state=State.DRAFT,
        started=at,
        since=at,
    )
    db.session.add(request)
    db.session.flush()
    db.session.add(Draft(request=request.number, fields=canonical_json({}), saved=at))
    db.session.flush()
    if purpose == Purpose.NEW:
        delegate_rows.add(
            delegate_rows.DelegateScope(request=request.number),
            registrant,
            DelegateOrigin.STARTED,
            at,
        )
    return request


def count_drafts(account: int) -> int:
    """How many requests somebody began that were never sent and stand still."""
    counted = select(func.count()).where(
        Request.registrant == account, Request.state == State.DRAFT
    )
    return db.session.scalars(counted).one()


@read_once
def find_request(number: int, *, locked: bool = False) -> Request | None:
    """A request by its number; ``locked`` keeps other writers off until the commit."""
    query = _locked_request() if locked else _request()
    return db.session.scalars(query, {"number": number}).one_or_none()


@built_once
def _request() -> Select[Request]:
    return select(Request).where(Request.number == bindparam("number"))


@built_once
def _locked_request() -> Select[Request]:
    return _request().with_for_update()


def remove_draft(number: int) -> None:
    """Take a draft and what belongs to it away, for it was never sent."""
    delegate_rows.forget_request(number)
    db.session.execute(delete(PrivateValue).where(PrivateValue.request == number))
    db.session.execute(delete(Draft).where(Draft.request == number))
    db.session.execute(delete(Request).where(Request.number == number))


def get_draft(number: int) -> Draft:
    """The text being written for a request; KeyError where there is none."""
    draft = db.session.get(Draft, number)
    if draft is None:
        raise KeyError(number)
    return draft


def drafts_of(numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The texts being written for some requests, by number."""
    if not numbers:
        return {}
    rows = db.session.scalars(select(Draft).where(Draft.request.in_(numbers)))
    return {row.request: json.loads(row.fields) for row in rows}


def save_draft(number: int, content: dict[str, Any], lock_version: int, at: datetime) -> bool:
    """Keep a draft's text; False if it was saved by somebody since ``lock_version``."""
    saved = db.session.execute(
        update(Draft)
        .where(Draft.request == number, Draft.lock_version == lock_version)
        .values(fields=canonical_json(content), saved=at, lock_version=lock_version + 1)
        .returning(Draft.request)
        .execution_options(synchronize_session=False)
    )
    return saved.first() is not None


@read_once
def private_values(number: int) -> dict[str, str]:
    """A contact's private values; only for those who must reach them."""
    return dict(db.session.execute(_private(), {"number": number}).all())


@built_once
def _private() -> Select[str, str]:
    own = PrivateValue.request == bindparam("number")
    return select(PrivateValue.field, PrivateValue.value).where(own)


def set_private_values(number: int, values: Mapping[str, str]) -> None:
    """Replace private values by name; an empty one is erased."""
    db.session.execute(
        delete(PrivateValue).where(
            PrivateValue.request == number, PrivateValue.field.in_(list(values))
        )
    )
    for name, value in values.items():
        if value:
            db.session.add(PrivateValue(request=number, field=name, value=value))
    db.session.flush()


def add_iteration(
    request: Request, fields: dict[str, str], author: int, at: datetime, message_id: str
) -> None:
    """Keep a text as it was sent in, for ever; it becomes the newest of its request."""
    request.iterations += 1
    db.session.add(
        Iteration(
            request=request.number,
            k=request.iterations,
            at=at,
            author=author,
            style=TemplateStyle.RFC8141,
            organization=request.organization,
            fields=canonical_json(fields),
            message_id=message_id,
        )
    )
    db.session.flush()


def requests_concerning(account: int, numbers: Collection[int]) -> frozenset[int]:
    """Those of these requests that somebody began, acts for or sent a text of."""
    wrote = select(Iteration.request).where(Iteration.author == account)
    near = or_(
        delegate_rows.acts_for_registrant(account),
        Request.registrant == account,
        Request.number.in_(wrote),
    )
    found = select(Request.number).where(Request.number.in_(numbers), near)
    return frozenset(db.session.scalars(found))


def iterations_of(number: int) -> list[IterationText]:
    """Every text that was sent in for a request, oldest first."""
    return [_sent(row) for row in db.session.scalars(_iterations(), {"number": number})]


@built_once
def _iterations() -> Select[Iteration]:
    own = Iteration.request == bindparam("number")
    return select(Iteration).where(own).order_by(Iteration.k)


@read_for_good
def find_iteration(number: int, k: int) -> IterationText | None:
    """One of the texts that were sent in for a request; None where there is no such one."""
    row = db.session.scalars(_iteration(), {"number": number, "k": k}).one_or_none()
    return None if row is None else _sent(row)


@built_once
def _iteration() -> Select[Iteration]:
    own = Iteration.request == bindparam("number"), Iteration.k == bindparam("k")
    return select(Iteration).where(*own)


def _sent(row: Iteration) -> IterationText:
    fields = json.loads(row.fields)
    return IterationText(row.k, row.at, row.author, row.organization, fields, row.message_id)


def add_review(
    *,
    number: int,
    iteration: int,
    author: int,
    leader: bool,
    at: datetime,
    verdict: str,
    body: str,
    answers: dict[str, str],
) -> int:
    """Keep an expert's review of an iteration and give its id."""
    row = ReviewRow(
        request=number,
        iteration=iteration,
        author=author,
        leader=leader,
        at=at,
        verdict=verdict,
        body=body,
        answers=canonical_json(answers),
    )
    db.session.add(row)
    db.session.flush()
    return row.id


@read_once
def reviews_of(number: int) -> list[ReviewRow]:
    """The reviews of a request, oldest first."""
    return list(db.session.scalars(_reviews(), {"number": number}))


@built_once
def _reviews() -> Select[ReviewRow]:
    own = ReviewRow.request == bindparam("number")
    return select(ReviewRow).where(own).order_by(ReviewRow.id)


def counted_reviews(request: Request) -> list[ReviewRow]:
    """The reviews of a request that no reopening has made void, oldest first."""
    return list(
        db.session.scalars(
            select(ReviewRow)
            .join(Event, Event.review == ReviewRow.id)
            .where(ReviewRow.request == request.number, Event.n > request.counted_from)
            .order_by(Event.n)
        )
    )


def in_states(
    states: Iterable[State], most: int, after: RequestCursor | None = None
) -> list[Request]:
    """Requests in any of these states, waiting longest first; those that follow a mark.

    What ended at IANA waits for nobody.
    """
    found = _going_on(states)
    if after:
        found = found.where(
            or_(
                Request.since > after.since,
                and_(Request.since == after.since, Request.number > after.number),
            )
        )
    return _listed(found.order_by(Request.since, Request.number), most)


def due_in_states(states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states, as ``in_states`` lists them, but due first."""
    return _due_first(_going_on(states), most)


def last_in_states(
    states: Iterable[State], most: int, after: RequestCursor | None = None
) -> list[Request]:
    """Requests in any of these states, those that came there last first; what follows a mark.

    What ended at IANA has ended too.
    """
    found = select(Request).where(or_(Request.state.in_(list(states)), has_ended_at_iana()))
    if after:
        found = found.where(
            or_(
                Request.since < after.since,
                and_(Request.since == after.since, Request.number < after.number),
            )
        )
    return _listed(found.order_by(Request.since.desc(), Request.number.desc()), most)


def of_registrant(account: int, most: int, after: RequestCursor | None = None) -> list[Request]:
    """The requests for whose registrants somebody acts, drafts included, newest first."""
    own = select(Request).where(delegate_rows.acts_for_registrant(account))
    if after:
        own = own.where(Request.number < after.number)
    return _listed(own.order_by(Request.number.desc()), most)


def open_requests(
    registry: str, accounts: Collection[int], states: Iterable[State]
) -> list[Request]:
    """The requests of these registrants in any of these states, as far as they go on."""
    own = _going_on(states).where(Request.registry_id == registry, Request.registrant.in_(accounts))
    return list(db.session.scalars(own.order_by(Request.number)))


@dataclass(frozen=True, slots=True)
class ExpertScope:
    """An expert: of which registries, "" for all, and of which single requests; whose leader."""

    account: int
    registries: frozenset[str]
    numbers: frozenset[int]
    leads: frozenset[str]


def for_expert(states: Iterable[State], reader: ExpertScope, most: int) -> list[Request]:
    """Requests that an expert was given and has not yet reviewed; due first."""
    return _due_first(_given_to(states, reader), most)


def on_panel(states: Iterable[State], reader: ExpertScope, most: int) -> list[Request]:
    """All requests in these states that an expert is appointed for; due first."""
    return _due_first(_open_to(states, reader), most)


def _due_first(query: Select[Request], most: int) -> list[Request]:
    ordered = query.order_by(Request.due.is_(None), Request.due, Request.since, Request.number)
    return _listed(ordered, most)


def asking_another_procedure(states: Iterable[State], most: int) -> list[Request]:
    """Requests whose registrant asks for another procedure, waiting longest first."""
    asking = _going_on(states).where(Request.asked_procedure.is_not(None))
    return _listed(asking.order_by(Request.since, Request.number), most)


def unattended(states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states that no expert has to review, or still has to; due first."""
    return _due_first(_in(states).where(_is_unattended()), most)


def overdue(states: Iterable[State], now: datetime, most: int) -> list[Request]:
    """Requests in any of these states whose day is over; due first."""
    return _due_first(_in(states).where(Request.due <= now), most)


def count_in(states: Iterable[State]) -> int:
    """How many requests are in any of these states and go on, as ``in_states`` lists them."""
    return _count(_going_on(states))


def is_awaited_of(request: int, states: Iterable[State], reader: ExpertScope) -> bool:
    """Whether a request is one of those that an expert was given and has not yet reviewed."""
    return _count(_given_to(states, reader).where(Request.number == request)) > 0


def count_for_expert(states: Iterable[State], reader: ExpertScope) -> int:
    """How many requests an expert was given and has not yet reviewed."""
    return _count(_given_to(states, reader))


def requests_by_number(numbers: Collection[int]) -> list[Request]:
    """Requests by their numbers, in their order."""
    found = select(Request).where(Request.number.in_(numbers))
    return list(db.session.scalars(found.order_by(Request.number)))


def registered_as(folded: str) -> Request | None:
    """The request for which a name was registered first, where there was one."""
    return db.session.scalars(
        select(Request)
        .where(Request.assigned_name == folded, Request.purpose == Purpose.NEW)
        .limit(1)
    ).one_or_none()


def _in(states: Iterable[State]) -> Select[Request]:
    return select(Request).where(Request.state.in_(list(states)))


def _going_on(states: Iterable[State]) -> Select[Request]:
    return select(Request).where(goes_on_in(states))


def _open_to(states: Iterable[State], reader: ExpertScope) -> Select[Request]:
    found = _in(states)
    if "" in reader.registries:
        return found
    return found.where(
        or_(Request.registry_id.in_(reader.registries), Request.number.in_(reader.numbers))
    )


def _given_to(states: Iterable[State], reader: ExpertScope) -> Select[Request]:
    """What waits for an expert; what no review is awaited for any more waits for the leader.

    Where experts advise, nothing waits for them.
    """
    given = exists(
        select(Assignment.id)
        .where(
            Assignment.request == Request.number,
            Assignment.account == reader.account,
            Assignment.ended.is_(None),
        )
        .correlate(Request)
    )
    waits = and_(or_(given, _returned_by(reader.account)), ~_reviewed_by(reader.account))
    theirs = _open_to(states, reader).where(waits_for(Turn.EXPERTS))
    return theirs.where(or_(waits, and_(_led_by(reader), _is_unattended())))


def _returned_by(account: int) -> ColumnElement[bool]:
    """Whether the account asked for the newest text, given it or not, and did not pass it on."""
    asked = exists(
        select(ReviewRow.id)
        .where(
            ReviewRow.request == Request.number,
            ReviewRow.author == account,
            ReviewRow.iteration < Request.iterations,
            ReviewRow.verdict == Verdict.RETURN,
        )
        .correlate(Request)
    )
    passed_on = exists(
        select(Assignment.id)
        .where(
            Assignment.request == Request.number,
            Assignment.account == account,
            Assignment.ended.is_not(None),
        )
        .correlate(Request)
    )
    recused = exists(
        select(Recusal.account)
        .where(Recusal.request == Request.number, Recusal.account == account)
        .correlate(Request)
    )
    return and_(asked, ~passed_on, ~recused)


def _led_by(reader: ExpertScope) -> ColumnElement[bool]:
    recused = exists(
        select(Recusal.account)
        .where(Recusal.request == Request.number, Recusal.account == reader.account)
        .correlate(Request)
    )
    led = true() if "" in reader.leads else Request.registry_id.in_(reader.leads)
    return and_(led, ~recused)


def _is_unattended() -> ColumnElement[bool]:
    """In the fast track reviews are advice: who gave one has done with it, and it goes on."""
    has_it = Assignment.request == Request.number, Assignment.ended.is_(None)
    advised = and_(Request.procedure == Procedure.FAST_TRACK, exists().where(*has_it))
    return and_(~exists().where(*has_it, ~_reviewed_by(Assignment.account)), ~advised)


def _reviewed_by(account: int | InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Whether the account has judged the newest text of a request, and the review counts."""
    return exists(
        select(ReviewRow.id)
        .join(Event, Event.review == ReviewRow.id)
        .where(
            ReviewRow.request == Request.number,
            ReviewRow.author == account,
            ReviewRow.iteration == Request.iterations,
            ReviewRow.verdict != Verdict.COMMENT,
            Event.n > Request.counted_from,
        )
        .correlate(Request, Assignment)
    )


def _listed(query: Select[Request], most: int) -> list[Request]:
    return list(db.session.scalars(query.limit(most)))


def _count(query: Select[Request]) -> int:
    counted = query.with_only_columns(func.count(Request.number))
    return db.session.scalars(counted).one()


def names_asked(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry that ask for a name in any of these states: number and name.

    What ended at IANA asks for none any more.
    """
    found = _names(registry, tuple(states))
    return [(number, name) for number, name, is_given in found if not is_given]


def names_at_iana(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry for which IANA registered a name: number and name.

    They are in any of these states, since IANA's registration changes none; one query reads both.
    """
    found = _names(registry, tuple(states))
    return [(number, name) for number, name, is_given in found if is_given]


@read_once
def _names(registry: str, states: tuple[State, ...]) -> list[tuple[int, str, bool]]:
    rows = db.session.execute(_asking(), {"registry": registry, "states": list(states)})
    return [(number, name, bool(given)) for number, name, given in rows]


@built_once
def _asking() -> Select[int, str, bool]:
    """What is asked for, and what IANA gave to a new registration: its state stays what it was."""
    given = and_(
        func.coalesce(Request.iana_state, "") == IanaState.REGISTERED,
        Request.purpose == Purpose.NEW,
    )
    return _named().add_columns(given).where(_in_states(), or_(not_(has_ended_at_iana()), given))


def names_decided(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry that asked for a name and are in any of these states, or ended
    at IANA: number and name."""
    decided = _named().where(or_(_in_states(), has_ended_at_iana()))
    rows = db.session.execute(decided, {"registry": registry, "states": list(states)})
    return [(number, name) for number, name in rows]


def _named() -> Select[int, str]:
    own = Request.registry_id == bindparam("registry"), Request.asked_name != ""
    return select(Request.number, Request.asked_name).where(*own).order_by(Request.number)


def _in_states() -> ColumnElement[bool]:
    return Request.state.in_(bindparam("states", expanding=True))


def about_name(folded: str, states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states that ask for a name or were given it, newest first."""
    named = or_(Request.asked_name == folded, Request.assigned_name == folded)
    return _listed(_in(states).where(named).order_by(Request.number.desc()), most)
