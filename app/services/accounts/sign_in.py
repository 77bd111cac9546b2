"""Getting in by a one-time link, and out again."""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeGuard
from urllib.parse import urlsplit

from email_validator import EmailNotValidError, validate_email

from app.messages.mailed_tokens import MailedTokenKind, make_token
from app.messages.notices import NoticeKind
from app.pages.text.phrases import day_phrase
from app.problems import use_case_codes
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor, actor_of
from app.services.accounts.rate_limits import Counted, RateLimitKind
from app.services.input_texts import require_storable
from app.services.refusals import InvalidInput, NotFound, RateLimitExceeded
from app.store.accounts import account_rows, idempotency_keys, session_rows, sign_in_rows
from app.store.database import transaction
from app.store.demonstration import is_void
from app.store.digests import sha256
from app.store.event_log import event_rows
from app.store.mail import outbox_messages, undeliverable_addresses
from app.store.tables import SignIn, UserSession
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject
from app.workflow.separation_of_duties import fold_mailbox

SEEN_FOR = timedelta(days=90)  # how long a place is known again, and kept
_NOTED_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Client:
    """A browser, roughly: by what its asking is counted, its network, what it is.

    What nobody can tell is empty.
    """

    address: str = ""
    network: str = ""
    device: str = ""


UNKNOWN = Client()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session as whose it is sees it; ``mark`` tells it from their others."""

    mark: str
    since: datetime
    last_used: datetime
    network: str
    device: str
    is_present: bool


def sessions_of(actor: Actor, token: str, at: datetime) -> tuple[Session, ...]:
    """The sessions of somebody that have not ended; the one of ``token`` is the present one."""
    found = session_rows.open_sessions(actor.id, at)
    return tuple(_session(row, is_present=row.token_sha256 == sha256(token)) for row in found)


def _session(row: UserSession, *, is_present: bool) -> Session:
    return Session(
        mark=_mark(row.token_sha256),
        since=row.created,
        last_used=max(row.last_used or row.created, row.created),
        network=row.network,
        device=row.device,
        is_present=is_present,
    )


def _mark(token_sha256: str) -> str:
    return sha256(f"session {token_sha256}")[:16]


def end(actor: Actor, mark: str, at: datetime) -> None:
    """End one of one's own sessions; NotFound where it ended already or is another's."""
    with transaction():
        for row in session_rows.open_sessions(actor.id, at):
            if _mark(row.token_sha256) == mark:
                session_rows.end_listed(row, at)
                return
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "You have no such session. It may have ended already.",
        )


def end_all(actor: Actor, at: datetime) -> None:
    """End every session of somebody, and void the links that would begin another."""
    with transaction():
        session_rows.end_sessions(actor.id, at)
        sign_in_rows.void_sign_ins_to(actor.email, at)


def note_use(actor: Actor, token: str, at: datetime) -> None:
    """Note that a session is used, once an hour at most, so that reading mostly writes nothing."""
    if actor.seen is None or actor.seen <= at - _NOTED_EVERY:
        with transaction():
            session_rows.note_use(token, at)


def open_session(
    actor: Actor, at: datetime, lasts: timedelta, client: Client, *, demo: bool = False
) -> str:
    """Open a session, in the caller's transaction; gives its token."""
    token, place = secrets.token_urlsafe(32), {"network": client.network, "device": client.device}
    session_rows.add_session(token, actor.id, at, at + lasts, demo=demo, **place)
    return token


def warn_of_new_place(actor: Actor, client: Client, at: datetime, base_url: str) -> None:
    """Tell somebody with a role of a sign-in from where, or with what, they were not seen lately.

    The very first sign-in is none from a new place: there is no other. In the caller's
    transaction, before the new session is opened.
    """
    before = session_rows.sessions_since(actor.id, at - SEEN_FOR)
    networks, devices = {row.network for row in before}, {row.device for row in before}
    is_new = client.network not in networks or client.device not in devices
    if actor.grants and is_new and session_rows.had_session(actor.id):
        outbox_messages.add(_warning(actor, client, at, base_url))


def _warning(
    actor: Actor, client: Client, at: datetime, base_url: str
) -> outbox_messages.OutgoingMessage:
    host = urlsplit(base_url).hostname or "localhost"
    return outbox_messages.OutgoingMessage(
        recipient=actor.email,
        template=NoticeKind.NEW_PLACE,
        arguments={
            "when": f"{day_phrase(at)} at {at:%H:%M} UTC",
            "network": client.network or "unknown",
            "device": client.device or "unknown",
            "link": f"{base_url}/account",
        },
        message_id=f"<new-place.{secrets.token_hex(8)}@{host}>",
        created=at,
    )


def forget_places(at: datetime) -> None:
    """Erase old places, also where a warning named them; in the caller's transaction."""
    session_rows.forget_places(at - SEEN_FOR)
    outbox_messages.forget_arguments(NoticeKind.NEW_PLACE, at - SEEN_FOR)


LINK_LASTS = timedelta(minutes=15)
SESSION_LASTS = timedelta(days=14)
ANSWERS_LAST = timedelta(days=7)
_MAY_GET_ONE = "If you have an account, check your mailbox: a link may still arrive."


class LinkSpent(InvalidInput):
    """The link was used already, or is too old."""

    def __init__(self) -> None:
        super().__init__(
            use_case_codes.LINK_SPENT,
            "This link was already used or has expired. Request a new one.",
        )


@dataclass(frozen=True, slots=True)
class SignInResult:
    """Somebody who got in: the token for their browser, and where they wanted to go."""

    token: str
    next: str
    actor: Actor
    kept: str = ""


@dataclass(frozen=True, slots=True)
class SignInView:
    """What a link that can be used does: whom it signs in, where it leads, with which form."""

    email: str
    next: str
    kept: str


def token_of(sign_in: str, secret: str) -> str:
    """The token of a sign-in. Only who knows the secret can make it from the id."""
    return make_token(MailedTokenKind.SIGN_IN, _octets(sign_in, secret))


def token_sent(sign_in: str, secret: str) -> str:
    """The token of a sign-in as its link was promised: older software wrote it in hexadecimal."""
    made, older = token_of(sign_in, secret), _octets(sign_in, secret).hex()
    return older if sign_in_rows.find_sign_in(older) else made


def _octets(sign_in: str, secret: str) -> bytes:
    return hmac.new(secret.encode(), b"sign-in " + sign_in.encode(), hashlib.sha256).digest()


def checked_address(text: str) -> str:
    """An e-mail address in its usual form; InvalidInput says what is wrong with it.

    A domain in another script stands in the form in which every mail server takes it.
    Nobody has an address of the demonstration outside it.
    """
    try:
        found = validate_email(text.strip(), check_deliverability=False)
    except EmailNotValidError as error:
        raise InvalidInput(
            use_case_codes.MAIL_ADDRESS_INVALID,
            f"`{text[:80]}` is not an e-mail address: {error}",
            field="email",
        ) from error
    address = (found.ascii_email or found.normalized).lower()
    if is_void(address):
        raise InvalidInput(
            use_case_codes.ADDRESS_RESERVED,
            f"`{address[:80]}` is reserved for the demonstration. Enter your own address.",
            field="email",
        )
    return address


def ask_for_link(
    email: str,
    next_: str,
    at: datetime,
    *,
    secret: str,
    host: str,
    kept: str = "",
    client: Client = UNKNOWN,
) -> bool:
    """Have a link mailed to an address, whether or not it has an account.

    ``kept`` is the form to be given back to whoever uses the link. Gives whether it is kept:
    where too much is kept already the link goes without it.

    Raises InvalidInput for what is no address and RateLimitExceeded where a limit is over. Who has
    an account is not held up by the others' asking: their link goes all the same, up to a limit of
    their own. The answer is the refusal nonetheless, since it would tell who has one.
    """
    address = checked_address(email)
    with transaction():
        refusal = _refusal(address, at, client, secret)
        kept = _room_for(kept.replace("\0", ""), at)
        _mail_link(address, next_, at, secret=secret, host=host, kept=kept)
        # what was written for a stranger is rolled back: both took the same time
        if refusal is not None and not _takes_reserve(address, at, secret):
            raise refusal
    if refusal is not None:
        raise refusal
    return bool(kept)


def _refusal(address: str, at: datetime, client: Client, secret: str) -> RateLimitExceeded | None:
    counted = list(_counted(address, client, secret))
    refusal = rate_limits.wait_for(counted, at)
    if refusal is None:
        rate_limits.count(counted, at)
        return None
    return RateLimitExceeded(use_case_codes.TOO_OFTEN, f"{refusal} {_MAY_GET_ONE}", refusal.wait)


def _counted(address: str, client: Client, secret: str) -> Iterator[Counted]:
    yield RateLimitKind.LINKS, ""
    mailbox = fold_mailbox(address)
    yield RateLimitKind.LINKS_TO_MAILBOX, rate_limits.keyed(mailbox, secret)
    if client.address:
        yield RateLimitKind.LINKS_OF_CLIENT, rate_limits.keyed(client.address, secret)
    if client.network:
        yield RateLimitKind.LINKS_OF_NETWORK, rate_limits.keyed(client.network, secret)


def _takes_reserve(address: str, at: datetime, secret: str) -> bool:
    own = (RateLimitKind.RESERVED_LINKS_TO_ADDRESS, rate_limits.keyed(address, secret))
    crowd = (RateLimitKind.RESERVED_LINKS, "")
    is_known = account_rows.find_account(address) is not None
    is_official = account_rows.is_official(address, at)
    has_own = rate_limits.wait_for([own], at) is None
    has_room = rate_limits.wait_for([crowd], at) is None
    rate_limits.count([own, crowd], at)
    return is_known and has_own and (is_official or has_room)


def _room_for(kept: str, at: datetime) -> str:
    if not kept:
        return ""
    there = sign_in_rows.characters_kept(at, LINK_LASTS)
    return kept if there + len(kept) <= rate_limits.LARGEST_KEPT else ""


def _mail_link(
    address: str, next_: str, at: datetime, *, secret: str, host: str, kept: str
) -> None:
    ident = secrets.token_hex(16)
    sign_in_rows.add_sign_in(ident, address, token_of(ident, secret), next_, at, kept)
    outbox_messages.add(
        outbox_messages.OutgoingMessage(
            recipient=address,
            template=NoticeKind.SIGN_IN,
            arguments={},
            message_id=f"<sign-in.{ident[:16]}@{host}>",
            created=at,
            sign_in=ident,
        )
    )


def is_usable(token: str, at: datetime) -> bool:
    """Whether a link would let somebody in. Looking does not use it up."""
    return bool(whom(token, at))


def whom(token: str, at: datetime) -> str:
    """The address that a link would sign in, for who has it; empty where it cannot be used."""
    found = look_at(token, at)
    return found.email if found else ""


def look_at(token: str, at: datetime) -> SignInView | None:
    """What a link does, for who has it; None where it cannot be used. Nothing is used up."""
    sign_in = sign_in_rows.find_sign_in(token)
    if not _is_open(sign_in, at):
        return None
    return SignInView(sign_in.email, sign_in.next, sign_in.kept)


def _is_open(sign_in: SignIn | None, at: datetime) -> TypeGuard[SignIn]:
    if sign_in is None or sign_in.used is not None or sign_in.expires is not None:
        return False
    return abs(at - sign_in.created) <= LINK_LASTS


def use_link(
    token: str, at: datetime, *, client: Client = UNKNOWN, base_url: str = ""
) -> SignInResult:
    """Use a link up and open a session; LinkSpent if it cannot be used.

    Who has it was reached by mail, so that what waits for their address can go. With the
    site's address, those with a role are told of a sign-in from a new place.
    """
    with transaction():
        sign_in = sign_in_rows.find_sign_in(token)
        if not _is_open(sign_in, at) or is_void(sign_in.email):
            raise LinkSpent
        email, next_, kept, sent = sign_in.email, sign_in.next, sign_in.kept, sign_in.created
        if not sign_in_rows.use_sign_in(sign_in.id, at):  # somebody was quicker
            raise LinkSpent
        undeliverable_addresses.clear_reached(email, sent)
        actor = actor_of(account_rows.get_or_add_account(email, at), at)
        if base_url:
            warn_of_new_place(actor, client, at, base_url)
        token = open_session(actor, at, SESSION_LASTS, client)
        return SignInResult(token, next_, actor, kept)


def enter_as(email: str, at: datetime) -> SignInResult:
    """Open a session for one of the demonstration's people, without a link.

    It is worth nothing outside the demonstration.
    """
    with transaction():
        actor = actor_of(account_rows.get_or_add_account(email, at), at)
        token = open_session(actor, at, SESSION_LASTS, UNKNOWN, demo=True)
        return SignInResult(token, "", actor)


def leave(token: str, at: datetime) -> None:
    """End a session: its token is worth nothing from now on."""
    with transaction():
        session_rows.end_session(token, at)


def who(token: str, at: datetime) -> Actor | None:
    """Who is signed in with a token, if anybody."""
    found = session_rows.account_of_session(token, at)
    return None if found is None else replace(actor_of(found.account, at), seen=found.seen)


def grant(
    email: str,
    role: Grant,
    at: datetime,
    *,
    name: str = "",
    why: str = "",
    until: datetime | None = None,
) -> None:
    """Give a role to the account of an address, which is made if need be.

    Without ``until`` it is held until it is revoked.
    """
    require_storable({"name": name, "why": why})
    with transaction():
        account = account_rows.get_or_add_account(checked_address(email), at, name)
        if role not in account_rows.grants_of(account.id, at):
            account_rows.add_grant(account.id, role, at, until, why)
            _record(account.id, f"granted {role}", at, why)


def revoke(email: str, role: Grant, at: datetime, *, why: str = "") -> bool:
    """End a role; False if the address did not hold it."""
    require_storable({"why": why})
    with transaction():
        account = account_rows.find_account(checked_address(email))
        if account is None or not account_rows.end_grants(account.id, role, at):
            return False
        _record(account.id, f"revoked {role}", at, why)
        return True


def add_account(email: str, at: datetime, *, name: str = "") -> None:
    """Make an account for an address, if there is none."""
    require_storable({"name": name})
    with transaction():
        address = checked_address(email)
        if account_rows.add_account(address, at, name):
            _record(account_rows.get_or_add_account(address, at).id, "added", at, "")


def forget(at: datetime) -> None:
    """Erase what is kept for a while only.

    Forms of links that ran out, answers to old writes, what limits counted, where sessions were.
    """
    with transaction():
        sign_in_rows.forget_kept_forms(at - LINK_LASTS)
        idempotency_keys.forget_answers(at - ANSWERS_LAST)
        rate_limits.forget(at)
        forget_places(at)


def _record(account: int, kind: str, at: datetime, why: str) -> None:
    event = event_rows.NewEvent(
        at=at,
        kind=kind,
        about=str(account),
        subject=EventSubject.ACCOUNT,
        role="operator",
        reason=why,
    )
    event_rows.append(event, secrets.token_hex(16))
