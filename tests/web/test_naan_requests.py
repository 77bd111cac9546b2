"""From the form for a NAAN to a redirect by the edition that it led to; and what stays private."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextvars import Context
from email.message import EmailMessage
from functools import partial
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.routing import BuildError, Rule

from app.identifiers.ark import parse_ark
from app.pages.mail.letters import compose_letter
from app.published.plane import PublishedPlane
from app.registration.declarations.fields import FormSection
from app.registration.declarations.naan_registries import NAANS, SHOULDERS, PrivateNaanField
from app.registration.declarations.registries import Procedure, Registry
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.services.accounts import sign_in
from app.services.delegates import delegate_mail
from app.services.editions import edition_build, publication
from app.services.registry.snapshots import current_snapshot, snapshot_of
from app.services.stored_editions import stored_files
from app.store.database import Base, db, read_transaction
from app.store.editions import edition_rows
from app.store.tables import Claim, Outbox
from app.store.tables.delegates import ClaimKind
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.published.bundles import ask
from tests.store.schema import rows_of
from tests.web.stages import begin
from tests.web.visitor import Page, Visitor

MARKER = "Quagga"
PRIVATE: dict[str, str] = {
    PrivateNaanField.CONTACT: f"{MARKER} Contact",
    PrivateNaanField.ADDRESS: f"{MARKER}@private.example",
    PrivateNaanField.EXISTING_PRACTICE: f"We file by {MARKER} number.",
}
ANSWERS: dict[str, dict[str, str]] = {
    "registrant": {
        "organization": "Wombat Library",
        "organization_kind": "NP",
        "web_address": "https://wombat.example/",
        **PRIVATE,
    },
    "assignment": {"policy": "NR, OP", "tenure": "2026", "naan_purpose": "manuscripts"},
    "safety-and-use": {
        "target": "https://wombat.example/ark:${content}",
        "test_ark": "ark:NNNNN/x1",
    },
}
WRONG = [
    ("registrant", "organization", "", "Enter the name of the organization."),
    ("registrant", "organization_kind", "XX", "`XX` is not an option."),
    ("registrant", "web_address", "N/A", "`N/A` is not an address."),
    *(
        ("registrant", "web_address", text, told)
        for text, told in (
            ("javascript://a.example/%0aalert(document.domain)", "does not begin with"),
            ("data://a.example/x", "does not begin with"),
            ("file://a.example/etc/passwd", "does not begin with"),
            ("ftp://a.example/", "does not begin with"),
            ("https://bank.example@evil.example/", "user name before"),
            ("https://bank.example\\@evil.example/", "contains characters not allowed"),
            ("https://a.example/\u202egnp", "contains characters not allowed"),
            ("https://10.0.0.1/", "private network"),
            ("https://a.example:99999/", "Port 99999"),
        )
    ),
    ("registrant", "naan_contact", "", "Enter the person responsible for the identifiers."),
    ("registrant", "naan_address", "", "Enter the contact"),
    ("registrant", "naan_address", "nowhere", "This is not a valid e-mail address."),
    ("assignment", "policy", "NR, XX", "`XX` is not a policy code."),
    ("assignment", "policy_address", "http//x", "does not begin with"),
    ("assignment", "policy_address", "javascript://a.example/%0ax()", "does not begin with"),
    ("assignment", "tenure", "soon", "`soon` is not valid."),
    ("safety-and-use", "target", "https://n2t.net/${content}", "target would loop"),
    ("safety-and-use", "target", "https://a.example/${naan}", "`naan` is not a variable"),
    ("safety-and-use", "target", "https://a.example/ {+pid}", "not allowed in an address"),
    ("safety-and-use", "target_status", "301", "`301` is not an option"),
    ("safety-and-use", "test_ark", "x1", "An ARK starts with"),
    ("safety-and-use", "test_ark", "ark:12148/x1", "does not begin with ark:NNNNN/"),
    ("safety-and-use", "test_ark", "ark:12345/x1", "does not begin with ark:NNNNN/"),
    ("safety-and-use", "target_spelling", "foo", "foo is not an option."),
]


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application, where people are let in with a click."""
    app = make_app(demo=True)
    with app.app_context():
        yield app


class Person(Visitor):
    """Somebody with a browser, apart from the context of the test."""

    def open(self, method: str, path: str, **given: Any) -> Page:
        """Ask in any way."""
        return Context().run(partial(super().open, method, path, **given))


def visitor(app: Flask, email: str, clock: Clock) -> Visitor:
    return Person(app, sign_in.enter_as(email, clock()).token)


def begun(who: Visitor, registry: str = NAANS.id) -> int:
    """A draft, begun as a person does; its number."""
    page = who.send(f"/requests/new?kind={registry}", {"registry": registry})
    assert page.status == 303, page.words
    found = re.search(r"/requests/(\d+)/", page.location)
    assert found is not None
    return int(found[1])


def written(who: Visitor, answers: Mapping[str, Mapping[str, str]] = ANSWERS) -> int:
    number = begun(who)
    for section, given in answers.items():
        page = who.send(f"/requests/{number}/edit/{section}", dict(given))
        assert page.status == 303, page.words
    return number


def registered(app: Flask, clock: Clock) -> int:
    """A request that was sent by one, and decided by another."""
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin)
    assert robin.send(f"/requests/{number}/check").status == 303
    there = f"/requests/{number}"
    assert odell.send(there, action=f"{there}/take").status == 303
    shown = odell.get(f"/desk/{number}/register").text("//main")
    assert "ark:NNNNN/x1" in shown and "On file since" not in shown and "Not for profit" in shown
    done = odell.send(f"/desk/{number}/register")
    assert done.status == 303, done.words
    return number


def composed(row: Outbox) -> EmailMessage:
    """A letter as it is sent."""
    return compose_letter(
        row.template,
        json.loads(row.arguments),
        sender="registry@urn.example",
        recipient=row.recipient,
        message_id=row.message_id,
        date=row.created,
    )


def given_naan(app: Flask, number: int) -> str:
    page = Person(app).get(f"/requests/{number}")
    found = re.search(r"ark:(\w{5})\b", page.text("//h1"))
    assert found is not None
    return found[1]


def test_the_way_from_the_form_leads_to_a_redirect(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    number = registered(app, clock)
    naan = given_naan(app, number)
    assert parse_ark(f"ark:{naan}/x1").naan == naan
    assert naan.startswith("x")  # of a private registry
    edition_build.build_pending(clock(), factories.PLACE)
    published = tmp_path / "laid out"
    for group in (URN_GROUP, NAAN_GROUP):
        publication.lay_out_newest(published, factories.making(), group)
    plane = PublishedPlane(published)
    answer = ask(plane, f"/ark:{naan}/x1")
    assert (answer.status, answer.headers["Location"]) == (
        302,
        f"https://wombat.example/ark:{naan}/x1",
    )
    page = ask(plane, f"/naans/{naan}").body.decode()
    assert f"ark:{naan}/x1" in page  # the test ARK, with its number put in
    told = [str(one.arguments) for one in db.session.scalars(select(Outbox))]
    assert any(f"ark:{naan} is registered" in one for one in told)
    assert not [one for one in told if "namespace" in one or "RFC 8141" in one]
    letters = [composed(one) for one in db.session.scalars(select(Outbox))]
    marked = [one["Subject"] for one in letters if f" {number}]" in one["Subject"]]
    assert marked and all(f"[ark {number}]" in subject for subject in marked)
    (given,) = [one for one in letters if one["Subject"].startswith("Registered: ")]
    assert f"/naans/{naan}\n" in given.get_content()


def test_the_form_tells_each_mistake_where_it_was_made(app: Flask, clock: Clock) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = begun(robin)
    for section, field, text, sentence in WRONG:
        page = robin.send(f"/requests/{number}/edit/{section}", ANSWERS[section] | {field: text})
        told = page.text(f"//*[@data-told='{field}']").replace("Error: ", "")
        assert page.status == 422, (field, text)
        assert sentence.replace("`", "") in told.replace("`", ""), (field, told)
    for section in ("syntax", "documents", "name-and-purpose"):
        assert robin.get(f"/requests/{number}/edit/{section}").status == 404


def test_pages_of_a_request_speak_of_naans(app: Flask, clock: Clock) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = written(robin)
    new = robin.get(f"/requests/new?kind={SHOULDERS.id}")
    pages = [
        new,
        *(robin.get(f"/requests/{number}/edit/{section}") for section in ANSWERS),
        robin.get(f"/requests/{number}/check"),
    ]
    for words in ("Not for profit", "Never given again (NR), Opaque (OP)"):
        assert words in pages[-1].text("//dl")
    assert robin.send(f"/requests/{number}/check").status == 303
    pages += [Visitor(app).get(f"/requests/{number}{tail}") for tail in ("", "/iterations/1")]
    draft, message = (
        Visitor(app).get(f"/requests/{number}/{file}")
        for file in ("internet-draft.xml", "message.txt")
    )
    assert (draft.status, "register NAANs" in draft.words) == (404, True)
    assert "Registration of a new NAAN" in message.html
    assert not [w for w in ("URN", "RFC 8141", "emplate") if w in message.html]
    for page in pages:
        said = page.text("//main").partition("Other identifiers")[0]
        assert "`" not in said.partition("as text")[0]
        assert [w for w in ("namespace", "urn:", "RFC 8141", "xperts", "naan ") if w in said] == []
    ticked = pages[2].each("//input[@name='policy'][@checked]")
    assert [box.get("value") for box in ticked] == ["NR", "OP"]
    assert "NAAN" in new.words and "Shoulder" in new.words


def test_who_misses_a_naan_is_told_of_naans(app: Flask, clock: Clock) -> None:
    naan = given_naan(app, registered(app, clock))
    near = naan[:4] + ("1" if naan[4] == "0" else "0")
    tool = Visitor(app).get("/tools/ark", query_string={"q": f"ark:{naan}/x1"})
    assert f"https://wombat.example/ark:{naan}/x1" in tool.words
    assert [one for one in ("was not registered", "n2t.net/ark:x") if one in tool.words] == []
    notice = "This is a private registry of NAANs."
    assert notice in Visitor(app).get(f"/naans/{naan}").words
    assert notice in Visitor(app).get("/requests/1/record.txt").html
    with read_transaction():
        assert current_snapshot(NAAN_GROUP).notice.startswith(notice)
        assert snapshot_of(1).notice.startswith("This is a private registry of URN namespaces.")
    told = {
        f"/naans/{near}": f"Did you mean ark:{naan}?",
        f"/naans/{near}.json": f"No NAAN ark:{near} is registered",
        f"/naans/{naan}/zz": f"ark:{naan} is registered: see /naans/{naan}",
        f"/resolvers/ark:{near}": f"ark:{near}",
    }
    for path, sentence in told.items():
        page = Visitor(app).get(path)
        assert (page.status, sentence in page.words.replace("`", "")) == (404, True), page.words
        assert "Namespace not registered" not in page.html, path
        assert "RFC 8141" not in page.text("//main"), path
    page = Visitor(app).get(f"/namespaces/{naan}")
    assert page.status == 404
    assert f"The NAAN ark:{naan} is registered" in page.words
    assert "Earlier requests" not in page.words


def test_pages_that_lead_to_a_request_lead_to_one_for_a_naan_too(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app(demo=True, naans=True)
    with app.app_context():
        pages = [Person(app).get(path) for path in ("/", "/requests/", "/help/")]
        other = Person(app).get(f"/requests/new?kind={NAANS.id}")
        ways = Person(app).get("/help/procedures")
        sign_in_page = Person(app).get("/sign-in")
    for page in pages:
        assert "Request a NAAN" in page.words
        assert NAANS.asked_first in page.values("href", "main//a")
    home, _, guide = pages
    assert {"/assignments/naans/naans.json", "/assignments/naans/?sort=date&order=desc"} <= set(
        home.values("href")
    )
    assert {"/help/procedures#NAAN", "/help/procedures#shoulder"} <= set(guide.values("href"))
    assert "No experts review it" in guide.words
    assert "Request an informal namespace" in other.words
    assert "have no expert review" in ways.words
    assert "Manages a NAAN" in sign_in_page.words


def test_the_desk_begins_with_what_is_due_first_of_any_registry(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    slow = begin(app, people, clock, Procedure.COMMUNITY)
    slow.do(Action.SUBMIT, people.registrant)
    clock.on(minutes=1)
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    quick = written(robin)
    assert robin.send(f"/requests/{quick}/check").status == 303
    desk = odell.get("/desk/")
    first = desk.each("//table[contains(@class, 'requests')][1]//tbody//a/@href")
    assert first == [f"/requests/{quick}", f"/requests/{slow.number}"]


def test_a_draft_goes_by_the_shoulder_that_was_typed(app: Flask, clock: Clock) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = begun(robin, SHOULDERS.id)
    typed = {"naan_name": "12345/x5"}
    robin.send(f"/requests/{number}/edit/name-and-purpose", typed)
    assert "ark:12345/x5" in robin.get("/requests/yours").text(
        "//table[contains(@class, 'requests')][1]"
    )


@pytest.mark.parametrize("registry", [NAANS, SHOULDERS], ids=lambda one: one.id)
def test_an_accepted_invitation_leads_to_the_people_of_that_naan_or_shoulder(
    app: Flask, clock: Clock, registry: Registry
) -> None:
    people = factories.cast(clock())
    name = factories.registered_naan(people, clock())
    if registry is SHOULDERS:
        name = factories.registered_shoulder(people, clock(), f"{name}/x5")
    there = f"/naans/{name}/people"
    sent = visitor(app, people.registrant.email, clock).send(
        there, {"address": people.rival.email}, action=f"{there}/invite"
    )
    assert sent.status == 303, sent.words
    invited = visitor(app, people.rival.email, clock)
    with read_transaction():
        newest = select(Claim.number).where(Claim.kind == ClaimKind.INVITATION)
        claim = db.session.scalars(newest).one()
    link = f"/links/{delegate_mail.token_of_claim(claim, app.config['SECRET_KEY'])}"
    used = invited.post(link, invited.get(link).form(link))
    assert (used.status, used.location) == (303, there)
    page = invited.get(there)
    assert page.status == 200
    assert f"You now manage ark:{name}." in page.words


def test_no_address_is_built_by_a_route_that_every_identifier_space_has(app: Flask) -> None:
    """The views below serve URN namespaces at one address, and NAANs and shoulders at another.

    An address built by their endpoint is that of a namespace, so it must come from the space.
    """
    served = [one for one in app.view_functions.items() if "space" in signature(one[1]).parameters]
    views = {tuple(endpoint.rsplit(".", 1)) for endpoint, _ in served}
    assert ("delegates", "people") in views
    built = re.compile(r"""url_for\(\s*["']([a-z_]*)\.([a-z_]+)["']""")
    root = Path(app.root_path)
    for file in [*root.rglob("*.py"), *(root.parent / "templates").rglob("*.html")]:
        text = file.read_text()
        own = re.search(r'^bp = Blueprint\("([a-z_]+)"', text, re.MULTILINE)
        shared = "delegates" if "delegate_pages import bp" in text else ""
        blueprint = own[1] if own else shared
        for of, view in built.findall(text):
            assert (of or blueprint, view) not in views, file


def test_nobody_decides_their_own_request(app: Flask, clock: Clock) -> None:
    operator = factories.cast(clock()).operator
    odell = visitor(app, operator.email, clock)
    number = written(odell)
    assert odell.send(f"/requests/{number}/check").status == 303
    assert odell.send(f"/requests/{number}", action=f"/requests/{number}/take").status == 303
    refused = _register_own(odell, number)
    assert refused.status in (403, 409, 422)
    assert "Registered" not in Person(app).get(f"/requests/{number}").title


def test_a_second_operator_is_told_why_and_gives_the_name(make_app: MakeApp, clock: Clock) -> None:
    app = make_app(demo=True, naans_one_person_may_give=0)
    with app.app_context():
        people = factories.cast(clock())
        robin, odell, otto = (
            visitor(app, one.email, clock)
            for one in (people.registrant, people.operator, people.second_operator)
        )
        number = written(robin)
        there, register = f"/requests/{number}", f"/desk/{number}/register"
        assert robin.send(f"{there}/check").status == 303
        assert odell.send(there, action=f"{there}/take").status == 303
        shown = odell.get(there)
        assert "your limit for 24 hours" in shown.text("//*[@id='second']/..")
        assert register not in shown.values("href", "a")
        assert odell.get(register).location == there
        assert odell.send(there, action=f"{there}/endorse").status == 303
        for who in (odell, Person(app)):
            page = who.get(there)
            assert "Waiting for a second operator" in page.words
            assert register not in page.values("href", "a")
        assert "Waiting for another operator" in odell.get(there).words
        assert "another operator decides" in odell.get("/desk/").text("//table")
        assert odell.get(register).location == there
        desk = otto.get("/desk/")
        assert register in desk.values("href", "a") and "another operator" not in desk.words
        second = otto.get(register).words
        assert "You are the second operator" in second
        assert f"{people.operator.email} approved this request and reached" in second
        fields = otto.get(register).form(register)
        refused = odell.post(register, fields)
        assert refused.status in (403, 409, 422)
        assert otto.send(register).status == 303
        assert "Assigned" in robin.get(there).words


def test_what_is_returned_comes_back_and_what_is_declined_cannot_be_appealed(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin)
    there = f"/requests/{number}"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    asks = {"reason": "Which texts have no number yet?"}
    assert odell.send(there, asks, action=f"{there}/return").status == 303
    assert asks["reason"] in robin.get(f"{there}/check").words
    changed = robin.send(f"{there}/edit/assignment", ANSWERS["assignment"] | {"tenure": "2027"})
    assert changed.status == 303
    again = robin.get(f"{there}/check").text("//main")
    assert "Changes since the submitted text" in again
    foreign = ("reviewers", "template", "Version", "Date", "urator")
    assert not [word for word in foreign if word in again]
    record = odell.get(f"{there}/record.txt").html
    assert "Reviews" not in record and "Discussion" in record
    said = odell.get(there).words
    assert not [word for word in ("template", "for an expert", "urator") if word in said]
    assert robin.send_again(number).status == 303
    assert odell.send(there, {"reason": "You have 12345."}, action=f"{there}/decline").status == 303
    page = robin.get(there)
    assert "Declined" in page.words and "Appeal" not in page.words
    told = [str(one.arguments) for one in db.session.scalars(select(Outbox))]
    assert not [one for one in told if "ppeal until" in one or "can appeal" in one]


def _register_own(who: Visitor, number: int) -> Page:
    shown = who.get(f"/desk/{number}/register")
    there = f"/desk/{number}/register"
    fields = shown.form(there) if shown.status == 200 else {}
    return who.post(there, fields)


def _paths(app: Flask, number: int, naan: str) -> Iterator[str]:
    """Every address that can be asked for, with what this test made filled in.

    A route that comes later is among them; KeyError where nobody said what fills its argument.
    """
    known: dict[str, tuple[object, ...]] = {
        "number": (number, 1, 2),
        "name": (naan, "pending", "decided", "yours"),
        "nid": ("quokka",),
        "section": tuple(FormSection),
        "k": (1,),
        "before": (1,),
        "after": (2,),
        "ident": ("Nobody", 1),
        "event": (1,),
        "token": ("guessed",),
        "file": ("naans.json",),
        "filename": ("ui.css",),
        "code": ("name_taken",),
        "text": (f"ark:{naan}",),
        "suffix": ("txt", "md", "csv"),
        "task": ("minting",),
        "kind": ("formal",),
    }
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            names = sorted(rule.arguments)
            every = product(*(known[name] for name in names))
            paths = [_path_of(adapter, rule, dict(zip(names, one, strict=True))) for one in every]
            assert any(paths), rule
            yield from filter(None, paths)


def _path_of(adapter: object, rule: Rule, given: Mapping[str, object]) -> str:
    try:
        return str(adapter.build(rule.endpoint, given))  # type: ignore[attr-defined]
    except (BuildError, ValueError):
        return ""


def test_what_is_private_is_in_no_page_no_file_and_no_mail(
    app: Flask, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    number = registered(app, clock)
    naan = given_naan(app, number)
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(10) == []
        latest = edition_rows.latest_edition(NAAN_GROUP)
        assert latest is not None
        files = stored_files.files_of(latest.n)
        bodies = {file.path: edition_rows.content(file.sha256) or b"" for file in files}
        holding = {table for table in Base.metadata.tables if MARKER in str(rows_of(table))}
    assert naan.encode() in bodies[f"/naans/{naan}.json"]
    assert not [path for path, body in bodies.items() if MARKER.encode() in body]
    assert holding == {"private_value"}
    people = factories.cast(clock())
    rival = visitor(app, people.rival.email, clock)
    for expert in (people.expert, people.leader):  # of other registries: this one has none
        page = visitor(app, expert.email, clock).get(f"/requests/{number}")
        assert (page.status, MARKER in page.html) == (200, False)
    assert MARKER in visitor(app, people.operator.email, clock).get(f"/requests/{number}").html
    asked = list(_paths(app, number, naan))
    assert {f"/requests/{number}", f"/requests/{number}/edit/registrant"} <= set(asked)
    assert f"/desk/{number}/register" in asked and f"/naans/editions/1/naans/{naan}" in asked
    for path in asked:
        for who in (Person(app), rival):
            assert MARKER not in who.get(path).html, path
    for wrong in ({"q": MARKER}, {}):
        assert f"{MARKER} Contact" not in Person(app).get("/", query_string=wrong).html
    assert MARKER not in caplog.text


def test_a_request_for_a_naan_is_discussed_as_others_are(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin)
    there = f"/requests/{number}"
    assert robin.send(f"{there}/check").status == 303
    said = {"comment": "Which department is meant?", "section": "organization"}
    page = odell.send(there, said, action=f"{there}/comments")
    assert page.status == 303, page.words
    assert "Which department is meant?" in Person(app).get(there).words
    wrong = odell.send(there, {"comment": "a\x07b"}, action=f"{there}/comments")
    assert (wrong.status, "Your comment is U+0007" in wrong.words) == (422, True), wrong.words


def test_what_was_said_before_the_form_brings_no_refusals_of_what_was_not_asked_yet(
    app: Flask, clock: Clock
) -> None:
    who = visitor(app, "ada@library.example", clock)
    there = f"/requests/new?kind={NAANS.id}&organization=Zyx"
    form = who.get(there).form("/requests/new") | {"registry": NAANS.id}
    started = who.post(there, form)
    assert started.status == 303, started.words[:300]
    first = who.get(started.location)
    assert first.status == 200 and "Zyx" in first.values("value", "input")
    assert "problem" not in first.words and not first.values("aria-invalid", "input")
