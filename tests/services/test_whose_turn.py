"""Whose turn it is, what has ended and what is asked for: one answer, in rows and in queries."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import product

import pytest
from flask import Flask
from sqlalchemy import ColumnElement, select

from app.registration.declarations.registries import FORMAL, URN_SPACE, Procedure
from app.services.names.availability import NameAvailability, availability_of
from app.services.request_status.request_status import row_of, status_of, turn_of
from app.services.requests import queues
from app.services.requests.detail.request_detail import show_request
from app.services.requests.drafts import open_draft
from app.services.requests.revisions import revisable
from app.store.database import db, read_transaction, transaction
from app.store.requests import request_rows
from app.store.requests.request_cases import (
    case_of,
    has_ended_at_iana,
    is_open_in,
    is_turn_of,
)
from app.store.tables import Request
from app.workflow.states import IanaState, State, Turn
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast


def _every_case(registrant: int, clock: Clock) -> Iterable[Request]:
    sent_on = product((State.ASSIGNABLE, State.MODIFIABLE), set(IanaState) - {IanaState.REFUSED})
    stands = [*product(State, [None]), *sent_on, (State.DECLINED, IanaState.REFUSED)]
    for number, (procedure, (state, at_iana)) in enumerate(product(Procedure, stands), 1_000):
        back = State.EXPERT_REVIEW if state is State.WITH_REQUESTER else None
        yield Request(
            number=number,
            registry_id=FORMAL.id,
            procedure=procedure,
            purpose="new",
            registrant=registrant,
            state=state,
            returns_to=back,
            assigned_name="quokka" if state.is_registered else None,
            edition=1 if state.is_registered else None,
            started=clock(),
            since=clock(),
            iana_state=at_iana,
            iana_day="2026-09-01" if at_iana else None,
        )


def test_a_query_finds_the_requests_that_their_cases_tell(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    with transaction():
        db.session.add_all(_every_case(people.registrant.id, clock))
    pending = [state for state in State if not (state.is_final or state.is_private)]
    with read_transaction():
        every = list(db.session.scalars(select(Request)))

        def found(condition: ColumnElement[bool]) -> set[int]:
            return set(db.session.scalars(select(Request.number).where(condition)))

        for turn in set(Turn) - {Turn.IANA}:
            own = {r.number for r in every if r.iana_state is None and case_of(r).turn is turn}
            assert found(is_turn_of(turn)) == own
        ended = {r.number for r in every if case_of(r).has_ended_at_iana}
        assert found(has_ended_at_iana()) == ended
        assert {r.number for r in every if case_of(r).is_pending} == found(is_open_in(pending))
        assert ended.isdisjoint(r.number for r in every if case_of(r).turn is not Turn.NOBODY)
        waiting = {r.number for r in every if case_of(r).turn is Turn.IANA}
        assert waiting == {r.number for r in every if r.iana_state in ("sent", "answered")}


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def test_what_ended_at_iana_is_counted_listed_and_asked_for_nowhere(
    people: Cast, clock: Clock
) -> None:
    number = factories.approved(people, clock())
    waiting = queues.waiting_counts(people.operator).desk
    factories.change_request(number, iana_state=IanaState.SENT, iana_day="2026-08-01")
    with read_transaction():
        desk = queues.operator_desk(clock())
        assert [row.number for row in desk.to_register] == [number]
        assert queues.waiting_counts(people.operator).desk == waiting == len(desk.to_register)
        assert availability_of(["quokka"])[0].asking == (number,)
    factories.change_request(number, iana_state=IanaState.REGISTERED)
    rival = factories.draft(people.rival, clock(), namespace_identifier="quokka")
    with read_transaction():
        assert queues.waiting_counts(people.operator).desk == 0
        assert not queues.operator_desk(clock()).to_register
        assert not queues.series_page(queues.RequestSeries.PENDING, None, clock()).rows
        (report,) = availability_of(["quokka"])
        assert (report.standing, report.asking) == (NameAvailability.REGISTERED, ())
        found = open_draft(people.rival, rival, clock().date().isoformat()).findings
        own = show_request(number, None, clock()).findings
    told = f"IANA has already registered this NID for request {number}. Choose another."
    assert told in report.findings[0].message
    (finding,) = (one for one in found if one.code == "registered-at-iana")
    assert finding.is_problem
    assert told in finding.message
    assert "asked-for" not in {one.code for one in found}
    assert "registered-at-iana" not in {one.code for one in own}, "it is its own"


def test_a_revision_that_ended_at_iana_is_open_no_more(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    number = factories.modifiable(people, clock(), purpose="More.")
    for at_iana, still in ((IanaState.ANSWERED, (number,)), (IanaState.REGISTERED, ())):
        factories.change_request(number, iana_state=at_iana, iana_day="2026-09-01")
        with read_transaction():
            held = revisable("quokka", people.registrant, URN_SPACE)
        assert held is not None
        assert held.open_requests == still


@pytest.mark.parametrize("name", ["b1rdsong", "tide-tab1es", "birdsong"])
def test_a_name_is_told_its_rivals_as_its_draft_is(people: Cast, clock: Clock, name: str) -> None:
    for asked in ("birdsong", "tide-tables"):
        factories.sent(people.registrant, clock(), namespace_identifier=asked)
    draft = factories.draft(people.rival, clock(), namespace_identifier=name)
    with read_transaction():
        found = open_draft(people.rival, draft, clock().date().isoformat()).findings
        (report,) = availability_of([name])
    rivals = [one.message for one in found if one.code == "asked-for"]
    (sentence,) = rivals
    if name == "birdsong":
        assert report.standing is NameAvailability.PENDING
        assert f"Request {report.asking[0]} also asks for this NID." in sentence
    else:
        assert report.standing is NameAvailability.QUESTIONED
        assert [one.message for one in report.findings if one.code == "asked-for"] == rivals


def test_on_the_fast_track_nothing_waits_for_an_expert(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    with read_transaction():
        assert queues.waiting_counts(people.expert).review == 1
    factories.change_request(number, procedure=Procedure.FAST_TRACK, due=None)
    at = clock() + timedelta(days=2)
    with read_transaction():
        for expert in (people.expert, people.second_expert, people.leader):
            queue = queues.expert_queue(expert, clock())
            assert not queue.mine
            assert not queue.others
            assert [row.number for row in queue.advised] == [number]
            assert not queue.is_empty
            assert queues.waiting_counts(expert).review == 0
            assert not queues.waits_for(expert, number)
        request = request_rows.find_request(number)
        assert request is not None
        row = row_of(request, clock())
    assert turn_of(row, at) == "Registrant (2 days)."
    status = status_of(row, at)
    assert status.headline == "In expert review for advice (2 days)."
    assert status.next.startswith("The organization’s representative completes it")
