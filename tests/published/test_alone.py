"""The published plane with nothing behind it: from a bundle alone, anywhere."""

import json
import subprocess
import sys
from dataclasses import fields
from html import escape, unescape
from pathlib import Path

import pytest

from app.pages.lists.list_query import NOT_ASKED, ListQuery, declared_facets
from app.published.copy_answers import QUESTIONS
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import GROUPS
from tests.published.bundles import (
    CSV,
    FROM_BEHIND,
    PAGE,
    ask,
    contents,
    make_bundle,
    pack,
)

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("falls_through", [False, True])
def test_robots_are_let_in_before_the_first_edition(tmp_path: Path, falls_through: bool) -> None:
    """Who gets 503 there stays away from the whole site (RFC 9309 section 2.3.1.4)."""
    site = PublishedPlane(tmp_path, falls_through=falls_through)
    answer = ask(site, "/robots.txt")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.body.startswith(b"User-agent: *\nAllow: /\n")
    assert b"Sitemap" not in answer.body
    assert ask(site, "/sitemap.xml").status == 503


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_it_says_whether_it_lives_and_is_ready(tmp_path: Path, path: str) -> None:
    answer = ask(PublishedPlane(tmp_path), path)
    assert answer.status == (200 if path == "/healthz" else 503)
    make_bundle(7).lay_out(tmp_path)
    answer = ask(PublishedPlane(tmp_path), path)
    assert (answer.status, json.loads(answer.body)) == (
        200,
        {"status": "ok", "edition": 7, "groups": {"naans": None}},
    )
    assert answer.headers["Cache-Control"] == "no-store"
    assert ask(PublishedPlane(tmp_path), path, "HEAD") == (200, answer.headers, b"")
    assert ask(PublishedPlane(tmp_path), path, "POST").status == 404


def test_with_another_behind_it_that_one_says_it(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    assert ask(PublishedPlane(tmp_path, falls_through=True), "/readyz").status == FROM_BEHIND


def test_a_page_is_for_everybody_the_same(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    answer = ask(PublishedPlane(tmp_path), PAGE, query="q=x", cookie="session=x")
    assert answer.status == 200


def test_the_files_that_pages_are_drawn_with_are_files_like_others(tmp_path: Path) -> None:
    files = {
        "/static/ui.css": ("text/css; charset=utf-8", b"body {}"),
        "/static/filter.js": ("text/javascript; charset=utf-8", b"void 0;"),
        "/static/icons.svg": ("image/svg+xml", b"<svg/>"),
        "/robots.txt": ("text/plain; charset=utf-8", b"User-agent: *"),
        "/.well-known/security.txt": ("text/plain; charset=utf-8", b"Contact: x"),
        "/favicon.ico": ("image/x-icon", b"\0\0\1\0"),
    }
    pack(files).lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    for path, (media_type, body) in files.items():
        answer = ask(site, path)
        assert (answer.status, answer.body) == (200, body)
        assert answer.headers["Content-Type"] == media_type


def test_neither_flask_nor_the_database_is_loaded(tmp_path: Path) -> None:
    """Bound names are read from a file of their own, by the sqlite3 of Python alone."""
    make_bundle(7).lay_out(tmp_path)
    program = (
        "import sys; from pathlib import Path; from app.published.plane import PublishedPlane;"
        f"assert PublishedPlane(Path({str(tmp_path)!r})).edition == 7;"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & "
        "{'flask', 'werkzeug', 'sqlalchemy', 'jinja2', 'wtforms', 'brotli', 'wsgiref'}),"
        "[name for name in sys.modules if name.startswith('app.') and "
        "name.split('.')[1] not in"
        " ('published', 'exports', 'problems', 'resolution', 'registration', 'identifiers',"
        " 'assigned_names', 'bundles', 'labelled_enum')])"
    )
    command = [sys.executable, "-W", "error", "-c", program]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["[]", "[]"]


def test_a_name_in_another_case_and_a_page_without_its_slash_are_led_to(tmp_path: Path) -> None:
    page = ("text/html; charset=utf-8", b"<h1>isbn</h1>")
    paths = ("/namespaces/isbn", "/namespaces/isbn.json", "/editions/1/")
    pack(dict.fromkeys(paths, page)).lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    for asked, there in (
        ("/namespaces/ISBN", "/namespaces/isbn"),
        ("/namespaces/Isbn.JSON", "/namespaces/isbn.json"),
        ("/editions/1", "/editions/1/"),
    ):
        answer = ask(site, asked)
        assert (answer.status, answer.headers["Location"]) == (301, there)
        assert ask(PublishedPlane(tmp_path, falls_through=True), asked).status == FROM_BEHIND
    for unknown in ("/namespaces/ISSN", "/EDITIONS/1/", "/editions/2", ""):
        assert ask(site, unknown).status == 404


HOME = "https://registry.example"


def copy_in(folder: Path) -> PublishedPlane:
    """A copy of edition 7 that knows where the registry is."""
    pack(contents(7), edition=7, registry=HOME).lay_out(folder)
    return PublishedPlane(folder)


@pytest.mark.parametrize(
    ("path", "query", "there"),
    [
        ("/sign-in", "", "/sign-in"),
        ("/requests/new", "kind=formal", "/requests/new?kind=formal"),
        ("/tools/\xc3\xa9 \"'<b>&", "a=<b>", "/tools/%C3%A9%20%22'%3Cb%3E&?a=%3Cb%3E"),
        ("/editions/1..7.json", "", "/editions/1..7.json"),
        ("//evil.example/", "", "//evil.example/"),
        ("", "", "/"),
    ],
)
def test_what_a_copy_lacks_is_said_to_be_with_the_registry(
    tmp_path: Path, path: str, query: str, there: str
) -> None:
    site = copy_in(tmp_path)
    page = ask(site, path, query=query, accept="text/html")
    text = page.body.decode()
    assert (page.status, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert f'<a href="{HOME + there}">' in unescape(text)
    assert "a copy of edition 7 of the registry (2026-07-28)" in text
    assert "<b>" not in text
    document = ask(site, path, query=query, accept="application/json")
    assert document.headers["Content-Type"] == "application/problem+json"
    told = json.loads(document.body)
    assert (document.status, told["status"], told["there"]) == (404, 404, HOME + there)
    assert told["detail"].startswith("This is a copy of edition 7 of the registry (2026-07-28).")
    assert ask(site, path, "HEAD", query=query, accept="text/html") == (404, page.headers, b"")
    assert (
        ask(PublishedPlane(tmp_path, falls_through=True), path, query=query).status == FROM_BEHIND
    )


def test_a_copy_says_of_a_question_that_it_cannot_search_and_who_can(tmp_path: Path) -> None:
    site = copy_in(tmp_path)
    for query in ("q=isbn", "status=former", "a=b&year=2001", "sort=date"):
        for accept in ("text/html", "application/json"):
            answer = ask(site, PAGE, query=query, accept=accept)
            assert (answer.status, b"copy_cannot_search" in answer.body) == (404, True)
            said = f"{HOME}{PAGE}?{query}"
            assert (escape(said) if accept == "text/html" else said) in answer.body.decode()
    for query in ("", "q=", "utm_source=x"):
        assert ask(site, PAGE, query=query).status == 200
    assert ask(site, CSV, query="q=isbn").status == 200, "a file is what it is"


def test_a_copy_knows_every_question_that_the_registry_takes() -> None:
    declared = {facet.id for group in GROUPS.values() for facet in declared_facets(group)}
    assert {field.name for field in fields(ListQuery)} - NOT_ASKED | declared == QUESTIONS


def test_an_address_without_anything_is_told_by_a_copy_that_knows_no_registry(
    tmp_path: Path,
) -> None:
    make_bundle(7).lay_out(tmp_path)
    answer = ask(PublishedPlane(tmp_path), "/sign-in")
    assert (answer.status, json.loads(answer.body)["title"]) == (404, "Page not found")
