"""The tour through the demonstration: its bar stands on the pages of the tour, and nowhere else."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app.services.operations import demo_requests, demo_tour
from app.services.operations.demo_people import PEOPLE
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import joint_transaction
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import entry_of, file_of
from tests.web.visitor import Page, Visitor

BAR = "//nav[@aria-label='Tour']"


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


def links_of(page: Page) -> dict[str, str]:
    return {link.text_content().strip(): link.get("href") for link in page.each(f"{BAR}//a")}


def test_it_goes_from_stop_to_stop_and_can_be_left_at_any(demonstration: Flask) -> None:
    visitor = Visitor(demonstration)
    assert "Take the tour" in visitor.get("/").words
    path = "/?tour=1"
    for number, stop in enumerate(demo_tour.TOUR, 1):
        page = visitor.get(path)
        assert page.status == 200, path
        assert f"Tour, {number} of {len(demo_tour.TOUR)}. {stop.sentence}" in page.text(BAR)
        assert "is no question of this list" not in page.words
        links = links_of(page)
        left = links["Leave"] if number < len(demo_tour.TOUR) else links["End the tour"]
        assert left == path.partition("?")[0]
        assert not visitor.get(left).each(BAR)
        path = links.get("Next", path)


def test_names_that_a_stop_speaks_of_stand_beside_it(demonstration: Flask) -> None:
    links = links_of(Visitor(demonstration).get("/namespaces/old-bridges?tour=5"))
    assert links["urn:old-bridges:bridge:3"] == "/names/urn:old-bridges:bridge:3"


def test_an_address_that_is_no_stop_has_no_bar(demonstration: Flask) -> None:
    for path in ("/?tour=2", "/?tour=0", "/?tour=99", "/?tour=x", "/help/?tour=1", "/?tour="):
        page = Visitor(demonstration).get(path)
        assert (page.status, page.each(BAR)) == (200, []), path


def test_without_requests_it_stops_where_there_is_something_to_see(make_app: MakeApp) -> None:
    visitor = Visitor(make_app(demo=True))
    assert "Tour, 1 of 5." in visitor.get("/?tour=1").text(BAR)
    assert links_of(visitor.get("/requests/?tour=3"))["Next"] == "/editions/?tour=4"


def test_there_is_none_outside_of_a_demonstration(make_app: MakeApp) -> None:
    visitor = Visitor(make_app())
    assert not visitor.get("/?tour=1").each(BAR)
    assert "Take the tour" not in visitor.get("/").words
    assert "is no question of this list" in visitor.get("/assignments/urn-namespaces/?tour=1").words


def test_who_signs_in_sees_first_whom_one_can_be_and_what_they_see(make_app: MakeApp) -> None:
    page = Visitor(make_app(demo=True)).get("/sign-in")
    assert page.words.index("Hollis Holder Holds a NAAN") < page.words.index("e-mail address")
    assert "Try a role" not in Visitor(make_app()).get("/sign-in").words


def test_whom_one_chooses_to_be_begins_where_their_work_is(demonstration: Flask) -> None:
    for at, person in enumerate(PEOPLE):
        visitor = Visitor(demonstration)
        action = f"/demo/sign-in/{at}"
        signed_in = visitor.post(action, visitor.get("/sign-in?tour=8").form(action))
        assert signed_in.location == person.work, person.name
        page = visitor.get(signed_in.location)
        assert page.status == 200, person.name
        assert f"You’re signed in as {person.name}." in page.words
        visitor = Visitor(demonstration)
        wanted = visitor.get("/sign-in?next=/help/").form(action)
        assert visitor.post(action, wanted).location == "/help/"
    assert len({person.work for person in PEOPLE}) == 4
