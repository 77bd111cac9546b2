"""Regular expressions as far as people may enter them: read into a tree, or refused in a
sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from app.grammar.automata.automaton import partition, strongly_connected
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import (
    Charset,
    charset,
    charset_of,
    complement,
    difference_of,
    intersection_of,
)
from app.identifiers.errors import spell_character, spell_text
from app.identifiers.urn import NID_LONGEST, SLASHED

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


EMPTY = Concatenation(())
_RUNS = tuple(charset([(ord(low), ord(high))]) for low, high in ("09", "AZ", "az"))
_MEANING = frozenset("\\.$^()[]{}*+?|")  # characters that mean more than themselves
_MEANING_IN_CLASS = frozenset("\\]^-")
_SHORTEST_RUN = 3
_EXPRESSION_QUANTIFIERS = {(0, 1): "?", (0, None): "*", (1, None): "+"}


def concatenation_of(parts: Iterable[Expression | None]) -> Expression | None:
    """One after the other; None, which takes no text, where one of them does."""
    found: list[Expression] = []
    for part in parts:
        if part is None:
            return None
        found.extend(part.parts if isinstance(part, Concatenation) else [part])
    return found[0] if len(found) == 1 else Concatenation(tuple(found))


def alternation_of(options: Iterable[Expression | None]) -> Expression | None:
    """One of several; single characters are one set, in the place of the first of them."""
    found: dict[Expression, None] = {}
    members: Charset = ()
    for option in options:
        for one in option.options if isinstance(option, Alternation) else (option,):
            if isinstance(one, CharacterClass):
                found.setdefault(CharacterClass(()))
                members = charset((*members, *one.members))
            elif one is not None:
                found.setdefault(one)
    is_optional = EMPTY in found
    left = [CharacterClass(members) if one == CharacterClass(()) else one for one in found]
    left = [one for one in left if one != EMPTY]
    if not left:
        return EMPTY if is_optional else None
    whole = left[0] if len(left) == 1 else Alternation(tuple(left))
    return Quantification(whole, 0, 1) if is_optional else whole


def repetition_of(inner: Expression | None, low: int, high: int | None) -> Expression | None:
    """Some times over; ``high`` is None where there is no bound."""
    if inner is None:
        return None if low else EMPTY
    if inner == EMPTY or high == 0:
        return EMPTY
    return inner if (low, high) == (1, 1) else Quantification(inner, low, high)


def write_expression(node: Expression) -> str:
    """An expression as ``read_expression`` reads it."""
    match node:
        case CharacterClass(members):
            return _written_class(members)
        case Concatenation(parts):
            return "".join(
                _grouped(part) if isinstance(part, Alternation) else write_expression(part)
                for part in parts
            )
        case Alternation(options):
            return "|".join(map(write_expression, options))
        case Quantification(inner, low, high):
            is_one = isinstance(inner, CharacterClass)
            return (write_expression(inner) if is_one else _grouped(inner)) + _times(low, high)


def _grouped(node: Expression) -> str:
    return f"(?:{write_expression(node)})"


def _times(low: int, high: int | None) -> str:
    if (low, high) in _EXPRESSION_QUANTIFIERS:
        return _EXPRESSION_QUANTIFIERS[low, high]
    if low == high:
        return f"{{{low}}}"
    return f"{{{low},{'' if high is None else high}}}"


def _written_class(members: Charset) -> str:
    if members in (charset_of(chr(low)) for low, _ in members[:1]):
        character = chr(members[0][0])
        return f"\\{character}" if character in _MEANING else character
    return f"[{''.join(_written_members(members))}]"


def _written_members(members: Charset) -> Iterator[str]:
    for run in _RUNS:
        for low, high in intersection_of(members, run):
            if high - low + 1 >= _SHORTEST_RUN:
                yield f"{chr(low)}-{chr(high)}"
            else:
                yield from map(chr, range(low, high + 1))
        members = difference_of(members, run)
    for low, high in members:
        for character in map(chr, range(low, high + 1)):
            yield f"\\{character}" if character in _MEANING_IN_CLASS else character


_Ways = dict[int, int]
_Pair = tuple[int, int]
_BEGIN = 0


@dataclass(frozen=True, slots=True)
class _PositionFragment:
    empty: int
    first: _Ways
    last: _Ways


_NOTHING = _PositionFragment(1, {}, {})


@dataclass(slots=True)
class PositionAutomaton:
    """The positions of an expression; raises BudgetExceeded while made, where they are too many."""

    expression: Expression
    budget: Budget
    sets: list[Charset] = field(default_factory=lambda: [()])
    follow: list[_Ways] = field(default_factory=lambda: [{}])
    ends: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        whole = self._build(self.expression)
        self.follow[_BEGIN] = whole.first
        self.ends = frozenset(whole.last) | (frozenset({_BEGIN}) if whole.empty else frozenset())

    def _build(self, node: Expression) -> _PositionFragment:
        match node:
            case CharacterClass(members):
                return self._position(members)
            case Concatenation(parts):
                built = _NOTHING
                for part in parts:
                    built = self._joined(built, self._build(part))
                return built
            case Alternation(options):
                return self._either([self._build(option) for option in options])
            case Quantification(inner, low, high):
                return self._times(inner, low, high)

    def _position(self, members: Charset) -> _PositionFragment:
        self.budget.spend(10)
        self.sets.append(members)
        self.follow.append({})
        at = len(self.sets) - 1
        return _PositionFragment(0, {at: 1}, {at: 1})

    def _joined(self, one: _PositionFragment, other: _PositionFragment) -> _PositionFragment:
        self._link(one.last, other.first)
        first = _sum(one.first, other.first, one.empty)
        last = _sum(other.last, one.last, other.empty)
        self.budget.spend(len(first) + len(last))
        return _PositionFragment(one.empty * other.empty, first, last)

    def _link(self, last: Mapping[int, int], first: Mapping[int, int]) -> None:
        self.budget.spend(len(last) * len(first))
        for position, ways in last.items():
            follow = self.follow[position]
            for following, more in first.items():
                follow[following] = follow.get(following, 0) + ways * more

    def _either(self, options: list[_PositionFragment]) -> _PositionFragment:
        empty, first, last = 0, dict[int, int](), dict[int, int]()
        for option in options:
            empty += option.empty
            first, last = _sum(first, option.first), _sum(last, option.last)
        self.budget.spend(len(first) + len(last))
        return _PositionFragment(empty, first, last)

    def _times(self, inner: Expression, low: int, high: int | None) -> _PositionFragment:
        self.budget.spend()
        built = self._looped(inner, low) if high is None else _NOTHING
        for _ in range(0 if high is None else high - low):
            one = self._joined(self._build(inner), built)
            built = _PositionFragment(1 + one.empty, one.first, one.last)
        for _ in range(low - (high is None and low > 0)):
            built = self._joined(self._build(inner), built)
        return built

    def _looped(self, inner: Expression, low: int) -> _PositionFragment:
        one = self._build(inner)
        self._link(one.last, one.first)
        last = {position: ways * (1 + one.empty) for position, ways in one.last.items()}
        return _PositionFragment(one.empty if low else 1 + one.empty, one.first, last)

    # --- exponentially many runs -----------------------------------------------------------

    def explodes(self) -> bool:
        """Whether a name can be read in a loop in two ways, so that its runs multiply. Raises
        BudgetExceeded."""
        turning = strongly_connected({at: set(to) for at, to in enumerate(self.follow)})
        for ring in turning:
            if any(self.follow[at].get(to, 0) > 1 for at in ring for to in ring):
                return True
        inside = {at: number for number, ring in enumerate(turning) for at in ring}
        pairs = self._pairs(inside)
        return any(_is_twofold(ring) for ring in strongly_connected(pairs))

    def _pairs(self, inside: Mapping[int, int]) -> dict[_Pair, set[_Pair]]:
        leads: dict[_Pair, set[_Pair]] = {}
        waiting = [(at, at) for at in inside]
        while waiting:
            pair = waiting.pop()
            if pair not in leads:
                leads[pair] = set(self._onward(pair, inside))
                waiting.extend(leads[pair])
        return leads

    def _onward(self, pair: _Pair, inside: Mapping[int, int]) -> Iterator[_Pair]:
        one, other = pair
        ring = inside[one]
        ahead = [at for at in self.follow[other] if inside.get(at) == ring]
        for at in self.follow[one]:
            self.budget.spend(1 + len(ahead))
            if inside.get(at) == ring:
                for to in ahead:
                    if intersection_of(self.sets[at], self.sets[to]):
                        yield (at, to) if at <= to else (to, at)

    # --- how many runs there are -----------------------------------------------------------

    def most_runs(self, enough: int) -> int:
        """The most runs at any place of any name; once there are more than ``enough``, so many.
        Raises BudgetExceeded."""
        seen: set[frozenset[_Pair]] = set()
        waiting: list[_Ways] = [{_BEGIN: 1}]
        most = 1
        while waiting and most <= enough:
            for runs in self._steps(waiting.pop()):
                most = max(most, sum(runs.values()))
                key = frozenset(runs.items())
                if key not in seen:
                    seen.add(key)
                    waiting.append(runs)
        return most

    def _steps(self, runs: Mapping[int, int]) -> Iterator[_Ways]:
        onward: Counter[int] = Counter()
        for at, ways in runs.items():
            for to, more in self.follow[at].items():
                onward[to] += ways * more
        self.budget.spend(1 + len(runs) + len(onward))
        for low, _ in partition({self.sets[at] for at in onward}):
            self.budget.spend(len(onward))
            step = {
                at: ways
                for at, ways in onward.items()
                if intersection_of(self.sets[at], ((low, low),))
            }
            if step:
                yield step

    def matches(self, text: str) -> bool:
        """Whether a name is one of the expression, for whoever compares it with a matcher."""
        at = {_BEGIN}
        for character in text:
            code = ord(character)
            ahead = {to for one in at for to in self.follow[one]}
            at = {to for to in ahead if intersection_of(self.sets[to], ((code, code),))}
        return bool(at & self.ends)


def _sum(one: Mapping[int, int], other: Mapping[int, int], times: int = 1) -> _Ways:
    if not times:
        return dict(one)
    summed = dict(one)
    for at, ways in other.items():
        summed[at] = summed.get(at, 0) + ways * times
    return summed


def _is_twofold(ring: set[_Pair]) -> bool:
    return any(one == other for one, other in ring) and any(one != other for one, other in ring)


_STEPS = 150_000
_MOST_RUNS = 64  # at one place: so often the work of reading a name once
_FIX = (
    "Rewrite it so that text matches in only one way, such as `[^:]+(?::[^:]+)*` "
    "instead of `(?:[^:]+:?)*`."
)


@lru_cache(maxsize=256)
def find_unsafe_pattern(expression: str, folds: bool = False) -> str:
    """Why a regular expression may not be a pattern: what, where, and what to write instead.

    ``folds``: it is matched without regard to case, by which ``(?:[a-z][a-z]|[A-Z])*`` can be read
    in more ways.
    """
    try:
        return _slow_in(expression, folds=folds)
    except InvalidExpression as error:
        return str(error)
    except BudgetExceeded:
        return (
            "The pattern is too complex to check how long it takes. Use smaller repetition "
            "counts, or none."
        )


def _slow_in(expression: str, *, folds: bool) -> str:
    automaton = PositionAutomaton(read_expression(expression, folds=folds), Budget(_STEPS))
    if automaton.explodes():
        return (
            "A repetition can match the same text in two ways, so each character may double "
            f"the time. {_FIX}"
        )
    if automaton.most_runs(_MOST_RUNS) > _MOST_RUNS:
        return (
            "Two repetitions can share the same text in many ways, so long identifiers take "
            f"too long. Separate them by a character that the first can't match. {_FIX}"
        )
    return ""
