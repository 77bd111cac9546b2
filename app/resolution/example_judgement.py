"""Whether the examples that a namespace would give are names by the rules that it would have."""

from collections.abc import Callable
from dataclasses import replace

from app.identifiers.equivalence import Equivalence
from app.identifiers.spelling import spell_text
from app.identifiers.urn import URN
from app.registration.declarations.registries import FORMAL
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import Registration
from app.resolution.judgement import Possibility, judge_by
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.nss_decision import DecisionBasis
from app.resolution.record_rules import strict_rules_of

_LONGEST = 80  # characters of a name that is quoted
_SHOWN = "Mend it. Where the registration itself shows it so, say with it where."


def judge_examples(
    name: str, profile: NamespaceProfile, equivalence: Equivalence, syntax: str
) -> Callable[[URN], str]:
    """What says why a URN is no name by the rules of a namespace that would be registered so.

    Its grammar counts, though an example contradicts it: one of both is wrong. A wrong check
    character is no fault where examples with a source have one too, since the registration then
    does not hold to the check.

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
        return f"The pattern does not match {told}. Mend the pattern, or the example."
    at = rules.automaton.reach(nss)
    where = f"at its character {at + 1}" if at < len(nss) else "for it ends too early"
    return (
        f"By the grammar under Syntax {told} is no name: it leaves the grammar {where}. Mend the "
        "grammar, or the example."
    )
