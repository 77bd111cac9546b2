"""Who acts for registrants, and the claims by which somebody comes to."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, func, or_, select, update

from app.registration.declarations.registries import (
    REGISTRIES,
    URN_SPACE,
    IdentifierSpace,
    space_with,
)
from app.registration.records.registry_records import Purpose, Status
from app.store.counters import next_number
from app.store.database import add_missing, built_once, db
from app.store.demonstration import is_counted, is_on
from app.store.digests import sha256
from app.store.tables import Account, Claim, Delegate, Event, Name, RecordVersion, Request
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.store.tables.requests import EventSubject
from app.workflow.states import State

# What somebody else decides or does, who in a demonstration may be anybody.
_BY_OTHERS = frozenset(
    {DelegateOrigin.INVITED, DelegateOrigin.EVIDENCE, DelegateOrigin.TRANSFERRED}
)
_READ = "who acts"
TRANSFERRED = "transferred"  # the event of a name that went to another registrant


@dataclass(frozen=True, slots=True)
class DelegateScope:
    """What somebody acts for the registrant of: a registered name, or a request for a new one.

    ``name`` is folded, of a ``space``; ``name_id`` and ``request`` are the rows, of which one is
    there.
    """

    name: str = ""
    name_id: int | None = None
    request: int | None = None
    space: IdentifierSpace = URN_SPACE

    @property
    def subject(self) -> EventSubject:
        return EventSubject.NAME if self.request is None else EventSubject.REQUEST

    @property
    def about(self) -> str:
        return self.space.about(self.name) if self.request is None else str(self.request)

    @property
    def columns(self) -> dict[str, int | None]:
        """The columns of a row that say what is acted for."""
        return {"name_id": self.name_id, "request": self.request}


def find_name(space: IdentifierSpace, folded: str, *, locked: bool = False) -> DelegateScope | None:
    """A name that is taken; ``locked`` keeps others who do the same off until the commit."""
    if not folded.isascii() or "\0" in folded:
        return None
    query = _name().with_for_update() if locked else _name()
    ident = db.session.scalar(query, {"space": space.id, "folded": folded})
    return None if ident is None else DelegateScope(folded, name_id=ident, space=space)


@built_once
def _name() -> Select[int]:
    named = Name.space == bindparam("space"), Name.folded == bindparam("folded")
    return select(Name.id).where(*named)


def scope_of_request(request: Request) -> DelegateScope | None:
    space = REGISTRIES[request.registry_id].space
    if request.purpose == Purpose.REVISION and not is_left_behind(request):
        return find_name(space, request.asked_name)
    return DelegateScope(request.asked_name, request=request.number, space=space)


def scopes_of_requests(
    requests: Iterable[Request],
) -> list[tuple[Request, DelegateScope | None]]:
    """``scope_of_request`` of several requests that were sent, in one query."""
    listed = list(requests)
    revised = {one.asked_name for one in listed if one.purpose == Purpose.REVISION}
    named = select(Name.space, Name.folded, Name.id).where(Name.folded.in_(revised))
    known = {(space, name): ident for space, name, ident in db.session.execute(named)}
    return [(request, _scope_among(request, known)) for request in listed]


def _scope_among(request: Request, known: Mapping[tuple[str, str], int]) -> DelegateScope | None:
    space = REGISTRIES[request.registry_id].space
    if request.purpose != Purpose.REVISION:
        return DelegateScope(request.asked_name, request=request.number, space=space)
    ident = known.get((space.id, request.asked_name))
    return None if ident is None else DelegateScope(request.asked_name, name_id=ident, space=space)


def is_left_behind(request: Request) -> bool:
    if request.purpose != Purpose.REVISION or not State(request.state).is_private:
        return False
    return db.session.scalar(_own_rows(), {"request": request.number}) is not None


@built_once
def _own_rows() -> Select[int]:
    return select(Delegate.id).where(Delegate.request == bindparam("request")).limit(1)


def acting_for(request: Request) -> frozenset[int]:
    """The accounts that act for a request's registrant now; read once in a transaction."""
    known = _known()
    if request.number not in known:
        held = scope_of_request(request)
        known[request.number] = accounts_of(held) if held else frozenset()
    return known[request.number]


def _known() -> dict[int, frozenset[int]]:
    session = db.session()
    transaction, known = session.info.get(_READ, (None, {}))
    if transaction is None or transaction is not session.get_transaction():
        known = {}
        session.info[_READ] = session.get_transaction(), known
    return cast(dict[int, frozenset[int]], known)


def accounts_of(held: DelegateScope) -> frozenset[int]:
    """The accounts that act for the registrant of something now."""
    asked = {"request": held.request} if held.request is not None else {"name": held.name_id}
    found = _acting_for_request() if held.request is not None else _acting_for_name()
    return frozenset(db.session.scalars(found, asked))


@built_once
def _acting_for_request() -> Select[int]:
    return _acting().where(Delegate.request == bindparam("request"))


@built_once
def _acting_for_name() -> Select[int]:
    return _acting().where(Delegate.name_id == bindparam("name"))


def _acting() -> Select[int]:
    return select(Delegate.account).join(Account, Account.id == Delegate.account).where(acts_now())


def people_of(held: DelegateScope) -> list[tuple[Account, Delegate]]:
    """The accounts that act, with their rows as delegates, the first of them first."""
    rows = db.session.execute(
        select(Account, Delegate)
        .join(Delegate, Delegate.account == Account.id)
        .where(_of(held), acts_now())
        .order_by(Delegate.starts, Delegate.id)
    )
    return [(account, holder) for account, holder in rows]


def names_of(account: int, most: int, space: str = "", *, in_use: bool = False) -> list[str]:
    """The names for whose registrants an account acts; with ``in_use`` without former names."""
    found = (
        select(Name.folded)
        .join(Delegate, Delegate.name_id == Name.id)
        .where(Delegate.account == account, _acts_by_row())
        .order_by(Name.folded)
    )
    if space:
        found = found.where(Name.space == space)
    if in_use:
        version = RecordVersion.name_id == Name.id, RecordVersion.is_in_editions()
        status = select(RecordVersion.status).where(*version).order_by(RecordVersion.n.desc())
        found = found.where(status.limit(1).scalar_subquery() != Status.FORMER)
    return list(db.session.scalars(found.limit(most)))


def acts_for_registrant(account: int) -> ColumnElement[bool]:
    own = select(Delegate.request).where(
        Delegate.account == account, _acts_by_row(), Delegate.request.is_not(None)
    )
    names = (
        select(Name.folded)
        .join(Delegate, Delegate.name_id == Name.id)
        .where(Delegate.account == account, _acts_by_row())
    )
    revises, drafted = Request.purpose == Purpose.REVISION, Request.state == State.DRAFT
    has_own = Request.number.in_(select(Delegate.request).where(Delegate.request.is_not(None)))
    return or_(
        and_(or_(~revises, drafted), Request.number.in_(own)),
        and_(revises, Request.asked_name.in_(names), ~and_(drafted, has_own)),
    )


def add(held: DelegateScope, account: int, how: DelegateOrigin, at: datetime) -> bool:
    """Let an account act from now on; False where it does already."""
    _known().clear()
    if not is_on():
        _end(_of(held), Delegate.account == account, Delegate.demo.is_(True), at=at)
    return bool(add_missing(Delegate, [_row(held, account, how, at)]))


def add_first(
    held: DelegateScope, accounts: Iterable[int], how: DelegateOrigin, at: datetime
) -> None:
    """Let accounts act for what nobody acted for before."""
    add_missing(Delegate, [_row(held, account, how, at) for account in sorted(accounts)])


def _row(held: DelegateScope, account: int, how: DelegateOrigin, at: datetime) -> dict[str, Any]:
    demo = is_on() and how in _BY_OTHERS
    return {**held.columns, "account": account, "how": how, "starts": at, "demo": demo}


def end(held: DelegateScope, accounts: Collection[int], at: datetime) -> None:
    """Let accounts act no more."""
    _known().clear()
    _end(_of(held), Delegate.account.in_(accounts), at=at)


def _end(*which: ColumnElement[bool], at: datetime) -> None:
    db.session.execute(
        update(Delegate)
        .where(*which, Delegate.ends.is_(None))
        .values(ends=at)
        .execution_options(synchronize_session=False)
    )


def forget_request(number: int) -> None:
    """Take away who acted for a draft that goes, and who was invited to."""
    db.session.execute(delete(Delegate).where(Delegate.request == number))
    db.session.execute(delete(Claim).where(Claim.request == number))


def acts_now() -> ColumnElement[bool]:
    return and_(_acts_by_row(), is_counted(Account))


def _acts_by_row() -> ColumnElement[bool]:
    return and_(Delegate.ends.is_(None), is_counted(Delegate))


def _of(held: DelegateScope) -> ColumnElement[bool]:
    if held.request is not None:
        return Delegate.request == held.request
    return Delegate.name_id == held.name_id


def next_claim() -> int:
    """The number of a claim that is made next; its link is derived from it."""
    return next_number("claim")


def add_claim(
    number: int, held: DelegateScope, kind: ClaimKind, account: int, at: datetime, **given: Any
) -> None:
    """Keep what somebody asks; ``token`` and ``due`` belong to a link."""
    token = given.pop("token", None)
    db.session.add(
        Claim(
            number=number,
            **held.columns,
            kind=kind,
            account=account,
            at=at,
            state=ClaimState.OPEN,
            token_sha256=sha256(token) if token else None,
            **given,
        )
    )
    db.session.flush()


def find_claim(number: int) -> Claim | None:
    return db.session.scalars(select(Claim).where(Claim.number == number)).one_or_none()


def find_claim_of(token: str) -> Claim | None:
    """The claim that a link leads to, used or not."""
    found = select(Claim).where(Claim.token_sha256 == sha256(token))
    return db.session.scalars(found).one_or_none()


def open_claims_of(tokens: Collection[str]) -> list[Claim]:
    """The claims that links lead to and that are not decided yet."""
    hashes = [sha256(token) for token in tokens]
    found = select(Claim).where(Claim.token_sha256.in_(hashes), Claim.state == ClaimState.OPEN)
    return list(db.session.scalars(found.order_by(Claim.number)))


def open_links() -> list[Claim]:
    """The claims that are not decided yet and that a link leads to."""
    found = select(Claim).where(Claim.state == ClaimState.OPEN, Claim.token_sha256.is_not(None))
    return list(db.session.scalars(found.order_by(Claim.number)))


def void_link(claim: Claim, token: str) -> None:
    """Let the link of a claim lead nowhere, while what was asked goes on."""
    claim.token_sha256 = sha256(token)
    db.session.flush()


def lock_claim(claim: Claim) -> None:
    """Read a claim anew, and keep it from others until the commit."""
    db.session.refresh(claim, with_for_update=True)


def open_claims(held: DelegateScope, *kinds: ClaimKind) -> list[Claim]:
    at = Claim.name_id == held.name_id if held.request is None else Claim.request == held.request
    return list(
        db.session.scalars(
            select(Claim)
            .where(at, Claim.state == ClaimState.OPEN, Claim.kind.in_(kinds))
            .order_by(Claim.number)
        )
    )


def scope_of_claim(claim: Claim) -> DelegateScope:
    if claim.request is not None:
        return DelegateScope(request=claim.request)
    named = select(Name.space, Name.folded).where(Name.id == claim.name_id)
    space, name = db.session.execute(named).one()
    return DelegateScope(name, name_id=claim.name_id, space=space_with(space))


def claims_to_decide(most: int) -> list[tuple[Claim, DelegateScope]]:
    """Open claims that the operator decides, with their names, oldest first."""
    rows = db.session.execute(
        select(Claim, Name)
        .join(Name, Name.id == Claim.name_id)
        .where(_for_operator())
        .order_by(Claim.number)
        .limit(most)
    )
    return [(claim, _scope_of(name)) for claim, name in rows]


def _scope_of(name: Name) -> DelegateScope:
    return DelegateScope(name.folded, name_id=name.id, space=space_with(name.space))


def count_to_decide(at: datetime) -> int:
    counted = select(func.count()).where(_for_operator(), or_(Claim.due.is_(None), Claim.due <= at))
    return db.session.scalars(counted).one()


def _for_operator() -> ColumnElement[bool]:
    kinds = (ClaimKind.EVIDENCE, ClaimKind.TRANSFER)
    return and_(Claim.state == ClaimState.OPEN, Claim.kind.in_(kinds))


def decide(claim: Claim, state: ClaimState, at: datetime, reason: str = "") -> None:
    """End a claim, and forget the address that it was about."""
    claim.state, claim.decided, claim.reason, claim.address = state, at, reason, ""
    db.session.flush()


def last_event(held: DelegateScope) -> int:
    """The number of the last thing that happened to something; 0 where nothing did."""
    newest = select(func.max(Event.n)).where(
        Event.subject == held.subject, Event.about == held.about
    )
    return db.session.scalar(newest) or 0


def last_transfer(held: DelegateScope) -> datetime | None:
    """When a name went to another registrant last; None where it never did."""
    newest = select(func.max(Event.at)).where(
        Event.subject == held.subject, Event.about == held.about, Event.kind == TRANSFERRED
    )
    return db.session.scalar(newest)


def events_of(held: DelegateScope, most: int) -> list[Event]:
    found = select(Event).where(Event.subject == held.subject, Event.about == held.about)
    return list(db.session.scalars(found.order_by(Event.n.desc()).limit(most)))
