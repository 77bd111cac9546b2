"""What the first page counts beside the names of its own list."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.pages.diagrams.turnaround_times import TurnaroundTimes
from app.pages.text.phrases import count_phrase
from app.registration.declarations.registries import REGISTRIES


@dataclass(frozen=True, slots=True)
class SiteTally:
    """The names in use of other groups, by where their list is and by table; and how long decisions
    take, where this site takes requests."""

    names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    times: TurnaroundTimes | None = None

    def counts_at(self, href: str) -> tuple[str, ...]:
        """The names of a list, each kind in words: ``1,432 NAANs``; nothing where it has none."""
        counts = self.names.get(href, {})
        return tuple(
            count_phrase(counts[table], declared.label)
            for table, declared in REGISTRIES.items()
            if counts.get(table)
        )
