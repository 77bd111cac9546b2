"""The rules that follow from records, made when an edition is built: grammars are compiled here.

Who only answers by rules needs none of this.
"""

from typing import NamedTuple

from app.identifiers.spelling import spell_text
from app.identifiers.urn import InvalidURN, parse_urn
from app.registration.records.registry_records import Registration
from app.resolution.compiled_grammars import CompiledGrammars, NssTable
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.nss_automaton import NssAutomaton
from app.resolution.nss_decision import NssDecider, Possibility, examples_fail

_COMPILED = CompiledGrammars()  # of this process
_SYNTAX = "syntax"
_UNSURE = "general knowledge"  # where an example comes from that no registration shows


_NO_GRAMMAR = NssTable(None, (), "")


class _HeldGrammar(NamedTuple):
    """The grammar that names are held to; None where none is, and why one that is there is not."""

    automaton: NssAutomaton | None
    unused: str = ""


def rules_of(record: Registration, kind: str) -> NamespaceRules:
    """The rules that follow from a record; its grammar is compiled once, within bounds.

    A grammar by which an example of the registration itself is no name is not used, which
    ``unused_grammar`` tells.
    """
    return _rules(record, kind, _held(record))


def strict_rules_of(record: Registration, kind: str) -> NamespaceRules:
    """The rules that follow from a record whose grammar counts, whatever its examples are.

    By them examples are judged themselves.
    """
    return _rules(record, kind, _HeldGrammar(_grammar_of(record).automaton))


def unused_grammar_of(record: Registration) -> str:
    """Why names are not held to the grammar of a record, in a clause; empty where it has none, or
    they are."""
    return _held(record).unused


def _rules(record: Registration, kind: str, grammar: _HeldGrammar) -> NamespaceRules:
    profile = record.profile
    return NamespaceRules(
        name=record.name,
        kind=kind,
        status=record.status,
        successor=record.successor or "",
        title=profile.title,
        names=profile.names,
        pattern=profile.pattern,
        automaton=grammar.automaton,
        unused_grammar=grammar.unused,
        check=profile.check,
        tells_check=_tells_check(record),
        equivalence=record.equivalence,
        resolution=profile.resolution,
    )


def _held(record: Registration) -> _HeldGrammar:
    grammar = _grammar_of(record)
    if grammar.automaton is None:
        return _HeldGrammar(None, grammar.fault)
    decider = NssDecider(None, grammar.automaton, "", record.equivalence, tells_check=False)
    for urn in (*grammar.shown, *(example.urn for example in record.profile.examples)):
        nss = _nss_of(urn, record.folded)
        if nss and decider.decide(nss).possibility is Possibility.IMPOSSIBLE:
            told = f"its own example {spell_text(urn)} is none of the names that it describes."
            return _HeldGrammar(None, told)
    return _HeldGrammar(grammar.automaton)


def _grammar_of(record: Registration) -> NssTable:
    """The grammar in the template of a namespace that was registered here, field by field.

    Where a profile gives a pattern, that counts in its place.
    """
    text = dict(record.fields).get(_SYNTAX, "")
    if record.profile.pattern or not text.strip():
        return _NO_GRAMMAR
    folds = record.equivalence.folds_whole
    return _COMPILED.grammar_of(text.replace("\r\n", "\n"), record.folded, folds=folds)


def _tells_check(record: Registration) -> bool:
    """Whether what the registration shows itself fails its check algorithm."""
    profile = record.profile
    shown = (one.urn for one in profile.examples if not one.source.startswith(_UNSURE))
    names = [_nss_of(urn, record.folded) for urn in shown]
    return bool(profile.check) and examples_fail(profile.check, names)


def _nss_of(text: str, folded: str) -> str:
    """The NSS of a URN of the namespace; empty for any other text."""
    try:
        urn = parse_urn(text)
    except InvalidURN:
        return ""
    return urn.normal_form.split(":", 2)[2] if urn.nid.lower() == folded else ""
