"""Who gives names under a prefix, or does no more, is told so by mail, and nobody else is."""

import json
from collections.abc import Callable
from datetime import date
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select

from app.assigned_names.name_prefixes import PrefixRole
from app.services.accounts import rate_limits
from app.services.accounts.rate_limits import RateLimit, RateLimitKind
from app.services.assigned_names import prefixes
from app.services.mail import outbox_delivery
from app.services.refusals import InvalidInput, RateLimitExceeded, Refusal
from app.store.database import db, read_transaction
from app.store.tables import Event, Outbox
from tests.services.assigned_names.conftest import NameDesk


def _told() -> list[tuple[str, str, int | None]]:
    """Who is told what, by which event, in the order in which it was written."""
    with read_transaction():
        rows = db.session.scalars(select(Outbox).order_by(Outbox.id))
        return [(row.recipient, json.loads(row.arguments)["happened"], row.event) for row in rows]


def _new(work: Callable[..., object], *args: object, **named: object) -> list[tuple[str, str]]:
    """What a use case tells whom; one event, which all of it is of."""
    before = len(_told())
    with read_transaction():
        last = db.session.scalar(select(func.max(Event.n)))
    work(*args, **named)
    with read_transaction():
        events = list(db.session.scalars(select(Event.n).where(Event.n > last)))
    told = _told()[before:]
    assert len(events) == 1 and {event for *_, event in told} <= set(events)
    return [(reader, happened) for reader, happened, _ in told]


def _letter(desk: NameDesk, reader: str) -> str:
    """The newest letter to somebody as it is sent, in one line."""
    sent: list[EmailMessage] = []
    outbox_delivery.send_waiting(
        desk.clock(), deliver=sent.append, sender="r@x.example", secret="s", base_url="https://x"
    )
    letter = [one for one in sent if one["To"] == reader][-1]
    assert letter["Auto-Submitted"] == "auto-generated" and letter["Reply-To"] is None
    return " ".join(f"{letter['Subject']} | {letter.get_content()}".split())


def test_who_is_let_give_names_is_told_by_whom_until_when_and_where(desk: NameDesk) -> None:
    rival = desk.people.rival.email
    by, until = desk.command(), date(2027, 6, 30)
    told = _new(prefixes.add_delegate, by, desk.prefix, rival, until)
    assert told == [(rival, "Prefix access")]
    letter = _letter(desk, rival)
    assert letter.startswith("Prefix access: ark:10099/x5.")
    assert "Robin lets you mint" in letter and "under ark:10099/x5" in letter
    assert "until the end of 30 June 2027" in letter
    assert f"{by.post.base_url}/prefixes/{desk.prefix}/ " in letter
    assert "your access to this prefix" in letter and "registrant" not in letter
    assert "Other users" in letter
    assert "Boats" not in letter and desk.people.registrant.email not in letter
    told = _new(prefixes.add_delegate, desk.command(), desk.prefix, rival)
    assert told == [(rival, "Prefix access")]
    assert "no end date" in _letter(desk, rival)


def test_who_holds_a_prefix_is_told_and_who_gives_names_no_more(desk: NameDesk) -> None:
    robin, rival, operator = desk.people.registrant, desk.people.rival, desk.people.operator
    add, end = prefixes.add_delegate, prefixes.end_delegate
    told = _new(add, desk.command(), desk.prefix, rival.email, role=PrefixRole.HOLDER)
    assert told == [(rival.email, "Prefix ownership")]
    told = _new(end, desk.command(actor=operator), desk.prefix, rival.id)
    assert told == [(rival.email, "Prefix access removed")]
    letter = _letter(desk, rival.email)
    assert "removed your access to ark:10099/x5." in letter
    assert "/prefixes/ " in letter and f"/prefixes/{desk.prefix}" not in letter
    _new(add, desk.command(), desk.prefix, rival.email, role=PrefixRole.HOLDER)
    assert _new(end, desk.command(), desk.prefix, robin.id) == [], "who leaves knows it"


def test_for_whom_a_prefix_is_added_is_told_also_where_they_never_signed_in(desk: NameDesk) -> None:
    operator, robin = desk.people.operator, desk.people.registrant
    assert ("robin@org.example", "Prefix ownership") in [one[:2] for one in _told()]
    new, rules = "new@org.example", prefixes.PrefixRules()
    add = prefixes.add_prefix
    told = _new(add, desk.command(actor=operator), "ark:10099/z5", new, rules)
    assert told == [(new, "Prefix ownership")]
    assert "Sign in with this e-mail address" in _letter(desk, new)
    assert _new(add, desk.command(), "ark:10099/x5b", robin.email, rules) == []


def test_who_gives_names_under_a_prefix_that_ends_is_told(desk: NameDesk) -> None:
    rival, robin = desk.people.rival.email, desk.people.registrant.email
    prefixes.add_delegate(desk.command(), desk.prefix, rival)
    told = _new(prefixes.end_prefix, desk.command(), desk.prefix, "A secret reason.")
    assert told == [(rival, "Prefix closed")]
    letter = _letter(desk, rival)
    assert "can’t be undone" in letter and "secret" not in letter and robin not in letter


def test_of_a_prefix_that_has_ended_is_told_that_its_names_are_changed_and_none_given(
    desk: NameDesk,
) -> None:
    rival, add = desk.people.rival, prefixes.add_delegate
    prefixes.end_prefix(desk.command(), desk.prefix, "Done.")
    told = _new(add, desk.command(), desk.prefix, rival.email, date(2027, 6, 30))
    assert told == [(rival.email, "Prefix access")]
    letter = _letter(desk, rival.email)
    assert "Sign in to change identifiers" in letter and "until the end of 30 June 2027" in letter
    assert "no new identifiers" in letter
    assert "mint" not in letter
    _new(add, desk.command(), desk.prefix, rival.email, role=PrefixRole.HOLDER)
    letter = _letter(desk, rival.email)
    assert "Prefix ownership" in letter and "no new identifiers" in letter
    assert "mint" not in letter
    told = _new(prefixes.end_delegate, desk.command(), desk.prefix, rival.id)
    assert told == [(rival.email, "Prefix access removed")]


def test_what_is_refused_tells_nobody(desk: NameDesk) -> None:
    rival, robin = desk.people.rival, desk.people.registrant
    before = _told()
    with pytest.raises(InvalidInput):
        prefixes.add_delegate(desk.command(), desk.prefix, rival.email, date(2020, 1, 1))
    with pytest.raises(InvalidInput):
        prefixes.add_delegate(desk.command(), desk.prefix, "nobody@org.example")
    with pytest.raises(Refusal):
        prefixes.end_delegate(desk.command(), desk.prefix, robin.id)
    prefixes.look_at_end(desk.prefix, robin, desk.clock(), "Over.")
    assert _told() == before


def test_the_same_key_tells_once(desk: NameDesk) -> None:
    before = len(_told())
    for _ in range(2):
        prefixes.add_delegate(desk.command("once-and-no-more"), desk.prefix, "rival@other.example")
    assert len(_told()) == before + 1


def test_nobody_is_flooded_by_who_lets_them_give_names_and_no_more(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = RateLimitKind.PREFIX_MAIL_TO_MAILBOX
    limit = rate_limits.LIMITS[kind]
    monkeypatch.setitem(rate_limits.LIMITS, kind, RateLimit(2, limit.period, limit.said))
    rival = desk.people.rival
    for _ in range(2):
        prefixes.add_delegate(desk.command(), desk.prefix, rival.email)
        prefixes.end_delegate(desk.command(), desk.prefix, rival.id)
    before = _told()
    with pytest.raises(RateLimitExceeded, match="this mailbox"):
        prefixes.add_delegate(desk.command(), desk.prefix, rival.email)
    assert _told() == before
    operator = desk.people.operator
    prefixes.add_delegate(desk.command(actor=operator), desk.prefix, rival.email)
    prefixes.end_delegate(desk.command(), desk.prefix, rival.id)  # that is never refused


def test_what_one_holder_wrote_keeps_no_other_from_letting_somebody_give_names(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = RateLimitKind.PREFIX_MAIL_TO_MAILBOX
    limit = rate_limits.LIMITS[kind]
    monkeypatch.setitem(rate_limits.LIMITS, kind, RateLimit(1, limit.period, limit.said))
    people = desk.people
    prefixes.add_delegate(desk.command(), desk.prefix, people.rival.email, role=PrefixRole.HOLDER)
    prefixes.add_delegate(desk.command(), desk.prefix, people.expert.email)
    prefixes.end_delegate(desk.command(), desk.prefix, people.expert.id)
    with pytest.raises(RateLimitExceeded):
        prefixes.add_delegate(desk.command(), desk.prefix, people.expert.email)
    prefixes.add_delegate(desk.command(actor=people.rival), desk.prefix, people.expert.email)
