"""Who acts for a registrant: seeing it, inviting, removing, leaving.

Several can, of a registered name as of a request for a new one. Nobody comes to act without a
link or a decision, and the last one does not leave unawares.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.mailed_tokens import MailedTokenKind, make_token
from app.messages.notices import NoticeKind
from app.pages.mail.letters import delegate_words
from app.pages.text.phrases import in_words
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, URN_SPACE, IdentifierSpace
from app.registration.records.registry_records import Purpose
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor
from app.services.accounts.rate_limits import RateLimitKind
from app.services.accounts.sign_in import checked_address
from app.services.policy import MailSettings
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NameUnregistered,
    NotAllowed,
    NotFound,
    RateLimitExceeded,
)
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.event_log import event_rows
from app.store.mail import outbox_messages
from app.store.requests import request_rows
from app.store.tables import Account, Claim, Delegate, Event, Request
from app.store.tables.accounts import Grant
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.store.tables.requests import EventSubject
from app.workflow.separation_of_duties import fold_mailbox
from app.workflow.states import State

CLAIM = "claim"  # the argument of a message whose link belongs to a claim
LINKS = "/links/"
INVITATION_LASTS = timedelta(days=14)
MOST_INVITED = 20
MOST_NAMES = 100
LONGEST_WORDS = 8000
_MOST_EVENTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegateView:
    """Somebody who acts, as the others who do see them."""

    account: int
    name: str
    email: str
    since: datetime
    how: DelegateOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Somebody who was invited and has not come yet."""

    number: int
    address: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferView:
    """A transfer that was asked for."""

    number: int
    organization: str
    due: datetime
    asked: datetime
    reason: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegateEvent:
    """One thing that happened to a name or a request.

    ``body`` are words about it, ``details`` what is told beside them, by names.
    """

    at: datetime
    kind: str
    role: str
    reason: str
    body: str
    details: Mapping[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegateList:
    """Who acts for a registrant, for one of them or for the operator."""

    held: DelegateScope
    named: str
    people: tuple[DelegateView, ...]
    invited: tuple[Invitation, ...]
    transfer: TransferView | None
    story: tuple[DelegateEvent, ...]
    own: int
    acts: bool
    seen: int


def token_of_claim(number: int, secret: str) -> str:
    """The token of a claim's link. Only who knows the secret can make it from the number."""
    return make_token(MailedTokenKind.CLAIM, _octets(number, secret))


def token_sent(number: int, secret: str) -> str:
    """The token of a claim as its link was promised: older software wrote it in hexadecimal."""
    older = _octets(number, secret).hex()
    return older if delegate_rows.find_claim_of(older) else token_of_claim(number, secret)


def _octets(number: int, secret: str) -> bytes:
    return hmac.new(secret.encode(), b"claim %d" % number, hashlib.sha256).digest()


def delegate_scope(
    name: str = "",
    request: int = 0,
    *,
    locked: bool = False,
    space: IdentifierSpace = URN_SPACE,
) -> DelegateScope:
    """A registered name or a request; NotFound where there is none.

    Those who act for a revision, or for a request that a name was given to, act for the name.
    """
    if request:
        row = request_rows.find_request(request, locked=locked)
        if row is None:
            raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {request}.")
        return _held_by(row, locked=locked)
    held = delegate_rows.find_name(space, space.fold(name), locked=locked)
    if held is None:
        raise NameUnregistered(name)
    return held


def _held_by(row: Request, *, locked: bool) -> DelegateScope:
    space = REGISTRIES[row.registry_id].space
    if row.purpose == Purpose.REVISION or State(row.state).is_registered:
        return delegate_scope(row.assigned_name or row.asked_name, locked=locked, space=space)
    return DelegateScope(row.asked_name, request=row.number, space=space)


def keep(claim: Claim) -> DelegateScope:
    """Keep a claim and what it is about from others until the commit; gives the latter.

    What it is about comes first for everybody, so that no two wait for each other. Those who
    act for a request act for its name in the end.
    """
    held = delegate_rows.scope_of_claim(claim)
    kept = delegate_scope(held.name, held.request or 0, locked=True, space=held.space)
    delegate_rows.lock_claim(claim)
    return kept


def named(held: DelegateScope) -> str:
    """What something is called in a sentence."""
    return held.space.whole(held.name) if held.name else f"request {held.request}"


def acts_for(actor: Actor | None, held: DelegateScope) -> bool:
    """Whether somebody acts for its registrant now."""
    return actor is not None and actor.id in delegate_rows.accounts_of(held)


def names_of(actor: Actor, space: IdentifierSpace) -> list[str]:
    """The names of a space for whose registrants somebody acts."""
    return delegate_rows.names_of(actor.id, MOST_NAMES, space.id)


def people(
    actor: Actor, name: str = "", request: int = 0, *, space: IdentifierSpace = URN_SPACE
) -> DelegateList:
    """Who acts for a registrant, told to those who do and to the operator.

    Raises NotFound for a request of others, NotAllowed for a name that others act for.
    """
    held = delegate_scope(name, request, space=space)
    acts = acts_for(actor, held)
    if not acts and not (actor.is_operator and held.request is None):
        raise _stranger(held)
    return DelegateList(
        held=held,
        named=named(held),
        people=delegates_of(held),
        invited=tuple(map(_invited, delegate_rows.open_claims(held, ClaimKind.INVITATION))),
        transfer=transfer_of(held, actor),
        story=story_of(held),
        own=actor.id,
        acts=acts,
        seen=delegate_rows.last_event(held),
    )


def transfer_of(held: DelegateScope, actor: Actor | None) -> TransferView | None:
    """The transfer of a name that is under way, if one is."""
    found = [] if held.request else delegate_rows.open_claims(held, ClaimKind.TRANSFER)
    return _moving(found[0], actor) if found else None


def _moving(claim: Claim, actor: Actor | None) -> TransferView:
    return TransferView(
        number=claim.number,
        organization=claim.organization,
        due=claim.due or claim.at,
        asked=claim.at,
        reason=claim.body,
        is_own=actor is not None and claim.account == actor.id,
    )


def story_of(held: DelegateScope) -> tuple[DelegateEvent, ...]:
    """What happened to a name or a request, newest first; it names nobody."""
    return tuple(map(_event, delegate_rows.events_of(held, _MOST_EVENTS)))


def _event(kept: Event) -> DelegateEvent:
    details = event_rows.details_of(kept.body)
    return DelegateEvent(
        at=kept.at,
        kind=kept.kind,
        role=kept.role,
        reason=kept.reason,
        body="" if details else kept.body,
        details=details,
    )


def delegates_of(held: DelegateScope) -> tuple[DelegateView, ...]:
    """Who acts for its registrant, with their addresses: for those and the operator alone."""
    return tuple(_acting(account, row) for account, row in delegate_rows.people_of(held))


def _acting(account: Account, row: Delegate) -> DelegateView:
    return DelegateView(
        account=account.id,
        name=account.name,
        email=account.email,
        since=row.starts,
        how=DelegateOrigin(row.how),
    )


def _invited(claim: Claim) -> Invitation:
    return Invitation(number=claim.number, address=claim.address, until=claim.due or claim.at)


def _stranger(held: DelegateScope) -> Exception:
    if held.request is not None:
        return NotFound(
            use_case_codes.REQUEST_UNKNOWN, f"There is no request {held.request} of yours."
        )
    return NotAllowed(
        use_case_codes.REGISTRANT_ONLY,
        f"You do not act for the registrant of `{held.name}`. Ask somebody who does to invite "
        f"you, or claim it: {held.space.page_below(held.name, 'claim')} says how.",
    )


def required(actor: Actor, held: DelegateScope) -> None:
    """Refuse whoever does not act for the registrant."""
    if not acts_for(actor, held):
        raise _stranger(held)


@use_case("invite delegate")
def invite(
    command: Command,
    address: str,
    name: str = "",
    request: int = 0,
    *,
    space: IdentifierSpace = URN_SPACE,
) -> None:
    """Have a link mailed to somebody who is to act too. Raises InvalidInput for no address."""
    held = _opened(command, name, request, space)
    wanted = checked_address(address)
    _check_invitation(held, wanted)
    _count_invitation(wanted, command)
    number = delegate_rows.next_claim()
    due = command.at + INVITATION_LASTS
    token = token_of_claim(number, command.policy.secret)
    delegate_rows.add_claim(
        number,
        held,
        ClaimKind.INVITATION,
        command.actor.id,
        command.at,
        token=token,
        due=due,
        address=wanted,
    )
    event = record(command, held, "person invited")
    letter = DelegateMail(event, DelegateNoticeKind.INVITED, held, claim=number, day=due)
    write(command, letter, [wanted])


def _check_invitation(held: DelegateScope, address: str) -> None:
    account = account_rows.find_account(address)
    if account and account.id in delegate_rows.accounts_of(held):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE, f"{address} acts for it already.", field="address"
        )
    waiting = delegate_rows.open_claims(held, ClaimKind.INVITATION)
    if any(claim.address == address for claim in waiting):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            f"{address} was invited already. Call that off to send another link.",
            field="address",
        )
    if len(waiting) >= MOST_INVITED:
        raise RateLimitExceeded(
            use_case_codes.TOO_MANY_OPEN,
            f"{MOST_INVITED} people are invited already. Call some of them off first.",
        )


def _count_invitation(address: str, command: Command) -> None:
    """Nobody is flooded with invitations, whoever sends them and calls them off."""
    mailbox = rate_limits.keyed(fold_mailbox(address), command.policy.secret)
    counted = [
        (RateLimitKind.INVITATIONS_TO_MAILBOX, mailbox),
        (RateLimitKind.INVITATIONS_OF_PERSON, str(command.actor.id)),
        (RateLimitKind.INVITATIONS, ""),
    ]
    rate_limits.spend(counted, command.at)


@use_case("call invitation off")
def call_off(
    command: Command,
    number: int,
    name: str = "",
    request: int = 0,
    *,
    space: IdentifierSpace = URN_SPACE,
) -> None:
    """Take an invitation back: its link leads nowhere then."""
    held = _opened(command, name, request, space)
    claim = delegate_rows.find_claim(number)
    if claim is None or claim.kind != ClaimKind.INVITATION or not is_about(claim, held):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "There is no such invitation.")
    delegate_rows.lock_claim(claim)
    if claim.state != ClaimState.OPEN:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "This invitation was used or called off meanwhile. Look at it again.",
        )
    delegate_rows.decide(claim, ClaimState.WITHDRAWN, command.at)
    record(command, held, "invitation called off")


def is_about(claim: Claim, held: DelegateScope) -> bool:
    """Whether a claim is about this name or request."""
    return held.columns == {"name_id": claim.name_id, "request": claim.request}


@use_case("remove delegate")
def remove(
    command: Command,
    account: int,
    name: str = "",
    request: int = 0,
    *,
    space: IdentifierSpace = URN_SPACE,
) -> None:
    """Let somebody else act no more. They are told, and can claim it anew."""
    held = _opened(command, name, request, space)
    if account == command.actor.id:
        raise InvalidInput(use_case_codes.LEAVE_BY_YOURSELF, "Choose “Leave” where it is yourself.")
    if account not in delegate_rows.accounts_of(held):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "They do not act for it.")
    delegate_rows.end(held, [account], command.at)
    event = record(command, held, "person removed")
    write(
        command,
        DelegateMail(event, DelegateNoticeKind.REMOVED, held),
        [account_rows.get_account(account).email],
    )


@use_case("leave as delegate")
def leave(
    command: Command,
    name: str = "",
    request: int = 0,
    *,
    knowing: bool = False,
    space: IdentifierSpace = URN_SPACE,
) -> None:
    """Act no more oneself. Whoever is the last says that they know it.

    A request is never left with nobody: it is withdrawn, or thrown away.
    """
    held = _opened(command, name, request, space)
    others = delegate_rows.accounts_of(held) - {command.actor.id}
    if not others:
        _check_last(held, knowing=knowing)
    delegate_rows.end(held, [command.actor.id], command.at)
    event = record(command, held, "person left", body="" if others else "Nobody acts for it now.")
    write(command, DelegateMail(event, DelegateNoticeKind.LEFT, held), addresses_of(others))


def _check_last(held: DelegateScope, *, knowing: bool) -> None:
    if held.request is not None:
        raise InvalidInput(
            use_case_codes.LAST_DELEGATE,
            "You are the only one who acts for this request. Invite somebody first, or end the "
            "request: a draft can be thrown away, what was sent can be withdrawn.",
        )
    if not knowing:
        raise InvalidInput(
            use_case_codes.LAST_DELEGATE,
            "You are the only one who acts for it. Invite somebody first, or say that nobody "
            "will; then it has to be claimed before anything can be changed.",
        )


def _opened(command: Command, name: str, request: int, space: IdentifierSpace) -> DelegateScope:
    held = delegate_scope(name, request, locked=True, space=space)
    required(command.actor, held)
    refuse_changed(command, held)
    return held


def refuse_changed(command: Command, held: DelegateScope) -> None:
    """Raise EditConflict where something happened that the actor did not see."""
    if command.seen is not None and command.seen != delegate_rows.last_event(held):
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "Something happened here after you opened the page. Look at it again, then go on.",
        )


def record(
    command: Command,
    held: DelegateScope,
    kind: str,
    *,
    role: str = "registrant",
    reason: str = "",
    body: str = "",
    **told: int,
) -> int:
    """Keep what happened, for ever: it names nobody but the account."""
    what = {"about": held.about, "subject": held.subject, **told}
    return command.append_event(kind, **what, role=role, reason=reason, body=body)


def note(held: DelegateScope, kind: str, at: datetime, **said: Any) -> int:
    """Keep what happened where nobody is signed in, such as an answer to a mailed link."""
    event = event_rows.NewEvent(at=at, kind=kind, about=held.about, subject=held.subject, **said)
    return event_rows.append(event, secrets.token_hex(16))


@dataclass(frozen=True, slots=True)
class DelegateMail:
    """A message about a name or a request: by which event, what it tells, where it leads.

    With ``claim`` it leads to that claim's own link.
    """

    event: int
    tale: DelegateNoticeKind
    held: DelegateScope
    path: str = ""
    claim: int | None = None
    day: datetime | None = None
    organization: str = ""
    reason: str = ""
    who: str = ""


def write(command: Command, letter: DelegateMail, recipients: Iterable[str]) -> None:
    """Put one message for each address into the outbox, but none to who did it."""
    others = {a.lower() for a in recipients} - {command.actor.email.lower()}
    send(letter, others, command.at, command.post, command.actor.shown)


def send(
    letter: DelegateMail, recipients: Iterable[str], at: datetime, post: MailSettings, who: str = ""
) -> None:
    """Put one message for each address into the outbox."""
    for address in sorted(recipients):
        outbox_messages.add(
            outbox_messages.OutgoingMessage(
                event=letter.event,
                recipient=address,
                template=NoticeKind.DELEGATES,
                arguments=_arguments(letter, post, letter.who or who),
                message_id=f"<holding.{letter.event}.{secrets.token_hex(8)}@{post.host}>",
                created=at,
            )
        )


def _arguments(letter: DelegateMail, post: MailSettings, who: str) -> dict[str, str]:
    held = letter.held
    filled = {
        "name": named(held),
        "who": who,
        "organization": letter.organization,
        "day": in_words(letter.day) if letter.day else "",
        "at_desk": "yes" if letter.path.startswith("/desk/") else "",
    }
    words = delegate_words(letter.tale, filled)
    told = {
        "happened": words.happened,
        "todo": words.todo,
        "what": words.what,
        "name": named(held),
        "reason": letter.reason,
    }
    if letter.claim is not None:
        return told | {CLAIM: str(letter.claim)}
    return told | {"link": post.base_url + (letter.path or path_of(held))}


def path_of(held: DelegateScope) -> str:
    """The page of those who act for it."""
    if held.subject is EventSubject.REQUEST:
        return f"/requests/{held.request}/people"
    return held.space.page_below(held.name, "people")


def addresses_of(found: Iterable[int]) -> list[str]:
    """The e-mail addresses of accounts."""
    return [account_rows.get_account(account).email for account in sorted(found)]


def operators(at: datetime) -> list[str]:
    """The e-mail addresses of those who run the registry."""
    return [account.email for account in account_rows.holders(Grant.OPERATOR, at)]
