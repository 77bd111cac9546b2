"""Texts made to hurt a pattern, derived from the pattern itself."""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Any

# the parser of the standard library has no public name
ops: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

_SUFFIXES = ("", "\x00", "\n\x00é")
_PICKS = 4  # of a class or of alternatives, for the body of a repetition
_USUAL = "a1 -.<:@\n\té"
_MOST = 150  # texts of one pattern
_GENERIC = (
    *("a", "1", "Z", " ", "\n", "\t", "<", ">", '"', "'", "(", "[", "-", ".", ":", "\\", "/"),
    *("=", "_", "%", "&", "#", "*", "`", "é", "“", "\x85", "\u3000", "\U0001d4d0"),
    *("urn:", "urn:a:", "@.", "a@a.", "a.", "a ", " a", "\n ", "a\n", "> ", "<a ", "</", "=?a?b?"),
    *("http://", "a1-", "a: ", "1.", "RFC ", "a,", ";a=", '"a" ', "%41", "--", "[a](", "é "),
)
Tree = Any  # what the parser of the standard library gives, which has no public types


def texts(pattern: str, flags: int, length: int) -> Iterator[str]:
    """Texts of about a length: each repetition pumped after what leads to it, then spoiled."""
    tree = parser.parse(pattern, flags & ~re.DEBUG)
    alphabet = "".join(dict.fromkeys((*_literals(tree), *_USUAL)))
    pumped = dict.fromkeys((*_pumps(tree, "", alphabet), *(("", one) for one in _GENERIC)))
    for before, pump in islice(pumped, _MOST):
        if pump:
            body = (before + pump * (length // len(pump) + 1))[:length]
            yield from (body + suffix for suffix in _SUFFIXES)


def _literals(tree: Tree) -> Iterator[str]:
    for op, value in tree:
        if op in (ops.LITERAL, ops.NOT_LITERAL):
            yield chr(value)
        elif op is ops.RANGE:
            yield from map(chr, value)
        else:
            for inner in _inside(op, value):
                yield from _literals(inner)


def _inside(op: Tree, value: Tree) -> list[Tree]:
    """The parts that a part is made of."""
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        return [value[2]]
    if op is ops.SUBPATTERN:
        return [value[3]]
    if op is ops.BRANCH:
        return list(value[1])
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return [value[1]]
    if op is ops.GROUPREF_EXISTS:
        return [part for part in value[1:] if part]
    return [value] if op in (ops.ATOMIC_GROUP, ops.IN) else []


def _pumps(tree: Tree, before: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """What leads to each repetition and what is repeated there; also every beginning, repeated."""
    for op, value in tree:
        inside = _inside(op, value)
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT) and value[1] > 1:
            bodies = [_sample(inside[0], pick, alphabet) for pick in range(_PICKS)]
            for body in dict.fromkeys(bodies):
                yield before, body
                yield "", before + body
        if op is not ops.IN:
            for inner in inside:
                yield from _pumps(inner, before, alphabet)
        before += _one(op, value, 0, alphabet)
        yield "", before
    yield "", _sample(tree, 1, alphabet)


def _sample(tree: Tree, pick: int, alphabet: str) -> str:
    """A text that the tree likely matches; each ``pick`` chooses otherwise."""
    return "".join(_one(op, value, pick, alphabet) for op, value in tree)


def _one(op: Tree, value: Tree, pick: int, alphabet: str) -> str:
    if op is ops.LITERAL:
        return chr(value)
    if op in (ops.NOT_LITERAL, ops.ANY, ops.IN):
        return _character(op, value, pick, alphabet)
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        least, most, inner = value
        times = int(least) if pick % 2 else max(int(least), min(1, int(most)))
        return _sample(inner, pick, alphabet) * min(times, 64)
    if op is ops.BRANCH:
        return _sample(value[1][pick % len(value[1])], pick, alphabet)
    if op in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
        return "".join(_sample(inner, pick, alphabet) for inner in _inside(op, value))
    return ""  # what stands nowhere: a look to either side, an edge; a group meant again


def _character(op: Tree, value: Tree, pick: int, alphabet: str) -> str:
    if op is ops.IN:
        fit = [one for one in (*alphabet, *_ends(value)) if _is_in(value, one)]
    else:
        fit = [one for one in alphabet if op is ops.ANY or ord(one) != value]
    fit = list(dict.fromkeys(fit))
    return fit[pick % len(fit)] if fit else ""


def _ends(items: Tree) -> Iterator[str]:
    for op, value in items:
        if op is ops.RANGE:
            yield from map(chr, value)


def _is_in(items: Tree, character: str) -> bool:
    negated = items[0][0] is ops.NEGATE
    return negated != any(_holds(op, value, character) for op, value in items)


def _holds(op: Tree, value: Tree, character: str) -> bool:
    if op is ops.LITERAL:
        return bool(ord(character) == value)
    if op is ops.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    kinds = {
        ops.CATEGORY_DIGIT: r"\d",
        ops.CATEGORY_NOT_DIGIT: r"\D",
        ops.CATEGORY_SPACE: r"\s",
        ops.CATEGORY_NOT_SPACE: r"\S",
        ops.CATEGORY_WORD: r"\w",
        ops.CATEGORY_NOT_WORD: r"\W",
    }
    return op is ops.CATEGORY and re.match(kinds[value], character) is not None
