"""The rules of a text: what only looks like a rule, such as an equation in prose, is left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.grammar.abnf.elements import (
    ElementSequence,
    Node,
    ProseValue,
    Rule,
    RuleReference,
    leaf_nodes,
)
from app.grammar.abnf.lexer import Diagnostics, Lexer, Token
from app.grammar.abnf.parser import MOST_DEEP, NestingError, Parser
from app.grammar.abnf.rule_extraction import (
    MOST_RULES,
    RuleCandidate,
    names_known_to,
    rule_candidates,
)
from app.grammar.budget import Budget, BudgetExceeded
from app.identifiers.errors import spell_text

MOST_PIECES = 100_000
UNREAD = "too long"


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """The rules of a text in its order, what was noted, and where their text stands."""

    rules: tuple[Rule, ...]
    notes: Diagnostics
    spans: tuple[tuple[int, int], ...]


def read_rules(text: str, section: tuple[int, int] | None = None) -> ParsedRules:
    """Return the rules in a text, in ABNF or a similar notation, and how to fix them.

    Source: RFC 5234 sections 2 to 4; RFC 7405.
    """
    begun = rule_candidates(text)[:MOST_RULES]
    budget = Budget(MOST_PIECES)
    masked = _masked(text, begun)
    for _ in range(4):  # what is left out may have been the only use of another
        names = frozenset(one.key for one in begun)
        read = [_ParsedRule(one, *_definition(masked, one, names, budget)) for one in begun]
        kept = _kept(text, read, names, section or (0, len(text)))
        if len(kept) == len(begun):
            break
        begun = [one.begun for one in kept]
    return _result(kept if begun else [])


def _masked(text: str, begun: list[RuleCandidate]) -> str:
    """The text with what belongs to no definition made blank, so that places stay."""
    pieces, at = [], 0
    for start, end in sorted({span for one in begun for span in one.hidden}):
        if start >= at:
            pieces += [text[at:start], " " * (end - start - 1), "\n" if end > start else ""]
            at = end
    return "".join([*pieces, text[at:]])


@dataclass(frozen=True, slots=True)
class _ParsedRule:
    begun: RuleCandidate
    node: Node | None
    notes: Diagnostics


def _definition(
    text: str, one: RuleCandidate, names: frozenset[str], budget: Budget
) -> tuple[Node | None, Diagnostics]:
    notes = Diagnostics()
    tokens = Lexer(text, names, notes, one.is_bracketed).read(one.start, one.end)
    try:
        node = Parser(_counted(tokens, budget), one.start, notes).read()
    except BudgetExceeded:
        message = "The rules are too long. The rest was not checked."
        notes.wrong("too-long", one.start, message, "RFC 5234 section 4")
        return ProseValue(UNREAD, one.start), notes
    except NestingError:
        message = (
            f"Brackets are nested more than {MOST_DEEP} levels deep. Move the inner part into "
            "its own rule."
        )
        notes.wrong("too-deep", one.start, message, "RFC 5234 section 3.5")
        return ProseValue(UNREAD, one.start), notes
    return node, notes


def _counted(tokens: Iterator[Token], budget: Budget) -> Iterator[Token]:
    for token in tokens:
        budget.spend()
        yield token


def _kept(
    text: str, read: list[_ParsedRule], names: frozenset[str], section: tuple[int, int]
) -> list[_ParsedRule]:
    used = Counter(
        name.lower()
        for one in read
        if one.node
        for name in {named.name for named in rule_names_in(one.node)}
        if name.lower() != one.begun.key
    )
    start, end = section
    inside = [one.begun for one in read if start <= one.begun.at < end]
    bare = {id(one) for one in inside} if _is_bare(text, inside, section) else frozenset()
    known = names | names_known_to(text)
    return [one for one in read if _is_rule(one, known, used, id(one.begun) in bare)]


def _is_bare(text: str, begun: list[RuleCandidate], section: tuple[int, int]) -> bool:
    at, rest = section[0], []
    for one in begun:
        rest.append(text[at : one.at])
        at = max(at, one.end)
    lines = "".join([*rest, text[at : section[1]]]).split("\n")
    return all(not line.strip("-*•+`> \t\r\f") or line.lstrip()[0] == ";" for line in lines)


def _is_rule(one: _ParsedRule, names: frozenset[str], used: Counter[str], is_bare: bool) -> bool:
    begun, is_used = one.begun, used[one.begun.key] > 0
    junk = sum(note.code in ("mark", "unquoted") for note in one.notes.found)
    # Nothing stands behind the sign: `part =` is a rule that somebody began where another rule
    # names `part`; in prose, `empty =` on a line of its own is none, but nobody writes `::=` there.
    if one.node is None or one.node == ElementSequence((), one.node.at):
        return is_used or is_bare or begun.sign == "::=" or _is_too_deep(one)
    # `guide = Guide` in a list of meanings explains a word by itself.
    if not is_bare and all(name.lower() == begun.key for name in _leaf_names(one.node)):
        return False
    counted = _count(one.node, names)
    # A word that should stand in quotation marks is read as a literal, and proves nothing.
    counted.strong -= sum(note.code == "unquoted" for note in one.notes.found)
    # Arrows stand in prose as well: `foo -> bar` tells of a redirection. An arrow makes a rule only
    # where quoted text or a range follows it and another rule uses its name.
    if begun.sign in ("->", "→") and not (counted.strong and is_used):
        return False
    # `href="x"` is an attribute of markup, though it is spelled like a rule with one literal. Among
    # rules alone, `x="y"` is taken for one, unless `<` shows that a tag begins there.
    if not begun.is_spaced and not is_used and counted.strong == counted.all == 1:
        return is_bare and "<" not in begun.name
    # Where a text has nothing but rules, `area = width height` is one too; not where more of it is
    # stray marks than elements.
    if is_bare and junk <= counted.all:
        return True
    # Quoted text and ranges are what prose does not have: `id = 1*DIGIT ":" part`. Each vouches for
    # three words that nothing defines, so `x = "a" or any other word that is allowed` is prose.
    if counted.strong > 0:
        return counted.unknown <= 3 * counted.strong + counted.known and junk <= counted.all
    # `part = digits letters`, named by another rule, is one where most of its words are rules.
    if is_used and counted.known:
        return junk <= counted.all and counted.unknown <= counted.known
    # `part = a thing` says in words what another rule names: two words and not more, or else
    # the sentence `part = what its registrant chose` would be a rule of four unknown names.
    return junk == 0 and (counted.unknown == 0 or (is_used and counted.unknown <= 2))


def _leaf_names(node: Node) -> Iterator[str]:
    return (leaf.name if isinstance(leaf, RuleReference) else "" for leaf in leaf_nodes(node))


def _is_too_deep(one: _ParsedRule) -> bool:
    return any(note.code in ("too-deep", "too-long") for note in one.notes.found)


@dataclass(slots=True)
class _ElementCount:
    strong: int = 0
    known: int = 0
    unknown: int = 0

    @property
    def all(self) -> int:
        return self.strong + self.known + self.unknown


def _count(node: Node, names: frozenset[str]) -> _ElementCount:
    counted = _ElementCount()
    for leaf in leaf_nodes(node):
        if not isinstance(leaf, RuleReference):
            counted.strong += 1
        elif leaf.name.lower() in names:
            counted.known += 1
        else:
            counted.unknown += 1
    return counted


def rule_names_in(node: Node) -> Iterator[RuleReference]:
    return (leaf for leaf in leaf_nodes(node) if isinstance(leaf, RuleReference))


def _result(kept: list[_ParsedRule]) -> ParsedRules:
    notes, rules = Diagnostics(), []
    for one in kept:
        _check_head(one.begun, notes)
        notes.take(*one.notes.found)
        rules.append(_rule(one))
    for line_notes in {id(one.begun.notes): one.begun.notes for one in kept}.values():
        notes.take(*line_notes.found)
    return ParsedRules(tuple(rules), notes, tuple((one.begun.at, one.begun.end) for one in kept))


def _rule(one: _ParsedRule) -> Rule:
    begun, node = one.begun, one.node
    if node is not None and node == ElementSequence((), node.at):
        node = None
    return Rule(begun.plain, node, begun.at, begun.end, begun.sign == "=/")


def _check_head(one: RuleCandidate, notes: Diagnostics) -> None:
    if one.is_bracketed:
        message = "Rule names in ABNF have no angle brackets. Remove `<` and `>`."
        notes.wrong("brackets", one.at, message, "RFC 5234 section 2.1")
    if one.sign not in ("=", "=/"):
        message = f"ABNF defines a rule with `=`. Replace `{one.sign}`."
        notes.wrong("equals", one.start - len(one.sign), message, "RFC 5234 section 2.2")
    _check_name(one, notes)


def _check_name(one: RuleCandidate, notes: Diagnostics) -> None:
    odd = sorted({c for c in one.plain if not (c.isascii() and c.isalnum()) and c != "-"})
    source, name = "RFC 5234 section 2.1", spell_text(one.plain)
    legal = "Use letters, digits and hyphens, starting with a letter."
    if " " in one.name.strip("<> "):
        message = f"The rule name {spell_text(one.name)} has a space. {legal} For example: {name}."
        notes.wrong("rule-name", one.at, message, source)
    elif odd:
        fix = spell_text("".join("-" if c in odd else c for c in one.plain))
        message = f"The rule name {name} contains `{odd[0]}`. {legal} For example: {fix}."
        notes.wrong("rule-name", one.at, message, source)
    elif not one.plain[:1].isalpha():
        notes.wrong("rule-name", one.at, f"{name} isn't a valid rule name. {legal}", source)
