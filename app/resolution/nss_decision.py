"""Whether an NSS can be one of its namespace: by pattern, grammar and check character."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from app.identifiers.equivalence import Equivalence
from app.registration.profiles.nss_forms import other_forms, pattern_of
from app.registration.profiles.profile_records import NssPattern
from app.resolution.check_digits import ALGORITHMS, CheckedNumber, read_number
from app.resolution.nss_automaton import NssAutomaton


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
