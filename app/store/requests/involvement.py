"""Who has a part in a request, with their addresses: asked before every move, so in one question.

It tells people, not accounts: whoever asks tells the addresses of one mailbox to be one person.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Integer,
    Select,
    SQLColumnExpression,
    String,
    and_,
    bindparam,
    cast,
    literal,
    null,
    or_,
    select,
    union,
    union_all,
)

from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import Moment, built_once, db
from app.store.demonstration import is_counted
from app.store.tables import (
    Account,
    Claim,
    Delegate,
    Event,
    Interest,
    Iteration,
    Recusal,
    Request,
    ReviewRow,
)
from app.store.tables.delegates import ClaimKind, ClaimState
from app.store.tables.requests import EventSubject
from app.workflow.reviews import Verdict


class InvolvementKind(StrEnum):
    # began it, acts for it or did so before, sent a text of it, or invited somebody who acts
    AUTHOR = "author"
    INTEREST = "interest"  # declared one, in some organization
    RECUSED = "recused"


class InvolvedPerson(NamedTuple):
    """A person with a part in requests; ``organization`` is that of a declared interest.

    ``request`` or ``name_id`` say in which: in the request, or in those that revise a name. Without
    either, in every request. ``until`` is when a person who left stopped acting for it.
    """

    kind: InvolvementKind
    address: str
    organization: str
    request: int | None
    name_id: int | None
    until: datetime | None


def people_involved_in(
    numbers: Collection[int], held: Collection[DelegateScope]
) -> list[InvolvedPerson]:
    """Everybody with a part in some requests; ``held`` is what those hold who act for them."""
    given = {
        "numbers": list(numbers),
        "names": [one.name_id for one in held if one.name_id is not None],
        "held": [one.request for one in held if one.request is not None],
    }
    rows = db.session.execute(_involved(), given)
    return [
        InvolvedPerson(InvolvementKind(kind), address, organization, request, name_id, until)
        for kind, address, organization, request, name_id, until in rows
    ]


@built_once
def _involved() -> CompoundSelect[str, str, str, int | None, int | None, datetime | None]:
    numbers = _any_of("numbers")
    began = _as(InvolvementKind.AUTHOR, Request.number)
    wrote = _as(InvolvementKind.AUTHOR, Iteration.request)
    recused = _as(InvolvementKind.RECUSED, Recusal.request)
    whose = literal(InvolvementKind.INTEREST), Account.email, Interest.organization
    interested = select(*whose, _NONE, _NONE, _STILL)
    return union_all(
        began.join(Request, Request.registrant == Account.id).where(Request.number.in_(numbers)),
        wrote.join(Iteration, Iteration.author == Account.id).where(Iteration.request.in_(numbers)),
        _acting(),
        _inviting(),
        interested.join(Interest, Interest.account == Account.id).where(Interest.ends.is_(None)),
        recused.join(Recusal, Recusal.account == Account.id).where(Recusal.request.in_(numbers)),
    )


_NONE = cast(null(), Integer)
_STILL = cast(null(), Moment)


def _any_of(name: str) -> BindParameter[int]:
    return bindparam(name, expanding=True)


def _as(
    kind: InvolvementKind,
    request: SQLColumnExpression[Any],
    name: SQLColumnExpression[Any] = _NONE,
    until: SQLColumnExpression[Any] = _STILL,
) -> Select[str, str, str, int | None, int | None, datetime | None]:
    return select(literal(kind), Account.email, literal(""), request, name, until)


def _acting() -> Select[str, str, str, int | None, int | None, datetime | None]:
    own = or_(Delegate.request.in_(_any_of("held")), Delegate.name_id.in_(_any_of("names")))
    acting = _as(InvolvementKind.AUTHOR, Delegate.request, Delegate.name_id, Delegate.ends)
    return acting.join(Delegate, Delegate.account == Account.id).where(
        own, is_counted(Delegate, Account)
    )


def _inviting() -> Select[str, str, str, int | None, int | None, datetime | None]:
    own = or_(Claim.request.in_(_any_of("held")), Claim.name_id.in_(_any_of("names")))
    came = Claim.kind == ClaimKind.INVITATION, Claim.state == ClaimState.GRANTED
    inviting = _as(InvolvementKind.AUTHOR, Claim.request, Claim.name_id)
    return inviting.join(Claim, Claim.account == Account.id).where(own, *came)


def who_noted(kind: str, numbers: Collection[int]) -> list[tuple[int, str]]:
    noted = (
        Event.subject == EventSubject.REQUEST,
        Event.about == cast(Request.number, String),
        Event.iteration == Request.iterations,
    )
    found = select(Request.number, Account.email).join(Event, and_(*noted))
    of_them = found.join(Account, Event.actor == Account.id).where(
        Request.number.in_(numbers), Event.kind == kind
    )
    return [(number, address) for number, address in db.session.execute(of_them)]


def approvers_of(number: int, iteration: int, kinds: Iterable[str]) -> dict[int, str]:
    given = {"number": number, "about": str(number), "iteration": iteration, "kinds": list(kinds)}
    return dict(db.session.execute(_approvers(), given).all())


@built_once
def _approvers() -> CompoundSelect[int, str]:
    whose = select(Account.id, Account.email)
    reviewed = whose.join(ReviewRow, ReviewRow.author == Account.id).where(
        ReviewRow.request == bindparam("number"),
        ReviewRow.iteration == bindparam("iteration"),
        ReviewRow.verdict == Verdict.APPROVE,
    )
    noted = whose.join(Event, Event.actor == Account.id).where(
        Event.subject == EventSubject.REQUEST,
        Event.about == bindparam("about"),
        Event.iteration == bindparam("iteration"),
        Event.kind.in_(bindparam("kinds", expanding=True)),
    )
    return union(reviewed, noted)
