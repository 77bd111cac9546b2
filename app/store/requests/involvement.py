"""Who has a part in a request, with their addresses: asked before every move, so in one question.

It tells people, not accounts: whoever asks tells the addresses of one mailbox to be one person.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import (
    CompoundSelect,
    Select,
    String,
    and_,
    bindparam,
    cast,
    literal,
    or_,
    select,
    union,
    union_all,
)

from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import built_once, db
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
    """What somebody has to do with a request."""

    AUTHOR = "author"  # began it, acts for it, sent a text of it, or invited somebody who acts
    INTEREST = "interest"  # declared one, in some organization
    RECUSED = "recused"


class InvolvedPerson(NamedTuple):
    """Somebody with a part in a request; ``organization`` is that of a declared interest."""

    kind: InvolvementKind
    address: str
    organization: str


def accounts_involved_in(request: Request, held: DelegateScope | None) -> list[InvolvedPerson]:
    """Everybody with a part in a request; ``held`` is what those hold who act for it.

    Interests are all that are declared, whatever organization makes the request.
    """
    given: dict[str, int | None] = {"number": request.number, "registrant": request.registrant}
    given |= {"name": held.name_id if held else None, "held": held.request if held else None}
    rows = db.session.execute(_involved(), given)
    return [
        InvolvedPerson(InvolvementKind(kind), address, organization)
        for kind, address, organization in rows
    ]


@built_once
def _involved() -> CompoundSelect[str, str, str]:
    began = _as(InvolvementKind.AUTHOR).where(Account.id == bindparam("registrant"))
    wrote = _as(InvolvementKind.AUTHOR).join(Iteration, Iteration.author == Account.id)
    recused = _as(InvolvementKind.RECUSED).join(Recusal, Recusal.account == Account.id)
    interested = select(literal(InvolvementKind.INTEREST), Account.email, Interest.organization)
    return union_all(
        began,
        wrote.where(Iteration.request == bindparam("number")),
        _acting(),
        _inviting(),
        interested.join(Interest, Interest.account == Account.id).where(Interest.ends.is_(None)),
        recused.where(Recusal.request == bindparam("number")),
    )


def _as(kind: InvolvementKind) -> Select[str, str, str]:
    return select(literal(kind), Account.email, literal(""))


def _acting() -> Select[str, str, str]:
    own = or_(Delegate.request == bindparam("held"), Delegate.name_id == bindparam("name"))
    acting = _as(InvolvementKind.AUTHOR).join(Delegate, Delegate.account == Account.id)
    return acting.where(own, Delegate.ends.is_(None), is_counted(Delegate, Account))


def _inviting() -> Select[str, str, str]:
    """Whoever invites could be the one who comes."""
    own = or_(Claim.request == bindparam("held"), Claim.name_id == bindparam("name"))
    came = Claim.kind == ClaimKind.INVITATION, Claim.state == ClaimState.GRANTED
    return _as(InvolvementKind.AUTHOR).join(Claim, Claim.account == Account.id).where(own, *came)


def who_noted(kind: str, numbers: Collection[int]) -> list[tuple[int, str]]:
    """Those by whom an event of a kind is about the newest text of requests: with each, where."""
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
    """Who approved a text: by a review, or by an event of these kinds; accounts and addresses."""
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
