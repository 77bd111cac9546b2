"""An address for each NAAN and shoulder, by which one sees whether its target answers."""

from collections.abc import Iterable
from typing import NamedTuple

from app.identifiers.ark import find_embedded_ark
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_outcomes import ArkHandedOn, ResolvedArk
from app.resolution.arks.ark_resolver import ArkResolver
from app.resolution.arks.ark_rule_books import ark_book_of
from app.resolution.arks.ark_rules import ArkRules


class ArkSample(NamedTuple):
    """An address at a target, and the ARK that is there; the ARK is empty where none is known."""

    ark: str
    url: str


def ark_sample(rules: ArkRules, own_hosts: Iterable[str] = ()) -> ArkSample | None:
    """What a NAAN or a shoulder can be asked for: its test ARK, or its target without a name.

    None where nothing leads on: the name is former, the target is none, or it is at one of
    ``own_hosts``.

    Source: the schema PublicNAAN of the ARK Alliance, on test identifiers.
    """
    resolver = ArkResolver(ark_book_of((rules,)), own_hosts)
    if rules.status is Status.FORMER or rules.way.fault is not None or resolver.leads_back(rules):
        return None
    return _named_sample(rules, resolver) or ArkSample("", rules.way.fill("", "", ""))


def _named_sample(rules: ArkRules, resolver: ArkResolver) -> ArkSample | None:
    written = find_embedded_ark(rules.test_ark)  # some give it as a link
    found = resolver.resolve(rules.test_ark if written is None else str(written))
    if not isinstance(found, (ResolvedArk, ArkHandedOn)):
        return None
    return ArkSample(found.request.normal_form or found.request.core, found.target)
