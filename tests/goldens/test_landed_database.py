"""What software that landed left goes on: mail that waits, forms in browsers, drafts."""

import json
import re
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any, NamedTuple

import pytest
from flask import Flask

from app.factory import asset_dir
from app.services.mail import outbox_delivery
from app.services.operations import database_binding
from tests import factories
from tests.goldens.golden_files import check
from tests.goldens.landed_database import AT, LANDED, Browser, Form, opened_then, sent
from tests.store.conftest import NewDatabase
from tests.store.dumping import load
from tests.store.filling import SECRET

REVISIONS = sorted({file.name.partition(".")[0] for file in LANDED.iterdir()})
_LINK = re.compile(r"/(?:sign-in|links)/\S+")
_DRAFT = "/requests/2"


_LETTERS_SINCE = ("receipt ", "appointed ", "experts ellis@")  # who reviewed hears of the answer
_CONFLICT = {"status": 409, "location": "", "events": [], "letters": []}
# A request from then has no title. It needs one before it is sent again or registered.
_UNTITLED = ("/requests/5/check", "/desk/7/register")
_HEAD = "/desk/registry"  # an edition that another form opened names the panel there


class Left(NamedTuple):
    """A database that was left, brought up to now, and the forms that browsers have."""

    revision: str
    app: Flask
    forms: list[Form]


@pytest.fixture(params=REVISIONS)
def left(request: pytest.FixtureRequest, new_database: NewDatabase) -> Iterator[Left]:
    """Each of them, on both kinds of database."""
    url = new_database()
    kind = url.partition(":")[0].partition("+")[0]
    load(LANDED / f"{request.param}.{kind}.sql.xz", url)
    forms = json.loads((LANDED / f"{request.param}.{kind}.forms.json").read_text())
    with opened_then(url) as app:
        with app.app_context():
            database_binding.migrate(asset_dir("migrations"))
        yield Left(request.param, app, forms)


def test_a_form_that_was_open_is_taken_as_it_was_then(left: Left) -> None:
    assert len(left.forms) > 15
    answers = [
        (form["action"], _known(sent(left.app, form)), _then(form))
        for form in left.forms
        if form["action"] not in _UNTITLED
    ]
    assert [answer for answer in answers if answer[1] != answer[2]] == []


def _known(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the letters that nobody sent when the database was left."""
    letters = [one for one in answer["letters"] if not one.startswith(_LETTERS_SINCE)]
    return answer | {"letters": letters}


def _then(form: Form) -> dict[str, Any]:
    """What it was answered and left; what was sent before is answered so, and leaves no more."""
    answer: dict[str, Any] = _CONFLICT if form["action"] == _HEAD else form["answer"]
    return answer | {"events": [], "letters": []} if form["is_sent"] else answer


def test_mail_that_waited_goes_out_and_its_links_lead_on(left: Left) -> None:
    letters = _mail(left.app)
    check(
        f"letters-{left.revision}.txt",
        [line for text in sorted(map(_written, letters)) for line in text],
    )
    links = {letter["To"]: _LINK.findall(letter.get_content()) for letter in letters}
    (to_sign_in,), (invitation,) = links["newcomer@org.example"], links["jo@org.example"]
    entered = Browser(left.app).send(to_sign_in)
    assert (entered.status, entered.location) == (303, "/")
    accepted = Browser(left.app).sign_in("jo@org.example").send(invitation)
    assert (accepted.status, accepted.location) == (303, "/namespaces/quokka/people")


def test_a_draft_goes_on_where_it_was_left(left: Left) -> None:
    open_form = next(form for form in left.forms if form["action"].startswith(f"{_DRAFT}/edit/"))
    assert sent(left.app, open_form)["status"] == 303
    browser = Browser(left.app, open_form["cookie"])
    text = browser.page(f"{_DRAFT}/draft.txt").html
    assert "Namespace Identifier: numbat" in text
    assert "Purpose of the namespace: none known." in text
    assert open_form["typed"]["organization"] in browser.page(open_form["page"]).html
    untitled = browser.send(f"{_DRAFT}/check")
    assert (untitled.status, "Enter the title of the namespace" in untitled.words) == (422, True)
    assert browser.send(f"{_DRAFT}/edit/name-and-purpose", title="Numbats").status == 303
    assert browser.send(f"{_DRAFT}/check").location == _DRAFT
    assert "numbat" in Browser(left.app).page(_DRAFT).title


def _mail(app: Flask) -> list[EmailMessage]:
    """Send all that waits."""
    taken: list[EmailMessage] = []
    with app.app_context():
        while outbox_delivery.send_waiting(
            AT,
            deliver=taken.append,
            sender="registry@registry.example",
            secret=SECRET,
            base_url=factories.PLACE.base_url,
        ):
            pass
    return taken


def _written(letter: EmailMessage) -> list[str]:
    """A letter without what differs from one database to another."""
    text = _LINK.sub(lambda found: f"{found[0].rpartition('/')[0]}/TOKEN", letter.get_content())
    return [f"======== To: {letter['To']}", f"Subject: {letter['Subject']}", "", *text.split("\n")]
