"""Bound ARKs of the plain kind are led on by a shorter way, which answers as the whole one does."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.published.http.http_exchange import (
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    encode_headers,
    split_target,
)
from app.published.names import bound_name_resolver as plain_bound_arks
from app.published.plane import PublishedPlane
from tests.bench.published import BROWSER
from tests.published.bound_names import RECORDS, copy_names
from tests.published.test_bound_names import ROWS, lay_out
from tests.torture.conftest import rounds

MORE = (
    AssignedNameRecord(name="ark:12345/b0", target="HTTPS://B.example/"),
    AssignedNameRecord(name="ark:12345/b1", target="https://b.example:8443/a"),
    AssignedNameRecord(name="ark:12345/b2", target="https://user@b.example/a"),
    AssignedNameRecord(name="ark:12345/b3", target="https://b.example"),
    AssignedNameRecord(name="ark:12345/b4", target="https://b.example/a#top"),
    AssignedNameRecord(name="ark:12345/b5", target="https://b.example/a?b=\\&c=%C3%A4"),
    AssignedNameRecord(name="ark:12345/b6", target="https://b.example/é"),
    AssignedNameRecord(name="ark:12345/b7", target="https://Site.Example./items/1"),
    AssignedNameRecord(
        name="ark:12345/b8", target="https://b.example/8", elements=(("a", '"redirect"'),)
    ),
    AssignedNameRecord(name="ark:12345/b9", target="https://b.example/9", extends_anywhere=True),
    AssignedNameRecord(name="ark:12345/b9/x", state=AssignedNameState.RESERVED),
)
NAMES = [one.name for one in (*RECORDS, *MORE) if one.name.startswith("ark:")]
TARGETS = st.builds(
    "/{}{}{}".format,
    st.sampled_from(["ark:12345/", "ark:/12345/x5", "ark:12346/", *NAMES]),
    st.text("bcd059/._-%", max_size=6) | st.just("") | st.just("/p" * 700),
    st.sampled_from(["", "", "", "?", "?info", "?a=b", "#a"]),
)


@pytest.fixture(scope="module")
def planes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PublishedPlane]]:
    """A site, and one that always goes the whole way."""
    folder = tmp_path_factory.mktemp("plain-bound")
    lay_out(folder)
    copy_names(folder, (*RECORDS, *MORE))
    yield [PublishedPlane(folder), PublishedPlane(folder)]


def _ask(plane: PublishedPlane, target: str, accept: str) -> HttpAnswer | None:
    path, query = split_target("GET", target)
    return plane.answer(HttpRequest("GET", target, path, query, {"host": "x", "accept": accept}))


def _told(answer: HttpAnswer | None) -> object:
    if answer is None or answer.prepared is None:
        return answer
    assert answer.prepared.lines == PreparedHeaders(answer.headers).lines
    assert answer.prepared.encoded == encode_headers(answer.headers)
    return answer.status, answer.headers, answer.body


def _assert_alike(planes: list[PublishedPlane], target: str, accept: str = "") -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_bound_arks.PlainBoundArks, "find", lambda *_: None)
        expected = _told(_ask(planes[1], target, accept))
    for _ in range(3):  # also from what is kept of it
        assert _told(_ask(planes[0], target, accept)) == expected


@pytest.mark.parametrize("target", [row[0] for row in ROWS] + [f"/{name}/p" for name in NAMES])
def test_both_ways_answer_alike(planes: list[PublishedPlane], target: str) -> None:
    for accept in ("", BROWSER, "application/json"):
        _assert_alike(planes, target, accept)


@settings(max_examples=rounds(3_000, 200), deadline=None)
@given(TARGETS)
def test_both_ways_answer_alike_whatever_is_asked(
    planes: list[PublishedPlane], target: str
) -> None:
    _assert_alike(planes, target)


def test_the_shorter_way_is_gone_by_what_is_bound_plainly(planes: list[PublishedPlane]) -> None:
    gone: list[object] = []
    whole = plain_bound_arks.PlainBoundArks.find

    def find(*asked: Any) -> object:
        gone.append(whole(*asked))
        return gone[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_bound_arks.PlainBoundArks, "find", find)
        for target in ("/ark:12345/x5abc", "/ark:12345/x5abc/p1", "/ark:12346/x5"):
            _ask(planes[0], target, "")
    assert [way is not None for way in gone] == [True, True, True]
