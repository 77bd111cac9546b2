"""Who is acting, and which roles they hold."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from app.problems import use_case_codes
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.store.accounts import account_rows
from app.store.accounts.capacities import Capacities, capacities_of
from app.store.database import read_transaction
from app.store.tables import Account
from app.store.tables.accounts import Grant

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
