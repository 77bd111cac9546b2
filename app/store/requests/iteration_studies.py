"""What was made of a text when it was sent, beside the text."""

from dataclasses import dataclass

from sqlalchemy import Select, and_, bindparam, delete, select

from app.store.database import add_missing, built_once, db
from app.store.tables import Iteration, IterationStudy


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """Findings and alignment as they are stored."""

    findings: str
    alignment: str


def keep_study(number: int, k: int, checks: int, kept: StoredStudy) -> None:
    """Keep what was made by these rules of one of the texts of a request, in place of older."""
    row = {"request": number, "k": k, "checks": checks}
    db.session.execute(
        delete(IterationStudy).where(
            IterationStudy.request == number, IterationStudy.k == k, IterationStudy.checks < checks
        )
    )
    made = {"findings": kept.findings, "alignment": kept.alignment}
    add_missing(IterationStudy, [row | made])


def find_study(number: int, k: int, checks: int) -> StoredStudy | None:
    """What was made by these rules; None where that is still to be done."""
    asked = {"number": number, "k": k, "checks": checks}
    row = db.session.execute(_study(), asked).one_or_none()
    return None if row is None else StoredStudy(row.findings, row.alignment)


@built_once
def _study() -> Select[str, str]:
    return select(IterationStudy.findings, IterationStudy.alignment).where(
        IterationStudy.request == bindparam("number"),
        IterationStudy.k == bindparam("k"),
        IterationStudy.checks == bindparam("checks"),
    )


def without_study(checks: int, most: int) -> list[tuple[int, int]]:
    """Texts of which nothing was made by these rules, the newest first: request and iteration."""
    same = and_(
        IterationStudy.request == Iteration.request,
        IterationStudy.k == Iteration.k,
        IterationStudy.checks == checks,
    )
    missing = (
        select(Iteration.request, Iteration.k)
        .outerjoin(IterationStudy, same)
        .where(IterationStudy.request.is_(None))
        .order_by(Iteration.id.desc())
        .limit(most)
    )
    return [(number, k) for number, k in db.session.execute(missing)]
