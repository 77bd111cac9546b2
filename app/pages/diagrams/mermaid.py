"""The diagrams of the procedures as text, which Markdown shows as pictures."""

from collections.abc import Iterator
from textwrap import fill

from app.pages.diagrams.procedure_graph import NOT_DRAWN, ProcedureGraph, StateBox, drawing
from app.registration.declarations.registries import declared_procedures

BEGIN = "<!-- The procedures, as `urn-registry procedures draw` writes them. -->"
END = "<!-- End of the procedures. -->"
_WIDTH = 96


class DiagramMarksMissing(Exception):
    """A text in which no place is marked for the diagrams."""

    def __init__(self) -> None:
        """Say what marks it."""
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
