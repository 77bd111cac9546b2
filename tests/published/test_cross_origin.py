"""Scripts of every site may read what is published, and what is said where nothing is."""

from pathlib import Path

import pytest

from app.published.plane import PublishedPlane
from tests.published.bundles import (
    BARE,
    FROM_BEHIND,
    PAGE,
    SESSION,
    XML,
    Answer,
    ask,
    contents,
    etag_of,
    lasting,
)
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of

ORIGIN = {"origin": "https://scripts.example"}
PREFLIGHT = ORIGIN | {
    "access_control_request_method": "GET",
    "access_control_request_headers": "if-none-match",
}
KEPT = "/editions/1/urn-namespaces.json"
FOR_COPIES = "/.well-known/urn-registry/manifest.json"

# What is asked, with what, and the status of the answer.
ASKED: tuple[tuple[str, dict[str, str], int], ...] = (
    ("/", {}, 200),
    (PAGE, {}, 200),
    (BARE, {}, 301),
    (XML, {}, 200),
    (XML, {"if_none_match": etag_of(XML)}, 304),
    (XML, {"if_match": '"other"'}, 412),
    (XML, {"accept_encoding": "identity;q=0"}, 406),
    (KEPT, {}, 200),
    (FOR_COPIES, {}, 200),
    ("/editions/9/nothing.json", {}, 404),
    ("/healthz", {}, 200),
    ("/urn:lead:a", {}, 302),
    ("/urn:many:a", {}, 302),
    ("/urn:nosuch:a", {}, 404),
    ("/urn:lead", {}, 400),
    ("/names/urn:lead:a", {}, 200),
    ("/uri-res/N2L?urn:lead:a", {}, 303),
    ("/uri-res/N2L?urn:lead", {}, 400),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("published")
    lasting(1, {"urn-namespaces.json": ("application/json", b"{}")}).lay_out_for_ever(made)
    files = {"/": ("text/html; charset=utf-8", b"<h1>Start</h1>"), **contents(1)}
    members = {"registry": "https://registry.example", "redirects": ((BARE, PAGE),)}
    bundle_of(RULES, files, **members).lay_out(made)
    return made


def asked(site: PublishedPlane, path: str, method: str = "GET", **headers: str) -> Answer:
    path, _, query = path.partition("?")
    return ask(site, path, method, query, **headers)


def is_shared(answer: Answer) -> bool:
    fields = answer.headers
    allowed = fields.get("Access-Control-Allow-Origin")
    return (allowed, fields.get("Access-Control-Expose-Headers")) == ("*", "*")


@pytest.mark.parametrize("in_front", [False, True], ids=["a copy", "in front"])
def test_all_that_is_published_may_be_read_and_a_preflight_says_so(
    folder: Path, in_front: bool
) -> None:
    site = PublishedPlane(folder, in_front, SESSION)
    wrong: list[tuple[str, object]] = []
    for path, headers, status in ASKED:
        told = [asked(site, path, method, **ORIGIN | headers) for method in ("GET", "HEAD")]
        statuses = {status, FROM_BEHIND} if status == 404 or path == "/healthz" else {status}
        wrong += [(path, one.status) for one in told if one.status not in statuses]
        wrong += [(path, "GET") for one in told if not is_shared(one) and one.status < FROM_BEHIND]
        before = asked(site, path, "OPTIONS", **PREFLIGHT)
        if path == "/healthz" and in_front:
            continue
        wrong += [(path, "OPTIONS")] if (before.status, is_shared(before)) != (204, True) else []
        assert before.body == b""
    assert wrong == []


def test_a_page_that_takes_forms_says_its_methods_itself(folder: Path) -> None:
    site = PublishedPlane(folder, True, SESSION)
    assert asked(site, PAGE, "OPTIONS").status == FROM_BEHIND
    plain = asked(site, XML, "OPTIONS")
    assert (plain.status, plain.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")
    assert asked(site, "/requests/new", "OPTIONS", **PREFLIGHT).status == FROM_BEHIND


def test_an_edition_that_is_awaited_is_said_to_be_to_every_script(tmp_path: Path) -> None:
    for in_front in (False, True):
        answer = asked(PublishedPlane(tmp_path, in_front, SESSION), XML, **ORIGIN)
        assert (answer.status, is_shared(answer)) == (503, True)
