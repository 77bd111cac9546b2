"""A private registry names the bodies that decide in it, wherever they are spoken of."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import select

from app.factory import create_app
from app.services.policy import policy_of
from app.store.database import db, read_transaction
from app.store.tables import Outbox, Request
from app.workflow.body_names import BodyNames
from app.workflow.states import Action, State
from tests import factories
from tests.web.conftest import World
from tests.web.stages import Office
from tests.web.visitor import Visitor

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
BOARD, COURT = "Registry Board", "Court of Names"
DECISION = {
    "reason": "It is unique enough.",
    "reference": "https://board.example/7",
    "date": "2026-09-01",
}


OWN = {"escalation_body": BOARD, "appeal_body": COURT}


@pytest.mark.parametrize(
    ("own", "first", "last"), [(OWN, BOARD, COURT), ({}, "governing body", "appeals body")]
)
def test_every_page_names_the_bodies_of_the_registry(
    fresh: World, own: dict[str, str], first: str, last: str
) -> None:
    app = create_app(replace(fresh.app.extensions["settings"], **own))
    app.extensions["now"] = fresh.app.extensions["now"]
    number = fresh.numbers["reviewed"]
    with app.app_context():
        factories.change_request(fresh.numbers["reported"], body="W3C Team")  # as somebody typed
        factories.change_request(number, state=State.IESG_APPEAL_2)
        factories.change_request(fresh.numbers["again"], state=State.IESG_EXPERTS, returns_to=None)
    operator = Visitor(app, fresh.tokens["operator"])
    spoken = {
        f"/requests/{number}": last,
        f"/requests/{number}/record.txt": BOARD if own else "Escalation",
        "/requests/": first,
        "/desk/": first,
        "/help/": last,
        "/help/procedures": first if own else last,
    }
    for path, body in spoken.items():
        page = operator.get(path)
        assert (page.status, body.lower() in page.words.lower()) == (200, True), path
        assert not re.findall(r".{20}\b(?:IESG|IAB)\b", page.words), path


def test_an_unregistered_name_that_is_asked_for_names_them_too(fresh: World) -> None:
    settings = replace(fresh.app.extensions["settings"], escalation_body=BOARD, appeal_body=COURT)
    app = create_app(settings)
    app.extensions["now"] = fresh.app.extensions["now"]
    number = fresh.numbers["reviewed"]
    with app.app_context():
        factories.change_request(number, state=State.IESG_APPEAL_2)
        with read_transaction():
            asked = db.session.scalars(
                select(Request.asked_name).where(Request.number == number)
            ).one()
    page = app.test_client().get(f"/namespaces/{asked}", headers={"Accept": "application/json"})
    told = page.get_data(as_text=True)
    assert (page.status_code, page.is_json, BOARD in told or COURT in told) == (404, True, True)
    assert "IESG" not in told
    assert "IAB" not in told


def test_mail_names_the_bodies_of_the_registry(fresh: World) -> None:
    settings = replace(fresh.app.extensions["settings"], escalation_body=BOARD, appeal_body=COURT)
    assert policy_of(settings, "s").mail.bodies == BodyNames(BOARD, COURT)
    app = create_app(settings)
    app.extensions["now"] = fresh.app.extensions["now"]
    number = fresh.numbers["reviewed"]
    path = f"/requests/{number}"
    with app.app_context():
        factories.change_request(number, state=State.IESG_EXPERTS)
    page = Visitor(app, fresh.tokens["operator"]).send(path, DECISION, action=f"{path}/answer")
    assert page.status == 303, page.words
    with app.app_context(), read_transaction():
        rows = db.session.scalars(select(Outbox.arguments).order_by(Outbox.id.desc()).limit(4))
        told = [str(row) for row in rows]
    assert all(BOARD in text and "IESG" not in text for text in told), told


@pytest.mark.parametrize("typed", ["IESG", "the IESG"])
def test_a_body_has_its_article_however_it_was_typed(fresh: World, typed: str) -> None:
    number = fresh.numbers["reported"]
    with fresh.app.app_context():
        factories.change_request(number, body=typed)
    operator = Visitor(fresh.app, fresh.tokens["operator"])
    words = operator.get(f"/requests/{number}").words
    assert "Escalated to the IESG" in words
    assert "when the IESG has made it" in words
    with fresh.app.app_context():
        factories.change_request(number, state=State.IESG_APPEAL_2)
    words = operator.get(f"/requests/{number}").words
    assert re.search(r"Escalated to the appeals body [^.]*: last appeal\.", words)


def test_what_follows_an_appeal_and_why_one_is_refused_name_the_bodies(office: Office) -> None:
    stage, registrant = office.at(State.DECLINED), office.people.registrant
    grounds = {"reason": "They did not read it."}
    refused = office.at(State.NEW).send(Action.APPEAL_TO_IAB, registrant, grounds)
    assert "“Appeal to the appeals body” is not available" in refused.words
    visitor = stage.visitor(registrant)
    path = f"/requests/{stage.number}"
    assert visitor.post(f"{path}/appeal", stage.fields() | grounds).location == path
    assert "Done. The governing body decides." in visitor.get(path).words
