"""What is found while a grammar is read: by place in the text, later by line and column."""

from collections.abc import Iterator
from dataclasses import dataclass, field

NOTATION = "RFC 5234 section 3"
_MOST = 5_000


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found at a place; equal codes and messages are told together.

    ``here`` is what is said of the first place alone.
    """

    code: str
    at: int
    message: str
    source: str = NOTATION
    is_problem: bool = True
    example: str = ""
    here: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.message} {self.here}".rstrip()


@dataclass(slots=True)
class Diagnostics:
    """Notes in the order in which they were taken."""

    found: list[Diagnostic] = field(default_factory=list)

    def take(self, *notes: Diagnostic) -> None:
        self.found.extend(notes[: max(0, _MOST - len(self.found))])

    def wrong(
        self, code: str, at: int, message: str, source: str = NOTATION, *, here: str = ""
    ) -> None:
        self.take(Diagnostic(code, at, message, source, here=here))

    def look(self, code: str, at: int, message: str, source: str = NOTATION) -> None:
        self.take(Diagnostic(code, at, message, source, is_problem=False))

    def told(self) -> Iterator[tuple[Diagnostic, list[int]]]:
        places: dict[tuple[str, str], list[Diagnostic]] = {}
        for note in sorted(self.found, key=lambda note: note.at):
            places.setdefault((note.code, note.message), []).append(note)
        for notes in places.values():
            yield notes[0], [note.at for note in notes]
