"""Grammars as they are drawn, and their texts, by a reading of ABNF of its own."""

from dataclasses import dataclass

from hypothesis import strategies as st

# Letters, digits and marks of names, what is in no name, and what is in one only encoded.
LITERALS = [
    "a",
    "B7",
    "-",
    ".",
    "/",
    ":",
    "x_y",
    " ",
    "#",
    "?+",
    "?=",
    "%",
    "%41",
    "%C3%A9",
    "[",
    "é",
]
RANGES = [(0x30, 0x39), (0x61, 0x7A), (0x20, 0x2F), (0x2E, 0x3F), (0x5B, 0x60), (0x7E, 0xFF)]


@dataclass(frozen=True)
class Drawn:
    """A grammar: its rules in ABNF, by name. The first is of whole names."""

    rules: dict[str, str]
    parts: dict[str, "Part"]

    @property
    def text(self) -> str:
        """The grammar, a rule a line."""
        return "".join(f"{name} = {rule}\n" for name, rule in self.rules.items())


@dataclass(frozen=True)
class Part:
    """An element: how it is written, and of what it is made."""

    written: str
    kind: str
    children: tuple["Part", ...] = ()
    text: str = ""
    low: int = 0
    high: int = 0


def _literal(text: str) -> Part:
    if text.isascii():
        return Part(f'"{text}"', "text", text=text)
    return Part("%x" + ".".join(f"{ord(c):X}" for c in text), "exact", text=text)


def _range(pair: tuple[int, int]) -> Part:
    return Part(f"%x{pair[0]:02X}-{pair[1]:02X}", "range", low=pair[0], high=pair[1])


def _repeat(part: Part, low: int, more: int | None) -> Part:
    high = "" if more is None else str(low + more)
    most = low + (2 if more is None else more)
    return Part(f"{low}*{high}({part.written})", "repeat", (part,), low=low, high=most)


def _several(sign: str, kind: str, parts: list[Part]) -> Part:
    return Part(f"({sign.join(part.written for part in parts)})", kind, tuple(parts))


def _elements(names: list[str]) -> st.SearchStrategy[Part]:
    leaves = st.sampled_from(LITERALS).map(_literal) | st.sampled_from(RANGES).map(_range)
    if names:
        leaves |= st.sampled_from(names).map(lambda name: Part(name, "rule", text=name))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda ps: _several(" ", "series", ps)),
            st.lists(inner, min_size=1, max_size=3).map(lambda ps: _several(" / ", "choice", ps)),
            st.builds(_repeat, inner, st.integers(0, 2), st.none() | st.integers(0, 2)),
        ),
        max_leaves=6,
    )


@st.composite
def grammars(draw: st.DrawFn) -> Drawn:
    """A grammar of up to four rules, which may lead back to themselves."""
    names = ["one", "two", "three"][: draw(st.integers(1, 3))]
    parts = {name: draw(_elements(names)) for name in names}
    head = Part('"urn:ex:a" one', "series", (_literal("urn:ex:a"), Part("one", "rule", text="one")))
    return Drawn(
        {"name": head.written, **{name: part.written for name, part in parts.items()}},
        {"name": head, **parts},
    )


@st.composite
def texts_of(draw: st.DrawFn, grammar: Drawn) -> str | None:
    """A text of the grammar, None where the draw did not come to an end."""
    written: list[str] = []
    waiting, left = [grammar.parts["name"]], 60
    while waiting:
        part, left = waiting.pop(), left - 1
        if left < 0:
            return None
        if part.kind == "text":
            written.append(part.text.swapcase() if draw(st.booleans()) else part.text)
        elif part.kind == "exact":
            written.append(part.text)
        elif part.kind == "range":
            written.append(chr(draw(st.integers(part.low, part.high))))
        else:
            waiting.extend(reversed(_into(draw, grammar, part)))
    return "".join(written)


def _into(draw: st.DrawFn, grammar: Drawn, part: Part) -> list[Part]:
    if part.kind == "rule":
        return [grammar.parts[part.text]]
    if part.kind == "choice":
        return [draw(st.sampled_from(part.children))]
    if part.kind == "repeat":
        return [part.children[0]] * draw(st.integers(part.low, part.high))
    return list(part.children)
