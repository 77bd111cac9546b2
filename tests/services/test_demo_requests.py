"""The demonstration begins at work: what a visitor can see of requests is there to be seen."""

import json
from collections import Counter
from contextvars import Context
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from app import server
from app.config import Settings
from app.factory import opened
from app.problems import use_case_codes
from app.registration.declarations.registries import FORMAL, Procedure
from app.services.accounts import sign_in
from app.services.editions import publication
from app.services.operations import demo_people, demo_requests
from app.services.operations.database_binding import DatabaseNotReady
from app.services.operations.demo_registry import DemoRegistry
from app.services.refusals import NotFound
from app.services.requests import comments, drafts
from app.store.database import db, reading, together
from app.store.editions import edition_rows
from app.store.registry import record_versions
from app.store.tables import Event, Name, Outbox, Request
from app.store.tables.outbox import Delivery
from app.store.tables.requests import ReviewRow
from app.workflow.reviews import OutcomeRule
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import IanaState, State
from tests import factories
from tests.conftest import Clock, MakeApp, few_names


def test_it_has_requests_in_every_state_a_discussion_and_a_revision(
    make_app: MakeApp, clock: Clock
) -> None:
    with make_app(demo=True).app_context():
        clock.on(days=demo_requests.BEGUN.days)  # the registry is as old as it says
        now = clock()
        with together():  # as `init` keeps it
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
            for given in db.session.scalars(select(ReviewRow)).all():
                is_kept = json.loads(given.answers)["permanence"] == "yes"
                assert is_kept is ("given" not in given.body), "who says so answers so"
            waits = select(func.count()).where(Outbox.state == Delivery.WAITING)
            assert db.session.scalar(waits) == 0, "a mail server has nothing to send at the start"
            versions = record_versions.versions_of(FORMAL.space.id, "old-bridges")
            days = [edition_rows.get_edition(one.edition).as_of for one in versions]
            told = [(now - moment).days for moment in days]
            assert told == [75, 51], "an edition is of the day on which its story opens it"
        robin = sign_in.enter_as("registrant@demo.example", now).actor
        for own in (one.number for one in requests if one.state == State.DRAFT):
            with reading():
                writing = drafts.open_draft(robin, own, now.date().isoformat())
            assert {one.field for one in writing.problems} == {
                "security_and_privacy",
                "interoperability",
            }, "it lacks what the visitor is to write, and nothing else"


@pytest.mark.parametrize(
    "rules",
    [
        {"authority": "proposal"},
        {"authority": "official", "outcome": OutcomeRule(1, leader_decides=False)},
        {"outcome": OutcomeRule(3, leader_decides=False), "separation": SeparationOfDuties(1)},
        {"outcome": OutcomeRule(20), "separation": SeparationOfDuties(2)},
    ],
    ids=str,
)
def test_it_follows_the_settings(make_app: MakeApp, clock: Clock, rules: dict[str, Any]) -> None:
    with make_app(demo=True).app_context():
        with together():
            demo_requests.add_requests(factories.policy(**rules), clock() + demo_requests.BEGUN)
        with reading():
            found = Counter(State(one.state) for one in db.session.scalars(select(Request)))
            iana = db.session.scalars(select(Request.iana_state)).all()
        registers = rules.get("authority") != "proposal"
        lacking = set() if registers else {State.ASSIGNED, State.MODIFIED, State.MODIFIABLE}
        assert set(found) == set(State) - lacking
        assert found[State.DECLINED] == 1
        assert (IanaState.REGISTERED in iana) is not registers


_LEFT = (Event, Request, Outbox, Name)


def _stopping(by: BaseException, seen: list[list[int]]) -> demo_requests.Story:
    """A story that stops all of them, and notes what is kept by then, as after a kill."""

    def kept(engine: Engine) -> list[int]:
        with engine.connect() as other:
            return [other.scalar(select(func.count()).select_from(one)) or 0 for one in _LEFT]

    def story(_: DemoRegistry) -> demo_requests.Days:
        yield 1.5
        seen.append(Context().run(kept, db.engine))
        raise by

    return story


@pytest.fixture(params=["sqlite", "postgresql"])
def new_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Those of a demonstration whose database nobody has set up."""
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql").create()
    return Settings(data_dir=tmp_path, database_url=url, secret_key="of a test", demo=True)


@pytest.mark.parametrize(
    "by", [NotFound(use_case_codes.ENTRY_UNKNOWN, "Nobody is there."), KeyboardInterrupt()], ids=str
)
def test_where_it_is_stopped_nothing_of_it_is_kept_and_the_next_start_makes_the_whole(
    new_settings: Settings, monkeypatch: pytest.MonkeyPatch, by: BaseException
) -> None:
    seen, stories = list[list[int]](), demo_requests.STORIES[-2:]
    monkeypatch.setattr(publication, "build_pending", lambda *_: None)
    monkeypatch.setattr(demo_requests, "STORIES", (*stories, _stopping(by, seen)))
    with few_names(), pytest.raises((DatabaseNotReady, KeyboardInterrupt)) as error:
        server.initialize(new_settings, print)
    assert seen == [[0] * len(_LEFT)]
    assert isinstance(by, KeyboardInterrupt) or "nothing of it is there" in str(error.value)
    with pytest.raises(DatabaseNotReady, match="not finished"):
        server._require_database(new_settings)
    monkeypatch.setattr(demo_requests, "STORIES", stories)
    with few_names():
        assert server.initialize(new_settings, print)
    with opened(new_settings), reading():
        assert db.session.scalar(select(func.count()).select_from(Request)) == len(stories)
        waits = select(func.count()).where(Outbox.state == Delivery.WAITING)
        assert db.session.scalar(waits) == 0, "a mail server has nothing to send at the start"
