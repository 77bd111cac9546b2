"""Files of names that are taken over, how far each is, and what was found in its rows."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import func, not_, select

from app.assigned_names.name_checks import TOLD_CODES
from app.store.database import add_missing, db, table_of
from app.store.tables import NameImport, NameImportFinding
from app.store.tables.assigned_names import ImportState

MOST_KEPT = 1_000  # findings of a file


def begin(account: int, digest: str, at: datetime) -> NameImport:
    """The import of a file by somebody: as far as it is, or a new one. Others who go on wait."""
    made = {"account": account, "digest": digest, "at": at, "state": ImportState.STOPPED}
    counts = dict.fromkeys(("row", "taken", "same", "refused", "found"), 0)
    add_missing(NameImport, [made | counts])
    found = find(account, digest, locked=True)
    if found is None:
        raise LookupError("the import doesn't exist")
    return found


def find(account: int, digest: str, *, locked: bool = False) -> NameImport | None:
    """The import of a file by somebody."""
    query = select(NameImport).where(NameImport.account == account, NameImport.digest == digest)
    query = query.execution_options(populate_existing=True)
    return db.session.scalars(query.with_for_update() if locked else query).one_or_none()


def of_id(ident: int) -> NameImport | None:
    """An import by its row."""
    return db.session.get(NameImport, ident)


def of_account(account: int, most: int) -> list[NameImport]:
    """The files that somebody brought in, newest first."""
    own = select(NameImport).where(NameImport.account == account)
    return list(db.session.scalars(own.order_by(NameImport.id.desc()).limit(most)))


def add_findings(ident: int, found: Iterable[tuple[int, int, str, str]]) -> None:
    """Keep findings: the row, the place among those of the row, code and sentence of each.

    ``MOST_KEPT`` are kept of a file. Notes fill at most half of that, to leave room for refusals.
    """
    kept = select(func.count()).where(NameImportFinding.import_id == ident)
    count = db.session.scalar(kept) or 0
    rows = []
    for row, place, code, message in found:
        if count < (MOST_KEPT // 2 if code in TOLD_CODES else MOST_KEPT):
            told = {"row": row, "place": place, "code": code, "message": message}
            rows.append({"import_id": ident, **told})
            count += 1
    if rows:
        db.session.execute(table_of(NameImportFinding).insert(), rows)


def findings_of(ident: int, after: int, most: int, *, refusals: bool) -> list[NameImportFinding]:
    """Why rows of a file were refused, or what is to be looked at in others: in the order of its
    rows, after one."""
    is_told = NameImportFinding.code.in_(TOLD_CODES)
    found = select(NameImportFinding).where(
        NameImportFinding.import_id == ident,
        NameImportFinding.id > after,
        not_(is_told) if refusals else is_told,
    )
    return list(db.session.scalars(found.order_by(NameImportFinding.id).limit(most)))


def is_refusal(ident: int, finding: int) -> bool:
    code = db.session.scalar(
        select(NameImportFinding.code).where(
            NameImportFinding.import_id == ident, NameImportFinding.id == finding
        )
    )
    return code not in TOLD_CODES
