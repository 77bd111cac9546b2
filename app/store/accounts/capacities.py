"""In which capacities an account acts: the roles it holds, and for whom it speaks."""

from collections import defaultdict
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, String, bindparam, cast, literal, or_, select, union_all

from app.store.accounts.account_rows import is_grant_current
from app.store.database import Key, Moment, db
from app.store.demonstration import is_counted, is_on
from app.store.tables import (
    Account,
    RecognizedOrganization,
    Representative,
    RoleGrant,
    TemporaryExpert,
)
from app.store.tables.accounts import Grant

_GRANT, _REQUEST, _ORGANIZATION = "grant", "request", "organization"


class Capacities(NamedTuple):
    """Roles, each with the registry it is for, "" for all; requests to judge; organizations."""

    grants: list[tuple[Grant, str]]
    requests: list[int]
    organizations: frozenset[str]


def capacities_of(account: int, at: datetime) -> Capacities:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    given = {"account": account, "at": at}
    for kind, name, registry in db.session.execute(_asked(demo=is_on()), given):
        found[kind].append((name, registry))
    return Capacities(
        [(Grant(role), registry) for role, registry in found[_GRANT]],
        [int(number) for number, _ in found[_REQUEST]],
        frozenset(name for name, _ in found[_ORGANIZATION]),
    )


@lru_cache
def _asked(*, demo: bool) -> CompoundSelect[Any]:  # noqa: ARG001 — what counts depends on it
    account, at = bindparam("account", type_=Key), bindparam("at", type_=Moment())
    roles = (
        select(literal(_GRANT), cast(RoleGrant.role, String), RoleGrant.registry_id)
        .join(Account, Account.id == RoleGrant.account)
        .where(RoleGrant.account == account, is_grant_current(at))
    )
    judging = select(literal(_REQUEST), cast(TemporaryExpert.request, String), literal("")).where(
        TemporaryExpert.account == account, is_counted(TemporaryExpert)
    )
    speaking = (
        select(literal(_ORGANIZATION), RecognizedOrganization.folded, literal(""))
        .join(Representative, Representative.organization == RecognizedOrganization.id)
        .where(
            Representative.account == account,
            or_(Representative.ends.is_(None), Representative.ends > at),
            RecognizedOrganization.ended.is_(None),
            is_counted(Representative),
        )
    )
    return union_all(roles, judging, speaking)
