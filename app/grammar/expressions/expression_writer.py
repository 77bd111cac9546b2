"""Expressions from parts, in the fewest, and how they are written."""

from collections.abc import Iterable, Iterator

from app.grammar.character_sets import Charset, charset, charset_of, difference_of, intersection_of
from app.grammar.expressions.regular_expressions import (
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    Quantification,
)

EMPTY = Concatenation(())
_RUNS = tuple(charset([(ord(low), ord(high))]) for low, high in ("09", "AZ", "az"))
_MEANING = frozenset("\\.$^()[]{}*+?|")  # characters that mean more than themselves
_MEANING_IN_CLASS = frozenset("\\]^-")
_SHORTEST_RUN = 3
_QUANTIFIERS = {(0, 1): "?", (0, None): "*", (1, None): "+"}


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
    if (low, high) in _QUANTIFIERS:
        return _QUANTIFIERS[low, high]
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
