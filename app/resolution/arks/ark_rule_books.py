"""Books of the rules of NAANs and shoulders: lines of an edition, read when one is asked for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Protocol

from app.identifiers.nid_index import NidIndex
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_rules import (
    ArkRules,
    ark_rule_lines,
    ark_rules_from,
    known_ark_rules_from,
)
from app.resolution.rule_books import similar_names
from app.resolution.rule_lines import RuleLines

_FORMER = Status.FORMER  # a name of its own, since to look one up in an enumeration takes long
_MOST_NEAR = 10


class ArkRuleBook(Protocol):
    """The rules of all NAANs and shoulders of an edition."""

    def find(self, prefix: str) -> ArkRules | None:
        """The rules of ``12345`` or ``12345/x5``, in normal form; None where it has none."""

    def longest(self, path: str) -> ArkRules | None:
        """The rules by which an ARK is led on: those of the longest shoulder that it begins with,
        or else of its NAAN; None where that is not registered.

        ``path`` is the ARK in normal form without ``ark:``.
        """

    def nearest(self, naan: str) -> tuple[str, ...]:
        """NAANs that a NAAN may have been meant for, the nearest first; maybe none."""


class LineArkRuleBook:
    """The rules of an edition from its lines; each is read when it is first asked for.

    Any number of threads may ask at once. Raises ValueError for lines that are no rules.
    """

    def __init__(self, lines: bytes) -> None:
        self._rules = RuleLines(lines, "prefix", _rules)
        self.find = self._rules.find
        self._places = self._rules.places
        self._lengths = _lengths_of(self._places)

    def longest(self, path: str) -> ArkRules | None:
        """The rules by which an ARK is led on; a former shoulder gives way to its NAAN."""
        naan = path.partition("/")[0]
        for length in self._lengths.get(naan, ()):
            if path[:length] in self._places:
                rules = self.find(path[:length])
                if rules is not None and rules.status is not _FORMER:
                    return rules
        return self.find(naan)

    def nearest(self, naan: str) -> tuple[str, ...]:
        near = similar_names(naan, self._index)
        digits = sorted(naan)
        return tuple(sorted(near, key=lambda one: sorted(one) != digits)[:_MOST_NEAR])

    @cached_property
    def _index(self) -> NidIndex:
        return NidIndex(prefix for prefix in self._places if "/" not in prefix)


def _rules(document: Mapping[str, Any]) -> ArkRules:
    if not isinstance(document, Mapping) or "prefix" not in document:
        raise ValueError("A line of the edition doesn't contain rules of a NAAN or a shoulder.")
    try:
        return ark_rules_from(document)
    except (ValueError, KeyError):
        return known_ark_rules_from(document)


def _lengths_of(prefixes: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for prefix in prefixes:
        naan, slash, _ = prefix.partition("/")
        if slash:
            found[naan].add(len(prefix))
    return {naan: tuple(sorted(lengths, reverse=True)) for naan, lengths in found.items()}


def ark_book_of(rules: Iterable[ArkRules]) -> LineArkRuleBook:
    return LineArkRuleBook(ark_rule_lines(rules))
