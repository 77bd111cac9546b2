"""What every test may ask for: databases, an application, people, the reference material."""

import gc
import os
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from flask import Flask, current_app
from hypothesis.database import DirectoryBasedExampleDatabase
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from sqlalchemy import ColumnElement, literal

from app.config import NOTICES, Settings
from app.factory import asset_dir, create_app
from app.outside import syntax_study
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import GROUPS
from app.services.accounts import rate_limits
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.store import clocks
from app.store.database import Moment
from tests import factories
from tests.made_once import make_once
from tests.postgresql import PostgreSQL, find_binaries
from tests.torture.conftest import WHOLE, rounds
from tests.waiting import DEADLINE

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI") == "true"
LEFT_OUT = "LEFT OUT: "
TABLE = "table"  # a property of a test: lines to print at the end of a run
# Of the tests of a folder's file, every n-th runs on PostgreSQL too.
EVERY_ON_POSTGRESQL = {"attack": 8, "web": 8, "services": 4, "cli": 4, "second_registry": 4}

# who needs the 1,800 NAANs says so: to take them over and lay them out costs as much as all else
os.environ.setdefault("URN_REGISTRY_NAANS", "no")

# `make test` draws the same examples every time, so that it fails only if the code has changed.
# `make torture` looks for new ones. Neither has a deadline: a loaded machine is slow now and then.
hypothesis.settings.register_profile(
    "registry",
    deadline=None,
    max_examples=rounds(100, 20),
    derandomize=not WHOLE,
    database=None if not WHOLE else DirectoryBasedExampleDatabase(ROOT / ".hypothesis"),
    print_blob=True,
)
hypothesis.settings.load_profile("registry")

START = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)


def leave_out(what: str) -> None:
    """Skip a test that this machine cannot run, and say so at the end; in CI that is a failure."""
    if IN_CI:
        pytest.fail(f"{what}: nothing may be left out here")
    pytest.skip(LEFT_OUT + what)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each thing that was left out, and the tables that tests have to show."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in sorted({report.longrepr[2].removeprefix("Skipped: ") for report in skipped}):
        if reason.startswith(LEFT_OUT):
            terminalreporter.write_line(reason)
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            if name == TABLE:
                terminalreporter.write_line(str(text))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests, and most cases on PostgreSQL, to `make torture`."""
    if not WHOLE:
        _thin_out(config, items)


def _thin_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests and most cases on PostgreSQL.

    PostgreSQL runs tests of the store, tests marked ``postgresql`` (concurrency), and the first
    case of every n-th test of a use case or page: the statements are those of the use cases.
    """
    left_out: list[pytest.Item] = []
    functions: dict[Path, list[str]] = defaultdict(list)  # that have a case on PostgreSQL
    for item in items:
        if item.get_closest_marker("slow"):
            left_out.append(item)
        elif (
            _kind_of_database(item) == "postgresql"
            and ROOT / "tests/store" not in item.path.parents
        ):
            function, known = item.nodeid.partition("[")[0], functions[item.path]
            is_first = function not in known
            if is_first:
                known.append(function)
            if not is_first or not _is_on_both(item, len(known) - 1):
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_on_both(item: pytest.Item, place: int) -> bool:
    folder = item.path.relative_to(item.config.rootpath / "tests").parts[0]
    every = EVERY_ON_POSTGRESQL.get(folder, 1)
    return place % every == 0 or bool(item.get_closest_marker("postgresql"))


def _kind_of_database(item: pytest.Item) -> object:
    params = item.callspec.params if hasattr(item, "callspec") else {}
    return params.get("database_url", params.get("make_world"))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: do not look for garbage there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material; a clone alone has none, and the test then skips."""
    folder = Path(os.environ.get("SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no reference material at {folder}: set SHARED")
    return folder


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def on(self, **by: float) -> datetime:
        """Move on by so many days, minutes, ..."""
        self.now += timedelta(**by)
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The time of the test."""
    return Clock()


def _set_up(url: str, folder: Path, *, empty: bool = False) -> None:
    """Migrate a database, load the bundled registry, and let in the people of most tests."""
    with _opened(url, folder):
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize(NOTICES["private"], START, empty=empty)
        if not empty:
            factories.cast(START)


@contextmanager
def _opened(url: str, folder: Path) -> Iterator[None]:
    app = create_app(Settings(data_dir=folder, database_url=url, secret_key="of a test"))
    app.extensions["now"] = Clock()
    with app.app_context():
        yield
        database_binding.close_connections()


_FEW = ("isbn", "issn", "ietf", "eidr", "ad-id", "adid", "urn-1", "urn-5", "urn-7", "urn-8")


@contextmanager
def few_names() -> Iterator[None]:
    """The bundled registry has a few names of each kind: formal, informal and former."""
    bundled = snapshots.bundled_snapshot()
    few = tuple(
        replace(table, records=tuple(r for r in table.records if r.folded in _FEW))
        for table in bundled.registries
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(snapshots, "bundled_snapshot", lambda: replace(bundled, registries=few))
        yield


class Template(StrEnum):
    """What stands in a test's database before the test.

    The people of most, and names: few, few and one that was registered here, all, or nothing
    but the registry's declaration. A test has the one that is called as a fixture of its is.
    """

    FEW = "few"
    QUOKKA = "quokka"
    ALL = "all"
    EMPTY = "empty"

    def fill(self, url: str, folder: Path) -> None:
        """Make it in an empty database."""
        with few_names() if self in (Template.FEW, Template.QUOKKA) else nullcontext():
            _set_up(url, folder, empty=self is Template.EMPTY)
            if self is Template.QUOKKA:
                with _opened(url, folder):
                    factories.registered(factories.cast(START), START)


def _template_of(test: pytest.Function) -> Template:
    asked = [one for one in (Template.QUOKKA, Template.EMPTY) if one in test.fixturenames]
    if test.get_closest_marker("all_names"):
        asked.append(Template.ALL)
    assert len(asked) <= 1, f"{test.name}: no database is all of {asked}"
    return asked[0] if asked else Template.FEW


@pytest.fixture(scope="session")
def sqlite_templates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Template], Path]:
    """SQLite files to be copied, each made when it is asked for."""

    @cache
    def made(template: Template) -> Path:
        folder = tmp_path_factory.mktemp("sqlite")
        file = folder / "registry.sqlite3"
        template.fill(f"sqlite:///{file}", folder)
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return file

    return made


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of this test run."""
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_templates(
    postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Template], str]:
    """Names of databases to be copied, each made when it is asked for."""

    @cache
    def made(template: Template) -> str:
        name = f"template_{template}"
        template.fill(postgresql.create(name), tmp_path_factory.mktemp("postgresql"))
        return name

    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh database with the bundled registry and people: each test runs on both kinds.

    The registry has ten of its names, which take a tenth of the time to publish; under the mark
    ``all_names`` it has all of them.
    """
    template = _template_of(request.node)
    if request.param == "sqlite":
        file = tmp_path / "registry.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_templates")(template), file)
        yield f"sqlite:///{file}"
    else:
        server: PostgreSQL = request.getfixturevalue("postgresql")
        name = request.getfixturevalue("postgresql_templates")(template)
        url = server.create(template=name)
        yield url
        server.drop(url)


@pytest.fixture(scope="session", autouse=True)
def _own_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No command of a test writes into the data folder of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patched.delenv("URN_REGISTRY_DATABASE_URL", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _unhurried_studies() -> None:
    """A study of a grammar may take longer by the clock: a loaded machine cuts none of it."""
    syntax_study.LIMITS = replace(syntax_study.LIMITS, seconds=30)


REAL_OPEN_DRAFTS = rate_limits.MOST_OPEN_DRAFTS
REAL_LIMITS = dict(rate_limits.LIMITS)
_BY_THE_DOZEN = ("drafts", "invitations", "claims", "transfers")


@pytest.fixture(scope="session", autouse=True)
def _tireless_people() -> Iterator[None]:
    """People of tests open drafts and invite others by the dozen at one moment."""
    with pytest.MonkeyPatch.context() as patched:
        for what, limit in REAL_LIMITS.items():
            if what.startswith(_BY_THE_DOZEN):
                patched.setitem(rate_limits.LIMITS, what, replace(limit, most=100_000))
        patched.setattr(rate_limits, "MOST_OPEN_DRAFTS", 100_000)
        yield


@pytest.fixture
def real_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are limited as outside of tests."""
    for what, limit in REAL_LIMITS.items():
        monkeypatch.setitem(rate_limits.LIMITS, what, limit)
    monkeypatch.setattr(rate_limits, "MOST_OPEN_DRAFTS", REAL_OPEN_DRAFTS)


REAL_DATABASE_NOW = clocks.database_now


def _now_of_test(after: timedelta = timedelta()) -> ColumnElement[datetime]:
    return literal(current_app.extensions["now"]() + after, Moment())


@pytest.fixture(scope="session", autouse=True)
def _database_clock() -> Iterator[None]:
    """The database's clock is that of the application, which a test moves."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clocks, "database_now", _now_of_test)
        yield


@pytest.fixture
def real_database_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's clock is its own, as outside of tests."""
    monkeypatch.setattr(clocks, "database_now", REAL_DATABASE_NOW)


@pytest.fixture(scope="session", autouse=True)
def _made_once() -> Iterator[None]:
    """What comes out equal each time is made once for all tests."""
    with pytest.MonkeyPatch.context() as patched:
        make_once(patched)
        yield


@pytest.fixture(autouse=True)
def _declared_order() -> Iterator[None]:
    """What a test takes out of a declaration and puts back stands where it stood."""
    declared: tuple[dict[str, Any], ...] = (REGISTRIES, GROUPS)
    before = [dict(each) for each in declared]
    yield
    for each, stood in zip(declared, before, strict=True):
        if list(each) != list(stood):
            each.clear()
            each.update(stood)


MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(database_url: str, tmp_path: Path, clock: Clock) -> Iterator[MakeApp]:
    """Makes the application with settings of the test's choice, on the test's database."""
    made: list[Flask] = []

    def make(**given: object) -> Flask:
        chosen = {"data_dir": tmp_path, "database_url": database_url, "secret_key": "of a test"}
        app = create_app(Settings(**(chosen | given)))  # type: ignore[arg-type]  # as the test says
        app.config["TESTING"] = False  # errors are answered as they would be for people
        app.extensions["now"] = clock
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            database_binding.close_connections()


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application in its context, as the worker and the command line use it."""
    app = make_app()
    with app.app_context():
        yield app


@pytest.fixture
def quokka(app: Flask, clock: Clock) -> factories.Cast:
    """A name that was registered here, for which its registrant acts."""
    return factories.cast(clock())


@pytest.fixture
def empty(app: Flask) -> Flask:
    """A registry that was set up without names, and without people."""
    return app


CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one for the whole run."""
    chromium = shutil.which("chromium")
    if chromium is None:
        leave_out("Chromium: not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        open_context = browser.new_context

        def patient_context(**options: Any) -> BrowserContext:
            context = open_context(**options)
            context.set_default_timeout(DEADLINE * 1000)
            return context

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(browser, "new_context", patient_context)
            yield browser
        browser.close()
