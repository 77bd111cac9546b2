"""Editions with too many files to hold in memory: the same answers, from parts and disk."""

import tracemalloc
from pathlib import Path

import pytest

from app.exports.manifests.bundle_paths import blob_path
from app.published import edition as editions
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    FROM_BEHIND,
    PATIENT,
    Bundle,
    ask,
    divide_soon,
    http_date,
    make_bundle,
    many,
    restless,
)

NAMES = 300


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch) -> Bundle:
    divide_soon(monkeypatch)
    return many(NAMES)


@pytest.fixture
def folder(tmp_path: Path, bundle: Bundle) -> Path:
    bundle.lay_out(tmp_path)
    return tmp_path


@pytest.fixture
def site(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


def test_every_file_is_found_and_none_is_held_unasked(site: PublishedPlane, bundle: Bundle) -> None:
    assert site.root._view.edition.files == {}
    for file in bundle.manifest.files:
        answer = ask(site, file.path)
        assert (answer.status, answer.body) == (200, bundle.read(file.blobs[0]))
        assert answer.headers["ETag"] == f'"{file.sha256}"'
        assert answer.headers["Last-Modified"] == http_date(1)
        assert ask(site, file.path, if_none_match=answer.headers["ETag"]).status == 304


@pytest.mark.parametrize("path", ["/", "/a", "/namespaces/", "/namespaces/name-", "/zzz", "/\x7f"])
def test_what_is_not_there_is_not_found(site: PublishedPlane, folder: Path, path: str) -> None:
    assert ask(site, path).status == 404
    assert ask(PublishedPlane(folder, falls_through=True), path).status == FROM_BEHIND


def test_a_name_in_another_case_is_led_to(site: PublishedPlane) -> None:
    answer = ask(site, "/namespaces/NAME-7.json", query="q=x")
    assert answer.status == 301
    assert answer.headers["Location"] == "/namespaces/name-7.json?q=x"


def test_a_page_falls_through_for_who_has_a_session(folder: Path) -> None:
    site = PublishedPlane(folder, falls_through=True)
    assert ask(site, "/namespaces/name-7", cookie="session=x").status == FROM_BEHIND
    assert ask(site, "/namespaces/name-7", query="q=x").status == FROM_BEHIND
    assert ask(site, "/namespaces/name-7.json", cookie="session=x").status == 200


def test_what_was_asked_for_is_held_and_the_rest_let_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "_MOST_HELD", 10)
    site = PublishedPlane(folder)
    for number in range(50):
        assert ask(site, f"/namespaces/name-{number}.json").status == 200
    made = site.root._view.edition._make
    assert made.cache_info().currsize == 10  # type: ignore[attr-defined]  # a cache, here
    last = site.root._view.edition.find("/namespaces/name-49.json")
    assert last is not None
    assert last.plain.body == b'{"n":49}'


def test_unknown_paths_push_nothing_out(site: PublishedPlane) -> None:
    ask(site, "/namespaces/name-1")
    made = site.root._view.edition._make
    before = made.cache_info().currsize  # type: ignore[attr-defined]  # a cache, here
    for number in range(100):
        assert ask(site, f"/namespaces/none-{number}").status == 404
    assert made.cache_info().currsize == before  # type: ignore[attr-defined]  # a cache, here


def test_a_change_of_one_file_is_seen_and_the_others_stay(folder: Path) -> None:
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)
    before = ask(site, "/namespaces/name-8.json")
    many(NAMES, 2, name_7=b"{}").lay_out(folder)
    assert ask(site, "/namespaces/name-7.json").body == b"{}"
    after = ask(site, "/namespaces/name-8.json")
    assert after.headers["ETag"] == before.headers["ETag"]
    assert after.headers["Last-Modified"] == http_date(2)


def test_a_small_edition_may_follow_a_large_one_and_the_other_way_round(
    folder: Path, bundle: Bundle
) -> None:
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)
    assert ask(site, "/namespaces/name-7").status == 200
    make_bundle(2).lay_out(folder)
    assert ask(site, "/namespaces/name-7").status == 404
    many(NAMES, 3).lay_out(folder)
    assert ask(site, "/namespaces/name-7").status == 200


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"junk", None])
def test_a_damaged_file_or_part_is_noticed_and_hides_nothing_else(
    folder: Path, bundle: Bundle, damage: bytes | None
) -> None:
    def break_(blob: str) -> None:
        path = folder / blob_path(blob)
        path.unlink() if damage is None else path.write_bytes(damage)

    site, path = PublishedPlane(folder), "/namespaces/name-7.json"
    (file,) = (file for file in bundle.manifest.files if file.path == path)
    break_(file.sha256)
    assert ask(site, path).status == 503
    assert ask(site, "/namespaces/name-8.json").status == 200
    bundle.lay_out(folder)
    assert ask(site, path).status == 200
    part = site.root._view.edition.catalogue._parts[0]
    break_(part.sha256)
    fresh = PublishedPlane(folder, falls_through=True)
    assert ask(fresh, part.path).status == 503
    assert ask(fresh, f"{part.path}-none").status == 503
    assert ask(fresh, bundle.manifest.files[-1].path).status == 200


def test_an_edition_that_went_leaves_nothing_behind(folder: Path) -> None:
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)

    def switch(edition: int) -> None:
        many(NAMES, edition).lay_out(folder)
        for number in range(20):
            ask(site, f"/namespaces/name-{number}")

    for edition in range(2, 5):
        switch(edition)
    tracemalloc.start()
    try:
        switch(5)
        before, _ = tracemalloc.get_traced_memory()
        for edition in range(6, 12):
            switch(edition)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 500_000
