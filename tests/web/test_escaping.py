"""What somebody typed is shown as text, wherever it is shown and to whomever."""

from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from app.factory import asset_dir
from app.pages.site.published_site import Site
from app.registration.declarations.registries import FORMAL, FormSection
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.mail import outbox_delivery
from app.services.registry.snapshots import current_snapshot
from app.store.database import read_transaction
from app.store.tables.accounts import Grant
from app.web.forms.request_forms import ORGANIZATION, asked_fields
from app.web.middleware.session import settings
from app.web.middleware.site_chrome import public_shell
from tests.conftest import START
from tests.factories import PLACE
from tests.web.conftest import World
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

SHARP = "<\"'>"
MARK = f"{SHARP}&{{{{7*7}}}} marked"

NOT_WORDS = {"namespace_identifier", "contact_address"}  # which take nothing that is marked


def mark_everything(world: World) -> int:
    """Take a request from its draft to the registry, with the mark in whatever takes a text."""
    number = world.numbers["draft"]
    registrant, operator = world.visitor("registrant"), world.visitor("operator")
    for section in FormSection:
        names = [field.name for field in asked_fields(section, FORMAL)]
        names += [ORGANIZATION.name] if section is FormSection.REGISTRANT else []
        marked = {name: MARK for name in names if name not in NOT_WORDS}
        page = registrant.send(f"/requests/{number}/edit/{section}", marked)
        assert page.status == 303, page.words
    assert registrant.send(f"/requests/{number}/check").status == 303
    act(operator, number, "take", "return")
    registrant.send(f"/requests/{number}/edit/syntax", {"syntax": f"{MARK}, twice"})
    assert registrant.send_again(number).status == 303
    act(operator, number, "pass")
    for who, verdict in (("expert", "comment"), ("leader", "approve")):
        review = {"verdict": verdict, "reason": MARK}
        assert world.visitor(who).send(f"/review/{number}", review).status == 303
    return number


def act(visitor: Visitor, number: int, *actions: str) -> None:
    """Take actions, with the mark for words."""
    for action in actions:
        path = f"/requests/{number}"
        page = visitor.send(path, {"reason": MARK}, action=f"{path}/{action}")
        assert page.status == 303, page.words


def sharp(page: Page) -> bool:
    """Whether the mark came through as markup, or was calculated."""
    return SHARP in page.html or "&49" in page.html or "&amp;49" in page.html


def every_page(world: World, number: int) -> Iterator[Page]:
    """All pages that can be read, for everybody, and all of one request."""
    mine = [f"/requests/{number}{rest}" for rest in ("", "/iterations/1", "/iterations/2")]
    mine += [f"/review/{number}", f"/desk/{number}/register", "/namespaces/dibbler"]
    lists = ["/", "/requests/", "/review/", "/desk/", "/account", "/assignments/urn-namespaces/"]
    for who in ("stranger", "registrant", "leader", "operator"):
        for path in mine + lists:
            yield world.visitor(who).get(path)


def test_what_is_stored_is_shown_as_it_was_typed(fresh: World) -> None:
    number = mark_everything(fresh)
    pages = list(every_page(fresh, number))
    path = f"/desk/{number}/register"
    registering = {"reference": "https://quokka.example/", "label": MARK}
    assert fresh.visitor("operator").send(path, registering).status == 303
    pages += every_page(fresh, number)
    assert [page.path for page in pages if sharp(page)] == []
    shown = {page.path for page in pages if MARK in page.words}
    assert f"/requests/{number}" in shown
    assert {"/requests/", "/namespaces/dibbler", "/assignments/urn-namespaces/"} <= shown


def test_mail_and_published_pages_show_it_as_text_as_well(fresh: World) -> None:
    number = mark_everything(fresh)
    registering = {"reference": "https://quokka.example/", "label": MARK}
    fresh.visitor("operator").send(f"/desk/{number}/register", registering)
    with fresh.app.app_context():
        mails = sent_mail(fresh)
        assert edition_build.build_pending(None, PLACE) != []
        with read_transaction():
            site, snapshot = Site(asset_dir("templates")), current_snapshot(URN_GROUP)
            published = dict(site.pages(snapshot, public_shell(settings())))
    assert [path for path, html in published.items() if SHARP in html] == []
    assert "&lt;" in published["/namespaces/dibbler"]
    assert any(MARK in mail.get_content() for mail in mails)
    for mail in mails:
        assert mail.get_content_type() == "text/plain"
        assert all("\n" not in value for value in mail.values())


def sent_mail(world: World) -> list[EmailMessage]:
    """Everything that waits in the outbox."""
    mails: list[EmailMessage] = []
    while outbox_delivery.send_waiting(
        START,
        deliver=mails.append,
        sender="registry@localhost",
        secret=world.app.config["SECRET_KEY"],
        base_url="http://127.0.0.1:8000",
    ):
        pass
    return mails


def test_a_name_of_an_account_is_text(fresh: World) -> None:
    with fresh.app.app_context():
        sign_in.add_account("mark@org.example", START, name=MARK)
        sign_in.grant("mark@org.example", Grant.OPERATOR, START, name=MARK)
        token = sign_in.enter_as("mark@org.example", START).token
    for path in ("/account", "/desk/", "/", "/requests/"):
        page = Visitor(fresh.app, token).get(path)
        assert MARK in page.words
        assert not sharp(page)


REFLECTED = [
    *("/?q={}", "/?q=urn:{}", "/?q=ark:{}", "/assignments/urn-namespaces/?q={}&sort={}"),
    *("/namespaces/{}", "/namespaces/isbn.{}", "/sign-in?next=/{}", "/sign-in/{}", "/{}"),
    "/desk/6/register?reference={}&label={}",
]


def test_what_is_asked_for_is_shown_as_text(world: World) -> None:
    quoted = "".join(f"%{octet:02X}" for octet in MARK.encode())
    for pattern in REFLECTED:
        page = world.visitor("operator").get(pattern.replace("{}", quoted))
        assert not sharp(page), pattern
        assert faults(page) == []


@pytest.mark.usefixtures("fleeting")
def test_what_is_refused_is_given_back_as_text(world: World) -> None:
    bad = f"{MARK}\0"
    refusals = [
        ("registrant", "/requests/{draft}/edit/registrant", "", dict.fromkeys(_REGISTRANT, bad)),
        ("registrant", "/requests/{draft}/edit/syntax", "", {"syntax": bad}),
        ("registrant", "/requests/new", "", {"registry": MARK, "key": MARK}),
        ("operator", "/requests/{checked}", "/return", {"reason": bad}),
        ("expert", "/review/{reviewed}", "", {"reason": bad, "verdict": MARK, "name": MARK}),
        ("operator", "/desk/{approved}/register", "", {"reference": MARK, "label": MARK}),
        ("stranger", "/sign-in", "", {"email": MARK, "next": MARK, "kept": MARK}),
    ]
    for who, page, action, fields in refusals:
        path = world.path(page)
        answer = world.visitor(who).send(path, fields, action=path + action)
        assert answer.status == 422, page
        assert not sharp(answer), page
        assert faults(answer) == []


_REGISTRANT = [
    "organization",
    *(field.name for field in asked_fields(FormSection.REGISTRANT, FORMAL)),
]
