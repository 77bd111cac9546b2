"""Whatever comes in is answered: by a clear page for people, a problem document for programs."""

import json
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import OperationalError

from app.config import LARGEST_BODY, MOST_FIELDS
from app.problems.problem_catalogue import CODES
from app.services.accounts import sign_in
from app.services.registry import snapshots
from app.web.requests import request_pages
from tests.web.conftest import World, without_demo
from tests.web.visitor import HTML, Page
from tests.web.wellmade import faults

pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def nothing_unexpected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No request of these tests may surprise the application."""
    yield
    assert "Traceback" not in caplog.text


def document(answer: Page) -> dict[str, object]:
    """A problem document, read (RFC 9457 section 3)."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    told: dict[str, object] = json.loads(answer.html)
    assert told["type"] == f"http://127.0.0.1:8000/problems/{told['code']}"
    assert told["status"] == answer.status
    assert told["title"] == CODES[str(told["code"])].title
    assert told["detail"]
    return told


def page_and_document(world: World, method: str, path: str, **given: object) -> Page:
    """Ask twice, as a person and as a program; gives the page."""
    page = world.visitor().open(method, path, **given)
    assert faults(page) == []
    program = world.visitor().open(method, path, **given | {"headers": {"Accept": "*/*"}})
    assert program.status == page.status
    document(program)
    return page


# ---- addresses


@pytest.mark.parametrize("query", ["q=\xff\xfe", "q=\x00", "q=a b", "q=é", "\x7f"])
def test_a_query_that_is_not_ascii_is_refused(world: World, query: str) -> None:
    given = {"environ_overrides": {"QUERY_STRING": query.encode().decode("latin-1")}}
    page = page_and_document(world, "GET", "/", **given)
    assert page.status == 400
    assert "Percent-encode" in page.words


@pytest.mark.parametrize("path", ["/requests/?after=%00", "/prefixes/?after=a%00b", "/?q=%00"])
def test_a_query_with_the_character_nul_is_refused(world: World, path: str) -> None:
    page = world.visitor("registrant").get(path)
    assert page.status == 400
    assert "The address contains %00" in page.words


@pytest.mark.parametrize("path", ["/namespaces/\xff\xfe", "*", "/../../etc/passwd", "/%"])
def test_a_path_of_any_bytes_is_not_found(world: World, path: str) -> None:
    given = {"environ_overrides": {"PATH_INFO": path}}
    assert page_and_document(world, "GET", "/", **given).status == 404


def test_a_path_with_a_control_character_is_none(world: World) -> None:
    for path in ("/\x00", "/namespaces/a\n", "/desk\r\nX: y"):
        page = world.visitor().get("/", environ_overrides={"PATH_INFO": path})
        assert page.status == 400
        assert "control character" in page.words


def test_broken_percent_signs_are_words_like_others(world: World) -> None:
    page = world.visitor().get("/?q=%ff%fe%zz%")
    assert (page.status, faults(page)) == (200, [])


# ---- hosts

HOSTS = ["evil.example", "evil.example:80", "evil.example/x", "[::1", "a b", "\xff", "", "a@b"]


@pytest.mark.parametrize("host", HOSTS)
def test_no_answer_believes_the_host_header(world: World, host: str) -> None:
    headers = {"Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    with without_demo(world) as site:
        _see_that_it_is_not_believed(site, headers)


def _see_that_it_is_not_believed(world: World, headers: dict[str, str]) -> None:
    for path in ("/desk", "/requests/", "/sign-in", "/nowhere", "/desk?next=//evil.example"):
        page = world.visitor().get(path, headers=headers)
        assert page.status in {200, 308, 404}
        assert faults(page) == []
        assert "evil.example" not in page.html
        assert "evil.example" not in page.location.partition("?")[0]
    given = {"environ_overrides": {"PATH_INFO": "//evil.example//desk"}}
    assert not world.visitor().get("/", headers=headers, **given).location.startswith("//")


# ---- methods


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "GUESS"])
def test_a_method_that_is_not_taken_is_told_which_are(world: World, method: str) -> None:
    page = page_and_document(world, method, "/requests/new")
    assert page.status == 405
    allowed = set(page.headers["Allow"].split(", "))
    assert allowed == {"GET", "HEAD", "OPTIONS", "POST"}


def test_options_tell_the_methods_to_anybody(world: World) -> None:
    answer = world.visitor().open("OPTIONS", world.path("/requests/{draft}/discard"))
    assert answer.status == 200
    assert set(answer.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


# ---- what is accepted

ACCEPTS = {
    "text/html": True,
    HTML: True,
    "text/html;q=0.9, application/json;q=0.1": True,
    "application/xhtml+xml, text/html": True,
    "*/*": False,
    "": False,
    "application/json": False,
    "application/problem+json, text/html": False,
    "text/html;q=0.1, application/json": False,
    "text/html;q=0": False,
    "image/*": False,
    "text/html;q=nan, application/json;q=inf": None,
    'text/html;level="': None,
    ";;;,,,": None,
    ",".join(["a/b;q=0.1"] * 2000): None,
    "\xff": None,
    "*" * 8000: None,
}


@pytest.mark.parametrize("accept", ACCEPTS)
def test_who_names_html_gets_a_page_and_everybody_else_a_document(
    world: World, accept: str
) -> None:
    page = world.visitor().get("/nowhere", headers={"Accept": accept})
    assert page.status == 404
    wanted = ACCEPTS[accept]
    if wanted is not None:
        assert (page.headers["Content-Type"] == "text/html; charset=utf-8") == wanted
    assert "Accept" in page.headers["Vary"]


# ---- bodies


def post(world: World, body: bytes | str, content_type: str, **headers: str) -> Page:
    """Send a body with a good token in a header, so that the body alone can be at fault."""
    visitor = world.visitor("registrant")
    proof = {"X-CSRFToken": visitor.proof, "Sec-Fetch-Site": "same-origin"}
    return visitor.open(
        "POST", "/requests/new", data=body, content_type=content_type, headers=proof | headers
    )


URLENCODED = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/plain", "application/xml", "x", "a/b;c", "\xff"]
)
def test_what_is_no_form_is_refused(world: World, content_type: str) -> None:
    page = post(world, '{"registry": "urn-namespaces-1"}', content_type)
    assert page.status == 415
    assert faults(page) == []
    assert page.headers["Accept"] == "application/x-www-form-urlencoded, multipart/form-data"


def multipart(disposition: str, text: str = "x") -> bytes:
    """A form of one part."""
    part = f"Content-Disposition: {disposition}\r\nContent-Type: text/plain; charset=utf-7"
    return f"--b\r\n{part}\r\n\r\n{text}\r\n--b--\r\n".encode("latin-1")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"registry=\xff\xfe", URLENCODED),
        (b"registry=\xed\xa0\x80", URLENCODED),
        (b"x", "multipart/form-data"),
        (b"x", "multipart/form-data; boundary="),
        (b"x", "multipart/form-data; boundary=\xc3\xa9"),
        (b"--b\r\nnonsense", "multipart/form-data; boundary=b"),
        (multipart("form-data"), "multipart/form-data; boundary=b"),
        (multipart('form-data; name="a"; filename="f"'), "multipart/form-data; boundary=b"),
        (multipart('form-data; name="a"', "+AAA-\xff"), "multipart/form-data; boundary=b"),
    ],
)
def test_a_broken_form_is_refused_clearly(world: World, body: bytes, content_type: str) -> None:
    page = post(world, body, content_type)
    assert page.status in {400, 413, 422}
    assert faults(page) == []


def test_a_file_in_place_of_a_text_is_refused(world: World) -> None:
    body = multipart('form-data; name="key"; filename="f"')
    page = post(world, body, "multipart/form-data; boundary=b")
    assert page.status == 400
    assert "Paste the text instead." in page.words


def test_more_fields_than_any_page_has_are_refused(world: World) -> None:
    few = "&".join(f"a{n}=" for n in range(MOST_FIELDS))
    assert post(world, few, URLENCODED).status != 413
    part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    for body, content_type in (
        (few + "&one=more", URLENCODED),
        ("&" * (LARGEST_BODY - 1), URLENCODED),
        (part * (MOST_FIELDS + 1) + "--b--", "multipart/form-data; boundary=b"),
        (part * 10_000 + "--b--", "multipart/form-data; boundary=b"),
    ):
        page = post(world, body, content_type)
        assert page.status == 413
        assert faults(page) == []
        assert "1 MB and 200 fields" in page.words


def test_more_than_a_megabyte_is_refused_unread(world: World) -> None:
    page = post(world, "a=" + "x" * LARGEST_BODY, URLENCODED)
    assert page.status == 413
    assert (
        page_and_document(
            world, "POST", "/sign-in", data="x" * (LARGEST_BODY + 1), content_type=URLENCODED
        ).status
        == 413
    )


def test_of_a_field_that_is_sent_twice_the_first_counts(fresh: World) -> None:
    visitor = fresh.visitor("registrant")
    body = f"csrf_token={visitor.proof}&csrf_token=x&key={'k' * 16}&key=x"
    body += "&registry=urn-namespaces-2&registry=urn-namespaces-1"
    headers = {"Sec-Fetch-Site": "same-origin"}
    page = visitor.open(
        "POST", "/requests/new", data=body, content_type=URLENCODED, headers=headers
    )
    assert page.status == 303
    assert "informal" in visitor.get(page.location).words


def test_a_body_of_a_read_is_not_looked_at(world: World) -> None:
    answer = world.visitor().open("GET", "/requests/", data="x" * 5000, content_type="a/b")
    assert answer.status == 200


# ---- when something is away


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database answers nobody."""

    def fail(*_: object) -> None:
        raise OperationalError("SELECT a_secret", {"secret": "of somebody"}, OSError("gone"))

    monkeypatch.setattr(sign_in, "who", fail)
    monkeypatch.setattr(request_pages, "find_requests", fail)
    monkeypatch.setattr(snapshots, "current_snapshot", fail)


@pytest.mark.usefixtures("away")
def test_without_the_database_pages_say_so_and_show_a_way_on(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    for who in ("stranger", "operator"):
        for path in ("/requests/", "/desk/", "/account"):
            page = world.visitor(who).get(path)
            if page.status == 303 and who == "stranger":
                continue
            assert page.status == 503, path
            assert page.headers["Retry-After"] == "60"
            assert faults(page) == []
            assert "The database is temporarily unavailable." in page.words
            answer = world.visitor(who).get(path, headers={"Accept": "*/*"})
            assert document(answer)["status"] == 503
    assert "secret" not in caplog.text
    assert world.visitor("operator").get("/healthz").status == 200
    assert world.visitor("operator").get("/static/ui.css").status == 200


def test_what_nobody_expected_is_a_page_and_a_line_in_the_log(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a private matter")

    monkeypatch.setattr(request_pages, "find_requests", fail)
    page = world.visitor("operator").get("/requests/")
    assert page.status == 500
    assert faults(page) == []
    assert "Server error" in page.words
    assert "private matter" not in page.html
    assert "error in GET /requests/" in caplog.text
    answer = world.visitor().get("/requests/", headers={"Accept": "application/json"})
    assert "private matter" not in str(document(answer))
    caplog.clear()


def test_where_no_page_can_be_made_a_few_words_are(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no template")

    monkeypatch.setattr("app.web.middleware.problem_responses.render_template", fail)
    page = world.visitor().get("/nowhere")
    assert page.status == 404
    assert page.headers["Content-Type"].startswith("text/plain")
    assert "No page has this address." in page.html
    assert "Start page: /" in page.html
    caplog.clear()
