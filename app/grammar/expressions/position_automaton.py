"""How many ways a backtracking matcher can be at work on a name by a regular expression."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.grammar.automata.automaton import partition
from app.grammar.automata.cycles import strongly_connected
from app.grammar.budget import Budget
from app.grammar.character_sets import Charset, intersection_of
from app.grammar.expressions.regular_expressions import (
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    Quantification,
)

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
