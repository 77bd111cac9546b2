"""Prefixes, and who gives names under them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, select, update

from app.assigned_names.bound_names import PrefixStatement
from app.assigned_names.name_prefixes import BEHIND_ALL, PrefixRole
from app.store.database import add_missing, db
from app.store.tables import Account, Name, Prefix, PrefixDelegate


def find(text: str, *, locked: bool = False) -> Prefix | None:
    """A prefix by its normal form; ``locked`` keeps others off who do the same, to the commit."""
    return _one(Prefix.text == text, locked=locked)


def of_id(ident: int, *, locked: bool = False) -> Prefix | None:
    """A prefix by its row."""
    return _one(Prefix.id == ident, locked=locked)


def _one(which: ColumnElement[bool], *, locked: bool) -> Prefix | None:
    query = select(Prefix).where(which).execution_options(populate_existing=True)
    if locked:  # rows that only refer to it are written by others meanwhile
        query = query.with_for_update(key_share=True)
    return db.session.scalars(query).one_or_none()


def enclosing(text: str) -> list[Prefix]:
    """The prefixes that a text begins with, itself among them, the longest first."""
    beginnings = [text[:end] for end in range(1, len(text) + 1)]
    found = select(Prefix).where(Prefix.text.in_(beginnings))
    return list(db.session.scalars(found.order_by(func.length(Prefix.text).desc())))


def within(text: str) -> list[Prefix]:
    """The prefixes that begin with a text, itself not among them, in their order."""
    found = select(Prefix).where(Prefix.text > text, Prefix.text < text + BEHIND_ALL)
    return list(db.session.scalars(found.order_by(Prefix.text)))


def overlapping(text: str) -> list[Prefix]:
    """The prefixes that a text in any case begins with, and those that begin with it."""
    folded, own = func.lower(Prefix.text), text.lower()
    beginnings = [own[:end] for end in range(1, len(own) + 1)]
    # of a NAAN's own prefix everything under the NAAN begins so: it ends with the slash
    begins = func.substr(folded, 1, len(own)) == own
    found = select(Prefix).where(or_(folded.in_(beginnings), begins))
    return list(db.session.scalars(found.order_by(Prefix.text)))


def add(**given: Any) -> Prefix:
    """Keep a new prefix."""
    row = Prefix(next_number=0, version=1, ends=None, **given)
    db.session.add(row)
    db.session.flush()
    return row


def let_give(
    prefix: int, account: int, role: PrefixRole, at: datetime, ends: datetime | None = None
) -> bool:
    """Let somebody give names under a prefix from now on; False where they do already."""
    if role_at(prefix, account, at) is not None:
        return False
    row = {"prefix": prefix, "account": account, "role": role, "starts": at, "ends": ends}
    return bool(add_missing(PrefixDelegate, [row]))


def end_giving(prefix: int, account: int, at: datetime) -> bool:
    """Let somebody give names under a prefix no more; False where they did not."""
    ended = db.session.scalars(
        update(PrefixDelegate)
        .where(
            PrefixDelegate.prefix == prefix,
            PrefixDelegate.account == account,
            _acts(at),
        )
        .values(
            # never before it began, which a clock that was set back may say
            starts=case((PrefixDelegate.starts < at, at), else_=PrefixDelegate.starts),
            ends=PrefixDelegate.starts,
        )
        .returning(PrefixDelegate.prefix)
        .execution_options(synchronize_session=False)
    )
    return ended.first() is not None


def role_at(prefix: int, account: int, at: datetime) -> PrefixRole | None:
    """What somebody may do under a prefix at a moment; None where that is nothing."""
    found = db.session.scalar(
        select(PrefixDelegate.role).where(
            PrefixDelegate.prefix == prefix, PrefixDelegate.account == account, _acts(at)
        )
    )
    return PrefixRole(found) if found else None


def holders_of(prefix: int) -> frozenset[int]:
    """The accounts of those who decide on a prefix; they have no last day."""
    held = PrefixDelegate.prefix == prefix, PrefixDelegate.role == PrefixRole.HOLDER
    found = select(PrefixDelegate.account).where(*held, PrefixDelegate.ends.is_(None))
    return frozenset(db.session.scalars(found))


def has_ends_to_keep(at: datetime) -> bool:
    return db.session.scalar(select(PrefixDelegate.id).where(*_is_over(at)).limit(1)) is not None


def keep_ends(at: datetime) -> None:
    """Keep of everybody whose last day is over that it is, whatever a clock says later."""
    turned = {"starts": PrefixDelegate.ends, "ends": PrefixDelegate.starts}
    ended = update(PrefixDelegate).where(*_is_over(at)).values(turned)
    db.session.execute(ended.execution_options(synchronize_session=False))


def _is_over(at: datetime) -> tuple[ColumnElement[bool], ...]:
    return PrefixDelegate.ends <= at, PrefixDelegate.starts < PrefixDelegate.ends


def _acts(at: datetime) -> ColumnElement[bool]:
    lasts = and_(PrefixDelegate.ends > at, PrefixDelegate.starts < PrefixDelegate.ends)
    return or_(PrefixDelegate.ends.is_(None), lasts)


def people_of(prefix: int, at: datetime) -> Sequence[tuple[Account, PrefixDelegate]]:
    rows = db.session.execute(
        select(Account, PrefixDelegate)
        .join(PrefixDelegate, PrefixDelegate.account == Account.id)
        .where(PrefixDelegate.prefix == prefix, _acts(at))
        .order_by(PrefixDelegate.role.desc(), PrefixDelegate.id)
    )
    return [(account, delegate) for account, delegate in rows]


def holders_by_prefix(idents: Collection[int], at: datetime) -> dict[int, list[Account]]:
    rows = db.session.execute(
        select(PrefixDelegate.prefix, Account)
        .join(Account, PrefixDelegate.account == Account.id)
        .where(
            PrefixDelegate.prefix.in_(idents),
            PrefixDelegate.role == PrefixRole.HOLDER,
            _acts(at),
        )
        .order_by(PrefixDelegate.id)
    )
    found: dict[int, list[Account]] = {}
    for prefix, account in rows:
        found.setdefault(prefix, []).append(account)
    return found


def page_of_all(after: str, most: int) -> list[Prefix]:
    """Prefixes in their order, after one, at most so many."""
    found = select(Prefix).where(Prefix.text > after).order_by(Prefix.text).limit(most)
    return list(db.session.scalars(found))


def idents() -> list[int]:
    """The rows of all prefixes, in their order."""
    return list(db.session.scalars(select(Prefix.id).order_by(Prefix.id)))


def texts_of(idents: Collection[int]) -> dict[int, str]:
    """Prefixes by their rows."""
    found = select(Prefix.id, Prefix.text).where(Prefix.id.in_(idents))
    return {row.id: row.text for row in db.session.execute(found)}


def order_seeds(texts: Collection[str]) -> dict[str, str]:
    """Return the order seed of each of some prefixes."""
    found = select(Prefix.text, Prefix.order_seed).where(Prefix.text.in_(texts))
    return {row.text: row.order_seed for row in db.session.execute(found)}


def masks() -> dict[str, str]:
    found = select(Prefix.text, Prefix.numbering)
    return {row.text: row.numbering for row in db.session.execute(found)}


def statements() -> list[PrefixStatement]:
    texts = Prefix.holder_name, Prefix.policy, Prefix.persistence
    said = or_(*(text != "" for text in texts), Prefix.ends.is_not(None))
    rows = db.session.execute(select(Prefix.text, *texts, Prefix.ends).where(said))
    return [
        PrefixStatement(
            prefix=row.text,
            holder=row.holder_name,
            policy=row.policy,
            persistence=row.persistence,
            ended=f"{row.ends:%Y-%m-%d}" if row.ends else "",
        )
        for row in rows
    ]


def registered_names() -> list[tuple[str, str]]:
    """The spaces and folded forms of the registered names that prefixes belong to."""
    belongs = Name.id.in_(select(Prefix.registered))
    found = select(Name.space, Name.folded).where(belongs).order_by(Name.id)
    return [(row.space, row.folded) for row in db.session.execute(found)]


def gives_any(account: int, at: datetime) -> bool:
    own = select(PrefixDelegate.id).where(PrefixDelegate.account == account, _acts(at))
    return db.session.scalar(own.limit(1)) is not None


def given_by(account: int, at: datetime) -> list[tuple[Prefix, PrefixRole]]:
    """The prefixes under which somebody gives names, in their order."""
    rows = db.session.execute(
        select(Prefix, PrefixDelegate.role)
        .join(PrefixDelegate, PrefixDelegate.prefix == Prefix.id)
        .where(PrefixDelegate.account == account, _acts(at))
        .order_by(Prefix.text)
    )
    return [(prefix, PrefixRole(role)) for prefix, role in rows]
