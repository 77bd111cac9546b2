"""The demonstration: places worth seeing, and people to sign in as."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app.services.operations import demo_requests
from app.services.operations.demo_people import PEOPLE
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import joint_transaction
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import entry_of, file_of
from tests.web.visitor import Visitor

TRY = "/help/try"


@pytest.fixture
def demonstration(make_app: MakeApp, clock: Clock) -> Iterator[Flask]:
    """A site at which people worked for three months, under both registries."""
    app = make_app(demo=True)
    with app.app_context():
        import_naans(read_naan_file(file_of(entry_of())), clock())
        clock.on(days=demo_requests.BEGUN.days)
        with joint_transaction():
            demo_requests.add_requests(factories.policy(), clock())
    yield app


def test_the_places_worth_seeing_are_there(demonstration: Flask) -> None:
    visitor = Visitor(demonstration)
    assert TRY in visitor.get("/").values("href")
    links = visitor.get(TRY).each("//main//li//a/@href")
    assert len(links) == len(set(links)) > 6
    answers = {path: visitor.get(path) for path in links}
    # the names of the published plane are answered by its own process
    assert {page.status for path, page in answers.items() if "/names/" not in path} <= {200, 303}
    assert "/names/urn:old-bridges:bridge:3" in links


def test_places_of_sample_requests_are_not_listed_without_them(make_app: MakeApp) -> None:
    assert "old-bridges" not in Visitor(make_app(demo=True, demo_requests=False)).get(TRY).words


def test_there_are_none_outside_of_a_demonstration(make_app: MakeApp) -> None:
    visitor = Visitor(make_app())
    assert visitor.get(TRY).status == 404
    for path in ("/", "/help/"):
        assert TRY not in visitor.get(path).values("href")


def test_who_signs_in_sees_first_whom_one_can_be_and_what_they_see(make_app: MakeApp) -> None:
    page = Visitor(make_app(demo=True)).get("/sign-in")
    assert page.html.index('action="/demo/sign-in/5"') < page.html.index('name="email"')
    assert "/demo/sign-in/" not in Visitor(make_app()).get("/sign-in").html


def test_whom_one_chooses_to_be_begins_where_their_work_is(demonstration: Flask) -> None:
    for at, person in enumerate(PEOPLE):
        visitor = Visitor(demonstration)
        action = f"/demo/sign-in/{at}"
        signed_in = visitor.post(action, visitor.get("/sign-in").form(action))
        assert signed_in.location == person.work, person.name
        page = visitor.get(signed_in.location)
        assert page.status == 200, person.name
        assert f"signed in as {person.name}" in page.words
        visitor = Visitor(demonstration)
        wanted = visitor.get("/sign-in?next=/help/").form(action)
        assert visitor.post(action, wanted).location == "/help/"
    assert len({person.work for person in PEOPLE}) == 4
