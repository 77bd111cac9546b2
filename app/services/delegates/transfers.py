"""Handing a name over to another registrant: asked, announced, waited for, or stopped."""

from datetime import timedelta

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.accounts import rate_limits
from app.services.accounts.rate_limits import RateLimitKind
from app.services.accounts.sign_in import checked_address
from app.services.delegates import claims, delegate_mail, delegate_scopes, delegation
from app.services.delegates.delegate_mail import DelegateMail
from app.services.delegates.delegation import contacts_on_file
from app.services.refusals import InvalidInput, NotFound
from app.services.use_cases import Command, use_case
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.tables.delegates import ClaimKind, ClaimState
from app.workflow.evidence_inputs import says_something


def _check_ask(
    _command: Command,
    _name: str,
    organization: str,
    address: str,
    reason: str,
    **_named: object,
) -> None:
    checked_address(address)
    _check(organization, reason)


@use_case("ask transfer", check=_check_ask)
def ask(
    command: Command,
    name: str,
    organization: str,
    address: str,
    reason: str,
    *,
    space: IdentifierSpace,
) -> None:
    """Ask that a name goes to another registrant, and tell everybody on the old side.

    They can object for some days; after them the operator carries it out.
    """
    held = delegate_scopes.delegate_scope(name, locked=True, space=space)
    delegate_scopes.required(command.actor, held)
    if delegation.transfer_of(held, None):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            "A transfer is already in progress. Stop it first.",
        )
    delegate_scopes.refuse_changed(command, held)
    rate_limits.spend([(RateLimitKind.TRANSFERS_OF_PERSON, str(command.actor.id))], command.at)
    days = timedelta(days=command.rules.transfer_days)
    number, due = delegate_rows.next_claim(), command.at + days
    delegate_rows.add_claim(
        number,
        held,
        ClaimKind.TRANSFER,
        command.actor.id,
        command.at,
        token=delegate_mail.token_of_claim(number, command.policy.secret),
        due=due,
        address=checked_address(address),
        organization=organization.strip(),
        body=reason,
    )
    event = delegate_scopes.record(
        command, held, "transfer asked", reason=reason, body=f"To {organization.strip()}."
    )
    _announce(
        DelegateMail(event, DelegateNoticeKind.TRANSFER, held, day=due, claim=number),
        command,
        organization,
    )


def _check(organization: str, reason: str) -> None:
    if not organization.strip():
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the new registrant.",
            field="organization",
        )
    if len(organization) > LONGEST_LINE:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The organization is too long. Enter at most {LONGEST_LINE} characters.",
            field="organization",
        )
    _check_reason(reason, "Enter the reason for the transfer.")


def _check_reason(reason: str, missing: str) -> None:
    if not says_something(reason):
        raise InvalidInput(use_case_codes.VALUE_MISSING, missing, field="reason")
    if len(reason) > delegation.LONGEST_WORDS:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The text is too long. Enter at most {delegation.LONGEST_WORDS:,} characters.",
            field="reason",
        )


def _announce(letter: DelegateMail, command: Command, organization: str) -> None:
    held, event = letter.held, letter.event
    acting = set(delegate_mail.addresses_of(delegate_rows.accounts_of(held)))
    page = DelegateMail(
        event, DelegateNoticeKind.TRANSFER, held, day=letter.day, organization=organization
    )
    delegate_mail.write_letters(command, page, acting)
    record = claims.entry(held.name, held.space).record
    on_file = {contact.address for contact in contacts_on_file(record, held)} - acting
    link = DelegateMail(
        event,
        DelegateNoticeKind.NOTICE,
        held,
        day=letter.day,
        claim=letter.claim,
        organization=organization,
    )
    delegate_mail.write_letters(command, link, on_file)


def _check_stop(_command: Command, _name: str, reason: str, **_named: object) -> None:
    _check_reason(reason, "Enter the reason for stopping the transfer.")


@use_case("stop transfer", check=_check_stop)
def stop(command: Command, name: str, reason: str, *, space: IdentifierSpace) -> None:
    """Stop a transfer: who asked for it takes it back, any other of the old side objects."""
    held = delegate_scopes.delegate_scope(name, locked=True, space=space)
    delegate_scopes.required(command.actor, held)
    found = delegate_rows.open_claims(held, ClaimKind.TRANSFER)
    if not found:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, f"No transfer of `{held.name}` is in progress."
        )
    delegate_scopes.refuse_changed(command, held)
    delegate_rows.lock_claim(found[0])
    is_own = found[0].account == command.actor.id
    kind = "transfer called off" if is_own else "transfer objected"
    event = delegate_scopes.record(command, held, kind, reason=reason)
    stopped = DelegateMail(
        event,
        DelegateNoticeKind.STOPPED,
        held,
        organization=found[0].organization,
        reason=reason,
    )
    delegate_mail.write_letters(command, stopped, told_of(held, command))
    state = ClaimState.WITHDRAWN if is_own else ClaimState.OBJECTED
    delegate_rows.decide(found[0], state, command.at, reason)


def told_of(held: DelegateScope, command: Command) -> set[str]:
    """Who hears that a transfer was stopped: who acts for the name, and the operator."""
    acting = delegate_mail.addresses_of(delegate_rows.accounts_of(held))
    return {*acting, *delegate_mail.operators(command.at)}
