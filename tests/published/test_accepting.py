"""What clients welcome, against a reading of RFC 9110 section 12.5 on what was meant."""

import time
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from app.published.http.accept_headers import accepted_codings, find_best

OURS = ["br", "zstd", "gzip", "identity"]

weights = st.integers(0, 1000)
named = st.sampled_from(["br", "zstd", "gzip", "x-gzip", "identity", "*", "deflate", "compress"])
wishes = st.lists(st.tuples(named, st.none() | weights), max_size=6, unique_by=lambda wish: wish[0])
spaces = st.sampled_from(["", " ", "\t "])


def weight_text(weight: int | None, space: str) -> str:
    """A weight as a field has it."""
    if weight is None:
        return ""
    return f"{space};{space}q={weight // 1000}.{weight % 1000:03}"


def field_of(wishes: list[tuple[str, int | None]], space: str) -> str:
    return f"{space},{space}".join(name + weight_text(q, space) for name, q in wishes)


def is_gzip_said_twice(wishes: list[tuple[str, int | None]]) -> bool:
    return {"gzip", "x-gzip"} <= {name for name, _ in wishes}


def expected_codings(wishes: list[tuple[str, int | None]]) -> list[str]:
    """By the rules of section 12.5.3, one by one."""
    said = {"gzip" if name == "x-gzip" else name: 1000 if q is None else q for name, q in wishes}
    rank: dict[str, Fraction] = {}
    for coding in OURS:
        if coding in said:
            rank[coding] = Fraction(said[coding])
        elif "*" in said:
            rank[coding] = Fraction(said["*"])
        elif coding == "identity":
            rank[coding] = Fraction(1, 1000)  # welcome, and less so than whatever is named
        else:
            rank[coding] = Fraction(0)
    taken = [coding for coding in OURS if rank[coding]]
    return sorted(taken, key=lambda coding: (-rank[coding], OURS.index(coding)))


@given(wishes.filter(lambda wishes: not is_gzip_said_twice(wishes)), spaces)
def test_codings_are_welcome_by_their_weights(
    wishes: list[tuple[str, int | None]], space: str
) -> None:
    assert list(accepted_codings(field_of(wishes, space))) == expected_codings(wishes)
    assert list(accepted_codings(field_of(wishes, space).upper())) == expected_codings(wishes)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("", ["identity"]),
        ("gzip", ["gzip", "identity"]),
        ("gzip, deflate, br, zstd", ["br", "zstd", "gzip", "identity"]),
        ("gzip;q=1.0, identity; q=0.5, *;q=0", ["gzip", "identity"]),
        ("gzip;q=1.0, br;q=0.9", ["gzip", "br", "identity"]),
        ("compress", ["identity"]),
        ("*", ["br", "zstd", "gzip", "identity"]),
        ("*;q=0", []),
        ("identity;q=0", []),
        ("identity;q=0, gzip", ["gzip"]),
        ("identity", ["identity"]),
        ("identity, gzip;q=0.5", ["identity", "gzip"]),
        ("x-gzip", ["gzip", "identity"]),
        ("GZIP;Q=1", ["gzip", "identity"]),
        ("gzip, gzip;q=0", ["identity"]),
        ("gzip;q=0, gzip", ["gzip", "identity"]),
        (",, gzip ,", ["gzip", "identity"]),
        ("gzip;q=2", ["identity"]),
        ("gzip;q=1.001", ["identity"]),
        ("gzip;q=-1", ["identity"]),
        ("gzip;q=0.1234", ["identity"]),
        ("gzip;q=", ["identity"]),
        ("gzip;q=0.5;x=1", ["identity"]),
        ("gzip;level=9", ["identity"]),
        ("gzip br", ["identity"]),
        ("gzip;q=٠", ["identity"]),
        ("gz\xeep", ["identity"]),
        ("gzip;q=0.001", ["gzip", "identity"]),
        ("identity;q=0, " + "a," * 1_000, ["identity"]),
    ],
)
def test_a_field_is_read_as_it_is_meant(field: str, expected: list[str]) -> None:
    assert list(accepted_codings(field)) == expected


class Wish(NamedTuple):
    """A media range as it was meant."""

    kind: str
    subtype: str
    parameters: tuple[tuple[str, str], ...]
    weight: int | None


kinds = st.sampled_from(["text", "application"])
subtypes = st.sampled_from(["html", "json", "xml", "ld+json"])
parameters = st.sampled_from(
    [(), (("charset", "utf-8"),), (("charset", "utf-8"), ("v", "1")), (("profile", "x"),)]
)
media_wishes = st.one_of(
    st.builds(Wish, kinds, subtypes, parameters, st.none() | weights),
    st.builds(Wish, kinds, st.just("*"), st.just(()), st.none() | weights),
    st.builds(Wish, st.just("*"), st.just("*"), st.just(()), st.none() | weights),
)
media_fields = st.lists(media_wishes, max_size=6, unique_by=lambda wish: wish[:3])
offers = st.lists(
    st.sampled_from(
        [
            "text/html; charset=utf-8",
            "text/html",
            "application/json",
            "application/ld+json",
            "application/xml",
            "application/xml; charset=utf-8; v=1",
            "text/xml;charset=latin-1",
        ]
    ),
    min_size=1,
    unique=True,
)


def accept_of(wishes: list[Wish], space: str, *, quoted: bool) -> str:
    def written(wish: Wish) -> str:
        values = ((name, f'"{value}"' if quoted else value) for name, value in wish.parameters)
        said = "".join(f"{space};{space}{name}={value}" for name, value in values)
        return f"{wish.kind}/{wish.subtype}{said}{weight_text(wish.weight, space)}"

    return f"{space},{space}".join(map(written, wishes))


def meant(media_type: str) -> tuple[str, str, set[tuple[str, ...]]]:
    name, *rest = media_type.replace(" ", "").split(";")
    kind, subtype = name.split("/")
    said = {tuple(parameter.split("=")) for parameter in rest}
    # JSON is UTF-8 (RFC 8259 section 8.1), and so is XML of which nothing else is said
    if kind == "application" and not any(name == "charset" for name, *_ in said):
        said.add(("charset", "utf-8"))
    return kind, subtype, said


XML = {("text", "xml"), ("application", "xml")}  # two names of one type, by RFC 7303 section 9.2


def asked(wish: Wish) -> set[tuple[str, str]]:
    """The parameters that a type must have; a profile binds nobody, by RFC 6906 section 3."""
    has_profiles = (wish.kind, wish.subtype) == ("application", "ld+json")
    return {p for p in wish.parameters if not (has_profiles and p[0] == "profile")}


def expected_weight(media_type: str, wishes: list[Wish]) -> int:
    """The weight of the narrowest range that has this media type, by section 12.5.1."""
    kind, subtype, said = meant(media_type)

    def distance(wish: Wish) -> tuple[bool, bool, int, bool]:
        is_other = (wish.kind, wish.subtype) != (kind, subtype)
        return wish.kind == "*", wish.subtype == "*", -len(asked(wish)), is_other

    for wish in sorted(wishes, key=distance):
        is_meant = wish.kind in {"*", kind} and wish.subtype in {"*", subtype}
        is_alias = {(kind, subtype), (wish.kind, wish.subtype)} <= XML
        if (is_meant or is_alias) and asked(wish) <= said:
            return 1000 if wish.weight is None else wish.weight
    return 0


@given(media_fields, offers, spaces, st.booleans())
def test_the_media_type_that_is_most_welcome_is_chosen(
    wishes: list[Wish], offered: list[str], space: str, quoted: bool
) -> None:
    field = accept_of(wishes, space, quoted=quoted)
    weights = [expected_weight(media_type, wishes) for media_type in offered]
    best = max(weights)
    expected = 0 if not wishes else weights.index(best) if best else None
    assert find_best(field, tuple(offered)) == expected
    assert find_best(field.upper(), tuple(offered)) == expected


PLAIN = ("text/html", "application/json", "text/turtle", "application/xml")


@given(media_fields)
def test_a_second_reading_of_the_rfc_agrees_where_it_has_one_answer(wishes: list[Wish]) -> None:
    # werkzeug knows no alias
    wishes = [wish for wish in wishes if not wish.parameters and wish[:2] != ("text", "xml")]
    weights = [expected_weight(media_type, wishes) for media_type in PLAIN]
    if wishes and weights.count(max(weights)) == 1:
        field = accept_of(wishes, "", quoted=False)
        theirs: Any = parse_accept_header(field, MIMEAccept)
        ours = find_best(field, PLAIN)
        assert ours is not None
        assert theirs.best_match(PLAIN) == PLAIN[ours]


EXAMPLE = (
    "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed,"
    "text/plain;format=fixed;q=0.4, */*;q=0.5"
)


def test_the_example_of_the_rfc_comes_out_in_its_order() -> None:
    by_weight = [
        "text/plain;format=flowed",
        "text/plain",
        "image/jpeg",
        "text/plain;format=fixed",
        "text/html",
    ]
    left = by_weight[::-1]
    for expected in by_weight:
        best = find_best(EXAMPLE, tuple(left))
        assert best is not None
        assert left.pop(best) == expected


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SITE = ("text/html; charset=utf-8", "application/json", "application/xml", "text/csv")


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (BROWSER, 0),
        ("*/*", 0),
        ("*", 0),
        ("text/html, image/gif, *; q=.2, */*; q=.2", 0),
        ("application/*", 1),
        ("application/xml, application/json", 1),
        ("application/xml, application/json;q=0.9", 2),
        ("application/json;q=0.1, */*;q=0", 1),
        ("text/csv;charset=utf-8", None),
        ("application/json; charset=utf-8", 1),
        ('application/json; charset="UTF-8"', 1),
        ("application/json; charset=latin-1", None),
        ("application/xml;charset=UTF-8", 2),
        ("text/xml", 2),
        ("text/xml; charset=utf-8, application/json;q=0.9", 2),
        ("text/xml;q=0, application/xml", 2),
        ("text/xml, application/xml;q=0", None),
        ("text/html;charset=UTF-8", 0),
        ('text/html;charset="utf-8"', 0),
        ('text/html;charset="utf\\-8"', 0),
        ("text/html;level=1", None),
        ("image/png", None),
        ("*/html", 0),
        ("text/html;q=0", None),
        ("text/html;q=0, */*", 1),
        ("application/json;q=0.5;ext=1", 1),
        ('application/json;v="a,b;c", text/csv', 3),
        ("", 0),
        (" , ,", 0),
        ("nonsense", 0),
        ("text/html;q=x", 0),
        ("application/json;q=x, text/csv", 3),
        ('"', 0),
        ("image/png," * 1_000, 0),
    ],
)
def test_an_accept_field_is_read_as_it_is_meant(field: str, expected: int | None) -> None:
    assert find_best(field, SITE) == expected


def test_a_profile_of_json_ld_is_a_wish_and_no_condition() -> None:
    field = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded", text/html;q=0.5'
    assert find_best(field, ("text/html", "application/ld+json")) == 1
    assert find_best("application/json;profile=x", ("application/json",)) is None


@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_no_field_crashes_the_reading(text: str) -> None:
    assert set(accepted_codings(text)) <= set(OURS)
    assert find_best(text, SITE) in {None, 0, 1, 2, 3}


@pytest.mark.parametrize(
    "field",
    [
        "a/b" + "; " * 498,
        "a/b" + ";   \t" * 190 + "\x00",
        "a/b;c=" + '"\\' * 490,
        '"' * 999,
        '"\\"' * 333,
        "," * 999,
        "*/*;" * 249,
        "a/a;a=a" * 142,
        "q" * 1_000,
        "a;q=" * 250,
        "a/b, " * 200,
    ],
)
def test_the_worst_fields_are_read_at_once(field: str) -> None:
    for size in (1, 64):
        before = time.process_time()
        accepted_codings(field * size)
        find_best(field * size, SITE)
        assert time.process_time() - before < 2, "ten times what it may take"


def test_what_was_read_once_is_remembered_but_not_for_ever() -> None:
    for reading, most in ((accepted_codings, 256), (find_best, 512)):
        assert reading.cache_info().maxsize == most
