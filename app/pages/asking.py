"""What somebody asks of the registry's list, as its address says it and back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from urllib.parse import urlencode

MAX_QUERY = 200
_LONGEST = 64


class Sort(StrEnum):
    """What the rows can be sorted by: the columns of the table."""

    NAME = "name"
    TEMPLATE = "template"
    REFERENCE = "reference"
    DATE = "date"


class Order(StrEnum):
    """Which way the rows are sorted."""

    ASCENDING = "asc"
    DESCENDING = "desc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Words, what to leave out, the order, and the name after which a page begins.

    ``sort`` is None for the registry's own order; an empty text asks for nothing.
    """

    q: str = ""
    kind: str = ""
    status: str = ""
    reference: str = ""
    year: str = ""
    sort: Sort | None = None
    order: Order = Order.ASCENDING
    after: str = ""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out, in whatever order."""
        return not (self.q or self.kind or self.status or self.reference or self.year)

    @property
    def is_plain(self) -> bool:
        """Whether this is the page that is published."""
        return self == Asked()

    def where(self, **changes: str) -> "Asked":
        """The same with other words or facets, from its first page on."""
        return replace(self, **({"after": ""} | changes))  # type: ignore[arg-type]  # as declared

    @property
    def query(self) -> str:
        """The part of an address that asks this; empty where nothing is asked."""
        turned = self.sort and self.order == Order.DESCENDING
        given = asdict(self) | {"order": self.order if turned else ""}
        parts = {name: value for name, value in given.items() if value}
        return f"?{urlencode(parts, errors='replace')}" if parts else ""


def read_asked(given: Mapping[str, str]) -> Asked:
    """What an address asks for. Takes any text.

    An unknown sort is the registry's own order, an unknown order ascends; what is too long
    is cut.
    """
    words = {name: given.get(name, "")[:_LONGEST].strip() for name in _FACETS}
    sort, order = given.get("sort", ""), given.get("order", "")
    return Asked(
        q=" ".join(given.get("q", "")[:MAX_QUERY].split()),
        sort=Sort(sort) if sort in list(Sort) else None,
        order=Order(order) if sort in list(Sort) and order in list(Order) else Order.ASCENDING,
        **words,
    )


_FACETS = ("kind", "status", "reference", "year", "after")
