"""What a request says of its namespace beside the template: as a form asks, kept and read.

Two texts among the fields that are sent hold it: what people look up, and where names lead.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.registration.profiles.equivalence_answers import declared_equivalence
from app.registration.profiles.profile_advice import advise_services
from app.registration.profiles.profile_documents import (
    profile_from,
    profile_to,
    resolution_from,
    resolution_to,
)
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    NO_RESOLUTION,
    ExampleName,
    NamespaceProfile,
    Resolution,
    ResolutionService,
    Resolvability,
)
from app.registration.profiles.profile_rules import ProfileLimits, check_profile
from app.registration.profiles.profile_wording import ProfileFact, worded_facts
from app.registration.submission_findings import SubmissionFinding

PROFILE, SERVICES = "profile", "services"  # beside the template, in what is sent
_SYNTAX = "syntax"  # the section that may hold a grammar
NOTHING = "{}"  # in their place, where what was said is taken back
_FIELDS = {"services": "resolution", "says": "resolution", "choice": "resolution"}
_LABELS = {
    "title": "Title",
    "names": "Identified resources",
    "homepage": "Homepage",
    "examples": "Examples",
    "services": "Service",
}
_ASKED = frozenset({"title", "names", "homepage", "examples"})
_COLUMNS = {
    "target": "address",
    "when": "only for identifiers that match",
}  # of a service, as a form asks


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileAnswers:
    """What people look up. ``examples`` are URNs, one a line."""

    title: str = ""
    names: str = ""
    homepage: str = ""
    examples: str = ""


def answers_of(profile: NamespaceProfile) -> ProfileAnswers:
    """The answers that say what a profile does, as far as a form asks for it."""
    return ProfileAnswers(
        title=profile.title,
        names=profile.names,
        homepage=profile.homepage,
        examples="\n".join(example.urn for example in profile.examples),
    )


def with_answers(profile: NamespaceProfile, answers: ProfileAnswers) -> NamespaceProfile:
    """A profile with these answers; an example that it had already keeps its source."""
    known = {example.urn: example for example in profile.examples}
    lines = dict.fromkeys(filter(None, map(str.strip, answers.examples.splitlines())))
    homepage = answers.homepage.strip()
    return replace(
        profile,
        title=_line(answers.title),
        names=_line(answers.names),
        homepage=homepage,
        homepage_source=profile.homepage_source if homepage == profile.homepage else "",
        examples=tuple(known.get(urn) or ExampleName(urn=urn) for urn in lines),
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def with_services(
    resolution: Resolution,
    resolvability: Resolvability,
    services: tuple[ResolutionService, ...],
) -> Resolution:
    """How names are resolved by these answers; what a form does not ask for stays."""
    known = {_asked(service): service for service in resolution.services}
    kept = (known.get(_asked(service), service) for service in services)
    is_choice = resolution.is_choice and len(services) > 1
    return replace(
        resolution, resolvability=resolvability, services=tuple(kept), is_choice=is_choice
    )


def _asked(service: ResolutionService) -> ResolutionService:
    return replace(service, source="", is_registrants=True, is_sure=True)


def write_profile(profile: NamespaceProfile) -> str:
    """What people look up, as a text among the fields; empty where nothing is said."""
    return _text(profile_to(replace(profile, resolution=NO_RESOLUTION)))


def write_services(resolution: Resolution) -> str:
    """Where names lead, as a text among the fields; empty where nothing is said."""
    return _text(resolution_to(resolution))


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, sort_keys=True) if document else ""


def profile_in(fields: Mapping[str, str]) -> NamespaceProfile:
    """What a text that was sent, or would be, says of its namespace.

    Raises ValueError, TypeError or KeyError for what no form has written.
    """
    profile, services = fields.get(PROFILE, ""), fields.get(SERVICES, "")
    said = profile_from(json.loads(profile)) if profile else NO_PROFILE
    return replace(said, resolution=resolution_from(json.loads(services))) if services else said


def profile_facts_in(fields: Mapping[str, str]) -> tuple[ProfileFact, ...]:
    """The facts that a text says of its namespace, in words. Raises as ``profile_in``."""
    return tuple(fact for fact in worded_facts(profile_in(fields)) if fact.words)


def labels_of_facts(fields: Mapping[str, str]) -> frozenset[str]:
    """What a form calls its questions, and a page the facts that a text says. Raises likewise."""
    told = (fact.label.capitalize() for fact in profile_facts_in(fields))
    return frozenset({*_LABELS.values(), *told})


def registered_profile(fields: Mapping[str, str], name: str) -> NamespaceProfile:
    """The profile that is registered for a name: an example of another name is left out.

    Where a name is a number, nobody knows it before.
    """
    profile = profile_in(fields)
    own = (example for example in profile.examples if _is_of(example.urn, name))
    return replace(profile, examples=tuple(own))


def _is_of(urn: str, name: str) -> bool:
    try:
        return parse_urn(urn).nid.lower() == name.lower()
    except InvalidURN:
        return False


def revised_profile(
    fields: Mapping[str, str], name: str, base: NamespaceProfile, latest: NamespaceProfile
) -> NamespaceProfile:
    """What a revision leaves of a profile: its changes to ``base`` made in ``latest``.

    So what the registry corrected meanwhile stays. A text that was begun before there were
    profiles says nothing of them, and changes none.
    """
    if not (fields.get(PROFILE) or fields.get(SERVICES)):
        return latest
    given = registered_profile(fields, name)
    changed = {
        one.name: getattr(given, one.name)
        for one in dataclass_fields(NamespaceProfile)
        if getattr(given, one.name) != getattr(base, one.name)
    }
    return replace(latest, **changed)


def undone_facts(
    fields: Mapping[str, str], name: str, base: NamespaceProfile, latest: NamespaceProfile
) -> tuple[ProfileFact, ...]:
    """What the registry came to say since ``base`` and a revision would undo, as it is in
    ``latest``; empty words where it came to say nothing. Raises as ``profile_in``."""
    left = revised_profile(fields, name, base, latest)
    facts = zip(worded_facts(base), worded_facts(latest), worded_facts(left), strict=True)
    return tuple(now for before, now, own in facts if now.words not in (before.words, own.words))


def question_of_fact(member: str) -> tuple[str, str]:
    """The field of the template, and the question beside it, that a fact is asked at."""
    return ("purpose", member) if member in _ASKED else ("resolution", "resolvability")


def check_answers(
    fields: Mapping[str, str], name: str, limits: ProfileLimits
) -> Iterator[SubmissionFinding]:
    """Everything that forbids what a text says of its namespace, and what was hardly meant so, at
    the fields of the template.

    ``name`` is folded; without one, whose names the examples are is not asked.

    Source: RFC 8141 sections 6.4.1, 6.4.2 and 6.4.6.
    """
    profile = profile_in(fields)
    judged = profile if name else replace(profile, examples=())
    advice = advise_services(profile.resolution.services, limits.known)
    equivalence, syntax = declared_equivalence(fields), fields.get(_SYNTAX, "")
    findings = check_profile(name, judged, limits, equivalence, syntax)
    for finding in (*findings, *advice):
        member, _, rest = finding.field.partition(".")
        number, _, column = rest.partition(".")
        label = " ".join(filter(None, (_LABELS.get(member, ""), number)))
        label = ", ".join(filter(None, (label, _COLUMNS.get(column, column.replace("_", " ")))))
        message = f"{label}: {finding.message}" if label else finding.message
        field = _FIELDS.get(member, "purpose")
        yield replace(finding, field=field, message=message, question=_question(member, rest))


def _question(member: str, rest: str) -> str:
    if member == "services":
        return f"service_{rest.replace('.', '_')}" if rest else "resolvability"
    return member if member in _LABELS else ""
