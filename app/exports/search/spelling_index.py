"""The words by which records are found, and which of them a misspelt word was meant for."""

from collections import Counter
from collections.abc import Iterable, Iterator

from app.exports.search.search_terms import words_of
from app.exports.search.title_index import MOST_WORDS
from app.identifiers.nid_index import one_edit_away

_SHORTEST = 4  # characters: of a shorter word one edit makes nearly any other
_LONGEST = 32
_MOST = 100_000  # different words


class SpellingIndex:
    """Words and how many records have each, ready to be asked for by a word that none has.

    Records are given as the words that they are found by, the name itself first. Parts of names
    are no words.
    """

    def __init__(self, records: Iterable[str]) -> None:
        self._counts = Counter[str]()
        for record in records:
            if len(self._counts) < _MOST:
                self._counts.update(_spoken(record.split()))

    def corrected(self, query: str) -> str:
        """A query with its misspelt words as they are spelt, without those that are like none;
        empty where no word is misspelt. Without one of its words, short ones say nothing more.
        """
        asked = list(words_of(query))[:MOST_WORDS]
        spelt = [self._spelt(word) for word in asked]
        if all(word in ("", other) for word, other in zip(spelt, asked, strict=True)):
            return ""
        least = 1 if all(spelt) else _SHORTEST
        return " ".join(word for word in spelt if len(word) >= least)

    def _spelt(self, word: str) -> str:
        """The word itself, or that of the most records which one edit makes of it, or none."""
        if word in self._counts or not _SHORTEST <= len(word) <= _LONGEST:
            return word if word in self._counts else ""
        near = [other for other in one_edit_away(word, self._counts) if len(other) >= _SHORTEST]
        # of those that are as frequent the longer: what is left out is missed least
        return max(near, key=lambda other: (self._counts[other], len(other), other), default="")


def _spoken(words: list[str]) -> Iterator[str]:
    parts = list(words_of(words[0])) if words else []
    for word in words[1:]:
        if word.isalnum() and not any(part.endswith(word) for part in parts):
            yield word
