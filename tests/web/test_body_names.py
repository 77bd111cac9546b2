"""A private registry names the bodies that decide in it, wherever they are spoken of."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import select

from app.factory import create_app
from app.services.policy import policy_of
from app.store.database import db, reading
from app.store.tables import Outbox
from app.workflow.body_names import BodyNames
from app.workflow.states import State
from tests import factories
from tests.web.conftest import World
from tests.web.visitor import Visitor

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
BOARD, COURT = "Registry Board", "Court of Names"
DECISION = {
    "reason": "It is unique enough.",
    "reference": "https://board.example/7",
    "date": "2026-09-01",
}


def test_every_page_names_the_bodies_of_the_registry(fresh: World) -> None:
    settings = replace(fresh.app.extensions["settings"], escalation_body=BOARD, appeal_body=COURT)
    app = create_app(settings)
    app.extensions["now"] = fresh.app.extensions["now"]
    number = fresh.numbers["reviewed"]
    with app.app_context():
        factories.change_request(fresh.numbers["reported"], body="W3C Team")  # as somebody typed
        factories.change_request(number, state=State.IESG_APPEAL_2)
        factories.change_request(fresh.numbers["again"], state=State.IESG_EXPERTS, returns_to=None)
    operator = Visitor(app, fresh.tokens["operator"])
    spoken = {
        f"/requests/{number}": COURT,
        f"/requests/{number}/record.txt": BOARD,
        "/requests/": BOARD,
        "/desk/": BOARD,
        "/help/": COURT,
        "/help/procedures": BOARD,
    }
    for path, body in spoken.items():
        page = operator.get(path)
        assert (page.status, body in page.words) == (200, True), path
        assert not re.findall(r".{20}\b(?:IESG|IAB)\b", page.words), path


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
    with app.app_context(), reading():
        rows = db.session.scalars(select(Outbox.arguments).order_by(Outbox.id.desc()).limit(4))
        told = [str(row) for row in rows]
    assert all(BOARD in text and "IESG" not in text for text in told), told
