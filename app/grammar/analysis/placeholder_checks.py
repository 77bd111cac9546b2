"""Placeholders of a pattern, ``urn:example:{num}``, that the text explains by other names."""

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from app.grammar.abnf.diagnostics import Diagnostic

_SYNTAX = "RFC 8141 section 6.4.2"
_LONGEST = 200_000
_MOST, _MOST_WORDS = 20, 2_000
_LIKE, _SHORTEST = 0.85, 7
_BEFORE = r"[A-Za-z0-9:/.~_-]{0,60}"
_HOLDER = r"(?:\{[A-Za-z][A-Za-z0-9 _-]{0,60}\}|<[A-Za-z][A-Za-z0-9 _-]{0,60}>)"
_PATTERN = re.compile(
    rf"(?<![\"“])urn:(?:{_BEFORE}{_HOLDER})+"
    rf"|(?<=\s)(?:{_BEFORE}\{{[A-Za-z][A-Za-z0-9 _-]*\}}){{2,}}",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"[{<]([A-Za-z][A-Za-z0-9 _-]*)[}>]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]|[A-Za-z]")
_QUOTED_WORD = re.compile(r"[\"“‘'`]([A-Za-z][A-Za-z0-9_-]+)[\"”’'`]")
# `"number" is`, `{number}: `, `- number - `, `where number is`
_HEAD = re.compile(
    r"(?:^[ \t>]*(?:[-*•+o][ \t]+|[0-9a-z][.)][ \t]+)?|\b(?:where|and|while)\s+|[,;.]\s+)"
    r"(?:(?:the|a|an|each)\s+)?"
    r"(?P<open>[\"“‘'`<{]?)(?P<name>[A-Za-z][A-Za-z0-9_-]{0,60})(?P<close>[\"”’'`>}]?)"
    r"\s{0,20}(?P<sign>:|=|[–—-](?=\s)|\b(?:is|are|consists|means|denotes|identifies|stands|"
    r"represents)\b)",
    re.IGNORECASE | re.MULTILINE,
)


class _Explanation(NamedTuple):
    name: str
    form: tuple[str, str]

    @property
    def is_marked(self) -> bool:
        return bool(self.form[0]) or not self.form[1].isalpha()


def check_placeholders(text: str) -> Iterator[Diagnostic]:
    """Placeholders of a pattern that the text explains by another spelling or another name. By
    another spelling: ``local-id`` and ``local-identifier``, ``num`` and ``number``.

    Source: RFC 8141 section 6.4.2.
    """
    text = text[:_LONGEST]
    patterns = list(islice(_PATTERN.finditer(text), _MOST))
    if patterns:
        checking = _PlaceholderCheck(text, patterns)
        for pattern in patterns:
            yield from checking.notes(pattern)


class _PlaceholderCheck:
    def __init__(self, text: str, patterns: list[re.Match[str]]) -> None:
        outside = _outside(text, [one.span() for one in patterns])
        self._words = {word.lower(): word for word in _WORD.findall(outside)}
        self._phrases = " ".join(outside.lower().split())
        self._quoted = {word.lower() for word in _QUOTED_WORD.findall(outside)}
        self._inside = {
            found[1].lower() for one in patterns for found in _PLACEHOLDER.finditer(one[0])
        }
        self._spare = sorted(
            word for word in self._words if len(word) >= _SHORTEST and word not in self._inside
        )[:_MOST_WORDS]
        self._said = [
            _Explanation(found["name"], (found["open"], found["sign"].lower()))
            for found in islice(_HEAD.finditer(outside), _MOST_WORDS)
        ]

    def notes(self, pattern: re.Match[str]) -> Iterator[Diagnostic]:
        holders = list(islice(_PLACEHOLDER.finditer(pattern[0]), _MOST))
        names = list(dict.fromkeys(one[1].lower() for one in holders))
        missing = [name for name in names if not self._is_mentioned(name)]
        for holder in holders:
            name = holder[1].lower()
            if name not in missing:
                continue
            if other := self._spelled_otherwise(name) or self._left_over(names, missing):
                message = (
                    f"The pattern uses `{holder[1]}`, but the text explains `{other}`. Use the "
                    "same name."
                )
                at = pattern.start() + holder.start(1)
                yield Diagnostic("placeholder", at, message, _SYNTAX, is_problem=False)

    def _is_mentioned(self, name: str) -> bool:
        return name in self._words or (" " in name and name in self._phrases)

    def _spelled_otherwise(self, name: str) -> str:
        is_long = len(name) >= _SHORTEST
        near: list[str] = list(get_close_matches(name, self._spare, 1, _LIKE)) if is_long else []
        near = near or [
            word
            for word in self._spare
            if is_long and word in self._quoted and word.startswith(name)
        ]
        near = near or [one.name for one in self._other() if _is_short_for(name, one.name.lower())]
        return self._words.get(near[0].lower(), near[0]) if near else ""

    def _left_over(self, names: list[str], missing: list[str]) -> str:
        forms = {one.form for one in self._said if one.name.lower() in names and one.is_marked}
        left = {one.name.lower(): one.name for one in self._other() if one.form in forms}
        return next(iter(left.values())) if len(missing) == len(left) == 1 else ""

    def _other(self) -> Iterator[_Explanation]:
        return (one for one in self._said if one.name.lower() not in self._inside)


def _is_short_for(name: str, word: str) -> bool:
    return 2 <= len(name) < len(word) and word.startswith(name)


def _outside(text: str, taken: Collection[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in sorted(taken):
        pieces += [text[at:start], " "]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
