"""Where rules stand in a text with prose around them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from app.grammar.abnf.elements import (
    ElementSequence,
    Literal,
    Node,
    Rule,
    RuleReference,
    leaf_nodes,
)
from app.grammar.abnf.lexer import Diagnostics, LineIndex
from app.grammar.abnf.parser import COMMON_WORDS, known_rules, read_known

# Section 2.3 of RFC 2141 keeps the reserved characters out of names where its grammar lets them
# in; so `trans` and `URN chars` have none of them here.
_2141 = r"""
URN = "urn:" NID ":" NSS
NID = ( ALPHA / DIGIT ) 1*31( ALPHA / DIGIT / "-" )
let-num-hyp = ALPHA / DIGIT / "-"
let-num = ALPHA / DIGIT
upper = %x41-5A
lower = %x61-7A
number = DIGIT
NSS = 1*URN-chars
URN-chars = trans / "%" HEXDIG HEXDIG
trans = ALPHA / DIGIT / "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!"
 / "*" / "'"
hex = HEXDIG
other = "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*" / "'"
reserved = "%" / "/" / "?" / "#"
"""
_7230 = r"""
token = 1*tchar
tchar = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~"
 / DIGIT / ALPHA
OWS = *( SP / HTAB )
BWS = OWS
RWS = 1*( SP / HTAB )
quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
qdtext = HTAB / SP / "!" / %x23-5B / %x5D-7E / obs-text
obs-text = %x80-FF
quoted-pair = "\" ( HTAB / SP / VCHAR / obs-text )
field-name = token
method = token
HTTP-name = %x48.54.54.50
HTTP-version = HTTP-name "/" DIGIT "." DIGIT
uri-host = host
absolute-path = 1*( "/" segment )
partial-URI = relative-part [ "?" query ]
origin-form = absolute-path [ "?" query ]
http-URI = "http://" authority path-abempty [ "?" query ] [ "#" fragment ]
https-URI = "https://" authority path-abempty [ "?" query ] [ "#" fragment ]
"""
_REFERRED = {
    "RFC 2141 section 2": (_2141, ("2141",)),
    "RFC 7230 appendix B": (_7230, ("7230", "9110")),
}
# Everyday words among them: they count where the text uses other names of the specification too,
# or names it in the paragraph that has the word.
_EVERYDAY = frozenset({"number", "other", "reserved", "method"})
_GENERIC = ("3986", "2396", "generic URI")
_LONGEST = 200_000
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[a-z][a-z0-9-]*")


def rules_known_to(text: str, used: Collection[str], own: Collection[str]) -> dict[str, Rule]:
    """The rules that a text may use without defining them, by name in lower case. ``used`` are the
    names that its rules use, ``own`` those that it defines, in lower case.

    Source: RFC 5234 appendix B.1; RFC 3986 appendix A; RFC 8141 section 2; RFC 2141 section 2; RFC
    7230 appendix B.
    """
    text = text[:_LONGEST]
    missing = set(used) - set(own)
    found: dict[str, Rule] = {}
    for origin, (_, marks) in _REFERRED.items():
        rules = referred_rules()[origin]
        if any(mark in text for mark in marks) and _is_meant(missing & set(rules), text, marks):
            found.update(rules)
    generic = any(mark in text for mark in _GENERIC)
    always = {key: rule for key, rule in known_rules().items() if key not in COMMON_WORDS}
    common = {
        key: known_rules()[key]
        for key in COMMON_WORDS & set(known_rules())
        if _is_common_known(key, text, own, is_generic=generic)
    }
    return {**found, **always, **common}


def names_known_to(text: str) -> frozenset[str]:
    """The names, in lower case, of every rule that a text may use without defining it."""
    text = text[:_LONGEST]
    referred = (
        referred_rules()[origin]
        for origin, (_, marks) in _REFERRED.items()
        if any(mark in text for mark in marks)
    )
    return frozenset(known_rules()).union(*referred)


def _is_meant(names: set[str], text: str, marks: Iterable[str]) -> bool:
    return bool(names - _EVERYDAY) or any(_is_ascribed(name, text, marks) for name in names)


def _is_ascribed(name: str, text: str, marks: Iterable[str]) -> bool:
    return any(
        name in _WORD.findall(paragraph.lower())
        for paragraph in _PARAGRAPH.split(text)
        if any(mark in paragraph for mark in marks)
    )


def _is_common_known(key: str, text: str, own: Collection[str], *, is_generic: bool) -> bool:
    origin = known_rules()[key].origin
    if origin.startswith("RFC 5234") or any(
        name in own for name in ("namestring", "assigned-name", "f-component", "rq-components")
    ):
        return True
    if origin.startswith("RFC 8141") and "8141" in text:
        return is_generic or key == "ldh" or _is_ascribed(key, text, ("8141",))
    return is_generic


@cache
def referred_rules() -> Mapping[str, Mapping[str, Rule]]:
    """Source: RFC 2141 section 2; RFC 7230 appendix B."""
    return {origin: read_known(text, origin) for origin, (text, _) in _REFERRED.items()}


@cache
def every_known_rule() -> Mapping[str, Rule]:
    referred = (rules for rules in referred_rules().values())
    return {key: rule for rules in [*referred, known_rules()] for key, rule in rules.items()}


def is_defined_in(name: str, rfc: str) -> bool:
    """Whether a specification, ``2141``, defines a rule of this name."""
    tables = [known_rules(), *referred_rules().values()]
    found = (rules[name.lower()] for rules in tables if name.lower() in rules)
    return any(rule.origin.startswith(f"RFC {rfc} ") for rule in found)


_PATTERN = re.compile(
    r"(?<![A-Za-z0-9:/+.\"-])(urn:[A-Za-z0-9-]{2,32}:)"
    r"((?:[A-Za-z0-9:/.~_-]{0,60}(?:<[A-Za-z][A-Za-z0-9 _-]*>|\{[A-Za-z][A-Za-z0-9 _-]*\}))+"
    r"[A-Za-z0-9:/.~_-]{0,60})",
    re.IGNORECASE,
)
_PIECE = re.compile(r"<([^<>]*)>|\{([^{}]*)\}|([^<>{}]+)")


def find_pattern(text: str, names: Collection[str]) -> Rule | None:
    """The first pattern of which every placeholder is one of these rules; None without one.

    Source: RFC 8141 section 6.4.2.
    """
    for found in _PATTERN.finditer(text):
        parts = tuple(_parts(found))
        asked = {part.name.lower() for part in parts if isinstance(part, RuleReference)}
        if asked <= set(names):
            nid = found[1].split(":")[1].lower()
            node = ElementSequence(parts, found.start())
            return Rule(f"{nid}-urn", node, found.start(), found.end())
    return None


def with_pattern(text: str, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules of a text, with a URN with placeholders as one more where none is of whole URNs.

    Source: RFC 8141 section 6.4.2.
    """
    nodes = [rule.node for rule in rules if rule.node]
    literals = [leaf for node in nodes for leaf in leaf_nodes(node) if isinstance(leaf, Literal)]
    if any(re.match(r"urn(:|$)", literal.text, re.IGNORECASE) for literal in literals):
        return tuple(rules)
    pattern = find_pattern(text, {rule.key for rule in rules})
    return (*rules, pattern) if pattern else tuple(rules)


def _parts(found: re.Match[str]) -> Iterator[Node]:
    yield Literal(found[1], False, found.start())
    for piece in _PIECE.finditer(found[2].rstrip(".,;:")):
        at = found.start(2) + piece.start()
        name = piece[1] or piece[2]
        yield RuleReference("-".join(name.split()), at) if name else Literal(piece[3], False, at)


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
_RULE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
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
    for word in _RULE_WORD.finditer(_hidden(definition, _QUOTED)):
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
            is_named = unknown <= 1 or 2 * unknown <= len(
                _RULE_WORD.findall(_HIDDEN.sub(" ", line))
            )
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
        words = bool(_RULE_WORD.search(line)) and not _MARKS.search(_HIDDEN.sub("", line))
        return state.has_comment and not state.is_open and words and self._unknown(line) > 0

    def _unknown(self, line: str) -> int:
        words = _RULE_WORD.findall(_HIDDEN.sub(" ", line))
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
