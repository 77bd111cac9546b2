"""The URNs that a text gives as examples, and what the grammar beside them says of each."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.grammar.automata.matcher import GrammarMatch, match_text
from app.grammar.automata.rule_graph import RuleGraph
from app.grammar.budget import Budget, BudgetExceeded

MOST = 60
LONGEST = 400
_URN = re.compile(
    r"(?<![A-Za-z0-9:/+.-])urn:[A-Za-z0-9][A-Za-z0-9-]{0,31}:[^\s<>\"“”„`‘’|{}\\^]+", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“`](urn:[A-Za-z0-9-]{1,32}:[^\"“”`\n]{1,200})[\"”`]", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[<{\[]|\.\.\.|…|\*$|#{2,}|(?:^|[:.-])[xX]{3,}(?:$|[:.-])")
_COMPONENT = re.compile(r"\?\+|\?=|#")


@dataclass(frozen=True, slots=True)
class Example:
    """A URN that stands in a text: where, and whether the grammar has it.

    ``verdict`` is ``matches``, ``begins`` (a name begins with it), ``stops`` or ``too large``.
    """

    text: str
    at: int
    verdict: str
    match: GrammarMatch | None


def find_examples(
    text: str, nid: str | None, taken: Iterable[tuple[int, int]]
) -> list[tuple[str, int]]:
    """The URNs of a namespace in a text, each once, and where; not those within rules. A pattern
    such as ``urn:example:<number>`` is no example, nor is a NID alone."""
    spans = sorted(taken)
    found: dict[str, int] = {}
    for written, at in _found(text):
        if any(start <= at < end for start, end in spans) and not _in_comment(text, at):
            continue
        if _is_of(written, nid) and written not in found:
            found[written] = at
    return sorted(found.items(), key=lambda one: one[1])[:MOST]


def _found(text: str) -> Iterator[tuple[str, int]]:
    quoted = {one.start(1): one[1] for one in _QUOTED.finditer(text)}
    for one in _URN.finditer(text):
        written = quoted.get(one.start(), one[0])
        behind = text[one.end() : one.end() + 1]
        if one.start() not in quoted:
            written = _trimmed(written, text[max(one.start() - 1, 0) : one.start()])
            if behind in ("<", "{", "|", "\\", "^"):
                continue
        name = "".join(written.split(":", 2)[2:])
        if name.strip() and len(written) <= LONGEST and not _PLACEHOLDER.search(name):
            yield written.strip(), one.start()


def _trimmed(written: str, before: str) -> str:
    if before == "'":
        written = written.split("'", maxsplit=1)[0]
    while written.count(")") > written.count("("):
        written = written[: written.rindex(")")]
    return written.rstrip(".,;:!?'*_]")


def _in_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return ";" in line and line[: line.index(";")].count('"') % 2 == 0


def _is_of(written: str, nid: str | None) -> bool:
    name = written.split(":")[1].lower()
    if nid is None or name == nid.lower():
        return True
    return nid.lower().startswith("urn-") and re.fullmatch(r"urn-[a-z]+", name) is not None


def judge_example(
    graph: RuleGraph, node: int, written: str, at: int, *, is_nss: bool, budget: Budget
) -> Example:
    """Hold an example against a grammar; a component that the grammar leaves out is let pass.

    Source: RFC 8141 sections 2 and 2.3.
    """
    text = written.split(":", 2)[2] if is_nss else written
    try:
        whole = match_text(graph, node, text, budget)
        if not whole.is_whole and (component := _COMPONENT.search(text)):
            name = match_text(graph, node, text[: component.start()], budget)
            whole = name if name.is_whole else whole
    except BudgetExceeded:
        return Example(written, at, "too large", None)
    if whole.is_whole:
        return Example(written, at, "matches", whole)
    shift = len(written) - len(text)
    moved = GrammarMatch(False, whole.end + shift, whole.expected)
    return Example(written, at, "begins" if moved.end >= len(written) else "stops", moved)
