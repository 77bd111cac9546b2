"""What is said of a name, and that it is said of all its spellings."""

import json
import re
from dataclasses import fields
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app import bundled
from app.identifiers.corrections import LONGEST_CORRECTED, decode_octets
from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
    read_equivalence,
)
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.registration.profiles.profile_documents import profile_from
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile, NssPattern
from app.registration.records.registry_records import Registration, Status, TemplateStyle
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import (
    DecisionBasis,
    LineRuleBook,
    NamespaceRules,
    Possibility,
    book_of,
)
from app.resolution.record_rules import rules_of
from tests.identifiers.strategies import awkward_texts, mutated_urns, urns
from tests.torture.conftest import rounds

SYNTAX = 'NSS = 4DIGIT "-" 1*ALPHA\n\nSuch as urn:made-here:2024-abc.\n'


@cache
def records() -> tuple[Registration, ...]:
    """The 105 as they are shipped, and one that was registered here."""
    shipped = (
        Registration(
            name=nid,
            profile=profile_from(one["profile"]),
            equivalence=read_equivalence(one.get("equivalence", {"rules": []})),
        )
        for nid, one in json.loads(bundled.profiles()).items()
    )
    made = Registration(name="Made-Here", style=TemplateStyle.RFC8141, fields=(("syntax", SYNTAX),))
    return (*shipped, made)


@cache
def book() -> LineRuleBook:
    return book_of(rules_of(record, "formal") for record in records())


def examples() -> list[str]:
    return [one.urn for record in records() for one in record.profile.examples]


def told(one: Judgement) -> tuple[object, ...]:
    """All that a judgement says, but for the text."""
    return (
        *(one.rules, one.standing, one.possibility, one.is_registered, one.is_name),
        *(one.grounds, one.notes, one.normal_form, one.own_form, one.written_form),
        *(one.clauses, one.corrected),
    )


@pytest.mark.parametrize("urn", examples())
def test_a_bundled_example_can_be_a_name(urn: str) -> None:
    found = judge_text(urn, book())
    assert found.is_name, found.grounds
    assert found.corrected == ""
    assert bool(found.notes) == (found.decision.is_miscounted)
    assert not found.decision.is_miscounted or urn.lower().startswith("urn:isan:")


@pytest.mark.parametrize(
    ("text", "possibility", "code", "corrected"),
    [
        ("urn:isbn:978-951-0-18435-6", "possible", "check", ""),
        ("URN:ISBN:978-951-0-18435-7?=q#f", "impossible", "check", "urn:isbn:978-951-0-18435-6"),
        ("urn:eic:10x1001a1001a450", "impossible", "pattern", "urn:eic:10X1001A1001A450"),
        ("urn:issn:1234-1232", "impossible", "check", "urn:issn:1234-1231"),
        ("urn:gs1:01:09506000134353", "impossible", "check", "urn:gs1:01:09506000134352"),
        ("urn:gs1:gdd:cl:ContainerMaterialCode", "possible", "pattern", ""),
        ("urn:isan:0123-1230-3210-2310-2", "possible", "pattern", ""),
        ("urn:uuid:nope", "impossible", "pattern", ""),
        ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "possible", "pattern", ""),
        ("urn:example:anything", "not fixed by the registration", "not-fixed", ""),
        ("urn:made-here:2024-abc", "possible", "grammar", ""),
        ("urn:made-here:2024", "impossible", "grammar", ""),
        ("urn:made-here:2024-a.b", "impossible", "grammar", ""),
    ],
)
def test_whether_a_name_can_be(text: str, possibility: str, code: str, corrected: str) -> None:
    found = judge_text(text, book())
    assert found.possibility == possibility
    assert [ground.code for ground in found.grounds] == [code]
    assert all(ground.clause and ground.message.endswith(".") for ground in found.grounds)
    assert found.corrected == corrected


def test_a_text_that_is_no_urn_and_one_of_no_namespace_are_told_apart() -> None:
    nothing, unknown = judge_text("urn:isbn", book()), judge_text("URN:Nobodys:A%2f", book())
    assert (nothing.urn, nothing.error is not None, nothing.grounds) == (None, True, ())
    assert unknown.urn is not None
    assert (unknown.rules, unknown.possibility, unknown.is_registered) == (None, None, False)
    assert unknown.grounds[0].code == "unregistered"
    assert unknown.normal_form == unknown.own_form == "urn:nobodys:A%2F"


def test_where_a_grammar_ends_is_told_by_its_character() -> None:
    assert "character 7" in judge_text("urn:made-here:2024-a.b", book()).grounds[0].message
    assert "too early" in judge_text("urn:made-here:2024", book()).grounds[0].message


def test_an_isbn_of_ten_is_the_name_of_thirteen() -> None:
    one, other = (
        judge_text(f"urn:isbn:{n}", book()) for n in ("951-0-18435-7", "978-951-0-18435-6")
    )
    assert one.written_form == other.written_form == "urn:isbn:978-951-0-18435-6"
    assert parse_urn(one.own_form).nss.replace("-", "") == "9789510184356"
    assert "ISO 2108" in one.clauses


def of(*rules: NamespaceRules) -> LineRuleBook:
    return book_of(rules)


@pytest.mark.parametrize(
    ("rule", "names", "others"),
    [
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, "c", begins="A:"),
            ("a:B", "A:B"),
            ("b:C", "B:c"),
        ),
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, "c", part=NssSegments(":", 0, 1)),
            ("a:B", "A:B"),
            ("A:b", "a:b"),
        ),
        (EquivalenceRule(EquivalenceOperation.DROP, "c", "-"), ("A:B", "A-:B"), ("a:b", "a-:b")),
    ],
)
def test_another_case_is_let_through_only_where_it_is_folded(
    rule: EquivalenceRule, names: tuple[str, ...], others: tuple[str, ...]
) -> None:
    pattern = NssPattern(expression="[AB]:[BC]", is_exact=True, source="Syntax")
    rules = of(NamespaceRules(name="cased", pattern=pattern, equivalence=Equivalence((rule,))))
    assert [nss for nss in names if not judge_text(f"urn:cased:{nss}", rules).is_name] == []
    assert [nss for nss in others if judge_text(f"urn:cased:{nss}", rules).is_name] == []


def test_a_former_name_leads_to_its_successor_and_a_deprecated_one_is_told() -> None:
    pattern = NssPattern(expression="[A-Z]+", is_exact=True, source="Syntax")
    rules = of(
        NamespaceRules(name="ad-id", status=Status.FORMER, successor="Adid"),
        NamespaceRules(name="Adid", pattern=pattern),
        NamespaceRules(name="old", status=Status.DEPRECATED, successor="adid", pattern=pattern),
        NamespaceRules(name="withdrawn", status=Status.FORMER),
        NamespaceRules(name="lost", status=Status.FORMER, successor="nobodys"),
    )
    former = judge_text("urn:AD-ID:ABC", rules)
    assert (former.possibility, former.is_registered) == (Possibility.POSSIBLE, False)
    assert former.corrected == "urn:adid:ABC"
    assert [note.code for note in former.notes] == ["former"]
    assert judge_text("urn:ad-id:abc", rules).corrected == "urn:adid:ABC"
    deprecated = judge_text("urn:old:ABC", rules)
    assert (deprecated.is_registered, deprecated.notes[0].code) == (True, "deprecated")
    assert "`adid`" in deprecated.notes[0].message
    for name in ("withdrawn", "lost"):
        assert judge_text(f"urn:{name}:x", rules).possibility is Possibility.NOT_FIXED


def test_a_pattern_counts_for_all_spellings_of_a_name() -> None:
    fold = Equivalence((EquivalenceRule(EquivalenceOperation.FOLD_CASE, "Rules."),))
    drop = Equivalence((EquivalenceRule(EquivalenceOperation.DROP, "Rules.", "-"),))

    def possible(nss: str, expression: str, equivalence: Equivalence) -> bool:
        pattern = NssPattern(expression=expression, is_exact=True)
        rules = NamespaceRules(name="ex", pattern=pattern, equivalence=equivalence)
        return judge_text(f"urn:ex:{nss}", of(rules)).possibility is Possibility.POSSIBLE

    assert possible("aB%2f", "[A-Z]+%2F", fold)
    assert possible("a%2F", "a%2f", Equivalence())
    assert possible("12-34", "[0-9]{4}", drop)
    assert not possible("12-34", "[0-9]{4}", Equivalence())
    assert not possible("é".encode().hex(), "[0-9", Equivalence())  # no expression fixes nothing


@pytest.mark.parametrize("encoded", ["%2F", "%2f"])
def test_a_pattern_counts_for_percent_encodings_in_either_case(encoded: str) -> None:
    pattern = NssPattern(expression="[a-z]%2F[a-z]", is_exact=True)
    rules = of(NamespaceRules(name="x-y", pattern=pattern))
    assert judge_text(f"urn:x-y:a{encoded}b", rules).possibility is Possibility.POSSIBLE


def test_a_check_that_a_registration_fails_itself_is_told_and_refuses_nothing() -> None:
    def rules(source: str) -> NamespaceRules:
        example = ExampleName(urn="urn:ex:9789510184350", source=source)
        profile = NamespaceProfile(check="isbn", examples=(example,))
        return rules_of(Registration(name="ex", profile=profile), "formal")

    assert rules("template, Syntax").tells_check
    assert not rules("general knowledge").tells_check
    told_of = judge_text("urn:ex:9789510184350", of(rules("template")))
    assert told_of.is_name
    assert "still accepted" in told_of.notes[0].message
    assert not judge_text("urn:ex:9789510184350", of(rules("general knowledge"))).is_name


@settings(max_examples=rounds(100, 30))
@given(urns | mutated_urns() | awkward_texts)
def test_no_text_raises(text: str) -> None:
    found = judge_text(text, book())
    assert found.text == text
    assert (found.urn is None) == (found.error is not None)
    assert told(found)


nids = st.sampled_from([record.name for record in records()])
pieces = st.sampled_from(
    [
        "a",
        "A",
        "x",
        "978",
        "951-0-18435-7",
        "1234-1231",
        ":",
        "-",
        ".",
        "/",
        "%2f",
        "%C3%a9",
        "0",
        "X",
    ]
)
names = st.builds("{}{}".format, st.sampled_from("a0A"), st.lists(pieces, max_size=6).map("".join))
bundled_names = st.sampled_from(examples()) | st.builds("urn:{}:{}".format, nids, names)


@settings(max_examples=rounds(150, 40))
@given(bundled_names, st.booleans(), st.booleans(), st.sampled_from(["", "?+r", "?=q", "#f"]))
def test_equivalent_urns_are_judged_the_same(
    text: str, upper: bool, encoded: bool, component: str
) -> None:
    urn = parse_urn(text)
    turned = re.sub("%..", lambda one: one[0].swapcase(), urn.nss)
    nss = turned if encoded else urn.nss
    scheme = f"URN:{urn.nid.upper()}" if upper else f"urn:{urn.nid.lower()}"
    other = f"{scheme}:{nss}{component}"
    assert told(judge_text(other, book())) == told(judge_text(text, book()))


@settings(max_examples=rounds(150, 40))
@given(bundled_names)
def test_a_normal_form_is_judged_as_the_name_is(text: str) -> None:
    found = judge_text(text, book())
    assert told(judge_text(found.normal_form, book())) == told(found)
    own = judge_text(found.own_form, book())
    assert own.possibility == found.possibility
    assert own.own_form == found.own_form


def test_a_hyphen_behind_a_number_does_not_hide_its_check_character() -> None:
    """It is one of those that do not count, so that the name is that without it."""
    for nss, is_name in (("9789510184356-", True), ("--0451450523-", True), ("045145052X-", False)):
        found = judge_text(f"urn:isbn:{nss}", book())
        assert found.is_name is is_name
        assert judge_text(found.own_form, book()).possibility == found.possibility
        assert found.decision.basis is DecisionBasis.CHECK
    assert judge_text("urn:isbn:9789510184357-", book()).corrected == "urn:isbn:9789510184356-"


@settings(max_examples=rounds(60, 15))
@given(st.data(), st.sampled_from([one for one in records() if one.profile.pattern]))
def test_what_a_bundled_pattern_takes_its_own_form_is_too(
    data: st.DataObject, record: Registration
) -> None:
    """So that names that are equal by a namespace's own rules are judged the same."""
    assert record.profile.pattern is not None
    nss = data.draw(st.from_regex(rf"\A(?:{record.profile.pattern.expression})\Z"))
    text = f"urn:{record.name}:{nss}"
    try:
        parse_urn(text)
    except InvalidURN:
        assume(False)
    found = judge_text(text, book())
    assert judge_text(found.own_form, book()).possibility == found.possibility
    if found.corrected:
        assert judge_text(found.corrected, book()).is_name


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("urn:isbn:978 951 0 18435 6", "urn:isbn:9789510184356"),
        ("urn:isbn:978 951 0 18435 7", "urn:isbn:9789510184356"),
        ("urn:isbn:9789510184356 and more", "urn:isbn:9789510184356"),
        ("urn:isbn:978\u2011951\u20110\u201118435\u20116", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:978\xe2\x80\x91951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:978\u00ad9510184356", "urn:isbn:9789510184356"),
        ("urn:isbn:978%E2%80%91951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:978%2D951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:978%20951%200%2018435%206", "urn:isbn:9789510184356"),
        ("urn:isbn:978-951-0-18435-6/", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:978-951-0-18435-7/", "urn:isbn:978-951-0-18435-6"),
        ("urn:isbn:9789510184357?fbclid=1", "urn:isbn:9789510184356"),
        ("urn:isbn:080442957x", "urn:isbn:080442957X"),
        ("978-951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
        ("ISBN 978-951-0-18435-7", "urn:isbn:978-951-0-18435-6"),
        ("https://portal.issn.org/resource/ISSN/0259-000X", "urn:issn:0259-000X"),
        ("978-951-0-18435", ""),
        ("urn:isbn:978?a", ""),  # cut off there it could be none either
        ("urn:example:a b", "urn:example:a%20b"),
        ("urn:foo:caf\u00e9", "urn:foo:caf%C3%A9"),
        ("urn:foo:bar%2", ""),  # a digit is missing, or the sign is to be encoded
        ("urn:foo:a?b", ""),  # a sign is missing, or the mark is to be encoded
        ("urn:foo:a?fbclid=1", "urn:foo:a"),
        ("urn:foo:a\u200bb", ""),
        ("urn:foo:a#b#c", "urn:foo:a#b%23c"),
        ('"urn:foo:a"', "urn:foo:a"),
        ("(urn:isbn:9789510184356)", "urn:isbn:9789510184356"),
        ("urn:isbn:9789510184356)", "urn:isbn:9789510184356"),
        (
            "https://nbn-resolving.org/urn:nbn:de:101:1-201102033592",
            "urn:nbn:de:101:1-201102033592",
        ),
        ("urn:nbn:urn:nbn:de:101:1-201102033592", "urn:nbn:de:101:1-201102033592"),
        ("urn:urn:isbn:9789510184356", "urn:isbn:9789510184356"),
        ("URN: urn:isbn:9789510184356", "urn:isbn:9789510184356"),
        ("urn%3Aisbn%3A9789510184356", "urn:isbn:9789510184356"),
        ("urn:nbn:de:caf\u00e9", ""),
        ("urn:uuid:nope", ""),
        ("urn:dev:mac:0024beff", ""),  # in capitals a device of another kind
        ("urn:gs1:gdd:cl:containermaterialcode", ""),
        ("urn:said:e8wyubjhsletyalzcxmkwrhvbmca8rs1pkyl7nj77nta", ""),
        ("urn:uuid:" + "é" * 9_000, ""),
        (f"urn:isbn:9789510184356{' ' * (LONGEST_CORRECTED - 22)}", "urn:isbn:9789510184356"),
        (f"urn:isbn:9789510184356{' ' * (LONGEST_CORRECTED - 21)}", ""),
    ],
)
def test_a_corrected_name_is_one_that_there_can_be_or_none(text: str, corrected: str) -> None:
    found = judge_text(text, book())
    assert found.corrected == corrected
    assert bool(found.correction and found.correction.why) is bool(corrected)


@settings(max_examples=rounds(300, 80))
@given(
    awkward_texts | st.text("aé b.,;)(\"'<>%2?#=/:\u200b\u2011-", max_size=12),
    st.sampled_from([0, 1, 2]),
)
def test_a_correction_only_unwraps_encodes_or_drops_trailing_marks(text: str, kind: int) -> None:
    """In a namespace without rules, as nothing else is known of the name."""
    written = (
        f"urn:unheard-of:{text}",
        f"(urn:unheard-of:{text})",
        f"https://x.example/urn:unheard-of:{text}",
    )
    given = written[kind]
    found = judge_text(given, book())
    if found.correction:
        assert parse_urn(found.corrected)
        assert found.correction.why
        assert decode_octets(found.corrected) in decode_octets(given)
        left = decode_octets(given).partition(decode_octets(found.corrected))[2]
        assert not re.search(r"\w", left.partition("?")[0])


def test_a_name_that_cannot_be_is_the_same_as_no_possible_one() -> None:
    impossible, possible = (
        judge_text("urn:isbn:080442957x", book()),
        judge_text("urn:isbn:080442957X", book()),
    )
    assert (impossible.is_name, possible.is_name) == (False, True)
    assert impossible.own_form != possible.own_form


@pytest.mark.parametrize("text", ["urn:isbn:9789510184356", "urn:nosuch:a", "no URN"])
def test_a_judgement_has_each_of_its_members_however_it_is_made(text: str) -> None:
    found, plain = judge_text(text, book()), Judgement(text)
    told = {member.name: getattr(found, member.name) for member in fields(Judgement)}
    assert told["text"] == text
    assert type(told["beside"]) is type(plain.beside)
    assert (found.urn is None) == (told["match"] is None) == (told["refusal"] is not None)
