"""Tokens of ours that came to where others read: they are revoked, and looked for in the store.

Only who knows a token can have it revoked: a link is looked up by its hash, an address for
answers is signed.
"""

import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from app.messages.mailed_tokens import MailedToken, MailedTokenKind, tokens_in
from app.services.accounts import sign_in
from app.services.delegates import delegate_scopes
from app.services.mail.reply_addresses import is_current, read_mark
from app.store.accounts import account_rows, delegate_rows, session_rows, sign_in_rows
from app.store.administration import stored_texts
from app.store.administration.stored_texts import StoredText
from app.store.database import read_transaction, transaction
from app.store.event_log import event_rows
from app.store.tables.delegates import ClaimKind, ClaimState
from app.store.tables.requests import EventSubject

_WHY = "The link was published where others can read it."
_REGISTRY = "registry"  # whose act it is, where nobody's


def revoke(found: Collection[MailedToken], at: datetime, secret: str) -> None:
    """Let tokens that others may have read do nothing from now on."""
    revoke_links(found, at)
    end_addresses(found, at, secret)


def revoke_links(found: Collection[MailedToken], at: datetime) -> None:
    """Let links lead nowhere: nobody signs in by them, and nobody comes to act for a registrant."""
    tokens = _links_in(found)
    if not tokens:
        return
    with read_transaction():
        claims = [claim.number for claim in delegate_rows.open_claims_of(tokens)]
    for number in claims:
        _call_off(number, tokens, at)
    with transaction():
        if sign_in_rows.void_sign_ins(tokens, at):
            _record("link revoked", "sign-in", EventSubject.REGISTRY, at)


def _links_in(found: Collection[MailedToken]) -> frozenset[str]:
    return frozenset(token.text for token in found if token.kind is not MailedTokenKind.REPLY)


def _call_off(number: int, tokens: Collection[str], at: datetime) -> None:
    """A transfer goes on when the link by which it could be stopped was published."""
    with transaction():
        claim = delegate_rows.find_claim(number)
        if claim is None:
            return
        held = delegate_scopes.keep(claim)
        if claim not in delegate_rows.open_claims_of(tokens):  # it was used meanwhile
            return
        if claim.kind == ClaimKind.TRANSFER:
            delegate_rows.void_link(claim, secrets.token_hex(32))
        else:
            delegate_rows.decide(claim, ClaimState.WITHDRAWN, at)
        invited = claim.kind == ClaimKind.INVITATION
        kind = "invitation called off" if invited else "link called off"
        delegate_scopes.note(held, kind, at, role=_REGISTRY, reason=_WHY)


def end_addresses(found: Collection[MailedToken], at: datetime, secret: str) -> None:
    """Let all of somebody's addresses for answers count no more, where one was published."""
    marks = (
        read_mark(token.text, secret) for token in found if token.kind is MailedTokenKind.REPLY
    )
    ended = {(mark.account, mark.generation) for mark in marks if mark and mark.is_in_time(at)}
    if not ended:
        return
    with transaction():
        for account, generation in sorted(ended):
            if account_rows.end_reply_generation(account, generation):
                _record("reply addresses ended", str(account), EventSubject.ACCOUNT, at)


def _record(kind: str, about: str, subject: EventSubject, at: datetime) -> None:
    event = event_rows.NewEvent(at=at, kind=kind, about=about, subject=subject, role=_REGISTRY)
    event_rows.append(event, secrets.token_hex(16))


# ---- what older software kept


@dataclass(frozen=True, slots=True)
class LeakedToken:
    """A token that stands in the store, and whether it works still; not the token itself."""

    place: StoredText
    kind: MailedTokenKind
    works: bool


def find_leaks(at: datetime, secret: str) -> tuple[LeakedToken, ...]:
    """Every token that the store holds in somebody's words, table by table."""
    with read_transaction():
        return tuple(
            LeakedToken(place, token.kind, _works(token, at, secret))
            for place, token in _standing()
        )


def revoke_all(at: datetime, secret: str) -> int:
    """Revoke every token that stands in the store. The words stay, and pages leave it out.

    A link that was used may have been used by a stranger, who would stay signed in: the sessions
    of its account that began since are ended. Gives how many were.
    """
    with read_transaction():
        found = frozenset(token for _, token in _standing())
    revoke(found, at, secret)
    with transaction():
        ended = session_rows.end_sessions_since_links(_links_in(found), at)
        if ended:
            _record("sessions ended", "sign-in", EventSubject.REGISTRY, at)
        return ended


def _standing() -> Iterator[tuple[StoredText, MailedToken]]:
    for place in stored_texts.every_text():
        for token in sorted(tokens_in(place.text), key=lambda one: (one.kind, one.text)):
            yield place, token


def _works(token: MailedToken, at: datetime, secret: str) -> bool:
    if token.kind is MailedTokenKind.REPLY:
        mark = read_mark(token.text, secret)
        return mark is not None and mark.is_in_time(at) and is_current(mark)
    claims = delegate_rows.open_claims_of([token.text])
    is_open = any(claim.due is not None and at <= claim.due for claim in claims)
    return is_open or sign_in.is_usable(token.text, at)
