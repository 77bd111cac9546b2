"""Which form of a file is sent, under which validators."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.published.http.accept_headers import accepted_codings
from app.published.http.http_exchange import SHARED
from app.published.plane import PublishedPlane
from tests.published.bundles import CODINGS, DECODERS, PAGE, XML, Bundle, ask, pack

TEXT = "/plain.txt"
BODIES = {
    PAGE: ("text/html; charset=utf-8", b"<h1>Registry</h1>" * 99),
    XML: ("application/xml", b"<record/>" * 99),
}
LINK = f'<{XML}>; rel="alternate"; type="application/xml"'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    folder = tmp_path_factory.mktemp("published")
    coded = pack(BODIES, codings=CODINGS, link=LINK)
    plain = pack({TEXT: ("text/plain", b"short")})
    manifest = replace(coded.manifest, files=coded.manifest.files + plain.manifest.files)
    Bundle(manifest, coded.bytes_by_sha256 | plain.bytes_by_sha256).lay_out(folder)
    return PublishedPlane(folder)


def etag_of(site: PublishedPlane, path: str, coding: str) -> str:
    return ask(site, path, accept_encoding=coding).headers["ETag"]


@pytest.mark.parametrize("path", [PAGE, XML])
@pytest.mark.parametrize("coding", CODINGS)
def test_a_form_is_sent_to_who_takes_it(site: PublishedPlane, path: str, coding: str) -> None:
    plain, answer = ask(site, path), ask(site, path, accept_encoding=coding)
    assert answer.status == 200
    assert DECODERS[coding](answer.body) == plain.body == BODIES[path][1]
    changed = {"Content-Encoding", "Content-Length", "ETag"}
    assert answer.headers["Content-Encoding"] == coding
    assert answer.headers["Content-Length"] == str(len(answer.body))
    assert answer.headers["Link"] == LINK
    assert {name: value for name, value in answer.headers.items() if name not in changed} == {
        name: value for name, value in plain.headers.items() if name not in changed
    }
    assert ask(site, path, "HEAD", accept_encoding=coding) == (200, answer.headers, b"")


def test_every_form_has_an_etag_of_its_own(site: PublishedPlane) -> None:
    tags = {
        ask(site, path, accept_encoding=coding).headers["ETag"]
        for path in BODIES
        for coding in (*CODINGS, "identity")
    }
    assert len(tags) == len(BODIES) * 4
    assert all(tag.startswith('"') for tag in tags)


def test_what_has_forms_varies_with_what_is_accepted_and_a_page_with_the_cookie(
    site: PublishedPlane,
) -> None:
    varies = {path: ask(site, path).headers.get("Vary") for path in (PAGE, XML, TEXT)}
    assert varies == {PAGE: "Cookie, Accept-Encoding", XML: "Accept-Encoding", TEXT: None}


@given(
    st.sampled_from(["br", "gzip", "identity", "*", "zstd;q=0.5", "br;q=0", "*;q=0", "x"]),
    st.sampled_from(["", ", gzip;q=0.2", ", identity;q=0"]),
)
def test_the_form_that_is_sent_is_the_most_welcome_of_those_there_are(
    site: PublishedPlane, first: str, second: str
) -> None:
    field = first + second
    for path, there in ((XML, {*CODINGS, "identity"}), (TEXT, {"identity"})):
        welcome = [coding for coding in accepted_codings(field) if coding in there]
        answer = ask(site, path, accept_encoding=field)
        if welcome:
            assert answer.headers.get("Content-Encoding", "identity") == welcome[0]
        else:
            assert answer.status == 406


@pytest.mark.parametrize(("path", "field"), [(TEXT, "br, identity;q=0"), (XML, "*;q=0")])
def test_who_refuses_every_form_is_told_so_without_one(
    site: PublishedPlane, path: str, field: str
) -> None:
    answer = ask(site, path, accept_encoding=field)
    assert answer.status == json.loads(answer.body)["status"] == 406
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_who_has_a_form_is_told_so_for_that_form_alone(site: PublishedPlane) -> None:
    tags = {coding: etag_of(site, XML, coding) for coding in (*CODINGS, "identity")}
    for (had, tag), (asked, chosen) in permutations(tags.items(), 2):
        answer = ask(site, XML, accept_encoding=asked, if_none_match=tag)
        assert answer.status == 200, f"{had} is not {asked}"
        assert answer.headers["ETag"] == chosen
    for asked, chosen in tags.items():
        answer = ask(site, XML, accept_encoding=asked, if_none_match=", ".join(tags.values()))
        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers == {
            "ETag": chosen,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            **dict(SHARED),
        }


def test_who_insists_on_a_form_gets_that_one_or_none(site: PublishedPlane) -> None:
    tag = etag_of(site, XML, "gzip")
    assert ask(site, XML, accept_encoding="gzip", if_match=tag).status == 200
    assert ask(site, XML, accept_encoding="br", if_match=tag).status == 412
    assert ask(site, XML, if_match=tag).status == 412
