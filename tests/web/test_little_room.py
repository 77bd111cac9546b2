"""What pages put first, or leave to their foot, where there is little room."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app.services.accounts import sign_in
from app.services.assigned_names import prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.operations import demo_requests
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import joint_transaction
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import entry_of, file_of
from tests.web.test_naan_requests import Person
from tests.web.wellmade import faults

OPERATOR = "operator@demo.example"


@pytest.fixture
def operator(make_app: MakeApp, clock: Clock) -> Iterator[Person]:
    """The operator of the demonstration, at their browser."""
    app: Flask = make_app(demo=True, naans=True)
    with app.app_context():
        import_naans(read_naan_file(file_of(entry_of(what="10099"))), clock())
        clock.on(days=demo_requests.BEGUN.days)
        with joint_transaction():
            demo_requests.add_requests(factories.policy(), clock())
        yield Person(app, sign_in.enter_as(OPERATOR, clock()).token)


def test_what_one_was_told_stands_in_the_dark_part_of_the_first_page(operator: Person) -> None:
    account = operator.get("/account")
    page = operator.get(operator.post("/sign-out", account.form("/sign-out")).location)
    assert "You’re signed out." in page.text("//*[@class='front']//*[@role='status']")
    assert (faults(page), page.words.count("You’re signed out.")) == ([], 1)


def test_a_desk_says_how_much_waits_and_leads_there_before_the_requests(operator: Person) -> None:
    page = operator.get("/desk/")
    links = page.each("//nav[@class='jump']//a")
    assert faults(page) == []
    listed = len(page.each("//section[@aria-labelledby='tasks']//tbody/tr"))
    assert listed and links[0].text_content() == f"Requests: {listed}"
    assert [link.get("href") for link in links][-3:] == ["#at-a-glance", "#lists", "#to-correct"]


def test_of_many_ways_those_that_the_foot_has_as_well_are_left_to_it(
    operator: Person, clock: Clock
) -> None:
    spare = "//header//nav//li[@class='leads']"
    assert operator.get("/desk/").each(spare) == []
    by = sign_in.enter_as(OPERATOR, clock()).actor
    command = factories.command(by, clock())
    prefixes.add_prefix(command, "ark:10099/z9", OPERATOR, PrefixRules(numbering=""))
    page = operator.get("/desk/")
    assert page.text(spare) == "Help"
    assert "Your identifiers" in page.text("//header//nav")
    assert "Help" in page.text("//footer")
