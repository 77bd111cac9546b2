"""Full-text search over the registry's entries: by stems, synonyms, beginnings and near spellings.

An index is built in memory, once per edition, from some thousand short documents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import pairwise
from math import log
from typing import NamedTuple

from app.exports.search.search_terms import fold_text, words_of
from app.exports.search.word_forms import (
    COMMON_STEMS,
    FILLER_WORDS,
    QUESTION_WORDS,
    SYNONYMS,
    stem,
)
from app.identifiers.nid import one_edit_away
from app.resolution.namespace_rules import edits_between

MOST_WORDS = 8  # of a query
_LONGEST_WORD = 40
_SHORTEST_BEGINNING = 3  # characters of a word that other words may begin with
_SHORTEST_MISSPELT = 4
_SHORT = 4  # words with fewer characters may be a part of one: "wi fi"
_SHORTEST_FAR = 7  # of a word with two typing errors
_EXACT, _STEM, _SYNONYM = 1.0, 0.95, 0.75  # how well a word matches
_BEGINNING, _SWAPPED, _ONE_EDIT, _TWO_EDITS = 0.6, 0.7, 0.6, 0.4
_COMMON_WEIGHT = 0.1  # of "identifier", "number", "registry"
_OTHER_FIELDS = 0.3  # of a match in a second field
_FAR_BEHIND = 0.12  # hits below this share of the best score are left out
_MORE_USUAL = 8  # times as many entries have a word that a rare one may be misspelt for
_PART = re.compile(r"[0-9]+|[^\W\d_]+")


class SearchField(NamedTuple):
    """A text of an entry: its label on the results page, and how much a match in it counts."""

    label: str
    text: str
    weight: float


class SearchDocument(NamedTuple):
    """An entry as it is searched. ``table`` and ``name`` (folded) identify it."""

    table: str
    name: str
    fields: tuple[SearchField, ...]


class WordHit(NamedTuple):
    """A document found by a query.

    ``words`` are the folded words that match, each with the word of the query. ``fields`` are the
    fields with a match, the best first. ``is_near`` means that only similar spellings match.
    """

    document: SearchDocument
    score: float
    words: Mapping[str, str]
    fields: tuple[SearchField, ...]
    is_near: bool


class _Posting(NamedTuple):
    document: int
    field: int
    times: int


class WordIndex:
    """Documents, ready to be searched by words."""

    def __init__(self, documents: Iterable[SearchDocument]) -> None:
        self._documents = tuple(documents)
        self._postings: defaultdict[str, list[_Posting]] = defaultdict(list)
        self._lengths: dict[tuple[int, int], int] = {}
        for at, document in enumerate(self._documents):
            for number, field in enumerate(document.fields):
                counts = Counter(_words(field.text))
                self._lengths[at, number] = counts.total()
                for word, count in counts.items():
                    self._postings[word].append(_Posting(at, number, count))
        self._forms: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._postings:
            self._forms[stem(word)].append(word)

    def named(self, tables: Iterable[str], names: Iterable[str]) -> tuple[WordHit, ...]:
        """Return the documents with these names in these tables, as hits of their names."""
        wanted = {(table, name): None for name in names for table in tables}
        found = {(one.table, one.name): one for one in self._documents}
        documents = [found[key] for key in wanted if key in found]
        return tuple(WordHit(one, 0, {}, one.fields[:1], is_near=True) for one in documents)

    def characteristic_words(self, text: str, apart: str = "") -> tuple[str, ...]:
        """Return the words of a text that best tell documents apart, the most telling first.

        Only words of other documents than the one with the name ``apart``, and at most as many as
        a query has. Words count more if the text repeats them, if few documents have them, and if
        these have them in an important field, such as the title.
        """
        counts = Counter(word for word in words_of(text) if _tells_apart(word))
        weights: dict[str, float] = {}
        for word, count in counts.items():
            others = {
                (at, self._documents[at].fields[field].weight)
                for at, field, _ in self._postings.get(word, ())
                if self._documents[at].name != apart
            }
            if others:
                frequency = len({at for at, _ in others})
                importance = log(1 + len(self._documents) / frequency)
                weights[word] = count**0.5 * importance * max(weight for _, weight in others)
        ranked = sorted(weights, key=lambda word: -weights[word])
        return tuple({stem(word): word for word in reversed(ranked)}.values())[::-1][:MOST_WORDS]

    def find(
        self, query: str, most: int, tables: Container[str] | None = None, apart: str = ""
    ) -> tuple[WordHit, ...]:
        """Return the best hits for a query in these tables, or in all, the best first.

        Leaves out documents with the name ``apart``.
        """
        asked = self._asked(query)
        scores: defaultdict[int, float] = defaultdict(float)
        covered: defaultdict[int, float] = defaultdict(float)
        fields: defaultdict[int, dict[int, float]] = defaultdict(dict)
        matched: defaultdict[int, dict[str, str]] = defaultdict(dict)
        total, near = 0.0, set[str]()
        for word in asked:
            like, is_near = self._like(word, asked)
            if is_near:
                near.add(word)
            importance = self._importance(word, like)
            total += importance
            for at, by_field in self._matches(like).items():
                values = sorted(by_field.values(), reverse=True)
                scores[at] += importance * (values[0] + _OTHER_FIELDS * sum(values[1:]))
                covered[at] += importance
                for field, value in by_field.items():
                    fields[at][field] = fields[at].get(field, 0) + importance * value
            for other in like:
                for posting in self._postings[other]:
                    matched[posting.document].setdefault(other, word)
        ranked = sorted(
            (
                (score * (covered[at] / total) ** 2, -at)
                for at, score in scores.items()
                if (tables is None or self._documents[at].table in tables)
                and (not apart or self._documents[at].name != apart)
            ),
            reverse=True,
        )[:most]
        return tuple(
            self._hit(-at, score, matched[-at], fields[-at], near)
            for score, at in ranked
            if score >= ranked[0][0] * _FAR_BEHIND
        )

    def _hit(
        self,
        at: int,
        score: float,
        words: Mapping[str, str],
        fields: Mapping[int, float],
        near: set[str],
    ) -> WordHit:
        document = self._documents[at]
        best = sorted(fields, key=lambda number: -fields[number])
        matching = tuple(document.fields[number] for number in best)
        return WordHit(document, score, words, matching, set(words.values()) <= near)

    def _asked(self, query: str) -> list[str]:
        words = list(dict.fromkeys(word[:_LONGEST_WORD] for word in words_of(query)))
        words = words[: 2 * MOST_WORDS]
        said = [word for word in words if word not in QUESTION_WORDS]
        apart = [part for word in said for part in self._parts_of(word)]
        joined = ("".join(pair) for pair in pairwise(said) if min(map(len, pair)) < _SHORT)
        return [*apart, *(word for word in joined if word in self._postings)][:MOST_WORDS]

    def _parts_of(self, word: str) -> tuple[str, ...]:
        known = self._postings
        if word not in known and stem(word) not in self._forms:
            for at in range(_SHORT, len(word) - _SHORT + 1):
                if word[:at] in known and word[at:] in known:
                    return word[:at], word[at:]
        return (word,)

    def _like(self, word: str, asked: Iterable[str] = ()) -> tuple[dict[str, float], bool]:
        found = dict.fromkeys(self._forms.get(stem(word), ()), _STEM)
        if word in found:
            found[word] = _EXACT
        for other in SYNONYMS.get(stem(word), ()):
            forms = (form for form in self._forms.get(other, ()) if form not in {*found, *asked})
            found |= dict.fromkeys(forms, _SYNONYM)
        if len(word) >= _SHORTEST_BEGINNING:
            for other in self._postings:
                if other.startswith(word) and other not in found:
                    found[other] = _BEGINNING * len(word) / len(other)
        misspelt = self._misspelt(word, self._frequency(found)) if _may_be_misspelt(word) else {}
        return {**misspelt, **found}, not found

    def _misspelt(self, word: str, frequency: int) -> dict[str, float]:
        least = frequency * _MORE_USUAL
        near = {
            other: _SWAPPED if sorted(other) == sorted(word) else _ONE_EDIT
            for other in one_edit_away(word, self._postings)
            if len(other) >= _SHORTEST_MISSPELT and self._frequency([other]) > least
        }
        if near or frequency or len(word) < _SHORTEST_FAR:
            return near
        return {
            other: _TWO_EDITS
            for other in self._postings
            if other[0] == word[0]
            and abs(len(other) - len(word)) <= 2
            and edits_between(word, other) is not None
        }

    def _frequency(self, words: Iterable[str]) -> int:
        return len({posting.document for word in words for posting in self._postings[word]})

    def _importance(self, word: str, like: Mapping[str, float]) -> float:
        weight = _COMMON_WEIGHT if stem(word) in COMMON_STEMS else 1
        frequency = self._frequency(like)
        return weight * (log(1 + len(self._documents) / frequency) if frequency else 1)

    def _matches(self, like: Mapping[str, float]) -> dict[int, dict[int, float]]:
        counts: defaultdict[tuple[int, int], float] = defaultdict(float)
        for word, quality in like.items():
            for at, field, times in self._postings[word]:
                counts[at, field] += quality * times
        matches: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for (at, field), count in counts.items():
            length = 1 + log(self._lengths[at, field]) / 4
            weight = self._documents[at].fields[field].weight
            matches[at][field] = weight * 2 * count / (count + 1) / length
        return matches


def _tells_apart(word: str) -> bool:
    is_common = word in QUESTION_WORDS or word in FILLER_WORDS or stem(word) in COMMON_STEMS
    return len(word) > _SHORTEST_BEGINNING and word.isalpha() and not is_common


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= _SHORTEST_MISSPELT and not word.isdecimal()


def _words(text: str) -> Iterator[str]:
    for word in words_of(text):
        yield word[:_LONGEST_WORD]
        if not word.isalpha() and not word.isdecimal():
            yield from _PART.findall(word)
    for piece in fold_text(text).split():
        if "-" in piece and (joined := "".join(words_of(piece))):
            yield joined[:_LONGEST_WORD]
