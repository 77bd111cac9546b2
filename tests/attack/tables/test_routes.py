"""Who may ask for what: every rule and method, for everybody, against one table."""

from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from app.store.database import db, read_transaction
from app.store.tables import Event
from tests.attack.tables.conftest import Readings
from tests.attack.tables.people import ROLES
from tests.attack.tables.routes import ROWS, Row, ask, cell, one_of_each, route_of
from tests.conftest import MakeApp
from tests.web.conftest import World
from tests.web.visitor import Visitor

ON_SQLITE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("make_world", ["postgresql"], indirect=True)

# Saving a draft, what it is based on, signing in and out, and opening or discarding a draft are
# nothing that happened yet.
QUIET = {
    "sign_in.ask",
    "sign_in.use",
    "sign_in.leave",
    "sign_in.leave_everywhere",
    "sign_in.end_session",
    "demo.enter_as",
    "registrant.start",
    "ark_tool.follow",
    "tools.urns",
    "tools.nids_in_text",
    "syntax_tool.study",
    "template_upload.read",
    "prefixes.examples",
    "prefixes.look_at_end",
    "name_files.preview",
    "found_names.look",
    "template_upload.draft",
    "registrant.save",
    "registrant.discard",
    "delegates.begin",
    "delegates.naan-begin",
    "delegates.take_newer",
}

# Of a refusal there the other operators are told, so that it leaves its event.
TOLD = {"desk.register"}
# The procedures of NAANs know no disputes, and holders of namespaces are not asked every year: one
# view serves both registries, and refuses where it is not meant.
OF_THE_OTHER_REGISTRY = {
    "corrections.naan-note_dispute",
    "corrections.naan-settle_dispute",
    "yearly_questions.answer_question",
}

Commits = list[tuple[int, int]]


@pytest.fixture
def commits(world: World, monkeypatch: pytest.MonkeyPatch) -> Commits:
    """What each commit would keep, in events and in rows written; nothing outlasts its request."""
    with world.app.app_context(), read_transaction():
        before = db.session.scalar(select(func.count(Event.n))) or 0
    found: Commits = []

    def commit(session: object) -> None:
        db.session.flush()
        now = db.session.scalar(select(func.count(Event.n))) or 0
        found.append((now - before, _rows_written()))

    monkeypatch.setattr(type(db.session), "commit", commit)
    return found


def _rows_written() -> int:
    """How many rows the connection has written; PostgreSQL does not say."""
    driver = db.session.connection().connection.driver_connection
    return int(getattr(driver, "total_changes", 0))


def _wrong(world: World, row: Row, who: str) -> Iterator[str]:
    """What somebody gets, where it is not what the table says."""
    expected = row.of(who)
    got = cell(ask(world.visitor(who), world, row, expected))
    if got != expected:
        yield f"{row.method} {row.path}: {who} gets {got}, not {expected}"


@ON_SQLITE
def test_every_reader_gets_what_the_table_says_and_reading_changes_nothing(
    readings: Readings,
) -> None:
    answers = ((row, who, row.of(who), cell(page)) for row, who, page in readings.shown)
    assert [answer for answer in answers if answer[2] != answer[3]] == []
    assert readings.after == readings.before


@ON_SQLITE
def test_every_writer_gets_what_the_table_says_and_a_refusal_keeps_nothing(
    world: World, commits: Commits
) -> None:
    wrong: list[str] = []
    for row in (row for row in ROWS if row.method == "POST"):
        for who in row.askers:
            with world.app.app_context():
                written = _rows_written()
            commits.clear()
            wrong += _wrong(world, row, who)
            wrong += _unexpected(world, row, who, [(n, rows - written) for n, rows in commits])
    assert not wrong, "\n".join(wrong)


def _unexpected(world: World, row: Row, who: str, kept: Commits) -> Iterator[str]:
    """What was kept, where it is not one event of what was carried out."""
    events = max((n for n, _ in kept), default=0)
    route = route_of(world, row)
    if route is not None and route.endpoint in TOLD and who not in row.who_may:
        return
    if who not in row.who_may and any(rows > 0 for _, rows in kept):
        yield f"{row.path}: {who} was refused, and something was kept"
    quiet = route is None or route.endpoint in QUIET or who not in row.who_may
    if events != (0 if quiet else 1):
        yield f"{row.path}: {who} left {events} events"


@ON_POSTGRESQL
@pytest.mark.usefixtures("fleeting")
@pytest.mark.slow
def test_the_other_database_gives_each_route_the_same_answers(world: World) -> None:
    wrong: list[str] = []
    for row, _route in [*one_of_each(world, "GET"), *one_of_each(world, "POST")]:
        refused = [who for who in ROLES if who not in row.who_may]
        for who in (*row.who_may[-1:], *refused[-1:]):
            wrong += _wrong(world, row, who)
    assert not wrong, "\n".join(wrong)


@ON_SQLITE
def test_no_route_is_missing_in_the_table(world: World) -> None:
    routes = ((row.method, route_of(world, row)) for row in ROWS)
    listed = {(route.rule, method) for method, route in routes if route}
    assert listed == set(_routes(world))


def _routes(world: World) -> Iterator[tuple[str, str]]:
    for rule in world.app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield rule.rule, method


@ON_SQLITE
def test_every_route_that_writes_is_carried_out_by_somebody(world: World) -> None:
    refused = {route.place for row, route in one_of_each(world, "POST") if not row.who_may}
    assert refused == OF_THE_OTHER_REGISTRY | {"corrections.profile"}  # sends the form on


def test_every_row_speaks_of_everybody() -> None:
    assert {len(row.cells) for row in ROWS} == {len(ROLES)}
    assert len({(row.method, row.path) for row in ROWS}) == len(ROWS)


def test_without_the_demonstration_nobody_signs_in_by_a_click(make_app: MakeApp) -> None:
    visitor = Visitor(make_app())
    assert visitor.post("/demo/sign-in/0").status == 404
    assert "/demo/" not in visitor.get("/sign-in").html
