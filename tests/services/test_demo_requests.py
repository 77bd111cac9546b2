"""The demonstration begins at work: what a visitor can see of requests is there to be seen."""

from datetime import timedelta

from sqlalchemy import func, select

from app.registration.declarations.registries import FORMAL, Procedure
from app.services.accounts import sign_in
from app.services.operations import demo_people, demo_requests
from app.services.requests import comments, drafts
from app.store.database import db, reading
from app.store.registry import record_versions
from app.store.tables import Event, Outbox, Request
from app.store.tables.outbox import Delivery
from app.workflow.states import State
from tests import factories
from tests.conftest import Clock, MakeApp


def test_it_has_requests_in_every_state_a_discussion_and_a_revision(
    make_app: MakeApp, clock: Clock
) -> None:
    with make_app(demo=True).app_context():
        now = clock() + demo_requests.BEGUN  # the registry is as old as it says
        demo_requests.add_requests(factories.policy(), now)
        demo_people.add_people(now)
        with reading():
            requests = db.session.scalars(select(Request)).all()
            assert {State(one.state) for one in requests} == set(State)
            assert {one.procedure for one in requests} == set(Procedure)
            said = [comments.discussion_of(one.number, None) for one in requests]
            assert max(map(len, said)) >= 3
            found = record_versions.find_record(FORMAL.space.id, "old-bridges")
            assert found is not None
            assert found[1].version == 2
            times = db.session.scalars(select(Event.at).order_by(Event.n)).all()
            assert times == sorted(times)
            assert now - timedelta(days=3) < times[-1] <= now
            waits = select(func.count()).where(Outbox.state == Delivery.WAITING)
            assert db.session.scalar(waits) == 0, "a mail server has nothing to send at the start"
        robin = sign_in.enter_as("registrant@demo.example", now).actor
        for own in (one.number for one in requests if one.state == State.DRAFT):
            with reading():
                writing = drafts.open_draft(robin, own, now.date().isoformat())
            assert {one.field for one in writing.problems} == {
                "security_and_privacy",
                "interoperability",
            }, "it lacks what the visitor is to write, and nothing else"
