"""THTTP over a socket: each form of RFC 2169, its status, its headers and its media types."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.published.http.http_exchange import HttpRequest, split_target
from app.published.plane import PublishedPlane
from tests.front.test_connections import serving
from tests.published.bundles import call, make_bundle
from tests.published.name_rules import RULES, R, namespace, service
from tests.published.rules import bundle_of, shipped_rules
from tests.published.test_names import HTML, JSON, ask
from tests.torture.conftest import rounds
from tests.waiting import DEADLINE

OWN = [
    *RULES,
    namespace("single", service("https://single.example/{+nss}.pdf", R)),
    namespace("both", service("https://l.example/{+nss}"), service("https://r.example/{+nss}", R)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where an edition with these and the shipped namespaces lies."""
    made = tmp_path_factory.mktemp("thttp")
    shown = [one for one in shipped_rules() if one.name != "example"]
    bundle_of([*OWN, *shown], registry="https://registry.example").lay_out(made)
    return made


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """A copy that has neither a database nor the registry behind it."""
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        yield port


# What is asked for, the status, where it leads, and what a list holds.
TABLE = """
N2L?urn:lead:12345-54321          303 https://lead.example/12345-54321
N2L?URN:LEAD:12345-54321          303 https://lead.example/12345-54321
N2L?urn:lead:a%2fb%23             303 https://lead.example/a%2Fb%23
N2L?urn:lead:a//b/../c            303 https://lead.example/a//b/../c
N2L?urn:lead:a?+r?=q=1&s          303 https://lead.example/a?q=1&s
N2L?urn:takes:a?+r?=q             303 https://takes.example/a?+r&q
N2L?urn:value:a?+r?=q             303 https://on.example/?urn=urn:value:a%3F%2Br%3F%3Dq&x=y
N2L?urn:lead:a#f                  303 https://lead.example/a
N2L?urn:lead:%0d%0aX:y            303 https://lead.example/%0D%0AX:y
N2L?urn:isbn:978-951-0-18435-6    303 http://urn.fi/URN:ISBN:978-951-0-18435-6
N2L?urn:equals:a                  303 https://one.example/a
N2L?urn:many:a                    303 https://many.example/a
N2L?urn:old:a                     303 https://old.example/a
I2L?urn:lead:a                    303 https://lead.example/a
N2L?urn:none:a                    404 -
N2L?urn:quiet:a                   404 -
N2L?urn:about:a                   404 -
N2L?urn:script:a                  404 -
N2L?urn:isbn:978-951-0-18435-7    404 -
N2L?urn:nosuch:a                  404 -
N2L?urn:exact:a                   404 -
N2L?urn:gone:a                    410 -
N2L?urn:lead:a?fbclid=x           400 -
N2L?urn%3Alead%3Aa                400 -
N2L?http://lead.example/a         400 -
N2L?                              400 -
N2L                               400 -
N2R?urn:single:a                  302 https://single.example/a.pdf
N2R?urn:both:a                    302 https://r.example/a
N2R?urn:lead:a                    302 https://lead.example/a
N2R?urn:about:a                   404 -
N2Rs?urn:single:a                 303 https://single.example/a.pdf
N2Rs?urn:both:a                   303 https://r.example/a
N2Rs?urn:equals:a                 501 -
N2Rs?urn:none:a                   501 -
N2Rs?urn:nosuch:a                 404 -
N2C?urn:about:a?=q                303 https://about.example/a?q
N2C?urn:many:a                    303 https://many.example/about/a
N2C?urn:none:a                    303 /names/urn:none:a
N2C?urn:quiet:a                   303 /names/urn:quiet:a
N2C?urn:gone:a                    410 -
N2Ls?urn:equals:a                 200 - https://one.example/a https://two.example/a
N2Ls?urn:lead:a?=q                200 - https://lead.example/a?q
N2Ls?urn:about:a                  200 -
N2Ls?urn:none:a                   200 -
N2Ls?urn:quiet:a                  200 -
N2Ls?urn:nosuch:a                 404 -
N2Ls?urn:                         400 -
N2Ns?urn:none:a                   200 -
N2Ns?urn:formed:A-b               200 - urn:formed:ab
N2Ns?urn:isbn:9789510184356       200 - urn:isbn:978-951-0-18435-6
N2Ns?urn:nosuch:a                 404 -
L2Ns?https://one.example/a        200 - urn:equals:a
L2Ns?HTTPS://One.Example/a        200 - urn:equals:a
L2Ns?https://lead.example/a%2fb   200 - urn:lead:a%2Fb
L2Ns?https://query.example/?id=7%23top 200 - urn:query:7
L2Ns?https://nobody.example/a     200 -
L2Ns?ftp://lead.example/a         200 -
L2Ns?urn:lead:a                   400 -
L2Ns?lead.example/a               400 -
L2Ns?https://lead.example/<       400 -
L2Ns?https://lead.example/%zz     400 -
L2Ns?                             400 -
L2Ls?https://one.example/a        200 - https://two.example/a
L2Ls?https://lead.example/a       200 -
L2C?https://many.example/a        303 https://many.example/about/a
L2C?https://lead.example/a        303 /names/urn:lead:a
L2C?https://about.example/a       303 /names/urn:about:a
L2C?https://nobody.example/a      404 -
L2C?x                             400 -
N2X?urn:lead:a                    404 -
n2l?urn:lead:a                    404 -
N2L/?urn:lead:a                   404 -
N2L%3Furn:lead:a                  404 -
?urn:lead:a                       404 -
"""
ROWS = [line.split() for line in TABLE.splitlines() if line]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_form_is_answered_as_its_service_says(port: int, row: list[str]) -> None:
    target, status, location, *listed = row
    for method in ("GET", "HEAD"):
        answer = ask(port, f"/uri-res/{target}", method)
        assert (answer.status, answer.headers.get("location", "-")) == (int(status), location)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "set-cookie" not in answer.headers
        assert "etag" not in answer.headers or status == "200"
        assert (method == "HEAD") <= (answer.body == b"")
    answer = ask(port, f"/uri-res/{target}")
    if status == "200":
        assert answer.headers["content-type"] == "text/uri-list"
        first, *rest = answer.body.decode().removesuffix("\r\n").split("\r\n")
        assert (first[:2], rest) == ("# ", listed)
    if int(status) >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert ("position" in json.loads(answer.body)) is (status == "400")


@pytest.mark.parametrize(
    ("version", "service", "status"),
    [
        ("1.0", "N2L", 302),
        ("1.1", "N2L", 303),
        ("1.0", "N2Rs", 302),
        ("1.0", "N2C", 302),
        ("1.0", "N2R", 302),
        ("1.0", "N2Ls", 200),
    ],
)
def test_who_speaks_the_older_http_is_led_on_by_its_own_status(
    port: int, version: str, service: str, status: int
) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as connection:
        connection.sendall(f"GET /uri-res/{service}?urn:both:a HTTP/{version}\r\n".encode())
        connection.sendall(b"Host: a\r\nConnection: close\r\n\r\n")
        assert connection.makefile("rb").readline().split()[1] == str(status).encode()


def test_a_list_begins_with_a_comment_and_is_negotiated(port: int) -> None:
    path = "/uri-res/N2Ls?URN:Equals:a"
    assert ask(port, path).body == (
        b"# urn:equals:a\r\nhttps://one.example/a\r\nhttps://two.example/a\r\n"
    )
    assert ask(port, path, accept="text/plain").body == ask(port, path).body
    page = ask(port, path, accept=HTML)
    assert '<ul>\n<li><a href="https://one.example/a">https://one.example/a</a>\n' in (
        page.body.decode()
    )
    assert "content-security-policy" in page.headers
    listed = json.loads(ask(port, path, accept=JSON).body)
    assert listed["uris"] == ["https://one.example/a", "https://two.example/a"]
    assert ask(port, path, accept="image/png").headers["content-type"] == "text/uri-list"
    assert "<p>None found" in ask(port, "/uri-res/N2Ls?urn:none:a", accept=HTML).body.decode()
    named = ask(port, "/uri-res/L2Ns?https://one.example/a", accept=HTML).body.decode()
    assert '<a href="/names/urn:equals:a">' in named


def test_a_list_is_known_by_its_tag_and_a_way_on_never(port: int) -> None:
    tags = {
        ask(port, f"/uri-res/{asked}", accept=accept).headers["etag"]
        for asked in ("N2Ls?urn:equals:a", "N2Ns?urn:equals:a", "N2Ls?urn:equals:b")
        for accept in ("text/uri-list", HTML, JSON)
    }
    assert len(tags) == 9
    first = ask(port, "/uri-res/N2Ls?urn:equals:a")
    again = ask(port, "/uri-res/N2Ls?urn:equals:a", If_None_Match=first.headers["etag"])
    assert (again.status, again.body, again.headers["vary"]) == (304, b"", "Accept")
    assert ask(port, "/uri-res/N2Ls?urn:equals:a", If_Match='"x"').status == 412
    led = ask(port, "/uri-res/N2L?urn:lead:a", If_None_Match="*")
    assert (led.status, led.headers["cache-control"]) == (303, "no-cache")


@pytest.mark.parametrize(
    ("accept", "language", "way"),
    [("", "fi", "fi"), ("application/json", "", "en"), ("text/html", "en", "en")],
)
def test_what_is_liked_best_chooses_among_locations(
    port: int, accept: str, language: str, way: str
) -> None:
    given = {"accept": accept, "Accept_Language": language}
    for name in ("N2L", "N2R"):
        answer = ask(port, f"/uri-res/{name}?urn:typed:a", **given)
        assert answer.headers["location"] == f"https://typed.example/{way}/a"
        assert answer.headers["vary"] == "Accept, Accept-Language"


def test_what_else_is_known_stands_beside(port: int) -> None:
    led = ask(port, "/uri-res/N2L?urn:equals:a")
    assert '<https://two.example/a>; rel="alternate"; service="I2L"' in led.headers["link"]
    nowhere = ask(port, "/uri-res/N2L?urn:none:a")
    assert nowhere.headers["link"] == '</names/urn:none:a>; rel="describedby"'
    old = ask(port, "/uri-res/N2Ls?urn:old:a")
    assert 'rel="successor-version"' in old.headers["link"]
    names = ask(port, "/uri-res/N2Ns?urn:many:a")
    assert (
        '<https://other.example/names/a>; rel="alternate"; service="I2Ns"'
        in (names.headers["link"])
    )


def test_services_are_read_and_nothing_else(port: int) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE"):
        answer = ask(port, "/uri-res/N2L?urn:lead:a", method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    preflight = ask(port, "/uri-res/N2L?urn:lead:a", "OPTIONS")
    assert (preflight.status, preflight.body) == (204, b"")


def test_eight_kilobytes_are_asked_about_and_no_more(port: int) -> None:
    for beginning in ("N2L?urn:lead:", "L2Ns?https://lead.example/"):
        longest = f"/uri-res/{beginning}".ljust(8192, "a")
        assert ask(port, longest).status in (200, 303)
        assert ask(port, f"{longest}a").status == 414


def test_without_rules_nothing_is_resolved(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("none")
    make_bundle().lay_out(folder)
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        assert ask(port, "/uri-res/N2L?urn:isbn:1").status == 404


@pytest.fixture(scope="module")
def site(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


def told(site: PublishedPlane, target: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a target, checked as every answer is."""
    path, query = split_target("GET", target)
    answer = call(site, HttpRequest("GET", target, path, query, {"host": "x"} | headers))
    assert answer.status in {200, 302, 303, 400, 404, 410, 414, 501}
    return answer.status, dict(answer.headers), answer.body


BY_NAME, BY_LOCATION = ("N2L", "N2Ls", "N2R", "N2Rs", "N2C", "N2Ns"), ("L2Ns", "L2Ls", "L2C")
NAMED = st.sampled_from([f"/uri-res/{one}?" for one in BY_NAME])
PLACED = st.sampled_from([f"/uri-res/{one}?" for one in BY_LOCATION])
BEGINNINGS = st.sampled_from(
    [
        *("", "urn:lead:", "urn:typed:", "urn:value:a?+", "urn:isbn:", "urn:lex:", "//", "%"),
        *("https://lead.example/", "https://doi.org/", "https://query.example/?id="),
        "http://www.opengis.net/def/",
    ]
)
OCTETS = st.characters(min_codepoint=0x21, max_codepoint=0xFF)


@given(NAMED | PLACED, BEGINNINGS, st.text(OCTETS, max_size=40), st.sampled_from(["", HTML, "a/b"]))
@example("/uri-res/N2L?", "urn:lead:", "a%0d%0aX:y?=%0d%0a", "")
@example("/uri-res/L2Ns?", "https://lead.example/", "%0d%0aX:y<\xe9\"'", HTML)
@example("/uri-res/", "N2L", "\xff", HTML)
@settings(max_examples=rounds(250, 50))
def test_whatever_is_asked_is_answered(
    site: PublishedPlane, start: str, beginning: str, rest: str, accept: str
) -> None:
    told(site, start + beginning + rest, accept=accept)


@pytest.mark.parametrize("unit", ["a", "%0A", "a/", "?", "?=", "%23", "\xff", "1-", ";", "http://"])
@pytest.mark.parametrize(
    "start", ["N2Ls?urn:lex:br:", "L2Ns?https://doi.org/", "L2C?http://www.opengis.net/def/"]
)
def test_the_longest_are_answered(site: PublishedPlane, start: str, unit: str) -> None:
    told(site, f"/uri-res/{start}{unit * (8_000 // len(unit))}", accept=HTML)


@given(NAMED, st.sampled_from(["lead", "many", "equals", "none", "old", "nosuch", "gone", "exact"]))
@settings(max_examples=rounds(60, 15))
def test_equivalent_names_get_identical_answers(site: PublishedPlane, start: str, nid: str) -> None:
    for accept in ("", HTML):
        answers = [
            told(site, f"{start}{name}", accept=accept)
            for name in (f"urn:{nid}:a%2fb", f"URN:{nid.upper()}:a%2Fb")
        ]
        assert answers[0] == answers[1]
