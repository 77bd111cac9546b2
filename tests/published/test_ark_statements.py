"""What is promised of HTTP for ARKs, each with the section that says it, through a socket.

Sections are those of The ARK URI scheme, others are named.
"""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.bundles.mirror import mirror_registry
from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.connections import ConnectionLimits
from app.outside.http_fetcher import Fetcher
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import RegistryGroup
from app.resolution.ark_resolver import read_ark_request
from tests.front.test_connections import serving
from tests.published.bundles import PATIENT, restless
from tests.published.loopback import serve
from tests.published.test_arks import HTML, JSON, ROWS, TEXT, ask, copy, folder, group, port
from tests.published.test_names import Told
from tests.published.test_names import ask as ask_socket
from tests.published.wsgi_site import PublishedWsgi
from tests.resolution.arks.test_ark_spellings import NAMES, spelled
from tests.torture.conftest import rounds

__all__ = ["copy", "folder", "group", "port"]

NO_LOCATION = "-"
THERE = "https://library.example/ark:/12345/"
# The section that says it, what is asked for, the status, and where it leads.
STATEMENTS = f"""
3.1    /ark:12345/a                       302 {THERE}a
3.1    /ark:99999/a                       302 https://tests.example/99999/a
3.2    /ark:12345                         303 /naans/12345
3.2    /ark:12345/a/b/c                   302 {THERE}a/b/c
3.2    /ark:12345/a.svg.en                302 {THERE}a.en.svg
3.4    /ark:12345/a?                      200 -
3.4    /ark:12345/a??                     200 -
3.4    /ark:12345/a?info                  200 -
3.4    /ark:12345/a:b?info                200 -
3.4    /ark:20003/a?info                  200 -
3.4    /ark:30000/a?info                  200 -
3.4    /ark:30002/a?info                  200 -
3.4    /ark:12346/a?info                  404 -
7.1    /ark:12345/a                       302 {THERE}a
7.1    http://copy.example/ark:12345/a    302 {THERE}a
7.1    /ark:12345/a#b                     302 {THERE}a
7.1    /ark:12345/a?b#c?info              302 {THERE}a?b
7.1    /ark:12345/4%D0%B1%D1%843%D1%851   302 {THERE}4%D0%B1%D1%843%D1%851
7.1    /ark:12345/a?b=%C3%A9              302 {THERE}a?b=%C3%A9
7.1    /ark:21345/a?b=c                   302 https://pid.example/?ark=ark:21345/a&b=c
7.1    /ark:12346/a:b                     400 -
7.1    /ark:12345/a:b                     302 {THERE}a:b
7.1.1  /ark:12345/c3700931                302 {THERE}c3700931
7.1.1  /ark:12345/c370-0931               302 {THERE}c3700931
7.1.1  /ark:/12-345/c37-009-31--          302 {THERE}c3700931
7.1.1  /ark:12345/{"a" * 245}             302 {THERE}{"a" * 245}
7.1.1  /ark:12345/{"a" * 9000}            414 -
7.1.2  /ark:20003/a                       303 https://see.example/20003/a
7.1.2  /ark:20004/a                       307 http://keeps.example:8080/20004/a
7.1.2  /ark:30002/a                       303 /names/ark:30002%2Fa
7.1.2  /ark:12346/a                       404 -
7.1.2  /ark:30000/a                       404 -
7.1.2  /ark:30003/a                       410 -
7.1.2  /ark:12345/                        303 /naans/12345
7.1.2  /ark:12345/a%zz                    400 -
4      /ark:12345/%c3%28                  302 {THERE}%C3%28
8.1    /ark:12345/a%00                    400 -
8.1    /ark:12345/a%E2%80%AE              302 {THERE}a%E2%80%AE
"""
CITED = [tuple(line.split()) for line in STATEMENTS.splitlines() if line]
READS = "GET, HEAD, OPTIONS"
OF_NOW = {"date", "connection"}


@pytest.mark.parametrize(
    ("target", "status", "location"),
    [row[1:] for row in CITED],
    ids=[f"{section} {target[:40]}" for section, target, *_ in CITED],
)
def test_each_statement_on_http(port: int, target: str, status: str, location: str) -> None:
    told = ask_socket(port, target, accept=TEXT)
    assert (told.status, told.headers.get("location", NO_LOCATION)) == (int(status), location)
    _is_as_promised(told)
    head = ask_socket(port, target, "HEAD", accept=TEXT)  # RFC 9110 section 9.3.2
    assert (head.status, head.body) == (told.status, b"")
    assert _lasting(head) == _lasting(told)
    preflight = ask_socket(port, target, "OPTIONS", access_control_request_method="GET")
    assert preflight.status == 204
    assert preflight.headers["access-control-allow-methods"] == READS
    _is_as_promised(preflight)
    refused = ask_socket(port, target, "DELETE")  # RFC 9110 section 15.5.6
    assert (refused.status, refused.headers["allow"]) == (405, READS)
    _is_as_promised(refused)


def _is_as_promised(told: Told) -> None:
    """What holds of every answer. Sections 7.1.2 and 8."""
    assert told.status not in {301, 308}
    assert told.headers["strict-transport-security"].startswith("max-age=")
    assert told.headers["access-control-allow-origin"] == "*"
    assert told.headers["x-content-type-options"] == "nosniff"
    if "location" in told.headers:  # asked each time, and the same for everybody
        assert told.headers["cache-control"] == "no-cache"
        assert not {"vary", "etag", "last-modified"} & told.headers.keys()
    elif told.status != 204:
        assert told.headers["vary"] == "Accept"


def _lasting(told: Told) -> dict[str, str]:
    return {name: value for name, value in told.headers.items() if name not in OF_NOW}


def test_8_without_tls_nothing_is_said_of_it(folder: Path) -> None:
    """Section 8; RFC 6797 section 7.2 has no such header without TLS."""
    front = AsgiFront(PublishedPlane(folder), Admission("http://copy.example", demo=False))
    with serving(ConnectionLimits(), front) as port:
        for target in ("/ark:12345/a", "/ark:12345/a?info", "/ark:12345/a%zz"):
            assert "strict-transport-security" not in ask_socket(port, target).headers


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", TEXT),
        ("*/*", TEXT),
        (TEXT, TEXT),
        (HTML, HTML),
        (JSON, JSON),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML),
        ("application/json;q=0.9, text/html;q=0.1", JSON),
        ("text/*;q=0.2, application/json", JSON),
        ("TEXT/HTML", HTML),
    ],
)
def test_3_4_what_is_known_comes_as_it_is_asked_for(
    port: int, accept: str, media_type: str
) -> None:
    told = ask_socket(port, "/ark:12345/x5a?info", accept=accept)
    assert (told.status, told.headers["content-type"].partition(";")[0]) == (200, media_type)
    assert told.headers["vary"] == "Accept"
    assert told.headers["link"].startswith(
        '<https://project.example/pa/on?info>; rel="describedby"'
    )


def test_a_copy_leads_on_with_the_site_away(
    copy: PublishedPlane, folder: Path, group: RegistryGroup, tmp_path: Path
) -> None:
    """Section 7.1: a copy that was mirrored treats every request as the site does."""
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)
    with serve(PublishedWsgi(site)) as url, Fetcher(timeout=20, deadline=60) as fetch:
        mirror_registry(url, tmp_path / "mirrored", fetch)
    mirrored = PublishedPlane(tmp_path / "mirrored")
    for target, *_ in ROWS:
        for accept in (HTML, JSON):
            assert ask(mirrored, target, accept=accept) == ask(copy, target, accept=accept)


@given(
    st.sampled_from(["12345", "b7280", "20000", "30003", "99999", "12346", "99999/912345_"]),
    NAMES,
    st.lists(st.sampled_from(["en", "svg", "A", "a", "%c3%A9"]), max_size=4),
    st.sampled_from(["", "?", "?info", "?q=%41&r"]),
    st.sampled_from(["/ark:", "/ark:/", "/ARK:", "/%61rk%3a/", "/Ark%3A", "http://x.example/aRK:"]),
    st.sampled_from([HTML, JSON, TEXT]),
    st.data(),
)
@example("12345", "x5a", ["svg", "en", "en"], "", "/ARK:", TEXT, None)
@settings(max_examples=rounds(500, 40))
def test_6_every_spelling_of_one_ark_gets_one_answer(
    copy: PublishedPlane,
    naan: str,
    name: str,
    variants: list[str],
    query: str,
    begun: str,
    accept: str,
    data: st.DataObject | None,
) -> None:
    """Section 6, each step; section 7.1: status, every header and the body are equal."""
    if "." in name:
        variants = []  # those of the name come first
    path = f"{naan}{name}" if naan.endswith("_") else f"{naan}/{name}"
    plain = path + "".join(f".{one}" for one in variants)
    if not read_ark_request(f"ark:{plain}").normal_form:
        return  # handed on as it came, or refused with the place of its fault
    turned = [*variants, *variants[:1]][::-1]
    other = path + "".join(f".{one}" for one in turned)
    other = other.replace(naan, naan.upper(), 1) if naan == "b7280" else other
    written = spelled(other, data) if data else other
    told = ask(copy, f"/ark:{plain}{query}", accept=accept)
    assert ask(copy, f"{begun}{written}{query}", accept=accept) == told
    if accept != TEXT:  # of which a page has none
        page = ask(copy, f"/names/ark:{quote(plain, safe='')}", accept=accept)
        assert ask(copy, f"/names/ark:/{quote(written, safe='')}", accept=accept) == page


@pytest.mark.parametrize(
    "begun", ["/\u0430rk:", "/ark\uff1a", "/a\u200brk:/", "/%D0%B0rk:", "/names/\u0430rk:"]
)
def test_8_1_a_scheme_that_only_looks_like_ark_is_told_so_with_the_ark_that_was_meant(
    copy: PublishedPlane, begun: str
) -> None:
    told = ask(copy, f"{begun}12345/a", accept=JSON)
    document = json.loads(told.body)
    assert (told.status, document["code"]) == (400, "ark_scheme")
    assert re.search(r"is U\+[0-9A-F]{4} \(|U\+200B .* which is invisible", document["detail"])
    assert document["corrected"] == "ark:12345/a"
    page = ask(copy, f"{begun}12345/a", accept=HTML)
    assert page.status == 400
    assert '<a href="/ark:12345/a">' in page.body.decode()
    unlike = ask(copy, "/b\u0430rk:12345/a", accept=JSON)
    assert b"U+0430" not in unlike.body


# Letters that look alike, what turns a line round, hyphens that are none, and what breaks out.
HOSTILE = [
    *("\u0430", "\u04bb", "\u0131", "\uff41", "\u2010", "\u2212", "\u00ad", "\u200b", "\u202e"),
    *("\u2066", "\u200f", "\ufeff", "%e2%80%ae", "%00", "%0d%0aX:y", "%1b", "%7f", "%c2%85", "%"),
    *("%z", "%f", "%ff", "%2d", "-", "---", "/", "//", "/../", ".", "..", ":", "?", "??", "info"),
    *('"x9z', "'x9z", "<x9z>", "&lt;", "{{x9z}}", "`", "\\", "|", "[", "a", "5", "x5", "\x00"),
    *("\x1b", "\U000e0041", "\ue000", "-" * 300, "%2D" * 300),
]
# Controls but white space, and what turns a line round or is not seen.
UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
BREAKING_OUT = re.compile("<x9z|[\"']x9z")
NO_ADDRESS = re.compile(r"""[^!-~]|[<>"\\^`{|}]""")


@given(
    st.sampled_from(["/ark:", "/ark:/12345/", "/ark:12346/", "/ark:123", "/names/ark:12345/x5"]),
    st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=8).map("".join),
    st.sampled_from([HTML, JSON, TEXT]),
)
@example("/ark:12345/", "\u202e<x9z>%", HTML)
@example("/ark:12345/", "<x9z>?info", HTML)
@example("/ark:", "l2345/<x9z>", HTML)
@example("/ark:12345/", "a" * 10_240, HTML)
@example("/ark:12345/", "-" * 10_240, JSON)
@example("/ark:12345/", "a?" + "\x00" * 200, JSON)
@settings(max_examples=rounds(1_000, 80))
def test_8_1_bad_input_is_told_why_and_never_given_back_as_it_came(
    copy: PublishedPlane, begun: str, rest: str, accept: str
) -> None:
    """Section 8.1: no fault of this software, nothing that a page or a terminal would carry out."""
    told = ask(copy, begun + rest, accept=accept)
    assert told.status in {200, 302, 303, 307, 400, 404, 410, 414, 406}
    body = told.body.decode()
    assert not UNSEEN.search(body)
    assert not NO_ADDRESS.search(told.headers.get("Location", ""))
    if told.status in {400, 404, 410, 414} and accept != HTML:
        document = json.loads(body)
        assert document["status"] == told.status
        assert document["detail"]
    if told.headers.get("Content-Type", "").startswith(HTML):
        assert "<h1>" in body
        assert not BREAKING_OUT.search(body)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/ark:12345/a\x00b", 400),
        ("/ark:12345/a\x1b[2J", 400),
        ("/ark:12345/\xff", 400),
        (f"/ark:12345/{'a' * 10_240}", 414),
        (f"/ark:12345/{'-' * 10_240}", 414),
        (f"/ark:12345/{'%00' * 3_400}", 414),
        (f"/ark:12345/{'a' * 100_000}", 414),
        ("/ark:%s", 400),
        ("/ark:12345/a%", 400),
    ],
)
def test_8_1_what_no_address_has_is_refused_by_a_socket_with_the_reason(
    port: int, target: str, status: int
) -> None:
    told = ask_socket(port, target, accept=JSON)
    assert told.status == status
    document = json.loads(told.body)
    assert (document["status"], bool(document["detail"])) == (status, True)
    assert not UNSEEN.search(told.body.decode())
