"""Namespaces by their names and the words of their titles, however misspelt or unfinished."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from app.exports.search.search_terms import SAY_NOTHING, fold_text, words_of
from app.exports.search.suggestions import Suggestion
from app.resolution.rule_books import FAR, edits_between

MOST_WORDS = 8  # of a query
_SHORTEST = 3  # characters of a word that says something
_SHORTEST_MISSPELT = 4
_SHORTEST_FAR = 6  # of a word that two edits may have made of another
_SHORTEST_TITLE = 8
_LONGEST = 40
_BEGUN, EDIT = 1, 2  # what stands for less than all of a word costs half an edit


class TitleHit(NamedTuple):
    """A namespace that a query may mean, and how far it is from it, in half edits."""

    cost: int
    suggestion: Suggestion


class TitleIndex:
    """Names, titles, and what is named, ready to be asked for by words.

    A word is found as well where one edit makes it of another: each is kept by what is left of it
    without any one of its characters, so that few are compared. What is two edits away is looked
    for where nothing is nearer.
    """

    def __init__(self, suggestions: Iterable[Suggestion]) -> None:
        self._suggestions = tuple(suggestions)
        self._having: defaultdict[str, set[int]] = defaultdict(set)
        self._shortened: defaultdict[str, set[str]] = defaultdict(set)
        self._whole: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        for at, one in enumerate(self._suggestions):
            for word in _spellings(f"{one.nid} {one.title} {one.names}"):
                self._having[word].add(at)
            title = "".join(words_of(one.title))
            self._whole[len(title)].append((title, at))
        for word in self._having:
            for shorter in _shortened(word):
                self._shortened[shorter].add(word)
        self._sorted = sorted(self._having)
        self._letters = [(word, _letters(word)) for word in self._sorted if len(word) > _SHORTEST]

    def find(self, query: str, most: int) -> tuple[Suggestion, ...]:
        """Those with the most of the words of a query, the best first."""
        hits = best_hits(self.hits(query), query)
        return tuple(hit.suggestion for hit in hits[:most])

    def hits(self, query: str) -> list[TitleHit]:
        """All that have a word of a query, or nearly its words for a title."""
        if not self._suggestions:
            return []
        explained = Counter[int]()
        spelt = _spellings(query)
        for word in [word for word in spelt if len(word) >= _SHORTEST][:MOST_WORDS]:
            for at, cost in self._costs(word).items():
                explained[at] += EDIT * len(word) - cost
        for word in [word for word in spelt if len(word) < _SHORTEST][:MOST_WORDS]:
            for at in self._having.get(word, set()) & explained.keys():
                explained[at] += EDIT * len(word)
        return self._with_titles(query, explained)

    def _with_titles(self, query: str, explained: Counter[int]) -> list[TitleHit]:
        all_of_it = EDIT * characters_in(query)
        costs = {at: max(0, all_of_it - found) for at, found in explained.items()}
        for at, edits in self._titled("".join(words_of(query))):
            costs[at] = min(EDIT * edits, costs.get(at, EDIT * edits))
        return [TitleHit(cost, self._suggestions[at]) for at, cost in sorted(costs.items())]

    def _titled(self, compact: str) -> Iterator[tuple[int, int]]:
        """The titles that are nearly all of what was asked for, and by how many edits."""
        if not _SHORTEST_TITLE <= len(compact) <= 4 * _LONGEST:
            return
        for length in range(len(compact) - FAR, len(compact) + FAR + 1):
            for title, at in self._whole.get(length, ()):
                edits = edits_between(compact, title)
                if edits is not None:
                    yield at, edits

    def _costs(self, word: str) -> dict[int, int]:
        """The places of a word, of those that begin with it, and of those that are like it."""
        costs: dict[int, int] = {}
        for other, cost in self._like(word) or self._far(word):
            for at in self._having[other]:
                costs[at] = min(cost, costs.get(at, cost))
        return costs

    def _like(self, word: str) -> list[tuple[str, int]]:
        like = [(other, _BEGUN * (other != word)) for other in self._begun(word)]
        if len(word) < _SHORTEST_MISSPELT:
            return like
        near = {other for shorter in _shortened(word) for other in self._shortened.get(shorter, ())}
        longer = (other for other in near if len(other) >= _SHORTEST_MISSPELT)
        return like + [(other, cost) for other, cost in _edited(word, longer) if cost <= EDIT]

    def _begun(self, word: str) -> Iterator[str]:
        at = bisect_left(self._sorted, word)
        while at < len(self._sorted) and self._sorted[at].startswith(word):
            yield self._sorted[at]
            at += 1

    def _far(self, word: str) -> list[tuple[str, int]]:
        if len(word) < _SHORTEST_FAR:
            return []
        # an edit puts one letter in the place of another: few words have so many in common
        letters, most = _letters(word), 2 * FAR
        few = (other for other, has in self._letters if (has ^ letters).bit_count() <= most)
        return list(_edited(word, few))


def best_hits(hits: Iterable[TitleHit], query: str) -> list[TitleHit]:
    """Those that leave no more than half as much of a query as the best, the best first."""
    ranked = sorted(hits, key=lambda hit: hit.cost)
    if not ranked:
        return []
    all_of_it = EDIT * characters_in(query)
    least = (all_of_it - ranked[0].cost) / 2
    return [hit for hit in ranked if all_of_it - hit.cost >= least]


def characters_in(query: str) -> int:
    """How many characters the words of a query have."""
    return sum(map(len, words_of(query)))


def words_asked(text: str) -> list[str]:
    """The words of a text that say something, folded, each once."""
    words = (word for word in words_of(text) if _SHORTEST <= len(word) <= _LONGEST)
    return [word for word in dict.fromkeys(words) if word not in SAY_NOTHING]


def _spellings(text: str) -> list[str]:
    """The words of a text that say something, and those that hyphens join in one: ``wifi``."""
    joined = ("".join(words_of(piece)) for piece in fold_text(text).split() if "-" in piece)
    words = (word for word in (*words_of(text), *joined) if 0 < len(word) <= _LONGEST)
    return [word for word in dict.fromkeys(words) if word not in SAY_NOTHING]


def _edited(word: str, others: Iterable[str]) -> Iterator[tuple[str, int]]:
    for other in others:
        edits = edits_between(word, other)
        if edits:
            yield other, EDIT * edits


def _letters(word: str) -> int:
    """The set of a word's letters as bits; some share one, which lets a few more be compared."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def _shortened(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
