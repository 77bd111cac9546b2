"""The rules that follow from records, made when an edition is built: grammars are compiled here."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.automata.automaton import Automaton
from app.identifiers.equivalence import Equivalence
from app.identifiers.errors import InvalidURN, spell_text
from app.identifiers.urn import URN, parse_urn
from app.registration.declarations.registries import FORMAL
from app.registration.profiles.profile_records import NamespaceProfile, NssPattern
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Registration
from app.resolution.judgement import judge_by
from app.resolution.namespace_rules import (
    DecisionBasis,
    NamespaceRules,
    NssAutomaton,
    NssDecider,
    Possibility,
    examples_fail,
)

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


_COMPILED = CompiledGrammars()  # of this process
_LONGEST = 80  # characters of a name that is quoted
_LONGEST_SHOWN = 200  # characters of an example that is told
_SHOWN = "Correct it. If the registration itself shows it this way, say where."
_SYNTAX = "syntax"
_OWN_GRAMMAR = "the grammar of its template"
_UNSURE = "general knowledge"  # where an example comes from that no registration shows


_NO_GRAMMAR = NssTable(None, (), "")


class _HeldGrammar(NamedTuple):
    automaton: NssAutomaton | None
    unused: str = ""


def rules_of(record: Registration, kind: str) -> NamespaceRules:
    return _rules(record, kind, _held(record))


def strict_rules_of(record: Registration, kind: str) -> NamespaceRules:
    return _rules(record, kind, _HeldGrammar(_grammar_of(record).automaton))


def unused_grammar_of(record: Registration) -> str:
    return _held(record).unused


def told_pattern_of(record: Registration) -> NssPattern | None:
    """The pattern of a record's names, for who reads patterns alone: that of its profile, or else
    one that takes exactly the names of the grammar to which they are held; None without either."""
    if record.profile.pattern:
        return record.profile.pattern
    expression = _grammar_of(record).expression
    if not expression or _held(record).automaton is None:
        return None
    return NssPattern(expression=expression, is_exact=True, source=_OWN_GRAMMAR)


def _rules(record: Registration, kind: str, grammar: _HeldGrammar) -> NamespaceRules:
    profile = record.profile
    return NamespaceRules(
        name=record.name,
        kind=kind,
        status=record.status,
        successor=record.successor or "",
        title=profile.title,
        names=profile.names,
        example=_example(record),
        pattern=profile.pattern,
        automaton=grammar.automaton,
        unused_grammar=grammar.unused,
        check=profile.check,
        tells_check=_tells_check(record),
        equivalence=record.equivalence,
        resolution=profile.resolution,
    )


def _example(record: Registration) -> str:
    given = (one.urn for one in record.profile.examples)
    shown = (*given, *_grammar_of(record).shown)
    read = (urn for urn in shown if len(urn) <= _LONGEST_SHOWN and _nss_of(urn, record.folded))
    return next(read, "")


def _held(record: Registration) -> _HeldGrammar:
    grammar = _grammar_of(record)
    if grammar.automaton is None:
        return _HeldGrammar(None, grammar.fault)
    decider = NssDecider(None, grammar.automaton, "", record.equivalence, tells_check=False)
    for urn in (*grammar.shown, *(example.urn for example in record.profile.examples)):
        nss = _nss_of(urn, record.folded)
        if nss and decider.decide(nss).possibility is Possibility.IMPOSSIBLE:
            told = f"it doesn't match the registration's own example {spell_text(urn)}."
            return _HeldGrammar(None, told)
    return _HeldGrammar(grammar.automaton)


def _grammar_of(record: Registration) -> NssTable:
    text = dict(record.fields).get(_SYNTAX, "")
    if record.profile.pattern or not text.strip():
        return _NO_GRAMMAR
    folds = record.equivalence.folds_whole
    return _COMPILED.grammar_of(text.replace("\r\n", "\n"), record.folded, folds=folds)


def _tells_check(record: Registration) -> bool:
    profile = record.profile
    shown = (one.urn for one in profile.examples if not one.source.startswith(_UNSURE))
    names = [_nss_of(urn, record.folded) for urn in shown]
    return bool(profile.check) and examples_fail(profile.check, names)


def _nss_of(text: str, folded: str) -> str:
    try:
        urn = parse_urn(text)
    except InvalidURN:
        return ""
    return urn.normal_form.split(":", 2)[2] if urn.nid.lower() == folded else ""


def judge_examples(
    name: str, profile: NamespaceProfile, equivalence: Equivalence, syntax: str
) -> Callable[[URN], str]:
    """What says why a URN is no name by the rules of a namespace that would be registered so.

    Source: RFC 8141 section 6.4.2.
    """
    shown = tuple(example for example in profile.examples if example.source)
    record = Registration(
        name=name,
        fields=(("syntax", syntax),),
        profile=replace(profile, examples=shown),
        equivalence=equivalence,
    )
    rules = strict_rules_of(record, FORMAL.kind)

    def refusal(urn: URN) -> str:
        judgement = judge_by(str(urn), rules)
        if judgement.possibility is not Possibility.IMPOSSIBLE:
            return ""
        if judgement.decision.basis is DecisionBasis.CHECK:
            return f"{judgement.grounds[0].message} {_SHOWN}"
        return _misfit(judgement.normal_form.split(":", 2)[2], rules)

    return refusal


def _misfit(nss: str, rules: NamespaceRules) -> str:
    told = spell_text(nss[:_LONGEST])
    if rules.automaton is None:
        return f"The pattern doesn't match {told}. Correct the pattern or the example."
    at = rules.automaton.reach(nss)
    why = f"character {at + 1} doesn't match" if at < len(nss) else "it ends too early"
    return f"The grammar in Syntax doesn't match {told}: {why}. Correct the grammar or the example."
