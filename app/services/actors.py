"""Who is acting, and what they may do about one request."""

from dataclasses import dataclass, field
from datetime import datetime

from app.store import accounts
from app.store.tables import Account
from app.store.tables.accounts import Grant
from app.workflow.people import Parties, Separation, conflicts_of, without_judging
from app.workflow.states import Role

USUAL = Separation()

_ROLES_OF = {
    Grant.OPERATOR: (Role.OPERATOR,),
    Grant.EXPERT: (Role.EXPERT,),
    Grant.LEADER: (Role.LEADER, Role.EXPERT),
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


def may_judge(actor: Actor, registrant: int, rule: Separation = USUAL) -> bool:
    """Whether nothing stands between somebody and the judgement of a request."""
    parties = Parties(authors=frozenset({str(registrant)}))
    return not conflicts_of(str(actor.id), parties, rule=rule)


def roles_toward(actor: Actor | None, registrant: int, rule: Separation = USUAL) -> frozenset[Role]:
    """The roles somebody has toward a request. Its author reviews it only where one may."""
    if actor is None:
        return frozenset()
    roles = frozenset(role for grant in actor.grants for role in _ROLES_OF[grant])
    if not may_judge(actor, registrant, rule):
        roles = without_judging(roles)
    return roles | {Role.REGISTRANT} if actor.id == registrant else roles
