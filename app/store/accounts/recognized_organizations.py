"""Organizations that the fast track recognizes."""

from datetime import datetime

from sqlalchemy import ColumnElement, or_, select

from app.store.database import db
from app.store.demonstration import is_counted
from app.store.tables import Account, RecognizedOrganization, Representative


def recognized() -> list[RecognizedOrganization]:
    """Every organization that is or was recognized, by name."""
    return list(
        db.session.scalars(select(RecognizedOrganization).order_by(RecognizedOrganization.folded))
    )


def find_recognized(folded: str) -> RecognizedOrganization | None:
    """An organization by its name as it is compared, also one that is recognized no more."""
    return db.session.scalars(
        select(RecognizedOrganization).where(RecognizedOrganization.folded == folded)
    ).one_or_none()


def get_recognized(ident: int) -> RecognizedOrganization:
    """An organization by its id; KeyError where there is none."""
    row = db.session.get(RecognizedOrganization, ident)
    if row is None:
        raise KeyError(ident)
    return row


def add_recognized(
    *, name: str, folded: str, since: str, decision: str, reference: str
) -> RecognizedOrganization:
    """Keep that an organization was recognized."""
    row = RecognizedOrganization(
        name=name, folded=folded, since=since, decision=decision, reference=reference
    )
    db.session.add(row)
    db.session.flush()
    return row


def add_representative(organization: int, account: int, at: datetime) -> bool:
    """Let somebody speak for an organization; False if they do already."""
    if any(one.id == account for one in representatives_of(organization, at)):
        return False
    db.session.add(Representative(organization=organization, account=account, starts=at))
    db.session.flush()
    return True


def end_representative(organization: int, account: int, at: datetime) -> bool:
    """Let somebody speak for an organization no more; False if they did not."""
    rows = list(
        db.session.scalars(
            select(Representative).where(
                Representative.organization == organization,
                Representative.account == account,
                _runs(at),
            )
        )
    )
    for row in rows:
        row.ends = at
    db.session.flush()
    return bool(rows)


def representatives_of(organization: int, at: datetime) -> list[Account]:
    return list(
        db.session.scalars(
            select(Account)
            .join(Representative, Representative.account == Account.id)
            .where(Representative.organization == organization, _runs(at))
            .where(is_counted(Representative, Account))
            .order_by(Account.id)
        )
    )


def _runs(at: datetime) -> ColumnElement[bool]:
    return or_(Representative.ends.is_(None), Representative.ends > at)
