"""Boxes, arrows and notes of a procedure's diagram, before it is laid out.

Arrows are drawn for actions that change the state. Notes in words list actions that don't, and
those that go from many states to the same one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill

from app.pages.diagrams.procedure_tables import (
    evidence_word,
    name_of,
    place_of,
    rows_of,
    targets_of,
)
from app.registration.declarations.registries import DeclaredProcedure, declared_procedures
from app.registration.records.registry_records import Purpose
from app.workflow.engine import ProcedureCase
from app.workflow.states import Action, State, Turn
from app.workflow.transitions import STRANDED, RelativeTarget, TransitionRow

MANY = 3  # boxes from which an action is told in words
NOT_DRAWN = "Actions without an arrow:"

# Drawn as one: they differ by the purpose of the request, or by who hears the appeal.
_TOGETHER = (
    (State.ASSIGNABLE, State.MODIFIABLE),
    (State.ASSIGNED, State.MODIFIED),
    (State.IESG_APPEAL_1, State.IESG_APPEAL_2),
)
_APPROVED = {State.ASSIGNABLE, State.MODIFIABLE}
_TURNS = {
    Turn.REGISTRANT: "registrant acts next",
    Turn.OPERATOR: "operator acts next",
    Turn.EXPERTS: "experts act next",
}


@dataclass(frozen=True, slots=True)
class StateBox:
    """States that a picture shows as one; none of them for the beginning."""

    states: tuple[State, ...]
    turn: Turn = Turn.NOBODY

    @property
    def word(self) -> str:
        """What stands in it."""
        return " or ".join(dict.fromkeys(state.word for state in self.states))

    @property
    def asked(self) -> str:
        """What is asked there, in a word, where several boxes share a word."""
        return evidence_word(self.states[0]).rstrip(" 12") if self.states else ""

    @property
    def detail(self) -> str:
        """What stands below its word: what is asked, or whose turn it is."""
        return self.asked or _TURNS.get(self.turn, "")

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        asked = f" ({self.asked})" if self.asked else ""
        return self.word + asked if self.states else name_of(None)


@dataclass(frozen=True, slots=True)
class Arrow:
    """What leads from one box to another, and the rows that say so."""

    source: StateBox
    target: StateBox
    rows: tuple[TransitionRow, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The actions."""
        return _labels(self.rows)


@dataclass(frozen=True, slots=True)
class DiagramNote:
    """What is told in words: what leads from many boxes to one, or with no target to no other."""

    sources: tuple[StateBox, ...]
    target: StateBox | None
    rows: tuple[TransitionRow, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The actions."""
        return _labels(self.rows)


@dataclass(frozen=True, slots=True)
class ProcedureGraph:
    """A procedure as a picture and its notes: each row of its table is in one of them."""

    procedure: DeclaredProcedure
    boxes: tuple[StateBox, ...]
    arrows: tuple[Arrow, ...]
    notes: tuple[DiagramNote, ...]

    @property
    def way(self) -> tuple[StateBox, ...]:
        """The shortest way to a registration."""
        return _way(self.arrows)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The notes in words."""
        return tuple(_sentences(self.notes))


def drawing(procedure: DeclaredProcedure, *, proposes: bool = False) -> ProcedureGraph:
    """What a picture of a procedure draws, and what it leaves to words.

    An action that leads from ``MANY`` boxes or more to the same one is told in words, and so
    is what leads to no other. The boxes stand in layers: first the shortest way to a
    registration, then the others by how far they are from the beginning.
    """
    moves = _leading(procedure, proposes=proposes)
    many = tuple(note for note in _together(moves) if len(note.sources) >= MANY)
    told = {move for note in many for move in moves if _is_of(move, note)}
    drawn = [move for move in moves if move not in told]
    arrows = tuple(_arrows(move for move in drawn if move.source != move.target))
    stays = tuple(_staying(move for move in drawn if move.source == move.target))
    boxes = {box for move in moves for box in (move.source, move.target)}
    return ProcedureGraph(procedure, _in_layers(boxes, arrows), arrows, (*many, *stays))


@dataclass(frozen=True, slots=True)
class _GraphEdge:
    source: StateBox
    target: StateBox
    row: TransitionRow


def _leading(procedure: DeclaredProcedure, *, proposes: bool) -> tuple[_GraphEdge, ...]:
    table = rows_of(procedure, proposes=proposes)
    left = STRANDED.get(procedure, frozenset())
    moves = (
        _GraphEdge(_box_of(row.source, procedure), _box_of(target, procedure), row)
        for row in table
        if row.source not in left  # no arrow comes there
        for target in targets_of(row, table)
    )
    return tuple(dict.fromkeys(moves))


def _box_of(state: State | None, procedure: DeclaredProcedure) -> StateBox:
    if state is None:
        return _BEGINNING
    kept = State.VALIDATING_REQUEST if state is State.WITH_REQUESTER else None
    turn = ProcedureCase(procedure, Purpose.NEW, state, kept).turn
    return StateBox(next((states for states in _TOGETHER if state in states), (state,)), turn)


_BEGINNING = StateBox(())


def _together(moves: Iterable[_GraphEdge]) -> Iterator[DiagramNote]:
    leading: defaultdict[tuple[Action, StateBox], list[_GraphEdge]] = defaultdict(list)
    for move in moves:
        if move.row.target is not RelativeTarget.SAME:
            leading[move.row.action, move.target].append(move)
    for (_, target), theirs in leading.items():
        yield DiagramNote(_sources(theirs), target, tuple(move.row for move in theirs))


def _is_of(move: _GraphEdge, note: DiagramNote) -> bool:
    return move.target == note.target and move.row in note.rows


def _staying(moves: Iterable[_GraphEdge]) -> Iterator[DiagramNote]:
    staying: defaultdict[Action, list[_GraphEdge]] = defaultdict(list)
    for move in moves:
        staying[move.row.action].append(move)
    for theirs in staying.values():
        yield DiagramNote(_sources(theirs), None, tuple(move.row for move in theirs))


def _sources(moves: Iterable[_GraphEdge]) -> tuple[StateBox, ...]:
    return tuple(sorted({move.source for move in moves}, key=_rank))


def _arrows(moves: Iterable[_GraphEdge]) -> Iterator[Arrow]:
    pairs: defaultdict[tuple[StateBox, StateBox], list[TransitionRow]] = defaultdict(list)
    for move in moves:
        pairs[move.source, move.target].append(move.row)
    for (source, target), rows in pairs.items():
        yield Arrow(source, target, tuple(rows))


def _labels(rows: Iterable[TransitionRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.action.label for row in rows))


# ---- the order of the boxes


def _in_layers(boxes: Iterable[StateBox], arrows: Iterable[Arrow]) -> tuple[StateBox, ...]:
    steps = tuple(arrows)
    way, far = _way(steps), {route[-1]: len(route) for route in _routes(steps)}
    rest = sorted(set(boxes) - set(way), key=lambda box: (far.get(box, len(far)), _rank(box)))
    return (*way, *rest)


def _rank(box: StateBox) -> int:
    return place_of(box.states[0] if box.states else None)


def _way(arrows: Iterable[Arrow]) -> tuple[StateBox, ...]:
    routes = {_reach(route[-1]): route for route in reversed(list(_routes(tuple(arrows))))}
    return routes[max(routes)]


def _reach(box: StateBox) -> int:
    return 2 * _registers(box) + (not _APPROVED.isdisjoint(box.states))


def _registers(box: StateBox) -> bool:
    return any(state.is_registered for state in box.states)


def _routes(arrows: tuple[Arrow, ...]) -> Iterator[tuple[StateBox, ...]]:
    waiting: list[tuple[StateBox, ...]] = [(_BEGINNING,)]
    seen = {_BEGINNING}
    while waiting:
        route = waiting.pop(0)
        yield route
        for arrow in arrows:
            if arrow.source == route[-1] and arrow.target not in seen:
                seen.add(arrow.target)
                waiting.append((*route, arrow.target))


# ---- the notes in words


def _sentences(notes: Iterable[DiagramNote]) -> Iterator[str]:
    staying: defaultdict[tuple[StateBox, ...], list[str]] = defaultdict(list)
    for note in notes:
        if note.target is None:
            staying[note.sources].extend(note.labels)
        else:
            where = _listed([source.name for source in note.sources])
            yield f"{_listed(note.labels)}: from {where} to {note.target.name}."
    told = [
        f"{_listed(labels)} in {_listed([source.name for source in sources])}"
        for sources, labels in staying.items()
    ]
    if told:
        yield f"Without a change of state: {'; '.join(told)}."


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


BEGIN = "<!-- The procedures, as `urn-registry procedures draw` writes them. -->"
END = "<!-- End of the procedures. -->"
_WIDTH = 96


class DiagramMarksMissing(Exception):
    """A text in which no place is marked for the diagrams."""

    def __init__(self) -> None:
        super().__init__(f"No place is marked for the diagrams. Begin it with {BEGIN}")


def write_mermaid() -> str:
    """The diagram of each procedure, folded, with what it leaves to words."""
    return "\n".join(
        line for procedure in declared_procedures() for line in _folded(drawing(procedure))
    )


def replace_mermaid(text: str) -> str:
    """A text with new diagrams between their marks.

    Raises DiagramMarksMissing where the marks are not both there.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise DiagramMarksMissing
    return f"{before}{BEGIN}\n\n{write_mermaid()}\n{END}{after}"


def _folded(of: ProcedureGraph) -> Iterator[str]:
    yield f"<details><summary>{of.procedure.heading}</summary>"
    yield "\n```mermaid"
    yield from _diagram(of)
    yield "```\n"
    yield f"{NOT_DRAWN}\n"
    for sentence in of.sentences:
        yield fill(sentence, _WIDTH, initial_indent="- ", subsequent_indent="  ")
    yield "\n</details>\n"


def _diagram(of: ProcedureGraph) -> Iterator[str]:
    yield "stateDiagram-v2"
    for box in of.boxes:
        if box.states:
            yield f'    state "{box.name}" as {_id(box)}'
    for arrow in of.arrows:
        yield f"    {_id(arrow.source)} --> {_id(arrow.target)} : {', '.join(arrow.labels)}"


def _id(box: StateBox) -> str:
    return box.states[0].replace("-", "_") if box.states else "[*]"


_CHART_WIDTH, _ROW, _HEIGHT = 640, 30, 14
_LABEL, _FIGURE = 150, 100  # the room of words before a bar, and of the figure, as a phone has them


@dataclass(frozen=True, slots=True)
class StateBar:
    """One state, in the chart's own units."""

    label: str
    count: int
    y: int
    width: float


@dataclass(frozen=True, slots=True)
class StateChart:
    """The bars of all states, and the same in words."""

    bars: tuple[StateBar, ...]
    words: str
    width: int
    height: int
    begin: int
    thickness: int


def state_chart(counts: Sequence[tuple[str, int]]) -> StateChart | None:
    """The chart of some states in their order; None where there is nothing of any.

    What is there has a bar that can be seen, however few there are.
    """
    most = max((count for _, count in counts), default=0)
    if not most:
        return None
    room = _CHART_WIDTH - _LABEL - _FIGURE
    bars = tuple(
        StateBar(label, count, at * _ROW + 8, round(max(room * count / most, 2 * bool(count)), 1))
        for at, (label, count) in enumerate(counts)
    )
    words = ", ".join(f"{label}: {count:,}" for label, count in counts)
    return StateChart(bars, words, _CHART_WIDTH, len(bars) * _ROW, _LABEL, _HEIGHT)
