"""Whether an NSS can be one of its namespace: by pattern, grammar and check character.

An NSS comes in the normal form of RFC 8141, so that equivalent URNs get one answer. It is looked
at in the other forms that a name may have, too.
"""

import re
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
    """Decides about the NSSs of one namespace; what it needs is made when it is first asked."""

    __slots__ = (
        "_algorithm",
        "_automaton",
        "_equivalence",
        "_passed",
        "_pattern",
        "_tells_check",
        "_test",
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
        self._passed: NssDecision | None = None
        self._test: _Test = _anything

    def decide(self, nss: str) -> NssDecision:
        """Whether an NSS in the normal form of RFC 8141 section 3.1 can be one. Raises nothing."""
        passed = self._passed or self._prepare()
        if not self._test(nss) and not self._passes_otherwise(nss):
            return NssDecision(Possibility.IMPOSSIBLE, passed.basis)
        return self._counted(nss, passed) if self._algorithm else passed

    def number_of(self, nss: str) -> CheckedNumber | None:
        """What its check algorithm, if it has one, says of an NSS."""
        return self._algorithm.check(nss) if self._algorithm else None

    def _counted(self, nss: str, passed: NssDecision) -> NssDecision:
        number = self.number_of(nss)
        if number is None:
            return passed
        if number.is_valid:
            return _BY_CHECK
        return passed._replace(is_miscounted=True) if self._tells_check else _MISCOUNTED

    def _prepare(self) -> NssDecision:
        """Make the test, then what is said of an NSS that passes it."""
        expression = self._compiled()
        if expression is not None and self._pattern is not None:
            self._test = expression.fullmatch
            exact = Possibility.POSSIBLE if self._pattern.is_exact else Possibility.NOT_RULED_OUT
            self._passed = NssDecision(exact, DecisionBasis.PATTERN)
        elif self._automaton is not None:
            self._test = self._automaton.accepts
            self._passed = NssDecision(Possibility.POSSIBLE, DecisionBasis.GRAMMAR)
        else:
            self._passed = NssDecision(Possibility.NOT_FIXED, DecisionBasis.NOTHING)
        return self._passed

    def _compiled(self) -> "re.Pattern[str] | None":
        """The pattern; None also for one that is no expression, which nobody can be held to."""
        return pattern_of(self._pattern.expression, self._equivalence) if self._pattern else None

    def _passes_otherwise(self, nss: str) -> bool:
        """Whether another spelling passes, which names the same."""
        return any(map(self._test, other_forms(self._equivalence, nss)))


def _anything(_nss: str) -> bool:
    return True


def examples_fail(check: str, names: list[str]) -> bool:
    """Whether a check algorithm refuses one of the NSSs that a registration shows itself."""
    numbers = (read_number(check, nss) for nss in names)
    return any(number is not None and not number.is_valid for number in numbers)
