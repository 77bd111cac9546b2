"""Which spellings of a name are one by what its namespace registered."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from app.identifiers.equivalence import Equivalence
from app.registration.records import Status
from app.registration.spellings import EQUIVALENCE
from app.store import editions, search
from app.store.registry import database_name


def declared() -> Mapping[str, Equivalence]:
    """The rules of each namespace in use that declares some, by its folded name.

    They change with an edition alone, and are read once for each.
    """
    latest = editions.latest_edition()
    known = (latest.n, latest.as_of) if latest else (0, None)
    return _declared(database_name(), *known)


@lru_cache(maxsize=2)
def _declared(_database: str, _edition: int, _as_of: datetime | None) -> Mapping[str, Equivalence]:
    return {
        record.folded: record.equivalence
        for record in search.declaring(EQUIVALENCE)
        if record.equivalence.rules and record.status is not Status.FORMER
    }
