"""Whether all that a grammar generates is a URN, and what else can be asked of all of it.

Every question is one automaton, and the answer is a shortest text on which grammar and automaton
disagree. What leaves the syntax of URNs is told apart by the character of the grammar that lets it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.automata.automaton import Automaton
from app.grammar.automata.reachability import (
    DEAD,
    ReachabilitySolver,
    ReachableTexts,
    TextRope,
    first_characters,
    spelled,
)
from app.grammar.automata.rule_graph import RuleGraph
from app.grammar.automata.urn_automata import (
    beginning,
    dot_segment,
    empty_segment,
    encoded_needlessly,
    not_utf8,
    urn_syntax,
)
from app.grammar.budget import Budget
from app.grammar.character_sets import (
    Charset,
    character_oddness,
    charset,
    charset_contains,
    charset_of,
    count,
    difference_of,
    intersection_of,
    spell_charset,
    typical_character,
)
from app.identifiers.spelling import spell_encoded
from app.identifiers.urn import InvalidURN, parse_urn

MOST_SHOWN = 300  # characters of a counterexample
_MOST_TAGS = 60
_ALIKE = 3  # a set of so many characters is no delimiter that somebody chose
_NSS = "RFC 8141 section 2.2"
_ASCII: Charset = ((0, 0x7F),)
_MARKS = charset(
    [(0x21, 0x22), (0x24, 0x2F), (0x3A, 0x3E), (0x40, 0x40), (0x5B, 0x60), (0x7B, 0x7E)]
)


@dataclass(frozen=True, slots=True)
class StartNode:
    """Where names begin: the node, and what stands before it where it is an NSS alone."""

    graph: RuleGraph
    node: int
    prefix: str
    name: str


class RefusalMachine:
    """An automaton as a machine for ways: a character that it refuses leads to a state of its own.

    ``blames`` tells for such a state which characters of which node were refused there.
    """

    def __init__(self, automaton: Automaton, once: dict[int, str], ends: frozenset[int]) -> None:
        self._automaton, self._once, self._ends = automaton, once, ends
        self._tags: dict[str | int, int] = {}
        self.blames: dict[int, tuple[int, Charset]] = {}
        self._known: dict[tuple[int, Charset], tuple[list[tuple[int, str]], Charset]] = {}

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        """Where the characters of a node lead; one of each kind is enough."""
        if state <= DEAD:
            return {state: _leaf(members, node)} if members else {}
        leads, refused = self._leads(state, members)
        ways = {target: _leaf_of(character, node) for target, character in leads}
        if refused:
            tag = self._tag(self._once.get(state, node))
            _, known = self.blames.get(tag, (node, ()))
            self.blames[tag] = (node, (*known, *refused))
            ways[tag] = _leaf_of(_telling(refused), node)
        return ways

    def _leads(self, state: int, members: Charset) -> tuple[list[tuple[int, str]], Charset]:
        known = self._known.get((state, members))
        if known is None:
            known = self._known[state, members] = self._led(state, members)
        return known

    def _led(self, state: int, members: Charset) -> tuple[list[tuple[int, str]], Charset]:
        refused, leads = members, []
        barred = self._barred(state, members)
        for chosen, target in self._automaton.moves[state]:
            if met := difference_of(intersection_of(members, chosen), barred):
                leads.append((target, typical_character(met)))
                refused = difference_of(refused, met)
        return leads, refused

    def _barred(self, state: int, members: Charset) -> Charset:
        """A set of many characters means none of those that end the NSS."""
        return charset_of("?#") if state in self._ends and count(members) > _ALIKE else ()

    def _tag(self, of: str | int) -> int:
        if of not in self._tags:
            full = len(self._tags) >= _MOST_TAGS
            self._tags[of] = (
                self._tags.get("others", DEAD - 1 - len(self._tags))
                if full
                else (DEAD - 1 - len(self._tags))
            )
            if full:
                self._tags["others"] = self._tags[of]
        return self._tags[of]


def _leaf(members: Charset, node: int) -> TextRope:
    return _leaf_of(typical_character(members), node)


def _leaf_of(character: str, node: int) -> TextRope:
    return TextRope(1, character_oddness(character), None, None, character, node)


def _telling(refused: Charset) -> str:
    """Of the characters that are refused the one that tells most: a space, then what is seen."""
    for first in (charset_of(" "), _MARKS):
        if found := intersection_of(refused, first):
            return chr(found[0][0])
    return typical_character(difference_of(refused, charset_of("?#")) or refused)


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
    """The states of the syntax of URNs in which whose fault it is needs no telling apart."""
    syntax = urn_syntax()
    zones = {syntax.run("urn:"[:length]): "scheme" for length in range(5)}
    for begun in _PARTS:
        for rest in ("%", "%4"):
            zones[syntax.run(begun + rest)] = "percent"
    states = {syntax.run("urn:ab:"), syntax.run("urn:ab:c")}
    return zones, frozenset(states)


def check_urns(asked: StartNode, budget: Budget) -> list[Diagnostic]:
    """Whatever the grammar generates that is no URN, each fault with a shortest such text.

    No note means that every text it generates is a URN. Raises BudgetExceeded.

    Source: RFC 8141 section 2.
    """
    syntax = urn_syntax()
    track = RefusalMachine(syntax, *_zones())
    start = syntax.run(asked.prefix)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(asked.node, start)
    faults = [
        _fault(asked, text, track.blames.get(state))
        for state, text in ways.items()
        if state not in syntax.accepting
    ]
    return [note for alike in _merged(faults) for note in _notes_of(alike)]


@dataclass(frozen=True, slots=True)
class _UrnCounterexample:
    """A text that is no URN, and the characters of a node that made it so, if it was a node."""

    asked: StartNode
    text: TextRope
    refused: Charset
    node: int
    written: str
    refusal: InvalidURN | None

    @property
    def code(self) -> str:
        """The code of the refusal; a component that nobody meant is none.

        A lone percent sign is the same fault in every part.
        """
        code = self.refusal.code if self.refusal else "component"
        return "percent" if code.endswith("_percent") else code

    @property
    def owner(self) -> str:
        """The rule whose character it is."""
        return self.asked.graph.name(self.node) or self.asked.name

    def note(self) -> Diagnostic:
        """What the parser of URNs says of it."""
        text, refusal = shown(self.written), self.refusal
        why = f" {refusal.message}" if refusal else ""
        message = f"`{self.owner}` lets `{text}` through, which is no URN.{why}"
        source = refusal.source if refusal else _NSS
        return Diagnostic("not-a-urn", self._place, message, source, example=text)

    def allowed(self, code: str, members: Charset) -> Diagnostic:
        """What is said of characters that its rule allows, of which its text has one."""
        text = shown(self._with(intersection_of(members, self.refused) or members))
        source = self.refusal.source if self.refusal else _NSS
        message = f"`{self.owner}` allows {spell_charset(members)}{_why(code, members)}: `{text}`. "
        return Diagnostic(code, self._place, message + _fix(members), source, example=text)

    @property
    def _place(self) -> int:
        return self.asked.graph.places[self.node]

    def _with(self, members: Charset) -> str:
        """The text with one of these characters, where it has another of its node."""
        at = self.refusal.position if self.refusal else self.written.rfind("#")
        if (
            at is None
            or not 0 <= at < len(self.written)
            or charset_contains(members, ord(self.written[at]))
        ):
            return self.written
        return self.written[:at] + _telling(members) + self.written[at + 1 :]


def _notes_of(faults: list[_UrnCounterexample]) -> Iterator[Diagnostic]:
    """What is said of the faults of one kind in one rule; characters beyond ASCII apart."""
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


def _why(code: str, members: Charset) -> str:
    one = count(members) == 1
    if code == "not-ascii":
        return ", which is not ASCII" if one else ", which are not ASCII"
    if not difference_of(members, charset_of("?#")):
        return ", with which the NSS ends and a component begins"
    return "" if one else ", which no NSS has"


def _fix(members: Charset) -> str:
    if count(members) > 1:
        return "Leave them out, or write them percent-encoded."
    character = chr(members[0][0])
    return f"Write it {spell_encoded(character)}." if character.isprintable() else "Leave it out."


def _fault(
    asked: StartNode, text: TextRope, blame: tuple[int, Charset] | None
) -> _UrnCounterexample:
    written = asked.prefix + spelled(text, MOST_SHOWN + 1)
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
    """The faults of each kind in each rule together, the shortest first."""
    kept: dict[tuple[str, str], list[_UrnCounterexample]] = {}
    for fault in sorted(faults, key=lambda fault: (fault.text.length, fault.text.odd)):
        owner = "" if fault.code == "scheme" else fault.owner  # all that follows is lost with it
        kept.setdefault((fault.code, owner), []).append(fault)
    return list(kept.values())


def shown(text: str) -> str:
    """A text for a sentence: cut where it is long, what cannot be seen escaped."""
    cut = text[:MOST_SHOWN] + ("..." if len(text) > MOST_SHOWN else "")
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):X}}}" for c in cut).replace(
        "`", "\\u{60}"
    )


@dataclass(frozen=True, slots=True)
class GrammarQuestion:
    """What is asked of all names: the code and the sentence of a note where one is found."""

    code: str
    asked: str
    sentence: str
    source: str


def check_beginning(asked: StartNode, nid: str, budget: Budget) -> Diagnostic | None:
    """The shortest name that does not begin with ``urn:NID:``, None where all do.

    Raises BudgetExceeded. Source: RFC 8141 section 2.1.
    """
    automaton = beginning(f"urn:{nid}:")
    ways = ReachabilitySolver(asked.graph, RefusalMachine(automaton, {}, frozenset()), budget).ways(
        asked.node, automaton.run(asked.prefix)
    )
    wrong = [text for state, text in ways.items() if state not in automaton.accepting]
    if not wrong:
        return None
    text = min(wrong, key=lambda text: (text.length, text.odd))
    written = shown(asked.prefix + spelled(text, MOST_SHOWN + 1))
    leaf = next(first_characters(text, 1), None)
    at = asked.graph.places[leaf.node] if leaf else -1
    message = f"`{written}` does not begin with `urn:{nid}:`, as every name of this namespace does."
    return Diagnostic("other-beginning", at, message, "RFC 8141 section 2.1", example=written)


@cache
def questions() -> dict[str, tuple[GrammarQuestion, Automaton]]:
    """What is asked of all names beyond their being URNs."""
    section = "RFC 8141 section 4.3"
    asked = (
        (
            GrammarQuestion(
                "empty-segment",
                "Can a name have `//`?",
                "Names can have `//`: `{}`. Clients may rewrite it when they resolve a reference; "
                "ask for a character between slashes.",
                section,
            ),
            empty_segment(),
        ),
        (
            GrammarQuestion(
                "dot-segment",
                "Can a name have `/./` or `/../`?",
                "Names can have `.` or `..` between slashes: `{}`. Clients remove such segments "
                "when they resolve a reference; bar them.",
                section,
            ),
            dot_segment(),
        ),
        (
            GrammarQuestion(
                "not-utf8",
                "Can percent-encoding be other than UTF-8?",
                "Percent-encoded octets need not be UTF-8: `{}`. Say which characters may be "
                "encoded.",
                "RFC 8141 section 2.2",
            ),
            not_utf8(),
        ),
        (
            GrammarQuestion(
                "encoded-needlessly",
                "Can a character be encoded that needs no encoding?",
                "A character that needs no encoding may be encoded: `{}`. It would be another "
                "name than the one with the plain character; bar it.",
                "RFC 3986 section 2.3",
            ),
            encoded_needlessly(),
        ),
    )
    return {question.code: (question, automaton) for question, automaton in asked}


def check_question(asked: StartNode, code: str, budget: Budget) -> Diagnostic | None:
    """The shortest name for which the answer is yes, as a note; None where there is none.

    Raises BudgetExceeded.
    """
    question, automaton = questions()[code]
    track = RefusalMachine(automaton, dict.fromkeys(range(len(automaton.moves)), ""), frozenset())
    ways = ReachabilitySolver(asked.graph, track, budget).ways(
        asked.node, automaton.run(asked.prefix)
    )
    found = [text for state, text in ways.items() if state in automaton.accepting]
    if not found:
        return None
    text = min(found, key=lambda text: (text.length, text.odd))
    written = shown(asked.prefix + spelled(text, MOST_SHOWN + 1))
    at = _place(asked, text, automaton)
    return Diagnostic(code, at, question.sentence.format(written), question.source, False, written)


def _place(asked: StartNode, text: TextRope, automaton: Automaton) -> int:
    """Where in the grammar the character is from with which the answer was settled."""
    state, place = automaton.run(asked.prefix), -1
    for leaf in first_characters(text, MOST_SHOWN):
        state = automaton.step(state, ord(leaf.character))
        place = asked.graph.places[leaf.node]
        if state in automaton.accepting:
            break
    return place
