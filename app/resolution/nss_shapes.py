"""The shapes of an NSS by a pattern with named groups: what is fixed, and where each group
stands."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

_LONGEST = 2_000  # characters of a pattern, as many as may be entered
_MOST = 64  # shapes of one pattern
_DEEPEST = 20  # groups in groups
_OPENING = re.compile(r"\((?:\?P<(\w+)>|\?[a-z]*:|\?([=!]|<[=!]))?")
_ONE = re.compile(r"\[([^\[\]\\^])([^\[\]\\]?)\]")  # `[x]` or `[Xx]`
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]")
_COUNT = re.compile(r"\{[0-9,]*\}")
_FIXED = re.compile(r"\[[^\[\]\\]+\](?:\{([0-9]{1,4})\})?")


class GroupPosition(NamedTuple):
    """A named group, where it stands in a shape; ``width`` is its length where that is fixed."""

    name: str
    width: int | None = None


Part = str | GroupPosition
Shape = tuple[Part, ...]


@lru_cache(maxsize=1024)
def shapes_of(expression: str) -> tuple[Shape, ...]:
    """The shapes of what an expression matches, without those that other than groups leave open.

    ``def:(?P<type>[a-z]+):(?P<code>.+)`` gives one: ``def:``, type, ``:``, code. Gives nothing for
    what cannot be read; raises nothing.

    Source: RFC 8141 section 2.2, of which a pattern describes the NSS of one namespace.
    """
    if len(expression) > _LONGEST:
        return ()
    reader = _ShapeReader(expression)
    try:
        found = reader.alternatives(0)
    except (IndexError, RecursionError):
        return ()
    whole = reader.at == len(expression)
    return tuple(dict.fromkeys(found)) if whole else ()


def fill_shape(shape: Shape, values: Mapping[str, str]) -> str | None:
    parts = [part if isinstance(part, str) else values.get(part.name) for part in shape]
    return None if None in parts else "".join(part for part in parts if part)


def widths_in(shapes: tuple[Shape, ...]) -> dict[str, int]:
    groups = (part for shape in shapes for part in shape if isinstance(part, GroupPosition))
    return {group.name: group.width for group in groups if group.width is not None}


def _joined(shape: Shape) -> Shape:
    joined: list[Part] = []
    for part in shape:
        if isinstance(part, str) and joined and isinstance(last := joined[-1], str):
            joined[-1] = last + part
        elif part:
            joined.append(part)
    return tuple(joined)


class _ShapeReader:
    def __init__(self, text: str) -> None:
        self._text, self.at = text, 0

    def alternatives(self, depth: int) -> tuple[Shape, ...]:
        if depth > _DEEPEST:
            raise RecursionError
        found = [*self._series(depth)]
        while self._text.startswith("|", self.at):
            self.at += 1
            found += self._series(depth)
        return tuple(found[:_MOST])

    def _series(self, depth: int) -> tuple[Shape, ...]:
        shapes: tuple[Shape, ...] = ((),)
        while self._text[self.at : self.at + 1] not in ("", "|", ")"):
            following = self._quantified(self._atom(depth))
            made = (_joined(before + after) for before, after in product(shapes, following))
            shapes = tuple(islice(made, _MOST))
        return shapes

    def _quantified(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        mark = self._text[self.at : self.at + 1]
        counted = _COUNT.match(self._text, self.at)
        if counted or mark in ("*", "+"):
            self.at = counted.end() if counted else self.at + 1
            shapes = ()  # how often it stands there is not fixed
        elif mark == "?":
            self.at += 1
            shapes = (*shapes, ())
        else:
            return shapes
        self.at += self._text[self.at : self.at + 1] in ("?", "+")  # lazy, or possessive
        return shapes

    def _atom(self, depth: int) -> tuple[Shape, ...]:
        character = self._text[self.at]
        if character == "(":
            return self._group(depth)
        if character == "[":
            return tuple(self._class())
        self.at += 1
        if character == "\\":
            character = self._text[self.at]
            self.at += 1
            return () if character.isalnum() else ((character,),)
        return () if character in ".^$" else ((character,),)

    def _class(self) -> Iterator[Shape]:
        one = _ONE.match(self._text, self.at)
        found = one or _CLASS.match(self._text, self.at)
        if found is None:
            raise IndexError
        begun, self.at = self.at, found.end()
        if one and one[1].lower() == (one[2] or one[1]).lower():
            yield (self._letter(one[1], begun, is_either=bool(one[2])),)

    def _letter(self, letter: str, begun: int, *, is_either: bool) -> str:
        is_word = self._text[:begun].endswith("]") or self._text.startswith("[", self.at)
        return letter.lower() if is_either and is_word else letter

    def _group(self, depth: int) -> tuple[Shape, ...]:
        opening = _OPENING.match(self._text, self.at)
        if opening is None:
            raise IndexError
        self.at = begun = opening.end()
        inner = self.alternatives(depth + 1)
        body = self._text[begun : self.at]
        if self._text[self.at] != ")":
            raise IndexError
        self.at += 1
        if opening[2]:
            return ((),)  # what looks round a place takes none
        return ((GroupPosition(opening[1], _width(body)),),) if opening[1] else inner


def _width(body: str) -> int | None:
    fixed = _FIXED.fullmatch(body)
    return int(fixed[1] or 1) if fixed else None
