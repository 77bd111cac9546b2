"""The rules of a text: what only looks like a rule, such as an equation in prose, is left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.identifiers.spelling import spell_text

from .budget import Budget, TooLarge
from .core import known_rules
from .extracting import MOST_RULES, Begun, begun_rules
from .notes import Notes
from .parsing import MOST_DEEP, Parser, TooDeep
from .syntax import Choice, Named, Node, Prose, Repeat, Rule, Series
from .tokens import Lexer, Token

MOST_PIECES = 100_000
UNREAD = "too long to be read"


@dataclass(frozen=True, slots=True)
class Read:
    """The rules of a text in its order, what was noted, and where their text stands."""

    rules: tuple[Rule, ...]
    notes: Notes
    spans: tuple[tuple[int, int], ...]


def read_rules(text: str) -> Read:
    """The rules that stand in a text, in ABNF or in what is like it, and how to mend them.

    Gives no rules for a text that has none. Raises nothing.

    Source: RFC 5234 sections 2 to 4; RFC 7405.
    """
    begun = begun_rules(text)[:MOST_RULES]
    budget = Budget(MOST_PIECES)
    masked = _masked(text, begun)
    for _ in range(4):  # what is left out may have been the only use of another
        names = frozenset(one.key for one in begun)
        read = [_Reading(one, *_definition(masked, one, names, budget)) for one in begun]
        kept = _kept(text, read, names)
        if len(kept) == len(begun):
            break
        begun = [one.begun for one in kept]
    return _result(kept if begun else [])


def _masked(text: str, begun: list[Begun]) -> str:
    """The text with what belongs to no definition made blank, so that places stay."""
    pieces, at = [], 0
    for start, end in sorted({span for one in begun for span in one.hidden}):
        if start >= at:
            pieces += [text[at:start], " " * (end - start - 1), "\n" if end > start else ""]
            at = end
    return "".join([*pieces, text[at:]])


@dataclass(frozen=True, slots=True)
class _Reading:
    begun: Begun
    node: Node | None
    notes: Notes


def _definition(
    text: str, one: Begun, names: frozenset[str], budget: Budget
) -> tuple[Node | None, Notes]:
    notes = Notes()
    tokens = Lexer(text, names, notes, one.is_bracketed).read(one.start, one.end)
    try:
        node = Parser(_counted(tokens, budget), one.start, notes).read()
    except TooLarge:
        message = "The rules are too long; from here on they were not read."
        notes.wrong("too-long", one.start, message, "RFC 5234 section 4")
        return Prose(UNREAD, one.start), notes
    except TooDeep:
        message = f"Brackets stand more than {MOST_DEEP} deep, which is not read. Name the parts."
        notes.wrong("too-deep", one.start, message, "RFC 5234 section 3.5")
        return Prose(UNREAD, one.start), notes
    return node, notes


def _counted(tokens: Iterator[Token], budget: Budget) -> Iterator[Token]:
    for token in tokens:
        budget.spend()
        yield token


def _kept(text: str, read: list[_Reading], names: frozenset[str]) -> list[_Reading]:
    used = Counter(
        name.lower()
        for one in read
        if one.node
        for name in {named.name for named in named_in(one.node)}
        if name.lower() != one.begun.key
    )
    is_bare = _is_bare(text, [one.begun for one in read])
    return [one for one in read if _is_rule(one, names, used, is_bare)]


def _is_bare(text: str, begun: list[Begun]) -> bool:
    """Whether a text has nothing but what looks like rules."""
    at, rest = 0, []
    for one in begun:
        rest.append(text[at : one.at])
        at = max(at, one.end)
    lines = "".join([*rest, text[at:]]).split("\n")
    return all(not line.strip("-*•+`> \t\r\f") or line.lstrip()[0] == ";" for line in lines)


def _is_rule(one: _Reading, names: frozenset[str], used: Counter[str], is_bare: bool) -> bool:
    """Tell a rule from an equation in prose by what its definition is made of."""
    begun, is_used = one.begun, used[one.begun.key] > 0
    junk = sum(note.code in ("mark", "unquoted") for note in one.notes.found)
    if one.node is None or one.node == Series((), one.node.at):
        return is_used or is_bare or begun.sign == "::=" or _is_too_deep(one)
    counted = _count(one.node, names)
    counted.strong -= sum(note.code == "unquoted" for note in one.notes.found)
    if begun.sign in ("->", "→") and not (counted.strong and is_used):
        return False
    if not begun.is_spaced and not is_used and counted.strong == counted.all == 1:
        return is_bare and "<" not in begun.name  # an attribute of markup
    if is_bare and junk <= counted.all:
        return True
    if counted.strong > 0:
        return counted.unknown <= 3 * counted.strong + counted.known and junk <= counted.all
    if is_used and counted.known:
        return junk <= counted.all and counted.unknown <= counted.known
    return junk == 0 and (counted.unknown == 0 or (is_used and counted.unknown <= 2))


def _is_too_deep(one: _Reading) -> bool:
    return any(note.code in ("too-deep", "too-long") for note in one.notes.found)


@dataclass(slots=True)
class _Counted:
    strong: int = 0
    known: int = 0
    unknown: int = 0

    @property
    def all(self) -> int:
        return self.strong + self.known + self.unknown


def _count(node: Node, names: frozenset[str]) -> _Counted:
    counted, known = _Counted(), known_rules()
    for leaf in leaves(node):
        if not isinstance(leaf, Named):
            counted.strong += 1
        elif leaf.name.lower() in names or leaf.name.lower() in known:
            counted.known += 1
        else:
            counted.unknown += 1
    return counted


def leaves(node: Node) -> Iterator[Node]:
    """The parts of a definition that have no parts."""
    match node:
        case Repeat(element):
            yield from leaves(element)
        case Series(parts) | Choice(parts):
            for part in parts:
                yield from leaves(part)
        case _:
            yield node


def named_in(node: Node) -> Iterator[Named]:
    """The names of rules in a definition."""
    return (leaf for leaf in leaves(node) if isinstance(leaf, Named))


def _result(kept: list[_Reading]) -> Read:
    notes, rules = Notes(), []
    for one in kept:
        _check_head(one.begun, notes)
        notes.take(*one.notes.found)
        rules.append(_rule(one))
    for line_notes in {id(one.begun.notes): one.begun.notes for one in kept}.values():
        notes.take(*line_notes.found)
    return Read(tuple(rules), notes, tuple((one.begun.at, one.begun.end) for one in kept))


def _rule(one: _Reading) -> Rule:
    begun, node = one.begun, one.node
    if node is not None and node == Series((), node.at):
        node = None
    return Rule(begun.plain, node, begun.at, begun.end, begun.sign == "=/")


def _check_head(one: Begun, notes: Notes) -> None:
    if one.is_bracketed:
        message = "ABNF writes rule names without angle brackets. Leave `<` and `>` out."
        notes.wrong("brackets", one.at, message, "RFC 5234 section 2.1")
    if one.sign not in ("=", "=/"):
        message = f"ABNF defines a rule with `=`. Write it in place of `{one.sign}`."
        notes.wrong("equals", one.start - len(one.sign), message, "RFC 5234 section 2.2")
    _check_name(one, notes)


def _check_name(one: Begun, notes: Notes) -> None:
    odd = sorted({c for c in one.plain if not (c.isascii() and c.isalnum()) and c != "-"})
    source, name = "RFC 5234 section 2.1", spell_text(one.plain)
    legal = "A rule name has letters, digits and hyphens, and begins with a letter."
    if " " in one.name.strip("<> "):
        message = f"The rule name {spell_text(one.name)} has a space. {legal} Write {name}."
        notes.wrong("rule-name", one.at, message, source)
    elif odd:
        fix = spell_text("".join("-" if c in odd else c for c in one.plain))
        message = f"{name} is no legal rule name, since it has `{odd[0]}`. {legal} Write {fix}."
        notes.wrong("rule-name", one.at, message, source)
    elif not one.plain[:1].isalpha():
        notes.wrong("rule-name", one.at, f"{name} is no legal rule name. {legal}", source)
