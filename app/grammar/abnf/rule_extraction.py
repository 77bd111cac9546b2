"""Where rules stand in a text with prose around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.grammar.abnf.core_rules import known_rules
from app.grammar.abnf.diagnostics import Diagnostics
from app.grammar.abnf.line_index import LineIndex

MOST_RULES = 12_000
_QUOTED = re.compile(r"\"[^\"\n]{0,60}\"")  # in prose, where ; and ' mean nothing
_PROSE = 2  # words in a row that are no names
_NAME = r"<[A-Za-z][^<>\n]{0,80}>|[A-Za-z0-9][A-Za-z0-9_.-]*"
_HEAD = re.compile(
    r"(?P<lead>[ \t>]*(?:[-*•+][ \t]+|[0-9]{1,2}[.)][ \t]+)?`?)"
    rf"(?P<name>{_NAME})(?P<gap>[ \t]*)(?P<sign>::=|:=|=/|=(?![=>])|->|→)"
)
_LONE = re.compile(
    r"(?P<lead>[ \t]*)(?P<name><[A-Za-z][^<>\n]{0,80}>|[A-Za-z][A-Za-z0-9_-]*)[ \t]*"
)
_SIGN = re.compile(r"[ \t]+(?P<sign>::=|:=|=)(?![=>])")
_INNER = re.compile(
    r"(?<=[ \t)\]\">])(?P<name><[A-Za-z][^<>\n]{0,60}>|[A-Za-z][A-Za-z0-9_-]*)(?P<gap>[ \t]*)"
    r"(?P<sign>::=|:=|=/|=(?![=>]))"
)
_HIDDEN = re.compile(
    r"\"[^\"\n]*\"|'[^'\n]*'|“[^”\n]{0,120}”|;[^\n]*|%[A-Za-z0-9.–-]+|<[^<>\n]*>(?![ \t]*:?:?=)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_OPENS = tuple('/|[("%*0123456789')
_MARKS = re.compile(r"[\"%/|*\[\](){}]")


@dataclass(slots=True)
class RuleCandidate:
    """What may be a rule: its name, where its definition is, and what its lines had wrong."""

    name: str
    at: int
    sign: str
    start: int
    end: int
    is_spaced: bool
    hidden: list[tuple[int, int]] = field(default_factory=list)
    notes: Diagnostics = field(default_factory=Diagnostics)

    @property
    def is_bracketed(self) -> bool:
        return self.name.startswith("<")

    @property
    def plain(self) -> str:
        return "-".join(self.name.strip("<> ").split())

    @property
    def key(self) -> str:
        return self.plain.lower()


def rule_candidates(text: str) -> list[RuleCandidate]:
    found = [one for begun in _RuleFinder(text).find() for one in _split(text, begun)]
    return found or _within_lines(text)


def _within_lines(text: str) -> list[RuleCandidate]:
    found: list[RuleCandidate] = []
    for line in re.finditer(r"[^\n]+", text):
        heads = list(_INNER.finditer(_hidden(line[0], _QUOTED)))
        names = {head["name"].lower() for head in heads} | set(known_rules())
        for place, head in enumerate(heads[:MOST_RULES] if len(heads) > 1 else []):
            last = heads[place + 1].start("name") if place + 1 < len(heads) else len(line[0])
            end = _end_of_rule(line[0][head.end() : last], names)
            at, start = line.start() + head.start("name"), line.start() + head.end()
            spaced = bool(head["gap"])
            found.append(RuleCandidate(head["name"], at, head["sign"], start, start + end, spaced))
    return found


def _hidden(text: str, what: re.Pattern[str] = _HIDDEN) -> str:
    return what.sub(lambda found: "\0" * len(found[0]), text)


def _end_of_rule(definition: str, names: set[str]) -> int:
    unknown: list[int] = []
    for word in _WORD.finditer(_hidden(definition, _QUOTED)):
        unknown = [] if word[0].lower() in names else [*unknown, word.start()]
        if len(unknown) == _PROSE:
            return unknown[0]
    return len(definition)


def _split(text: str, begun: RuleCandidate) -> Iterator[RuleCandidate]:
    hidden = _hidden(text[begun.start : begun.end])
    base = begun.start
    for found in list(_INNER.finditer(hidden)):
        at = base + found.start("name")
        end, begun.end = begun.end, at
        yield begun
        name = text[at : begun.end + len(found["name"])]
        spaced = bool(found["gap"])
        start = at + len(found[0])
        begun = RuleCandidate(
            name, at, found["sign"], start, end, spaced, begun.hidden, begun.notes
        )
    yield begun


class _RuleFinder:
    def __init__(self, text: str) -> None:
        self._lines = LineIndex(text)
        self._count = len(self._lines.starts)
        heads = (self._head(number) for number in range(self._count))
        self._heads = {number: head for number, head in enumerate(heads) if head}
        self._names = {head.key for head in self._heads.values()} | set(known_rules())

    def find(self) -> Iterator[RuleCandidate]:
        number = found = 0
        while number < self._count and found < MOST_RULES:
            head = self._heads.get(number)
            number += 1
            if head:
                number, found = self._follow(head, number), found + 1
                yield head

    def _head(self, number: int) -> RuleCandidate | None:
        if number in self._lines.furniture:
            return None
        line, start = self._lines.line(number), self._lines.starts[number]
        found = _HEAD.match(line)
        if found is None:
            return self._head_over_two(number, line, start)
        at, after = start + found.start("name"), start + found.end()
        spaced = bool(found["gap"]) or line[found.end() : found.end() + 1] in ("", " ", "\t")
        end = start + len(line.rstrip())
        if found["lead"].endswith("`"):
            end -= line.rstrip().endswith("`")
        return RuleCandidate(found["name"], at, found["sign"], after, max(end, after), spaced)

    def _head_over_two(self, number: int, line: str, start: int) -> RuleCandidate | None:
        found = _LONE.fullmatch(line)
        if found is None or number + 1 >= self._count:
            return None
        below, at = self._lines.line(number + 1), self._lines.starts[number + 1]
        sign = _SIGN.match(below)
        if sign is None:
            return None
        after, name = at + sign.end(), start + found.start("name")
        return RuleCandidate(
            found["name"], name, sign["sign"], after, at + len(below.rstrip()), True
        )

    def _follow(self, head: RuleCandidate, number: int) -> int:
        column = self._lines.place(head.at)[1] - 1
        state = _DefinitionState(self._lines.text[head.start : head.end])
        if head.end > self._lines.starts[min(number, self._count - 1)] > head.at:
            number += 1
        while number < self._count:
            following = self._next(number, column, state)
            if following is None:
                break
            number = following
            self._take(head, number, column, state)
            number += 1
        return number

    def _take(
        self, head: RuleCandidate, number: int, column: int, state: "_DefinitionState"
    ) -> None:
        line, start = self._lines.line(number), self._lines.starts[number]
        head.hidden.append((head.end, start))
        head.end = start + len(line.rstrip())
        indent = _indent(line)
        if self._is_wrapped(line, state):
            head.hidden.append((start, head.end))
            message = "The comment continues without `;`. Start each of its lines with `;`."
            head.notes.wrong("comment-wrapped", start + indent, message)
            return
        if indent <= column and not line.lstrip().startswith(";"):
            message = "A continuation line must be indented further than the rule name."
            head.notes.wrong(
                "indent", start + indent, f"{message} Indent it.", "RFC 5234 section 2.2"
            )
        state.read(line)

    def _next(self, number: int, column: int, state: "_DefinitionState") -> int | None:
        blank = False
        while number < self._count:
            line = self._lines.line(number)
            if number not in self._lines.furniture:
                if line.strip():
                    return number if self._goes_on(number, line, column, state, blank) else None
                blank = True
            number += 1
        return None

    def _goes_on(
        self, number: int, line: str, column: int, state: "_DefinitionState", blank: bool
    ) -> bool:
        stripped, indent = line.strip(), _indent(line)
        if number in self._heads or stripped.startswith(("```", "~~~")):
            return False
        unknown = self._unknown(line)
        marked = _MARKS.search(_HIDDEN.sub('""', line)) is not None
        if blank:
            begins = stripped.startswith(("/", "|")) and not stripped.startswith("//")
            return unknown <= 2 and (begins or (state.is_open and marked))
        if stripped.startswith(";"):
            return True
        if indent > column and not stripped.startswith(_OPENS):
            is_named = unknown <= 1 or 2 * unknown <= len(_WORD.findall(_HIDDEN.sub(" ", line)))
            return self._is_wrapped(line, state) or is_named
        if indent > column:
            return marked or unknown < 3
        if state.is_open:
            return unknown <= 1
        if stripped.startswith(_OPENS) and unknown == 0 and marked:
            return True
        return self._is_wrapped(line, state) and self._ends_after(number)

    def _ends_after(self, number: int) -> bool:
        following = number + 1
        if following >= self._count or following in self._heads:
            return True
        return not self._lines.line(following).strip()

    def _is_wrapped(self, line: str, state: "_DefinitionState") -> bool:
        words = bool(_WORD.search(line)) and not _MARKS.search(_HIDDEN.sub("", line))
        return state.has_comment and not state.is_open and words and self._unknown(line) > 0

    def _unknown(self, line: str) -> int:
        words = _WORD.findall(_HIDDEN.sub(" ", line))
        return sum(word.lower() not in self._names for word in words)


class _DefinitionState:
    def __init__(self, first: str) -> None:
        self._depth, self._last, self.has_comment = 0, "", False
        self.read(first)

    def read(self, line: str) -> None:
        code = _HIDDEN.sub(lambda found: "" if found[0][0] == ";" else '""', line).rstrip()
        self.has_comment = ";" in _HIDDEN.sub(lambda f: ";" if f[0][0] == ";" else "", line)
        self._depth += sum(code.count(mark) for mark in "([") - sum(code.count(m) for m in ")]")
        self._last = code[-1:] or self._last

    @property
    def is_open(self) -> bool:
        return self._depth > 0 or self._last in ("", "/", "|")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>"))
