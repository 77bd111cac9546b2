"""Patterns of names as trees that can be drawn and told, with characters in words."""

from collections.abc import Iterator, Sequence

from app.grammar.character_sets import Charset, charset, charset_of, difference_of, intersection_of
from app.grammar.expressions.regular_expressions import (
    ALPHABET,
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    InvalidExpression,
    Quantification,
    read_expression,
)
from app.pages.diagrams.railroad import Tree

_MOST_LISTED = 14
_MOST_REFUSED = 8
_UPPER, _LOWER, _DIGITS = (charset([(ord(a), ord(z))]) for a, z in ("AZ", "az", "09"))
_HEX = charset_of("0123456789abcdefABCDEF")
_LETTERS = charset((*_UPPER, *_LOWER))
_PERCENT = charset_of("%")
# What is told in a word, the larger set first.
_NAMED = (
    (_LETTERS, "letter"),
    (_UPPER, "capital letter"),
    (_LOWER, "small letter"),
    (_DIGITS, "digit"),
)
_ENCODED: Tree = ["rule", "encoded octet"]
_OTHERWISE = "(?!"


def tree_of(expression: str) -> Tree | None:
    """A pattern as the tree of its railroad diagram; None for one that cannot be drawn.

    The pattern is one that people may enter, except that the last of its alternatives may say
    first what a name does not begin with.
    """
    try:
        return _drawable(expression)
    except InvalidExpression:
        return None


def _drawable(expression: str) -> Tree:
    before, mark, last = expression.rpartition(f"|{_OTHERWISE}")
    if not mark or expression.startswith(_OTHERWISE):
        return _tree(read_expression(expression))
    refused, rest = _parted(last)
    otherwise = ["series", _not_begun(read_expression(refused)), _tree(read_expression(rest))]
    options = _tree(read_expression(before))
    return ["choice", *(options[1:] if options[0] == "choice" else [options]), otherwise]


def _not_begun(refused: Expression) -> Tree:
    """What a name does not begin with, written out."""
    begun = _literals(refused, _MOST_REFUSED)
    if not begun:
        raise InvalidExpression("These are too many beginnings.")
    folds = any(character.isalpha() for text in begun for character in text) and _folds(refused)
    return ["assertion", f"not {' '.join(begun)}{' in either case' if folds else ''}"]


def _folds(node: Expression) -> bool:
    match node:
        case CharacterClass(members):
            return members != charset_of(_literal(members))
        case Quantification(inner, _, _):
            return _folds(inner)
        case Alternation(several) | Concatenation(several):
            return any(map(_folds, several))


def _parted(text: str) -> tuple[str, str]:
    """What stands in the group whose beginning was taken off, and what stands behind it."""
    depth = 1
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[:at], text[at + 1 :]
    raise InvalidExpression(text)


def _tree(node: Expression) -> Tree:
    match node:
        case CharacterClass(members):
            return _class(members)
        case Quantification(inner, low, high):
            return ["repeat", low, high, _tree(inner)]
        case Alternation(options):
            return ["choice", *map(_tree, options)]
        case Concatenation(parts):
            found = list(_series(parts))
            return found[0] if len(found) == 1 else ["series", *found]


def _series(parts: Sequence[Expression]) -> Iterator[Tree]:
    """The parts of a series; characters that follow each other are one text."""
    run: list[Charset] = []
    for place, part in enumerate(parts):
        if _is_encoded(parts[place - 1 : place + 1]) and place:
            yield _ENCODED
        elif _is_encoded(parts[place : place + 2]):
            yield from _written(run)
            run = []
        elif isinstance(part, CharacterClass) and _literal(part.members):
            run.append(part.members)
        else:
            yield from _written(run)
            run = []
            yield _tree(part)
    yield from _written(run)


def _is_encoded(parts: Sequence[Expression]) -> bool:
    """Whether this is a percent sign and two hexadecimal digits (RFC 3986 section 2.1)."""
    octet = Quantification(CharacterClass(_HEX), 2, 2)
    return tuple(parts) == (CharacterClass(_PERCENT), octet)


def _literal(members: Charset) -> str:
    """The one character of a set, a letter in both cases included; else empty."""
    characters = [chr(code) for low, high in members for code in range(low, high + 1)]
    if len(characters) == 1:
        return characters[0]
    upper, lower = (characters[0], characters[-1]) if len(characters) == 2 else ("", "")
    return lower if upper.isalpha() and upper.lower() == lower else ""


def _written(run: Sequence[Charset]) -> Iterator[Tree]:
    """A run of characters as texts: as they are written, and those in either case."""
    text, folds = "", False
    for members in run:
        character = _literal(members)
        folded = members != charset_of(character)
        if character.isalpha() and any(map(str.isalpha, text)) and folded != folds:
            yield _text(text, folds=folds)
            text, folds = "", False
        text, folds = text + character, folds or folded
    if text:
        yield _text(text, folds=folds)


def _text(text: str, *, folds: bool) -> Tree:
    return ["text", f'"{text}"' + (" in either case" if folds else "")]


def _class(members: Charset) -> Tree:
    if literal := _literal(members):
        return _text(literal, folds=members != charset_of(literal))
    return ["rule", characters_told(members)]


def characters_told(members: Charset) -> str:
    """A set of characters in words, such as ``letter, digit or -``."""
    if members == ALPHABET:
        return "any character"
    if members == _HEX:
        return "hexadecimal digit"
    left = difference_of(ALPHABET, members)
    if (
        sum(high - low + 1 for low, high in left) <= _MOST_LISTED
        and intersection_of(left, _LETTERS) == ()
    ):
        return f"any character but {' '.join(_spelled(left))}"
    *most, last = _listed(members)
    return f"{', '.join(most)} or {last}" if most else last


def _listed(members: Charset) -> Iterator[str]:
    left = members
    for known, name in _NAMED:
        if intersection_of(left, known) == known:
            yield name
            left = difference_of(left, known)
    spelled = list(_spelled(left))
    if spelled:
        yield ("one of " if len(spelled) > 1 else "") + " ".join(spelled)


def _spelled(members: Charset) -> Iterator[str]:
    for low, high in members:
        if high - low > 2 and chr(low).isalnum():
            yield f"{chr(low)}–{chr(high)}"
        else:
            yield from map(chr, range(low, high + 1))


def pattern_beginnings(expression: str, most: int = 4) -> tuple[str, ...]:
    """The few ways in which a text begins that a pattern takes, whatever follows; else none.

    Such as ``fi:`` and ``fi-`` for ``[Ff][Ii][:-].*``: letters in both cases are written small.
    """
    try:
        node = read_expression(expression)
    except InvalidExpression:
        return ()
    if not isinstance(node, Concatenation) or not _is_anything(node.parts[-1]):
        return ()
    return tuple(text for text in _literals(Concatenation(node.parts[:-1]), most) if text)


def _is_anything(part: Expression) -> bool:
    anything = CharacterClass(ALPHABET)
    return isinstance(part, Quantification) and part.inner == anything and part.high is None


def _literals(node: Expression, most: int) -> list[str]:
    """All texts that an expression takes, letters in both cases written small; none of many."""
    found: list[str] = []
    match node:
        case CharacterClass(members):
            found = _few(members, most)
        case Alternation(options):
            several = [_literals(option, most) for option in options]
            found = [text for texts in several for text in texts] if all(several) else []
        case Concatenation(parts):
            found = [""]
            for part in parts:
                found = [begun + one for begun in found for one in _literals(part, most)][
                    : most + 1
                ]
    return found if len(found) <= most else []


def _few(members: Charset, most: int) -> list[str]:
    if literal := _literal(members):
        return [literal]
    characters = [chr(code) for low, high in members for code in range(low, high + 1)]
    return characters if len(characters) <= most else []
