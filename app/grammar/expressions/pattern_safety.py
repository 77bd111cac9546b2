"""Whether a regular expression may be entered as a pattern for names."""

from functools import lru_cache

from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.expressions.position_automaton import PositionAutomaton
from app.grammar.expressions.regular_expressions import InvalidExpression, read_expression

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
