"""Names that are the same are led the same way, and every way is an address of the Web."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from uritemplate import URITemplate

from app.identifiers.equivalence import PLAIN
from app.identifiers.urn import parse_urn
from app.registration.profiles.profile_records import ServiceKind
from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import DecisionBasis, NssDecision, Possibility, book_of
from app.resolution.outcome_documents import NAMES, name_at, name_path, successor_of
from app.resolution.service_choice import TargetTemplate
from app.resolution.urn_resolver import (
    EqualChoice,
    ImpossibleName,
    Outcome,
    ResolvedName,
    Unregistered,
    UnresolvedName,
    UrnResolver,
)
from tests.published.name_rules import RULES, namespace, service
from tests.published.rules import shipped, shipped_rules
from tests.torture.conftest import rounds

BOOK = book_of(RULES)
RESOLVER = UrnResolver(BOOK)
SHIPPED = book_of(shipped_rules())
ADDRESS = re.compile(r"https?://[!#-;=?-\[\]_a-z~]+")
PIECE = st.one_of(st.sampled_from("aAbBxX09-.:,;@!$&'()*+=_~/"), st.sampled_from(["%2f", "%C3%a9"]))
NSS = st.lists(PIECE, min_size=1, max_size=12).map("".join).filter(lambda nss: nss[0] != "/")
NIDS = st.sampled_from([one.name for one in RULES])
RESTS = st.sampled_from(["", "?+r", "?=q", "?+r?=q", "#f"])
CASES = st.tuples(st.booleans(), st.booleans(), st.booleans())


def spelled(nid: str, nss: str, cases: tuple[bool, bool, bool]) -> str:
    """A URN in another case where case makes no difference."""
    scheme, of_nid, of_encoded = cases
    turned = re.sub("%..", lambda one: one[0].upper() if of_encoded else one[0].lower(), nss)
    return f"{'URN' if scheme else 'urn'}:{nid.upper() if of_nid else nid}:{turned}"


def ways(outcome: Outcome) -> list[tuple[str, str]]:
    """Services and targets, in their order."""
    match outcome:
        case ResolvedName():
            found = (outcome.first, *outcome.alternates)
        case EqualChoice():
            found = outcome.choices
        case _:
            found = ()
    return [(one.service.target, one.target) for one in found]


@given(NIDS, NSS, CASES, CASES)
def test_equivalent_names_get_identical_answers(
    nid: str, nss: str, one: tuple[bool, bool, bool], other: tuple[bool, bool, bool]
) -> None:
    first, second = (
        RESOLVER.resolve(judge_text(spelled(nid, nss, cases), BOOK), "2026-01-01")
        for cases in (one, other)
    )
    assert (type(first), ways(first)) == (type(second), ways(second))
    assert all(ADDRESS.fullmatch(target) for _, target in ways(first))


@given(st.sampled_from(["spelled", "pairs", "formed"]), NSS, st.data())
@example("spelled", "aB-%2f", None)
def test_names_that_their_namespace_holds_for_one_get_the_same_service(
    nid: str, nss: str, data: st.DataObject | None
) -> None:
    places = data.draw(st.sets(st.integers(1, len(nss)))) if data else {1}
    turned = "".join(
        f"-{one.swapcase()}"
        if place in places and "%" not in nss[max(0, place - 2) : place]
        else one
        for place, one in enumerate(nss)
    )
    one, other = (judge_text(f"urn:{nid}:{text}", BOOK) for text in (nss, turned))
    if one.own_form != other.own_form:  # it cut what is encoded
        return
    first, second = RESOLVER.resolve(one), RESOLVER.resolve(other)
    services = [[target for target, _ in ways(outcome)] for outcome in (first, second)]
    assert (type(first), services[0]) == (type(second), services[1])


@given(
    st.sampled_from(
        ["https://a.example/{+nss}", "https://a.example/{nss}?x={+nss}", "https://a.example/{?nss}"]
    ),
    NSS,
)
def test_targets_are_what_the_library_makes_of_their_templates(template: str, nss: str) -> None:
    made = TargetTemplate(service(template)).expand({"nss": nss}, parse_urn(f"urn:example:{nss}"))
    assert made == URITemplate(template).expand(nss=nss)


@pytest.mark.parametrize("value", ["a%2", "%", "a%2Cb"])
def test_a_group_that_cuts_what_is_percent_encoded_gives_an_address_all_the_same(
    value: str,
) -> None:
    template = "https://a.example/{+first}"
    made = TargetTemplate(service(template)).place({"first": value})
    assert made == URITemplate(template).expand(first=value)


@given(NIDS, NSS, RESTS)
@settings(max_examples=rounds(60, 15))
def test_components_never_change_which_service_is_chosen(nid: str, nss: str, rest: str) -> None:
    plain, written = (
        RESOLVER.resolve(judge_text(f"urn:{nid}:{nss}{more}", BOOK)) for more in ("", rest)
    )
    assert [target for target, _ in ways(plain)] == [target for target, _ in ways(written)]
    assert all("#f" not in target for _, target in ways(written))


@given(NIDS, NSS)
def test_every_name_fits_into_the_path_of_its_page(nid: str, nss: str) -> None:
    name = parse_urn(f"urn:{nid}:{nss}").normal_form
    path = name_path(name)
    assert "/" not in path.removeprefix(NAMES)
    assert name_at(path.removeprefix(NAMES)) == name


def test_every_shipped_service_has_an_address_for_every_example_that_it_applies_to() -> None:
    led = set()
    for given_ in shipped().values():
        for one in given_["profile"].get("examples", ()):
            outcome = UrnResolver(SHIPPED).resolve(judge_text(one["urn"], SHIPPED), "2026-09-01")
            assert not isinstance(outcome, ImpossibleName | Unregistered), one["urn"]
            for template, target in ways(outcome):
                assert ADDRESS.fullmatch(target), target
                led.add(template)
    declared = [
        service
        for rules in shipped_rules()
        for service in rules.resolution.services
        if not TargetTemplate(service).is_address
    ]
    assert declared == []
    assert len(led) > 20


@pytest.mark.parametrize(
    ("urn", "address"),
    [
        ("urn:isbn:978-951-0-18435-6", "http://urn.fi/URN:ISBN:978-951-0-18435-6"),
        ("URN:ISBN:0-395-36341-1", "https://openlibrary.org/isbn/0-395-36341-1"),
        ("urn:ietf:rfc:2141", "https://www.rfc-editor.org/rfc/rfc2141.txt"),
        ("urn:ISSN:0259-000x", "https://portal.issn.org/resource/ISSN/0259-000"),
    ],
)
def test_well_known_names_lead_to_well_known_places(urn: str, address: str) -> None:
    (_, target), *_ = ways(UrnResolver(SHIPPED).resolve(judge_text(urn, SHIPPED), "2026-09-01"))
    assert target.startswith(address)


def test_a_wrong_check_digit_is_refused_with_the_right_one_and_where_only_told_leads_on() -> None:
    wrong = UrnResolver(SHIPPED).resolve(judge_text("urn:isbn:978-951-0-18435-7", SHIPPED))
    assert isinstance(wrong, ImpossibleName)
    assert wrong.judgement.corrected.lower() == "urn:isbn:978-951-0-18435-6"
    assert wrong.judgement.grounds[0].clause
    told = judge_text("urn:isan:0000-0000-2CEA-0000-1-0000-0000-X", SHIPPED)
    assert isinstance(UrnResolver(SHIPPED).resolve(told), ResolvedName)


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ("2026-06-30", ["https://was.example/a"]),
        ("2026-07-01", ["https://is.example/a"]),
        ("", ["https://was.example/a", "https://is.example/a"]),
    ],
)
def test_a_service_answers_from_its_first_day_to_its_last(day: str, found: list[str]) -> None:
    outcome = RESOLVER.resolve(judge_text("urn:dated:a", BOOK), day)
    assert [target for _, target in ways(outcome)] == found


def test_what_cannot_be_and_what_is_not_registered_have_no_way() -> None:
    decision = NssDecision(Possibility.IMPOSSIBLE, DecisionBasis.PATTERN)
    impossible = replace(judge_text("urn:lead:a", BOOK), decision=decision)
    assert isinstance(RESOLVER.resolve(impossible), ImpossibleName)
    assert isinstance(RESOLVER.resolve(judge_text("urn:nosuch:a", BOOK)), Unregistered)
    quiet = RESOLVER.resolve(judge_text("urn:quiet:a", BOOK))
    assert isinstance(quiet, UnresolvedName)
    assert not quiet.is_meant


def test_successors_are_followed_to_the_last_and_never_in_a_circle() -> None:
    circle = book_of([namespace("aa", successor="bb"), namespace("bb", successor="aa")])
    rules = circle.find("aa")
    assert rules is not None
    assert successor_of(rules, circle) == "bb"
    old = BOOK.find("old")
    assert old is not None
    assert successor_of(old, BOOK) == "lead"


def test_only_services_of_the_kinds_that_are_asked_for_are_chosen() -> None:
    rules = BOOK.find("many")
    assert rules is not None
    assert rules.equivalence == PLAIN
    urn = parse_urn("urn:many:a")
    choose: Callable[..., tuple[tuple[object, ...], bool]] = RESOLVER.chooser_of(rules).choose
    names, _ = choose(urn, str(urn), str(urn), kinds=(ServiceKind.NAMES,))
    assert len(names) == 1


def test_services_of_rules_that_were_read_again_are_made_ready_once() -> None:
    first, again = (namespace("lead", service("https://lead.example/{+nss}")) for _ in range(2))
    resolver = UrnResolver(BOOK)
    chooser = resolver.chooser_of(first)
    assert resolver.chooser_of(first) is chooser
    made = resolver.chooser_of(again)
    assert made is not chooser
    assert resolver.chooser_of(again) is made
