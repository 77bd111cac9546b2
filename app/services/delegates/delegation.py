"""Who acts for a registrant: inviting, removing, leaving.

Several can, of a registered name as of a request for a new one. Nobody comes to act without a
link or a decision, and the last one does not leave unawares.
"""

from datetime import timedelta

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace
from app.services.accounts import rate_limits
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
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.tables.delegates import ClaimKind, ClaimState
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
