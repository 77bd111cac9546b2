"""The chapters of an RFC as plain text: where each begins, what it is called, which holds which."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.registration.templates.template_lines import TemplateLine

_LONGEST = 160
_NUMBERED = re.compile(
    r"(?:(Appendix)[ \t]{1,3})?((?:[0-9]{1,2}|[A-Z](?=[.:\s]))(?:\.[0-9]{1,3}){0,5})"
    r"([.:]?)[ \t]{1,4}(?=(\S))",
    re.ASCII,
)
_PAGE = " \t0123456789ivx"  # the characters of a page's number, at the end of an entry
_CONTENTS = "table of contents"


@dataclass(frozen=True, slots=True)
class RfcSection:
    """The heading of a section or appendix: the place of its line, its number, its column."""

    at: int
    number: tuple[str, ...]
    indent: int
    title: str

    @property
    def is_appendix(self) -> bool:
        """Whether it is counted by a letter."""
        return self.number[0].isalpha()

    @property
    def place(self) -> str:
        """How one refers to it: ``section 2.1``, ``appendix B``; ``3.0`` is section 3."""
        number = self.number[:1] if self.number[1:] == ("0",) else self.number
        return f"{'appendix' if self.is_appendix else 'section'} {'.'.join(number)}"

    def holds(self, other: "RfcSection") -> bool:
        """Whether another section is one of its own."""
        depth = len(self.number)
        return len(other.number) > depth and other.number[:depth] == self.number


class RfcOutline:
    """The sections of a text in their order, without those that only its contents list."""

    def __init__(self, lines: Sequence[TemplateLine]) -> None:
        self.contents = _contents(lines)
        found = [one for one in _sections(lines) if one.at not in self.contents]
        self.indent = min((section.indent for section in found), default=0)
        self.sections = tuple(section for section in found if section.indent == self.indent)
        self._places = [section.at for section in self.sections]
        self._around: dict[int, RfcSection | None] = {}
        self._ends: dict[int, int] = {}
        self._nest()

    def _nest(self) -> None:
        open_ = list[RfcSection]()
        for section in self.sections:
            while open_ and not open_[-1].holds(section):
                self._ends[open_.pop().at] = section.at
            self._around[section.at] = open_[-1] if open_ else None
            open_.append(section)

    def at(self, place: int) -> RfcSection | None:
        """The section whose heading stands there."""
        before = self.before(place)
        return before if before is not None and before.at == place else None

    def before(self, place: int) -> RfcSection | None:
        """The section in which a line stands, its own heading included; None above the first."""
        count = bisect_right(self._places, place)
        return self.sections[count - 1] if count else None

    def after(self, place: int) -> Iterator[RfcSection]:
        """The sections that begin below a line."""
        yield from self.sections[bisect_right(self._places, place) :]

    def around(self, section: RfcSection) -> RfcSection | None:
        """The nearest section of which this is one; None for one of the highest level."""
        return self._around[section.at]

    def end(self, section: RfcSection) -> int | None:
        """Where the next section begins that is not one of its own; None for the last."""
        return self._ends.get(section.at)


def _sections(lines: Sequence[TemplateLine]) -> Iterator[RfcSection]:
    above = True
    for at, line in enumerate(lines):
        if above and not line.is_blank:
            found = _section(at, line)
            if found:
                yield found
        above = line.is_blank


def _section(at: int, line: TemplateLine) -> RfcSection | None:
    bare = line.text.strip()[:_LONGEST]
    found = _NUMBERED.match(bare)
    if found is None or _has_leaders(bare):
        return None
    word, number, dot, first = found.groups()
    counted = tuple(number.split("."))
    is_marked = word or dot or (first.isupper() and not counted[0].isalpha())
    if not is_marked and len(counted) == 1:
        return None  # "10 names" goes on with a sentence; so does "A name". "A.1 Names" is one.
    return RfcSection(at, counted, line.indent, bare[found.end() :])


def _contents(lines: Sequence[TemplateLine]) -> range:
    start = next((n for n, li in enumerate(lines) if _is_contents(li)), None)
    if start is None:
        return range(0)
    places = (n for n in range(start + 1, len(lines)) if not lines[n].is_blank)
    first = next(places, None)
    if first is None:
        return range(0)
    entry = _flat(lines[first].text)
    end = next((n for n in places if _flat(lines[n].text) == entry), None)
    return range(0) if end is None else range(start, end)


def _is_contents(line: TemplateLine) -> bool:
    return line.text.strip()[:_LONGEST].lower() == _CONTENTS


def _has_leaders(line: str) -> bool:
    return line.rstrip(_PAGE).replace(" ", "").endswith("...")


def _flat(line: str) -> str:
    return " ".join(line[:_LONGEST].rstrip(_PAGE + ".").replace(".", " ").lower().split())
