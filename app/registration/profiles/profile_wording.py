"""The wording of a namespace profile: a label and a text for each fact."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.registration.profiles.profile_records import (
    CaseRule,
    EquivalenceStatement,
    NamespaceProfile,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)

GIVES: Mapping[ServiceKind, str] = {
    ServiceKind.LOCATION: "address",
    ServiceKind.LOCATIONS: "addresses",
    ServiceKind.RESOURCE: "resource",
    ServiceKind.RESOURCES: "resource in several formats",
    ServiceKind.DESCRIPTION: "description",
    ServiceKind.DESCRIPTIONS: "descriptions",
    ServiceKind.NAME: "another identifier",
    ServiceKind.NAMES: "other identifiers",
    ServiceKind.EQUALITY: "equivalence of two URNs",
}
CASES: Mapping[CaseRule, str] = {
    CaseRule.SENSITIVE: "Case-sensitive.",
    CaseRule.INSENSITIVE: "Not case-sensitive.",
    CaseRule.MIXED: "Case-sensitive in part.",
}
RESOLVED: Mapping[Resolvability, str] = {
    Resolvability.RESOLVED: "Resolution is intended.",
    Resolvability.ELSEWHERE: "Resolution is documented elsewhere.",
    Resolvability.METADATA: "URNs resolve to descriptions only.",
    Resolvability.AUTHORIZED: "Only authorized users can access the resources.",
    Resolvability.UNDECLARED: "The registration declares no resolution service.",
    Resolvability.NOT_RESOLVED: "Resolution isn't intended.",
}


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """One fact: its member name, its label, and its text of one or more lines."""

    member: str
    label: str
    words: str


def worded_facts(profile: NamespaceProfile) -> tuple[ProfileFact, ...]:
    """Return every fact of a profile in display order; ``words`` is "" for a missing fact.

    Two different profiles have at least one fact with different words.
    """
    return (*_plain(profile), *_of_names(profile), *_of_resolution(profile.resolution))


def _plain(profile: NamespaceProfile) -> Iterator[ProfileFact]:
    yield ProfileFact("title", "title", profile.title)
    yield ProfileFact("names", "identified resources", profile.names)
    yield ProfileFact("description", "description", profile.description)
    yield ProfileFact("holder", "registrant", profile.holder)
    homepage = _sourced(profile.homepage, profile.homepage_source)
    yield ProfileFact("homepage", "homepage", homepage)
    yield ProfileFact("related", "related namespaces", ", ".join(profile.related))
    yield ProfileFact("remarks", "remarks", profile.remarks)


def _of_names(profile: NamespaceProfile) -> Iterator[ProfileFact]:
    examples = (_sourced(one.urn, one.source) for one in profile.examples)
    yield ProfileFact("examples", "examples", "\n".join(examples))
    yield ProfileFact("pattern", "pattern", _pattern(profile))
    case = CASES[profile.case] if profile.case else ""
    yield ProfileFact("case", "case", case)
    rules = (_sourced(rule_in_words(one), one.clause) for one in profile.rules)
    yield ProfileFact("rules", "equivalence rules", "\n".join(rules))
    yield ProfileFact("check", "check algorithm", profile.check)
    yield ProfileFact("components", "r-, q- and f-components", profile.components)


def rule_in_words(statement: EquivalenceStatement) -> str:
    """Return an equivalence rule, with a note if this registry doesn't apply it."""
    return f"{statement.rule}. {statement.unapplied}" if statement.unapplied else statement.rule


def _pattern(profile: NamespaceProfile) -> str:
    if profile.pattern is None:
        return ""
    kind = "exact" if profile.pattern.is_exact else "necessary"
    return _sourced(f"{profile.pattern.expression} ({kind})", profile.pattern.source)


def _of_resolution(resolution: Resolution) -> Iterator[ProfileFact]:
    default = Resolution()
    known = resolution.resolvability != default.resolvability
    yield ProfileFact("resolvability", "resolution", resolution.resolvability if known else "")
    yield ProfileFact("says", "resolution, in words", resolution.says)
    yield ProfileFact("services", "services", "\n".join(map(worded_service, resolution.services)))
    choice = "the client chooses the service" if resolution.is_choice else ""
    yield ProfileFact("choice", "choice of service", choice)
    form = "the namespace’s own normal form" if resolution.sends_normal_form else ""
    yield ProfileFact("sends_normal_form", "form sent to services", form)
    handed = "passed to the target" if resolution.extends_names else ""
    yield ProfileFact("extends_names", "text after the identifier", handed)


def worded_service(service: ResolutionService) -> str:
    """Return a service as one line with all its facts."""
    told = (
        service.when and f"for identifiers that match {service.when}",
        service.media_type and f"{service.media_type}",
        service.language and f"language {service.language}",
        service.country and f"country {service.country}",
        service.contact and f"contact: {service.contact}",
        service.since and f"since {service.since}",
        service.until and f"until {service.until}",
        "supports r-components" if service.takes_r else "",
        "is a URN resolver" if service.is_resolver else "",
        "" if service.is_registrants else "third-party site",
        "" if service.is_sure else "may be offline",
    )
    line = "; ".join(filter(None, (f"{service_label(service)}: {service.target}", *told)))
    return _sourced(line, service.source)


def service_label(service: ResolutionService) -> str:
    """Return the result of a service, capitalized as the start of a line."""
    words = GIVES[service.kind]
    return words[:1].upper() + words[1:]


def _sourced(words: str, source: str) -> str:
    return f"{words} [{source}]" if words and source else words
