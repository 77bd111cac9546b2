"""Claims: requests to become a manager of a registered name.

If the name has no manager yet, the contact on file can confirm a claim through a mailed link.
Otherwise the operator decides a claim by its evidence.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor, persons_of
from app.services.accounts.rate_limits import RateLimitKind
from app.services.delegates import delegate_mail, delegate_scopes, delegation
from app.services.delegates.delegate_mail import DelegateMail
from app.services.delegates.delegation import Contact, contacts_on_file
from app.services.refusals import EditConflict, InvalidInput, NameUnregistered, NotAllowed, NotFound
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.tables import Claim
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.workflow.evidence_inputs import says_something
from app.workflow.separation_of_duties import SeparationOfDuties, fold_mailbox

LINK_LASTS = timedelta(days=7)
_MOST_SHOWN = 100


class ClaimDecision(StrEnum):
    """The operator's decision about a claim."""

    GRANT = "grant"
    REPLACE = "replace"  # the previous managers are removed
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimableName:
    """A name as shown to a claimant, without the addresses and names of people."""

    space: IdentifierSpace
    name: str
    is_held: bool
    acts: bool
    on_file: tuple[str, ...]
    asked: datetime | None
    seen: int


def entry(name: str, space: IdentifierSpace) -> StoredVersion:
    """Return the current version of a registered name. Raises NotFound."""
    version = names.find_latest(space.id, space.fold(name))
    if version is None:
        raise NameUnregistered(name, space)
    return version


def claimable(name: str, actor: Actor | None, space: IdentifierSpace) -> ClaimableName:
    """Return how an actor can become a manager of a name."""
    version, held = entry(name, space), delegate_scopes.delegate_scope(name, space=space)
    acting = delegate_rows.accounts_of(held)
    waiting = delegate_rows.open_claims(held, ClaimKind.EVIDENCE)
    own = [claim.at for claim in waiting if actor and claim.account == actor.id]
    return ClaimableName(
        space=space,
        name=held.name,
        is_held=bool(acting),
        acts=actor is not None and actor.id in acting,
        on_file=tuple(
            dict.fromkeys(contact.where for contact in contacts_on_file(version.record, held))
        ),
        asked=own[0] if own else None,
        seen=delegate_rows.last_event(held),
    )


@use_case("claim by contact")
def ask_contact(command: Command, name: str, *, space: IdentifierSpace) -> None:
    """Mail a link to the contact on file. Only the claimant can use it."""
    version, held = _claimed(command, name, space)
    if delegate_rows.accounts_of(held):
        raise InvalidInput(
            use_case_codes.CLAIM_CLOSED,
            "This name already has a manager. Ask a manager to invite you, or send evidence to "
            "the operator.",
        )
    contacts = contacts_on_file(version.record, held)
    if not contacts:
        raise InvalidInput(
            use_case_codes.CLAIM_CLOSED,
            "No contact address is on file. Send evidence to the operator instead.",
        )
    _count_links(held, contacts, command)
    _send_link(held, contacts, command)


def _count_links(held: DelegateScope, contacts: tuple[Contact, ...], command: Command) -> None:
    mailboxes = {fold_mailbox(contact.address) for contact in contacts}
    counted = [
        (RateLimitKind.LINKS_TO_CONTACT, held.name),
        (RateLimitKind.CLAIMS_OF_PERSON, str(command.actor.id)),
        (RateLimitKind.CLAIMS, ""),
        *(
            (RateLimitKind.CLAIMS_TO_MAILBOX, rate_limits.keyed(mailbox, command.policy.secret))
            for mailbox in sorted(mailboxes)
        ),
    ]
    rate_limits.spend(counted, command.at)


def _send_link(held: DelegateScope, contacts: tuple[Contact, ...], command: Command) -> None:
    number, due = delegate_rows.next_claim(), command.at + LINK_LASTS
    token = delegate_mail.token_of_claim(number, command.policy.secret)
    delegate_rows.add_claim(
        number, held, ClaimKind.CONTACT, command.actor.id, command.at, token=token, due=due
    )
    event = delegate_scopes.record(command, held, "link asked", role="claimant")
    actor = command.actor
    who = f"{actor.name} <{actor.email}>" if actor.name else actor.email
    letter = DelegateMail(event, DelegateNoticeKind.LINK, held, claim=number, day=due, who=who)
    addresses = [contact.address for contact in contacts]
    delegate_mail.send(letter, addresses, command.at, command.post)


def _check_shown(_command: Command, _name: str, shown: str, **_named: object) -> None:
    if not says_something(shown):
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter evidence that you represent the registrant, for example a link.",
            field="shown",
        )
    if len(shown) > delegation.LONGEST_WORDS:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The text is too long. Enter at most {delegation.LONGEST_WORDS:,} characters.",
            field="shown",
        )


@use_case("claim by evidence", check=_check_shown)
def ask_operator(command: Command, name: str, shown: str, *, space: IdentifierSpace) -> None:
    """Claim a name with evidence for the operator, and notify its managers."""
    _, held = _claimed(command, name, space)
    waiting = delegate_rows.open_claims(held, ClaimKind.EVIDENCE)
    if any(claim.account == command.actor.id for claim in waiting):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            "You already sent a claim. The operator will reply by e-mail.",
        )
    counted = [
        (RateLimitKind.CLAIMS_OF_PERSON, str(command.actor.id)),
        (RateLimitKind.CLAIMS, ""),
    ]
    rate_limits.spend(counted, command.at)
    number = delegate_rows.next_claim()
    delegate_rows.add_claim(
        number, held, ClaimKind.EVIDENCE, command.actor.id, command.at, body=shown
    )
    event = delegate_scopes.record(command, held, "claimed", role="claimant")
    told = delegate_mail.addresses_of(delegate_rows.accounts_of(held))
    operators = set(delegate_mail.operators(command.at)) - set(told)
    path = f"/desk/claims/{number}"
    delegate_mail.write_letters(
        command, DelegateMail(event, DelegateNoticeKind.CLAIMED, held, path=path), operators
    )
    delegate_mail.write_letters(
        command, DelegateMail(event, DelegateNoticeKind.CLAIMED, held), told
    )


def _claimed(
    command: Command, name: str, space: IdentifierSpace
) -> tuple[StoredVersion, DelegateScope]:
    held = delegate_scopes.delegate_scope(name, locked=True, space=space)
    if delegate_scopes.acts_for(command.actor, held):
        raise InvalidInput(use_case_codes.ALREADY_DONE, "You already manage this name.")
    return entry(name, space), held


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A claim or transfer that waits for the operator; ``due`` is its first possible day."""

    number: int
    kind: ClaimKind
    space: IdentifierSpace
    name: str
    at: datetime
    due: datetime | None
    organization: str
    is_open: bool

    @property
    def is_transfer(self) -> bool:
        """Whether it transfers the name to another registrant."""
        return self.kind is ClaimKind.TRANSFER

    def is_due(self, at: datetime) -> bool:
        """Return whether it can be decided at a time."""
        return self.due is None or self.due <= at


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDetail:
    """A claim in full, for the operator: claimant, evidence and current managers."""

    row: OpenClaim
    asked_by: str
    shown: str
    address: str
    acting: tuple[delegation.DelegateView, ...]
    story: tuple[delegation.DelegateEvent, ...]
    may: bool
    reason: str


def to_decide() -> tuple[OpenClaim, ...]:
    """Return the oldest claims and transfers that wait for the operator."""
    return tuple(
        _waiting(claim, held) for claim, held in delegate_rows.claims_to_decide(_MOST_SHOWN)
    )


def count_to_decide(at: datetime) -> int:
    """Return how many of them can be decided at a time."""
    return delegate_rows.count_to_decide(at)


def _waiting(claim: Claim, held: DelegateScope) -> OpenClaim:
    return OpenClaim(
        number=claim.number,
        kind=ClaimKind(claim.kind),
        space=held.space,
        name=held.name,
        at=claim.at,
        due=claim.due,
        organization=claim.organization,
        is_open=claim.state == ClaimState.OPEN,
    )


def show(number: int, actor: Actor, rule: SeparationOfDuties) -> ClaimDetail:
    """Return a claim for the operator. Raises NotFound."""
    claim = decidable(number, ClaimKind.EVIDENCE, ClaimKind.TRANSFER)
    held = delegate_rows.scope_of_claim(claim)
    asked_by = account_rows.get_account(claim.account)
    return ClaimDetail(
        row=_waiting(claim, held),
        asked_by=f"{asked_by.name} {asked_by.email}".strip(),
        shown=claim.body,
        address=claim.address,
        acting=delegation.delegates_of(held),
        story=delegation.story_of(held),
        may=may_decide_claim(claim, actor, rule),
        reason=claim.reason,
    )


def decidable(number: int, *kinds: ClaimKind) -> Claim:
    """Return a claim of one of these kinds. Raises NotFound."""
    claim = delegate_rows.find_claim(number)
    if claim is None or claim.kind not in kinds:
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, f"Claim {number} not found.")
    return claim


def may_decide_claim(claim: Claim, actor: Actor, rule: SeparationOfDuties) -> bool:
    """Return whether an actor can decide a claim: not their own, unless they work alone."""
    asked = persons_of([claim.account])
    return fold_mailbox(actor.email) not in asked or rule.people < 2


def opened_by_operator(
    command: Command, number: int, kind: ClaimKind, reason: str
) -> tuple[Claim, DelegateScope]:
    """Return a claim for an operator to decide. Raises Refusal if they can't, or it is closed."""
    if not command.actor.is_operator:
        raise NotAllowed(use_case_codes.OPERATORS_ONLY, "Only operators can decide claims.")
    if not says_something(reason):
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the reason. It is kept permanently and sent to the people concerned.",
            field="reason",
        )
    if len(reason) > delegation.LONGEST_WORDS:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The text is too long. Enter at most {delegation.LONGEST_WORDS:,} characters.",
            field="reason",
        )
    claim = decidable(number, kind)
    held = delegate_scopes.keep(claim)
    if claim.state != ClaimState.OPEN:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "Another operator decided this after you opened it. Your text is below.",
        )
    if not may_decide_claim(claim, command.actor, command.rules.separation):
        raise NotAllowed(
            use_case_codes.OTHER_PERSON_NEEDED,
            "You asked for this yourself. Another operator must decide it.",
        )
    return claim, held


@use_case("decide claim")
def decide(command: Command, number: int, decision: ClaimDecision, reason: str) -> None:
    """Grant a claim, with or without removing the previous managers, or refuse it."""
    claim, held = opened_by_operator(command, number, ClaimKind.EVIDENCE, reason)
    if decision is ClaimDecision.REFUSE:
        _refuse(claim, held, reason, command)
    else:
        _grant(claim, held, reason, command, alone=decision is ClaimDecision.REPLACE)


def _refuse(claim: Claim, held: DelegateScope, reason: str, command: Command) -> None:
    asked = delegate_mail.addresses_of([claim.account])
    delegate_rows.decide(claim, ClaimState.REFUSED, command.at, reason)
    event = delegate_scopes.record(command, held, "claim refused", role="operator", reason=reason)
    path = held.space.page_below(held.name, "claim")
    delegate_mail.write_letters(
        command,
        DelegateMail(event, DelegateNoticeKind.REFUSED, held, path=path, reason=reason),
        asked,
    )


def _grant(
    claim: Claim, held: DelegateScope, reason: str, command: Command, *, alone: bool
) -> None:
    before = delegate_rows.accounts_of(held) - {claim.account}
    delegate_rows.decide(claim, ClaimState.GRANTED, command.at, reason)
    if alone:
        delegate_rows.end(held, before, command.at)
    delegate_rows.add(held, claim.account, DelegateOrigin.EVIDENCE, command.at)
    body = "The previous managers were removed." if alone and before else ""
    event = delegate_scopes.record(
        command, held, "claim granted", role="operator", reason=reason, body=body
    )
    claimant = account_rows.get_account(claim.account)
    granted = DelegateMail(event, DelegateNoticeKind.GRANTED, held, reason=reason)
    delegate_mail.write_letters(command, granted, [claimant.email])
    tale = DelegateNoticeKind.REMOVED if alone else DelegateNoticeKind.JOINED
    who = "The operator" if alone else claimant.name or claimant.email
    delegate_mail.write_letters(
        command,
        DelegateMail(event, tale, held, reason=reason, who=who),
        delegate_mail.addresses_of(before),
    )
