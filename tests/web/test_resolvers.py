"""Whether services answer, as everybody sees it and as operators do."""

import pytest
from flask import Flask

from app.services.accounts import sign_in
from app.services.names.known_services import services_of
from app.store.database import read_transaction
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.web.test_branches import well
from tests.web.visitor import Visitor


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """A site whose people sign in without a link."""
    return make_app(demo=True)


def test_a_demonstration_says_that_it_asks_nobody(app: Flask) -> None:
    stranger = Visitor(app)
    for path in ("/resolvers/", "/namespaces/isbn/resolvers"):
        well(stranger.get(path), "demonstration doesn’t contact other servers")
        assert "yet" not in stranger.get(path).text("//main")


def test_before_anybody_asked_the_pages_say_so(make_app: MakeApp) -> None:
    stranger = Visitor(make_app(base_url="https://urn.example"))
    well(stranger.get("/resolvers/"), "No service has been checked yet.")
    well(stranger.get("/namespaces/isbn/resolvers"), "have not been checked yet")
    well(stranger.get("/namespaces/adid/resolvers"), "No services are registered.")
    assert stranger.get("/namespaces/nobody/resolvers").status == 404


def test_everybody_sees_which_service_does_not_answer_and_since_when(
    app: Flask, clock: Clock
) -> None:
    with app.app_context(), read_transaction():
        named = [one.url for one in services_of("issn")]
    assert named == []
    with app.app_context():
        for _ in range(2):
            asked = factories.asked_services(clock(), silent="issn")
            clock.on(days=1)
    assert asked > 2
    stranger = Visitor(app)
    page = well(stranger.get("/resolvers/"), "did not", "urn:issn:")
    assert "Last checked 24 hours ago" in page.text("//main") or "1 day" in page.text("//main")
    page = well(
        stranger.get("/namespaces/issn/resolvers"),
        "No answer",
        "The server answered with an error.",
    )
    assert "2 failures in a row" in page.text("//main")
    assert "(503)" in page.text("//main")
    assert "Answers" in well(stranger.get("/namespaces/isbn/resolvers")).text("//main")
    with app.app_context():
        people = factories.cast(clock())
        operator = Visitor(app, sign_in.enter_as(people.operator.email, clock()).token)
    status = operator.get("/desk/status/")
    assert "/resolvers/" in status.values("href", "a")
    assert "did not" in status.text("//main")


def test_the_page_of_a_namespace_leads_there_where_it_has_services(app: Flask) -> None:
    stranger, there = Visitor(app), "/namespaces/{}/resolvers"
    assert there.format("issn") in stranger.get("/namespaces/issn").values("href", "a")
    assert there.format("adid") not in stranger.get("/namespaces/adid").values("href", "a")
