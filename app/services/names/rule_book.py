"""The rules of the registry as it stands, by which every page and tool judges a name."""

from datetime import datetime
from functools import lru_cache

from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.registries import FORMAL, REGISTRIES
from app.registration.declarations.registry_groups import URN_GROUP
from app.resolution.namespace_rules import NamespaceRules, RuleBook, nearest_names
from app.resolution.record_rules import rules_of
from app.services.registry.snapshots import taken_index
from app.store.editions import edition_rows
from app.store.registry import record_versions as names

_HELD = 4_096  # namespaces whose rules are kept in memory


class StoredRules:
    """The rules of the edition that stands, each made of its record when it is first asked for.

    They are those that the edition publishes, since both are made by ``rules_of``; an edition that
    is not built yet has them too.
    """

    def __init__(self, index: NameIndex) -> None:
        self._index = index
        self._known = lru_cache(maxsize=_HELD)(self._read)

    def find(self, folded: str) -> NamespaceRules | None:
        """The rules of a namespace; names that there are not take no room from those there are."""
        return self._known(folded) if self._index.find_registered(folded) else None

    def _read(self, folded: str) -> NamespaceRules | None:
        found = names.find_record(FORMAL.space.id, folded)
        return rules_of(found[1], REGISTRIES[found[0]].kind) if found else None

    def nearest(self, folded: str) -> tuple[str, ...]:
        """Names like this one, the nearest first."""
        return nearest_names(folded, self._index)


def rule_book() -> RuleBook:
    """The rules of all namespaces as they stand; they change with an edition alone."""
    latest = edition_rows.latest_edition(URN_GROUP)
    known = (latest.n, latest.as_of) if latest else (0, None)
    return _book(names.database_name(), *known)


@lru_cache(maxsize=2)
def _book(_database: str, _edition: int, _as_of: datetime | None) -> StoredRules:
    return StoredRules(taken_index(FORMAL.space))
