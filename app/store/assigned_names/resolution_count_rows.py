"""How often names under a prefix led somewhere, by day and host."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite

from app.store.database import db, table_of
from app.store.tables import ResolutionCount


def add(counts: Mapping[tuple[str, date], int], host: str) -> None:
    """Add what a host counted, by prefix and day."""
    table = table_of(ResolutionCount)
    into = sqlite.insert if db.engine.dialect.name == "sqlite" else postgresql.insert
    made = into(table)
    added = made.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={"count": table.c.count + made.excluded["count"]},
    )
    rows = [
        {"prefix": prefix, "day": day, "host": host, "count": count}
        for (prefix, day), count in sorted(counts.items())
    ]
    if rows:
        db.session.execute(added, rows)


def total_since(prefix: str, since: date) -> int:
    """Count the resolutions under a prefix from a day on, by all hosts."""
    return db.session.execute(
        select(func.coalesce(func.sum(ResolutionCount.count), 0)).where(
            ResolutionCount.prefix == prefix, ResolutionCount.day >= since
        )
    ).scalar_one()
