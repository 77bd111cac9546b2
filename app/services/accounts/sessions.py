"""The sessions of an account: from where and with what, and ending them."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from app.messages.notices import NoticeKind
from app.pages.text.phrases import day_phrase
from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.refusals import NotFound
from app.store.accounts import session_rows, sign_in_rows
from app.store.database import transaction
from app.store.digests import sha256
from app.store.mail import outbox_messages
from app.store.tables import UserSession

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


def forget(at: datetime) -> None:
    """Erase old places, also where a warning named them; in the caller's transaction."""
    session_rows.forget_places(at - SEEN_FOR)
    outbox_messages.forget_arguments(NoticeKind.NEW_PLACE, at - SEEN_FOR)
