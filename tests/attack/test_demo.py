"""Demo mode stays on the machine that it runs on, and what was done in it counts nowhere else."""

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from app.config import BadSetting, Settings, read_settings
from app.factory import asset_dir, create_app
from app.services import use_cases
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor, ScopedRole
from app.services.experts import panel_membership
from app.services.experts.fast_track_organizations import all_recognized
from app.services.experts.panel_membership import public_appointments
from app.services.mail import incoming_mail, outbox_delivery
from app.services.operations import demo_people
from app.services.refusals import InvalidInput
from app.services.request_status.panel_evidence import able
from app.services.requests import drafts, queues
from app.store.accounts import account_rows, expert_panels, session_rows
from app.store.administration.migrations import migrate
from app.store.database import db, read_transaction, transaction
from app.store.requests import request_rows
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.published.loopback import serve
from tests.published.wsgi_site import create_application
from tests.running.proxies import Browser, proxy
from tests.store.downgrading import migrate_down
from tests.web.conftest import newest_link
from tests.web.visitor import Visitor

OPERATOR, EXPERT, ROBIN = "operator@demo.example", "expert@demo.example", "registrant@demo.example"
SECOND = "expert2@demo.example"
PUBLIC = ("https://registry.example", "https://127.0.0.1.example", "https://192.0.2.1")


@pytest.mark.parametrize("base_url", PUBLIC)
def test_it_does_not_start_for_a_public_address_whatever_serves_it(base_url: str) -> None:
    settings = read_settings({"URN_REGISTRY_DEMO": "yes", "URN_REGISTRY_BASE_URL": base_url})
    for make in (create_app, create_application):
        with pytest.raises(BadSetting, match="URN_REGISTRY_DEMO"):
            make(settings)


ELSEWHERE = [
    {"Host": "registry.example"},
    {"Host": "192.0.2.1:8000"},
    {"Host": "127.0.0.1.example"},
    {"Host": "127.0.0.1@registry.example"},
    {"Host": ""},
    {"X-Forwarded-For": "203.0.113.9"},
    {"X-Forwarded-Host": "127.0.0.1"},
    {"X-Forwarded-Proto": "https"},
    {"Forwarded": "for=203.0.113.9"},
    {"X-Real-IP": "203.0.113.9"},
    {"Via": "1.1 proxy"},
    {"Origin": "https://registry.example"},
    {"Origin": "http://["},
    {"Origin": "null", "Sec-Fetch-Site": ""},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "null", "Sec-Fetch-Site": "none"},
    {"Origin": "null", "Referer": "https://registry.example/", "Sec-Fetch-Site": "same-origin"},
    {"Referer": "https://registry.example/sign-in"},
    {"X-Cluster-Client-IP": "203.0.113.9"},
    {"Client-IP": "203.0.113.9"},
]
PATHS = ("/", "/sign-in", "/requests/", "/healthz", "/static/ui.css", "/nowhere")


@pytest.fixture
def shown(tmp_path: Path) -> Flask:
    """A demonstration whose database nobody needs: who is refused gets no further."""
    return create_app(Settings(data_dir=tmp_path, secret_key="of a test", demo=True))


def test_what_comes_from_elsewhere_is_refused_before_anything_else(shown: Flask) -> None:
    visitor = Visitor(shown)
    for headers in ELSEWHERE:
        pages = [visitor.get(path, headers=headers) for path in PATHS]
        for refused in (*pages, visitor.post("/demo/sign-in/3", headers=headers)):
            assert (refused.status, "Set-Cookie" in refused.headers) == (403, False), headers
            assert "its own computer" in refused.words
            assert "/" not in refused.values("href", "a"), "which is refused as well"


def test_what_comes_from_another_machine_is_refused(shown: Flask) -> None:
    client = shown.test_client()
    for address in ("203.0.113.9", "::ffff:203.0.113.9", ""):
        asked = {"REMOTE_ADDR": address}
        assert client.post("/demo/sign-in/3", environ_overrides=asked).status_code == 403
    for asked in ({"RAW_URI": "http://x.example/"}, {"SERVER_PROTOCOL": "HTTP/1.0"}):
        assert client.get("/", environ_overrides=asked).status_code == 403


def test_on_the_machine_itself_the_demonstration_answers(shown: Flask) -> None:
    for host in ("127.0.0.1", "localhost:8000", "[::1]:8000", "LOCALHOST"):
        assert Visitor(shown).get("/sign-in", headers={"Host": host}).status == 200
    # the form of a page without a referrer, such as that of a sign-in link
    own = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    assert Visitor(shown).get("/sign-in", headers=own).status == 200
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        asked = {"REMOTE_ADDR": address}
        assert shown.test_client().get("/sign-in", environ_overrides=asked).status_code == 200


def test_the_published_files_of_a_demonstration_stay_here_too(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, secret_key="of a test", demo=True)
    with serve(create_application(settings)) as site, proxy(site) as public:
        browser = Browser(public)
        for path in ("/", "/assignments/urn-namespaces/", "/sign-in"):
            assert browser.get(path)[0] == 403
        assert browser.post("/demo/sign-in/3", {})[0] == 403
        assert Browser(site).get("/sign-in")[0] == 200


def test_behind_a_proxy_people_sign_in_by_the_link_that_was_mailed(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app()
    settings: Settings = app.extensions["settings"]
    with app.app_context():
        factories.cast(clock())
    sent: list[EmailMessage] = []
    with serve(app.wsgi_app) as site, proxy(site) as public:
        browser = Browser(public)
        assert browser.post("/demo/sign-in/3", {})[0] == 404
        assert browser.send("/sign-in", email="odell@registry.example")[0] == 200
        with app.app_context():
            _send(sent, clock, settings.base_url)
        (link,) = (word for word in sent[0].get_content().split() if "/sign-in/" in word)
        assert browser.send(link.removeprefix(settings.base_url))[0] == 303
        status, page = browser.get("/desk/")
    assert (status, "Sign out" in page or "account" in page) == (200, True)


def _send(sent: list[EmailMessage], clock: Clock, base_url: str = "https://r.example") -> None:
    outbox_delivery.send_waiting(
        clock(), deliver=sent.append, sender="r@r.example", secret="of a test", base_url=base_url
    )


# ---- after a restart without it


@dataclass(frozen=True)
class After:
    """The registry that was a demonstration, and is none any more."""

    app: Flask
    tokens: dict[str, str]
    request: int
    real: Actor


@pytest.fixture
def after(make_app: MakeApp, clock: Clock) -> Iterator[After]:
    """People of the demonstration did all that they can; then it was started without it."""
    live, shown = make_app(), make_app(demo=True)
    with live.app_context():
        real = factories.cast(clock())
    with shown.app_context():
        demo_people.add_people(clock())
        people = {
            email: sign_in.enter_as(email, clock()) for email in (OPERATOR, EXPERT, ROBIN, SECOND)
        }
        operator, robin = people[OPERATOR].actor, people[ROBIN].actor
        number = factories.sent(robin, clock(), namespace_identifier="quokka")
        factories.act(number, Action.TAKE, operator, clock())
        factories.act(number, Action.PASS, operator, clock())
        factories.comment(number, robin, clock(), "Quokkas are small.")
        for email in ("rival@other.example", "new@other.example"):
            panel_membership.appoint(
                factories.command(operator, clock(), key=email), email, "leader", "", "by nobody"
            )
        sign_in.ask_for_link(OPERATOR, "/", clock(), secret="of a test", host="h")
    with live.app_context():
        yield After(
            live, {email: one.token for email, one in people.items()}, number, real.operator
        )


def test_its_sessions_are_worth_nothing(after: After, clock: Clock) -> None:
    for token in after.tokens.values():
        assert sign_in.who(token, clock()) is None
        assert Visitor(after.app, token).get("/account").status == 303


@pytest.mark.postgresql
def test_its_sessions_end_for_good_at_the_next_start(make_app: MakeApp, clock: Clock) -> None:
    with make_app(demo=True).app_context():
        token = sign_in.enter_as(EXPERT, clock()).token
        real = sign_in.enter_as("robin@org.example", clock())
        assert sign_in.who(token, clock()) is not None
        demo_people.end_sessions(clock())
        assert sign_in.who(token, clock()) is None
        assert real


@pytest.mark.postgresql
def test_its_roles_count_nowhere(after: After, clock: Clock) -> None:
    emails = {"operator": OPERATOR, "expert": EXPERT}
    for email in emails.values():
        assert account_rows.find_account(email) is None
    for grant in Grant:
        assert not any(one.demo for one in account_rows.holders(grant, clock()))
    holders = {one.email for grant in Grant for one in account_rows.holders(grant, clock())}
    assert "operator@demo.example" not in holders
    assert "rival@other.example" not in holders
    members = {one.email for one in expert_panels.members_of("urn-namespaces-1", clock())}
    assert members == {"ellis@experts.example", "emery@experts.example", "lee@experts.example"}
    assert len(expert_panels.leaders_of("urn-namespaces-1", clock())) == 1
    shown = {one.email for one in panel_membership.panel()}
    assert not any(email.endswith("@demo.example") for email in shown)
    assert "rival@other.example" not in shown
    public = {one.name for one in public_appointments()}
    assert public.isdisjoint(person.name for person in demo_people.PEOPLE)


def test_its_experts_have_no_request_and_judge_none(after: After, clock: Clock) -> None:
    assert not any(one.demo for one in expert_panels.assigned_to(after.request))
    request = request_rows.find_request(after.request)
    assert request is not None
    may = {one.email for one in able(request, clock(), SeparationOfDuties(3))}
    assert may == {"ellis@experts.example", "emery@experts.example", "lee@experts.example"}


def test_somebody_whom_its_operator_appointed_has_no_role_but_may_come(
    after: After, clock: Clock
) -> None:
    for email in ("rival@other.example", "new@other.example"):
        sign_in.ask_for_link(email, "/", clock(), secret="of a test", host="h")
        token = newest_link(after.app, email)
        assert not sign_in.use_link(token, clock()).actor.grants


def test_no_mail_goes_to_its_people(after: After, clock: Clock) -> None:
    factories.comment(after.request, after.real, clock(), "Are they?")
    sent: list[EmailMessage] = []
    while outbox_delivery.send_waiting(
        clock(), deliver=sent.append, sender="r@r.example", secret="s", base_url="https://r.example"
    ):
        pass
    assert not [one["To"] for one in sent if "demo.example" in str(one["To"])]


@pytest.mark.postgresql
def test_nobody_signs_in_by_its_addresses(after: After, clock: Clock) -> None:
    with read_transaction():
        (ident,) = db.session.execute(
            text("SELECT id FROM sign_in WHERE email = :email"), {"email": OPERATOR}
        ).scalars()
    with pytest.raises(sign_in.LinkSpent):
        sign_in.use_link(sign_in.token_of(ident, "of a test"), clock())
    page = Visitor(after.app).send("/sign-in", {"email": OPERATOR})
    assert (page.status, "reserved for the demonstration" in page.words) == (422, True)
    with pytest.raises(InvalidInput, match="demonstration"):
        sign_in.grant(OPERATOR, Grant.OPERATOR, clock())
    number = factories.draft(after.real, clock())
    saving = drafts.DraftInput(fields={}, private={"contact_address": OPERATOR})
    drafts.save(factories.command(after.real, clock(), seen=2), number, saving)
    with read_transaction():
        writing = drafts.open_draft(after.real, number, clock().date().isoformat())
    assert [one.code for one in writing.problems] == ["address"]


def test_nobody_writes_by_its_addresses(after: After, clock: Clock) -> None:
    message = EmailMessage()
    message["From"], message["To"] = EXPERT, "registry@r.example"
    message["Subject"], message["Message-ID"] = f"Re: [urn {after.request}] quokka", "<1@x.example>"
    message.set_content("I approve of it.")
    incoming_mail.ingest(message.as_bytes(), clock(), factories.policy("of a test"))
    page = Visitor(after.app).get(f"/requests/{after.request}")
    assert "I approve of it." not in page.words


def test_what_its_people_wrote_stays(after: After, clock: Clock) -> None:
    page = Visitor(after.app).get(f"/requests/{after.request}")
    assert (page.status, "Quokkas are small." in page.words) == (200, True)
    assert any(row.number == after.request for row in queues.about("quokka", clock()))


def test_real_people_are_as_they_were(after: After, clock: Clock) -> None:
    assert sign_in.who(after.tokens[OPERATOR], clock()) is None
    with transaction():
        account = account_rows.get_or_add_account("odell@registry.example", clock())
    assert not account.demo
    assert all_recognized(after.real, clock()) == ()
    sign_in.grant("odell@registry.example", Grant.LEADER, clock())
    with read_transaction():
        leaders = {one.email for one in account_rows.holders(Grant.LEADER, clock())}
    assert leaders == {"lee@experts.example", "odell@registry.example"}


def test_a_role_that_a_demonstration_gave_can_be_given_for_good(after: After, clock: Clock) -> None:
    panel_membership.appoint(
        factories.command(after.real, clock(), key="c"),
        "rival@other.example",
        "leader",
        "",
        "by the IESG",
    )
    assert len(expert_panels.leaders_of("urn-namespaces-1", clock())) == 2


def test_what_older_software_made_of_a_demonstration_is_marked(
    make_app: MakeApp, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    scripts = asset_dir("migrations")
    # older software did not read roles anew, and took those of a demonstration for good
    monkeypatch.setattr(use_cases, "with_roles_at", lambda actor, _at: actor)
    with app.app_context():
        people = factories.cast(clock())
        with transaction():
            account_rows.add_account(OPERATOR, clock())
            operator = account_rows.get_or_add_account(OPERATOR, clock())
            account_rows.add_grant(operator.id, Grant.OPERATOR, clock())
            session_rows.add_session(
                "of a browser", operator.id, clock(), clock.now.replace(year=2027)
            )
            roles = frozenset({ScopedRole(Grant.OPERATOR)})
            actor = Actor(operator.id, "", OPERATOR, roles)
        panel_membership.appoint(
            factories.command(actor, clock(), key="key"),
            "rival@other.example",
            "leader",
            "",
            "nobody's",
        )
        with read_transaction():  # what is read keeps a migration from the table until it ends
            assert len(expert_panels.leaders_of("urn-namespaces-1", clock())) == 2
        migrate_down(scripts, "0005")
        migrate(scripts)
        assert sign_in.who("of a browser", clock()) is None
        assert {one.email for one in account_rows.holders(Grant.OPERATOR, clock())} == {
            people.operator.email,
            people.second_operator.email,
        }
        assert len(expert_panels.leaders_of("urn-namespaces-1", clock())) == 1
