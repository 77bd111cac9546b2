"""From a location back to names: what is read of it leads to it again, for every service."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import LineRuleBook, NamespaceRules, rule_lines
from app.resolution.service_choice import PLACES
from app.resolution.thttp import (
    SERVICES,
    GroupPosition,
    NameLookup,
    ServiceLocations,
    comparable_address,
    fault_in_location,
    reader_of,
    shapes_of,
)
from app.resolution.urn_resolver import UrnResolver
from tests.published.name_rules import PAIR, RULES, namespace, service
from tests.published.rules import shipped, shipped_rules
from tests.torture.conftest import rounds


def lookup_of(*rules: NamespaceRules) -> tuple[LineRuleBook, NameLookup]:
    """What an edition with these namespaces knows."""
    lines = rule_lines((one.name.lower(), one) for one in rules)
    book = LineRuleBook(lines)
    return book, NameLookup(book, UrnResolver(book), ServiceLocations(lines))


SHIPPED, OURS = lookup_of(*shipped_rules()), lookup_of(*RULES)


def test_every_place_of_every_shipped_example_leads_back_to_its_name() -> None:
    book, lookup = SHIPPED
    tried = 0
    for profile in shipped().values():
        for example in profile["profile"].get("examples", ()):
            name = judge_text(example["urn"], book)
            for place in lookup.find(name, PLACES)[0]:
                back = {one.own_form for one in lookup.names_at(place.target)}
                assert name.own_form in back, place.target
                tried += 1
    assert tried > 50


@pytest.mark.parametrize(
    ("location", "names"),
    [
        ("https://lead.example/a%2fb", {"urn:lead:a%2Fb"}),
        ("HTTPS://Lead.Example/A", {"urn:lead:A"}),
        ("https://lead.example/", set()),
        ("https://lead.example.org/a", set()),
        ("http://lead.example/a", set()),
        ("https://lead.example/a?q", set()),
        ("https://encodes.example/a%2Cb", {"urn:encodes:a,b"}),
        ("https://encodes.example/a,b", set()),
        ("https://encodes.example/a%252Cb", {"urn:encodes:a%2Cb"}),
        ("https://query.example/?id=7#top", {"urn:query:7"}),
        ("https://query.example/?id=7", set()),
        ("https://on.example/?urn=urn:value:a&x=y", {"urn:value:a"}),
        ("https://pair.example/1234-567X", {"urn:pairs:1234-567X", "urn:pairs:1234567X"}),
        ("https://pair.example/1234-5678X", set()),
        ("https://x.example/x/y", {"urn:many:xy"}),
        ("https://s.example/AB", {"urn:spelled:AB"}),
        ("https://s.example/B", set()),
        ("https://s.example:443/AB", {"urn:spelled:AB"}),
        ("https://S.example:/AB", {"urn:spelled:AB"}),
        ("https://s.example:80/AB", set()),
        ("https://s.example:4430/AB", set()),
        ("https://weatherapp.example", set()),
        ("https://quiet.example/", set()),
        ("https://other.example/names/a", set()),
        ("javascript:alert(1)//a", set()),
        ("", set()),
    ],
)
def test_a_location_has_the_names_whose_services_lead_there(location: str, names: set[str]) -> None:
    assert {one.normal_form for one in OURS[1].names_at(location)} == names


def test_other_locations_of_the_same_name_are_those_of_its_other_services() -> None:
    lookup = OURS[1]
    assert lookup.locations_at("https://one.example/a") == ("https://two.example/a",)
    assert lookup.locations_at("https://many.example/a") == ("https://many.example/about/a",)
    assert lookup.locations_at("https://nobody.example/a") == ()


def test_many_namespaces_at_one_host_are_told_apart_and_some_of_those_at_one_place_tried() -> None:
    apart = [namespace(f"n{n}", service(f"https://h.example/n{n}/{{+nss}}")) for n in range(2_000)]
    alike = [namespace(f"m{n}", service("https://same.example/{+nss}")) for n in range(2_000)]
    lookup = lookup_of(*apart, *alike)[1]
    found = lookup.names_at("https://h.example/n777/a")
    assert [one.normal_form for one in found] == ["urn:n777:a"]
    assert 0 < len(lookup.names_at("https://same.example/a")) < 100


@pytest.mark.parametrize(
    ("expression", "shapes"),
    [
        (PAIR.expression, 2),
        ("", 1),
        (r"a\.b", 1),
        (r"[0-9]+", 0),
        (r"(?:a|b|)(?P<x>.)", 3),
        (r"(?!no)(?P<x>[a-z]+)", 1),
        (r"[Aa]{2}(?P<x>.)", 0),
        (r"a??(?P<x>.)", 2),
        ("(?:a?){2}" * 3, 0),
        ("(?:a|b)" * 40, 64),
        ("(", 0),
        (")", 0),
        ("[", 0),
        ("(?P<x>", 0),
        ("\\", 0),
        ("(" * 200 + ")" * 200, 0),
        ("(?P<x>.)" * 400, 0),
    ],
)
def test_shapes_are_few_whatever_a_pattern_is(expression: str, shapes: int) -> None:
    assert len(shapes_of(expression)) == shapes


def test_a_shape_tells_what_is_fixed_and_the_width_of_a_group() -> None:
    day = r"[Aa][Bb]:(?P<year>[0-9]{4})(?P<day>[0-9])[Zz](?P<rest>.+)"
    groups = GroupPosition("year", 4), GroupPosition("day", 1), "Z", GroupPosition("rest")
    assert shapes_of(day) == (("ab:", *groups),)
    reader = reader_of(service("https://a.example/{year}{day}-{rest}", when=day), "")
    assert [*reader.read("https://a.example/20261-x")] == ["ab:20261Zx"]
    assert [*reader.read("https://a.example/20-x")] == []


@given(st.sampled_from([one.name for one in RULES]), st.text("aAb1-:/%2CfF,.~'", min_size=1))
@settings(max_examples=rounds(150, 40))
def test_whatever_leads_to_a_place_is_found_there_or_leaves_no_more_than_one(
    nid: str, nss: str
) -> None:
    book, lookup = OURS
    name = judge_text(f"urn:{nid}:{nss}", book)
    for place in lookup.find(name, PLACES)[0]:
        for back in lookup.names_at(place.target):
            targets = {comparable_address(one.target) for one in lookup.find(back, PLACES)[0]}
            assert comparable_address(place.target) in targets
        if nid == "lead":
            assert name.normal_form in {one.normal_form for one in lookup.names_at(place.target)}


@given(st.text(max_size=60))
@settings(max_examples=rounds(150, 40))
def test_any_text_is_a_location_or_none_and_any_pattern_is_read(text: str) -> None:
    fault = fault_in_location(text)
    assert fault is None or 0 <= fault[0] <= len(text)
    OURS[1].names_at(text)
    assert len(shapes_of(text)) <= 64
    reader_of(service(text, when=text), text)


def test_services_are_asked_by_their_own_names_and_by_those_of_the_dns() -> None:
    assert {name for name in SERVICES if name[0] != "I"} == {
        "N2L",
        "N2Ls",
        "N2R",
        "N2Rs",
        "N2C",
        "N2Ns",
        "L2Ns",
        "L2Ls",
        "L2C",
    }
    assert SERVICES["I2L"] is SERVICES["N2L"]
