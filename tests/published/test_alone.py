"""The published plane with nothing behind it: from a bundle alone, anywhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.published.plane import Published
from tests.published.bundles import FROM_BEHIND, PAGE, ask, behind, make_bundle, pack

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_it_says_whether_it_lives_and_is_ready(tmp_path: Path, path: str) -> None:
    answer = ask(Published(tmp_path), path)
    assert answer.status == (200 if path == "/healthz" else 503)
    make_bundle(7).lay_out(tmp_path)
    answer = ask(Published(tmp_path), path)
    assert (answer.status, json.loads(answer.body)) == (200, {"status": "ok", "edition": 7})
    assert answer.headers["Cache-Control"] == "no-store"
    assert ask(Published(tmp_path), path, "HEAD") == (200, answer.headers, b"")
    assert ask(Published(tmp_path), path, "POST").status == 404


def test_with_another_behind_it_that_one_says_it(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    assert ask(Published(tmp_path, behind), "/readyz").status == FROM_BEHIND


def test_a_page_is_for_everybody_the_same(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    answer = ask(Published(tmp_path), PAGE, query="q=x", cookie="session=x")
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
    site = Published(tmp_path)
    for path, (media_type, body) in files.items():
        answer = ask(site, path)
        assert (answer.status, answer.body) == (200, body)
        assert answer.headers["Content-Type"] == media_type


def test_neither_flask_nor_a_database_is_loaded(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    program = (
        "import sys; from pathlib import Path; from app.published.plane import Published;"
        f"assert Published(Path({str(tmp_path)!r})).edition == 7;"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & "
        "{'flask', 'werkzeug', 'sqlalchemy', 'sqlite3', 'jinja2', 'wtforms', 'brotli'}),"
        "[name for name in sys.modules if name.startswith('app.') and "
        "name.split('.')[1] not in ('published', 'exports', 'registration', 'identifiers')])"
    )
    command = [sys.executable, "-W", "error", "-c", program]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["[]", "[]"]


def test_a_name_in_another_case_and_a_page_without_its_slash_are_led_to(tmp_path: Path) -> None:
    page = ("text/html; charset=utf-8", b"<h1>isbn</h1>")
    paths = ("/namespaces/isbn", "/namespaces/isbn.json", "/editions/1/")
    pack(dict.fromkeys(paths, page)).lay_out(tmp_path)
    site = Published(tmp_path)
    for asked, there in (
        ("/namespaces/ISBN", "/namespaces/isbn"),
        ("/namespaces/Isbn.JSON", "/namespaces/isbn.json"),
        ("/editions/1", "/editions/1/"),
    ):
        answer = ask(site, asked)
        assert (answer.status, answer.headers["Location"]) == (301, there)
        assert ask(Published(tmp_path, behind), asked).status == FROM_BEHIND
    for unknown in ("/namespaces/ISSN", "/EDITIONS/1/", "/editions/2", ""):
        assert ask(site, unknown).status == 404
