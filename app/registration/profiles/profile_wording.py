"""A profile in words: each of its facts with the label by which people know it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.registration.profiles.profile_records import (
    NamespaceProfile,
    Resolution,
    ResolutionService,
    ServiceKind,
)

GIVES: Mapping[ServiceKind, str] = {
    ServiceKind.LOCATION: "the resource’s location",
    ServiceKind.LOCATIONS: "the resource’s locations",
    ServiceKind.RESOURCE: "the resource",
    ServiceKind.RESOURCES: "the resource in several forms",
    ServiceKind.DESCRIPTION: "a description",
    ServiceKind.DESCRIPTIONS: "descriptions",
    ServiceKind.NAME: "another name",
    ServiceKind.NAMES: "other names",
    ServiceKind.EQUALITY: "whether two names are of the same",
}


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """One fact: the member that holds it, what people call it, and its words, maybe lines."""

    member: str
    label: str
    words: str


def worded_facts(profile: NamespaceProfile) -> tuple[ProfileFact, ...]:
    """Every fact of a profile in the order in which they are shown; empty words for none.

    Two profiles that differ, differ in the words of a fact.
    """
    return (*_plain(profile), *_of_names(profile), *_of_resolution(profile.resolution))


def _plain(profile: NamespaceProfile) -> Iterator[ProfileFact]:
    yield ProfileFact("title", "title", profile.title)
    yield ProfileFact("names", "what it names", profile.names)
    yield ProfileFact("description", "description", profile.description)
    yield ProfileFact("holder", "holder", profile.holder)
    homepage = _sourced(profile.homepage, profile.homepage_source)
    yield ProfileFact("homepage", "homepage", homepage)
    yield ProfileFact("related", "related names", ", ".join(profile.related))
    yield ProfileFact("remarks", "remarks", profile.remarks)


def _of_names(profile: NamespaceProfile) -> Iterator[ProfileFact]:
    examples = (_sourced(one.urn, one.source) for one in profile.examples)
    yield ProfileFact("examples", "examples", "\n".join(examples))
    yield ProfileFact("pattern", "pattern", _pattern(profile))
    yield ProfileFact("case", "upper and lower case", profile.case or "")
    rules = (_sourced(one.rule, one.clause) for one in profile.rules)
    yield ProfileFact("rules", "rules of equivalence in words", "\n".join(rules))
    yield ProfileFact("check", "check algorithm", profile.check)
    yield ProfileFact("components", "r-, q- and f-components", profile.components)


def _pattern(profile: NamespaceProfile) -> str:
    if profile.pattern is None:
        return ""
    kind = "exact" if profile.pattern.is_exact else "necessary"
    return _sourced(f"{profile.pattern.expression} ({kind})", profile.pattern.source)


def _of_resolution(resolution: Resolution) -> Iterator[ProfileFact]:
    default = Resolution()
    known = resolution.resolvability != default.resolvability
    yield ProfileFact(
        "resolvability", "how its names are resolved", resolution.resolvability if known else ""
    )
    yield ProfileFact("says", "what is said of resolution", resolution.says)
    yield ProfileFact("services", "services", "\n".join(map(worded_service, resolution.services)))
    choice = "the asker chooses among the services" if resolution.is_choice else ""
    yield ProfileFact("is_choice", "choice among services", choice)
    form = "the namespace’s own normal form" if resolution.sends_normal_form else ""
    yield ProfileFact("sends_normal_form", "form sent to services", form)


def worded_service(service: ResolutionService) -> str:
    """A service in one line, with everything that its profile says of it."""
    told = (
        service.when and f"where the name matches {service.when}",
        service.media_type,
        service.language and f"language {service.language}",
        service.country and f"country {service.country}",
        service.contact and f"contact {service.contact}",
        service.since and f"since {service.since}",
        service.until and f"until {service.until}",
        "takes r-components" if service.takes_r else "",
        "a URN resolver itself" if service.is_resolver else "",
        "named by the registration" if service.is_registrants else "",
        "" if service.is_sure else "not sure",
    )
    line = "; ".join(filter(None, (f"{service.kind} {service.target}", *told)))
    return _sourced(line, service.source)


def _sourced(words: str, source: str) -> str:
    return f"{words} [{source}]" if words and source else words
