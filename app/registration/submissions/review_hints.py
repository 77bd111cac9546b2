"""What of a text speaks of the points that reviewers look for: a search for words, no judgement."""

import re
from collections.abc import Mapping
from functools import lru_cache

from app.registration.declarations.fields import Field, Hint

_LONGEST_QUOTE = 90  # characters
_SENTENCE_END = re.compile(r"[.;:!?](?=\s)|\n\s*\n|\Z")
_SENTENCE_BEGIN = re.compile(r"[.;:!?]\s+|\n\s*\n")
_SEARCHED = 64 * 1024


def find_hint_words(field: Field, text: str) -> Mapping[str, str]:
    """For each point of a field the words of a text that may speak of it, by the point's text.

    A quotation is part of one sentence, cut at words where it is long, and "" where no such
    word stands in the text. Words are found by their beginning, in any case.

    Source: RFC 8141 section 6.4, whose points the field lists.
    """
    return {hint.text: _quoted(hint, text[:_SEARCHED]) for hint in field.hints if hint.words}


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    beginnings = (r"\s+".join(map(re.escape, word.split(" "))) for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(beginnings)})|(?:{_signs(words)})", re.IGNORECASE)


def _signs(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in words if not word[0].isalnum()) or r"(?!)"


def _quoted(hint: Hint, text: str) -> str:
    found = _pattern(hint.words).search(text)
    if found is None:
        return ""
    begin, end = _sentence_round(text, found.start(), found.end())
    return _cut(text, begin, found.start(), end)


def _sentence_round(text: str, start: int, stop: int) -> tuple[int, int]:
    before = text[max(0, start - 4 * _LONGEST_QUOTE) : start]
    ends = [match.end() for match in _SENTENCE_BEGIN.finditer(before)]
    begin = start - len(before) + (ends[-1] if ends else 0)
    end = _SENTENCE_END.search(text, stop, min(len(text), stop + 4 * _LONGEST_QUOTE))
    return begin, end.end() if end else stop + _LONGEST_QUOTE


def _cut(text: str, begin: int, found: int, end: int) -> str:
    if end - begin > _LONGEST_QUOTE:
        begin = max(begin, found - _LONGEST_QUOTE // 3)
        shown = text[begin : begin + _LONGEST_QUOTE]
        if begin and not text[begin - 1].isspace():
            shown = shown.partition(" ")[2] if " " in shown[: found - begin] else shown
        cut_end = begin + _LONGEST_QUOTE < end
        if cut_end and " " in shown.strip():
            shown = shown.rpartition(" ")[0]
        return f"{' '.join(shown.split())}{'…' if cut_end else ''}"
    return " ".join(text[begin:end].split())
