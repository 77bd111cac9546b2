"""Railroad diagrams of rules, drawn in the colour of the text, and the same rules in words.

A line runs from left to right through what a text has; where it parts, one of the ways is taken,
and where it turns back, the way is taken again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import railroad

Tree = Sequence[Any]

# Wider than a letter of the font is, so that a wider font fits its boxes too; sums of 7.3, which
# would do as well, are written with errors of rounding.
railroad.CHAR_WIDTH = railroad.COMMENT_CHAR_WIDTH = 7.5
_MARGIN = 8
_MOST_BOXES = 120
_LONGEST = 60  # letters of a box
_WIDEST = 42  # letters of a box in which short alternatives share a line
# The library writes two at each box that is as wide as its place; they are a third of a picture.
_EMPTY_PATH = re.compile(r'<path d="M[-0-9.]+ [-0-9.]+h0\.0" />')


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
    words = f"{name} is {describe_tree(tree)}."
    if sum(1 for _ in _parts(tree)) > _MOST_BOXES:
        return RailroadDiagram("", words)
    picture = railroad.Diagram(_item(tree)).format(_MARGIN)
    width, height = (round(float(picture.attrs[side])) for side in ("width", "height"))
    return RailroadDiagram(_svg(picture, words, width, height), words, width)


def _parts(tree: Tree) -> Iterator[Tree]:
    yield tree
    inner = _joined(tree[1:]) if tree[0] == "choice" else tree[1:]
    for part in inner:
        if isinstance(part, Sequence) and not isinstance(part, str):
            yield from _parts(part)


def _svg(picture: railroad.Diagram, words: str, width: int, height: int) -> str:
    written: list[str] = []
    picture.children[0].writeSvg(written.append)
    return (
        f'<svg class="railroad" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'fill="none" stroke="currentColor" font-size="12" font-family="monospace" '
        f'text-anchor="middle" xml:space="preserve" role="img" aria-label="{escape(words)}">'
        f"{_EMPTY_PATH.sub('', ''.join(written))}</svg>"
    )


def _item(tree: Tree) -> railroad.DiagramItem:
    match tree[0]:
        case "series":
            return railroad.Sequence(*map(_item, tree[1:])) if tree[1:] else railroad.Skip()
        case "choice":
            return railroad.Choice(0, *map(_item, _joined(tree[1:])))
        case "repeat":
            return _repeated(tree[1], tree[2], _item(tree[3]))
        case "text":
            return railroad.Terminal(_shortened(tree[1]))
        case kind:
            return railroad.NonTerminal(_shortened(tree[1]), cls=kind)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _repeated(low: int, high: int | None, item: railroad.DiagramItem) -> railroad.DiagramItem:
    if (low, high) == (0, 1):
        return railroad.Optional(item)
    times = _times(low, high)
    again = railroad.OneOrMore(item, railroad.Comment(times) if times else None)
    return railroad.Optional(again) if low == 0 else again


def _times(low: int, high: int | None) -> str:
    if high is None:
        return "" if low <= 1 else f"{low:,} or more"
    if low == high:
        return f"{low:,} times"
    return f"{low:,} to {high:,}" if low else f"up to {high:,}"


def _joined(options: Sequence[Tree]) -> list[Tree]:
    lines: list[Tree] = []
    for option in options:
        if option[0] == "text" and lines and lines[-1][0] == "text" and len(options) > 4:
            both = f"{lines[-1][1]} / {option[1]}"
            if len(both) <= _WIDEST:
                lines[-1] = ["text", both]
                continue
        lines.append(option)
    return lines


def describe_tree(tree: Tree) -> str:
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
    return f"({describe_tree(tree)})" if several else describe_tree(tree)


def _one_of(options: list[str]) -> str:
    *first, last = options or ["nothing"]
    return f"{', '.join(first)} or {last}" if first else last


def _often(low: int, high: int | None) -> str:
    if (low, high) == (0, 1):
        return "or nothing"
    if high is None:
        return {0: "any number of times", 1: "once or more"}.get(low, f"{low:,} times or more")
    return f"{low:,} times" if low == high else f"{low:,} to {high:,} times"
