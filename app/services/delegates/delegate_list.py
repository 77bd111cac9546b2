"""Who acts for a registrant, as those who do and the operator see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.registration.declarations.registries import IdentifierSpace
from app.services.accounts.actors import Actor
from app.services.delegates import delegate_scopes
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.event_log import event_rows
from app.store.tables import Account, Claim, Delegate, Event
from app.store.tables.delegates import ClaimKind, DelegateOrigin

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
