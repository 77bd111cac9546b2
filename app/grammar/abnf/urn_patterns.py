"""URNs with placeholders, ``urn:example:{year}:<number>``, read as a rule."""

import re
from collections.abc import Collection, Iterator, Sequence

from app.grammar.abnf.elements import ElementSequence, Literal, Node, Rule, RuleReference
from app.grammar.abnf.rule_reader import leaf_nodes

_PATTERN = re.compile(
    r"(?<![A-Za-z0-9:/+.\"-])(urn:[A-Za-z0-9-]{2,32}:)"
    r"((?:[A-Za-z0-9:/.~_-]{0,60}(?:<[A-Za-z][A-Za-z0-9 _-]*>|\{[A-Za-z][A-Za-z0-9 _-]*\}))+"
    r"[A-Za-z0-9:/.~_-]{0,60})",
    re.IGNORECASE,
)
_PIECE = re.compile(r"<([^<>]*)>|\{([^{}]*)\}|([^<>{}]+)")


def find_pattern(text: str, names: Collection[str]) -> Rule | None:
    """The first pattern of which every placeholder is one of these rules; None without one.

    Source: RFC 8141 section 6.4.2.
    """
    for found in _PATTERN.finditer(text):
        parts = tuple(_parts(found))
        asked = {part.name.lower() for part in parts if isinstance(part, RuleReference)}
        if asked <= set(names):
            nid = found[1].split(":")[1].lower()
            node = ElementSequence(parts, found.start())
            return Rule(f"{nid}-urn", node, found.start(), found.end())
    return None


def with_pattern(text: str, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules of a text, with a URN with placeholders as one more where none is of whole URNs.

    Source: RFC 8141 section 6.4.2.
    """
    nodes = [rule.node for rule in rules if rule.node]
    literals = [leaf for node in nodes for leaf in leaf_nodes(node) if isinstance(leaf, Literal)]
    if any(re.match(r"urn(:|$)", literal.text, re.IGNORECASE) for literal in literals):
        return tuple(rules)
    pattern = find_pattern(text, {rule.key for rule in rules})
    return (*rules, pattern) if pattern else tuple(rules)


def _parts(found: re.Match[str]) -> Iterator[Node]:
    yield Literal(found[1], False, found.start())
    for piece in _PIECE.finditer(found[2].rstrip(".,;:")):
        at = found.start(2) + piece.start()
        name = piece[1] or piece[2]
        yield RuleReference("-".join(name.split()), at) if name else Literal(piece[3], False, at)
