"""A grammar sent through an automaton: where its texts lead, and which characters are refused."""

from collections.abc import Collection, Iterable, Iterator

from app.grammar.automata.automaton import Automaton
from app.grammar.automata.rule_graph import (
    DEAD,
    EMPTY,
    ReachableTexts,
    TextRope,
    first_characters,
    join_ropes,
)
from app.grammar.character_sets import (
    Charset,
    character_oddness,
    charset,
    charset_of,
    count_characters,
    difference_of,
    intersection_of,
    typical_character,
)

_MOST_TAGS = 60
_ALIKE = 3  # a set of so many characters is no delimiter that somebody chose
_MARKS = charset(
    [(0x21, 0x22), (0x24, 0x2F), (0x3A, 0x3E), (0x40, 0x40), (0x5B, 0x60), (0x7B, 0x7E)]
)
_Moves = tuple[tuple[Charset, int], ...]
_NOTHING: Collection[int] = frozenset()


class PossibleStates:
    """An automaton whose states may be sets of states: where it can be, words being any text."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._sets: list[frozenset[int]] = []
        self._numbers: dict[frozenset[int], int] = {}
        self._moves: dict[int, _Moves] = {}
        self._atoms: list[Charset] = []

    def moves(self, state: int) -> _Moves:
        if state < len(self._automaton.moves):
            return self._automaton.moves[state]
        if state not in self._moves:
            self._moves[state] = tuple(self._led(self.members(state)))
        return self._moves[state]

    def members(self, state: int) -> frozenset[int]:
        first = len(self._automaton.moves)
        return self._sets[state - first] if state >= first else frozenset({state})

    def accepts(self, state: int) -> bool:
        return state > DEAD and not self._automaton.accepting.isdisjoint(self.members(state))

    def after_words(self, state: int) -> int:
        """Where any text leads, the empty one too."""
        found, waiting = set(self.members(state)), list(self.members(state))
        while waiting:
            for _, target in self._automaton.moves[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return self._number(frozenset(found))

    def _number(self, states: frozenset[int]) -> int:
        if len(states) == 1:
            return next(iter(states))
        if states not in self._numbers:
            self._numbers[states] = len(self._automaton.moves) + len(self._sets)
            self._sets.append(states)
        return self._numbers[states]

    def _led(self, states: frozenset[int]) -> Iterator[tuple[Charset, int]]:
        for atom in self._atoms or self._split():
            targets = {self._automaton.step(state, atom[0][0]) for state in states} - {DEAD}
            if targets:
                yield atom, self._number(frozenset(targets))

    def _split(self) -> list[Charset]:
        chosen = {members for moves in self._automaton.moves for members, _ in moves}
        for members in chosen:
            rest, atoms = members, []
            for atom in self._atoms:
                inner = intersection_of(atom, members)
                atoms += [part for part in (inner, difference_of(atom, members)) if part]
                rest = difference_of(rest, inner) if inner else rest
            self._atoms = [*atoms, rest] if rest else atoms
        return self._atoms


class RefusalMachine:
    """An automaton as a machine for ways: a character that it refuses leads to a state of its own.

    ``blames`` tells for such a state which characters of which node were refused there. ``words``
    are the nodes that stand for what is said in words; ``met_words`` tells whether it depends on
    one of them what is found.
    """

    def __init__(
        self,
        automaton: Automaton,
        once: dict[int, str],
        ends: frozenset[int] = frozenset(),
        words: Collection[int] = _NOTHING,
    ) -> None:
        self._possible = PossibleStates(automaton)
        self._once, self._ends, self._words = once, ends, words
        self._tags: dict[str | int, int] = {}
        self.blames: dict[int, tuple[int, Charset]] = {}
        self.met_words = False
        self._known: dict[tuple[int, Charset], tuple[list[tuple[int, str]], Charset]] = {}

    def accepts(self, state: int) -> bool:
        return self._possible.accepts(state)

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        """Where the characters of a node lead; one of each kind is enough."""
        if state <= DEAD:
            return {state: _leaf(members, node)} if members else {}
        if node in self._words:
            return self._through_words(state, members, node)
        leads, refused = self._leads(state, members)
        ways = {target: leaf_of(character, node) for target, character in leads}
        if refused:
            tag = self._tag(self._zone(state) or node)
            _, known = self.blames.get(tag, (node, ()))
            self.blames[tag] = (node, (*known, *refused))
            ways[tag] = leaf_of(telling_character(refused), node)
        return ways

    def _zone(self, state: int) -> str | None:
        zones = {self._once.get(member) for member in self._possible.members(state)}
        return zones.pop() if len(zones) == 1 else None

    def _through_words(self, state: int, members: Charset, node: int) -> ReachableTexts:
        after = self._possible.after_words(state)
        self.met_words |= after != state or not self.accepts(state)
        return {after: _leaf(members, node)}

    def _leads(self, state: int, members: Charset) -> tuple[list[tuple[int, str]], Charset]:
        known = self._known.get((state, members))
        if known is None:
            known = self._known[state, members] = self._led(state, members)
        return known

    def _led(self, state: int, members: Charset) -> tuple[list[tuple[int, str]], Charset]:
        refused, leads = members, []
        barred = self._barred(state, members)
        for chosen, target in self._possible.moves(state):
            if met := difference_of(intersection_of(members, chosen), barred):
                leads.append((target, typical_character(met)))
                refused = difference_of(refused, met)
        return leads, refused

    def _barred(self, state: int, members: Charset) -> Charset:
        return (
            charset_of("?#") if state in self._ends and count_characters(members) > _ALIKE else ()
        )

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


class NeutralWordsMachine:
    """A machine in which words count as a letter that decides no question (``x``).

    So a question is answered by what the rules write out; ``met_words`` tells that words, too,
    could have had what was asked for.
    """

    def __init__(self, machine: RefusalMachine, words: Collection[int]) -> None:
        self._machine, self._words = machine, words
        self.met_words = False

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        if node not in self._words:
            return self._machine.steps(state, members, node)
        self.met_words |= state > DEAD
        return self._machine.steps(state, charset_of("x"), node)


def with_meant_words(
    automaton: Automaton, text: TextRope, words: Collection[int], start: int, most: int
) -> TextRope:
    """A counterexample with words in it, where they stand for what brings it furthest. In ``urn:``
    <a NID> ``:a b`` the words become ``aa``, so that the space is what is refused."""
    leaves = list(first_characters(text, most))
    if not any(leaf.node in words for leaf in leaves):
        return text
    ways = {start: EMPTY}
    for place, leaf in enumerate(leaves):
        further = _further(automaton, ways, leaf, is_words=leaf.node in words)
        if not further:
            return _whole([_shortest(ways.values()), *leaves[place:]])
        ways = further
    return _shortest(ways.values())


def _further(
    automaton: Automaton, ways: ReachableTexts, leaf: TextRope, *, is_words: bool
) -> ReachableTexts:
    if is_words:
        return _by_words(automaton, ways, leaf.node)
    code, further = ord(leaf.character), dict[int, TextRope]()
    for state, text in ways.items():
        target = automaton.step(state, code)
        if target != DEAD:
            further[target] = _shortest(
                [join_ropes(text, leaf), *filter(None, [further.get(target)])]
            )
    return further


def _by_words(automaton: Automaton, ways: ReachableTexts, node: int) -> ReachableTexts:
    found: dict[int, TextRope] = {}
    layer = ways
    while layer:
        following: dict[int, TextRope] = {}
        for state, text in layer.items():
            for members, target in automaton.moves[state]:
                if target not in found:
                    more = join_ropes(text, leaf_of(typical_character(members), node))
                    found[target] = following[target] = more
        layer = following
    return found or ways


def _shortest(texts: Iterable[TextRope]) -> TextRope:
    return min(texts, key=lambda text: (text.length, text.odd))


def _whole(parts: Iterable[TextRope]) -> TextRope:
    whole = EMPTY
    for part in parts:
        whole = join_ropes(whole, part)
    return whole


def _leaf(members: Charset, node: int) -> TextRope:
    return leaf_of(typical_character(members), node)


def leaf_of(character: str, node: int) -> TextRope:
    return TextRope(1, character_oddness(character), None, None, character, node)


def telling_character(refused: Charset) -> str:
    """Of the characters that are refused the one that tells most: a space, then what is seen."""
    for first in (charset_of(" "), _MARKS):
        if found := intersection_of(refused, first):
            return chr(found[0][0])
    return typical_character(difference_of(refused, charset_of("?#")) or refused)
