"""Forms and their tokens are asked for by the blueprints that take forms, and by no other."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import pytest
from flask import Blueprint, Flask, request
from flask.typing import ResponseReturnValue

from app.factory import create_app
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor
from app.services.operations import database_binding
from app.web.middleware import actor_sources, session
from app.web.middleware.form_blueprints import READS, takes_forms
from tests.conftest import START, Clock
from tests.web.conftest import World
from tests.web.visitor import Visitor

pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

JSON = {"json": {"name": "bilby"}}
ORIGINS = {"none": {}, "of another site": {"Origin": "https://evil.example"}}
EMAIL = "robin@org.example"


class FakeBearerSource:
    """Actors by a token in ``Authorization``, as a source for programs would look them up."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self.used = actor, list[tuple[Actor, datetime]]()

    def find_actor(self, at: datetime) -> Actor | None:
        """The one actor there is, for the one token there is."""
        is_known = at == START and request.headers.get("Authorization") == "Bearer good"
        return self._actor if is_known else None

    def note_use(self, actor: Actor, at: datetime) -> None:
        """Remember it."""
        self.used.append((actor, at))


@contextmanager
def with_programs(world: World, *, demo: bool = True) -> Iterator[Flask]:
    """An application of a world with a blueprint for programs beside its own."""
    app = create_app(replace(world.app.extensions["settings"], demo=demo))
    app.extensions["now"] = Clock()
    programs = Blueprint("api", __name__)

    @programs.route("/api/echo", methods=["GET", "POST"])
    def echo() -> ResponseReturnValue:
        actor = session.current_actor()
        name = request.get_json()["name"] if request.method == "POST" else ""
        return {"name": name, "actor": actor.email if actor else None}

    app.register_blueprint(programs)
    yield app
    with app.app_context():
        database_binding.close_connections()


@pytest.fixture
def app(world: World) -> Iterator[Flask]:
    with with_programs(world) as made:
        yield made


def test_whatever_changes_something_is_in_a_blueprint_that_takes_forms(world: World) -> None:
    changing = [rule for rule in world.app.url_map.iter_rules() if set(rule.methods or ()) - READS]
    assert len(changing) > 40
    for rule in changing:
        name = rule.endpoint.rpartition(".")[0]
        assert takes_forms(world.app.blueprints.get(name)), rule


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_blueprint_for_programs_takes_a_body_that_is_no_form_without_a_forms_token(
    world: World, origin: str
) -> None:
    with with_programs(world, demo=False) as app:  # a demonstration answers its own machine alone
        answer = app.test_client().post("/api/echo", headers=ORIGINS[origin], **JSON)
    assert (answer.status_code, answer.json) == (200, {"name": "bilby", "actor": None})


def test_a_session_counts_for_reading_alone_where_no_forms_token_is_asked_for(
    app: Flask, world: World
) -> None:
    client = Visitor(app, world.tokens["registrant"]).client
    read = client.get("/api/echo").json
    sent = client.post("/api/echo", **JSON).json
    assert (read, sent) == ({"name": "", "actor": EMAIL}, {"name": "bilby", "actor": None})


def test_a_second_source_of_actors_is_asked_where_no_session_counts_and_notes_its_use(
    app: Flask, world: World
) -> None:
    with app.app_context():
        actor = sign_in.who(world.tokens["registrant"], START)
    assert actor is not None
    source = FakeBearerSource(actor)
    actor_sources.install(app, (session.SessionActors(), source))
    client = app.test_client()
    for sent, known in (("Bearer good", EMAIL), ("Bearer bad", None), ("", None)):
        answer = client.post("/api/echo", headers={"Authorization": sent}, **JSON)
        assert answer.json == {"name": "bilby", "actor": known}
    assert source.used == [(actor, START)]


def test_the_first_source_that_knows_the_actor_is_the_one_that_notes_the_use(
    app: Flask, world: World
) -> None:
    with app.app_context():
        actor = sign_in.who(world.tokens["expert"], START)
    assert actor is not None
    source = FakeBearerSource(actor)
    actor_sources.install(app, (session.SessionActors(), source))
    client = Visitor(app, world.tokens["registrant"]).client
    answer = client.get("/api/echo", headers={"Authorization": "Bearer good"})
    assert (answer.json, source.used) == ({"name": "", "actor": EMAIL}, [])
