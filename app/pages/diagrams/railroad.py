"""Railroad diagrams of rules, drawn in the colour of the text, and the same rules in words.

A line runs from left to right through what a text has; where it parts, one of the ways is taken,
and where it turns back, the way is taken again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

Tree = Sequence[Any]

_LETTER = 7.3  # the width of a letter of the font
_HIGH, _GAP, _BEND = 24, 10, 8
_PAD = 9
_MOST_BOXES = 120
_DASHED = ("words", "assertion")  # what is said of a place, not what stands there
_WIDEST = 42  # letters of a box in which short alternatives share a line


class TooManyBoxes(ValueError):
    """A rule has more parts than a picture shows; its words say all of it."""


@dataclass(frozen=True, slots=True)
class RailroadBox:
    """A piece of a diagram: its width, how far it reaches up and down from its line, its shapes.

    Shapes are pieces of SVG, moved to where they stand when they are put together.
    """

    width: float
    up: float
    down: float
    shapes: tuple["RailroadShape", ...] = ()


@dataclass(frozen=True, slots=True)
class RailroadShape:
    """A path of lines, or a box with text: at a place, from the left and from the line."""

    kind: str
    x: float
    y: float
    width: float = 0
    text: str = ""
    path: tuple[tuple[str, float, float], ...] = ()

    def moved(self, x: float, y: float) -> "RailroadShape":
        """The shape moved to the right and down."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class RailroadDiagram:
    """A rule as a picture, in SVG, with what it says in words; empty where it has too many parts.

    The SVG has attributes alone, no styles. ``width`` is in pixels, 0 where there is none.
    """

    svg: str
    words: str
    width: int = 0


def draw_railroad_diagram(name: str, tree: Tree) -> RailroadDiagram:
    """The diagram of a rule from its tree. Raises nothing.

    Source: RFC 5234 section 3, which the words follow.
    """
    words = f"{name} is {in_words(tree)}."
    try:
        box = _with_ends(_box(tree, _BoxCounter()))
        return RailroadDiagram(_svg(box, words), words, round(box.width))
    except TooManyBoxes:
        return RailroadDiagram("", words)


class _BoxCounter:
    def __init__(self) -> None:
        self.left = _MOST_BOXES

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooManyBoxes


def _box(tree: Tree, counter: _BoxCounter) -> RailroadBox:
    counter.take()
    match tree[0]:
        case "series":
            return _in_a_row([_box(part, counter) for part in tree[1:]] or [_line(2 * _GAP)])
        case "choice":
            return _parted([_box(option, counter) for option in _joined(tree[1:])])
        case "repeat":
            return _repeated(tree[1], tree[2], _box(tree[3], counter))
        case kind:
            return _labelled(str(kind), str(tree[1]))


def _labelled(kind: str, text: str) -> RailroadBox:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    width = len(shown) * _LETTER + 2 * _PAD
    return RailroadBox(width, _HIGH / 2, _HIGH / 2, (RailroadShape(kind, 0, 0, width, shown),))


def _line(width: float) -> RailroadBox:
    return RailroadBox(width, 0, 0, (_path((0, 0), (width, 0)),) if width else ())


def _path(*points: tuple[float, float]) -> RailroadShape:
    """Lines from point to point."""
    return RailroadShape("path", 0, 0, path=tuple(("L", x, y) for x, y in points))


def _at(box: RailroadBox, x: float, y: float = 0) -> tuple[RailroadShape, ...]:
    return tuple(shape.moved(x, y) for shape in box.shapes)


def _in_a_row(boxes: list[RailroadBox]) -> RailroadBox:
    shapes: list[RailroadShape] = []
    x = 0.0
    for box in boxes:
        if x:
            shapes.append(_path((x, 0), (x + _GAP, 0)))
            x += _GAP
        shapes += _at(box, x)
        x += box.width
    return RailroadBox(
        x, max(box.up for box in boxes), max(box.down for box in boxes), tuple(shapes)
    )


def _parted(boxes: list[RailroadBox]) -> RailroadBox:
    """The boxes one below the other; the line goes through the first and bends to the rest."""
    side = 2 * _BEND
    inner = max(box.width for box in boxes)
    width, down = inner + 2 * side, 0.0
    shapes: list[RailroadShape] = []
    for place, box in enumerate(boxes):
        y = 0.0 if place == 0 else down + _GAP + box.up
        down = y + box.down
        shapes += [*_at(box, side, y), *_bends(y, side, side + box.width, width)]
    return RailroadBox(width, boxes[0].up, down, tuple(shapes))


def _bends(y: float, start: float, end: float, width: float) -> Iterator[RailroadShape]:
    last = width - _BEND
    yield _path((0, 0), (_BEND, 0), (_BEND, y), (start, y)) if y else _path((0, 0), (start, 0))
    yield _path((end, y), (last, y), (last, 0), (width, 0)) if y else _path((end, 0), (width, 0))


def _repeated(low: int, high: int | None, box: RailroadBox) -> RailroadBox:
    if (low, high) == (0, 1):
        return _skipped(box)
    again = _returning(box, _times(low, high))
    return _skipped(again) if low == 0 else again


def _skipped(box: RailroadBox) -> RailroadBox:
    """A way past the box, above it."""
    over = box.up + _GAP
    side = 2 * _BEND
    width = box.width + 2 * side
    way = _path((0, 0), (_BEND, -over), (width - _BEND, -over), (width, 0))
    ends = (_path((0, 0), (side, 0)), _path((width - side, 0), (width, 0)))
    return RailroadBox(width, over, box.down, (*_at(box, side), way, *ends))


def _returning(box: RailroadBox, times: str) -> RailroadBox:
    """A way back below the box, with how often it is taken."""
    under = box.down + _GAP
    side = 2 * _BEND
    label = len(times) * _LETTER
    width = max(box.width, label) + 2 * side
    x = (width - box.width) / 2
    way = _path((width - side, 0), (width - _BEND, under), (_BEND, under), (side, 0))
    ends = (_path((0, 0), (x, 0)), _path((x + box.width, 0), (width, 0)))
    told = (RailroadShape("times", (width - label) / 2, under + 13, label, times),) if times else ()
    down = under + (16 if times else 2)
    return RailroadBox(width, box.up, down, (*_at(box, x), way, *ends, *told))


def _times(low: int, high: int | None) -> str:
    """What stands at a way back that is not taken as often as one likes."""
    if high is None:
        return "" if low <= 1 else f"{low:,} or more"
    if low == high:
        return f"{low:,} times"
    return f"{low:,} to {high:,}" if low else f"up to {high:,}"


def _joined(options: Sequence[Tree]) -> list[Tree]:
    """Short literals that stand beside each other share a line."""
    lines: list[Tree] = []
    for option in options:
        if option[0] == "text" and lines and lines[-1][0] == "text" and len(options) > 4:
            both = f"{lines[-1][1]} / {option[1]}"
            if len(both) <= _WIDEST:
                lines[-1] = ["text", both]
                continue
        lines.append(option)
    return lines


def _with_ends(box: RailroadBox) -> RailroadBox:
    ends = (_path((0, 0), (_GAP, 0)), _path((_GAP + box.width, 0), (2 * _GAP + box.width, 0)))
    bars = (_path((0, -6), (0, 6)), _path((2 * _GAP + box.width, -6), (2 * _GAP + box.width, 6)))
    return RailroadBox(box.width + 2 * _GAP, box.up, box.down, (*_at(box, _GAP), *ends, *bars))


def _svg(box: RailroadBox, words: str) -> str:
    margin = 8
    width, height = round(box.width) + 2 * margin, round(box.up + box.down) + 2 * margin
    shapes = _at(box, margin, box.up + margin)
    lines = "".join(_line_of(shape) for shape in shapes if shape.kind == "path")
    boxes = "".join(_rect_of(shape) for shape in shapes if shape.kind not in ("path", "times"))
    texts = "".join(_text_of(shape) for shape in shapes if shape.kind != "path")
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" fill="none" '
        f'stroke="currentColor" font-size="12" font-family="monospace" role="img" '
        f'aria-label="{escape(words)}"><path d="{lines}"/>{boxes}'
        f'<g fill="currentColor" stroke="none">{texts}</g></svg>'
    )


def _line_of(shape: RailroadShape) -> str:
    (_, x, y), *rest = shape.path
    begun = f"M{shape.x + x:g} {shape.y + y:g}"
    return begun + "".join(f"L{shape.x + x:g} {shape.y + y:g}" for _, x, y in rest)


def _rect_of(shape: RailroadShape) -> str:
    rounded = ' rx="12"' if shape.kind == "text" else ""
    dashed = ' stroke-dasharray="3 3"' if shape.kind in _DASHED else ""
    return (
        f'<rect x="{shape.x:g}" y="{shape.y - _HIGH / 2:g}" width="{shape.width:g}" '
        f'height="{_HIGH}"{rounded}{dashed}/>'
    )


def _text_of(shape: RailroadShape) -> str:
    x = shape.x + (0 if shape.kind == "times" else _PAD)
    length = round(len(shape.text) * _LETTER, 1)
    return (
        f'<text x="{x:g}" y="{shape.y + (0 if shape.kind == "times" else 4):g}" '
        f'textLength="{length:g}" xml:space="preserve">{escape(shape.text)}</text>'
    )


def in_words(tree: Tree) -> str:
    """What a tree says, in words: what comes first, then what follows it.

    Source: RFC 5234 section 3.
    """
    match tree[0]:
        case "series":
            return ", then ".join(_inner(part) for part in tree[1:]) or "nothing"
        case "choice":
            return _one_of([_inner(option) for option in tree[1:]])
        case "repeat":
            return f"{_inner(tree[3])} {_often(tree[1], tree[2])}"
        case "words":
            return f"what is said in words ({tree[1]})"
        case _:
            return str(tree[1])


def _inner(tree: Tree) -> str:
    several = tree[0] in ("series", "choice") and len(tree) > 2
    return f"({in_words(tree)})" if several else in_words(tree)


def _one_of(options: list[str]) -> str:
    *first, last = options or ["nothing"]
    return f"{', '.join(first)} or {last}" if first else last


def _often(low: int, high: int | None) -> str:
    if (low, high) == (0, 1):
        return "or nothing"
    if high is None:
        return {0: "any number of times", 1: "once or more"}.get(low, f"{low:,} times or more")
    return f"{low:,} times" if low == high else f"{low:,} to {high:,} times"
