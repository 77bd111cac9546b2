"""A procedure as people walk it: the straight way to a registration, a step for each state.

What else can happen in a step stands beside it. Every move is in the diagram and in the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.pages.diagrams.procedure_graph import Arrow, ProcedureGraph, StateBox
from app.workflow.deadlines import allowed_days
from app.workflow.states import Turn

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
