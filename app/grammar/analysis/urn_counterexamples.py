"""Whether all that a grammar generates is a URN, and the shortest texts of it that are none."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from app.grammar.abnf.lexer import Diagnostic
from app.grammar.analysis.study import MOST_SHOWN, NamesDecision, StartNode, spell_shown
from app.grammar.automata.automaton import urn_syntax
from app.grammar.automata.refusal_machine import (
    RefusalMachine,
    telling_character,
    with_meant_words,
)
from app.grammar.automata.rule_graph import (
    ReachabilitySolver,
    TextRope,
    first_characters,
    spell_rope,
)
from app.grammar.budget import Budget
from app.grammar.character_sets import (
    Charset,
    charset,
    charset_contains,
    charset_of,
    count_characters,
    difference_of,
    intersection_of,
    spell_charset,
)
from app.identifiers.errors import InvalidURN, spell_encoded
from app.identifiers.urn import parse_urn

_NSS = "RFC 8141 section 2.2"
_ASCII: Charset = ((0, 0x7F),)
_LDH = charset([(0x2D, 0x2D), (0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)])
_PATH = charset([*_LDH, *charset_of("._~!$&'()*+,;=:@%/")])
_QUERY = charset([*_PATH, *charset_of("?")])
# Each part of a URN by its name in the codes of refusals: its label and its characters.
_PARTS_OF_URNS: dict[str, tuple[str, Charset]] = {
    "nid": ("NID", _LDH),
    "nss": ("NSS", _PATH),
    **{f"{name}_component": (f"{name}-component", _QUERY) for name in "rqf"},
}

_PARTS = (
    "urn:ab:",
    "urn:ab:c",
    "urn:ab:c?+",
    "urn:ab:c?+d",
    "urn:ab:c?=",
    "urn:ab:c?=d",
    "urn:ab:c#",
)


@cache
def _zones() -> tuple[dict[int, str], frozenset[int]]:
    syntax = urn_syntax()
    zones = {syntax.run("urn:"[:length]): "scheme" for length in range(5)}
    for begun in _PARTS:
        for rest in ("%", "%4"):
            zones[syntax.run(begun + rest)] = "percent"
    states = {syntax.run("urn:ab:"), syntax.run("urn:ab:c")}
    return zones, frozenset(states)


def check_urns(asked: StartNode, budget: Budget) -> NamesDecision:
    """Whatever the grammar generates that is no URN, each fault with a shortest such text. Raises
    BudgetExceeded.

    Source: RFC 8141 section 2.
    """
    syntax, words = urn_syntax(), asked.graph.words
    track = RefusalMachine(syntax, *_zones(), words)
    start = syntax.run(asked.prefix)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(asked.node, start)
    faults = [
        fault
        for state, text in ways.items()
        if not track.accepts(state)
        for fault in _fault(
            asked,
            with_meant_words(syntax, text, words, start, MOST_SHOWN + 1),
            track.blames.get(state),
        ).told_apart()
    ]
    notes = [note for alike in _merged(faults) for note in _notes_of(alike)]
    return NamesDecision(tuple(notes), not track.met_words)


@dataclass(frozen=True, slots=True)
class _UrnCounterexample:
    asked: StartNode
    text: TextRope
    refused: Charset
    node: int
    written: str
    refusal: InvalidURN | None

    @property
    def code(self) -> str:
        code = self.refusal.code if self.refusal else "component"
        return "percent" if code.endswith("_percent") else code

    @property
    def part(self) -> tuple[str, Charset]:
        name = self.code.removesuffix("_character")
        return _PARTS_OF_URNS.get(name, _PARTS_OF_URNS["nss"])

    def told_apart(self) -> Iterator["_UrnCounterexample"]:
        if not self.code.endswith("_character"):
            yield self
            return
        alphabet = self.part[1]
        if illegal := difference_of(self.refused, alphabet):
            yield replace(self, refused=illegal)
        if legal := intersection_of(self.refused, alphabet):
            written = self._with(legal)
            if refusal := _refusal_of(written):
                yield replace(self, refused=legal, written=written, refusal=refusal)

    @property
    def owner(self) -> str:
        return self.asked.graph.name(self.node) or self.asked.name

    def note(self) -> Diagnostic:
        text, refusal = spell_shown(self.written), self.refusal
        why = f" {refusal.message}" if refusal else ""
        message = f"`{self.owner}` allows `{text}`, which isn't a URN.{why}"
        source = refusal.source if refusal else _NSS
        return Diagnostic("not-a-urn", self._place, message, source, example=text)

    def allowed(self, code: str, members: Charset) -> Diagnostic:
        text = spell_shown(self._with(intersection_of(members, self.refused) or members))
        source = self.refusal.source if self.refusal else _NSS
        why = _why(code, members, self.part[0])
        message = f"`{self.owner}` allows {spell_charset(members)}{why}: `{text}`. "
        fix = _fix(members, self.part[0])
        return Diagnostic(code, self._place, message + fix, source, example=text)

    @property
    def _place(self) -> int:
        return self.asked.graph.places[self.node]

    def _with(self, members: Charset) -> str:
        at = self.refusal.position if self.refusal else self.written.rfind("#")
        if (
            at is None
            or not 0 <= at < len(self.written)
            or charset_contains(members, ord(self.written[at]))
        ):
            return self.written
        return self.written[:at] + telling_character(members) + self.written[at + 1 :]


def _notes_of(faults: list[_UrnCounterexample]) -> Iterator[Diagnostic]:
    first = faults[0]
    if first.refusal and not first.code.endswith("_character"):
        yield first.note()
        return
    refused = charset(run for fault in faults for run in fault.refused)
    for code, members in (
        ("not-a-urn", intersection_of(refused, _ASCII)),
        ("not-ascii", difference_of(refused, _ASCII)),
    ):
        having = [fault for fault in faults if intersection_of(fault.refused, members)]
        if having:
            yield having[0].allowed(code, members)


def _why(code: str, members: Charset, part: str) -> str:
    one = count_characters(members) == 1
    if code == "not-ascii":
        return ", which is not ASCII" if one else ", which are not ASCII"
    if part == "NSS" and not difference_of(members, charset_of("?#")):
        return ", which ends the NSS and starts a component"
    return "" if one else f", which aren't allowed in the {part}"


def _fix(members: Charset, part: str) -> str:
    if part == "NID":
        return "Use only letters, digits and hyphens."
    if count_characters(members) > 1:
        return "Remove them, or percent-encode them."
    character = chr(members[0][0])
    return f"Encode it as {spell_encoded(character)}." if character.isprintable() else "Remove it."


def _fault(
    asked: StartNode, text: TextRope, blame: tuple[int, Charset] | None
) -> _UrnCounterexample:
    written = asked.prefix + spell_rope(text, MOST_SHOWN + 1)
    refusal, node = _refusal_of(written), blame[0] if blame else -1
    if refusal and refusal.position is not None:
        place = refusal.position - len(asked.prefix)
        found = list(first_characters(text, place + 1))
        node = found[place].node if 0 <= place < len(found) else node
    node = asked.node if node < 0 else node
    return _UrnCounterexample(
        asked, text, charset(blame[1]) if blame else (), node, written, refusal
    )


def _refusal_of(text: str) -> InvalidURN | None:
    try:
        parse_urn(text)
    except InvalidURN as refusal:
        return refusal
    return None


def _merged(faults: list[_UrnCounterexample]) -> list[list[_UrnCounterexample]]:
    kept: dict[tuple[str, str], list[_UrnCounterexample]] = {}
    for fault in sorted(faults, key=lambda fault: (fault.text.length, fault.text.odd)):
        owner = "" if fault.code == "scheme" else fault.owner  # all that follows is lost with it
        kept.setdefault((fault.code, owner), []).append(fault)
    return list(kept.values())
