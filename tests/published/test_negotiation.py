"""One path, several formats: Accept chooses (RFC 9110 section 12.1)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.published.http.http_exchange import SHARED
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CODINGS,
    DECODERS,
    FROM_BEHIND,
    ask,
    divide_soon,
    pack,
)

REGISTRY, BARE, STEM = "/registry/", "/registry", "/registry/registry"
ISBN = "/namespaces/isbn"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

FILES = {
    "/": ("text/html; charset=utf-8", b"<h1>Home</h1>"),
    REGISTRY: ("text/html; charset=utf-8", b"<h1>Registry</h1>"),
    f"{STEM}.json": ("application/json", b'{"registry": []}'),
    f"{STEM}.xml": ("application/xml", b"<registry/>"),
    f"{STEM}.csv": ("text/csv; charset=utf-8", b"name\r\n"),
    ISBN: ("text/html; charset=utf-8", b"<h1>isbn</h1>"),
    f"{ISBN}.json": ("application/json", b'{"name": "isbn"}'),
    f"{ISBN}.ttl": ("text/turtle; charset=utf-8", b"<urn:isbn:> a <x> ."),
    f"{ISBN}/versions/1": ("text/html; charset=utf-8", b"<h1>1</h1>"),
    "/namespaces/alone": ("text/html; charset=utf-8", b"<h1>alone</h1>"),
    "/namespaces/bare.json": ("application/json", b'{"name": "bare"}'),
    "/namespaces/bare.ttl": ("text/turtle", b"<urn:bare:> a <x> ."),
}
FORMATS = (REGISTRY, f"{STEM}.json", f"{STEM}.xml", f"{STEM}.csv", f"{STEM}.absent")
SUFFIXES = ("", ".json", ".xml", ".ttl")
RULES = (
    (REGISTRY, FORMATS),
    (STEM, FORMATS),
    ("/nothing/{}", ("/nothing/{}.a", "/nothing/{}.b")),
    ("/namespaces/{}", tuple(f"/namespaces/{{}}{suffix}" for suffix in SUFFIXES)),
)
MANIFEST: dict[str, Any] = {"negotiated": RULES, "redirects": ((BARE, REGISTRY),)}


@pytest.fixture(scope="module", params=["held", "in parts"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    fillers = {f"/fill/{number}": ("text/plain", b"") for number in range(100)}
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "in parts":
            divide_soon(patch)
        pack(FILES | fillers, codings=CODINGS, **MANIFEST).lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


@pytest.mark.parametrize(
    ("path", "accept", "chosen"),
    [
        (REGISTRY, "", REGISTRY),
        (REGISTRY, "*/*", REGISTRY),
        (REGISTRY, BROWSER, REGISTRY),
        (REGISTRY, "application/json", f"{STEM}.json"),
        (REGISTRY, "application/xml, text/html;q=0.9", f"{STEM}.xml"),
        (REGISTRY, "text/csv", f"{STEM}.csv"),
        (STEM, "", REGISTRY),
        (STEM, BROWSER, REGISTRY),
        (STEM, "application/json", f"{STEM}.json"),
        (ISBN, BROWSER, ISBN),
        (ISBN, "application/json", f"{ISBN}.json"),
        (ISBN, "text/turtle", f"{ISBN}.ttl"),
        (ISBN, "text/*", ISBN),
        ("/namespaces/bare", BROWSER, "/namespaces/bare.json"),
        ("/namespaces/bare", "text/turtle", "/namespaces/bare.ttl"),
    ],
)
def test_accept_chooses_among_what_there_is(
    site: PublishedPlane, path: str, accept: str, chosen: str
) -> None:
    answer, own = ask(site, path, accept=accept), ask(site, chosen)
    assert (answer.status, answer.body) == (200, FILES[chosen][1])
    assert answer.headers["Content-Type"] == FILES[chosen][0]
    assert answer.headers["ETag"] == own.headers["ETag"]
    assert answer.headers.get("Content-Location", path) == chosen
    assert answer.headers["Vary"].split(", ")[0] == "Accept"
    assert len(set(answer.headers["Vary"].split(", "))) == answer.headers["Vary"].count(",") + 1
    assert ask(site, path, "HEAD", accept=accept) == (200, answer.headers, b"")


def test_what_accept_chooses_is_sent_in_the_form_that_is_welcome(site: PublishedPlane) -> None:
    answer = ask(site, ISBN, accept="application/json", accept_encoding="gzip")
    assert DECODERS["gzip"](answer.body) == FILES[f"{ISBN}.json"][1]
    assert answer.headers["Vary"] == "Accept, Accept-Encoding"
    assert answer.headers["Content-Encoding"] == "gzip"


def test_who_has_what_accept_chooses_is_told_so(site: PublishedPlane) -> None:
    etag = ask(site, f"{ISBN}.json").headers["ETag"]
    assert ask(site, ISBN, accept=BROWSER, if_none_match=etag).status == 200
    answer = ask(site, ISBN, accept="application/json", if_none_match=etag)
    assert answer.status == 304
    assert answer.headers == {
        "ETag": etag,
        "Cache-Control": "no-cache",
        "Vary": "Accept, Accept-Encoding",
        "Content-Location": f"{ISBN}.json",
        **dict(SHARED),
    }


@pytest.mark.parametrize("path", [REGISTRY, STEM, ISBN, "/namespaces/bare"])
@pytest.mark.parametrize("accept", ["image/png", "*/*;q=0", "application/pdf, image/*"])
def test_who_takes_none_is_told_what_there_is(site: PublishedPlane, path: str, accept: str) -> None:
    answer = ask(site, path, accept=accept)
    problem = json.loads(answer.body)
    assert answer.status == problem["status"] == 406
    assert problem["choices"]
    assert all(FILES[choice["href"]][0] == choice["type"] for choice in problem["choices"])
    assert "Accept" in answer.headers["Vary"]


def test_a_person_who_takes_none_is_shown_links(site: PublishedPlane) -> None:
    answer = ask(site, "/namespaces/bare", accept="text/html, application/json;q=0")
    assert answer.status == 406
    assert b'<a href="/namespaces/bare.json">' in answer.body


@pytest.mark.parametrize(
    "path",
    [f"{STEM}.json", f"{ISBN}.json", "/namespaces/alone", "/", f"{ISBN}/versions/1"],
)
def test_a_suffix_or_a_file_alone_leaves_nothing_to_choose(site: PublishedPlane, path: str) -> None:
    answer = ask(site, path, accept="image/png")
    assert (answer.status, answer.body) == (200, FILES[path][1])
    assert "Accept," not in answer.headers["Vary"]
    assert "Content-Location" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/namespaces/", "/namespaces", "/namespaces/none", "/nothing/x", f"{ISBN}/x", "/{}"]
)
def test_a_rule_without_files_gives_nothing(site: PublishedPlane, path: str) -> None:
    assert ask(site, path, accept=BROWSER).status == 404


def test_a_redirect_leads_to_where_accept_chooses(site: PublishedPlane) -> None:
    answer = ask(site, BARE, accept="application/json")
    assert (answer.status, answer.headers["Location"]) == (301, REGISTRY)


def test_a_page_falls_through_before_and_a_format_never(folder: Path) -> None:
    site = PublishedPlane(folder, falls_through=True)
    for asked in ({"cookie": "session=x"}, {"query": "q=x"}):
        assert ask(site, ISBN, accept=BROWSER, **asked).status == FROM_BEHIND
        assert ask(site, STEM, accept=BROWSER, **asked).status == FROM_BEHIND
        assert ask(site, STEM, accept="application/json", **asked).status == 200
    assert ask(site, ISBN, accept="application/json").status == 200
    assert ask(site, ISBN, accept="image/png").status == 406
    assert ask(site, ISBN, "POST", accept="application/json").status == FROM_BEHIND
    assert ask(site, "/namespaces/none", accept="application/json").status == FROM_BEHIND


def test_a_session_changes_the_page_and_none_of_the_formats(folder: Path) -> None:
    site = PublishedPlane(folder, falls_through=True)
    for accept in ("application/json", "text/turtle", "image/png"):
        assert ask(site, ISBN, accept=accept, cookie="session=x") == ask(site, ISBN, accept=accept)
    assert ask(site, ISBN, accept="*/*", cookie="session=x").status == FROM_BEHIND


messy = st.text(st.characters(max_codepoint=255), max_size=30)


@given(
    st.sampled_from([*FILES, STEM, BARE, "/namespaces/bare", "/namespaces/\xff"]),
    st.dictionaries(
        st.sampled_from(["accept", "accept_encoding", "range", "if_range", "if_none_match"]), messy
    ),
)
def test_no_headers_crash_it(site: PublishedPlane, path: str, headers: dict[str, str]) -> None:
    answer = ask(site, path, **headers)
    assert answer.status in {200, 301, 304, 404, 406}
    assert all(text.isprintable() and text.isascii() for text in answer.headers.values())
