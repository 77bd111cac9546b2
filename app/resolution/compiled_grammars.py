"""Grammars of namespaces that were compiled already, by a digest of their text."""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.automata.automaton import Automaton
from app.registration.records.record_documents import canonical_json
from app.resolution.nss_automaton import NssAutomaton

_MOST = 300_000  # moves; some 30 MB
_STATE = 10  # moves that one state takes as much memory as, once names are judged by it


class NssTable(NamedTuple):
    """The grammar of a namespace as names are judged by it; as ``NssGrammar``."""

    automaton: NssAutomaton | None
    shown: tuple[str, ...]
    fault: str
    expression: str = ""


class CompiledGrammars:
    """Automata of NSSs; those that were asked for last stay, as long as all have few moves."""

    def __init__(self, most: int = _MOST) -> None:
        self._most, self._held, self._lock = most, 0, Lock()
        self._known: OrderedDict[str, NssTable] = OrderedDict()

    def grammar_of(self, text: str, nid: str, *, folds: bool = False) -> NssTable:
        """The grammar in a text, compiled unless it was before; as ``compile_nss``."""
        digest = sha256(canonical_json({"of": [text, nid, folds]}).encode()).hexdigest()
        with self._lock:
            if digest in self._known:
                self._known.move_to_end(digest)
                return self._known[digest]
        found = compile_nss(text, nid, folds=folds)
        automaton = table_of(found.automaton) if found.automaton else None
        table = NssTable(automaton, found.shown, found.fault, found.expression)
        self._keep(digest, table)
        return table

    def _keep(self, digest: str, table: NssTable) -> None:
        with self._lock:
            if digest not in self._known:
                self._known[digest] = table
                self._held += _size(table)
            while self._held > self._most:
                _, oldest = self._known.popitem(last=False)
                self._held -= _size(oldest)


def _size(table: NssTable) -> int:
    moves = table.automaton.moves if table.automaton else ()
    return 1 + len(table.shown) + sum(_STATE + len(row) for row in moves)


def table_of(automaton: Automaton) -> NssAutomaton:
    """The table of an automaton over characters of ASCII."""
    order = [automaton.start]
    order += [state for state in range(len(automaton.moves)) if state != automaton.start]
    number = {state: at for at, state in enumerate(order, 1)}
    rows = [
        tuple(
            (low, high, number[to])
            for members, to in automaton.moves[state]
            for low, high in members
        )
        for state in order
    ]
    return NssAutomaton(((), *rows), frozenset(number[state] for state in automaton.accepting))
