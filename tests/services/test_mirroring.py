"""A copy follows its source, over a real socket."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.bundles import mirror as bundle_mirrors
from app.bundles.layout import (
    EditionConflict,
    OlderEditionRefused,
    current_manifest,
    editions_laid_out,
)
from app.bundles.mirror import MirrorSourceError, mirror_registry
from app.cli import main
from app.exports.manifests.bundle_files import BadManifest, DigestMismatch
from app.exports.manifests.bundle_paths import FOR_COPIES, blob_path
from app.exports.manifests.manifest import Manifest, ManifestPart, manifest_bytes
from app.outside.http_fetcher import Fetcher, FetchFailed
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CODINGS,
    PATIENT,
    XML,
    Bundle,
    ask,
    contents,
    divide_soon,
    lasting,
    many,
    pack,
    restless,
)
from tests.published.loopback import serve
from tests.published.wsgi_site import PublishedWsgi

# sequences that set a terminal's title and its color
CONTROLS = "\x1b]0;title\x07\x1b[31m\x9b1m"


def with_member(name: str) -> bytes:
    """A manifest with a file that has a member of this name."""
    document = json.loads(manifest_bytes(Manifest(edition=1, as_of="2026-07-28", made_by="x")))
    return json.dumps({**document, "files": [{name: 1}]}).encode()


def bundle_of(edition: int, **members: Any) -> Bundle:
    """A current edition with forms."""
    return pack(contents(edition), codings=CODINGS, edition=edition, **members)


def kept(edition: int, text: bytes = b"kept ") -> Bundle:
    """What an edition keeps for ever."""
    return lasting(edition, {"a.txt": ("text/plain", text * 9)}, codings=["gzip"])


class Source:
    """A published registry behind a socket, and the paths that were asked of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.before: Callable[[str], None] = lambda _: None
        self.plane = PublishedPlane(folder, clock=restless(), patience=PATIENT)
        self.url = ""

    def __call__(self, environ: Any, start_response: Any) -> Any:
        self.asked.append(environ["PATH_INFO"].removeprefix(FOR_COPIES))
        self.before(self.asked[-1])
        return PublishedWsgi(self.plane)(environ, start_response)

    @property
    def blobs_asked(self) -> list[str]:
        """The SHA-256 of all bytes that were asked for."""
        return [path.removeprefix("blobs/") for path in self.asked if path.startswith("blobs/")]


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    source = Source(tmp_path / "source")
    for edition in (1, 2):
        kept(edition).lay_out_for_ever(source.folder)
    bundle_of(2).lay_out(source.folder)
    with serve(source) as source.url:
        yield source


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def follow(source: Source, copy: Path, **options: Any) -> int:
    with Fetcher(timeout=20, deadline=60) as fetch:
        return mirror_registry(source.url, copy, fetch, **options)


def files_in(folder: Path) -> dict[str, bytes]:
    """Everything a copy is made of."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_copy_is_the_same_to_the_byte_and_answers_the_same(source: Source, copy: Path) -> None:
    assert follow(source, copy) == 2
    assert files_in(copy) == files_in(source.folder)
    assert (copy / "current").readlink() == (source.folder / "current").readlink()
    here, there = PublishedPlane(copy), PublishedPlane(source.folder)
    for path in (*contents(2), "/editions/1/a.txt", "/editions/2/a.txt"):
        for coding in ("gzip", "br", ""):
            assert ask(here, path, accept_encoding=coding) == ask(
                there, path, accept_encoding=coding
            )


def test_bytes_are_fetched_once_and_then_never_again(source: Source, copy: Path) -> None:
    follow(source, copy)
    assert len(source.blobs_asked) == len(set(source.blobs_asked))
    source.asked.clear()
    before = files_in(copy)
    assert follow(source, copy) == 2
    assert source.asked == ["manifest.json", "editions.json", "naans/manifest.json"]
    assert files_in(copy) == before


def test_of_a_new_edition_only_what_is_new_is_fetched(source: Source, copy: Path) -> None:
    follow(source, copy)
    source.asked.clear()
    kept(3, b"other").lay_out_for_ever(source.folder)
    third = bundle_of(3)
    third.lay_out(source.folder)
    assert follow(source, copy) == 3
    assert editions_laid_out(copy) == {1, 2, 3}
    new = {blob.sha256 for file in third.manifest.files for blob in file.blobs}
    new |= {blob.sha256 for file in kept(3, b"other").manifest.files for blob in file.blobs}
    old = {path.split("/")[-1] for path in files_in(copy)} & set(source.blobs_asked)
    assert set(source.blobs_asked) == old <= new
    assert files_in(copy).items() >= files_in(source.folder).items()


@pytest.mark.parametrize("stop", [1, 3, 5, 7, 12])
def test_an_interrupted_copy_goes_on_where_it_was(source: Source, copy: Path, stop: int) -> None:
    class Interrupted(BaseException):
        pass

    asked: list[str] = []

    def stopping(url: str, take: Callable[[bytes], object], largest: int) -> int:
        asked.append(url)
        if len(asked) == stop:
            raise Interrupted
        with Fetcher() as fetch:
            return fetch(url, take, largest)

    with pytest.raises(Interrupted):
        mirror_registry(source.url, copy, stopping)
    assert current_manifest(copy) is None
    fetched = {url for url in asked[:-1] if "/blobs/" in url}
    asked.clear()
    source.asked.clear()
    assert follow(source, copy) == 2
    assert not {url.rpartition("/")[2].partition("?")[0] for url in fetched} & set(
        source.blobs_asked
    )
    assert files_in(copy) == files_in(source.folder)


def test_an_older_edition_is_refused_before_anything_is_fetched(source: Source, copy: Path) -> None:
    bundle_of(5).lay_out(copy)
    before = files_in(copy)
    with pytest.raises(OlderEditionRefused):
        follow(source, copy)
    assert source.asked == ["manifest.json", "naans/manifest.json"]
    assert files_in(copy) == before


def test_the_same_edition_made_anew_is_followed(source: Source, copy: Path) -> None:
    follow(source, copy)
    bundle_of(2, made_by="newer").lay_out(source.folder)
    assert follow(source, copy) == 2
    manifest = current_manifest(copy)
    assert manifest is not None
    assert manifest.made_by == "newer"


def test_a_history_that_is_another_is_refused(source: Source, copy: Path) -> None:
    kept(1, b"another").lay_out_for_ever(copy)
    assert follow(source, copy) == 2, "what lies here is not asked about again"
    with pytest.raises(EditionConflict):
        follow(source, copy, mend=True)
    assert PublishedPlane(copy).edition == 2


def test_damage_is_mended_when_asked_for(source: Source, copy: Path) -> None:
    follow(source, copy)
    before = files_in(copy)
    for path in before:
        if path.startswith("blobs/"):
            (copy / path).write_bytes(b"junk")
    (copy / "current" / "manifest.json").write_bytes(b"junk")
    follow(source, copy, mend=True)
    assert files_in(copy) == before


def test_a_large_edition_is_copied_with_its_parts(
    source: Source, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    divide_soon(monkeypatch)
    many(60, 3).lay_out(source.folder)
    assert follow(source, copy) == 3
    source.asked.clear()
    many(60, 4, name_7=b"{}").lay_out(source.folder)
    assert follow(source, copy) == 4
    assert len(source.blobs_asked) <= 3, "a part or two, and the file that changed"
    here, there = PublishedPlane(copy), PublishedPlane(source.folder)
    for file in many(60, 4).manifest.files:
        assert ask(here, file.path) == ask(there, file.path)
    assert ask(here, "/namespaces/name-7.json").body == b"{}"


def test_a_source_that_publishes_meanwhile_is_followed_to_its_new_edition(
    source: Source, copy: Path
) -> None:
    def publish(path: str) -> None:
        if path.startswith("blobs/") and len(source.blobs_asked) == 5:
            bundle_of(3).lay_out(source.folder)

    source.before = publish
    assert follow(source, copy) == 3
    assert ask(PublishedPlane(copy), XML).body == contents(3)[XML][1]


def test_a_source_that_always_publishes_is_given_up(source: Source, copy: Path) -> None:
    editions = iter(range(3, 99))

    def publish(path: str) -> None:
        if path.startswith("blobs/"):
            text = b"%d" % next(editions)
            pack({"/a": ("text/plain", text)}, edition=int(text)).lay_out(source.folder)

    source.before = publish
    with pytest.raises(MirrorSourceError, match="is missing"):
        follow(source, copy)
    assert source.asked.count("manifest.json") == 3
    assert current_manifest(copy) is None


def spoil_blob(folder: Path) -> None:
    blob = next(file for file in bundle_of(2).manifest.files).blobs[0]
    (folder / blob_path(blob.sha256)).write_bytes(b"junk")


def test_a_source_that_is_damaged_is_told_and_leaves_the_copy_as_it_was(
    source: Source, copy: Path
) -> None:
    bundle_of(1).lay_out(copy)
    ask(source.plane, FOR_COPIES)  # it has the edition in memory now
    spoil_blob(source.folder)
    with pytest.raises(MirrorSourceError, match="returned status 503"):
        follow(source, copy)
    manifest = current_manifest(copy)
    assert manifest is not None
    assert manifest.edition == 1


@contextmanager
def lying(answers: dict[str, bytes]) -> Iterator[str]:
    """A source that gives what it likes; ``blobs/`` for all bytes."""

    def application(environ: Any, start_response: Any) -> Any:
        path = environ["PATH_INFO"].removeprefix(FOR_COPIES)
        key = "blobs/" if path.startswith("blobs/") else path
        body = answers.get(key)
        status = "404 Not Found" if body is None else "200 OK"
        start_response(status, [("Content-Length", str(len(body or b"")))])
        return [body or b""]

    with serve(application) as url:
        yield url


GOOD = manifest_bytes(bundle_of(2).manifest)
NO_EDITIONS = b'{"editions":[]}'
LIAR = b'{"length":1,"media_type":"text/plain","path":"/../x","sha256":"0"}\n'


def manifest_with_part(content: bytes) -> bytes:
    part = ManifestPart("/a", hashlib.sha256(content).hexdigest(), len(content))
    return manifest_bytes(Manifest(edition=2, as_of="2026-07-28", made_by="test", parts=(part,)))


@pytest.mark.parametrize(
    ("answers", "refusal"),
    [
        ({}, MirrorSourceError),
        ({"manifest.json": b""}, BadManifest),
        ({"manifest.json": b"[" * 100_000}, BadManifest),
        ({"manifest.json": GOOD}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": b"x"}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": b"[" * 100_000}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": b"{}"}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": b'{"editions":["x"]}'}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": b'{"editions":[1]}'}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": NO_EDITIONS}, MirrorSourceError),
        ({"manifest.json": GOOD, "editions.json": NO_EDITIONS, "blobs/": b""}, DigestMismatch),
        ({"manifest.json": GOOD, "editions.json": NO_EDITIONS, "blobs/": b"x"}, DigestMismatch),
        (
            {"manifest.json": GOOD, "editions.json": NO_EDITIONS, "blobs/": b"x" * 10_000},
            FetchFailed,
        ),
        (
            {
                "manifest.json": GOOD,
                "editions.json": b'{"editions":[1]}',
                "editions/1.json": manifest_bytes(kept(2).manifest),
            },
            MirrorSourceError,
        ),
        (
            {
                "manifest.json": GOOD,
                "editions.json": b'{"editions":[2]}',
                "editions/2.json": GOOD,
            },
            BadManifest,
        ),
        (
            {
                "manifest.json": manifest_with_part(LIAR),
                "editions.json": NO_EDITIONS,
                "blobs/": LIAR,
            },
            BadManifest,
        ),
    ],
)
def test_a_source_that_lies_is_refused_and_leaves_the_copy_as_it_was(
    copy: Path, answers: dict[str, bytes], refusal: type[Exception]
) -> None:
    bundle_of(1).lay_out(copy)
    before = files_in(copy)
    with lying(answers) as url, Fetcher() as fetch, pytest.raises(refusal):
        mirror_registry(url, copy, fetch)
    after = files_in(copy)
    assert before.items() <= after.items()
    assert PublishedPlane(copy).edition == 1
    for path in after.keys() - before.keys():
        assert path.startswith("blobs/")


def test_a_file_too_large_to_copy_is_refused_unfetched(
    source: Source, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_mirrors, "LARGEST_FILE", 10)
    with pytest.raises(MirrorSourceError, match="limit: 10"):
        follow(source, copy)
    assert source.blobs_asked == []


def test_a_list_too_large_to_read_is_refused(
    source: Source, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_mirrors, "LARGEST_LIST", 10)
    with pytest.raises(FetchFailed, match="limit is 10"):
        follow(source, copy)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ([("Location", f"http://other.example/{CONTROLS}")], b""),
        ([], with_member(CONTROLS)),
        ([], with_member("a" * 100_000)),
    ],
    ids=["a redirect", "a name of a member", "a long name of a member"],
)
def test_the_words_of_a_hostile_source_are_one_short_line_without_controls(
    copy: Path, capfdbinary: pytest.CaptureFixture[bytes], head: list[Any], body: bytes
) -> None:
    def answer(_environ: Any, start_response: Any) -> list[bytes]:
        status = "302 Found" if head else "200 OK"
        start_response(status, [*head, ("Content-Length", str(len(body)))])
        return [body]

    with serve(answer) as url:
        assert main(["registry", "mirror", url, "-o", str(copy)]) == 1
    told = capfdbinary.readouterr().err.decode()
    assert told.startswith(url)
    assert told.endswith("\n")
    assert all(character.isprintable() for character in told[:-1])
    assert len(told) < 1_000


def test_nobody_at_the_address_is_told(copy: Path) -> None:
    with Fetcher(timeout=1) as fetch, pytest.raises(FetchFailed):
        mirror_registry("http://127.0.0.1:1", copy, fetch)
    assert not copy.exists()


def test_a_copy_of_a_copy_is_a_copy(source: Source, copy: Path, tmp_path: Path) -> None:
    follow(source, copy)
    with serve(PublishedWsgi(PublishedPlane(copy))) as url, Fetcher() as fetch:
        assert mirror_registry(f"{url}/", tmp_path / "second", fetch) == 2
    assert files_in(tmp_path / "second") == files_in(source.folder)


def test_a_run_fetches_no_more_than_its_bound_and_the_next_one_goes_on(
    source: Source, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle_of(3).lay_out(source.folder)
    monkeypatch.setattr(bundle_mirrors, "LARGEST_RUN", 2_000)
    refused, asked = 0, set[str]()
    with Fetcher() as fetch:
        while refused < 100:
            try:
                mirror_registry(source.url, copy, fetch)
                break
            except MirrorSourceError as error:
                assert "run the command again" in str(error)
                refused += 1
            blobs = {path for path in source.asked if "blobs/" in path}
            assert blobs != asked, "each run fetches more"
            asked = blobs
    assert 0 < refused < 100
    manifest = current_manifest(copy)
    assert manifest is not None
    assert manifest.edition == 3
