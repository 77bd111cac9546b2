"""The diagrams of the procedures: every row of the tables, nothing else, and all of it legible."""

import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.diagrams.procedure_graph import (
    BEGIN,
    END,
    MANY,
    Arrow,
    DiagramMarksMissing,
    ProcedureGraph,
    StateBox,
    drawing,
    replace_mermaid,
    write_mermaid,
)
from app.pages.diagrams.procedure_layout import ArrowLayout, ProcedureDiagram, diagram
from app.pages.diagrams.procedure_tables import name_of, table_lines, word_of
from app.registration.declarations.registries import Procedure
from app.workflow.evidence import Evidence
from app.workflow.states import Action, State, Turn
from app.workflow.transitions import STRANDED, TABLES, TransitionRow
from tests.conftest import ROOT
from tests.workflow.expected import read

A = Action
IN_EACH = pytest.mark.parametrize("proposes", [False, True])
EACH = pytest.mark.parametrize("procedure", Procedure)
MOVES = read()

# What the drawing calls the states that it shows as one.
AS_ONE = {
    State.ASSIGNABLE: "Assignable or Modifiable",
    State.MODIFIABLE: "Assignable or Modifiable",
    State.ASSIGNED: "Assigned or Modified",
    State.MODIFIED: "Assigned or Modified",
    State.IESG_APPEAL_1: "IESG Escalation (appeal)",
    State.IESG_APPEAL_2: "IESG Escalation (appeal)",
}


class Told(NamedTuple):
    """A move by the names of what it leads from and to."""

    source: str
    action: str
    target: str


def shown(state: State | None) -> str:
    return AS_ONE.get(state, name_of(state)) if state else name_of(state)


AT_IANA = {A.SEND_ON, A.ENTER_ANSWER, A.ENTER_REGISTRATION, A.ENTER_REFUSAL}


def applies(action: Action, *, proposes: bool) -> bool:
    """A registry that only prepares requests registers nothing; others send nothing on."""
    return action is not A.REGISTER if proposes else action not in AT_IANA


def rows_in(procedure: Procedure, *, proposes: bool) -> list[TransitionRow]:
    return [row for row in TABLES[procedure] if applies(row.action, proposes=proposes)]


def moves_of(procedure: Procedure, *, proposes: bool) -> set[Told]:
    """The moves as they were written down by hand."""
    return {
        Told(shown(move.source), move.action.label, shown(move.target))
        for move in MOVES
        if move.procedure is procedure and move.source not in STRANDED.get(procedure, ())
        if applies(move.action, proposes=proposes)
    }


def moves_in(of: ProcedureGraph) -> Iterator[Told]:
    """The moves that a drawing and its notes tell."""
    for arrow in of.arrows:
        for label in arrow.labels:
            yield Told(arrow.source.name, label, arrow.target.name)
    for note in of.notes:
        for label in note.labels:
            for source in note.sources:
                yield Told(source.name, label, (note.target or source).name)


@IN_EACH
@EACH
def test_every_row_is_drawn_or_told_and_nothing_else(
    procedure: Procedure, *, proposes: bool
) -> None:
    of = drawing(procedure, proposes=proposes)
    drawn_rows = {row for arrow in of.arrows for row in arrow.rows}
    rows = drawn_rows | {row for note in of.notes for row in note.rows}
    left = STRANDED.get(procedure, frozenset())
    assert rows == {row for row in rows_in(procedure, proposes=proposes) if row.source not in left}
    told = list(moves_in(of))
    assert set(told) == moves_of(procedure, proposes=proposes)
    assert len(told) == len(set(told)), "no move twice"


@IN_EACH
@EACH
def test_the_notes_say_in_words_what_is_not_drawn(procedure: Procedure, *, proposes: bool) -> None:
    of = drawing(procedure, proposes=proposes)
    words = " ".join(of.sentences)
    for note in of.notes:
        assert note.target is None or len(note.sources) >= MANY
        for name in (*note.labels, *(source.name for source in note.sources)):
            assert name in words
    drawn_labels = {label for arrow in of.arrows for label in arrow.labels}
    told = {label for note in of.notes for label in note.labels}
    left = STRANDED.get(procedure, frozenset())
    rows = [row for row in rows_in(procedure, proposes=proposes) if row.source not in left]
    assert drawn_labels | told == {row.action.label for row in rows}


@EACH
def test_every_box_is_on_the_way_or_beside_it(procedure: Procedure) -> None:
    of = drawing(procedure)
    assert of.boxes[: len(of.way)] == of.way
    assert [box.word for box in of.way[1:4]] == ["Draft", "New", "Validating Request"]
    assert of.way[-1].states[0].is_registered
    left = STRANDED.get(procedure, frozenset())
    states = {row.source for row in TABLES[procedure]} - left
    assert {state for box in of.boxes for state in box.states} == states - {None}


def test_in_the_fast_track_the_organization_says_when_it_is_done() -> None:
    turns = {
        procedure: box.detail
        for procedure in Procedure
        for box in drawing(procedure).boxes
        if State.EXPERT_REVIEW in box.states
    }
    assert turns.pop(Procedure.FAST_TRACK) == "registrant acts next"
    assert set(turns.values()) == {"experts act next"}


# ---- the table in words


@IN_EACH
@EACH
def test_the_table_has_a_line_for_each_row(procedure: Procedure, *, proposes: bool) -> None:
    told, rows = table_lines(procedure, proposes=proposes), rows_in(procedure, proposes=proposes)
    assert len(told) == len(rows) == len(set(told))
    assert sorted(line.action for line in told) == sorted(row.action.label for row in rows)


def line_of(procedure: Procedure, action: Action) -> list[tuple[str, str, str, str]]:
    return [
        (line.source, line.who, line.shown, line.target)
        for line in table_lines(procedure)
        if line.action == action.label
    ]


def test_a_row_is_told_with_all_that_it_says() -> None:
    assert line_of(Procedure.COMMUNITY, Action.START) == [
        ("Start, new registration", "the registrant", "", "Draft")
    ]
    assert line_of(Procedure.COMMUNITY, Action.DISCARD)[0][3] == "Deleted"
    assert line_of(Procedure.COMMUNITY, Action.RETURN)[0] == (
        "Validating Request",
        "the operator",
        "a reason",
        "With Requester, then back to Validating Request",
    )
    approve = line_of(Procedure.COMMUNITY, Action.APPROVE)[0]
    assert approve[1] == "the rule that counts the experts’ reviews"
    assert approve[3] == "Assignable or Modifiable"
    complete = line_of(Procedure.FAST_TRACK, Action.COMPLETE)
    assert complete[2][0] == "IESG Escalation (experts) (requests under earlier rules)"
    assert complete[0][0] == "With Requester, returned from Expert Review"
    resubmit = line_of(Procedure.COMMUNITY, Action.RESUBMIT)[0]
    assert resubmit[3] == "Validating Request or Expert Review"
    refused = line_of(Procedure.FAST_TRACK, Action.REFUSE_RECOGNITION)[0]
    assert refused[3] == "Validating Request, in the community procedure"
    assert line_of(Procedure.INFORMAL, Action.REGISTER)[0][3] == "Assigned, creates a version"
    assert line_of(Procedure.INFORMAL, Action.COPY)[0][3] == "Unchanged, opens a new draft"


@pytest.mark.parametrize("evidence", Evidence)
def test_what_is_shown_is_told_in_a_few_words(evidence: Evidence) -> None:
    assert re.fullmatch(r"[^;_]{3,60}[^.]", word_of(evidence))


# ---- the lengths


class Frame(NamedTuple):
    """Where something stands."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Frame") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def labels_in(of: ProcedureDiagram) -> list[Frame]:
    frames = []
    for arrow in of.arrows:
        for y, line in arrow.lines:
            wide = len(line) * 6.4
            left = arrow.x if arrow.anchor == "start" else arrow.x - wide
            frames.append(Frame(left, y - 10, left + wide, y + 2))
    return frames


def boxes_in(of: ProcedureDiagram) -> dict[StateBox, Frame]:
    return {at.box: Frame(at.x, at.y, at.x + at.width, at.y + at.height) for at in of.boxes}


def segments_in(path: str) -> list[Frame]:
    """The straight parts of a path, its head aside."""
    found = []
    x = y = 0.0
    for command, numbers in re.findall(r"([MHV])([-0-9. ]+)", path.partition("m")[0]):
        given_ = [float(number) for number in numbers.split()]
        to = {"M": (given_[0], given_[-1]), "H": (given_[0], y), "V": (x, given_[0])}[command]
        if command != "M":
            found.append(Frame(min(x, to[0]), min(y, to[1]), max(x, to[0]), max(y, to[1])))
        x, y = to
    return found


def lie_on_each_other(one: Frame, other: Frame) -> bool:
    """Whether two straight parts share more than the point in which they cross."""
    upright = one.left == one.right == other.left == other.right
    level = one.top == one.bottom == other.top == other.bottom
    along_y = upright and one.top <= other.bottom and other.top <= one.bottom
    along_x = level and one.left <= other.right and other.left <= one.right
    return along_y or along_x


def faults(of: ProcedureDiagram) -> Iterator[object]:
    """What would make a diagram hard to read."""
    yield from _outside(of)
    yield from _hidden(of)
    yield from _loose(of)
    yield from _tangled(of)


def _parts(of: ProcedureDiagram) -> list[tuple[ArrowLayout, Frame]]:
    return [(arrow, part) for arrow in of.arrows for part in segments_in(arrow.path)]


def _outside(of: ProcedureDiagram) -> Iterator[object]:
    for frame in (*labels_in(of), *boxes_in(of).values(), *(part for _, part in _parts(of))):
        if min(frame) < 0 or frame.right > of.width or frame.bottom > of.height:
            yield "outside", frame


def _hidden(of: ProcedureDiagram) -> Iterator[object]:
    labels, boxes, parts = labels_in(of), boxes_in(of).values(), _parts(of)
    for one, other in combinations((*labels, *boxes), 2):
        if one.meets(other):
            yield "over each other", one, other
    for (a, part), (b, another) in combinations(parts, 2):
        if a is not b and lie_on_each_other(part, another):
            yield "one on the other", a.path, b.path
    for (arrow, part), label in product(parts, labels):
        if part.meets(label):
            yield "through a label", arrow.path, label


def _loose(of: ProcedureDiagram) -> Iterator[object]:
    boxes = boxes_in(of)
    for arrow in of.arrows:
        first, *_, last = ends_of(arrow.path)
        for point, box in ((first, arrow.arrow.source), (last, arrow.arrow.target)):
            if not touches(point, boxes[box]):
                yield "loose", arrow.path, box.name


def _tangled(of: ProcedureDiagram) -> Iterator[object]:
    """Arrows that leave one box, or enter one, and cross each other."""
    for one, other in combinations(of.arrows, 2):
        a, b = one.arrow, other.arrow
        if a.source == b.source or a.target == b.target:
            pairs = product(segments_in(one.path), segments_in(other.path))
            yield from (("crossing", one.path, other.path) for p, q in pairs if cross(p, q))


def cross(one: Frame, other: Frame) -> bool:
    """Whether a level and an upright part meet."""
    level, upright = (one, other) if one.top == one.bottom else (other, one)
    across = level.left <= upright.left <= level.right
    return across and upright.top <= level.top <= upright.bottom


def ends_of(path: str) -> tuple[tuple[float, float], ...]:
    x = y = 0.0
    points = []
    for command, numbers in re.findall(r"([MHV])([-0-9. ]+)", path.partition("m")[0]):
        given_ = [float(number) for number in numbers.split()]
        x = given_[0] if command in "MH" else x
        y = given_[-1] if command in "MV" else y
        points.append((x, y))
    return tuple(points)


def touches(point: tuple[float, float], frame: Frame) -> bool:
    x, y = point
    beside = x in (frame.left, frame.right) and frame.top < y < frame.bottom
    return beside or (y in (frame.top, frame.bottom) and frame.left < x < frame.right)


@EACH
def test_nothing_in_a_diagram_hides_anything_else(procedure: Procedure) -> None:
    assert list(faults(diagram(drawing(procedure)))) == []


BOXES = tuple(StateBox((state,), Turn.OPERATOR) for state in State)
ROWS = TABLES[Procedure.STANDARDS_ACTION]


@st.composite
def drawings(draw: st.DrawFn) -> ProcedureGraph:
    """Any boxes with any arrows between them."""
    boxes = draw(st.lists(st.sampled_from(BOXES), min_size=2, max_size=9, unique=True))
    boxes = [StateBox(()), *boxes] if draw(st.booleans()) else boxes
    states = [box for box in boxes if box.states]
    pairs = draw(
        st.lists(
            st.tuples(st.sampled_from(states), st.sampled_from(states)).filter(
                lambda pair: pair[0] != pair[1]
            ),
            max_size=25,
            unique=True,
        )
    )
    rows: st.SearchStrategy[list[TransitionRow]] = st.lists(
        st.sampled_from(ROWS), min_size=1, max_size=4
    )
    arrows = tuple(Arrow(source, target, tuple(draw(rows))) for source, target in pairs)
    first = (Arrow(boxes[0], boxes[1], ROWS[:2]),) if not boxes[0].states else ()
    return ProcedureGraph(Procedure.COMMUNITY, tuple(boxes), (*first, *arrows), ())


@given(drawings())
def test_whatever_the_tables_hold_every_label_stands_alone(of: ProcedureGraph) -> None:
    made = diagram(of)
    assert list(faults(made)) == []
    assert [at.box for at in made.boxes] == list(of.boxes)
    assert sorted(map(id, (one.arrow for one in made.arrows))) == sorted(map(id, of.arrows))
    for one in made.arrows:
        assert tuple(line for _, line in one.lines) == one.arrow.labels


def test_a_diagram_is_told_in_words() -> None:
    words = diagram(drawing(Procedure.INFORMAL)).words
    assert words.startswith("Shortest path to a registration: Draft, New, Validating Request, ")
    assert "Other states: With Requester, Declined, " in words


# ---- the documentation


def test_the_documentation_has_the_diagrams_of_the_tables() -> None:
    text = (ROOT / "docs/procedures.md").read_text(encoding="utf-8")
    assert replace_mermaid(text) == text, "urn-registry procedures draw docs/procedures.md"


def mermaid_of(text: str) -> list[list[str]]:
    return [
        block.strip().splitlines() for block in re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    ]


@pytest.mark.parametrize("place", range(len(Procedure)))
def test_a_mermaid_diagram_says_what_the_drawing_says(place: int) -> None:
    of = drawing(tuple(Procedure)[place])
    head, *rest = mermaid_of(write_mermaid())[place]
    assert head == "stateDiagram-v2"
    names, told = {"[*]": "Start"}, set()
    for line in rest:
        if state := re.fullmatch(r' {4}state "([A-Z][A-Za-z ()]+)" as (\w+)', line):
            names[state[2]] = state[1]
        else:
            arrow = re.fullmatch(r" {4}(\S+) --> (\w+) : ([\w ,’]+)", line)
            assert arrow, line
            told |= {
                Told(names[arrow[1]], action, names[arrow[2]]) for action in arrow[3].split(", ")
            }
    drawn_alone = ProcedureGraph(of.procedure, of.boxes, of.arrows, ())
    assert told == set(moves_in(drawn_alone))
    assert set(names.values()) == {box.name for box in of.boxes}


def test_only_the_marked_part_of_a_text_is_drawn_anew() -> None:
    made = replace_mermaid(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    assert made == f"Before.\n\n{BEGIN}\n\n{write_mermaid()}\n{END}\n\nAfter.\n"
    assert replace_mermaid(made) == made


@pytest.mark.parametrize("text", ["", BEGIN, END, f"{END}{BEGIN}", Path(__file__).name])
def test_a_text_without_both_marks_is_refused(text: str) -> None:
    with pytest.raises(DiagramMarksMissing, match="Begin it with"):
        replace_mermaid(text)
