"""Where the words of a text and what it writes formally say different things."""

import re
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from itertools import islice

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.abnf.elements import Literal, Rule
from app.grammar.abnf.rule_reader import leaves

_SYNTAX = "RFC 8141 section 6.4.2"
_SENTENCE = re.compile(r"[^.;]+")
_LONGEST_SENTENCE = 1_000
_DEMANDS = re.compile(
    r"\b(?:must|shall|only|always)\b[^.;]*\b(?:upper|lower)[- ]?case\b|\bis case[- ]sensitive\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“‘'`]([A-Za-z]{1,8})[\"”’'`]")
_PLACEHOLDERS = re.compile(
    r"(?:urn:|(?<=\s))(?:[A-Za-z0-9:/.-]{0,60}\{[A-Za-z][A-Za-z0-9 _-]*\}){2,}", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9 _-]*)\}")
_SOURCE = re.compile(
    r"[\"“‘'`]([A-Za-z][A-Za-z0-9-]*)[\"”’'`]\s+(?:(?:rule|ABNF)\s+)?(?:as\s+|is\s+)?defined\s+(?:in|by)"
    r"\s+\[?RFC[ -]?([0-9]{4})"
)
_READ = frozenset({"3986", "5234", "8141"})  # of these it is known what they define
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]")
_QUOTED_WORD = re.compile(r"[\"“‘'`]([A-Za-z][A-Za-z0-9_-]+)[\"”’'`]")
_LIKE, _SHORTEST = 0.85, 7
_MOST, _MOST_WORDS = 20, 2_000
_LONGEST = 200_000

Spans = Collection[tuple[int, int]]


def check_case(text: str, rules: Iterable[Rule], taken: Spans) -> Iterator[Diagnostic]:
    """Literals that match in both cases, of which a sentence of the text asks for one.

    Source: RFC 5234 section 2.3; RFC 7405.
    """
    asked = set(_asked(text[:_LONGEST], taken))
    for rule in rules:
        for leaf in leaves(rule.node) if rule.node else ():
            if isinstance(leaf, Literal) and not leaf.sensitive and leaf.text in asked:
                other = leaf.text.swapcase()
                message = (
                    f'The literal `"{leaf.text}"` matches `{other}` too, and the text asks for '
                    f'one case. Write `%s"{leaf.text}"`.'
                )
                yield Diagnostic("case", leaf.at, message, "RFC 7405 section 2", is_problem=False)


def _asked(text: str, taken: Spans) -> Iterator[str]:
    """The letters in quotes of which a sentence outside the rules says what case they have."""
    for sentence in _SENTENCE.finditer(_outside(text, taken, ";")):
        if len(sentence[0]) < _LONGEST_SENTENCE and _DEMANDS.search(sentence[0]):
            yield from _QUOTED.findall(sentence[0])


def check_sources(text: str, used: Collection[Rule]) -> Iterator[Diagnostic]:
    """Known rules that the text says to be defined where they are not.

    Source: RFC 8141 section 6.4.2.
    """
    origins = {rule.key: rule.origin for rule in used}
    for found in _SOURCE.finditer(text[:_LONGEST]):
        origin = origins.get(found[1].lower(), "")
        told = f"RFC {found[2]} "
        if origin and found[2] in _READ and not origin.startswith(told):
            message = f"`{found[1]}` is defined in {origin}, not in RFC {found[2]}."
            yield Diagnostic("other-source", found.start(1), message, _SYNTAX, is_problem=False)


def check_placeholders(text: str) -> Iterator[Diagnostic]:
    """Placeholders of a pattern that the text explains by another spelling of their name.

    Source: RFC 8141 section 6.4.2.
    """
    patterns = list(_PLACEHOLDERS.finditer(text[:_LONGEST]))
    if not patterns:
        return
    outside = _outside(text[:_LONGEST], [one.span() for one in patterns], " ")
    explained = {word.lower(): word for word in _WORD.findall(outside) if len(word) >= _SHORTEST}
    quoted = {word.lower() for word in _QUOTED_WORD.findall(outside)}
    inside = {found[1].lower() for one in patterns for found in _PLACEHOLDER.finditer(one[0])}
    spare = sorted(word for word in explained if word not in inside)[:_MOST_WORDS]
    for pattern in patterns[:_MOST]:
        for found in islice(_PLACEHOLDER.finditer(pattern[0]), _MOST):
            name = found[1].lower()
            if name in explained or len(name) < _SHORTEST:
                continue
            near = get_close_matches(name, spare, 1, _LIKE)
            near = near or [word for word in spare if word in quoted and word.startswith(name)]
            if near:
                message = (
                    f"The pattern has `{found[1]}`, and the text explains "
                    f"`{explained[near[0]]}`. Use one name."
                )
                at = pattern.start() + found.start(1)
                yield Diagnostic("placeholder", at, message, _SYNTAX, is_problem=False)


def _outside(text: str, taken: Spans, instead: str) -> str:
    """The text with something else where these places are."""
    pieces, at = [], 0
    for start, end in sorted(taken):
        pieces += [text[at:start], instead]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
