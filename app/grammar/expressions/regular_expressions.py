"""Regular expressions as far as people may enter them: read into a tree, or refused in a
sentence."""

import re
from dataclasses import dataclass

from app.grammar.character_sets import Charset, charset, charset_of, complement, intersection_of
from app.identifiers.spelling import spell_character, spell_text
from app.identifiers.urn_grammar import NID_LONGEST, SLASHED

LONGEST = 2_000  # characters
DEEPEST = 20  # groups in groups
MOST_TIMES = 1_000  # of one quantifier
_NSS = [chr(code) for code in range(0x21, 0x7F) if re.fullmatch(f"[{SLASHED}%]", chr(code))]
ALPHABET: Charset = charset_of("".join(_NSS))  # what an NSS has (RFC 8141 section 2)
_NAMED = re.compile(r"\(\?P<([A-Za-z][A-Za-z0-9_]*)>")
_COUNT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_QUANTIFIERS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_NESTED = ("--", "&&", "~~", "||")  # which Python may once read as operations on sets
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")


class InvalidExpression(ValueError):
    """An expression that may not be entered; its text says what, where, and what to write."""


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One character of a set."""

    members: Charset


@dataclass(frozen=True, slots=True)
class Concatenation:
    """One after the other."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of several."""

    options: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Quantification:
    """How often an expression may be repeated; ``high`` is None where there is no bound."""

    inner: "Expression"
    low: int
    high: int | None


Expression = CharacterClass | Concatenation | Alternation | Quantification


def read_expression(text: str, *, folds: bool = False) -> Expression:
    """The tree of an expression.

    Raises InvalidExpression for what may not be entered. Taken are characters, ``.``, classes,
    groups, named ones and ``(?i:)``, alternatives, and the quantifiers ``*``, ``+``, ``?`` and
    ``{m,n}``; all of them mean what they mean in Python. ``folds``: as if all of it stood in
    ``(?i:)``.
    """
    if len(text) > LONGEST:
        raise InvalidExpression(
            f"The pattern has {len(text):,} characters; at most {LONGEST:,} are allowed. "
            "Shorten it."
        )
    reader = _ExpressionParser(text, folds=folds)
    tree = reader.alternatives()
    if reader.at < len(text):
        raise reader.refused("no group is open", "Remove it, or use `%29`.", 1)
    return tree


class _ExpressionParser:
    def __init__(self, text: str, *, folds: bool) -> None:
        self._text, self.at, self._depth, self._folds = text, 0, 0, folds
        self._names: set[str] = set()

    def refused(self, what: str, fix: str, length: int = 1) -> InvalidExpression:
        shown = self._text[self.at : self.at + length]
        where = f"At character {self.at + 1}, {spell_text(shown)}: " if shown else "At the end: "
        return InvalidExpression(f"{where}{what}. {fix}")

    def _next(self) -> str:
        return self._text[self.at : self.at + 1]

    def alternatives(self) -> Expression:
        options = [self._series()]
        while self._next() == "|":
            self.at += 1
            options.append(self._series())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def _series(self) -> Expression:
        parts = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._quantified(self._atom()))
        return parts[0] if len(parts) == 1 else Concatenation(tuple(parts))

    def _quantified(self, inner: Expression) -> Expression:
        bounds = self._bounds()
        if bounds is None:
            return inner
        again = self._next()
        if again and (again in _QUANTIFIERS or _COUNT.match(self._text, self.at)):
            raise self.refused("two quantifiers in a row", "Remove one of them.")
        return Quantification(inner, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        mark = self._next()
        if mark in _QUANTIFIERS:
            self.at += 1
            return _QUANTIFIERS[mark]
        found = _COUNT.match(self._text, self.at)
        if found is None:
            return None
        low = int(found[1])
        high = int(found[3]) if found[3] else None if found[2] else low
        if max(low, high or 0) > MOST_TIMES or (high is not None and high < low):
            fix = f"Use numbers up to {MOST_TIMES:,}, the smaller one first."
            raise self.refused("this count isn't valid", fix, len(found[0]))
        self.at = found.end()
        return low, high

    def _atom(self) -> Expression:
        mark = self._next()
        match mark:
            case "(":
                return self._group()
            case "[":
                return CharacterClass(self._class())
            case ".":
                self.at += 1
                return CharacterClass(ALPHABET)
            case "^" | "$":
                raise self.refused("the whole NSS is always matched", "Remove it.")
            case "*" | "+" | "?":
                raise self.refused("there is nothing to repeat before it", f"Use `\\{mark}`.")
            case "{" | "}" | "]":
                raise self.refused("no NSS contains this character", "Remove it.")
        return CharacterClass(self._folded(charset_of(self._character())))

    def _character(self) -> str:
        at, character = self.at, self._next()
        if character == "\\":
            self.at += 1
            character = self._next()
            if not character or character.isalnum() or not character.isascii():
                self.at = at
                fix = "Use the characters themselves, such as `[0-9]` for digits."
                raise self.refused("this escape isn't supported", fix, 2)
        if not intersection_of(charset_of(character), ALPHABET):
            self.at = at
            fix = "Remove it, or percent-encode it as in a URN."
            raise self.refused(f"no NSS contains {spell_character(character)}", fix)
        self.at += 1
        return character

    def _folded(self, members: Charset) -> Charset:
        if not self._folds:
            return members
        letters = (chr(code) for low, high in members for code in range(low, high + 1))
        return charset_of("".join(letter.lower() + letter.upper() for letter in letters))

    def _class(self) -> Charset:
        begun, self.at = self.at, self.at + 1
        negated = self._next() == "^"
        self.at += negated
        runs = [self._run(begun)]
        while self._next() != "]":
            runs.append(self._run(begun))
        self.at += 1
        members = self._folded(intersection_of(charset(runs), ((0, 0x7F),)))
        left = intersection_of(complement(members) if negated else members, ALPHABET)
        if not left:
            self.at = begun
            raise self.refused(
                "no NSS contains any of these", "Use characters that an NSS can contain.", 12
            )
        return left

    def _run(self, begun: int) -> tuple[int, int]:
        low = self._member(begun)
        if self._next() != "-" or self._text[self.at + 1 : self.at + 2] in ("]", ""):
            return low, low
        self.at += 1
        high = self._member(begun)
        if high < low:
            raise self.refused("the range goes backwards", "Swap the two ends.")
        return low, high

    def _member(self, begun: int) -> int:
        character = self._next()
        if not character:
            self.at = begun
            raise self.refused("this class is not closed", "Close it with `]`.")
        if character in "[]" or self._text[self.at : self.at + 2] in _NESTED:
            raise self.refused("this isn't supported in a class", "Put `\\` before it.", 2)
        if character == "\\":
            return ord(self._escaped())
        if not character.isascii():
            raise self.refused("no NSS contains this character", "Remove it.")
        self.at += 1
        return ord(character)

    def _escaped(self) -> str:
        character = self._text[self.at + 1 : self.at + 2]
        if not character or character.isalnum() or not character.isascii():
            fix = "Use the characters themselves, such as `0-9` for digits."
            raise self.refused("this escape isn't supported", fix, 2)
        self.at += 2
        return character

    def _group(self) -> Expression:
        begun, folds = self.at, self._folds
        self._open()
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.refused(
                f"groups are nested more than {DEEPEST} levels deep", "Use fewer levels."
            )
        inner = self.alternatives()
        if self._next() != ")":
            self.at = begun
            raise self.refused("this group is not closed", "Close it with `)`.")
        self.at, self._depth, self._folds = self.at + 1, self._depth - 1, folds
        return inner

    def _open(self) -> None:
        text, at = self._text, self.at
        if named := _NAMED.match(text, at):
            self._name(named[1])
            self.at = named.end()
        elif text.startswith("(?:", at):
            self.at += 3
        elif text.startswith("(?i:", at):
            self.at, self._folds = at + 4, True
        elif text.startswith(_LOOKS, at):
            fix = "Describe what the NSS contains, not what it doesn't."
            raise self.refused("lookahead and lookbehind aren't supported", fix, 4)
        elif text.startswith("(?", at):
            fix = "Use `(?:`, `(?P<name>` or `(?i:`; a group name has letters, digits and `_`."
            raise self.refused("this kind of group isn't supported", fix, 4)
        else:
            self.at += 1

    def _name(self, name: str) -> None:
        if name == "nss" or name in self._names or len(name) > NID_LONGEST:
            fix = "Use another name: `nss` is the whole NSS, and each group needs its own name."
            raise self.refused("this group name isn't allowed", fix, len(name) + 5)
        self._names.add(name)
