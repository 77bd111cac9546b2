"""What every edition keeps at its own addresses for ever."""

import json
from pathlib import Path

import pytest

from app.exports.manifests.bundle_files import FOR_EVER
from app.exports.manifests.bundle_paths import blob_path
from app.published import edition as edition_history
from app.published.blobs import LARGEST_READ
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CODINGS,
    DECODERS,
    FROM_BEHIND,
    PATIENT,
    XML,
    Bundle,
    ask,
    contents,
    etag_of,
    http_date,
    lasting,
    make_bundle,
    restless,
)


def kept(edition: int) -> Bundle:
    """A file of each size: read whole, and sent piece by piece."""
    text = b"edition %d\n" % edition
    files = {
        "registry.xml": ("application/xml", b"<edition>%d</edition>" % edition),
        "page.html": ("text/html; charset=utf-8", text),
        "all.txt": ("text/plain", text * (LARGEST_READ // len(text) + 1)),
    }
    return lasting(edition, files, codings=CODINGS)


NAMES = ("registry.xml", "page.html", "all.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for edition in (1, 2, 3):
        kept(edition).lay_out_for_ever(tmp_path)
    make_bundle(3).lay_out(tmp_path)
    return tmp_path


def body_of(edition: int, name: str) -> bytes:
    bundle = kept(edition)
    (file,) = (f for f in bundle.manifest.files if f.path == f"/editions/{edition}/{name}")
    return bundle.read(file.blobs[0])


@pytest.mark.parametrize("edition", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_every_edition_has_its_own_bytes_with_its_own_date(
    folder: Path, edition: int, name: str
) -> None:
    site, path = PublishedPlane(folder), f"/editions/{edition}/{name}"
    answer = ask(site, path)
    assert (answer.status, answer.body) == (200, body_of(edition, name))
    assert answer.headers["Cache-Control"] == FOR_EVER
    assert answer.headers["Last-Modified"] == http_date(edition)
    assert answer.headers["Vary"] == "Accept-Encoding"
    coded = ask(site, path, accept_encoding="gzip")
    assert DECODERS["gzip"](coded.body) == answer.body
    assert coded.headers["ETag"] != answer.headers["ETag"]
    assert ask(site, path, if_none_match=answer.headers["ETag"]).status == 304
    assert ask(site, path, "HEAD") == (200, answer.headers, b"")


def test_a_kept_page_is_for_everybody_the_same(folder: Path) -> None:
    site = PublishedPlane(folder, falls_through=True)
    assert ask(site, "/editions/1/page.html", cookie="session=x", query="q=x").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/editions",
        "/editions/",
        "/editions/0/registry.xml",
        "/editions/01/registry.xml",
        "/editions/4/registry.xml",
        "/editions/-1/registry.xml",
        "/editions/1",
        "/editions/1/",
        "/editions/1/none",
        "/editions/1/../2/registry.xml",
        "/editions/1..3.json",
        "/editions/1.json",
        "/editions/١/registry.xml",
        f"/editions/{'9' * 18}/registry.xml",
        f"/editions/{'9' * 5000}/registry.xml",
        "/editions/1/registry.xml\n",
        "/editions/x/registry.xml",
    ],
)
def test_what_no_edition_keeps_falls_through(folder: Path, path: str) -> None:
    assert ask(PublishedPlane(folder, falls_through=True), path).status == FROM_BEHIND
    assert ask(PublishedPlane(folder), path).status == 404


def test_the_past_is_there_before_and_without_a_current_edition(tmp_path: Path) -> None:
    site = PublishedPlane(tmp_path)
    assert ask(site, "/editions/1/registry.xml").status == 503
    kept(1).lay_out_for_ever(tmp_path)
    assert ask(site, "/editions/1/registry.xml").body == body_of(1, "registry.xml")


def test_few_of_many_editions_are_held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = PublishedPlane(folder)
    site.root._history._edition.cache_clear()
    for number in range(4, 4 + 2 * edition_history._EDITION_MOST_HELD):
        lasting(number, {"a": ("text/plain", b"%d" % number)}).lay_out_for_ever(folder)
        assert ask(site, f"/editions/{number}/a").body == b"%d" % number
    assert site.root._history._edition.cache_info().currsize == edition_history._EDITION_MOST_HELD
    assert ask(site, "/editions/1/registry.xml").status == 200


def blob_of(folder: Path, edition: int, name: str) -> Path:
    (file,) = (f for f in kept(edition).manifest.files if f.path.endswith(name))
    return folder / blob_path(file.sha256)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", ["changed", "shortened", "lengthened", "removed"])
def test_damaged_bytes_are_never_sent(
    folder: Path, name: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    site, path = PublishedPlane(folder), f"/editions/1/{name}"
    assert ask(site, path).status == 200
    blob = blob_of(folder, 1, name)
    body = blob.read_bytes()
    changes = {"changed": body[:-1] + b"!", "shortened": body[:-1], "lengthened": body + b"!"}
    blob.unlink() if damage == "removed" else blob.write_bytes(changes[damage])
    for method in ("GET", "HEAD"):
        answer = ask(site, path, method)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "300")
        assert body_of(1, name)[:9] not in answer.body
    assert path in caplog.text
    assert ask(site, path, accept_encoding="gzip").status == 200, "another form is whole"
    assert ask(site, f"/editions/2/{name}").status == 200, "another edition is whole"
    kept(1).lay_out_for_ever(folder)
    assert ask(site, path).body == body_of(1, name)


def test_damage_is_told_in_words(folder: Path) -> None:
    blob_of(folder, 1, "registry.xml").write_bytes(b"junk")
    site = PublishedPlane(folder, falls_through=True)
    problem = json.loads(ask(site, "/editions/1/registry.xml").body)
    assert problem["title"] == "File damaged"


@pytest.mark.parametrize("damage", [b"", b"{}", b"junk", None])
def test_a_damaged_list_is_noticed_and_hides_nothing_else(
    folder: Path, damage: bytes | None
) -> None:
    listed = (folder / "editions" / "1.json").resolve()
    whole = listed.read_bytes()
    listed.unlink() if damage is None else listed.write_bytes(damage)
    site = PublishedPlane(folder, falls_through=True)
    for path in ("/editions/1/registry.xml", "/editions/1/none"):
        assert ask(site, path).status == 503
    assert ask(site, "/editions/2/registry.xml").status == 200
    assert ask(site, XML).headers["ETag"] == etag_of(XML, 3)
    listed.write_bytes(whole)
    assert ask(site, "/editions/1/registry.xml").status == 200


def test_a_list_of_another_edition_is_not_taken_for_this_one(folder: Path) -> None:
    link = folder / "editions" / "1.json"
    target = (folder / "editions" / "2.json").readlink()
    link.unlink()
    link.symlink_to(target)
    assert ask(PublishedPlane(folder), "/editions/1/registry.xml").status == 503


def test_a_file_in_the_place_of_a_list_is_noticed(folder: Path) -> None:
    link = folder / "editions" / "1.json"
    link.unlink()
    link.write_bytes(b"{}")
    assert ask(PublishedPlane(folder), "/editions/1/registry.xml").status == 503


def test_the_past_stays_when_a_new_edition_comes(folder: Path) -> None:
    site = PublishedPlane(folder, clock=restless(), patience=PATIENT)
    before = ask(site, "/editions/1/all.txt")
    make_bundle(4).lay_out(folder)
    assert ask(site, XML).body == contents(4)[XML][1]
    assert ask(site, "/editions/1/all.txt") == before
