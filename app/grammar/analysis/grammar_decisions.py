"""Whether all that a grammar generates is a URN, and what else can be asked of all of it.

Every question is one automaton, and the answer is a shortest text on which grammar and automaton
disagree. What leaves the syntax of URNs is told apart by the character of the grammar that lets it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.automata.automaton import Automaton
from app.grammar.automata.reachability import (
    ReachabilitySolver,
    TextRope,
    first_characters,
    spelled,
)
from app.grammar.automata.refusal_machine import (
    NeutralWordsMachine,
    RefusalMachine,
    telling_character,
    with_meant_words,
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
    charset,
    charset_contains,
    charset_of,
    count,
    difference_of,
    intersection_of,
    spell_charset,
)
from app.identifiers.spelling import spell_encoded
from app.identifiers.urn import InvalidURN, parse_urn

MOST_SHOWN = 300  # characters of a counterexample
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


@dataclass(frozen=True, slots=True)
class StartNode:
    """Where names begin: the node, and what stands before it where it is an NSS alone."""

    graph: RuleGraph
    node: int
    prefix: str
    name: str


@dataclass(frozen=True, slots=True)
class NamesDecision:
    """What was found of all names; not ``is_sure`` where rules in words could have decided it.

    ``how`` says how it was found where that is not by the rules.
    """

    found: tuple[Diagnostic, ...]
    is_sure: bool
    how: str = ""


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


def check_urns(asked: StartNode, budget: Budget) -> NamesDecision:
    """Whatever the grammar generates that is no URN, each fault with a shortest such text.

    No note, and sure of it, means that every text it generates is a URN. What is said in words may
    be any text, so that a fault is one whatever the words mean. Raises BudgetExceeded.

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
    def part(self) -> tuple[str, Charset]:
        """The part of a URN that it is in: its label, and the characters that it has somewhere."""
        name = self.code.removesuffix("_character")
        return _PARTS_OF_URNS.get(name, _PARTS_OF_URNS["nss"])

    def told_apart(self) -> Iterator["_UrnCounterexample"]:
        """Characters that its part never has, and those that it only does not have here.

        A slash is in many an NSS, and begins none; a NID of 33 letters is too long.
        """
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
        why = _why(code, members, self.part[0])
        message = f"`{self.owner}` allows {spell_charset(members)}{why}: `{text}`. "
        fix = _fix(members, self.part[0])
        return Diagnostic(code, self._place, message + fix, source, example=text)

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
        return self.written[:at] + telling_character(members) + self.written[at + 1 :]


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


def _why(code: str, members: Charset, part: str) -> str:
    one = count(members) == 1
    if code == "not-ascii":
        return ", which is not ASCII" if one else ", which are not ASCII"
    if part == "NSS" and not difference_of(members, charset_of("?#")):
        return ", with which the NSS ends and a component begins"
    return "" if one else f", which no {part} has"


def _fix(members: Charset, part: str) -> str:
    if part == "NID":
        return "Write letters, digits and hyphens alone."
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


def check_beginning(asked: StartNode, nid: str, budget: Budget) -> NamesDecision:
    """The shortest name that does not begin with ``urn:NID:``; none found where all do.

    Raises BudgetExceeded. Source: RFC 8141 section 2.1.
    """
    automaton, words = beginning(f"urn:{nid}:"), asked.graph.words
    track, start = RefusalMachine(automaton, {}, words=words), automaton.run(asked.prefix)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(asked.node, start)
    wrong = [text for state, text in ways.items() if not track.accepts(state)]
    if not wrong:
        return NamesDecision((), not track.met_words)
    shortest = min(wrong, key=lambda text: (text.length, text.odd))
    text = with_meant_words(automaton, shortest, words, start, MOST_SHOWN + 1)
    written = shown(asked.prefix + spelled(text, MOST_SHOWN + 1))
    leaf = next(first_characters(text, 1), None)
    at = asked.graph.places[leaf.node] if leaf else -1
    message = f"`{written}` does not begin with `urn:{nid}:`, as every name of this namespace does."
    note = Diagnostic("other-beginning", at, message, "RFC 8141 section 2.1", example=written)
    return NamesDecision((note,), is_sure=True)


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


def check_question(asked: StartNode, code: str, budget: Budget) -> NamesDecision:
    """The shortest name for which the answer is yes, as a note; none found where there is none.

    Raises BudgetExceeded.
    """
    automaton, words = questions()[code][1], asked.graph.words
    plain = RefusalMachine(automaton, dict.fromkeys(range(len(automaton.moves)), ""))
    track = NeutralWordsMachine(plain, words)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(
        asked.node, automaton.run(asked.prefix)
    )
    found = [text for state, text in ways.items() if state in automaton.accepting]
    if not found:
        return NamesDecision((), not track.met_words)
    text = min(found, key=lambda text: (text.length, text.odd))
    written = shown(asked.prefix + spelled(text, MOST_SHOWN + 1))
    return NamesDecision((_answered(code, _place(asked, text, automaton), written),), is_sure=True)


def check_example(code: str, written: str, at: int) -> NamesDecision | None:
    """A name of the text for which the answer is yes, as a note; None for another name."""
    if not questions()[code][1].accepts(written):
        return None
    note = _answered(code, at, shown(written))
    return NamesDecision((note,), is_sure=True, how="shown by an example in the text")


def _answered(code: str, at: int, written: str) -> Diagnostic:
    question = questions()[code][0]
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
