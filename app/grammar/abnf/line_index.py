"""A text in lines: where each begins, what a page break put between them, line and column."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_FOOTER = re.compile(r".*\[Page [0-9ivx]+\]\s*", re.IGNORECASE)
_HEADER = re.compile(
    r"(?:RFC [0-9]+|Internet[- ]Draft|INTERNET[- ]DRAFT)\s{2,}+\S++\s++\S.*[12][0-9]{3}\s*"
)


@dataclass(frozen=True)
class LineIndex:
    """A text of which places are told as line and column, both from 1."""

    text: str

    @cached_property
    def starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(r"\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, max(at, 0))
        return line, max(at, 0) - self.starts[line - 1] + 1

    def span(self, first: int, last: int) -> tuple[int, int]:
        return self.starts[first - 1], self.starts[last - 1] + len(self.line(last - 1))

    def line(self, number: int) -> str:
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n\f")

    @cached_property
    def furniture(self) -> frozenset[int]:
        found: set[int] = set()
        for number in range(len(self.starts)):
            if "[Page " in self.line(number) and _FOOTER.fullmatch(self.line(number)):
                found.update(self._break_at(number))
        return frozenset(found)

    def _break_at(self, footer: int) -> list[int]:
        first, last = footer, footer
        while first and not self.line(first - 1).strip():
            first -= 1
        while last + 1 < len(self.starts) and self._is_between(self.line(last + 1)):
            last += 1
        return list(range(first, last + 1))

    def _is_between(self, line: str) -> bool:
        return not line.strip() or _HEADER.fullmatch(line.strip("\f")) is not None
