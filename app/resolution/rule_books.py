"""Books of rules: the lines that an edition publishes, read when a namespace is asked for."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from app.identifiers.nid_index import NidIndex, fold_nid
from app.identifiers.urn_grammar import NID_LONGEST
from app.registration.declarations.identifier_spaces import NameIndex
from app.resolution.namespace_rules import NamespaceRules, rule_lines, rules_from
from app.resolution.rule_lines import RuleLines

_FEW = 2_000  # names, all of which are compared
FAR = 2  # edits
_SHORTEST_FAR = 5  # characters: two edits make of three nearly any other three
_PLAIN = ("name", "kind", "status", "successor", "title", "names")  # members that are mere words


class LineRuleBook:
    """The rules of an edition from its lines; each is read when it is first asked for.

    Any number of threads may ask at once. Raises ValueError for lines that are no rules.
    """

    def __init__(self, lines: bytes) -> None:
        self._rules = RuleLines(lines, "nid", _rules)
        self.find = self._rules.find

    def nearest(self, folded: str) -> tuple[str, ...]:
        return nearest_names(folded, self._index)

    @cached_property
    def _index(self) -> NidIndex:
        return NidIndex(self._rules.places)


def _rules(document: Mapping[str, Any]) -> NamespaceRules:
    try:
        return rules_from(document)
    except (ValueError, TypeError, KeyError):
        return rules_from({name: document[name] for name in _PLAIN if name in document})


def similar_names(folded: str, index: NameIndex) -> tuple[str, ...]:
    """Names that a name may have been meant for, folded: itself, those that read the same, and
    those that one edit makes of it."""
    if not 0 < len(folded) <= NID_LONGEST:
        return ()
    itself = index.find_registered(folded)
    near = [*index.find_look_alikes(folded), *index.find_one_edit_away(folded)]
    return tuple(dict.fromkeys(fold_nid(name) for name in (itself, *near) if name))


def nearest_names(folded: str, index: NameIndex) -> tuple[str, ...]:
    """Names that a folded name may have been meant for, the nearest first. ``similar_names``, and
    those that two edits make of a longer one, where the names are few."""
    near = similar_names(folded, index)
    if len(index) <= _FEW and _SHORTEST_FAR <= len(folded) <= NID_LONGEST:
        near += tuple(sorted(n for n in index if edits_between(folded, n) is not None))
    return tuple(dict.fromkeys(near))


def edits_between(one: str, other: str) -> int | None:
    """How many edits make one text of another, up to ``FAR``; None where more do."""
    if abs(len(one) - len(other)) > FAR or not set(one) & set(other):
        return None
    row = list(range(len(other) + 1))
    above = row
    for at, character in enumerate(one, 1):
        # what stands further from the diagonal is too far: strangers ask, and of all names
        before, above, row = above, row, [at] + [FAR + 1] * len(other)
        for to in range(max(1, at - FAR), min(len(other), at + FAR) + 1):
            change = above[to - 1] + (character != other[to - 1])
            row[to] = min(above[to] + 1, row[to - 1] + 1, change)
            if at > 1 and to > 1 and character == other[to - 2] and one[at - 2] == other[to - 1]:
                row[to] = min(row[to], before[to - 2] + 1)
        if min(row) > FAR:
            return None
    return row[-1] if row[-1] <= FAR else None


def book_of(rules: Iterable[NamespaceRules] | Mapping[str, NamespaceRules]) -> LineRuleBook:
    listed = rules.values() if isinstance(rules, Mapping) else rules
    return LineRuleBook(rule_lines((one.name.lower(), one) for one in listed))
