"""Where the words of a text and what it writes formally say different things."""

import re
from collections.abc import Collection, Iterable, Iterator

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.abnf.elements import Literal, Rule
from app.grammar.abnf.referred_rules import is_defined_in
from app.grammar.abnf.rule_reader import leaf_nodes

_SYNTAX = "RFC 8141 section 6.4.2"
_SENTENCE = re.compile(r"[^.;]+")
_LONGEST_SENTENCE = 1_000
_DEMANDS = re.compile(
    r"\b(?:must|shall|only|always)\b[^.;]*\b(?:upper|lower)[- ]?case\b|\bis case[- ]sensitive\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“‘'`]([A-Za-z]{1,8})[\"”’'`]")
_SOURCE = re.compile(
    r"[\"“‘'`]([A-Za-z][A-Za-z0-9-]*)[\"”’'`]\s+(?:(?:rule|ABNF)\s+)?(?:as\s+|is\s+)?defined\s+(?:in|by)"
    r"\s+\[?RFC[ -]?([0-9]{4})"
)
_READ = frozenset({"2141", "3986", "5234", "7230", "8141"})  # of these it is known what they define
_LONGEST = 200_000

Spans = Collection[tuple[int, int]]


def check_case(text: str, rules: Iterable[Rule], taken: Spans) -> Iterator[Diagnostic]:
    """Literals that match in both cases, of which a sentence of the text asks for one.

    Source: RFC 5234 section 2.3; RFC 7405.
    """
    asked = set(_asked(text[:_LONGEST], taken))
    for rule in rules:
        for leaf in leaf_nodes(rule.node) if rule.node else ():
            if isinstance(leaf, Literal) and not leaf.sensitive and leaf.text in asked:
                other = leaf.text.swapcase()
                message = (
                    f'The literal `"{leaf.text}"` also matches `{other}`, but the text allows only '
                    f'one case. Use `%s"{leaf.text}"`.'
                )
                yield Diagnostic("case", leaf.at, message, "RFC 7405 section 2", is_problem=False)


def _asked(text: str, taken: Spans) -> Iterator[str]:
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
        if origin and found[2] in _READ and not is_defined_in(found[1], found[2]):
            message = f"`{found[1]}` is defined in {origin}, not in RFC {found[2]}."
            yield Diagnostic("other-source", found.start(1), message, _SYNTAX, is_problem=False)


def _outside(text: str, taken: Spans, instead: str) -> str:
    pieces, at = [], 0
    for start, end in sorted(taken):
        pieces += [text[at:start], instead]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
