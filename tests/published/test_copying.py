"""What the published plane gives to those who make a copy of it."""

import hashlib
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from app.exports.manifests.bundle_files import FOR_EVER
from app.exports.manifests.bundle_paths import FOR_COPIES, blob_path
from app.exports.manifests.manifest import manifest_bytes
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CODINGS,
    FROM_BEHIND,
    PATIENT,
    XML,
    Bundle,
    ask,
    contents,
    divide_soon,
    lasting,
    make_bundle,
    many,
    pack,
    restless,
)

KEPT = lasting(1, {"a.xml": ("application/xml", b"<a/>" * 99)}, codings=CODINGS)
PUBLISHED = pack(contents(3), codings=CODINGS, edition=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    KEPT.lay_out_for_ever(tmp_path)
    PUBLISHED.lay_out(tmp_path)
    return tmp_path


@pytest.fixture
def site(folder: Path) -> PublishedPlane:
    return PublishedPlane(folder)


def blobs_of(bundle: Bundle) -> list[tuple[str, str]]:
    """Each path with the SHA-256 of each of its forms."""
    return [(blob.path, blob.sha256) for file in bundle.manifest.files for blob in file.blobs]


def at(digest: str, path: str | None = None) -> dict[str, str]:
    """Where bytes are, by their SHA-256 and the path that they are for."""
    query = "" if path is None else f"path={quote(path, safe='')}"
    return {"path": f"{FOR_COPIES}blobs/{digest}", "query": query}


def test_the_manifest_is_the_one_that_is_answered_from(folder: Path) -> None:
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)
    answer = ask(site, f"{FOR_COPIES}manifest.json")
    assert (answer.status, answer.body) == (200, manifest_bytes(PUBLISHED.manifest))
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "no-cache"
    etag = answer.headers["ETag"]
    assert etag == f'"{hashlib.sha256(answer.body).hexdigest()}"'
    assert ask(site, f"{FOR_COPIES}manifest.json", if_none_match=etag).status == 304
    make_bundle(4).lay_out(folder)
    answer = ask(site, f"{FOR_COPIES}manifest.json", if_none_match=etag)
    assert (answer.status, json.loads(answer.body)["edition"]) == (200, 4)


def test_without_an_edition_there_is_no_manifest(tmp_path: Path) -> None:
    assert ask(PublishedPlane(tmp_path), f"{FOR_COPIES}manifest.json").status == 503
    site = PublishedPlane(tmp_path, falls_through=True)
    assert ask(site, f"{FOR_COPIES}manifest.json").status == 503, "nothing is behind that has it"


def test_the_editions_that_are_kept_are_listed(site: PublishedPlane, folder: Path) -> None:
    def listed() -> object:
        return json.loads(ask(site, f"{FOR_COPIES}editions.json").body)

    assert listed() == {"editions": [1]}
    lasting(12, {}).lay_out_for_ever(folder)
    lasting(2, {}).lay_out_for_ever(folder)
    assert listed() == {"editions": [1, 2, 12]}


def test_a_list_of_what_an_edition_keeps_stays_for_ever(site: PublishedPlane) -> None:
    answer = ask(site, f"{FOR_COPIES}editions/1.json")
    assert (answer.status, answer.body) == (200, manifest_bytes(KEPT.manifest))
    assert answer.headers["Cache-Control"] == FOR_EVER


@pytest.mark.parametrize("bundle", [KEPT, PUBLISHED])
def test_all_bytes_that_a_list_names_are_given(site: PublishedPlane, bundle: Bundle) -> None:
    for path, digest in blobs_of(bundle):
        answer = ask(site, **at(digest, path))
        assert (answer.status, answer.body) == (200, bundle.bytes_by_sha256[digest])
        assert answer.headers["Content-Type"] == "application/octet-stream"
        assert answer.headers["Cache-Control"] == FOR_EVER
        assert answer.headers["ETag"] == f'"{digest}"'
        assert "Content-Encoding" not in answer.headers
        assert ask(site, **at(digest, path), method="HEAD").headers == answer.headers


def test_bytes_of_the_current_edition_need_no_path_and_others_do(site: PublishedPlane) -> None:
    for _, digest in blobs_of(PUBLISHED):
        assert ask(site, **at(digest)).status == 200
    for _, digest in blobs_of(KEPT):
        for for_ in (None, XML, "/editions/2/a.xml"):
            assert ask(site, **at(digest, for_)).status == 404


def test_bytes_that_no_list_names_are_not_given(site: PublishedPlane, folder: Path) -> None:
    stray = b"not published"
    digest = hashlib.sha256(stray).hexdigest()
    path = folder / blob_path(digest)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(stray)
    for for_ in (None, XML, "/editions/1/a.xml", "/editions/1/x", "/none", "../../x"):
        assert ask(site, **at(digest, for_)).status == 404


@pytest.mark.parametrize(
    "path",
    [
        FOR_COPIES,
        FOR_COPIES[:-1],
        f"{FOR_COPIES}manifest.json/",
        f"{FOR_COPIES}editions/0.json",
        f"{FOR_COPIES}editions/2.json",
        f"{FOR_COPIES}editions/../manifest.json",
        f"{FOR_COPIES}editions/{'9' * 4000}.json",
        f"{FOR_COPIES}blobs/",
        f"{FOR_COPIES}blobs/{'0' * 63}",
        f"{FOR_COPIES}blobs/{'0' * 64}",
        f"{FOR_COPIES}blobs/{'0' * 64}\n",
        f"{FOR_COPIES}blobs/../../secret-key",
        f"{FOR_COPIES}blobs/..%2F..%2Fsecret-key",
    ],
)
def test_nothing_else_is_there(site: PublishedPlane, path: str) -> None:
    assert ask(site, path).status == 404


@pytest.mark.parametrize("query", ["path", "path=", "a=b&path=/", "&" * 500, "path=%ff", "path=%"])
def test_an_odd_query_finds_nothing_that_is_not_named(site: PublishedPlane, query: str) -> None:
    assert ask(site, f"{FOR_COPIES}blobs/{'0' * 64}", query=query).status == 404


def test_damaged_bytes_are_not_given(site: PublishedPlane, folder: Path) -> None:
    ((path, digest), *_) = blobs_of(KEPT)
    (folder / blob_path(digest)).write_bytes(b"junk")
    assert ask(site, **at(digest, path)).status == 503


def test_of_a_large_edition_the_parts_and_what_they_list_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    divide_soon(monkeypatch)
    bundle = many(100)
    bundle.lay_out(tmp_path)
    site = PublishedPlane(tmp_path, falls_through=True)
    head = json.loads(ask(site, f"{FOR_COPIES}manifest.json").body)
    for path, digest, length in head["parts"]:
        for asked in (at(digest), at(digest, path)):
            answer = ask(site, **asked)
            assert (answer.status, len(answer.body)) == (200, length)
    for path, digest in blobs_of(bundle)[::9]:
        assert ask(site, **at(digest, path)).body == bundle.bytes_by_sha256[digest]
        assert ask(site, **at(digest)).status == FROM_BEHIND
