"""Every use case that writes leaves one event, whatever route leads to it."""

import pytest
from sqlalchemy import func, select

from app.store.database import db, reading
from app.store.tables import Event
from tests.web.conftest import PEOPLE, World
from tests.web.test_permissions import ROWS, Row, ask, route_of

# Saving a draft, what it is based on, signing in, and opening or discarding a draft are nothing
# that happened yet.
QUIET = {
    "signing.ask",
    "signing.use",
    "signing.leave",
    "demo.enter_as",
    "registrant.start",
    "tools.urns",
    "tools.nids_in_text",
    "syntax_tool.study",
    "placing.read",
    "placing.draft",
    "registrant.save",
    "registrant.discard",
    "holding.begin",
    "holding.take_newer",
}
ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
WRITING = [row for row in ROWS if row.method == "POST"]


@pytest.fixture
def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each use case leaves; nothing that the test writes outlasts its request."""
    with world.app.app_context(), reading():
        before = db.session.scalar(select(func.count(Event.n))) or 0
    found: list[int] = []

    def commit(session: object) -> None:
        db.session.flush()
        now = db.session.scalar(select(func.count(Event.n))) or 0
        found.append(now - before)

    monkeypatch.setattr(type(db.session), "commit", commit)
    return found


def _events(world: World, row: Row, who: str, counted: list[int]) -> tuple[int, int]:
    """The status of an answer, and how many events it left."""
    counted.clear()
    status = ask(world.visitor(who), world, row)
    return status, max(counted, default=0)


@ONE_DATABASE
@pytest.mark.parametrize("who", PEOPLE)
def test_what_is_carried_out_leaves_one_event_and_what_is_refused_none(
    world: World, counted: list[int], who: str
) -> None:
    wrong = []
    for row in WRITING:
        route = route_of(world, row)
        status, events = _events(world, row, who, counted)
        quiet = route is None or route.endpoint in QUIET or status >= 400
        is_preview = route is not None and route.endpoint.startswith("corrections.") and not events
        if events != (0 if quiet else 1) and not is_preview:
            wrong.append(f"{row.path}: {status}, {events} events")
    assert wrong == []


def test_every_route_that_writes_is_carried_out_by_somebody(
    world: World, counted: list[int]
) -> None:
    del counted  # it keeps what is written from lasting
    wanted = {route.endpoint for row in WRITING if (route := route_of(world, row))}
    done = {
        route.endpoint
        for row in WRITING
        for place, who in enumerate(PEOPLE)
        if row.statuses[place] < 400
        and ask(world.visitor(who), world, row) < 400
        and (route := route_of(world, row))
    }
    assert done == wanted
