"""What is needed of a namespace to judge its names and to send them on: its rules."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from threading import Lock
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from app.identifiers.equivalence import (
    PLAIN,
    Equivalence,
    equivalence_to,
    read_equivalence,
)
from app.identifiers.nid import NidIndex, fold_nid
from app.identifiers.urn import NID_LONGEST
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.profiles.nss_forms import other_forms, pattern_of
from app.registration.profiles.profile_documents import (
    pattern_from,
    pattern_to,
    resolution_from,
    resolution_to,
)
from app.registration.profiles.profile_records import NO_RESOLUTION, NssPattern, Resolution
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Status
from app.resolution.check_digits import ALGORITHMS, CheckedNumber, read_number

_HELD = 4096
# Half of what `json.loads` takes goes to finding out which encoding it is and where spaces stand.
_decode = json.JSONDecoder().raw_decode

Rules = TypeVar("Rules")


class _RuleCache(dict[str, Rules]):
    def __init__(self, read: Callable[[str], Rules | None]) -> None:
        super().__init__()
        self._read, self._lock = read, Lock()

    def __missing__(self, key: str) -> Rules | None:
        rules = self._read(key)
        with self._lock:
            if rules and len(self) >= _HELD:
                del self[next(iter(self))]  # the one that was read first
            if rules:
                self[key] = rules
        return rules


class RuleLines(Generic[Rules]):
    """The rules of an edition from its lines, by the text of one member that each of them has.

    ``find`` gives the rules of a key, None where there are none. ``places`` tells where the line of
    each key begins. ``read`` makes rules of a document. Any number of threads may ask at once.
    Raises ValueError for lines that have no such member.
    """

    def __init__(
        self, lines: bytes, member: str, read: Callable[[Mapping[str, Any]], Rules]
    ) -> None:
        self._lines, self._read = lines, read
        self.places = dict(_places(lines, f'"{member}":"'.encode("ascii")))
        self.find: Callable[[str], Rules | None] = _RuleCache(self._read_line).__getitem__

    def _read_line(self, key: str) -> Rules | None:
        start = self.places.get(key)
        if start is None:
            return None
        return self._read(_document_of(self._lines[start : self._lines.index(b"\n", start)]))


def _document_of(line: bytes) -> Any:
    text = str(line, "utf-8")
    document, end = _decode(text)
    if end < len(text):
        raise ValueError("A line of the edition contains more than one document.")
    return document


def _places(lines: bytes, mark: bytes) -> Iterator[tuple[str, int]]:
    start = 0
    while start < len(lines):
        end = lines.find(b"\n", start)
        found = lines.find(mark, start, end)
        if end < 0 or found < 0:
            raise ValueError(f"No rules found at octet {start}.")
        begin = found + len(mark)
        yield lines[begin : lines.index(b'"', begin)].decode("ascii"), start
        start = end + 1


Document = dict[str, Any]
_Row = list[Any]  # of rows: a type that holds itself
_ASCII = 128


@dataclass(frozen=True, slots=True)
class NssAutomaton:
    """``rows`` by state, each from runs of characters to the next state; ``ends`` accept.

    Raises ValueError for moves to states that there are none of, or by characters beyond ASCII.
    """

    moves: tuple[tuple[tuple[int, int, int], ...], ...]
    ends: frozenset[int]
    _rows: list[_Row] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for row in self.moves:
            for low, high, to in row:
                if not (0 <= low <= high < _ASCII and 0 <= to < len(self.moves)):
                    raise ValueError(f"{(low, high, to)!r} is no move of {len(self.moves)} states")

    def accepts(self, nss: str) -> bool:
        row = self._first()
        for code in nss.encode("ascii", "replace"):
            row = row[code]
        return bool(row[_ASCII])

    def reach(self, nss: str) -> int:
        """How many characters of an NSS a name of the grammar can begin with."""
        row, dead = self._first(), self._rows[0]
        for at, code in enumerate(nss.encode("ascii", "replace")):
            row = row[code]
            if row is dead:
                return at
        return len(nss)

    def _first(self) -> _Row:
        if not self._rows:
            self._rows.extend(self._made())
        return self._rows[1]

    def _made(self) -> list[_Row]:
        rows: list[_Row] = [[] for _ in self.moves]
        for state, row in enumerate(rows):
            row.extend([rows[0]] * _ASCII)
            for low, high, to in self.moves[state]:
                row[low : high + 1] = [rows[to]] * (high + 1 - low)
            row.append(state in self.ends)
        return rows


def automaton_to(automaton: NssAutomaton) -> Document:
    return {"moves": automaton.moves, "ends": sorted(automaton.ends)}


def automaton_from(document: Document) -> NssAutomaton:
    """The automaton whose ``automaton_to`` this is. Raises KeyError, TypeError, ValueError."""
    moves = tuple(
        tuple((int(low), int(high), int(to)) for low, high, to in row) for row in document["moves"]
    )
    return NssAutomaton(moves, frozenset(map(int, document["ends"])))


class Possibility(StrEnum):
    """Whether an NSS can be one of its namespace."""

    POSSIBLE = "possible"  # by an exact pattern, a grammar or a check digit
    NOT_RULED_OUT = "not ruled out"  # by a pattern that is necessary only
    NOT_FIXED = "not fixed by the registration"
    IMPOSSIBLE = "impossible"


class DecisionBasis(StrEnum):
    """What decided it."""

    PATTERN = "pattern"
    GRAMMAR = "grammar"
    CHECK = "check"
    NOTHING = "nothing"


class NssDecision(NamedTuple):
    """The answer, what decided it, and whether a check character is wrong all the same."""

    possibility: Possibility
    basis: DecisionBasis
    is_miscounted: bool = False


_Test = Callable[[str], object]
_BY_CHECK = NssDecision(Possibility.POSSIBLE, DecisionBasis.CHECK)
_MISCOUNTED = NssDecision(Possibility.IMPOSSIBLE, DecisionBasis.CHECK, is_miscounted=True)


class NssDecider:
    """Decides about the NSSs of one namespace; what it needs is made when it is first asked.

    ``decide`` says whether an NSS in the normal form of RFC 8141 section 3.1 can be one. It raises
    nothing.
    """

    __slots__ = (
        "_algorithm",
        "_automaton",
        "_equivalence",
        "_pattern",
        "_tells_check",
        "decide",
    )

    def __init__(
        self,
        pattern: NssPattern | None,
        automaton: NssAutomaton | None,
        check: str,
        equivalence: Equivalence,
        *,
        tells_check: bool,
    ) -> None:
        self._pattern, self._automaton = pattern, automaton
        self._equivalence, self._tells_check = equivalence, tells_check
        self._algorithm = ALGORITHMS.get(check) if check else None
        self.decide: Callable[[str], NssDecision] = self._decide_first

    def _decide_first(self, nss: str) -> NssDecision:
        self.decide = self._made()
        return self.decide(nss)

    def number_of(self, nss: str) -> CheckedNumber | None:
        return self._algorithm.check(nss) if self._algorithm else None

    def _counted(self, nss: str, passed: NssDecision) -> NssDecision:
        number = self.number_of(nss)
        if number is None:
            return passed
        if number.is_valid:
            return _BY_CHECK
        return passed._replace(is_miscounted=True) if self._tells_check else _MISCOUNTED

    def _made(self) -> Callable[[str], NssDecision]:
        test, passed = self._test()
        failed = NssDecision(Possibility.IMPOSSIBLE, passed.basis)
        equivalence, counted = self._equivalence, self._counted

        def decide(nss: str) -> NssDecision:
            # another spelling that passes names the same
            if test(nss) or any(map(test, other_forms(equivalence, nss))):
                return passed
            return failed

        def decide_and_count(nss: str) -> NssDecision:
            found = decide(nss)
            return found if found is failed else counted(nss, found)

        return decide_and_count if self._algorithm else decide

    def _test(self) -> tuple[_Test, NssDecision]:
        pattern = self._pattern
        expression = pattern_of(pattern.expression, self._equivalence) if pattern else None
        if expression is not None and pattern is not None:
            exact = Possibility.POSSIBLE if pattern.is_exact else Possibility.NOT_RULED_OUT
            return expression.fullmatch, NssDecision(exact, DecisionBasis.PATTERN)
        if self._automaton is not None:
            return (
                self._automaton.accepts,
                NssDecision(Possibility.POSSIBLE, DecisionBasis.GRAMMAR),
            )
        return _anything, NssDecision(Possibility.NOT_FIXED, DecisionBasis.NOTHING)


def _anything(_nss: str) -> bool:
    return True


def examples_fail(check: str, names: list[str]) -> bool:
    numbers = (read_number(check, nss) for nss in names)
    return any(number is not None and not number.is_valid for number in numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceRules:
    """One namespace.

    ``name`` as it is registered, ``kind`` formal or informal. ``automaton`` is made of the grammar
    of a namespace that was registered here, where it has one that can be decided;
    ``unused_grammar`` says in a clause why one that is there does not count. ``check`` names a
    check algorithm; where ``tells_check``, the registration's own examples fail it, so that a wrong
    check character is told and refuses nothing. ``example`` is a name by these rules, for who asks
    of one that is none.
    """

    name: str
    kind: str = "formal"
    status: Status = Status.REGISTERED
    successor: str = ""
    title: str = ""
    names: str = ""
    example: str = ""
    pattern: NssPattern | None = None
    automaton: NssAutomaton | None = None
    unused_grammar: str = ""
    check: str = ""
    tells_check: bool = False
    equivalence: Equivalence = PLAIN
    resolution: Resolution = NO_RESOLUTION
    decider: NssDecider = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decider = NssDecider(
            self.pattern,
            self.automaton,
            self.check,
            self.equivalence,
            tells_check=self.tells_check,
        )
        object.__setattr__(self, "decider", decider)

    @property
    def has_profile(self) -> bool:
        told = self.title or self.names or self.pattern or self.check
        return bool(told) or self.resolution != NO_RESOLUTION


class RuleBook(Protocol):
    """The rules of all namespaces of an edition."""

    def find(self, folded: str) -> NamespaceRules | None:
        """The rules of a namespace by its folded name; None where it is not registered."""

    def nearest(self, folded: str) -> tuple[str, ...]:
        """Names that a name may have been meant for, the nearest first; maybe none."""


def rules_to(rules: NamespaceRules) -> Document:
    """The rules of a namespace as a document, which leaves out what has its default."""
    pattern, automaton = rules.pattern, rules.automaton
    members = {
        "name": rules.name,
        "kind": rules.kind,
        "status": "" if rules.status is Status.REGISTERED else str(rules.status),
        "successor": rules.successor,
        "title": rules.title,
        "names": rules.names,
        "example": rules.example,
        "pattern": pattern and pattern_to(pattern),
        "automaton": automaton and automaton_to(automaton),
        "unused_grammar": rules.unused_grammar,
        "check": rules.check,
        "tells_check": rules.tells_check,
        "equivalence": equivalence_to(rules.equivalence)["rules"],
        "resolution": resolution_to(rules.resolution),
    }
    return {name: value for name, value in members.items() if value}


def rules_from(document: Mapping[str, Any]) -> NamespaceRules:
    """The rules whose ``rules_to`` this is. Raises ValueError, TypeError or KeyError for others."""
    pattern, automaton = document.get("pattern"), document.get("automaton")
    return NamespaceRules(
        name=document["name"],
        kind=document["kind"],
        status=Status(document.get("status", Status.REGISTERED)),
        successor=document.get("successor", ""),
        title=document.get("title", ""),
        names=document.get("names", ""),
        example=document.get("example", ""),
        pattern=pattern and pattern_from(pattern),
        automaton=automaton and automaton_from(automaton),
        unused_grammar=document.get("unused_grammar", ""),
        check=document.get("check", ""),
        tells_check=document.get("tells_check", False),
        equivalence=read_equivalence({"rules": document.get("equivalence", [])}),
        resolution=resolution_from(document.get("resolution", {})),
    )


def rule_lines(rules: Iterable[tuple[str, NamespaceRules]]) -> bytes:
    lines = (canonical_json({"nid": folded, **rules_to(one)}) for folded, one in sorted(rules))
    return "".join(f"{line}\n" for line in lines).encode("ascii")


_FEW = 2_000  # names, all of which are compared
FAR = 2  # edits
_SHORTEST_FAR = 5  # characters: two edits make of three nearly any other three
_PLAIN = ("name", "kind", "status", "successor", "title", "names")  # members that are mere words


class LineRuleBook:
    """The rules of an edition from its lines; each is read when it is first asked for.

    Any number of threads may ask at once. Raises ValueError for lines that are no rules.
    """

    def __init__(self, lines: bytes) -> None:
        self._rules = RuleLines(lines, "nid", _rules)
        self.find = self._rules.find

    def nearest(self, folded: str) -> tuple[str, ...]:
        return nearest_names(folded, self._index)

    @cached_property
    def _index(self) -> NidIndex:
        return NidIndex(self._rules.places)


def _rules(document: Mapping[str, Any]) -> NamespaceRules:
    try:
        return rules_from(document)
    except (ValueError, TypeError, KeyError):
        return rules_from({name: document[name] for name in _PLAIN if name in document})


def similar_names(folded: str, index: NameIndex) -> tuple[str, ...]:
    """Names that a name may have been meant for, folded: itself, those that read the same, and
    those that one edit makes of it."""
    if not 0 < len(folded) <= NID_LONGEST:
        return ()
    itself = index.find_registered(folded)
    near = [*index.find_look_alikes(folded), *index.find_one_edit_away(folded)]
    return tuple(dict.fromkeys(fold_nid(name) for name in (itself, *near) if name))


def nearest_names(folded: str, index: NameIndex) -> tuple[str, ...]:
    """Names that a folded name may have been meant for, the nearest first. ``similar_names``, and
    those that two edits make of a longer one, where the names are few."""
    near = similar_names(folded, index)
    if len(index) <= _FEW and _SHORTEST_FAR <= len(folded) <= NID_LONGEST:
        near += tuple(sorted(n for n in index if edits_between(folded, n) is not None))
    return tuple(dict.fromkeys(near))


def edits_between(one: str, other: str) -> int | None:
    """How many edits make one text of another, up to ``FAR``; None where more do."""
    if abs(len(one) - len(other)) > FAR or not set(one) & set(other):
        return None
    row = list(range(len(other) + 1))
    above = row
    for at, character in enumerate(one, 1):
        # what stands further from the diagonal is too far: strangers ask, and of all names
        before, above, row = above, row, [at] + [FAR + 1] * len(other)
        for to in range(max(1, at - FAR), min(len(other), at + FAR) + 1):
            change = above[to - 1] + (character != other[to - 1])
            row[to] = min(above[to] + 1, row[to - 1] + 1, change)
            if at > 1 and to > 1 and character == other[to - 2] and one[at - 2] == other[to - 1]:
                row[to] = min(row[to], before[to - 2] + 1)
        if min(row) > FAR:
            return None
    return row[-1] if row[-1] <= FAR else None


def book_of(rules: Iterable[NamespaceRules] | Mapping[str, NamespaceRules]) -> LineRuleBook:
    listed = rules.values() if isinstance(rules, Mapping) else rules
    return LineRuleBook(rule_lines((one.name.lower(), one) for one in listed))
