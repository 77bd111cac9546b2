"""A name for each service of a namespace, by which one sees whether the service answers."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from app.registration.profiles.profile_records import (
    ExampleName,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.resolution.judgement import Judgement, Possibility, judge_text
from app.resolution.namespace_rules import NamespaceRules, RuleBook
from app.resolution.service_choice import ServiceChooser, is_in_use

_ALL = frozenset(ServiceKind)


class ServiceSample(NamedTuple):
    """A service, and an example of its namespace with the address at which the service has it."""

    service: ResolutionService
    urn: str = ""
    url: str = ""


def service_samples(
    rules: NamespaceRules, examples: tuple[ExampleName, ...], book: RuleBook, day: str
) -> Iterator[ServiceSample]:
    """Each service that is in use on a day, with the first example that it applies to.

    Source: RFC 8141 section 6.4.6.
    """
    if rules.resolution.resolvability is Resolvability.NOT_RESOLVED:
        return
    judged = [judge_text(example.urn, book) for example in examples]
    possible = [one for one in judged if one.possibility is not Possibility.IMPOSSIBLE]
    for service in rules.resolution.services:
        if is_in_use(service, day):
            yield _sample(service, rules, possible, day)


def _sample(
    service: ResolutionService, rules: NamespaceRules, names: list[Judgement], day: str
) -> ServiceSample:
    alone = replace(rules.resolution, services=(service,))
    chooser = ServiceChooser(replace(rules, resolution=alone))
    for name in names:
        if name.urn is None:
            continue
        found, _ = chooser.choose(name.urn, name.normal_form, name.own_form, day, kinds=_ALL)
        if found:
            return ServiceSample(service, name.text, found[0].target)
    return ServiceSample(service)
