"""Namespaces of tests, one for each way that a name can go."""

from typing import Any

from app.identifiers.equivalence import Equivalence, EquivalenceOperation, EquivalenceRule
from app.registration.profiles.profile_records import (
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.records.registry_records import Status
from app.resolution.namespace_rules import NamespaceRules

L, R, C = ServiceKind.LOCATION, ServiceKind.RESOURCE, ServiceKind.DESCRIPTION


def service(target: str, kind: ServiceKind = L, **more: Any) -> ResolutionService:
    """A service that the registration names."""
    return ResolutionService(**{"kind": kind, "target": target, "is_registrants": True, **more})


def namespace(name: str, *services: ResolutionService, **more: Any) -> NamespaceRules:
    """A namespace that is resolved by these; members of its resolution are given by name."""
    members = ("is_choice", "sends_normal_form", "extends_names", "says")
    own = {key: more.pop(key) for key in members if key in more}
    declared = more.pop("resolvability", Resolvability.RESOLVED)
    resolution = Resolution(resolvability=declared, services=services, **own)
    return NamespaceRules(name=name, resolution=resolution, **more)


CASELESS = Equivalence(
    (
        EquivalenceRule(EquivalenceOperation.FOLD_CASE, "case does not count"),
        EquivalenceRule(EquivalenceOperation.DROP, "hyphens do not count", "-"),
    )
)
PAIR = NssPattern(expression="(?P<first>[0-9]{4})-?(?P<last>[0-9]{3}[0-9X])")
PAIRED = service("https://pair.example/{first}-{last}")

RULES = [
    namespace("example", service("https://weatherapp.example", when="weather")),
    namespace("lead", service("https://lead.example/{+nss}"), extends_names=True),
    namespace("none"),
    namespace("quiet", service("https://quiet.example/"), resolvability=Resolvability.NOT_RESOLVED),
    namespace(
        "others",
        service("https://others.example/{+nss}"),
        resolvability=Resolvability.UNDECLARED,
    ),
    namespace(
        "many",
        service("https://many.example/about/{+nss}", C),
        service("https://many.example/{+nss}", is_registrants=False),
        service("https://many.example/{+nss}", R),
        service("https://x.example/x/{rest}", C, when="x(?P<rest>.+)"),
        service("https://other.example/names/{+nss}", ServiceKind.NAMES),
    ),
    namespace("about", service("https://about.example/{+nss}", C)),
    namespace("query", service("https://query.example/?id={+nss}#top")),
    namespace("encodes", service("https://encodes.example/{nss}")),
    namespace("on", service("https://on.example/urn:on:{+nss}", is_resolver=True)),
    namespace("value", service("https://on.example/?urn=urn:value:{+nss}&x=y", is_resolver=True)),
    namespace("uri-res", service("http://on.example/N2L?urn:uri-res:{+nss}", is_resolver=True)),
    namespace("takes", service("https://takes.example/{+nss}", takes_r=True)),
    namespace(
        "equals",
        service("https://one.example/{+nss}"),
        service("https://two.example/{+nss}"),
        is_choice=True,
    ),
    namespace(
        "old",
        service("https://old.example/{+nss}"),
        status=Status.DEPRECATED,
        successor="older",
    ),
    namespace("older", status=Status.DEPRECATED, successor="lead"),
    namespace("gone", status=Status.FORMER),
    namespace("renamed", status=Status.FORMER, successor="lead"),
    namespace(
        "typed",
        service("https://typed.example/en/{+nss}", media_type="text/html", language="en"),
        service("https://typed.example/fi/{+nss}", media_type="text/html", language="fi"),
        service("https://typed.example/data/{+nss}", C, media_type="application/json"),
    ),
    namespace(
        "spoken",
        service("https://spoken.example/en/{+nss}", language="en"),
        service("https://spoken.example/fi/{+nss}", language="fi"),
        service("https://spoken.example/sv/{+nss}", language="sv-FI"),
        service("https://spoken.example/any/{+nss}"),
    ),
    namespace(
        "dated",
        service("https://was.example/{+nss}", until="2026-06-30"),
        service("https://is.example/{+nss}", since="2026-07-01"),
    ),
    namespace("spelled", service("https://s.example/{+nss}", when="AB.*"), equivalence=CASELESS),
    namespace("pairs", PAIRED, pattern=PAIR, equivalence=CASELESS),
    namespace(
        "formed",
        service("https://formed.example/{+nss}"),
        equivalence=CASELESS,
        sends_normal_form=True,
    ),
    namespace("exact", pattern=NssPattern(expression="[0-9]+", is_exact=True, source="section 2")),
    namespace("checked", service("https://c.example/{+nss}"), check="isbn"),
    namespace("script", service("javascript:alert(1)//{+nss}"), service("{+nss}")),
    namespace("broken", service("https://b.example/{+nss}{", when="(")),
]
