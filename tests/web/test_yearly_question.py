"""A holder is asked once a year, answers on a page, and is listed when silent."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask

from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.registration.naans.yearly_question import NaanAnswer
from app.services.accounts import sign_in
from app.services.delegates import claims, yearly_questions
from app.services.delegates.claims import ClaimDecision
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import read_transaction
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.factories import Cast
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.services.test_yearly_questions import claim
from tests.web.test_naan_requests import Person
from tests.web.visitor import Page
from tests.web.wellmade import faults


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application, where people are let in with a click."""
    app = make_app(demo=True, naans=True)
    with app.app_context():
        yield app


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def visitor(app: Flask, email: str, clock: Clock) -> Person:
    return Person(app, sign_in.enter_as(email, clock()).token)


def well(page: Page, status: int = 200) -> Page:
    """A page that is as it should be."""
    assert (page.status, faults(page)) == (status, []), page.words[:400]
    return page


@pytest.mark.parametrize(
    ("said", "leads_to"),
    [
        (NaanAnswer.STANDS, "people"),
        (NaanAnswer.CHANGES, "revise"),
        (NaanAnswer.CEASES, "revise?at=end"),
    ],
)
def test_a_holder_sees_what_is_on_file_answers_and_is_led_on(
    app: Flask, people: Cast, clock: Clock, said: NaanAnswer, leads_to: str
) -> None:
    name = factories.registered_naan(people, clock())
    there = f"/naans/{name}/answer"
    robin = visitor(app, people.registrant.email, clock)
    assert there in well(robin.get(f"/naans/{name}/people")).values("href", "a")
    assert there not in well(robin.get("/account")).values("href", "a")
    assert "No reply is due now." in well(robin.get(there)).words
    clock.on(days=366)
    assert yearly_questions.ask_due(clock(), base_url="https://r.example", host="r") == 1
    robin = visitor(app, people.registrant.email, clock)
    assert there in well(robin.get("/account")).values("href", "a")
    page = well(robin.get(there))
    assert "Wombat Library" in page.words and "https://wombat.example/ark:${content}" in page.words
    assert "remains yours" in page.words
    asked = clock().date()
    assert f"reply by {asked + timedelta(days=60)}" in page.words
    clock.on(days=90)
    robin = visitor(app, people.registrant.email, clock)
    assert f"reply by {clock().date()}" in well(robin.get(there)).words
    refused = well(robin.send(there, {}), 422)
    assert "Choose an answer." in refused.words
    done = robin.send(there, {"answer": said.value})
    assert (done.status, done.location) == (303, f"/naans/{name}/{leads_to}"), done.words[:400]
    assert "Thank you." in well(robin.get(done.location)).words
    assert "The NAAN holder " in well(robin.get(f"/naans/{name}/people")).words
    assert there not in well(robin.get("/account")).values("href", "a")


def test_a_holder_who_ceases_is_led_to_where_the_form_asks_what_follows(
    app: Flask, people: Cast, clock: Clock
) -> None:
    name = factories.registered_naan(people, clock())
    robin = visitor(app, people.registrant.email, clock)
    done = robin.send(f"/naans/{name}/answer", {"answer": NaanAnswer.CEASES.value})
    begun = robin.post(done.location, robin.get(done.location).form(f"/naans/{name}/revise"))
    form = robin.get(begun.location)
    assert (form.status, form.location.partition("#")[2]) == (303, "status"), form.words[:300]
    page = well(robin.get(form.location.partition("#")[0]))
    assert page.each("//*[@id='status']") and page.each("//*[@id='successor']")


def test_strangers_are_led_to_the_claim_and_see_nothing_of_the_question(
    app: Flask, people: Cast, clock: Clock
) -> None:
    name = factories.registered_naan(people, clock())
    clock.on(days=366)
    there = f"/naans/{name}/answer"
    rival = visitor(app, people.rival.email, clock)
    assert rival.get(there).location == f"/naans/{name}/claim"
    assert there not in rival.get("/account").values("href", "a")
    assert Person(app).get(there).location.startswith("/sign-in")
    assert there not in well(Person(app).get(f"/naans/{name}")).values("href", "a")
    robin = visitor(app, people.registrant.email, clock)
    form = robin.get(there).form(there)
    for answer in ("", "x", "stands\0", "x" * 3000, "STANDS"):
        page = robin.open("POST", there, data=form | {"answer": answer})
        assert page.status in (400, 422), (answer, page.words[:200])


def test_a_shoulder_is_asked_about_as_a_naan_is(app: Flask, people: Cast, clock: Clock) -> None:
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    for name, space in ((LIBRARY.naan, NAAN_SPACE), (SHOULDER.name, SHOULDER_SPACE)):
        claiming = factories.command(people.registrant, clock())
        claims.ask_operator(claiming, name, "I am its librarian.", space=space)
        with read_transaction():
            number = claims.to_decide()[-1].number
        deciding = factories.command(people.operator, clock())
        claims.decide(deciding, number, ClaimDecision.GRANT, "They showed it.")
        clock.on(days=366)
        assert yearly_questions.ask_due(clock(), base_url="https://r.example", host="r") >= 1
        robin = visitor(app, people.registrant.email, clock)
        page = well(robin.get(f"/naans/{name}/answer"))
        assert "Your reply" in page.words and f"ark:{name}" in page.words
        assert robin.send(f"/naans/{name}/answer", {"answer": "stands"}).status == 303


@pytest.mark.postgresql
def test_the_desk_lists_silent_holders_page_by_page(
    app: Flask, people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yearly_questions, "MOST_SHOWN", 1)
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    clock.on(days=1)
    name = factories.registered_naan(people, clock())
    claim(people, clock, LIBRARY.naan)
    clock.on(days=1)
    odell = visitor(app, people.operator.email, clock)
    assert "Every holder replied." in well(odell.get("/desk/holders/")).words
    clock.on(days=500)
    odell = visitor(app, people.operator.email, clock)
    assert "Holders who didn’t reply 2" in well(odell.get("/desk/")).words
    first = well(odell.get("/desk/holders/"))
    assert "1 imported entry that never had a manager here" in first.words
    (more,) = (one for one in first.values("href", "a") if "after=" in one)
    second = well(odell.get(more))
    listed = [*first.values("href", "a"), *second.values("href", "a")]
    for one in (name, LIBRARY.naan):
        assert f"/naans/{one}/people" in listed
    assert LIBRARY.holder in first.words + second.words
    assert people.registrant.email not in second.html
    for href in second.values("href", "a"):
        if href.startswith(("/desk/naans/", f"/naans/{name}")):
            assert odell.get(href).status == 200, href
    for link in (one for one in first.values("href", "a") if one.startswith("/desk/naans/")):
        assert odell.get(link).status == 200, link
    assert odell.get("/desk/holders/?after=x").status == 404
    rival = visitor(app, people.rival.email, clock)
    assert rival.get("/desk/holders/").status == 403
