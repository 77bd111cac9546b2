"""The ARK URI scheme section 7.1.3, a row for each statement: what servers answer, what follows."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.identifiers.ark import parse_ark
from app.resolution.reference_resolution import (
    LEAST_REDIRECTS,
    LONGEST,
    MOST_REDIRECTS,
    InvalidResolverPrefix,
    InvalidUriReference,
    ReferenceResolution,
    ReferentState,
    ResolutionEnd,
    ResolutionMethod,
    TooFewRedirects,
    begin_resolution,
    embedded_ark,
    parse_reference,
    remarks_on,
    resolution_report,
    resolve_reference,
    words_of,
)
from tests.torture.conftest import rounds

Answer = tuple[int, str | None]
E = ResolutionEnd
RESOLVER = "https://resolver.example"
MAIL, THERE = "mailto:curator@a.example", "https://a.example/x"


def walked(
    answers: Iterable[Answer], ark: str = "ark:12345/x", most: int = LEAST_REDIRECTS
) -> ReferenceResolution:
    """The resolution after these answers; each is given once, and no more than are asked for."""
    resolution = begin_resolution(parse_ark(ark), RESOLVER, max_redirects=most)
    for answer in answers:
        assert resolution.end is None, "nobody is asked after the end"
        resolution = resolution.answered(*answer)
    return resolution


def redirects(number: int, *more: str) -> list[Answer]:
    """So many redirects to different places, and then more."""
    return [(302, where) for where in (*map("/{}".format, range(number)), *more)]


ROWS: dict[str, tuple[list[Answer], ResolutionEnd, str]] = {
    # section 7.1.3: which statuses are redirects
    **{
        f"{status} is a redirect": (
            [(status, THERE), (200, None)],
            E.REFERENT,
            "This is the object",
        )
        for status in (301, 302, 307, 308)
    },
    "303 is one, to something related": ([(303, THERE), (200, None)], E.RELATED, "status 303"),
    # section 7.1.3: the state becomes related, and nothing makes it direct again
    "303 holds on to the end": ([(303, THERE), (302, "/y"), (200, None)], E.RELATED, "related"),
    "303 in the middle": ([(302, THERE), (303, "/y"), (200, None)], E.RELATED, "related"),
    # section 7.1.3: which statuses are successes
    **{
        f"{status} is success": ([(status, None)], E.REFERENT, "This is the object")
        for status in (200, 204, 206, 226, 304)
    },
    "the Location of a success leads nowhere": ([(200, THERE)], E.REFERENT, "This is the object"),
    # section 7.1.3: a redirect to nowhere, and one to no URI
    "no Location": ([(302, None)], E.LOCATION_MISSING, "without a Location"),
    "303 without a Location": ([(303, None)], E.LOCATION_MISSING, "without a Location"),
    "a space": ([(302, "https://a.example/a b")], E.LOCATION_INVALID, "a space at position 20"),
    "an IRI": ([(302, "https://b\xfccher.example/")], E.LOCATION_INVALID, "U+00FC"),
    "a line end": ([(302, "/x\r\nSet-Cookie: a=b")], E.LOCATION_INVALID, "carriage return"),
    "half an octet": ([(302, "/%4")], E.LOCATION_INVALID, "two hexadecimal digits"),
    "a bracket": ([(302, "https://[::1/")], E.LOCATION_INVALID, "order"),
    "two ports": ([(302, "https://a:1:2/")], E.LOCATION_INVALID, "order"),
    "100 KB": ([(302, "/" + "x" * 100_000)], E.LOCATION_INVALID, "more than 16,384 characters"),
    # section 7.1.3: nothing is sent to what is not of HTTP, and that is a success
    "mail is success": ([(302, MAIL)], E.REFERENT, "no request was sent"),
    "script is success, and is not run": (
        [(303, "javascript:alert(1)")],
        E.RELATED,
        "no request was sent",
    ),
    "a URN is success": ([(302, "urn:isbn:0451450523")], E.REFERENT, "no request was sent"),
    # section 7.1.3: errors are failures; the sections beside say more of some
    "400": ([(400, None)], E.ERROR_STATUS, "as an ARK (400)"),
    "404 of the resolver": ([(404, None)], E.ERROR_STATUS, "has no location"),
    "414 of the resolver": ([(414, None)], E.ERROR_STATUS, "too long (414)"),
    # section 7.1.2: of what an error is behind a redirect, nobody says
    "404 further on": ([(302, THERE), (404, None)], E.ERROR_STATUS, "returned an error (404)"),
    "599": ([(599, None)], E.ERROR_STATUS, "an error (599)"),
    # section 7.1.3: what any other status means is left open
    "203": ([(203, None)], E.REFERENT, "define 203"),
    "299": ([(302, THERE), (299, None)], E.REFERENT, "every 2xx"),
    "300": ([(300, THERE)], E.UNKNOWN_STATUS, "count as a success"),
    "305": ([(305, THERE)], E.UNKNOWN_STATUS, "define this status"),
    "103": ([(103, None)], E.UNKNOWN_STATUS, "define this status"),
    "600": ([(600, None)], E.UNKNOWN_STATUS, "define this status"),
    # section 7.1.3: where 5 are tolerated, there is a sixth request and no seventh
    "five redirects": ([(302, THERE)] * 5 + [(200, None)], E.REFERENT, "This is the object"),
    "six redirects": (redirects(6), E.TOO_MANY_REDIRECTS, "More than 5"),
    "five, then mail": (redirects(4, MAIL), E.REFERENT, "no request was sent"),
    "six, the last to mail": (
        redirects(5, MAIL),
        E.TOO_MANY_REDIRECTS,
        "More than 5 redirects",
    ),
    "a circle": ([(302, "/ark:12345/x")] * 6, E.TOO_MANY_REDIRECTS, "form a loop"),
    "an empty Location is one": ([(302, "")] * 6, E.TOO_MANY_REDIRECTS, "form a loop"),
}


@pytest.mark.parametrize(("answers", "end", "said"), ROWS.values(), ids=ROWS)
def test_each_statement_of_section_7_1_3(
    answers: list[Answer], end: ResolutionEnd, said: str
) -> None:
    resolution = walked(answers)
    words, source = words_of(resolution)
    assert resolution.end is end
    assert said in words
    assert source.startswith("The ARK URI scheme section")
    assert words.isprintable()
    assert len(words) < 400


def test_a_request_that_fails_is_failure_with_the_reason() -> None:
    resolution = walked([(302, THERE)]).failed("The host name has no address.")
    assert resolution.end is E.REQUEST_FAILED
    assert words_of(resolution)[0] == "The request failed. The host name has no address."
    assert [hop.status for hop in resolution.hops] == [302, None]


def test_an_inflected_ark_asks_for_something_about_the_referent_as_section_7_1_2_has_it() -> None:
    for ark in ("ark:12345/x?info", "ark:12345/x?", "ark:12345/x??"):
        assert walked([(302, THERE), (200, None)], ark).end is E.INFLECTION
    assert "an error (404)" in words_of(walked([(404, None)], "ark:12345/x?info"))[0]


def test_each_hop_has_its_address_and_a_circle_is_told_where_it_closes() -> None:
    resolution = walked([(307, "/a"), (302, "b#there"), (303, "/a"), (200, None)])
    assert [hop.address.removeprefix(RESOLVER) for hop in resolution.hops] == [
        "/ark:12345/x",
        "/a",
        "/b",
        "/a",
    ]
    assert [hop.is_repeated for hop in resolution.hops] == [False, False, False, True]
    assert (resolution.end, resolution.state) == (E.RELATED, ReferentState.RELATED)


def test_a_fragment_is_never_sent_and_is_inherited_by_the_address_that_is_reached() -> None:
    """Section 7.1; RFC 9110 section 10.2.2."""
    resolution = walked([(302, "/a"), (302, "/b#own"), (302, "/c"), (200, None)], "ark:12345/x#p2")
    assert all("#" not in hop.address for hop in resolution.hops)
    assert str(resolution.address) == f"{RESOLVER}/c#own"
    assert str(walked([(302, "/a"), (200, None)], "ark:12345/x#p2").address) == f"{RESOLVER}/a#p2"


def test_who_names_no_resolver_asks_the_official_one_as_section_7_1_4_has_it() -> None:
    asked = begin_resolution(parse_ark("ark:12345/x")).address
    assert str(asked) == "https://n2t.net/ark:12345/x"


@pytest.mark.parametrize("number", [-1, 0, 4, MOST_REDIRECTS + 1])
def test_fewer_than_five_redirects_are_refused_with_the_rule(number: int) -> None:
    with pytest.raises(TooFewRedirects, match=r"at least 5 .*7\.1\.3"):
        begin_resolution(parse_ark("ark:12345/x"), max_redirects=number)


def test_a_resolver_that_says_for_ever_is_remarked_upon_as_section_7_1_2_forbids_it() -> None:
    assert "must use 302 or 307" in remarks_on(walked([(308, THERE), (200, None)]))[0]
    assert remarks_on(walked([(302, THERE), (301, "/y"), (200, None)])) == ()


# ---- sections 4.1 and 7.1: the address that is asked first


@pytest.mark.parametrize(
    ("prefix", "ark", "address"),
    [
        ("https://n2t.net", "ark:12345/x", "https://n2t.net/ark:12345/x"),
        ("https://n2t.net/", "ark:12345/x", "https://n2t.net/ark:12345/x"),
        ("HTTP://A.example:8080/r", "ARK:/12345/x-1", "HTTP://A.example:8080/r/ARK:/12345/x-1"),
        ("https://[2001:db8::1]/r/", "ark:12345/x", "https://[2001:db8::1]/r/ark:12345/x"),
        (RESOLVER, "ark:12345/x?info", f"{RESOLVER}/ark:12345/x?info"),
        (RESOLVER, "ark:12345/x?", f"{RESOLVER}/ark:12345/x?"),
        (RESOLVER, "ark:12345/x??", f"{RESOLVER}/ark:12345/x??"),
        (RESOLVER, "ark:12345/4бф3?ж", f"{RESOLVER}/ark:12345/4%D0%B1%D1%843?%D0%B6"),
        (RESOLVER, "ark:12345/%e9", f"{RESOLVER}/ark:12345/%e9"),
        (RESOLVER, "ark:12345/" + "é" * 200, f"{RESOLVER}/ark:12345/" + "%C3%A9" * 200),
    ],
)
def test_the_embedded_ark_is_the_prefix_a_slash_and_the_ark(
    prefix: str, ark: str, address: str
) -> None:
    assert str(embedded_ark(parse_ark(ark), prefix)) == address


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("", "start with http"),
        ("n2t.net", "start with http"),
        ("ftp://n2t.net", "start with http"),
        ("javascript:alert(1)", "start with http"),
        ("https://", "host is missing"),
        ("https:n2t.net", "host is missing"),
        ("https://:80/", "host is missing"),
        ("https://me@n2t.net", "user name"),
        ("https://n2t.net/?q=", "query or fragment"),
        ("https://n2t.net/#", "query or fragment"),
        ("https://b\xfccher.example", "U+00FC"),
        ("https://n2t.net/\r\nX: y", "carriage return"),
        ("https://n2t.net\\@a.example", "at position 16"),
        ("https://n2t.net/" + "x" * 100_000, "at most 2,000 characters"),
    ],
)
def test_what_is_no_prefix_of_an_http_resolver_is_refused_with_the_reason(
    prefix: str, said: str
) -> None:
    with pytest.raises(InvalidResolverPrefix) as refused:
        begin_resolution(parse_ark("ark:12345/x"), prefix)
    assert said in str(refused.value)
    assert str(refused.value).isprintable()


# ---- RFC 3986 sections 4.1 and 5


EXAMPLES = """
g:h g:h | g http://a/b/c/g | ./g http://a/b/c/g | g/ http://a/b/c/g/ | /g http://a/g
//g http://g | ?y http://a/b/c/d;p?y | g?y http://a/b/c/g?y | #s http://a/b/c/d;p?q#s
g#s http://a/b/c/g#s | g?y#s http://a/b/c/g?y#s | ;x http://a/b/c/;x | g;x http://a/b/c/g;x
g;x?y#s http://a/b/c/g;x?y#s | . http://a/b/c/ | ./ http://a/b/c/ | .. http://a/b/
../ http://a/b/ | ../g http://a/b/g | ../.. http://a/ | ../../ http://a/ | ../../g http://a/g
../../../g http://a/g | ../../../../g http://a/g | /./g http://a/g | /../g http://a/g
g. http://a/b/c/g. | .g http://a/b/c/.g | g.. http://a/b/c/g.. | ..g http://a/b/c/..g
./../g http://a/b/g | ./g/. http://a/b/c/g/ | g/./h http://a/b/c/g/h | g/../h http://a/b/c/h
g;x=1/./y http://a/b/c/g;x=1/y | g;x=1/../y http://a/b/c/y | g?y/./x http://a/b/c/g?y/./x
g#s/../x http://a/b/c/g#s/../x | http:g http:g | ? http://a/b/c/d;p? | g//../h http://a/b/c/g/h
"""


def test_references_are_resolved_as_rfc_3986_section_5_4_shows() -> None:
    base = parse_reference("http://a/b/c/d;p?q")
    pairs = [pair.split() for pair in EXAMPLES.replace("\n", " | ").split(" | ") if pair]
    assert len(pairs) > 35
    for reference, meant in pairs:
        assert str(resolve_reference(base, parse_reference(reference))) == meant


URI = "abz09-._~:/?#[]@!$&'()*+,;=%4aF"


@settings(max_examples=rounds(400, 100))
@given(st.text(f"{URI} é\r\n<\\", max_size=30))
def test_any_location_is_resolved_or_refused_and_what_is_taken_stays_as_it_is(text: str) -> None:
    try:
        reference = parse_reference(text)
    except InvalidUriReference as error:
        assert str(error).isprintable()
        return
    assert str(reference) == text
    there = resolve_reference(parse_reference("http://a/b/c/d;p?q"), reference)
    assert parse_reference(str(there)).scheme
    assert text.isascii()
    assert len(text) <= LONGEST


@settings(max_examples=rounds(200, 60))
@given(st.lists(st.tuples(st.integers(100, 999), st.none() | st.text(URI, max_size=9))))
def test_whatever_servers_answer_it_ends_within_the_redirects_that_are_tolerated(
    answers: list[Answer],
) -> None:
    begun = begin_resolution(parse_ark("ark:12345/x"), RESOLVER, max_redirects=5)

    def walk(resolution: ReferenceResolution) -> ReferenceResolution:
        for answer in [*answers, *[(302, "x")] * 6]:
            resolution = resolution.answered(*answer)
            if resolution.end:
                return resolution
        raise AssertionError("it has no end")

    resolution = walk(begun)
    assert 1 <= len(resolution.hops) <= 6
    statuses = [hop.status for hop in resolution.hops]
    assert (resolution.state is ReferentState.RELATED) == (303 in statuses)
    report = resolution_report("ark:12345/x", RESOLVER, ResolutionMethod.HEAD, 5, walk)
    assert report["resolved"] is (report["address"] is not None)
    assert str(report["words"]).isprintable()


def test_what_is_no_ark_is_reported_with_its_fault_and_asks_nobody() -> None:
    def nobody(_: ReferenceResolution) -> ReferenceResolution:
        raise AssertionError("somebody was asked")

    report = resolution_report("ark:12345", RESOLVER, ResolutionMethod.GET, 5, nobody)
    assert (report["valid"], report["resolved"], report["hops"]) == (False, False, [])
    assert isinstance(report["error"], dict)
    assert report["error"]["code"] == "name_missing"
