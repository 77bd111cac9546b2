"""Figures of a prefix: how often its names led somewhere, and how many were given when."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.bundles.resolution_counts import ResolutionCountFolder, WaitingCount
from app.services.accounts.actors import Actor
from app.services.assigned_names.prefix_lists import visible_prefixes
from app.store.assigned_names import assigned_name_rows, prefix_rows, resolution_count_rows
from app.store.database import read_transaction, transaction

__all__ = ["PrefixFigures", "gather", "prefix_figures"]

_DAYS, _MONTHS = 30, 12


@dataclass(frozen=True, slots=True)
class PrefixFigures:
    """Counts by day and by month, oldest first, without a gap."""

    resolved: tuple[tuple[date, int], ...]
    given: tuple[tuple[str, int], ...]

    @property
    def resolutions(self) -> int:
        """How often its names led somewhere in all of these days."""
        return sum(count for _, count in self.resolved)


def gather(folder: ResolutionCountFolder, host: str) -> int:
    """Add what the processes of this host counted to the figures of prefixes; gives how much."""
    total = 0

    def add(rows: list[WaitingCount]) -> None:
        nonlocal total
        with transaction():
            known = assigned_name_rows.known({name for _, name, _ in rows})
            texts = prefix_rows.texts_of({one.prefix for one in known.values()})
            counts: Counter[tuple[str, date]] = Counter()
            for day, name, count in rows:
                if name in known and count > 0:
                    counts[texts[known[name].prefix], day] += count
            resolution_count_rows.add(counts, host)
        total += counts.total()

    folder.take(add)
    return total


def prefix_figures(ident: int, actor: Actor, at: datetime) -> PrefixFigures:
    """The figures of a prefix, for somebody who gives names under it. Raises NotFound."""
    with read_transaction():
        (seen,) = visible_prefixes(actor, at, ident)
        text = prefix_rows.texts_of({seen})[seen]
        begin = at.date() - timedelta(days=_DAYS - 1)
        resolved = resolution_count_rows.by_day(text, begin)
        months = list(_months(at.date()))
        given = assigned_name_rows.given_by_month(seen, months[0])
        days = (begin + timedelta(days=day) for day in range(_DAYS))
        return PrefixFigures(
            tuple((day, resolved.get(day, 0)) for day in days),
            tuple(
                (month.isoformat()[:7], given.get((month.year, month.month), 0)) for month in months
            ),
        )


def _months(day: date) -> list[date]:
    """The first days of the months up to a day's, oldest first."""
    last = day.year * 12 + day.month - 1
    return [date(one // 12, one % 12 + 1, 1) for one in range(last - _MONTHS + 1, last + 1)]
