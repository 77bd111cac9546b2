"""Who is acting, and which roles they hold."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.capacities import Capacities, capacities_of
from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import read_once, read_transaction
from app.store.requests.involvement import InvolvedPerson, InvolvementKind, people_involved_in
from app.store.tables import Account, Request
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import (
    ConflictOfInterest,
    Parties,
    SeparationOfDuties,
    conflicts_of,
    fold_mailbox,
    fold_organization,
    without_judging,
)
from app.workflow.states import Action, Role

_FOR_ALL = ""


class ScopedRole(NamedTuple):
    """A role that somebody holds: for all registries, for one, or for a single request."""

    grant: Grant
    registry: str = _FOR_ALL
    request: int | None = None

    def reaches(self, registry: str, request: int) -> bool:
        """Whether it counts for a request of a registry."""
        if self.request is not None:
            return self.request == request
        return self.registry in (_FOR_ALL, registry)


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody signed in, with the roles they hold now.

    ``represents`` holds the recognized organizations that they speak for. ``seen`` is when it was
    noted last that their session is used.
    """

    id: int
    name: str
    email: str
    appointments: frozenset[ScopedRole] = field(default=frozenset())
    organization: str = ""
    represents: frozenset[str] = field(default=frozenset())
    seen: datetime | None = field(default=None, compare=False)

    @property
    def shown(self) -> str:
        """What the site calls them, to themselves."""
        return self.name or self.email

    @property
    def grants(self) -> frozenset[Grant]:
        """The roles they hold anywhere."""
        return frozenset(appointment.grant for appointment in self.appointments)

    @property
    def is_operator(self) -> bool:
        """Whether they run the registry."""
        return Grant.OPERATOR in self.grants

    @property
    def is_expert(self) -> bool:
        """Whether they review requests."""
        return bool(self.grants & {Grant.EXPERT, Grant.LEADER})


def require_operator(actor: Actor, sentence: str) -> None:
    """Raise NotAllowed with the sentence for everybody who does not run the registry."""
    if not actor.is_operator:
        raise NotAllowed(use_case_codes.OPERATORS_ONLY, sentence)


def actor_of(account: Account, at: datetime) -> Actor:
    """An account with the roles it holds at a moment.

    A temporary expert decides the request for which the IESG appointed them, as a leader does.
    """
    known = capacities_of(account.id, at)
    return Actor(
        account.id,
        account.name,
        account.email,
        _appointments(known),
        account.organization,
        known.organizations,
    )


def with_roles_at(actor: Actor, at: datetime) -> Actor:
    """An actor with the roles and organizations of a moment, which others may have changed."""
    known = capacities_of(actor.id, at)
    return replace(actor, appointments=_appointments(known), represents=known.organizations)


def _appointments(known: Capacities) -> frozenset[ScopedRole]:
    lasting = (ScopedRole(*grant) for grant in known.grants)
    temporary = (ScopedRole(Grant.LEADER, request=number) for number in known.requests)
    return frozenset((*lasting, *temporary))


def actor_with(who: int | str, at: datetime) -> Actor:
    """Somebody by their account or their address, with the roles of a moment. Raises NotFound."""
    with read_transaction():
        account = (
            account_rows.get_account(who)
            if isinstance(who, int)
            else account_rows.find_account(who)
        )
        if account is None:
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, f"No account has the address {who}.")
        return actor_of(account, at)


def only_operator(at: datetime) -> int:
    """The account of the operator, where there is one alone. Raises InvalidInput."""
    with read_transaction():
        found = account_rows.holders(Grant.OPERATOR, at)
    if not found:
        sentence = (
            "The registry has no operator yet. Sign in once, then run `urn-registry account grant "
            "EMAIL operator`, or name an account with --as."
        )
        raise InvalidInput(use_case_codes.VALUE_MISSING, sentence)
    if len(found) != 1:
        sentence = f"The registry has {len(found)} operators. Give the address of one with --as."
        raise InvalidInput(use_case_codes.VALUE_MISSING, sentence)
    return found[0].id


USUAL = SeparationOfDuties()

_ROLES_OF = {
    Grant.OPERATOR: (Role.OPERATOR,),
    Grant.EXPERT: (Role.EXPERT,),
    Grant.LEADER: (Role.LEADER, Role.EXPERT),
}


def accounts_acting_for(request: Request) -> frozenset[int]:
    """The accounts that act for a request's registrant now: for the name that it revises."""
    return delegate_rows.acting_for(request)


def name_above(request: Request, folded: str | None) -> DelegateScope | None:
    """The name that another one lies under, as a shoulder does under its NAAN, if it is on file.

    None where it lies under none, or under one that everybody shares.
    """
    space = REGISTRIES[request.registry_id].space
    above, slash, _ = (folded or "").partition("/")
    if space.under is None or not slash or space.is_shared(above):
        return None
    return delegate_rows.find_name(space.under, above)


def accounts_acting_above(request: Request, folded: str | None) -> frozenset[int]:
    """The accounts that act for the holder of the name that another one lies under."""
    held = name_above(request, folded)
    return delegate_rows.accounts_of(held) if held else frozenset()


def is_held_above(request: Request, folded: str | None) -> bool:
    """Whether who asks for a name acts for nobody who holds the one that it lies under.

    A holder that has no account here is one as well: whoever decides asks them otherwise.
    """
    is_under = name_above(request, folded) is not None
    return is_under and not accounts_acting_above(request, folded) & accounts_acting_for(request)


def persons_of(idents: Collection[int]) -> frozenset[str]:
    """The people behind accounts: those of one mailbox are one person."""
    return frozenset(map(fold_mailbox, account_rows.addresses_of(idents).values()))


@read_once
def _involved(request: Request) -> tuple[InvolvedPerson, ...]:
    held = delegate_rows.scope_of_request(request)
    found = people_involved_in([request.number], [held] if held else [])
    return tuple(one for one in found if _had_part(one, request))


def _had_part(one: InvolvedPerson, request: Request) -> bool:
    return one.until is None or one.until >= request.started


def _persons(involved: Iterable[InvolvedPerson], kind: InvolvementKind) -> frozenset[str]:
    return frozenset(fold_mailbox(one.address) for one in involved if one.kind is kind)


def authors_of(request: Request) -> frozenset[str]:
    """The people who wrote a request, and those who invited somebody to act for it.

    Whoever began it, sent one of its texts, or acted for it at any time since it began could have
    written it: leaving doesn't change that. Whoever invites could be the one who comes.
    """
    return _persons(_involved(request), InvolvementKind.AUTHOR)


@read_once
def parties_of(request: Request) -> Parties:
    """Who stands where toward a request: people, whichever of their accounts says so."""
    return _parties(request, _involved(request))


def parties_of_all(requests: Collection[Request]) -> dict[int, Parties]:
    """Return the parties of each request, in a fixed number of queries."""
    held = {one.number: scope for one, scope in delegate_rows.scopes_of_requests(requests)}
    involved = people_involved_in(list(held), [scope for scope in held.values() if scope])
    found = {}
    for request in requests:
        scope = held[request.number]
        whose = {(None, None), (request.number, None), (None, scope.name_id if scope else None)}
        near = (one for one in involved if (one.request, one.name_id) in whose)
        own = (one for one in near if _had_part(one, request))
        found[request.number] = _parties(request, tuple(own))
    return found


def _parties(request: Request, involved: Collection[InvolvedPerson]) -> Parties:
    folded = fold_organization(request.organization)
    near = [one for one in involved if folded and fold_organization(one.organization) == folded]
    return Parties(
        authors=_persons(involved, InvolvementKind.AUTHOR),
        organization=request.organization,
        interested=_persons(near, InvolvementKind.INTEREST),
        recused=_persons(involved, InvolvementKind.RECUSED),
    )


def conflicts_with(
    actor: Actor,
    request: Request,
    rule: SeparationOfDuties = USUAL,
    known: Callable[[], Parties] | None = None,
) -> tuple[ConflictOfInterest, ...]:
    """Every reason why somebody may not judge a request.

    ``known`` gives who stands where toward it, where somebody has read that already.
    """
    parties = known() if known else parties_of(request)
    person = fold_mailbox(actor.email)
    return conflicts_of(person, parties, organization=actor.organization, rule=rule)


def roles_toward(
    actor: Actor | None,
    request: Request,
    rule: SeparationOfDuties = USUAL,
    known: Callable[[], Parties] | None = None,
) -> frozenset[Role]:
    """The roles somebody has toward a request. Its author reviews it only where one may."""
    if actor is None:
        return frozenset()
    roles = _appointed(actor, request)
    if roles & {Role.EXPERT} and conflicts_with(actor, request, rule, known):
        roles = without_judging(roles)
    if actor.id in accounts_acting_for(request):
        roles |= {Role.REGISTRANT}
    if fold_organization(request.organization) in actor.represents:
        roles |= {Role.REPRESENTATIVE}
    return roles


def may_see_private(roles: frozenset[Role]) -> bool:
    """Whether somebody with these roles toward a request reads what it tells the registry alone."""
    return bool(roles & {Role.REGISTRANT, Role.OPERATOR, Role.EXPERT})


def roles_for(
    actor: Actor | None,
    request: Request,
    action: Action,
    rule: SeparationOfDuties = USUAL,
    known: Callable[[], Parties] | None = None,
) -> frozenset[Role]:
    """The roles in which somebody takes an action.

    To say that nobody can judge a request is no judgement: whoever stands too near may say so.
    """
    if actor is not None and action is Action.ESCALATE:
        return roles_toward(actor, request, rule, known) | _appointed(actor, request)
    return roles_toward(actor, request, rule, known)


def sits_on_panel(actor: Actor, request: Request) -> bool:
    """Whether somebody is an expert for a request's registry, with a conflict or without.

    Nobody is where the registry has no experts, whatever they are appointed to.
    """
    return Role.EXPERT in _appointed(actor, request)


def _appointed(actor: Actor, request: Request) -> frozenset[Role]:
    held = frozenset(
        role
        for appointment in actor.appointments
        if appointment.reaches(request.registry_id, request.number)
        for role in _ROLES_OF[appointment.grant]
    )
    return held if REGISTRIES[request.registry_id].has_experts else without_judging(held)
