"""Ranges: parts of large files, from memory and from disk."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.published.blobs import LARGEST_READ, FileBody
from app.published.http.problems import SMALLEST_RANGED
from app.published.plane import PublishedPlane
from tests.published.bundles import Answer, ask, http_date, lasting, pack, request_of

SMALL, HELD, STREAMED = "/small.txt", "/held.txt", "/streamed.txt"
KEPT, KEPT_STREAMED = "/editions/1/held.txt", "/editions/1/streamed.txt"


def text(length: int) -> bytes:
    """Lines that are all different."""
    return b"".join(b"%09d\n" % number for number in range(length // 10 + 1))[:length]


LENGTHS = {SMALL: SMALLEST_RANGED - 1, HELD: SMALLEST_RANGED, STREAMED: LARGEST_READ + 1}
LENGTHS |= {KEPT: LENGTHS[HELD], KEPT_STREAMED: LENGTHS[STREAMED]}
BODIES = {path: text(length) for path, length in LENGTHS.items()}
RANGED = [HELD, STREAMED, KEPT, KEPT_STREAMED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    files = {path: ("text/plain", BODIES[path]) for path in (SMALL, HELD, STREAMED)}
    pack(files, codings=["gzip"]).lay_out(folder)
    kept = {path[1:]: files[path] for path in (HELD, STREAMED)}
    lasting(1, kept, codings=["gzip"]).lay_out_for_ever(folder)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


def part(site: PublishedPlane, path: str, range_: str, **headers: str) -> Answer:
    return ask(site, path, range=range_, **headers)


@pytest.mark.parametrize("path", RANGED)
def test_a_large_file_says_that_parts_of_it_can_be_asked_for(
    site: PublishedPlane, path: str
) -> None:
    answer = ask(site, path)
    assert (answer.status, answer.headers["Accept-Ranges"]) == (200, "bytes")
    assert answer.body == BODIES[path]
    assert ask(site, path, "HEAD") == (200, answer.headers, b"")


def test_a_small_file_is_always_whole(site: PublishedPlane) -> None:
    answer = part(site, SMALL, "bytes=0-9")
    assert (answer.status, answer.body) == (200, BODIES[SMALL])
    assert "Accept-Ranges" not in answer.headers


@pytest.mark.parametrize("path", RANGED)
@given(first=st.integers(0, LARGEST_READ + 20), length=st.none() | st.integers(0, 70_000))
def test_a_part_is_what_the_range_says(
    site: PublishedPlane, path: str, first: int, length: int | None
) -> None:
    last = None if length is None else first + length
    answer = part(site, path, f"bytes={first}-{'' if last is None else last}")
    expected = BODIES[path][first : None if last is None else last + 1]
    if not expected:
        assert answer.status == 416
        return
    whole = ask(site, path, "HEAD").headers
    end = first + len(expected) - 1
    assert (answer.status, answer.body) == (206, expected)
    assert answer.headers == whole | {
        "Content-Length": str(len(expected)),
        "Content-Range": f"bytes {first}-{end}/{len(BODIES[path])}",
    }


@pytest.mark.parametrize("path", RANGED)
def test_the_last_bytes_can_be_asked_for(site: PublishedPlane, path: str) -> None:
    length = len(BODIES[path])
    answer = part(site, path, "bytes=-5")
    assert (answer.status, answer.body) == (206, BODIES[path][-5:])
    assert answer.headers["Content-Range"] == f"bytes {length - 5}-{length - 1}/{length}"
    assert part(site, path, f"bytes=-{10 * length}").body == BODIES[path]


@pytest.mark.parametrize("path", RANGED)
@pytest.mark.parametrize("beyond", ["bytes=9999999-", "bytes=9999999-99999999", "bytes=-0"])
def test_beyond_the_end_there_is_nothing(site: PublishedPlane, path: str, beyond: str) -> None:
    answer = part(site, path, beyond)
    assert answer.status == json.loads(answer.body)["status"] == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(BODIES[path])}"


@pytest.mark.parametrize("path", RANGED)
@pytest.mark.parametrize("field", ["bytes=0-1,3-4", "bytes=5-1", "lines=0-1", "bytes", "x"])
def test_what_is_no_single_range_gives_the_whole_file(
    site: PublishedPlane, path: str, field: str
) -> None:
    answer = part(site, path, field)
    assert (answer.status, answer.body) == (200, BODIES[path])


@pytest.mark.parametrize("path", RANGED)
def test_a_part_is_of_the_bytes_without_a_coding(site: PublishedPlane, path: str) -> None:
    plain = ask(site, path)
    answer = part(site, path, "bytes=1-3", accept_encoding="gzip, br")
    assert (answer.status, answer.body) == (206, BODIES[path][1:4])
    assert answer.headers["ETag"] == plain.headers["ETag"]
    assert "Content-Encoding" not in answer.headers
    coded = part(site, path, "bytes=1-3", accept_encoding="gzip, identity;q=0")
    assert (coded.status, coded.headers["Content-Encoding"]) == (200, "gzip")
    assert "Accept-Ranges" not in coded.headers


@pytest.mark.parametrize("path", RANGED)
def test_a_part_is_sent_only_of_the_file_that_the_asker_has(
    site: PublishedPlane, path: str
) -> None:
    etag = ask(site, path).headers["ETag"]
    coded = ask(site, path, accept_encoding="gzip").headers["ETag"]
    assert part(site, path, "bytes=0-1", if_range=etag).status == 206
    for other in (f"W/{etag}", '"other"', coded, http_date(1), "", "*"):
        answer = part(site, path, "bytes=0-1", if_range=other)
        assert (answer.status, answer.body) == (200, BODIES[path])
    answer = part(site, path, "bytes=0-1", if_range=coded, accept_encoding="gzip")
    assert (answer.status, answer.headers["ETag"]) == (200, coded)


@pytest.mark.parametrize("path", RANGED)
def test_conditions_come_before_the_range(site: PublishedPlane, path: str) -> None:
    etag = ask(site, path).headers["ETag"]
    assert part(site, path, "bytes=0-1", if_none_match=etag).status == 304
    assert part(site, path, "bytes=99999999-", if_none_match=etag).status == 304
    assert part(site, path, "bytes=0-1", if_match='"other"').status == 412
    assert part(site, path, "bytes=0-1", if_match=etag).status == 206


@pytest.mark.parametrize("path", RANGED)
def test_head_has_no_parts(site: PublishedPlane, path: str) -> None:
    whole = ask(site, path, "HEAD")
    assert ask(site, path, "HEAD", range="bytes=0-1") == whole
    assert ask(site, path, "HEAD", range="bytes=99999999-") == whole


@pytest.mark.parametrize("headers", [{}, {"range": "bytes=5-"}])
def test_a_download_broken_off_leaves_no_file_open(
    site: PublishedPlane, headers: dict[str, str]
) -> None:
    answer = site.answer(request_of(STREAMED, **headers))
    assert answer
    pieces = answer.body
    assert isinstance(pieces, FileBody)
    assert len(next(iter(pieces))) < LENGTHS[STREAMED]
    pieces.close()
    with pytest.raises(ValueError, match="closed"):
        list(pieces)


def test_parts_put_together_are_the_file(site: PublishedPlane) -> None:
    etag, step, got = ask(site, STREAMED, "HEAD").headers["ETag"], 300_000, b""
    while len(got) < LENGTHS[STREAMED]:
        answer = part(site, STREAMED, f"bytes={len(got)}-{len(got) + step}", if_range=etag)
        assert answer.status == 206
        got += answer.body
    assert got == BODIES[STREAMED]
