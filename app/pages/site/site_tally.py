"""What the first page counts beside the names of its own list."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.pages.text.phrases import count_phrase
from app.registration.declarations.registries import REGISTRIES


@dataclass(frozen=True, slots=True)
class SiteTally:
    """The names in use of other groups, by the path of their list and by table."""

    names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def counts_at(self, href: str) -> tuple[str, ...]:
        """The names of a list, each kind in words: ``1,432 NAANs``; nothing where it has none."""
        counts = self.names.get(href, {})
        return tuple(
            count_phrase(counts[table], declared.label)
            for table, declared in REGISTRIES.items()
            if counts.get(table)
        )
