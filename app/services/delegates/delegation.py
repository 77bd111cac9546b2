"""Who acts for a registrant: inviting, removing, leaving.

Several can, of a registered name as of a request for a new one. Nobody comes to act without a
link or a decision, and the last one does not leave unawares.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import unquote

from app.exports.content.selection import people_named
from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace, Widget
from app.registration.records.registry_records import Registration
from app.registration.submissions.mail_addresses import addresses_in
from app.registration.templates.template_reader import read_template
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor
from app.services.accounts.rate_limits import RateLimitKind
from app.services.accounts.sign_in import checked_address
from app.services.delegates import delegate_mail, delegate_scopes
from app.services.delegates.delegate_mail import DelegateMail
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NotFound,
    RateLimitExceeded,
)
from app.services.registry.base_version import is_transferred
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope, last_transfer
from app.store.event_log import event_rows
from app.store.registry.person_versions import people_of
from app.store.registry.record_versions import versions_of
from app.store.requests import draft_rows, request_rows
from app.store.tables import Account, Claim, Delegate, Event
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.workflow.separation_of_duties import fold_mailbox

INVITATION_LASTS = timedelta(days=14)
MOST_INVITED = 20
LONGEST_WORDS = 8000


@use_case("invite delegate")
def invite(
    command: Command,
    address: str,
    name: str = "",
    request: int = 0,
    *,
    space: IdentifierSpace | None = None,
) -> None:
    """Have a link mailed to somebody who is to act too. Raises InvalidInput for no address."""
    held = _opened(command, name, request, space)
    wanted = checked_address(address)
    _check_invitation(held, wanted)
    _count_invitation(wanted, command)
    number = delegate_rows.next_claim()
    due = command.at + INVITATION_LASTS
    token = delegate_mail.token_of_claim(number, command.policy.secret)
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
    event = delegate_scopes.record(command, held, "person invited")
    letter = DelegateMail(event, DelegateNoticeKind.INVITED, held, claim=number, day=due)
    delegate_mail.write_letters(command, letter, [wanted])


def _check_invitation(held: DelegateScope, address: str) -> None:
    account = account_rows.find_account(address)
    if account and account.id in delegate_rows.accounts_of(held):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE, f"{address} is already a manager.", field="address"
        )
    waiting = delegate_rows.open_claims(held, ClaimKind.INVITATION)
    if any(claim.address == address for claim in waiting):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            f"{address} was already invited. Cancel that invitation to send another one.",
            field="address",
        )
    if len(waiting) >= MOST_INVITED:
        raise RateLimitExceeded(
            use_case_codes.TOO_MANY_OPEN,
            f"There are already {MOST_INVITED} open invitations. Cancel some of them first.",
        )


def _count_invitation(address: str, command: Command) -> None:
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
    space: IdentifierSpace | None = None,
) -> None:
    """Take an invitation back: its link leads nowhere then."""
    held = _opened(command, name, request, space)
    claim = delegate_rows.find_claim(number)
    if (
        claim is None
        or claim.kind != ClaimKind.INVITATION
        or not delegate_scopes.is_about(claim, held)
    ):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "Invitation not found.")
    delegate_rows.lock_claim(claim)
    if claim.state != ClaimState.OPEN:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "This invitation was used or canceled after you opened the page.",
        )
    delegate_rows.decide(claim, ClaimState.WITHDRAWN, command.at)
    delegate_scopes.record(command, held, "invitation called off")


@use_case("remove delegate")
def remove(
    command: Command,
    account: int,
    name: str = "",
    request: int = 0,
    *,
    space: IdentifierSpace | None = None,
) -> None:
    """Let somebody else act no more. They are told, and can claim it anew."""
    held = _opened(command, name, request, space)
    if account == command.actor.id:
        raise InvalidInput(use_case_codes.LEAVE_BY_YOURSELF, "To remove yourself, choose “Leave”.")
    if account not in delegate_rows.accounts_of(held):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "This person isn't a manager.")
    delegate_rows.end(held, [account], command.at)
    event = delegate_scopes.record(command, held, "person removed")
    delegate_mail.write_letters(
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
    space: IdentifierSpace | None = None,
) -> None:
    """Act no more oneself. Whoever is the last says that they know it.

    A request is never left with nobody: it is withdrawn, or thrown away.
    """
    held = _opened(command, name, request, space)
    others = delegate_rows.accounts_of(held) - {command.actor.id}
    if not others:
        _check_last(held, knowing=knowing)
    delegate_rows.end(held, [command.actor.id], command.at)
    event = delegate_scopes.record(
        command, held, "person left", body="" if others else "It has no manager now."
    )
    delegate_mail.write_letters(
        command,
        DelegateMail(event, DelegateNoticeKind.LEFT, held),
        delegate_mail.addresses_of(others),
    )


def _check_last(held: DelegateScope, *, knowing: bool) -> None:
    if held.request is not None:
        raise InvalidInput(
            use_case_codes.LAST_DELEGATE,
            "You are the only manager of this request. Invite another person first, or delete or "
            "withdraw the request.",
        )
    if not knowing:
        raise InvalidInput(
            use_case_codes.LAST_DELEGATE,
            "You are the last manager. Invite another person first, or confirm that you leave it "
            "without a manager.",
        )


def _opened(
    command: Command, name: str, request: int, space: IdentifierSpace | None
) -> DelegateScope:
    held = delegate_scopes.delegate_scope(name, request, locked=True, space=space)
    delegate_scopes.required(command.actor, held)
    delegate_scopes.refuse_changed(command, held)
    return held


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


def people(
    actor: Actor, name: str = "", request: int = 0, *, space: IdentifierSpace | None = None
) -> DelegateList:
    """Who acts for a registrant, told to those who do and to the operator.

    Raises NotFound for a request of others, NotAllowed for a name that others act for.
    """
    held = delegate_scopes.delegate_scope(name, request, space=space)
    acts = delegate_scopes.acts_for(actor, held)
    if not acts and not (actor.is_operator and held.request is None):
        raise delegate_scopes.stranger_refusal(held)
    return DelegateList(
        held=held,
        named=delegate_scopes.scope_title(held),
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


MOST = 5
_MAILTO = "mailto:"


@dataclass(frozen=True, slots=True)
class Contact:
    """An address on file, and in which words strangers hear of it."""

    address: str
    where: str


def contacts_on_file(record: Registration, held: DelegateScope) -> tuple[Contact, ...]:
    """The contact of record; none where the name went to another registrant since.

    What is on file speaks of the former one then, until the new one revises it. Who revises a name
    and leaves the private contact empty keeps the one that was there, unless another registrant
    gave it.
    """
    if is_transferred(held):
        return ()
    return contacts_of(record, () if last_transfer(held) else _earlier_requests(record))


def _earlier_requests(record: Registration) -> Iterator[int]:
    for version in reversed(versions_of(record.space.id, record.folded)):
        if version.record.request not in (None, record.request):
            yield version.record.request


def contacts_of(record: Registration, earlier: Iterable[int] = ()) -> tuple[Contact, ...]:
    """The addresses on file for a name's registrant, each once.

    The private ones are of its own request, or of the first of ``earlier`` ones that gave some.
    """
    found: dict[str, Contact] = {}
    for text, where in _on_file(record, earlier):
        try:
            address = checked_address(text.replace("&", "@", 1))
        except InvalidInput:
            continue
        found.setdefault(address, Contact(address, where))
    return tuple(found.values())[:MOST]


def _on_file(record: Registration, earlier: Iterable[int]) -> Iterator[tuple[str, str]]:
    for person in people_of(people_named(record)):
        for uri in person.uris:
            if uri.lower().startswith(_MAILTO):
                address = unquote(uri[len(_MAILTO) :].partition("?")[0])
                yield address, f"the contact {person.name or person.org or person.id}"
    # IANA writes & in place of @
    for address in addresses_in(registrant_text(record).replace("&", "@")):
        yield address, "an address in the section Registrant of the template"
    own = () if record.request is None else (record.request,)
    for number in (*own, *earlier):
        if kept := list(_kept_private(number)):
            yield from ((given, f"the private contact of request {number}") for given in kept)
            return


def _kept_private(number: int) -> Iterator[str]:
    request, given = request_rows.find_request(number), draft_rows.private_values(number)
    for field in REGISTRIES[request.registry_id].fields if request else ():
        if field.widget is Widget.EMAIL and given.get(field.name):
            yield given[field.name]


def registrant_text(record: Registration) -> str:
    """What a name's template says of its registrant."""
    fields = dict(record.fields) or read_template(record.text).fields
    return fields.get("registrant", "")
