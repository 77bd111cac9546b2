"""The rules that follow from records, made when an edition is built: grammars are compiled here.

Who only answers by rules needs none of this.
"""

from app.identifiers.urn import InvalidURN, parse_urn
from app.registration.records.registry_records import Registration
from app.resolution.compiled_grammars import CompiledGrammars
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.nss_automaton import NssAutomaton
from app.resolution.nss_decision import examples_fail

_COMPILED = CompiledGrammars()  # of this process
_SYNTAX = "syntax"
_UNSURE = "general knowledge"  # where an example comes from that no registration shows


def rules_of(record: Registration, kind: str) -> NamespaceRules:
    """The rules that follow from a record; its grammar is compiled once, within bounds."""
    profile = record.profile
    return NamespaceRules(
        name=record.name,
        kind=kind,
        status=record.status,
        successor=record.successor or "",
        title=profile.title,
        names=profile.names,
        pattern=profile.pattern,
        automaton=None if profile.pattern else _automaton_of(record),
        check=profile.check,
        tells_check=_tells_check(record),
        equivalence=record.equivalence,
        resolution=profile.resolution,
    )


def _automaton_of(record: Registration) -> NssAutomaton | None:
    """The grammar in the template of a namespace that was registered here, field by field."""
    text = dict(record.fields).get(_SYNTAX, "")
    if not text.strip():
        return None
    folds = record.equivalence.folds_whole
    examples = [example.urn for example in record.profile.examples]
    return _COMPILED.automaton_of(text.replace("\r\n", "\n"), record.folded, examples, folds=folds)


def _tells_check(record: Registration) -> bool:
    """Whether what the registration shows itself fails its check algorithm."""
    profile = record.profile
    shown = (one.urn for one in profile.examples if not one.source.startswith(_UNSURE))
    names = [_nss_of(urn) for urn in shown]
    return bool(profile.check) and examples_fail(profile.check, names)


def _nss_of(text: str) -> str:
    try:
        return parse_urn(text).normal_form.split(":", 2)[2]
    except InvalidURN:
        return ""
