"""Getting in by a one-time link, and out again."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeGuard

from email_validator import EmailNotValidError, validate_email

from app.services.actors import Actor, actor_of
from app.services.refusals import TooMany, Unfit
from app.store import accounts, answers, events, outbox, undeliverable
from app.store.database import transaction
from app.store.demonstration import is_void
from app.store.tables import SignIn
from app.store.tables.accounts import Grant
from app.store.tables.requests import Subject

LINK_LASTS = timedelta(minutes=15)
WORK_LINK_LASTS = timedelta(days=14)
SESSION_LASTS = timedelta(days=14)
ANSWERS_LAST = timedelta(days=7)
_MOST_LINKS = 5


class LinkSpent(Unfit):
    """The link was used already, or is too old."""

    def __init__(self) -> None:
        super().__init__("This link was used already or is too old. Ask for another.")


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody who got in: the token for their browser, and where they wanted to go."""

    token: str
    next: str
    actor: Actor
    kept: str = ""


def token_of(sign_in: str, secret: str) -> str:
    """The token of a sign-in. Only who knows the secret can make it from the id."""
    return hmac.new(secret.encode(), b"sign-in " + sign_in.encode(), hashlib.sha256).hexdigest()


def checked_address(text: str) -> str:
    """An e-mail address in its usual form; Unfit says what is wrong with it.

    A domain in another script stands in the form in which every mail server takes it.
    Nobody has an address of the demonstration outside it.
    """
    try:
        found = validate_email(text.strip(), check_deliverability=False)
    except EmailNotValidError as error:
        raise Unfit(f"`{text[:80]}` is not an e-mail address: {error}") from error
    address = (found.ascii_email or found.normalized).lower()
    if is_void(address):
        raise Unfit(f"`{address[:80]}` is an address of the demonstration. Give one of your own.")
    return address


def ask_for_link(
    email: str, next_: str, at: datetime, *, secret: str, host: str, kept: str = ""
) -> None:
    """Have a link mailed to an address, whether or not it has an account.

    ``kept`` is the form to be given back to whoever uses the link.
    Raises Unfit for what is no address and TooMany after five links in 15 minutes.
    """
    address = checked_address(email)
    ident = secrets.token_hex(16)
    with transaction():
        if accounts.sign_ins_since(address, at - LINK_LASTS) >= _MOST_LINKS:
            raise TooMany("Five links were sent to this address just now. Wait 15 minutes.")
        token = token_of(ident, secret)
        accounts.add_sign_in(ident, address, token, next_, at, kept.replace("\0", ""))
        outbox.add(
            outbox.Message(
                recipient=address,
                template="sign-in",
                arguments={},
                message_id=f"<sign-in.{ident[:16]}@{host}>",
                created=at,
                sign_in=ident,
            )
        )


def is_usable(token: str, at: datetime) -> bool:
    """Whether a link would let somebody in. Looking does not use it up."""
    return _is_open(accounts.find_sign_in(token), at)


def _is_open(sign_in: SignIn | None, at: datetime) -> TypeGuard[SignIn]:
    """A link from the future was made before the clock was set back, and is too old as well."""
    if sign_in is None or sign_in.used is not None:
        return False
    if sign_in.expires is not None:
        return at <= sign_in.expires
    return abs(at - sign_in.created) <= LINK_LASTS


def add_link(email: str, next_: str, at: datetime, secret: str) -> str:
    """Make a link that comes with work to do, in the caller's transaction; gives its id."""
    ident = secrets.token_hex(16)
    token = token_of(ident, secret)
    accounts.add_sign_in(ident, email, token, next_, at, expires=at + WORK_LINK_LASTS)
    return ident


def use_link(token: str, at: datetime) -> Entered:
    """Use a link up and open a session; LinkSpent if it cannot be used.

    Who has it was reached by mail, so that what waits for their address can go.
    """
    with transaction():
        sign_in = accounts.find_sign_in(token)
        if not _is_open(sign_in, at) or is_void(sign_in.email):
            raise LinkSpent
        email, next_, kept, sent = sign_in.email, sign_in.next, sign_in.kept, sign_in.created
        if not accounts.use_sign_in(sign_in.id, at):  # somebody was quicker
            raise LinkSpent
        undeliverable.clear_reached(email, sent)
        account = accounts.get_or_add_account(email, at)
        return Entered(_open_session(account.id, at), next_, actor_of(account, at), kept)


def enter_as(email: str, at: datetime) -> Entered:
    """Open a session for one of the demonstration's people, without a link.

    It is worth nothing outside the demonstration.
    """
    with transaction():
        account = accounts.get_or_add_account(email, at)
        return Entered(_open_session(account.id, at, demo=True), "", actor_of(account, at))


def _open_session(account: int, at: datetime, *, demo: bool = False) -> str:
    token = secrets.token_urlsafe(32)
    accounts.add_session(token, account, at, at + SESSION_LASTS, demo=demo)
    return token


def leave(token: str, at: datetime) -> None:
    """End a session: its token is worth nothing from now on."""
    with transaction():
        accounts.end_session(token, at)


def who(token: str, at: datetime) -> Actor | None:
    """Who is signed in with a token, if anybody."""
    account = accounts.account_of_session(token, at)
    return None if account is None else actor_of(account, at)


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
    with transaction():
        account = accounts.get_or_add_account(checked_address(email), at, name)
        if role not in accounts.grants_of(account.id, at):
            accounts.add_grant(account.id, role, at, until, why)
            _record(account.id, f"granted {role}", at, why)


def revoke(email: str, role: Grant, at: datetime, *, why: str = "") -> bool:
    """End a role; False if the address did not hold it."""
    with transaction():
        account = accounts.find_account(checked_address(email))
        if account is None or not accounts.end_grants(account.id, role, at):
            return False
        _record(account.id, f"revoked {role}", at, why)
        return True


def add_account(email: str, at: datetime, *, name: str = "") -> None:
    """Make an account for an address, if there is none."""
    with transaction():
        address = checked_address(email)
        if accounts.add_account(address, at, name):
            _record(accounts.get_or_add_account(address, at).id, "added", at, "")


def forget(at: datetime) -> None:
    """Erase what is kept for a while only: forms of links that ran out, answers to old writes."""
    with transaction():
        accounts.forget_kept_forms(at - LINK_LASTS)
        answers.forget_answers(at - ANSWERS_LAST)


def _record(account: int, kind: str, at: datetime, why: str) -> None:
    event = events.NewEvent(
        at=at, kind=kind, about=str(account), subject=Subject.ACCOUNT, role="operator", reason=why
    )
    events.append(event, secrets.token_hex(16))
