"""How a registry grew, as columns stacked by kind, with every length worked out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.registration.declarations.registries import REGISTRIES

WIDTH, HEIGHT = 640, 220
_TOP, _BASE, _LEFT = 24, 190, 34
_GAP = 0.3


@dataclass(frozen=True, slots=True)
class YearCount:
    """How many names were in use at the end of a year, by table, and in which edition."""

    year: int
    edition: int
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """The names of all tables."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class ColumnPart:
    """One table's part of a column; ``place`` tells the tables apart."""

    place: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class YearColumn:
    """One year's column, in the chart's own units."""

    year: YearCount
    x: float
    width: float
    top: float
    parts: tuple[ColumnPart, ...]

    @property
    def middle(self) -> float:
        """Where the column's figures are centred."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class GrowthChart:
    """Columns from the first year to the last, and the same in words."""

    columns: tuple[YearColumn, ...]
    kinds: tuple[tuple[str, str], ...]
    words: str
    width: int = WIDTH
    height: int = HEIGHT
    base: int = _BASE
    left: int = _LEFT


def growth_chart(years: Sequence[YearCount]) -> GrowthChart | None:
    """The chart of some years, oldest first; None where there are fewer than two.

    A year in between that had no edition stands as the one before it.
    """
    span = tuple(_without_gaps(years))
    highest = max((year.total for year in span), default=0)
    if len(span) < 2 or not highest:
        return None
    tables = tuple(dict.fromkeys(table for year in span for table in year.counts))
    step, unit = (WIDTH - _LEFT) / len(span), (_BASE - _TOP) / highest
    columns = tuple(
        _column(year, tables, _LEFT + place * step, step * (1 - _GAP), unit)
        for place, year in enumerate(span)
    )
    kinds = tuple((table, named_kind(table)) for table in _in_order(tables))
    words = ", ".join(f"{year.year}: {year.total}" for year in span)
    return GrowthChart(columns, kinds, words)


@dataclass(frozen=True, slots=True)
class EditionMark:
    """That a year had editions, at its column, and which in words."""

    x: float
    words: str


def edition_marks(
    chart: GrowthChart | None, editions: Iterable[tuple[int, int]]
) -> tuple[EditionMark, ...]:
    """A mark at each column of a chart in whose year there were editions, oldest first.

    Editions come as year and number. Nothing is given for years that the chart does not have.
    """
    numbers: dict[int, list[int]] = {}
    for year, number in editions:
        numbers.setdefault(year, []).append(number)
    return tuple(
        EditionMark(column.middle, _editions_in_words(column.year.year, numbers[column.year.year]))
        for column in (chart.columns if chart else ())
        if column.year.year in numbers
    )


def _editions_in_words(year: int, numbers: list[int]) -> str:
    first, last = min(numbers), max(numbers)
    return f"{year}: edition {first}" if first == last else f"{year}: editions {first} to {last}"


def _without_gaps(years: Sequence[YearCount]) -> Iterator[YearCount]:
    for place, year in enumerate(years):
        following = years[place + 1].year if place + 1 < len(years) else year.year + 1
        for number in range(year.year, following):
            yield replace(year, year=number)


def _column(
    year: YearCount, tables: Sequence[str], x: float, width: float, unit: float
) -> YearColumn:
    parts: list[ColumnPart] = []
    y = float(_BASE)
    for place, table in enumerate(_in_order(tables)):
        height = round(year.counts.get(table, 0) * unit, 1)
        y = round(y - height, 1)
        parts.append(ColumnPart(place, y, height))
    return YearColumn(year, round(x, 1), round(width, 1), y, tuple(parts))


def _in_order(tables: Sequence[str]) -> list[str]:
    places = {table: place for place, table in enumerate(REGISTRIES)}
    return sorted(tables, key=lambda table: (places.get(table, len(places)), table))


def named_kind(table: str) -> str:
    """A word for the names of a table by its id, such as ``formal``."""
    declared = REGISTRIES.get(table)
    return declared.kind_word if declared else table
