"""How long decisions take: the medians by month and by procedure, and the chart of the months."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from app.pages.text.phrases import count_phrase, day_phrase
from app.registration.declarations.registries import DeclaredProcedure, declared_procedures

MONTHS = 12
WIDTH, HEIGHT, BASE = 640, 150, 120
_TOP = 28
_GAP = 0.3


@dataclass(frozen=True, slots=True)
class RequestTurnaround:
    """A request that was decided: by which procedure, sent when, and decided when."""

    procedure: DeclaredProcedure
    sent: datetime
    decided: datetime

    @property
    def days(self) -> int:
        """How long it took, in whole days of UTC; a clock that was put back makes it none."""
        return max(0, (self.decided.date() - self.sent.date()).days)


@dataclass(frozen=True, slots=True)
class MedianTurnaround:
    """The number of decisions in a period and their median time in days."""

    label: str
    count: int
    days: float | None

    @property
    def words(self) -> str:
        """The days, or that there are none."""
        if self.days is None:
            return "none decided"
        return "1 day" if self.days == 1 else f"{self.figure} days"

    @property
    def figure(self) -> str:
        """The days as a figure."""
        return "" if self.days is None else f"{self.days:g}"


@dataclass(frozen=True, slots=True)
class MonthBar:
    """A month's median in the chart's own units."""

    of: MedianTurnaround
    x: float
    y: float
    width: float
    height: float

    @property
    def name(self) -> str:
        """The month in short."""
        return day_phrase(self.of.label)[:3]

    @property
    def middle(self) -> float:
        """Where its figures are centred."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class TurnaroundTimes:
    """The decisions of twelve months, this one included; of very many the newest ``most``."""

    first: date
    most: int
    whole: MedianTurnaround
    months: tuple[MedianTurnaround, ...]
    procedures: tuple[MedianTurnaround, ...]
    width: int = WIDTH
    height: int = HEIGHT
    base: int = BASE

    @property
    def bars(self) -> tuple[MonthBar, ...]:
        """The months as bars; none where nothing was decided."""
        return tuple(_bars(self.months)) if self.whole.count else ()

    @property
    def sentence(self) -> str:
        """All of them in a sentence."""
        since = f"Since {day_phrase(self.first)}"
        if not self.whole.count:
            return f"{since}, no request was decided."
        if self.whole.count == 1:
            when = f"after {self.whole.words}" if self.whole.days else "on the day it was sent"
            return f"{since}, one request was decided, {when}."
        many = count_phrase(self.whole.count, "request")
        median = self.whole.words if self.whole.days else "the same day"
        return f"{since}, {many} were decided. Median: {median}."

    @property
    def words(self) -> str:
        """The months in words."""
        return ", ".join(f"{day_phrase(month.label)}: {month.words}" for month in self.months)


def first_day(today: date) -> date:
    """The first day of the twelve months that end with today's."""
    return _month(today, 1 - MONTHS)


def measure_turnaround(
    decisions: Iterable[RequestTurnaround], today: date, most: int
) -> TurnaroundTimes:
    """The medians of the decisions of twelve months; those of other months are left aside.

    Every month has one, and every procedure by which something was decided. ``most`` says of
    how many decisions no more were given.
    """
    months = [_month(today, ago) for ago in range(1 - MONTHS, 1)]
    made = [one for one in decisions if _month(one.decided) in months]
    by_month = (
        _median(f"{month:%Y-%m}", [one for one in made if _month(one.decided) == month])
        for month in months
    )
    by_procedure = (
        _median(procedure, [one for one in made if one.procedure is procedure])
        for procedure in declared_procedures()
    )
    procedures = tuple(one for one in by_procedure if one.count)
    return TurnaroundTimes(months[0], most, _median("all", made), tuple(by_month), procedures)


def _month(day: date, later: int = 0) -> date:
    """The first day of a day's month, or of one that is so many months later."""
    years, month = divmod(day.month - 1 + later, 12)
    return date(day.year + years, month + 1, 1)


def _median(label: str, decisions: Sequence[RequestTurnaround]) -> MedianTurnaround:
    days = median(one.days for one in decisions) if decisions else None
    return MedianTurnaround(label, len(decisions), days)


def _bars(months: Sequence[MedianTurnaround]) -> Iterator[MonthBar]:
    step = WIDTH / len(months)
    unit = (BASE - _TOP) / max(1, *(month.days or 0 for month in months))
    for place, month in enumerate(months):
        height = max(1, round((month.days or 0) * unit, 1)) if month.count else 0
        width = round(step * (1 - _GAP), 1)
        yield MonthBar(
            month, round(place * step + step * _GAP / 2, 1), BASE - height, width, height
        )
