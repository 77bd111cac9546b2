"""What a profile may say: each refusal has a field and a sentence, and what is shipped has none."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import bundled
from app.grammar.expressions.regular_expressions import find_unsafe_pattern
from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
)
from app.registration.profiles.profile_documents import profile_from
from app.registration.profiles.profile_records import (
    EquivalenceStatement,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.profiles.profile_rules import ProfileLimits, check_profile
from app.registration.profiles.profile_wording import worded_facts
from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.record_rules import judge_examples
from app.services.registry.bundled_profiles import bundled_patterns, bundled_profiles
from tests.torture.conftest import rounds

LIMITS = ProfileLimits(unsafe_in=find_unsafe_pattern, judge=judge_examples)
SHIPPED = {
    name: profile_from(one["profile"]) for name, one in json.loads(bundled.profiles()).items()
}


def found(profile: NamespaceProfile, **limits: Any) -> dict[str, str]:
    return {
        finding.field: finding.message
        for finding in check_profile("ex", profile, replace(LIMITS, **limits))
    }


def served(target: str = "https://www.example.org/{+nss}", **facts: Any) -> NamespaceProfile:
    service = ResolutionService(kind=ServiceKind.LOCATION, target=target, **facts)
    return NamespaceProfile(
        pattern=NssPattern(expression="(?P<part>[a-z]+)"),
        resolution=Resolution(services=(service,)),
    )


def test_what_is_shipped_may_be_said() -> None:
    limits = replace(LIMITS, takes_http=True, known_patterns=bundled_patterns())
    for name, entry in bundled_profiles().items():
        assert list(check_profile(name, entry.profile, limits, entry.equivalence)) == []


def test_a_pattern_is_judged_by_the_case_that_counts_in_its_namespace() -> None:
    expression = "(?:[a-z][a-z]|[A-Z])*!"
    profile = NamespaceProfile(pattern=NssPattern(expression=expression))
    folding = Equivalence((EquivalenceRule(EquivalenceOperation.FOLD_CASE, "case does not count"),))
    assert list(check_profile("ex", profile, LIMITS)) == []
    (finding,) = check_profile("ex", profile, LIMITS, folding)
    assert (finding.field, "in two ways" in finding.message) == ("pattern", True)
    known = replace(LIMITS, known_patterns=frozenset({(expression, False)}))
    assert [f.field for f in check_profile("ex", profile, known, folding)] == ["pattern"]


@pytest.mark.parametrize(
    "target",
    [
        "https://www.example.org/{+nss}",
        "https://example.org:8443/x?urn=urn:ex:{nss}",
        "https://example.org?{nss}",
        "https://example.org/{part}{?nss*}",
        "https://example.org/{other}",
        "https://192.0.1.1/{+nss}",
        "https://[2a00:1450::1]/{+nss}",
    ],
)
def test_targets_that_may_stand(target: str) -> None:
    assert found(served(target, when="(?P<other>.*)")) == {}


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("http://www.example.org/{+nss}", "ask the operator"),
        ("ftp://www.example.org/{+nss}", "begins with `https://`"),
        ("javascript:alert({nss})", "begins with `https://`"),
        ("//www.example.org/{+nss}", "begins with `https://`"),
        ("https://{+nss}/", "begins with `https://`"),
        ("https://www.example.org{+nss}", "begins with `https://`"),
        ("https://www.example.org/ {+nss}", "begins with `https://`"),
        ("https://www.example.org/\r\nX: {+nss}", "begins with `https://`"),
        ("https://www.example.org/é{+nss}", "begins with `https://`"),
        ("https://www.example.org/%zz{+nss}", "begins with `https://`"),
        ("https://www.example.org/{nss", "no variable"),
        ("https://www.example.org/{}", "no variable"),
        ("https://www.example.org/{!nss}", "no variable"),
        ("https://www.example.org/{nid}", "`nid` is not a variable"),
        ("https://me@www.example.org/{+nss}", "contains a user name"),
        ("https://www.example.org:0/{+nss}", "Port 0"),
        ("https://localhost/{+nss}", "in a private network"),
        ("https://intranet/{+nss}", "in a private network"),
        ("https://printer.local./{+nss}", "in a private network"),
        ("https://127.0.0.1/{+nss}", "in a private network"),
        ("https://10.1.2.3/{+nss}", "in a private network"),
        ("https://169.254.169.254/{+nss}", "in a private network"),
        ("https://[::1]/{+nss}", "in a private network"),
        ("https://[fe80::1]/{+nss}", "in a private network"),
        ("https://[::ffff:10.0.0.1]/{+nss}", "in a private network"),
        ("https://[64:ff9b::a00:1]/{+nss}", "in a private network"),
        ("https://[2002:7f00:1::]/{+nss}", "in a private network"),
        ("https://[::127.0.0.1]/{+nss}", "in a private network"),
        ("https://[::ffff:0:127.0.0.1]/{+nss}", "in a private network"),
        ("https://[fec0::1]/{+nss}", "in a private network"),
        ("https://[5f00::1]/{+nss}", "in a private network"),
        ("https://[3fff::1]/{+nss}", "in a private network"),
        ("https://[2a00:1450::5efe:7f00:1]/{+nss}", "in a private network"),
        ("https://[2002:c058:6301::]/{+nss}", "in a private network"),
        ("https://192.0.0.8/{+nss}", "in a private network"),
        ("https://192.88.99.1/{+nss}", "in a private network"),
        ("https://a.home.arpa/{+nss}", "in a private network"),
        ("https://localhost.localdomain./{+nss}", "in a private network"),
        ("https://a.onion/{+nss}", "in a private network"),
        ("https://[2a00:1450::1%25eth0]/{+nss}", "in a private network"),
        ("https://2a00:1450::192.0.1.1/{+nss}", "valid host"),
        ("https://[192.0.1.1]/{+nss}", "valid host"),
        ("https://192.0.1.1]/{+nss}", "valid host"),
        ("https://127.1/{+nss}", "valid host"),
        ("https://0x7f.0.0.1/{+nss}", "valid host"),
        ("https://2130706433/{+nss}", "in a private network"),
        ("https://a..example.org/{+nss}", "valid host"),
        ("https://a_b.example.org/{+nss}", "valid host"),
    ],
)
def test_targets_that_lead_nowhere_or_where_nobody_may_be_sent(target: str, told: str) -> None:
    assert told in found(served(target))["services.1.target"]


@pytest.mark.parametrize(
    ("profile", "field", "told"),
    [
        (NamespaceProfile(title="a\nb"), "title", "U+000A"),
        (NamespaceProfile(description="a\x00"), "description", "U+0000"),
        (NamespaceProfile(holder="x" * 301), "holder", "at most"),
        (NamespaceProfile(homepage="https://10.0.0.1"), "homepage", "in a private network"),
        (NamespaceProfile(homepage="//example.org"), "homepage", "Enter an address"),
        (NamespaceProfile(check="ISBN!"), "check", "check algorithm"),
        (NamespaceProfile(related=("ex",)), "related", "another namespace"),
        (NamespaceProfile(related=("a b",)), "related", "another namespace"),
        (
            NamespaceProfile(rules=(EquivalenceStatement(rule="x", clause=" "),)),
            "rules.1",
            "Enter both",
        ),
        (NamespaceProfile(pattern=NssPattern(expression="(")), "pattern", "not closed"),
        (NamespaceProfile(pattern=NssPattern(expression="")), "pattern", "empty"),
        (NamespaceProfile(pattern=NssPattern(expression="(a+)+")), "pattern", "in two ways"),
        (NamespaceProfile(examples=(ExampleName(urn="ex:a"),)), "examples.1", "is not a valid URN"),
        (NamespaceProfile(examples=(ExampleName(urn="urn:other:a"),)), "examples.1", "`other`"),
        (
            NamespaceProfile(
                examples=(ExampleName(urn="urn:EX:1"),), pattern=NssPattern(expression="[a-z]")
            ),
            "examples.1",
            "doesn't match",
        ),
        (served(when="("), "services.1.when", "not closed"),
        (served(media_type="html"), "services.1.media_type", "media type"),
        (served(language="Finnish!"), "services.1.language", "language tag"),
        (served(country="Finland"), "services.1.country", "country"),
        (served(since="2026-02-30"), "services.1.since", "is not a date"),
        (served(since="2026-02-02", until="2026-01-01"), "services.1.until", "before the start"),
        (NamespaceProfile(resolution=Resolution(is_choice=True)), "choice", "two services"),
        (
            NamespaceProfile(
                resolution=replace(served().resolution, resolvability=Resolvability.NOT_RESOLVED)
            ),
            "services",
            "meant to be resolved",
        ),
        (
            NamespaceProfile(resolution=Resolution(services=served().resolution.services * 2)),
            "services.2.target",
            "duplicate",
        ),
        (
            NamespaceProfile(resolution=Resolution(services=served().resolution.services * 41)),
            "services",
            "41 services",
        ),
        (NamespaceProfile(examples=(ExampleName(urn="urn:ex:a"),) * 21), "examples", "21 examples"),
        (
            NamespaceProfile(pattern=NssPattern(expression="a" * 1_001)),
            "pattern",
            "at most 1,000",
        ),
        (served(when="a" * 1_001), "services.1.when", "at most 1,000"),
    ],
)
def test_what_cannot_be_said_is_told_with_its_field(
    profile: NamespaceProfile, field: str, told: str
) -> None:
    assert told in found(profile)[field]


@pytest.mark.parametrize(
    ("nss", "joins", "is_taken"),
    [
        ("ABC-1", (), True),
        ("abc-1", (), False),
        ("abc-1", (EquivalenceRule(EquivalenceOperation.FOLD_CASE, "c"),), True),
        ("A-BC-1", (EquivalenceRule(EquivalenceOperation.DROP, "c", "-"),), False),
        ("a%2dbc1", (EquivalenceRule(EquivalenceOperation.DECODE, "c", "-"),), False),
        ("abc%2d1", (EquivalenceRule(EquivalenceOperation.DECODE, "c", "-"),), False),
        (
            "abc%2d1",
            (
                EquivalenceRule(EquivalenceOperation.DECODE, "c", "-"),
                EquivalenceRule(EquivalenceOperation.FOLD_CASE, "c"),
            ),
            True,
        ),
        (
            "abc-1",
            (EquivalenceRule(EquivalenceOperation.FOLD_CASE, "c", part=NssSegments("-", 0, 1)),),
            True,
        ),
    ],
)
def test_an_example_fits_the_pattern_as_a_name_does_that_is_judged(
    nss: str, joins: tuple[EquivalenceRule, ...], is_taken: bool
) -> None:
    pattern, rules = NssPattern(expression="[A-Z]+-1"), Equivalence(joins)
    profile = NamespaceProfile(examples=(ExampleName(urn=f"urn:ex:{nss}"),), pattern=pattern)
    findings = list(check_profile("ex", profile, LIMITS, rules))
    assert (findings == []) is is_taken
    book = book_of([NamespaceRules(name="ex", pattern=pattern, equivalence=rules)])
    assert judge_text(f"urn:ex:{nss}", book).is_name is is_taken


HERBARIUM = 'NSS = 1*3%x41-5A ":" 1*8DIGIT\n'


@pytest.mark.parametrize(
    ("nss", "told"),
    [
        ("K:000123456", "character 11 doesn't match"),
        ("nope", "character 1 doesn't match"),
        ("K:", "it ends too early"),
        ("K:12", ""),
        ("K:12?=a", ""),
    ],
)
def test_an_example_is_held_to_the_grammar_of_the_same_text(nss: str, told: str) -> None:
    profile = NamespaceProfile(examples=(ExampleName(urn=f"urn:ex:{nss}"),))
    messages = [one.message for one in check_profile("ex", profile, LIMITS, syntax=HERBARIUM)]
    assert [told in message for message in messages] == [True] * bool(told)
    assert list(check_profile("ex", profile, LIMITS, syntax="Names have a letter first.")) == []


def test_where_a_pattern_is_given_an_example_is_held_to_it_and_not_to_the_grammar() -> None:
    for expression, told in (("[a-z]+", []), ("[0-9]+", ["doesn't match `nope`"])):
        pattern = NssPattern(expression=expression)
        profile = NamespaceProfile(examples=(ExampleName(urn="urn:ex:nope"),), pattern=pattern)
        findings = list(check_profile("ex", profile, LIMITS, syntax=HERBARIUM))
        assert [told[0] in one.message for one in findings] == [True] * len(told)


def test_an_example_with_a_wrong_check_character_is_told_unless_the_registration_shows_it() -> None:
    wrong, right = "urn:ex:9789510184357", "urn:ex:9789510184356"

    def messages(*examples: ExampleName) -> list[str]:
        profile = NamespaceProfile(examples=examples, check="isbn")
        return [one.message for one in check_profile("ex", profile, LIMITS)]

    (told,) = messages(ExampleName(urn=right), ExampleName(urn=wrong))
    assert "should be 6" in told
    shown = ExampleName(urn=wrong, source="RFC 3187")
    assert messages(shown) == []
    assert messages(shown, ExampleName(urn="urn:ex:9789510184358")) == [], "it holds to no check"
    assert len(messages(replace(shown, source="general knowledge"))) == 1


def test_http_may_be_allowed_and_what_stands_may_stay() -> None:
    profile = served("http://www.example.org/{+nss}")
    assert found(profile, takes_http=True) == {}
    assert found(profile, known=frozenset(profile.resolution.services)) == {}


@settings(max_examples=rounds(60, 15), deadline=None)
@given(text=st.text(max_size=40))
def test_whatever_is_written_is_judged(text: str) -> None:
    profile = served(text, when=text, country=text, since=text, media_type=text)
    said = replace(profile, title=text, homepage=text, related=(text,), check=text)
    pattern = NssPattern(expression=text)
    said = replace(said, examples=(ExampleName(urn=text),), pattern=pattern)
    for finding in check_profile("ex", said, LIMITS):
        assert finding.message and finding.field


def test_profiles_that_differ_differ_in_words() -> None:
    worded = {name: worded_facts(profile) for name, profile in SHIPPED.items()}
    assert len(set(worded.values())) == len(set(SHIPPED.values()))
    first = SHIPPED["nbn"].resolution.services[0]
    for change in (
        {"takes_r": True},
        {"is_resolver": False},
        {"is_sure": False},
        {"since": "2026-01-01"},
        {"contact": "x"},
        {"is_registrants": True},
    ):
        other = replace(first, **change)
        resolution = replace(SHIPPED["nbn"].resolution, services=(other,))
        one = replace(SHIPPED["nbn"].resolution, services=(first,))
        assert worded_facts(NamespaceProfile(resolution=resolution)) != worded_facts(
            NamespaceProfile(resolution=one)
        )
