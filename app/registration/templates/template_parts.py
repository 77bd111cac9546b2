"""The parts of a template's text: which lines go to which field, put together again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.registration.declarations.registries import FORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplatePart:
    """A run of lines under one heading, and the field to which it goes; none for ``""``.

    ``own`` is the field whose own heading stands above it, ``rest`` what stands beside that
    heading. A part that ``goes_on`` belongs to the text above it as long as it is in its field. The
    title of a template is a part that belongs to no field and is not missing from one.
    """

    number: int
    line: int
    last_line: int
    field: str
    heading: str = ""
    rest: str = ""
    lines: tuple[str, ...] = ()
    own: str = ""
    goes_on: bool = False
    is_title: bool = False

    @property
    def text(self) -> str:
        """All its words, without its heading unless it goes on."""
        return _unindented(self.rest, self.lines)

    @property
    def whole(self) -> str:
        """All its words under its heading."""
        if self.goes_on:
            return _unindented("", self.lines)
        return _unindented(f"{self.heading} {self.rest}".strip(), self.lines)


@dataclass(frozen=True, slots=True)
class UnplacedText:
    """Words that belong to no field, with the lines on which they stand."""

    line: int
    last_line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateDiagnostic:
    """Something about the text that a person should look at: where, what, by which document."""

    line: int
    code: str
    message: str
    source: str = "RFC 8141 appendix A"
    field: str = ""


def assemble_fields(parts: Iterable[TemplatePart]) -> dict[str, str]:
    """The text of each field, in the order of the template, made of the parts that go to it.

    The sections of a field stay in the order of the text. The field's own heading is left out
    where it comes first, since the field has its name; words without a heading come behind what
    stands under the field's own. Fields without a word are left out.
    """
    blocks: dict[str, list[TemplatePart]] = {}
    before: TemplatePart | None = None
    for part in parts:
        own = blocks.setdefault(part.field, [])
        if part.goes_on and before is not None and before.field == part.field and own:
            own[-1] = replace(own[-1], lines=own[-1].lines + part.lines)
        else:
            own.append(part)
        before = part
    texts = {name: _joined(name, blocks[name]) for name in FORMAL.named if name in blocks}
    return {name: text for name, text in texts.items() if text}


def _joined(name: str, blocks: list[TemplatePart]) -> str:
    said = [block for block in blocks if block.text]
    first = next((block for block in said if block.heading), None)
    if first is None or first.own != name:
        return "\n\n".join(block.whole for block in said)
    return "\n\n".join([first.text, *(block.whole for block in said if block is not first)])


def _unindented(first: str, lines: Sequence[str]) -> str:
    under = "\n".join(dedent_lines([line.rstrip() for line in lines])).strip("\n")
    return f"{first.strip()}\n{under}".strip("\n")


def dedent_lines(lines: Sequence[str]) -> list[str]:
    """The lines without the spaces and tabs that all of them begin with; blank ones are empty.

    The library makes a pattern of that margin, which takes seconds where it is long.
    """
    written = [line for line in lines if line.strip(" \t")]
    spaces = [line[: -len(line.lstrip(" \t"))] for line in written]
    first, last = min(spaces, default=""), max(spaces, default="")
    margin = next((at for at, char in enumerate(first) if char != last[at]), len(first))
    return [line[margin:] if line.strip(" \t") else "" for line in lines]
