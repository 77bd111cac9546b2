"""The published plane: what it answers, what it leaves to others."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY
from app.published.http.http_exchange import SHARED
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    BARE,
    CSV,
    FROM_BEHIND,
    PAGE,
    XML,
    ask,
    contents,
    etag_of,
    http_date,
    make_bundle,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    make_bundle(1).lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def alone(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def in_front(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder, falls_through=True)


@pytest.mark.parametrize("path", [PAGE, XML, CSV])
@pytest.mark.parametrize("application", ["alone", "in_front"])
def test_a_known_path_gives_its_bytes_with_all_that_caches_need(
    path: str, application: str, request: pytest.FixtureRequest
) -> None:
    media_type, body = contents(1)[path]
    answer = ask(request.getfixturevalue(application), path)
    assert (answer.status, answer.body) == (200, body)
    assert (
        answer.headers.items()
        >= {
            "Content-Type": media_type,
            "Content-Length": str(len(body)),
            "ETag": etag_of(path),
            "Last-Modified": http_date(1),
            "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }.items()
    )


def test_head_gives_the_same_headers_and_no_body(alone: PublishedPlane) -> None:
    got, asked = ask(alone, XML), ask(alone, XML, "HEAD")
    assert asked == (200, got.headers, b"")


def test_what_browsers_draw_comes_with_the_policy(alone: PublishedPlane) -> None:
    policies = {
        path: ask(alone, path).headers.get("Content-Security-Policy") for path in contents(1)
    }
    assert policies == {PAGE: CONTENT_SECURITY_POLICY, XML: CONTENT_SECURITY_POLICY, CSV: None}


def test_only_pages_vary_with_the_cookie(alone: PublishedPlane) -> None:
    varies = {path: ask(alone, path).headers.get("Vary") for path in contents(1)}
    assert varies == {PAGE: "Cookie", XML: None, CSV: None}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "headers",
    [
        {"if_none_match": etag_of(XML)},
        {"if_none_match": f'"other", W/{etag_of(XML)}'},
        {"if_none_match": "*"},
        {"if_modified_since": http_date(1)},
        {"if_none_match": etag_of(XML), "if_modified_since": http_date(0)},
    ],
)
def test_who_has_the_bytes_is_told_so(
    alone: PublishedPlane, method: str, headers: dict[str, str]
) -> None:
    answer = ask(alone, XML, method, **headers)
    assert (answer.status, answer.body) == (304, b"")
    kept = {"ETag": etag_of(XML), "Cache-Control": "no-cache"}
    assert answer.headers == kept | dict(SHARED)


def test_a_page_not_changed_still_varies_with_the_cookie(alone: PublishedPlane) -> None:
    assert ask(alone, PAGE, if_none_match="*").headers["Vary"] == "Cookie"


@pytest.mark.parametrize(
    "headers",
    [
        {"if_none_match": '"other"'},
        {"if_none_match": etag_of(XML)[1:-1]},
        {"if_none_match": '"other"', "if_modified_since": http_date(1)},
        {"if_modified_since": http_date(0)},
        {"if_modified_since": "soon"},
        {"if_match": etag_of(XML)},
        {"range": "bytes=0-1", "if_range": etag_of(XML)},
    ],
)
def test_who_has_other_bytes_gets_these(alone: PublishedPlane, headers: dict[str, str]) -> None:
    answer = ask(alone, XML, **headers)
    assert (answer.status, answer.body) == (200, contents(1)[XML][1])


@pytest.mark.parametrize(
    "headers",
    [
        {"if_match": '"other"'},
        {"if_match": f"W/{etag_of(XML)}"},
        {"if_unmodified_since": http_date(0)},
    ],
)
def test_who_insists_on_other_bytes_is_refused(
    alone: PublishedPlane, headers: dict[str, str]
) -> None:
    answer = ask(alone, XML, **headers)
    assert answer.status == 412
    assert json.loads(answer.body)["status"] == 412


@pytest.mark.parametrize(
    "cookie",
    ["session=x", "a=b; session=x", "a=b;session=x ; c=d", " session = x", "session=", "session"],
)
def test_a_page_falls_through_for_who_has_a_session(in_front: PublishedPlane, cookie: str) -> None:
    assert ask(in_front, PAGE, cookie=cookie).status == FROM_BEHIND


@pytest.mark.parametrize(
    "cookie",
    ["", "a=session", "my_session=x", "session_id=x", "Session=x", "a=b session=x", "\xff\x00;;=;"],
)
def test_another_cookie_is_no_session(in_front: PublishedPlane, cookie: str) -> None:
    assert ask(in_front, PAGE, cookie=cookie).status == 200


def test_the_name_of_the_cookie_is_taken_as_it_is(folder: Path) -> None:
    application = PublishedPlane(folder, falls_through=True, session_cookie="__Host-s.x")
    assert ask(application, PAGE, cookie="__Host-s.x=1").status == FROM_BEHIND
    assert ask(application, PAGE, cookie="__Host-sxx=1").status == 200


def test_a_page_falls_through_with_a_query_and_the_formats_never(in_front: PublishedPlane) -> None:
    asked = {
        path: ask(in_front, path, query="q=a", cookie="session=x").status for path in contents(1)
    }
    assert asked == {PAGE: FROM_BEHIND, XML: 200, CSV: 200}
    assert ask(in_front, PAGE, query="q=a").status == FROM_BEHIND


def test_alone_it_answers_a_session_and_a_query_with_the_page(alone: PublishedPlane) -> None:
    assert ask(alone, PAGE, query="q=a", cookie="session=x").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", [XML, PAGE, BARE])
def test_other_methods_fall_through_or_are_refused(
    alone: PublishedPlane, in_front: PublishedPlane, method: str, path: str
) -> None:
    if path == XML:  # behind a page may stand a form, behind a file nothing does
        refused = ask(in_front, path, method)
        assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    else:
        assert ask(in_front, path, method).body == f"{method} behind".encode()
    refused = ask(alone, path, method)
    assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


def test_an_unknown_path_falls_through_or_is_not_found(
    alone: PublishedPlane, in_front: PublishedPlane
) -> None:
    assert ask(in_front, "/requests/").status == FROM_BEHIND
    assert ask(alone, "/requests/").status == 404


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("application", ["alone", "in_front"])
def test_a_path_without_its_slash_redirects(
    method: str, application: str, request: pytest.FixtureRequest
) -> None:
    answer = ask(request.getfixturevalue(application), BARE, method, cookie="session=x")
    assert (answer.status, answer.headers["Location"], answer.body) == (301, PAGE, b"")


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("q=a%20b&r", "q=a%20b&r"),
        ("q=\r\nSet-Cookie: a=b", "q=%0D%0ASet-Cookie:%20a=b"),
        ("\xe9", "%E9"),
    ],
)
def test_a_redirect_keeps_the_query_and_nothing_that_breaks_a_header(
    alone: PublishedPlane, query: str, kept: str
) -> None:
    answer = ask(alone, BARE, query=query)
    assert answer.headers["Location"] == f"{PAGE}?{kept}"


def test_people_get_a_page_and_programs_a_problem_document(alone: PublishedPlane) -> None:
    page = ask(alone, "/absent", accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"<h1>Page not found</h1>" in page.body
    document = ask(alone, "/absent", accept="*/*")
    assert document.headers["Content-Type"] == "application/problem+json"
    assert json.loads(document.body).keys() == {
        *("type", "title", "status", "detail", "code", "source")
    }
    assert ask(alone, "/absent", "HEAD") == (404, document.headers, b"")
    for answer in (page, document):
        assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY


@pytest.mark.parametrize(
    "path",
    [
        "",
        "*",
        f"http://example.org{XML}",
        f"/{XML}",
        f"/../..{XML}",
        f"/assignments/./urn-namespaces/{XML}",
        f"{XML}/",
        f"{XML}%00",
        f"{XML}\x00",
        f"{XML}\n",
        XML.upper(),
        XML.replace("-", "%2D"),
        "/\xff\xfe\xe2\x82",
        "/\u2028",
        "/" + "a" * 100_000,
    ],
)
def test_an_odd_path_is_only_unknown(
    alone: PublishedPlane, in_front: PublishedPlane, path: str
) -> None:
    assert ask(alone, path).status == 404
    assert ask(in_front, path).status == FROM_BEHIND


messy = st.text(st.characters(max_codepoint=255), max_size=30)


@given(
    st.one_of(messy, st.sampled_from([PAGE, XML, BARE])),
    st.sampled_from(["GET", "HEAD", "POST", "get", ""]),
    messy,
    st.dictionaries(
        st.sampled_from(["cookie", "accept", "if_none_match", "if_modified_since", "range"]), messy
    ),
)
def test_no_request_crashes_it(
    alone: PublishedPlane, path: str, method: str, query: str, headers: dict[str, str]
) -> None:
    answer = ask(alone, path, method, query, **headers)
    assert answer.status in {200, 301, 304, 404, 405}
    assert all(text.isprintable() and text.isascii() for text in answer.headers.values())
