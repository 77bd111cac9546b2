"""Whether a name can be given in its namespace, by what that declares of its names."""

from app.assigned_names.name_schemes import scheme_of
from app.identifiers.findings import Finding
from app.identifiers.spelling import spell_text
from app.resolution.judgement import Possibility, judge_by
from app.resolution.namespace_rules import NamespaceRules

__all__ = ["check_by_namespace", "check_extension"]


def check_by_namespace(name: str, rules: NamespaceRules | None) -> Finding | None:
    """Why a name, in normal form, is not given in its namespace; None where nothing forbids it.
    ``rules`` are None where there are none, as for ARKs.

    Source: RFC 8141 sections 3.2, 5.1 and 6.4.2.
    """
    if rules is None:
        return None
    judgement = judge_by(name, rules)
    if judgement.possibility is Possibility.IMPOSSIBLE:
        message = f"{spell_text(name)} isn't valid according to the registration of {rules.name}."
        return Finding("not_of_namespace", message, f"registration of {rules.name}")
    own = judgement.own_form
    if own == name:
        return None
    message = f"In {rules.name}, {spell_text(name)} is equivalent to {spell_text(own)}."
    return Finding("equivalent", message, "RFC 8141 section 3.2")


def check_extension(name: str, rules: NamespaceRules | None) -> Finding | None:
    """Why what follows a name is not handed on, whatever its binding says; None where it may be.
    ``rules`` are those of the namespace.

    Source: RFC 8141 sections 3 and 5.1.
    """
    if scheme_of(name).extends_names or (rules and rules.resolution.extends_names):
        return None
    space = rules.name if rules else scheme_of(name).split(name)[0]
    message = (
        f"The registration of {space} doesn't allow suffixes after an identifier. "
        "Bind each identifier separately."
    )
    return Finding("extension", message, "RFC 8141 sections 3 and 5.1")
