"""A procedure as a diagram, with every length worked out.

The boxes stand below one another. An arrow to the next box goes straight down; one that leads
further down leaves and enters on the right, one that leads up on the left. Each has a height
of its own at both boxes and a lane of its own beside them, so that no two lie on each other
and every label stands alone, whatever the tables hold.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from app.pages.diagrams.procedure_graph import Arrow, ProcedureGraph, StateBox
from app.workflow.deadlines import allowed_days
from app.workflow.states import Turn

_BOX = 200  # how wide a box is
_LEAST = 46  # how high it is at least
_START = 14  # how wide and high the beginning is
_LINE = 15  # from one line of a label to the next
_LETTER = 6.4  # how wide a letter is, in the mean of a label
_ENTRY = 12  # the height that an arrow takes where it enters
_PAD = 8
_GAP = 22
_LANE = 12
_APART = 20  # between the ends of two arrows in one lane, so that they are seen as two
_MARGIN = 4


class ArrowSide(Enum):
    """Where an arrow runs beside the boxes."""

    LEFT = -1
    DOWN = 0
    RIGHT = 1


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """A box in the diagram's own units."""

    box: StateBox
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where its words are centred."""
        return self.x + self.width / 2

    @property
    def centre(self) -> float:
        """Half of its height."""
        return self.y + self.height / 2

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.y + self.height

    def edge(self, side: ArrowSide) -> float:
        """Where arrows of a side touch it."""
        return self.x + self.width if side is ArrowSide.RIGHT else self.x


@dataclass(frozen=True, slots=True)
class ArrowLayout:
    """An arrow: its path with the head, and the lines of its label with their heights."""

    arrow: Arrow
    path: str
    x: float
    anchor: str
    lines: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class ProcedureDiagram:
    """A procedure's diagram, and the same in words."""

    drawing: ProcedureGraph
    boxes: tuple[BoxLayout, ...]
    arrows: tuple[ArrowLayout, ...]
    width: float
    height: float

    @property
    def words(self) -> str:
        """Return a text alternative; the table has the details."""
        way = self.drawing.way
        beside = [box.name for box in self.drawing.boxes if box not in way]
        names = ", ".join(box.name for box in way if box.states)
        return f"Shortest path to a registration: {names}. Other states: {', '.join(beside)}."


def diagram(of: ProcedureGraph) -> ProcedureDiagram:
    """The diagram of what was chosen to be drawn."""
    sides = _ArrowRouting(of)
    placed = dict(_placed(of.boxes, sides))
    lanes = {side: _lanes(_ends(sides, placed, side)) for side in (ArrowSide.LEFT, ArrowSide.RIGHT)}
    left, right = (sides.room(side) + _width_of(lanes[side]) for side in lanes)
    x = _MARGIN + left
    placed = {box: replace(at, x=at.x + x) for box, at in placed.items()}
    arrows = tuple(_drawn(sides, placed, lanes))
    height = max(at.end for at in placed.values()) + _MARGIN
    return ProcedureDiagram(of, tuple(placed.values()), arrows, x + _BOX + right + _MARGIN, height)


class _ArrowRouting:
    def __init__(self, of: ProcedureGraph) -> None:
        self._place = {box: number for number, box in enumerate(of.boxes)}
        self._arrows = {side: [a for a in of.arrows if self._side(a) is side] for side in ArrowSide}

    def _side(self, arrow: Arrow) -> ArrowSide:
        further = self._place[arrow.target] - self._place[arrow.source]
        return (
            ArrowSide.LEFT if further < 0 else ArrowSide.DOWN if further == 1 else ArrowSide.RIGHT
        )

    def on(self, side: ArrowSide) -> Sequence[Arrow]:
        """The arrows of a side."""
        return self._arrows[side]

    def at(self, box: StateBox, side: ArrowSide) -> list[Arrow]:
        """The arrows at one side of a box from above, so that those of one box do not cross."""
        leaving = [arrow for arrow in self.on(side) if arrow.source == box]
        entering = [arrow for arrow in self.on(side) if arrow.target == box]
        leaving.sort(key=lambda arrow: -self._place[arrow.target])
        entering.sort(key=lambda arrow: -self._place[arrow.source])
        return [*entering, *leaving] if side is ArrowSide.RIGHT else [*leaving, *entering]

    def below(self, box: StateBox) -> Arrow | None:
        """The arrow straight down from a box."""
        return next((arrow for arrow in self.on(ArrowSide.DOWN) if arrow.source == box), None)

    def room(self, side: ArrowSide) -> int:
        """How far the first lane of a side is from the boxes: its labels stand between."""
        longest = max(map(_width, self.on(side)), default=0)
        if side is ArrowSide.RIGHT:  # labels of arrows straight down begin at the middle of a box
            below = max(map(_width, self.on(ArrowSide.DOWN)), default=0)
            longest = max(longest, below - _BOX // 2)
        return longest + 2 * _PAD


def _width(arrow: Arrow) -> int:
    return round(max(map(len, arrow.labels)) * _LETTER)


def _slot(arrow: Arrow, box: StateBox) -> float:
    return _ENTRY if arrow.target == box else len(arrow.labels) * _LINE + 4


def _placed(
    boxes: Iterable[StateBox], sides: _ArrowRouting
) -> Iterator[tuple[StateBox, BoxLayout]]:
    y: float = _MARGIN
    for box in boxes:
        width, height = (_BOX, _height(box, sides)) if box.states else (_START, _START)
        yield box, BoxLayout(box, (_BOX - width) / 2, y, width, height)
        down = sides.below(box)
        y += height + _GAP + (len(down.labels) * _LINE if down else 0)


def _height(box: StateBox, sides: _ArrowRouting) -> float:
    taken = (
        sum(_slot(arrow, box) for arrow in sides.at(box, side))
        for side in (ArrowSide.LEFT, ArrowSide.RIGHT)
    )
    return max(_LEAST, *(height + 2 * _PAD for height in taken))


def _drawn(
    sides: _ArrowRouting,
    placed: Mapping[StateBox, BoxLayout],
    lanes: Mapping[ArrowSide, Mapping[Arrow, int]],
) -> Iterator[ArrowLayout]:
    for arrow in sides.on(ArrowSide.DOWN):
        yield _straight(arrow, placed[arrow.source], placed[arrow.target])
    for side, own in lanes.items():
        for arrow, ends in _ends(sides, placed, side).items():
            out = sides.room(side) + own[arrow] * _LANE
            yield _beside(arrow, side, out, ends, placed)


def _straight(arrow: Arrow, source: BoxLayout, target: BoxLayout) -> ArrowLayout:
    path = f"M{source.middle:g} {source.end:g}V{target.y:g}m-4-6 4 6 4-6"
    last = target.y - _GAP / 2 + 4
    return ArrowLayout(arrow, path, source.middle + _PAD, "start", tuple(_lines(arrow, last)))


def _beside(
    arrow: Arrow,
    side: ArrowSide,
    out: float,
    ends: tuple[float, float],
    placed: Mapping[StateBox, BoxLayout],
) -> ArrowLayout:
    edge = placed[arrow.source].edge(side)
    back = placed[arrow.target].edge(side)
    toward = side.value
    head = f"m{6 * toward}-4 {-6 * toward} 4 {6 * toward} 4"
    path = f"M{edge:g} {ends[0]:g}H{edge + toward * out:g}V{ends[1]:g}H{back:g}{head}"
    anchor = "start" if side is ArrowSide.RIGHT else "end"
    return ArrowLayout(arrow, path, edge + toward * _PAD, anchor, tuple(_lines(arrow, ends[0] - 4)))


def _lines(arrow: Arrow, last: float) -> Iterator[tuple[float, str]]:
    for number, label in enumerate(arrow.labels):
        yield last - (len(arrow.labels) - 1 - number) * _LINE, label


_Ends = Mapping[Arrow, tuple[float, float]]


def _ends(sides: _ArrowRouting, placed: Mapping[StateBox, BoxLayout], side: ArrowSide) -> _Ends:
    heights = {
        (arrow, at.box): y for at in placed.values() for arrow, y in _heights(at, sides, side)
    }
    return {a: (heights[a, a.source], heights[a, a.target]) for a in sides.on(side)}


def _heights(at: BoxLayout, sides: _ArrowRouting, side: ArrowSide) -> Iterator[tuple[Arrow, float]]:
    arrows = sides.at(at.box, side)
    y = at.centre - sum(_slot(arrow, at.box) for arrow in arrows) / 2
    for arrow in arrows:
        y += _slot(arrow, at.box)
        yield arrow, y - (_ENTRY / 2 if arrow.target == at.box else 0)


def _width_of(lanes: Mapping[Arrow, int]) -> int:
    return max(lanes.values(), default=-1) * _LANE + _LANE


def _lanes(ends: _Ends) -> dict[Arrow, int]:
    taken: list[list[tuple[float, float]]] = []
    found: dict[Arrow, int] = {}
    for arrow, span in sorted(ends.items(), key=lambda item: abs(item[1][0] - item[1][1])):
        top, bottom = min(span), max(span)
        free = (
            number
            for number, spans in enumerate(taken)
            if all(bottom + _APART < other[0] or other[1] + _APART < top for other in spans)
        )
        found[arrow] = lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((top, bottom))
    return found


_TURNS = {
    Turn.REGISTRANT: "Registrant acts next",
    Turn.OPERATOR: "Operator acts next",
    Turn.EXPERTS: "Experts act next",
    Turn.IESG: "IESG acts next",
}


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """A step of the way: what it is called, whose turn it is, for how many days, and what else.

    ``days`` is None where nobody is waited for. ``onward`` is the action that leads to the next
    step, empty in the last. ``aside`` says what other actions lead elsewhere, and to what.
    """

    word: str
    turn: str
    days: int | None
    onward: str
    aside: tuple[str, ...]


def procedure_path(graph: ProcedureGraph, days: Mapping[str, int]) -> tuple[ProcedureStep, ...]:
    """The steps from the draft to the registration, or to what is approved in its place.

    ``days`` are those within which each step is due, as ``deadlines`` has them.
    """
    way = [box for box in graph.way if box.states]
    following = [*way[1:], None]
    return tuple(
        _step(box, onward, graph, days) for box, onward in zip(way, following, strict=True)
    )


def _step(
    box: StateBox, onward: StateBox | None, graph: ProcedureGraph, days: Mapping[str, int]
) -> ProcedureStep:
    leaving = [arrow for arrow in graph.arrows if arrow.source == box]
    ahead = next((arrow for arrow in leaving if arrow.target == onward), None)
    return ProcedureStep(
        word=plain_word(box),
        turn=_TURNS.get(box.turn, ""),
        days=allowed_days(graph.procedure, box.states[0], days),
        onward=" or ".join(ahead.labels) if ahead else "",
        aside=tuple(_aside(arrow) for arrow in leaving if arrow is not ahead),
    )


def plain_word(box: StateBox) -> str:
    """What people call the states of a box who do not know IANA's words."""
    return " or ".join(dict.fromkeys(state.plain for state in box.states))


def _aside(arrow: Arrow) -> str:
    asked = f" ({arrow.target.asked})" if arrow.target.asked else ""
    return f"{' or '.join(arrow.labels)}: {plain_word(arrow.target)}{asked}"
