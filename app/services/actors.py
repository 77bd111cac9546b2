"""Who is acting, and what they may do about one request."""

from dataclasses import dataclass, field
from datetime import datetime

from app.store import accounts
from app.store.tables import Account
from app.store.tables.accounts import Grant
from app.workflow.states import Role

_ROLE_OF = {
    Grant.OPERATOR: Role.OPERATOR,
    Grant.EXPERT: Role.EXPERT,
    Grant.LEADER: Role.LEADER,
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody signed in, with the roles they hold now."""

    id: int
    name: str
    email: str
    grants: frozenset[Grant] = field(default=frozenset())

    @property
    def shown(self) -> str:
        """What the site calls them, to themselves."""
        return self.name or self.email

    @property
    def is_operator(self) -> bool:
        """Whether they run the registry."""
        return Grant.OPERATOR in self.grants

    @property
    def is_expert(self) -> bool:
        """Whether they review requests."""
        return bool(self.grants & {Grant.EXPERT, Grant.LEADER})


def actor_of(account: Account, at: datetime) -> Actor:
    """An account with the roles it holds at a moment."""
    return Actor(account.id, account.name, account.email, accounts.grants_of(account.id, at))


def roles_toward(actor: Actor | None, registrant: int) -> frozenset[Role]:
    """The roles somebody has toward a request. Its author reviews nothing of it."""
    if actor is None:
        return frozenset()
    if actor.id == registrant:
        kept = actor.grants & {Grant.OPERATOR}
        return frozenset({Role.REGISTRANT} | {_ROLE_OF[grant] for grant in kept})
    roles = {_ROLE_OF[grant] for grant in actor.grants}
    return frozenset(roles | ({Role.EXPERT} if Role.LEADER in roles else set()))
