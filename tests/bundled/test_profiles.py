"""What the namespaces say of themselves, as shipped."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from uritemplate import URITemplate

from app import bundled
from app.identifiers.equivalence import PLAIN, Equivalence, equivalence_from
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.registration.profiles.profile_documents import Document, profile_from, profile_to
from app.registration.profiles.profile_records import (
    NamespaceProfile,
    ResolutionService,
    Resolvability,
)
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import Status
from tests.attack.patterns import Found, slow

DOCUMENTS: dict[str, Document] = json.loads(bundled.profiles())
PROFILES = {name: profile_from(one["profile"]) for name, one in DOCUMENTS.items()}
RULES = {
    name: equivalence_from(one["equivalence"]) if "equivalence" in one else PLAIN
    for name, one in DOCUMENTS.items()
}
NSS = re.compile("(?s).*")
LETTERED = {"isni": ("000000012150090X",)}  # its example has digits alone


def _pattern(profile: NamespaceProfile) -> "re.Pattern[str]":
    return re.compile(profile.pattern.expression, re.ASCII) if profile.pattern else NSS


def _values(
    profile: NamespaceProfile, service: ResolutionService, nss: str
) -> dict[str, Any] | None:
    """The variables of a service's template for a name; None where it does not apply."""
    groups = _pattern(profile).fullmatch(nss)
    applies = re.compile(service.when, re.ASCII).fullmatch(nss) if service.when else groups
    assert groups
    if applies is None:
        return None
    found = {"nss": nss, **groups.groupdict(), **applies.groupdict()}
    known = {name: value for name, value in found.items() if value is not None}
    return known if set(URITemplate(service.target).variable_names) <= set(known) else None


def _nss(name: str) -> list[str]:
    return [parse_urn(one.urn).nss for one in PROFILES[name].examples]


def test_every_name_in_use_has_a_profile_and_no_other_has() -> None:
    records = snapshot_read(json.loads(bundled.read())).records()
    in_use = [record.folded for record in records if record.status is not Status.FORMER]
    assert sorted(PROFILES) == sorted(in_use)
    for profile in PROFILES.values():
        assert profile.title and profile.names and profile.description and profile.examples
        assert profile.resolution.says


def test_what_is_said_of_resolution_does_not_deny_the_services_that_a_registration_names() -> None:
    denied = [
        name
        for name, profile in PROFILES.items()
        if any(service.is_registrants for service in profile.resolution.services)
        and re.match("No (?:central )?(?:service|resol)", profile.resolution.says)
    ]
    assert denied == []


def test_the_file_is_in_the_form_in_which_profiles_are_stored() -> None:
    assert {name: profile_to(one) for name, one in PROFILES.items()} == {
        name: one["profile"] for name, one in DOCUMENTS.items()
    }
    assert all(set(one) <= {"profile", "equivalence"} for one in DOCUMENTS.values())
    text = bundled.profiles().decode()
    assert text == json.dumps(DOCUMENTS, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("name", PROFILES)
def test_every_example_is_a_name_of_its_namespace_in_its_normal_form_too(name: str) -> None:
    for example in PROFILES[name].examples:
        urn = parse_urn(example.urn)
        own = parse_urn(RULES[name].normal_form(urn))
        assert urn.nid.lower() == own.nid == name
        assert _pattern(PROFILES[name]).fullmatch(urn.nss), example
        assert _pattern(PROFILES[name]).fullmatch(own.nss), example


def _spellings(nss: str) -> Iterator[str]:
    yield from (nss.swapcase(), nss.upper(), nss.lower())
    yield from (nss.replace("-", ""), nss.replace("/", "%2F"), nss.replace(".", "%2E"))
    parts = re.split("([:-])", nss)
    for place, part in enumerate(parts):
        yield "".join((*parts[:place], part.swapcase(), *parts[place + 1 :]))


def _is_equal(rules: Equivalence, one: str, other: str) -> bool:
    try:
        return rules.equivalent(one, other)
    except InvalidURN:
        return False


@pytest.mark.parametrize("name", [name for name, rules in RULES.items() if rules.rules])
def test_spellings_that_the_rules_join_are_names_alike_and_go_to_the_same_service(
    name: str,
) -> None:
    profile, joined = PROFILES[name], 0
    for nss in (*_nss(name), *LETTERED.get(name, ())):
        for other in _spellings(nss):
            if not _is_equal(RULES[name], f"urn:{name}:{nss}", f"urn:{name}:{other}"):
                continue
            joined += other != nss
            assert _pattern(profile).fullmatch(other), other
            for one in profile.resolution.services:
                assert (_values(profile, one, nss) is None) == (
                    _values(profile, one, other) is None
                )
    assert joined


def test_rules_join_what_the_registrations_join() -> None:
    for one, other in (
        ("urn:isbn:978-951-0-18435-6", "urn:isbn:9789510184356"),
        ("urn:issn:0259-000X", "urn:issn:0259000x"),
        ("urn:gsma:imei:1-2-0;VERS=0", "urn:gsma:IMEI:1-2-0;vers=0"),
        ("urn:nbn:FI-fe1", "urn:nbn:fi-fe1"),
        ("urn:doi:10.1000%2Fabc", "urn:doi:10.1000/ABC"),
        ("urn:gs1:GDD:CL:Code:A_B", "urn:gs1:gdd:cl:Code:A_B"),
        ("urn:smpte:UL:060e2b34", "urn:smpte:ul:060E2B34"),
    ):
        assert RULES[one.split(":")[1]].equivalent(one, other), (one, other)
    for one, other in (
        ("urn:nbn:fi-fe1", "urn:nbn:fi-FE1"),
        ("urn:gs1:21:Abc", "urn:gs1:21:abc"),
        ("urn:smpte:newnss:A", "urn:smpte:newnss:a"),
        ("urn:gsma:other:A", "urn:gsma:other:a"),
        ("urn:epc:id:a", "urn:epc:id:A"),
    ):
        assert not RULES[one.split(":")[1]].equivalent(one, other), (one, other)


def test_services_give_web_addresses_for_every_example_to_which_they_apply() -> None:
    for name, profile in PROFILES.items():
        for service in profile.resolution.services:
            for nss in _nss(name):
                values = _values(profile, service, nss)
                if values is not None:
                    address = URITemplate(service.target).expand(**values)
                    assert re.fullmatch("https?://[a-z0-9.-]+/[!-~]+", address), address


def test_no_two_services_of_a_namespace_have_one_target() -> None:
    for name, profile in PROFILES.items():
        targets = [service.target for service in profile.resolution.services]
        assert len(set(targets)) == len(targets), name


def test_targets_that_take_a_whole_urn_are_those_of_urn_resolvers() -> None:
    for name, profile in PROFILES.items():
        for service in profile.resolution.services:
            if service.is_resolver:
                assert f"urn:{name}:{{+nss}}" in service.target.lower()


def test_no_pattern_takes_long_for_any_text() -> None:
    for name, profile in PROFILES.items():
        expressions = [service.when for service in profile.resolution.services if service.when]
        expressions += [profile.pattern.expression] if profile.pattern else []
        for expression in expressions:
            assert slow(Found(expression, re.ASCII, name, frozenset({"fullmatch"}))) is None


def test_related_names_are_related_both_ways() -> None:
    for name, profile in PROFILES.items():
        for other in profile.related:
            assert name in PROFILES[other].related, (name, other)


def test_what_is_not_meant_to_be_resolved_names_no_service() -> None:
    for name, profile in PROFILES.items():
        resolution = profile.resolution
        if resolution.resolvability is Resolvability.NOT_RESOLVED:
            assert not resolution.services, name
    said = {name: str(PROFILES[name].resolution.resolvability) for name in ("xmpp", "uuid", "gvat")}
    assert said == {
        "xmpp": "none declared",
        "uuid": "not meant to be resolved",
        "gvat": "by authorization only",
    }
