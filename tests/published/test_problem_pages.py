"""Problems that a person meets are told in the shell of the site; programs get documents."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.exports.manifests.bundle_paths import SHELL
from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.front.request_problems import BUSY
from app.pages.site.chrome import Chrome, NavigationLink
from app.pages.site.published_site import ProblemPages
from app.published.blobs import DamagedBlob
from app.published.group_plane import EditionView, GroupPlane, StaleEditionError
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.problems import Problem
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import URN_GROUP
from tests import factories
from tests.front.test_connections import rest, serving
from tests.published.bound_names import copy_names
from tests.published.bundles import PAGE, XML, ask, contents, pack, read, request_of
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of

HTML, JSON = "text/html,*/*;q=0.8", "application/json"
LIT = 'aria-current="true"'
LIST = f'<a href="{PAGE}"'
ALONE = "<!doctype html>"
FEW = ConnectionLimits(target=400, head=800)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a copy of a site holds, with the shell of its pages."""
    folder = tmp_path_factory.mktemp("shell")
    chrome = Chrome(nav=(NavigationLink("URNs", PAGE),))
    shell = factories.making().site.shell(chrome, PAGE).encode()
    bundle_of(RULES, {**contents(1), SHELL: ("text/plain", shell)}).lay_out(folder)
    copy_names(folder)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> PublishedPlane:
    """A copy of a site."""
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """The same behind a server with little patience."""
    with serving(FEW, create_asgi_of_copy(folder)) as port:
        yield port


def is_in_shell(page: str) -> bool:
    """Whether a page is one of the site, and of none of its lists."""
    return page.count("<h1>") == page.count("<main") == page.count(LIST) == 1 and LIT not in page


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [
        ("/nowhere", "GET", {}, 404),
        (XML, "POST", {}, 405),
        ("/names/urn:lead:a", "PUT", {}, 405),
        ("/names/under/", "PUT", {}, 405),
        (XML, "GET", {"if_match": '"other"'}, 412),
    ],
)
def test_who_reads_pages_meets_a_problem_on_one_of_the_site(
    site: PublishedPlane, path: str, method: str, headers: dict[str, str], status: int
) -> None:
    page = ask(site, path, method, accept=HTML, **headers)
    assert page.status == status
    assert is_in_shell(page.body.decode())
    assert f"HTTP status {status}" in page.body.decode()
    assert page.headers["Content-Length"] == str(len(page.body))
    assert "style-src 'self'" in page.headers["Content-Security-Policy"]
    document = ask(site, path, method, accept=JSON, **headers)
    assert json.loads(document.body)["status"] == document.status == status


class _Refusing:
    """A link that meets what cannot be answered from."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def answer(self, _request: HttpRequest, _view: EditionView) -> HttpAnswer | None:
        """Nothing."""
        raise self._error


@pytest.mark.parametrize("error", [DamagedBlob("of a test"), StaleEditionError()])
def test_what_cannot_be_answered_just_now_is_told_on_a_page_of_the_site(
    folder: Path, error: Exception
) -> None:
    group = GroupPlane(URN_GROUP, folder, [_Refusing(error)])
    answer = group.answer_at_once(request_of(PAGE, accept=HTML))
    assert answer is not None and answer.status == 503
    assert is_in_shell(read(answer).decode())


def test_a_page_of_the_site_says_where_else_it_is(site: PublishedPlane) -> None:
    formats = ("text/csv", "/names.csv"), ("application/xml", "/names.xml")
    there = "https://all.example/urn:lead:a"
    problem = Problem(BUSY.code, "It is elsewhere.", choices=formats, there=there)
    page = read(site.root.refuse(problem, request_of("/", accept=HTML))).decode()
    assert is_in_shell(page)
    for media_type, path in formats:
        assert f'href="{path}"' in page and media_type in page
    assert f'href="{there}"' in page


def test_of_such_a_page_whoever_asks_for_its_head_gets_that(site: PublishedPlane) -> None:
    head, page = (ask(site, "/nowhere", method, accept=HTML) for method in ("HEAD", "GET"))
    assert (head.body, head.headers) == (b"", page.headers)


def octets(head: bytes, accept: str = HTML) -> bytes:
    """A request of which the head is to be refused."""
    return head.replace(b"\r\n", b"\r\nHost: x\r\nAccept: " + accept.encode() + b"\r\n", 1)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /" + b"a" * 500 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nCookie: " + b"a" * 900 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nCookie: " + b"a" * 1400, 431),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ],
)
def test_a_browser_whose_request_is_not_read_to_its_end_is_told_so_on_a_page(
    port: int, head: bytes, status: int
) -> None:
    came = {}
    for accept in (HTML, JSON):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(octets(head, accept))
            came[accept] = rest(connection).partition(b"\r\n\r\n")
    for told, _, _ in came.values():
        assert told.startswith(b"HTTP/1.1 %d " % status)
    assert is_in_shell(came[HTML][2].decode())
    assert json.loads(came[JSON][2])["status"] == status


@pytest.mark.parametrize("pieces", [1, 5])
def test_a_long_address_is_that_whatever_way_it_arrives(port: int, pieces: int) -> None:
    head = octets(b"GET /" + b"a" * 1400 + b" HTTP/1.1\r\n\r\n")
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(head), len(head) // pieces + 1):
            connection.sendall(head[at : at + len(head) // pieces + 1])
            time.sleep(0.02)
        told, _, page = rest(connection).partition(b"\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 414 ")
    assert is_in_shell(page.decode())


def test_an_address_of_which_no_end_is_seen_is_refused_as_that(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET /" + b"a" * 1400)
        told, _, page = rest(connection).partition(b"\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 414 ")
    assert is_in_shell(page.decode()), "nobody knows yet who asks, and programs read the status"
    assert "cookies" not in page.decode()


def test_what_was_asked_before_does_not_say_how_broken_octets_are_answered(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(octets(b"HEAD / HTTP/1.1\r\n\r\n") + b"\x00\r\n\r\n")
        came = rest(connection)
    assert b"HTTP/1.1 400 " in came
    assert b"application/problem+json" in came


def test_where_the_start_page_is_refused_too_a_page_stands_alone(site: PublishedPlane) -> None:
    asked = request_of("/", accept=HTML)
    refused = Problem(BUSY.code, "This site is for others.", leads_home=False)
    alone, dressed = (read(site.root.refuse(one, asked)).decode() for one in (refused, BUSY))
    assert alone.startswith(ALONE)
    assert is_in_shell(dressed)


def test_a_page_that_cannot_be_made_and_one_without_a_shell_stand_alone(
    site: PublishedPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(contents(1)).lay_out(tmp_path)
    plain = ask(PublishedPlane(tmp_path), "/nowhere", accept=HTML)
    monkeypatch.delattr(ProblemPages, "page")
    broken = ask(site, "/nowhere", accept=HTML)
    for page in (plain, broken):
        assert page.status == 404
        assert page.body.decode().startswith(ALONE)


def test_the_list_of_all_names_is_of_no_registry_and_that_of_some_is_of_theirs(
    site: PublishedPlane,
) -> None:
    everything, some = (
        ask(site, f"/names/under/{beginning}", accept=HTML).body.decode()
        for beginning in ("", "urn:lead:")
    )
    assert is_in_shell(everything)
    assert f"{LIST} {LIT}" in some
