"""The parts of a grammar as RFC 5234 names them, and how they are written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Tree = list[Any]


@dataclass(frozen=True, slots=True)
class Literal:
    """A quoted text; its letters match in both cases unless it is ``sensitive`` (RFC 7405)."""

    text: str
    sensitive: bool
    at: int


@dataclass(frozen=True, slots=True)
class ValueRange:
    """One character of a range; both ends belong to it."""

    low: int
    high: int
    at: int


@dataclass(frozen=True, slots=True)
class NumericValue:
    """Characters by number, one after the other: ``%d13.10``."""

    codes: tuple[int, ...]
    at: int


@dataclass(frozen=True, slots=True)
class RuleReference:
    """A rule by its name, as it is written here."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class ProseValue:
    """What is said in words: ``<a date>``."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """An element some times over; ``high`` is None where there is no bound."""

    element: "Node"
    low: int
    high: int | None
    at: int


@dataclass(frozen=True, slots=True)
class ElementSequence:
    """One element after the other; none at all is the empty text."""

    parts: tuple["Node", ...]
    at: int


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of several elements."""

    options: tuple["Node", ...]
    at: int


Node = (
    Literal
    | ValueRange
    | NumericValue
    | RuleReference
    | ProseValue
    | Repetition
    | ElementSequence
    | Alternatives
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name as written, its definition (None where nothing stands there), its place.

    ``end`` is where its text ends, ``adds`` tells that it was written with ``=/``, ``origin`` says
    where a known rule comes from; it is empty for a rule of the text.
    """

    name: str
    node: Node | None
    at: int
    end: int
    adds: bool = False
    origin: str = ""

    @property
    def key(self) -> str:
        """Source: RFC 5234 section 2.1."""
        return self.name.lower()


def write_rule(rule: Rule) -> str:
    """Source: RFC 5234 section 2."""
    written = write_element(rule.node) if rule.node else ""
    return f"{rule.name} {'=/' if rule.adds else '='} {written}".rstrip()


def write_element(node: Node, inside: bool = False) -> str:
    """The element in ABNF; what needs brackets ``inside`` another gets them."""
    match node:
        case Literal(text, sensitive):
            return f'{"%s" if sensitive else ""}"{text}"'
        case ValueRange(low, high):
            return f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}"
        case NumericValue(codes):
            return "%x" + ".".join(f"{code:02X}" for code in codes)
        case RuleReference(name):
            return name
        case ProseValue(text):
            return f"<{text}>"
        case Repetition():
            return _write_repeat(node)
        case ElementSequence(parts):
            written = " ".join(write_element(part, True) for part in parts) or '""'
            return f"({written})" if inside and len(parts) > 1 else written
        case Alternatives(options):
            written = " / ".join(write_element(option) for option in options)
            return f"({written})" if inside else written


def _write_repeat(node: Repetition) -> str:
    if (node.low, node.high) == (0, 1):
        return f"[ {write_element(node.element)} ]"
    inner = write_element(node.element, True)
    if isinstance(node.element, Repetition) and not inner.startswith("["):
        inner = f"({inner})"
    return _times(node.low, node.high) + inner


def _times(low: int, high: int | None) -> str:
    if low == high:
        return str(low)
    return f"{low or ''}*{'' if high is None else high}"


def element_tree(node: Node) -> Tree:
    """The element as nested lists, from which it can be drawn."""
    match node:
        case RuleReference(name):
            return ["rule", name]
        case ProseValue(text):
            return ["words", text]
        case Repetition(element, low, high):
            return ["repeat", low, high, element_tree(element)]
        case ElementSequence(parts):
            return ["series", *map(element_tree, parts)]
        case Alternatives(options):
            return ["choice", *map(element_tree, options)]
        case _:
            return ["text", write_element(node)]


def leaf_nodes(node: Node) -> Iterator[Node]:
    """The parts of a definition that have no parts."""
    match node:
        case Repetition(element):
            yield from leaf_nodes(element)
        case ElementSequence(parts) | Alternatives(parts):
            for part in parts:
                yield from leaf_nodes(part)
        case _:
            yield node
