"""One-time links about a registrant: to accept an invitation, to claim, to object.

Looking at one does not use it up: mail scanners open links.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace
from app.services.accounts.actors import Actor
from app.services.accounts.sign_in import LinkSpent
from app.services.delegates import delegate_mail, delegate_scopes, delegation
from app.services.delegates.delegate_mail import DelegateMail
from app.services.input_texts import require_storable
from app.services.policy import MailSettings
from app.services.refusals import InvalidInput, NotAllowed
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import transaction
from app.store.tables import Claim
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.workflow.evidence_inputs import says_something

_CLOCKS_DIFFER = timedelta(minutes=1)
_HOW = {ClaimKind.INVITATION: DelegateOrigin.INVITED, ClaimKind.CONTACT: DelegateOrigin.CONTACT}


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegateLink:
    """What a link leads to, for who opened it. ``is_theirs`` where they can use it as they are."""

    kind: ClaimKind
    space: IdentifierSpace
    name: str
    named: str
    request: int | None
    organization: str
    reason: str
    due: datetime
    is_theirs: bool

    @property
    def objects(self) -> bool:
        """Whether it stops a transfer; for that nobody signs in."""
        return self.kind is ClaimKind.TRANSFER


def look(token: str, actor: Actor | None, at: datetime) -> DelegateLink:
    """What a link leads to; LinkSpent where it was used, called off, or is too old."""
    claim = _usable(delegate_rows.find_claim_of(token), at)
    held = _held(claim)
    return DelegateLink(
        kind=ClaimKind(claim.kind),
        space=held.space,
        name=held.name,
        named=delegate_scopes.scope_title(held),
        request=held.request,
        organization=claim.organization,
        reason=claim.body,
        due=claim.due or claim.at,
        is_theirs=_is_theirs(claim, actor),
    )


def scope_of(token: str) -> DelegateScope:
    """What a link is about, whether or not it was used; LinkSpent where there never was one."""
    claim = delegate_rows.find_claim_of(token)
    if claim is None:
        raise LinkSpent
    return _held(claim)


def _held(claim: Claim) -> DelegateScope:
    held = delegate_rows.scope_of_claim(claim)
    return delegate_scopes.delegate_scope(held.name, held.request or 0, space=held.space)


def _kept(token: str, at: datetime) -> tuple[Claim, DelegateScope]:
    claim = _usable(delegate_rows.find_claim_of(token), at)
    held = delegate_scopes.keep(claim)
    return _usable(claim, at), held


def _usable(claim: Claim | None, at: datetime) -> Claim:
    if claim is None or claim.state != ClaimState.OPEN or claim.due is None:
        raise LinkSpent
    in_time = claim.at - _CLOCKS_DIFFER <= at <= claim.due
    if not in_time and claim.kind != ClaimKind.TRANSFER:
        raise LinkSpent
    sender = {claim.account} if claim.kind == ClaimKind.INVITATION else set()
    if not sender <= delegate_rows.accounts_of(_held(claim)):
        raise LinkSpent
    return claim


def _is_theirs(claim: Claim, actor: Actor | None) -> bool:
    if claim.kind == ClaimKind.TRANSFER:
        return True
    if actor is None:
        return False
    if claim.kind == ClaimKind.INVITATION:
        return actor.email.lower() == claim.address
    return actor.id == claim.account


@use_case("accept link")
def accept(command: Command, token: str) -> None:
    """Use a link up, and act from now on. Raises LinkSpent, and NotAllowed for another's."""
    claim, held = _kept(token, command.at)
    if claim.kind == ClaimKind.TRANSFER:
        raise LinkSpent
    if not _is_theirs(claim, command.actor):
        raise NotAllowed(use_case_codes.REGISTRANT_ONLY, _foreign(claim))
    _join(claim, held, command)


def _foreign(claim: Claim) -> str:
    if claim.kind == ClaimKind.INVITATION:
        return (
            "This invitation was sent to another address. Sign in with that address, then open "
            "the link again."
        )
    return (
        "This link belongs to another account. Sign in with that account, or request your own "
        "link on the page of the namespace."
    )


def _join(claim: Claim, held: DelegateScope, command: Command) -> None:
    others = delegate_rows.accounts_of(held) - {command.actor.id}
    if claim.kind == ClaimKind.CONTACT and others:
        raise InvalidInput(
            use_case_codes.CLAIM_CLOSED,
            "This name now has another manager. Ask a manager to invite you, or send evidence to "
            "the operator.",
        )
    kind = ClaimKind(claim.kind)
    delegate_rows.decide(claim, ClaimState.GRANTED, command.at)
    delegate_rows.add(held, command.actor.id, _HOW[kind], command.at)
    invited = kind is ClaimKind.INVITATION
    event = delegate_scopes.record(
        command,
        held,
        "person joined" if invited else "claimed by the contact",
        role="registrant" if invited else "contact",
    )
    letter = DelegateMail(event, DelegateNoticeKind.JOINED, held)
    delegate_mail.write_letters(command, letter, delegate_mail.addresses_of(others))


def object_to(token: str, reason: str, at: datetime, post: MailSettings) -> None:
    """Stop a transfer as the contact on file; only the first time does anything.

    Nobody is signed in, so no key is kept: an objection in the same words is the one that was
    made, and is answered alike. Raises LinkSpent for another, and InvalidInput.
    """
    require_storable({"reason": reason})
    if not says_something(reason):
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the reason for your objection.",
            field="reason",
        )
    if len(reason) > delegation.LONGEST_WORDS:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The text is too long. Enter at most {delegation.LONGEST_WORDS:,} characters.",
            field="reason",
        )
    with transaction():
        if _has_objected(token, reason):
            return
        claim, held = _kept(token, at)
        if claim.kind != ClaimKind.TRANSFER:
            raise LinkSpent
        event = delegate_scopes.note(held, "transfer objected", at, role="contact", reason=reason)
        stopped = DelegateMail(
            event, DelegateNoticeKind.STOPPED, held, organization=claim.organization, reason=reason
        )
        acting = delegate_mail.addresses_of(delegate_rows.accounts_of(held))
        asked = account_rows.get_account(claim.account).email
        told = {*acting, asked, *delegate_mail.operators(at)}
        delegate_mail.send(stopped, told, at, post)
        delegate_rows.decide(claim, ClaimState.OBJECTED, at, reason)


def _has_objected(token: str, reason: str) -> bool:
    claim = delegate_rows.find_claim_of(token)
    return claim is not None and (claim.state, claim.reason) == (ClaimState.OBJECTED, reason)
