"""Namespaces by the words of their titles, where a word may be misspelt or unfinished."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from app.exports.search.search_terms import words_of
from app.exports.search.suggestions import Suggestion
from app.resolution.rule_books import is_near

MOST_WORDS = 8  # of a query
_SHORTEST = 3  # characters of a word that says something
_SHORTEST_MISSPELT = 4
_LONGEST = 40
_SAY_NOTHING = frozenset({"and", "for", "from", "not", "of", "the", "urn", "with"})
_WHOLE, _BEGUN, _MISSPELT = 4, 3, 2


class TitleIndex:
    """Titles, and what is named, ready to be asked for by words.

    A word is found as well where one edit makes it of another: each is kept by what is left of it
    without any one of its characters, so that few are compared.
    """

    def __init__(self, suggestions: Iterable[Suggestion]) -> None:
        self._suggestions = tuple(suggestions)
        self._having: defaultdict[str, set[int]] = defaultdict(set)
        self._shortened: defaultdict[str, set[str]] = defaultdict(set)
        for at, one in enumerate(self._suggestions):
            for word in words_asked(f"{one.title} {one.names}"):
                self._having[word].add(at)
        for word in self._having:
            for shorter in _shortened(word):
                self._shortened[shorter].add(word)

    def find(self, query: str, most: int) -> tuple[Suggestion, ...]:
        """Those with the most of the words of a query, the best first."""
        scores = Counter[int]()
        for word in words_asked(query)[:MOST_WORDS]:
            scores.update(self._scored(word))
        best = max(scores.values(), default=0)
        ranked = sorted((-score, at) for at, score in scores.items() if 2 * score >= best)
        return tuple(self._suggestions[at] for _, at in ranked[:most])

    def _scored(self, word: str) -> dict[int, int]:
        """The places of a word, of those that begin with it, and of those that are like it."""
        scores: dict[int, int] = {}
        for other, score in self._like(word):
            for at in self._having[other]:
                scores[at] = max(score, scores.get(at, 0))
        return scores

    def _like(self, word: str) -> Iterator[tuple[str, int]]:
        begun = [other for other in self._having if other.startswith(word)]
        yield from ((other, _WHOLE if other == word else _BEGUN) for other in begun)
        if len(word) < _SHORTEST_MISSPELT:
            return
        near = {other for shorter in _shortened(word) for other in self._shortened.get(shorter, ())}
        yield from ((other, _MISSPELT) for other in near if is_near(word, other))


def words_asked(text: str) -> list[str]:
    """The words of a text that say something, folded, each once."""
    words = (word for word in words_of(text) if _SHORTEST <= len(word) <= _LONGEST)
    return [word for word in dict.fromkeys(words) if word not in _SAY_NOTHING]


def _shortened(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
