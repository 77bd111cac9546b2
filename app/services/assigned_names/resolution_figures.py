"""Counts of resolutions under a prefix."""

from collections import Counter
from datetime import date, datetime, timedelta

from app.bundles.resolution_counts import ResolutionCountFolder, WaitingCount
from app.services.accounts.actors import Actor
from app.services.assigned_names.prefix_lists import visible_prefixes
from app.store.assigned_names import assigned_name_rows, prefix_rows, resolution_count_rows
from app.store.database import read_transaction, transaction

_DAYS = 30


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


def recent_resolutions(ident: int, actor: Actor, at: datetime) -> int:
    """Count the resolutions under a prefix in the last 30 days. Raises NotFound."""
    with read_transaction():
        (seen,) = visible_prefixes(actor, at, ident)
        text = prefix_rows.texts_of({seen})[seen]
        return resolution_count_rows.total_since(text, at.date() - timedelta(days=_DAYS - 1))
