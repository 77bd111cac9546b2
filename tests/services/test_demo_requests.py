"""The demonstration begins at work: what a visitor can see of requests is there to be seen."""

import json
from collections import Counter
from collections.abc import Callable
from contextvars import Context
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from app import server
from app.assigned_names.assigned_name_records import AssignedNameState
from app.config import Settings
from app.factory import open_application
from app.problems import use_case_codes
from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import FORMAL, Procedure
from app.services.accounts import sign_in
from app.services.assigned_names.name_changes import record_of
from app.services.editions import edition_build
from app.services.operations import demo_people, demo_requests
from app.services.operations.database_binding import DatabaseNotReady
from app.services.operations.demo_requests import DemoRegistry, Step
from app.services.refusals import NotFound
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.requests import comments, drafts, queues
from app.store.assigned_names import assigned_name_rows
from app.store.database import db, joint_transaction, read_transaction
from app.store.editions import edition_rows
from app.store.registry import record_versions
from app.store.tables import AssignedName, Event, Name, Outbox, Prefix, Request
from app.store.tables.outbox import Delivery
from app.store.tables.requests import ReviewRow
from app.workflow.reviews import OutcomeRule
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import IanaState, State
from tests import factories
from tests.conftest import Clock, MakeApp, few_names
from tests.registration.naans.made_records import entry_of, file_of


def test_it_has_requests_in_every_state_a_discussion_and_a_revision(
    make_app: MakeApp, clock: Clock
) -> None:
    with make_app(demo=True).app_context():
        clock.on(days=demo_requests.BEGUN.days)  # the registry is as old as it says
        now = clock()
        with joint_transaction():  # as `init` keeps it
            demo_requests.add_requests(factories.policy(), now)
        demo_people.add_people(now)
        with read_transaction():
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
                assert is_kept is ("reassigned" not in given.body), "who says so answers so"
            waits = select(func.count()).where(Outbox.state == Delivery.WAITING)
            assert db.session.scalar(waits) == 0, "a mail server has nothing to send at the start"
            versions = record_versions.versions_of(FORMAL.space.id, "old-bridges")
            days = [edition_rows.get_edition(one.edition).as_of for one in versions]
            told = [(now - moment).days for moment in days]
            assert told == [75, 51], "an edition is of the day on which its story opens it"
        robin = sign_in.enter_as("registrant@demo.example", now).actor
        for own in (one.number for one in requests if one.state == State.DRAFT):
            with read_transaction():
                writing = drafts.open_draft(robin, own, now.date().isoformat())
            assert {one.field for one in writing.problems} == {
                "security_and_privacy",
                "interoperability",
            }, "it lacks what the visitor is to write, and nothing else"


def names_of(prefix: int) -> list[str]:
    """Every name under a prefix."""
    found = select(AssignedName.name).where(AssignedName.prefix == prefix).distinct()
    return list(db.session.scalars(found))


def test_names_are_asked_for_given_bound_and_withdrawn_and_every_desk_has_work(
    make_app: MakeApp, clock: Clock
) -> None:
    with make_app(demo=True).app_context():
        import_naans(read_naan_file(file_of(entry_of())), clock())
        clock.on(days=demo_requests.BEGUN.days)
        with joint_transaction():
            demo_requests.add_requests(factories.policy(), clock())
        with read_transaction():
            requests = db.session.scalars(select(Request)).all()
            asked = Counter((one.procedure, one.state) for one in requests)
            prefixes = {one.text: one for one in db.session.scalars(select(Prefix))}
        given = (one for one in requests if one.procedure == NaanProcedure.NAAN)
        (naan,) = (one.assigned_name for one in given if one.state == State.ASSIGNED)
        assert {state for kind, state in asked if kind == NaanProcedure.NAAN} == {
            State.NEW,
            State.VALIDATING_REQUEST,
            State.ASSIGNED,
        }
        assert {state for kind, state in asked if kind == NaanProcedure.SHOULDER} == {
            State.NEW,
            State.WITH_REQUESTER,
        }
        within, ended = f"ark:{naan}/b3models", f"ark:{naan}/t1"
        assert set(prefixes) == {f"ark:{naan}/b3", within, ended, "urn:old-bridges:bridge:"}
        assert all(one.holder_name for one in prefixes.values())
        assert [text for text, one in prefixes.items() if one.ends] == [ended]
        assert prefixes[f"ark:{naan}/b3"].numbering.endswith("k"), "a mask with a check character"
        for one in (one for text, one in prefixes.items() if text not in (within, ended)):
            with read_transaction():
                known = assigned_name_rows.known(names_of(one.id)).values()
            told = [record_of(name) for name in known]
            (gone,) = (name for name in told if name.state is AssignedNameState.WITHDRAWN)
            assert gone.reason and gone.successor in {name.name for name in told}
            bound = [name for name in told if name.target]
            assert len(bound) > 2 and all(name.element("what") for name in bound)
        for person in demo_people.PEOPLE:
            actor = sign_in.enter_as(person.email, clock()).actor
            if actor.is_expert:
                with read_transaction():
                    assert queues.expert_queue(actor, clock()).most_urgent, person.name


@pytest.mark.parametrize(
    "rules",
    [
        {"authority": "proposal"},
        {"authority": "official", "outcome": OutcomeRule(1, leader_decides=False)},
        {"outcome": OutcomeRule(3, leader_decides=False), "separation": SeparationOfDuties(1)},
        {"outcome": OutcomeRule(20), "separation": SeparationOfDuties(2, share=0)},
    ],
    ids=str,
)
def test_it_follows_the_settings(make_app: MakeApp, clock: Clock, rules: dict[str, Any]) -> None:
    with make_app(demo=True).app_context():
        import_naans(read_naan_file(file_of(entry_of())), clock())
        with joint_transaction():
            demo_requests.add_requests(factories.policy(**rules), clock() + demo_requests.BEGUN)
        with read_transaction():
            found = Counter(State(one.state) for one in db.session.scalars(select(Request)))
            iana = db.session.scalars(select(Request.iana_state)).all()
        registers = rules.get("authority") != "proposal"
        lacking = set() if registers else {State.ASSIGNED, State.MODIFIED, State.MODIFIABLE}
        assert set(found) == set(State) - lacking
        assert found[State.DECLINED] == 1
        assert (IanaState.REGISTERED in iana) is not registers


_LEFT = (Event, Request, Outbox, Name)


def _stopping(
    by: BaseException, seen: list[list[int]]
) -> Callable[[DemoRegistry, str, Step], None]:
    """A step that stops all stories, and notes what is kept by then, as after a kill."""

    def kept(engine: Engine) -> list[int]:
        with engine.connect() as other:
            return [other.scalar(select(func.count()).select_from(one)) or 0 for one in _LEFT]

    def stop(_story: DemoRegistry, _who: str, _step: Step) -> None:
        seen.append(Context().run(kept, db.engine))
        raise by

    return stop


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
@pytest.mark.slow
def test_where_it_is_stopped_nothing_of_it_is_kept_and_the_next_start_makes_the_whole(
    new_settings: Settings, monkeypatch: pytest.MonkeyPatch, by: BaseException
) -> None:
    seen, stories = list[list[int]](), demo_requests.stories(with_naans=False)[-2:]
    stop: list[Step] = [{"days": 1.5, "do": "stop", "who": "operator"}]
    monkeypatch.setattr(edition_build, "build_pending", lambda *_: None)
    monkeypatch.setattr(demo_requests, "stories", lambda **_: [*stories, stop])
    monkeypatch.setattr(DemoRegistry, "stop", _stopping(by, seen), raising=False)
    with few_names(), pytest.raises((DatabaseNotReady, KeyboardInterrupt)) as error:
        server.initialize(new_settings, print)
    assert seen == [[0] * len(_LEFT)]
    assert isinstance(by, KeyboardInterrupt) or "nothing was saved" in str(error.value)
    with pytest.raises(DatabaseNotReady, match="setup wasn't finished"):
        server._require_database(new_settings)
    monkeypatch.setattr(demo_requests, "stories", lambda **_: stories)
    with few_names():
        assert server.initialize(new_settings, print)
    with open_application(new_settings), read_transaction():
        assert db.session.scalar(select(func.count()).select_from(Request)) == len(stories)
        waits = select(func.count()).where(Outbox.state == Delivery.WAITING)
        assert db.session.scalar(waits) == 0, "a mail server has nothing to send at the start"
