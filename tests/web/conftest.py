"""A world for the tests of the web: people, requests in every state, and somebody to look."""

import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from wsgiref.types import WSGIApplication

import pytest
from flask import Flask
from sqlalchemy import make_url, select

from app.config import Settings
from app.factory import create_app, session_cookie
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import INFORMAL
from app.server import work_of
from app.services.accounts import sign_in
from app.services.delegates import delegate_mail
from app.services.operations import database_binding
from app.services.requests import comments
from app.store.database import db, read_transaction
from app.store.digests import sha256
from app.store.tables import SignIn
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import START, Clock, Template
from tests.postgresql import PostgreSQL
from tests.published.wsgi_site import PublishedWsgi
from tests.rounds import run_once
from tests.web.stages import Office
from tests.web.visitor import Visitor

PEOPLE = ("stranger", "registrant", "rival", "expert", "leader", "operator")
EMAILS = {
    "registrant": "robin@org.example",
    "rival": "rival@other.example",
    "expert": "ellis@experts.example",
    "leader": "lee@experts.example",
    "operator": "odell@registry.example",
}


@dataclass(frozen=True)
class World:
    """An application with people in it and a request in every state."""

    app: Flask
    numbers: dict[str, int]
    tokens: dict[str, str]
    link: str

    def visitor(self, who: str = "stranger") -> Visitor:
        """Somebody with a browser of their own."""
        return Visitor(self.app, self.tokens.get(who, ""))

    def path(self, pattern: str) -> str:
        """A path with the numbers of this world: ``/requests/{draft}``."""
        invitation = delegate_mail.token_of_claim(1, self.app.config["SECRET_KEY"])
        tokens = {"link": self.link, "invitation": invitation}
        session = sha256(f"session {sha256(self.tokens['registrant'])}")[:16]
        return pattern.format(**self.numbers, **tokens, session=session)


def newest_link(app: Flask, email: str) -> str:
    """The token in the newest link that was sent to an address."""
    newest = select(SignIn.id).where(SignIn.email == email).order_by(SignIn.created.desc())
    with app.app_context(), read_transaction():
        ident = db.session.scalars(newest.limit(1)).one()
    return sign_in.token_of(ident, app.config["SECRET_KEY"])


def _settings(folder: Path, url: str = "") -> Settings:
    return Settings(data_dir=folder, database_url=url, secret_key="of a test", demo=True)


def _application(settings: Settings) -> Flask:
    app = create_app(settings)
    app.config["TESTING"] = False  # errors are answered as they would be for people
    app.extensions["now"] = Clock()
    return app


def _populate(app: Flask) -> World:
    """Put people and requests into a database: the registrant's, but for the expert's own.

    The rival has asked for a link.
    """
    with app.app_context():
        people = factories.cast(START)
        numbers = {
            "draft": factories.draft(people.registrant, START, namespace_identifier="dibbler"),
            "new": factories.sent(people.registrant, START, namespace_identifier="numbat"),
            "checked": factories.sent(people.registrant, START, namespace_identifier="bilby"),
            "reviewed": factories.in_review(people, START, namespace_identifier="wombat"),
            "returned": factories.in_review(people, START, namespace_identifier="potoroo"),
            "approved": factories.approved(people, START, namespace_identifier="bettong"),
            "registered": factories.registered(people, START),
            "withdrawn": factories.sent(people.registrant, START, namespace_identifier="kowari"),
            "experts": factories.sent(people.expert, START, namespace_identifier="mulgara"),
            "informal": factories.draft(people.registrant, START, informal=True),
            "again": factories.returned(people, START, namespace_identifier="quenda"),
            "reported": factories.reported(people, START, namespace_identifier="phascogale"),
            "recognized": factories.recognized(people, START, "Wombat Society"),
            "appointed": factories.appointed(people, START, "tam@experts.example"),
            "unconfirmed": factories.appointed(
                people, START, "tom@experts.example", INFORMAL.id, by=people.second_operator
            ),
            "absence": factories.absence(people.expert, START),
            "queued": factories.queued_mail(START),
            "template": factories.queued_template(START),
            "failed": factories.failed_message(),
            "marked": factories.marked_address(START),
            "host": factories.unseen_host(timedelta(days=3)),
            "absent": 99,
        }
        numbers["comment"] = factories.comment(numbers["new"], people.registrant, START)
        numbers["revision"] = factories.revision(people.registrant, START)
        secret = app.config["SECRET_KEY"]
        factories.invite(people.registrant, EMAILS["rival"], START, secret)
        numbers["outdated"] = factories.outdated(people, START, "dunnart")
        factories.ask_transfer(people.registrant, "dunnart", START, secret)
        factories.disputed(people, START, "dunnart")
        numbers["claim"] = factories.claim(people.rival, "isbn", START, secret)
        factories.act(numbers["again"], Action.RESUBMIT, people.registrant, START)
        comments.keep_reply_text(factories.command(people.operator, START), "Thanks", "Thank you.")
        factories.act(numbers["checked"], Action.TAKE, people.operator, START)
        factories.act(numbers["experts"], Action.TAKE, people.operator, START)
        factories.act(numbers["experts"], Action.PASS, people.operator, START)
        factories.review(numbers["returned"], people.expert, Verdict.RETURN, START)
        factories.act(numbers["withdrawn"], Action.WITHDRAW, people.registrant, START)
        tokens = {who: sign_in.enter_as(email, START).token for who, email in EMAILS.items()}
        sign_in.ask_for_link(
            EMAILS["rival"], "/requests/", START, secret=app.config["SECRET_KEY"], host="localhost"
        )
    return World(app, numbers, tokens, newest_link(app, EMAILS["rival"]))


MakeWorld = Callable[[Path], World]
Made = Generator[MakeWorld, None, None]
Copy = Callable[[Path], str]  # copies a database, and gives the address of the copy


def _begin(kind: str, request: pytest.FixtureRequest, folder: Path) -> tuple[str, Copy]:
    """The address of a database with the registry in it, and how it can be copied."""
    if kind == "sqlite":
        file = shutil.copy(request.getfixturevalue("sqlite_templates")(Template.ALL), folder)
        return f"sqlite:///{file}", lambda to: f"sqlite:///{shutil.copy(file, to)}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    template = request.getfixturevalue("postgresql_templates")(Template.ALL)
    url = server.create(template=template)
    name = make_url(url).database or ""
    return url, lambda _to: server.create(template=name)


def _worlds(kind: str, request: pytest.FixtureRequest, folder: Path) -> Made:
    url, copy = _begin(kind, request, folder)
    first = _populate(_application(_settings(folder, url)))
    _let_go(first.app)  # for a database that is in use cannot be copied
    made: list[Flask] = []

    def make(folder: Path) -> World:
        made.append(_application(_settings(folder, copy(folder))))
        return replace(first, app=made[-1])

    yield make
    for app in made:
        _let_go(app)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def make_world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Makes the same world again and again, on each database."""
    yield from _worlds(request.param, request, tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, World]]:
    """The same world on SQLite and on PostgreSQL, to be compared."""
    make = contextmanager(_worlds)
    folder = tmp_path_factory.mktemp
    with (
        make("sqlite", request, folder("template")) as on_sqlite,
        make("postgresql", request, folder("template")) as on_postgresql,
    ):
        yield on_sqlite(folder("world")), on_postgresql(folder("world"))


def _let_go(app: Flask) -> None:
    with app.app_context():
        database_binding.close_connections()


@pytest.fixture(scope="session")
def world(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world on each database, for tests that leave it as it is."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def fresh(make_world: MakeWorld, tmp_path: Path) -> World:
    """A world of the test's own, to be changed."""
    return make_world(tmp_path)


@contextmanager
def without_demo(world: World) -> Iterator[World]:
    """A world as a site that is no demonstration, since that answers its own machine alone."""
    app = _application(replace(world.app.extensions["settings"], demo=False))
    app.extensions["now"] = world.app.extensions["now"]
    yield replace(world, app=app)
    _let_go(app)


class Served(NamedTuple):
    """A world, what answers for it as on a server, and the folder that its copies come from."""

    world: World
    whole: WSGIApplication
    published: Path


@pytest.fixture(scope="module")
def served(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """The whole site: its editions are laid out, and published stands in front.

    What stands behind is the world's own application, whose connections are closed with it.
    """
    folder: Path = tmp_path_factory.mktemp("site")
    world = make_world(folder)
    settings: Settings = world.app.extensions["settings"]
    with world.app.app_context():
        run_once(replace(work_of(settings), deliver=None))
    published = PublishedPlane(
        settings.published_dir, falls_through=True, session_cookie=session_cookie(settings)
    )
    whole = PublishedWsgi(published, world.app.wsgi_app)
    return Served(world, whole, settings.published_dir)


@pytest.fixture
def fleeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the test writes outlasts the request that wrote it."""
    monkeypatch.setattr(type(db.session), "commit", lambda session: session.flush())


Dump = Callable[[], dict[str, list[tuple[object, ...]]]]


@pytest.fixture
def dump(world: World) -> Dump:
    """Gives everything that the database holds, to be compared with what it holds later."""

    def read() -> dict[str, list[tuple[object, ...]]]:
        with world.app.app_context(), db.engine.connect() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
                for table in db.metadata.sorted_tables
            }

    return read


@pytest.fixture(scope="module")
def ground(
    make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Flask, factories.Cast]:
    """One registry for a whole file: each test has a request and a name of its own there."""
    app = make_world(tmp_path_factory.mktemp("ground")).app
    with app.app_context():
        return app, factories.cast(START)


@pytest.fixture
def office(ground: tuple[Flask, factories.Cast]) -> Iterator[Office]:
    """It with a clock and settings of the test's own."""
    app, people = ground
    clock, settings = Clock(), app.extensions["settings"]
    app.extensions["now"] = clock
    with app.app_context():
        yield Office(app, people, clock)
    app.extensions["settings"] = settings
