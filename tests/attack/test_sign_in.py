"""Whoever asks for links by the thousand stops nobody else from getting in."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from flask import Flask
from sqlalchemy import event, func, select

from app.outside import smtp
from app.registration.declarations.registries import FORMAL, URN_SPACE
from app.services.accounts import rate_limits, sign_in
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.accounts.sign_in import Client
from app.services.delegates import delegation
from app.services.mail import outbox_delivery
from app.services.refusals import RateLimitExceeded
from app.services.requests import drafts
from app.store.database import db, read_transaction, transaction
from app.store.mail import outbox_messages
from app.store.tables import Attempt, Outbox, SignIn
from app.store.tables.outbox import Delivery
from tests import factories
from tests.conftest import START, Clock, MakeApp
from tests.outside.test_smtp import Mailbox, Running
from tests.store.at_once import at_once
from tests.torture.conftest import rounds
from tests.web.conftest import World, without_demo
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
OPERATOR = "odell@registry.example"
ATTACKER, ELSEWHERE = "203.0.113.7", "198.51.100.20"
MANY = rounds(2_000, 120)


class Choosy(Mailbox):
    """A mail server that knows some people, and answers 550 for all others."""

    def __init__(self, *known: str) -> None:
        super().__init__()
        self.known = known
        self.refused = 0

    async def handle_RCPT(  # noqa: N802 — the name that the server asks for
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """A recipient is named."""
        if address not in self.known:
            self.refused += 1
            return "550 5.1.1 no such user"
        return await super().handle_RCPT(server, session, envelope, address, options)

    @property
    def reached(self) -> list[str]:
        """Who got a message, in order."""
        return [envelope.rcpt_tos[0] for envelope in self.envelopes]


@pytest.fixture
def fresh(fresh: World) -> Iterator[World]:
    """A world that strangers come to."""
    with without_demo(fresh) as world:
        yield world


@pytest.fixture
def choosy() -> Iterator[tuple[Choosy, str]]:
    """It, and where it is."""
    mailbox = Choosy(OPERATOR, "friend@org.example")
    with Running(mailbox) as address:
        yield mailbox, address


def one_round(clock: Clock, address: str) -> int:
    """What the worker sends before it looks at its other work."""
    return outbox_delivery.send_waiting(
        clock(),
        deliver=partial(smtp.send, smtp_url=f"smtp://{address}"),
        sender="registry@registry.example",
        secret="s",
        base_url="https://registry.example",
    )


def post(visitor: Visitor, email: str, peer: str = ATTACKER, **headers: str) -> Page:
    """Ask for a link from somewhere."""
    given: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": peer}, "headers": headers}
    return visitor.post("/sign-in", {"email": email, "next": "/"}, **given)


def mailed(app: Flask) -> list[str]:
    """Who has a link on its way, in the order of asking."""
    with app.app_context(), read_transaction():
        return list(db.session.scalars(select(Outbox.recipient).order_by(Outbox.id)))


def ask(address: str, at: Any, client: Client | None = None, kept: str = "") -> bool:
    """Ask for a link without a browser."""
    known = {"client": client} if client else {}
    return sign_in.ask_for_link(address, "/", at, secret="s", host="h", kept=kept, **known)


def test_one_client_asks_by_the_thousand_and_the_operators_link_arrives_at_once(
    make_app: MakeApp, clock: Clock, choosy: tuple[Choosy, str]
) -> None:
    app, (mailbox, address) = make_app(), choosy
    visitor = Visitor(app)
    with app.app_context():
        before = len(mailed(app))
        statuses = [post(visitor, f"s{n}@victim.example").status for n in range(MANY)]
        asked = post(Visitor(app), OPERATOR, ELSEWHERE)
        sent = one_round(clock, address)
    assert asked.status == 200
    assert (sent, mailbox.reached) == (1, [OPERATOR])
    assert mailbox.refused < 30, "the mail server is not made to send to strangers"
    assert statuses.count(200) == LIMITS[RateLimitKind.LINKS_OF_CLIENT].most
    assert len(mailed(app)) - before <= LIMITS[RateLimitKind.LINKS_OF_CLIENT].most + 1


def test_refused_recipients_delay_nobody(
    app: Flask, clock: Clock, choosy: tuple[Choosy, str]
) -> None:
    mailbox, address = choosy
    for n in range(15):
        ask(f"nobody{n}@gone.example", clock())
    ask("friend@org.example", clock())
    assert one_round(clock, address) == 1
    assert mailbox.reached == ["friend@org.example"]
    assert mailbox.refused == 15


def test_a_link_goes_before_mail_that_waits_longer_and_an_operators_before_a_strangers(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    factories.sent(people.registrant, clock())
    for address in ("stranger@other.example", people.rival.email, people.leader.email):
        ask(address, clock.on(seconds=1))
    taken = []
    for _ in range(4):
        with transaction():
            message = outbox_messages.lease(clock())
            assert message is not None
            outbox_messages.mark_sent(message.id)
            taken.append((message.recipient, message.template))
    links = [who for who, template in taken if template == "sign-in"]
    assert links == [people.leader.email, "stranger@other.example", people.rival.email]
    assert taken[3][1] != "sign-in"


def test_an_address_in_another_script_that_the_server_cannot_take_holds_nobody_up(
    app: Flask, clock: Clock
) -> None:
    ask("grüße@gone.example", clock())
    ask("friend@org.example", clock())
    mailbox = Choosy("friend@org.example")
    with Running(mailbox, enable_SMTPUTF8=False) as address:
        assert one_round(clock, address) == 1
    assert mailbox.reached == ["friend@org.example"]


@ONE_DATABASE
@pytest.mark.parametrize(
    ("peers", "limit"),
    [
        ([ATTACKER] * 99, RateLimitKind.LINKS_OF_CLIENT),
        ([f"203.0.113.{n}" for n in range(99)], RateLimitKind.LINKS_OF_NETWORK),
        ([f"2001:db8:1:2::{n:x}" for n in range(99)], RateLimitKind.LINKS_OF_CLIENT),
        ([f"2001:db8:1:{n:x}::1" for n in range(99)], RateLimitKind.LINKS_OF_NETWORK),
    ],
)
def test_who_asks_is_limited_until_the_answer_says(
    fresh: World, peers: list[str], limit: RateLimitKind
) -> None:
    visitor, clock = fresh.visitor(), fresh.app.extensions["now"]
    pages = [post(visitor, f"s{n}@victim.example", peer) for n, peer in enumerate(peers)]
    most = LIMITS[limit].most
    assert [page.status for page in pages] == [200] * most + [429] * (99 - most)
    last = pages[-1]
    assert faults(last) == []
    assert last.form("/sign-in")["email"] == "s98@victim.example"
    assert "in 15 minutes." in last.words
    assert post(visitor, "other@victim.example", ELSEWHERE).status == 200
    clock.on(seconds=int(last.headers["Retry-After"]) - 1)
    assert post(visitor, "s98@victim.example", peers[-1]).status == 429
    clock.on(seconds=1)
    assert post(visitor, "s98@victim.example", peers[-1]).status == 200


@ONE_DATABASE
def test_a_mailbox_is_one_whatever_stands_behind_a_plus(fresh: World) -> None:
    visitor = fresh.visitor()
    addresses = ["a+1@d.example", "A@d.example", "a+2+3@D.example", "a+@d.example", "a+x@d.example"]
    for n, address in enumerate(addresses):
        assert post(visitor, address, f"203.0.{n}.1").status == 200
    assert post(visitor, "a+4@d.example", ELSEWHERE).status == 429
    assert post(visitor, "b@d.example", ELSEWHERE).status == 200


def test_a_crowd_stops_strangers_and_nobody_with_an_account(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    monkeypatch.setitem(LIMITS, RateLimitKind.LINKS, replace(LIMITS[RateLimitKind.LINKS], most=10))
    before = len(mailed(app))
    for n in range(30):
        with pytest.raises(RateLimitExceeded) if n >= 10 else _nothing():
            ask(f"bot{n}@net{n}.example", clock())
    for who in (people.operator, people.rival):
        with pytest.raises(RateLimitExceeded, match="a link may still arrive"):
            ask(who.email, clock())
    links = mailed(app)[before:]
    assert links[10:] == [people.operator.email, people.rival.email]


class _nothing:  # noqa: N801 — it stands where a function does
    def __enter__(self) -> None:
        """Nothing is expected."""

    def __exit__(self, *_: object) -> None:
        """Nothing is swallowed."""


def test_a_crowd_with_accounts_does_not_stop_those_with_a_role(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    for what in (RateLimitKind.LINKS, RateLimitKind.RESERVED_LINKS):
        monkeypatch.setitem(LIMITS, what, replace(LIMITS[what], most=2))
    asking = [people.registrant, people.rival] * 2 + [people.registrant, people.operator]
    before = len(mailed(app))
    for n, who in enumerate(asking):
        with pytest.raises(RateLimitExceeded) if n >= 2 else _nothing():
            ask(who.email, clock())
    assert mailed(app)[before:] == [who.email for who in (*asking[:4], people.operator)]


def test_where_a_limit_is_over_the_same_is_asked_of_the_database_for_everybody(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    client = Client("192.0.2.1/32", "192.0.2.0/24")
    for n in range(LIMITS[RateLimitKind.LINKS_OF_CLIENT].most):
        ask(f"s{n}@victim.example", clock(), client)
    heard: list[str] = []

    def hear(_c: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    event.listen(db.engine, "before_cursor_execute", hear)
    asked = []
    for address in (people.rival.email, "nobody@other.example"):
        heard.clear()
        with pytest.raises(RateLimitExceeded):
            ask(address, clock(), client)
        asked.append([*heard])
    event.remove(db.engine, "before_cursor_execute", hear)
    assert asked[0] == asked[1]


@ONE_DATABASE
def test_where_a_limit_is_over_an_account_is_told_from_none_by_nothing(fresh: World) -> None:
    for n in range(LIMITS[RateLimitKind.LINKS_OF_CLIENT].most):
        post(fresh.visitor(), f"s{n}@victim.example")
    known, unknown = (
        post(fresh.visitor(), email)
        for email in ("ellis@experts.example", "nobody@experts.example")
    )
    assert known.status == unknown.status == 429
    assert known.words.replace("ellis", "") == unknown.words.replace("nobody", "")
    assert dict(known.headers) | {"Content-Length": "", "Set-Cookie": ""} == dict(
        unknown.headers
    ) | {"Content-Length": "", "Set-Cookie": ""}
    links = mailed(fresh.app)
    assert "ellis@experts.example" in links
    assert "nobody@experts.example" not in links


def test_nobody_keeps_somebody_with_an_account_out_by_asking_in_their_name(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    local, _, domain = people.operator.email.partition("@")
    for n in range(5):
        ask(f"{local}+{n}@{domain}", clock())
    before = len(mailed(app))
    for _ in range(9):
        with pytest.raises(RateLimitExceeded):
            ask(people.operator.email, clock())
    links = mailed(app)[before:]
    assert links == [people.operator.email] * LIMITS[RateLimitKind.RESERVED_LINKS_TO_ADDRESS].most
    clock.on(minutes=15)
    ask(people.operator.email, clock())


def test_what_is_counted_holds_for_all_who_ask_at_once(app: Flask, clock: Clock) -> None:
    client = Client("192.0.2.1/32", "192.0.2.0/24")
    most = LIMITS[RateLimitKind.LINKS_OF_CLIENT].most
    for n in range(most - 3):
        ask(f"early{n}@d.example", clock(), client)
    asking = [partial(ask, f"late{n}@d.example", clock(), client) for n in range(8)]
    results = at_once(app, *asking)
    assert sum(isinstance(result, RateLimitExceeded) for result in results) == 5
    with read_transaction():
        assert db.session.scalar(select(func.count(SignIn.id))) == most


@pytest.mark.parametrize("years", [-10, 10])
def test_a_clock_that_is_set_anew_neither_locks_nor_frees_for_ever(
    app: Flask, clock: Clock, years: int
) -> None:
    for _ in range(2):
        for _ in range(5):
            ask("robin@org.example", clock())
        with pytest.raises(RateLimitExceeded):
            ask("robin@org.example", clock())
        clock.on(days=365 * years)
    clock.on(days=-365 * years, minutes=-10)
    with pytest.raises(RateLimitExceeded) as refusal:
        ask("robin@org.example", clock())
    assert refusal.value.wait is not None
    assert refusal.value.wait <= 2 * LIMITS[RateLimitKind.LINKS_TO_MAILBOX].period
    clock.now += refusal.value.wait
    ask("robin@org.example", clock())


def test_what_was_counted_names_nobody_and_is_forgotten(app: Flask, clock: Clock) -> None:
    ask("robin@org.example", clock(), Client("192.0.2.1/32", "192.0.2.0/24"))
    with read_transaction():
        kept = [(row.what, row.whose) for row in db.session.scalars(select(Attempt))]
    assert len(kept) == 4
    assert not any("192.0" in whose or "robin" in whose for _, whose in kept)
    sign_in.forget(clock.on(days=2))
    with read_transaction():
        assert not db.session.scalars(select(Attempt)).all()


def test_a_refusal_writes_nothing(app: Flask, clock: Clock) -> None:
    for _ in range(5):
        ask("stranger@other.example", clock())
    with read_transaction():
        before = [db.session.scalar(select(func.count(t.id))) for t in (SignIn, Outbox, Attempt)]
    with pytest.raises(RateLimitExceeded):
        ask("stranger@other.example", clock(), kept="x" * 1000)
    with read_transaction():
        after = [db.session.scalar(select(func.count(t.id))) for t in (SignIn, Outbox, Attempt)]
    assert before == after


# ---- forms kept for strangers


def test_forms_kept_for_strangers_have_a_measure_in_all(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "LARGEST_KEPT", 5_000)
    kept = '[["purpose", "' + "word\\\\x " * 500 + '"]]'
    said = []
    for n in range(3):
        fields = {"email": f"s{n}@d.example", "next": "/", "kept": kept}
        page = fresh.visitor().post("/sign-in", fields)
        assert (page.status, faults(page)) == (200, [])
        said.append("Your text couldn’t be kept" in page.words)
        assert ("word\\x word\\x" in page.html) is said[-1], "it can be copied"
    assert said == [False, True, True]
    with fresh.app.app_context(), read_transaction():
        assert len(db.session.scalars(select(SignIn).where(SignIn.kept != "")).all()) == 1
    fresh.app.extensions["now"].on(minutes=16)
    page = fresh.visitor().post("/sign-in", {"email": "s9@d.example", "kept": kept})
    assert "Your text does not come" not in page.words


# ---- other things that mail somebody, or keep something, on request


@pytest.mark.usefixtures("real_limits")
def test_a_mailbox_gets_few_invitations_whoever_sends_them(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    sent = 0
    for n, who in enumerate([people.registrant, people.rival, people.expert] * 4):
        number = factories.draft(who, clock(), namespace_identifier=f"flood-{n}")
        try:
            address = f"victim+{n}@other.example"
            delegation.invite(
                factories.command(who, clock()), address, request=number, space=URN_SPACE
            )
            sent += 1
        except RateLimitExceeded as refusal:
            assert refusal.wait == timedelta(days=1)
    assert sent == LIMITS[RateLimitKind.INVITATIONS_TO_MAILBOX].most
    clock.on(days=1)
    delegation.invite(
        factories.command(who, clock()), "victim@other.example", request=number, space=URN_SPACE
    )


@pytest.mark.postgresql
@pytest.mark.usefixtures("real_limits")
def test_one_person_invites_so_many_a_day_and_calling_off_makes_no_room(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.draft(people.registrant, clock())
    most = LIMITS[RateLimitKind.INVITATIONS_OF_PERSON].most
    for n in range(most):
        delegation.invite(
            factories.command(people.registrant, clock()),
            f"v{n}@other.example",
            request=number,
            space=URN_SPACE,
        )
        with read_transaction():
            (invited,) = delegation.people(
                people.registrant, request=number, space=URN_SPACE
            ).invited
        delegation.call_off(
            factories.command(people.registrant, clock()),
            invited.number,
            request=number,
            space=URN_SPACE,
        )
    with pytest.raises(RateLimitExceeded, match=f"You sent {most} invitations"):
        delegation.invite(
            factories.command(people.registrant, clock()),
            "w@other.example",
            request=number,
            space=URN_SPACE,
        )


@pytest.mark.usefixtures("real_limits")
def test_one_person_opens_so_many_drafts_an_hour(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())

    def start(at: datetime) -> int:
        return drafts.start(factories.command(people.rival, at), FORMAL.id)

    for _ in range(LIMITS[RateLimitKind.DRAFTS_OF_PERSON].most):
        drafts.discard(people.rival, start(clock()))
    with pytest.raises(RateLimitExceeded, match="in 60 minutes"):
        start(clock())
    drafts.start(factories.command(people.registrant, clock()), FORMAL.id)
    start(clock.on(hours=1))


@pytest.mark.usefixtures("real_limits")
def test_one_person_has_so_many_open_drafts(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    monkeypatch.setattr(rate_limits, "MOST_OPEN_DRAFTS", 2)
    numbers = [factories.draft(people.rival, clock()) for _ in range(2)]
    with pytest.raises(RateLimitExceeded, match="at most 2 open drafts") as refusal:
        factories.draft(people.rival, clock())
    assert refusal.value.wait is None, "waiting makes no room"
    drafts.discard(people.rival, numbers[0])
    factories.draft(people.rival, clock())


def test_every_limit_has_words_and_a_period() -> None:
    assert set(LIMITS) == set(RateLimitKind)
    for what, limit in LIMITS.items():
        assert limit.most > 0, what
        assert timedelta(minutes=1) <= limit.period <= timedelta(days=1), what
        assert limit.said.endswith(".") or what.startswith("reserved")


def test_mail_that_failed_is_told_and_not_tried_again(
    app: Flask, clock: Clock, choosy: tuple[Choosy, str]
) -> None:
    ask("nobody@gone.example", clock())
    assert one_round(clock, choosy[1]) == 0
    with read_transaction():
        (row,) = db.session.scalars(select(Outbox)).all()
        assert (row.state, row.why) == (Delivery.FAILED, "550 5.1.1 no such user")
    assert clock() == START
