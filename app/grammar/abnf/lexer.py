"""Definitions in pieces. What is not ABNF is read as it is meant, and noted with its fix."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from app.grammar.abnf.elements import (
    Alternatives,
    Literal,
    Node,
    NumericValue,
    ProseValue,
    RuleReference,
    ValueRange,
)
from app.grammar.character_sets import LAST, Charset, charset
from app.identifiers.errors import spell_character, spell_text

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


_ONE = r"\"[^\"\n]\"|'[^'\n]'|“[^”\n]”|‘[^’\n]’"
_NAME = r"[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]*)*"
# What may stand before a part that is repeated: the count is written without a space after it.
_PATTERNS = {
    "space": r"\s+",
    "comment": r";[^\n]*",
    "foreign_comment": r"//[^\n]*|--[ \t][^\n]*|\#(?!x)[^\n]*|/\*[^\n]*?\*/",
    "quoted_range": rf"(?P<first>{_ONE})\s*(?:\.\.\.?|-|–|—)\s*(?P<last>{_ONE})",
    "literal": r"(?P<mode>%[sSiI])?(?:\"[^\"\n]*\"|“[^”“\"\n]*[”“]|„[^“”\n]*[“”]"
    r"|'[^'\n]+'|‘[^’\n]*’|`[^`\n]+`)",
    "number": r"%(?P<base>[xXdDbB])(?P<digits>[0-9A-Fa-f]+)"
    r"(?:(?P<dash>[-–—‒―−]|\.\.)(?:%?[xXdDbB])?(?P<upper>[0-9A-Fa-f]+)"
    r"|(?P<more>(?:\.[0-9A-Fa-f]+)+))?",
    "foreign_number": r"(?:0x|\#x|\\u|U\+)(?P<low>[0-9A-Fa-f]{1,6})"
    r"(?:(?:[-–]|\.\.)(?:0x|\#x|\\u|U\+)?(?P<high>[0-9A-Fa-f]{1,6}))?"
    r"|%(?P<baseless>[0-9A-Fa-f]{2})(?:[-–](?P<baseless_high>[0-9A-Fa-f]{2}))?(?![0-9A-Za-z])",
    "prose": r"<(?P<prose>[^<>\n]*)>",
    "set": r"\[(?P<set>\^?(?:[^\s\[\]\"'<>/()%]|\\[\]\[/-])*"
    r"(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[0-9]\.\.[0-9]|[a-z]\.\.[a-z])"
    r"(?:[^\s\[\]\"'<>()%]|\\[\]\[/-])*)\]",
    "bare_range": r"(?P<low_end>[A-Za-z0-9])(?:-|–|—|\.\.)"
    r"(?P<high_end>[A-Za-z0-9])(?![A-Za-z0-9-])",
    "repeat": r"(?P<at_least>[0-9]*)\*(?P<at_most>[0-9]*)|(?P<exactly>[0-9]+)"
    r"(?:,(?P<up_to>[0-9]+))?",
    "braced": r"\{(?P<from>[0-9]+)(?:,(?P<to>[0-9]*))?\}",
    "name": _NAME,
    "bracket": r"[()\[\]{}]",
    "or": r"/|\|\|?",
    "mark": r"[+?]",
    "comma": r",",
    "stop": r"\.",
    "other": r".",
}
_TOKEN = re.compile("|".join(f"(?P<k_{kind}>{pattern})" for kind, pattern in _PATTERNS.items()))
_BASES = {"x": 16, "d": 10, "b": 2}
_FOREIGN = "This isn't ABNF notation. "


class Token(NamedTuple):
    """A piece: its kind, where it is, and what it stands for.

    Kinds: ``element`` (with a node), ``(``, ``)``, ``[``, ``]``, ``{``, ``}``, ``/``, ``repeat``
    and ``after`` (with bounds, before and after what they repeat).
    """

    kind: str
    at: int
    end: int
    node: Node | None = None
    bounds: tuple[int, int | None] = (1, 1)


class Lexer:
    """Reads one definition. ``names`` are those that the text defines, in lower case."""

    def __init__(
        self, text: str, names: Collection[str], notes: Diagnostics, bracketed: bool
    ) -> None:
        self._text, self._names, self._notes = text, names, notes
        self._bracketed = bracketed  # names stand in angle brackets, as in BNF
        self._readers: dict[str, Callable[[re.Match[str]], Token | None]] = {
            "foreign_comment": self._foreign_comment,
            "quoted_range": self._quoted_range,
            "literal": self._literal,
            "number": self._number,
            "foreign_number": self._foreign_number,
            "prose": self._prose,
            "set": self._set,
            "bare_range": self._bare_range,
            "repeat": self._repeat,
            "braced": self._braced,
            "name": self._name,
            "bracket": self._bracket,
            "or": self._or,
            "mark": self._mark,
            "comma": self._comma,
            "stop": self._stop,
            "other": self._other,
        }

    def read(self, start: int, end: int) -> Iterator[Token]:
        """The pieces from ``start`` to ``end``; what means nothing is noted and left out."""
        at = start
        while at < end:
            defined = self._odd_name(at, end)
            if defined is not None:
                yield defined
                at = defined.end
                continue
            match = _TOKEN.match(self._text, at, end)
            if match is None:
                at += 1
                continue
            read = self._readers.get((match.lastgroup or "")[2:])
            token = read(match) if read else None
            at = token.end if token else match.end()
            if token:
                yield token

    def _odd_name(self, at: int, end: int) -> Token | None:
        if at and (self._text[at - 1].isalnum() or self._text[at - 1] in "-_."):
            return None
        match = _ODD.match(self._text, at, end)
        if match is None or match[0].lower() not in self._names:
            return None
        return Token("element", at, match.end(), RuleReference(match[0], at))

    def _wrong(self, code: str, at: int, message: str) -> None:
        self._notes.wrong(code, at, message)

    def _foreign_comment(self, match: re.Match[str]) -> None:
        self._wrong("comment", match.start(), _FOREIGN + "Start a comment with `;`.")

    def _quoted_range(self, match: re.Match[str]) -> Token:
        low, high = ord(match["first"][1]), ord(match["last"][1])
        self._wrong("range", match.start(), _as_range(match[0], low, high))
        return Token("element", match.start(), match.end(), ValueRange(low, high, match.start()))

    def _literal(self, match: re.Match[str]) -> Token:
        mode = match["mode"] or ""
        quoted = match[0][len(mode) :]
        text, at = quoted[1:-1], match.start()
        if quoted[0] != '"':
            self._quotes(quoted, at)
        if odd := next((c for c in text if not " " <= c <= "~"), None):
            self._wrong(
                "literal",
                at,
                f"The literal contains U+{ord(odd):04X}; only visible ASCII characters and spaces "
                f"are allowed. Use its number: `%x{ord(odd):02X}`.",
            )
        if '"' in text:
            return Token("element", at, match.end(), NumericValue(tuple(map(ord, text)), at))
        return Token("element", at, match.end(), Literal(text, mode[1:].lower() == "s", at))

    def _quotes(self, quoted: str, at: int) -> None:
        fix = '"' + quoted[1:-1] + '"' if '"' not in quoted else "%x22"
        kind = "Typographic quotes" if quoted[0] in "“„‘" else "Single quotes"
        kind = "Backticks" if quoted[0] == "`" else kind
        message = f"{kind} don't mark a literal in ABNF."
        self._notes.wrong("quotes", at, message, here=f"Use {spell_text(fix)}.")

    def _number(self, match: re.Match[str]) -> Token:
        base, at, end = _BASES[match["base"].lower()], match.start(), match.end()
        try:
            low = int(match["digits"], base)
            high = int(match["upper"], base) if match["upper"] else low
            more = [int(part, base) for part in (match["more"] or "").split(".") if part]
        except ValueError:
            self._wrong(
                "number",
                at,
                f"{spell_text(match[0])} has digits that aren't allowed after `%{match['base']}`. "
                "Use hexadecimal digits after `%x`, decimal digits after `%d`.",
            )
            return Token("element", at, end, Alternatives((), at))
        self._dash(match, low, high)
        if max(low, high, *more) > LAST:
            self._wrong(
                "number", at, (f"{spell_text(match[0])} is above the highest Unicode character.")
            )
        if more:
            return Token("element", at, end, NumericValue((low, *more), at))
        return Token("element", at, end, ValueRange(low, high, at))

    def _dash(self, match: re.Match[str], low: int, high: int) -> None:
        written = match["dash"]
        plain = f"{match['dash']}{match['upper']}" if written else ""
        if written and (written != "-" or not match[0].endswith(plain)):
            fix = f"%{match['base']}{match['digits']}-{match['upper']}"
            names = {"–": "an en dash", "—": "an em dash", "−": "a minus sign", "..": "dots"}
            other = "more than one hyphen" if written == "-" else spell_character(written)
            said = names.get(written, other)
            message = f"A range needs a hyphen, not {said}."
            self._notes.wrong("dash", match.start(), message, here=f"Use `{fix}`.")
        if high < low:
            self._wrong(
                "range-upside-down",
                match.start(),
                f"The range {spell_text(match[0])} is empty: its numbers are in the wrong order. "
                f"Use `%x{high:02X}-{low:02X}`.",
            )

    def _foreign_number(self, match: re.Match[str]) -> Token:
        low = int(match["low"] or match["baseless"], 16)
        upper = match["high"] or match["baseless_high"]
        high = int(upper, 16) if upper else low
        fix = f"%x{low:02X}" + (f"-{high:02X}" if upper else "")
        message = f"{spell_text(match[0])} isn't a valid ABNF number. Use `{fix}`."
        self._wrong("number", match.start(), message)
        return Token("element", match.start(), match.end(), ValueRange(low, high, match.start()))

    def _prose(self, match: re.Match[str]) -> Token:
        at, text = match.start(), match["prose"].strip()
        name = "-".join(text.split())
        if name.lower() in self._names or (self._bracketed and _WHOLE_NAME.fullmatch(name)):
            if self._bracketed:
                message = "Rule names in ABNF have no angle brackets. Remove `<` and `>`."
                self._notes.wrong("brackets", at, message, "RFC 5234 section 2.1")
            return Token("element", at, match.end(), RuleReference(name, at))
        return Token("element", at, match.end(), ProseValue(text, at))

    def _set(self, match: re.Match[str]) -> Token | None:
        if match["set"].lower() in self._names:
            return Token("[", match.start(), match.start() + 1)
        return self._characters(match, _set_of(match["set"]))

    def _bare_range(self, match: re.Match[str]) -> Token | None:
        low, high = match["low_end"], match["high_end"]
        if match[0].lower() in self._names or _sort(low) != _sort(high):
            return self._name(found) if (found := _NAMES.match(self._text, match.start())) else None
        return self._characters(match, charset([(ord(low), ord(high))]))

    def _characters(self, match: re.Match[str], members: Charset) -> Token:
        fix = " / ".join(f"%x{a:02X}-{b:02X}" if a < b else f"%x{a:02X}" for a, b in members)
        message = (
            f"{spell_text(match[0])} isn't a valid character set in ABNF. Use `{_bracket(fix)}`."
        )
        self._wrong("set", match.start(), message)
        at = match.start()
        spans = tuple(ValueRange(low, high, at) for low, high in members)
        return Token(
            "element", at, match.end(), spans[0] if len(spans) == 1 else Alternatives(spans, at)
        )

    def _repeat(self, match: re.Match[str]) -> Token | None:
        if match["exactly"] is None:
            low, high = _int(match["at_least"]), match["at_most"]
            bounds = (low, _int(high) if high else None)
            if match[0] == "*" and self._follows(match) and not self._precedes(match):
                self._after("*", match.start(), "*")
                return Token("after", match.start(), match.end(), bounds=(0, None))
        else:
            low = _int(match["exactly"])
            bounds = (low, _int(match["up_to"]) if match["up_to"] else low)
            if match["up_to"]:
                fix = f"{low}*{bounds[1]}"
                message = f"{_FOREIGN}Use `{fix}` for {low} to {bounds[1]} repetitions."
                self._wrong("repetition", match.start(), message)
        if not self._precedes(match) and not match["up_to"]:
            return self._apart(match, bounds)
        return Token("repeat", match.start(), match.end(), bounds=bounds)

    def _apart(self, match: re.Match[str], bounds: tuple[int, int | None]) -> Token | None:
        rest = self._text[match.end() : match.end() + 40].lstrip(" \t")
        if not rest or rest[0] in ")]}/|;\n":
            self._wrong(
                "repetition",
                match.start(),
                f"{spell_text(match[0])} repeats nothing. Add an element after it.",
            )
            return None
        message = "Remove the space between the repetition and its element."
        self._wrong("repetition-space", match.start(), message)
        return Token("repeat", match.start(), match.end(), bounds=bounds)

    def _after(self, mark: str, at: int, fix: str) -> None:
        message = f"In ABNF a repetition comes before its element. Use `{fix}` before it"
        self._wrong("repetition-after", at, f"{message}, not `{mark}` after it.")

    def _braced(self, match: re.Match[str]) -> Token:
        low = _int(match["from"])
        high = low if match["to"] is None else (_int(match["to"]) if match["to"] else None)
        self._after(match[0], match.start(), f"{low}" if high == low else f"{low}*{high or ''}")
        return Token("after", match.start(), match.end(), bounds=(low, high))

    def _mark(self, match: re.Match[str]) -> Token | None:
        mark, at = match[0], match.start()
        bounds = (1, None) if mark == "+" else (0, 1)
        follows, precedes = self._follows(match), self._precedes(match)
        if not follows and not precedes:
            return self._other(match)
        if mark == "+":
            self._after("+", at, "1*")
        else:
            self._wrong("option", at, f"{_FOREIGN}Put optional elements in `[` and `]`.")
        return Token("after" if follows else "repeat", at, match.end(), bounds=bounds)

    def _follows(self, match: re.Match[str]) -> bool:
        before = self._text[match.start() - 1 : match.start()]
        return bool(before) and (before.isalnum() or before in ")]}\"'>”’`-")

    def _precedes(self, match: re.Match[str]) -> bool:
        behind = self._text[match.end() : match.end() + 1]
        return bool(behind) and (behind.isalpha() or behind in "([{\"'<%“‘`")

    def _name(self, match: re.Match[str]) -> Token:
        name, at = match[0], match.start()
        if name.lower() == "or" and "or" not in self._names:
            self._wrong("alternative", at, (f"{_FOREIGN}Separate alternatives with `/`, not `or`."))
            return Token("/", at, match.end())
        return Token("element", at, match.end(), RuleReference(name, at))

    def _bracket(self, match: re.Match[str]) -> Token:
        if match[0] == "{":
            message = f"{_FOREIGN}Use `*( ... )` for repetition, not braces."
            self._wrong("braces", match.start(), message)
        return Token(match[0], match.start(), match.end())

    def _or(self, match: re.Match[str]) -> Token:
        if match[0] != "/":
            message = f"Separate alternatives with `/` in ABNF, not with `{match[0]}`."
            self._notes.wrong("alternative", match.start(), message, "RFC 5234 section 3.2")
        return Token("/", match.start(), match.end())

    def _comma(self, match: re.Match[str]) -> None:
        message = "ABNF doesn't separate elements with commas. Remove the comma."
        self._notes.wrong("comma", match.start(), message, "RFC 5234 section 3.1")

    def _stop(self, match: re.Match[str]) -> Token | None:
        if self._text[match.end() : match.end() + 40].strip(" \t")[:1] in ("", "\n"):
            self._wrong("stop", match.start(), "A rule doesn't end with a full stop. Remove it.")
            return None
        return self._other(match)

    def _other(self, match: re.Match[str]) -> Token | None:
        mark, at = match[0], match.start()
        if mark in ":-+@$&!~^_.*?" and mark.strip():
            message = f'The character `{mark}` isn\'t quoted. Use `"{mark}"`.'
            self._wrong("unquoted", at, message)
            return Token("element", at, match.end(), Literal(mark, False, at))
        if mark == '"':
            message = 'The closing quote is missing on this line. Add `"`.'
            self._wrong("quote-open", at, message)
            return self._unclosed(at)
        named = spell_text(mark) if mark.isascii() else spell_character(mark)
        self._wrong("mark", at, f"{named} has no meaning here. Remove it or quote it.")
        return None

    def _unclosed(self, at: int) -> Token:
        end = self._text.find("\n", at)
        end = len(self._text) if end < 0 else end
        text = self._text[at + 1 : end].split(" ")[0].rstrip()
        return Token("element", at, at + 1 + len(text), Literal(text, False, at))


_ODD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]")
_WHOLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_NAMES = re.compile(_NAME)


def _int(digits: str) -> int:
    return min(int(digits[:12] or "0"), 10**9)


def _bracket(fix: str) -> str:
    return f"({fix})" if " / " in fix else fix


def _as_range(written: str, low: int, high: int) -> str:
    fix = f"%x{low:02X}-{high:02X}"
    return f"{spell_text(written)} isn't a valid ABNF range. Use numbers: `{fix}`."


def _sort(character: str) -> str:
    if character.isdigit():
        return "digit"
    return "upper" if character.isupper() else "lower"


def _set_of(written: str) -> Charset:
    plain = re.sub(r"(?<=\w)\.\.(?=\w)", "-", written.removeprefix("^")).replace("\\", "")
    plain = re.sub(r"(?<=\w),(?=\w)", "", plain)
    found = re.findall(r"([a-z])-([a-z])|([A-Z])-([A-Z])|([0-9])-([0-9])|(.)", plain)
    pairs = [[part for part in one if part] for one in found]
    return charset((ord(pair[0]), ord(pair[-1])) for pair in pairs)
