"""Small bundles to lay out, and a way to ask what is published."""

import gzip
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import brotli  # type: ignore[import-untyped]  # comes without types
import pytest
import zstandard

from app.bundles.layout import lay_out, lay_out_edition
from app.exports.manifests import manifest_parts
from app.exports.manifests.bundle_files import BlobReference, BundleFile
from app.exports.manifests.manifest import Manifest, parse_as_of
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.plane import PublishedPlane
from tests.exports.bundle_files import bundle_file, file_in_edition

PAGE = "/assignments/urn-namespaces/"
XML = "/assignments/urn-namespaces/urn-namespaces.xml"
CSV = "/assignments/urn-namespaces/urn-namespaces-1.csv"
BARE = "/assignments/urn-namespaces"
SESSION = "session"
FROM_BEHIND = 299
PATIENT = 60.0  # for tests of what comes after a new edition, on a machine however slow

_NAME = re.compile(r"[A-Za-z-]+")
_VALUE = re.compile(r"[!-~]([ -~]*[!-~])?")

Contents = Mapping[str, tuple[str, bytes]]

CODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "gzip": lambda body: gzip.compress(body, mtime=0),
}
DECODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "zstd": zstandard.ZstdDecompressor().decompress,
    "gzip": gzip.decompress,
}


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Bundle(NamedTuple):
    """A manifest and the bytes it names."""

    manifest: Manifest
    bytes_by_sha256: dict[str, bytes]

    def read(self, blob: BlobReference) -> bytes:
        """Bytes that the manifest names."""
        return self.bytes_by_sha256[blob.sha256]

    def lay_out(self, folder: Path, **options: Any) -> Path:
        """The bundle, current in ``folder``."""
        return lay_out(folder, self.manifest, self.read, **options)

    def lay_out_for_ever(self, folder: Path) -> Path:
        """The bundle as what its edition keeps, in ``folder``."""
        return lay_out_edition(folder, self.manifest, self.read)


def contents(edition: int) -> Contents:
    """A page and a format that change with each edition, and a format that never does."""
    return {
        PAGE: ("text/html; charset=utf-8", f"<h1>Edition {edition}</h1>".encode()),
        XML: ("application/xml; charset=utf-8", f"<edition>{edition}</edition>".encode()),
        CSV: ("text/csv; charset=utf-8", b"URN Namespace\r\nisbn\r\n"),
    }


def as_of(edition: int) -> str:
    """A moment of its own for each edition."""
    return (datetime(2026, 7, 28, 9, 30, tzinfo=UTC) + timedelta(hours=edition)).isoformat()


def http_date(edition: int) -> str:
    """The Last-Modified of an edition."""
    return f"{parse_as_of(as_of(edition)):%a, %d %b %Y %H:%M:%S GMT}"


def make_bundle(edition: int = 1, files: Contents | None = None, made_by: str = "test") -> Bundle:
    """A whole bundle of one edition, as plain as can be."""
    files = contents(edition) if files is None else files
    return pack(files, edition=edition, made_by=made_by, redirects=((BARE, PAGE),))


def pack(files: Contents, *, codings: Iterable[str] = (), link: str = "", **members: Any) -> Bundle:
    """A bundle of these files, each with a form under each of these codings."""
    entries: list[BundleFile] = []
    known: dict[str, bytes] = {}
    manifest: dict[str, Any] = {"edition": 1, "made_by": "test"} | members
    for path, (media_type, body) in files.items():
        forms = {coding: CODINGS[coding](body) for coding in codings}
        file = bundle_file(path, media_type, body, link=link, encoded=forms)
        bodies = [body, *forms.values()]
        known |= {blob.sha256: body for blob, body in zip(file.blobs, bodies, strict=True)}
        entries.append(file)
    manifest.setdefault("as_of", as_of(manifest["edition"]))
    return Bundle(Manifest(files=tuple(entries), **manifest), known)


def lasting(edition: int, files: Contents, *, codings: Iterable[str] = ()) -> Bundle:
    """What an edition keeps for ever: files by their names below its own address."""
    made = pack({f"/{name}": file for name, file in files.items()}, codings=codings)
    entries = tuple(file_in_edition(file, edition, file.path[1:]) for file in made.manifest.files)
    manifest = Manifest(edition=edition, as_of=as_of(edition), made_by="test", files=entries)
    return Bundle(manifest, made.bytes_by_sha256)


def divide_soon(patch: pytest.MonkeyPatch) -> None:
    """Let a hundred files be too many for one list, so that few stand for very many."""
    patch.setattr(manifest_parts, "MANY", 100)
    patch.setattr(manifest_parts, "_FILES_IN_A_PART", 16)


def many(count: int, edition: int = 1, **changed: bytes) -> Bundle:
    """A bundle of so many names, a page and a file each: too many for one list.

    ``name_7=b"..."`` is what the file of ``name-7`` holds instead.
    """
    files: dict[str, tuple[str, bytes]] = {}
    for number in range(count):
        page, text = b"<h1>%d</h1>" % number, b'{"n":%d}' % number
        files[f"/namespaces/name-{number}"] = ("text/html; charset=utf-8", page)
        text = changed.get(f"name_{number}", text)
        files[f"/namespaces/name-{number}.json"] = ("application/json", text)
    rule = ("/namespaces/{}", ("/namespaces/{}", "/namespaces/{}.json", "/namespaces/{}.xml"))
    return pack(files, edition=edition, negotiated=(rule,))


def request_of(path: str, method: str = "GET", query: str = "", **headers: str) -> HttpRequest:
    """A request; ``if_none_match="..."`` is a header."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    target = f"{path}?{query}" if query else path
    return HttpRequest(method, target, path, query, {"host": "registry.example", **fields})


def call(site: PublishedPlane, request: HttpRequest) -> Answer:
    """One answer to exactly this request; whoever it falls through to says ``GET behind``."""
    answer = site.answer(request)
    if answer is None:
        return Answer(FROM_BEHIND, {}, f"{request.method} behind".encode())
    body = read(answer)
    check(request, answer, body)
    return Answer(answer.status, dict(answer.headers), body)


def read(answer: HttpAnswer) -> bytes:
    """All bytes of an answer, as a server takes them."""
    if isinstance(answer.body, bytes):
        return answer.body
    try:
        return b"".join(answer.body)
    finally:
        answer.body.close()


def check(request: HttpRequest, answer: HttpAnswer, body: bytes) -> None:
    """What every answer keeps to, so that any server can send it.

    Source: RFC 9110 sections 5.5, 6.4 and 8.6.
    """
    headers = dict(answer.headers)
    assert len(headers) == len(answer.headers), "a header is sent twice"
    assert all(map(_NAME.fullmatch, headers)), "a name is no token"
    assert all(map(_VALUE.fullmatch, headers.values())), "a value breaks its line"
    assert answer.raw_headers == [
        (name.lower().encode(), value.encode()) for name, value in answer.headers
    ]
    if request.method == "HEAD" or answer.status in {204, 304}:
        assert body == b""
    else:
        assert headers["Content-Length"] == str(len(body))


def ask(
    site: PublishedPlane, path: str, method: str = "GET", query: str = "", **headers: str
) -> Answer:
    """One answer."""
    return call(site, request_of(path, method, query, **headers))


def etag_of(path: str, edition: int = 1) -> str:
    """The ETag that a path has in an edition."""
    return f'"{hashlib.sha256(contents(edition)[path][1]).hexdigest()}"'


def restless() -> Callable[[], float]:
    """A clock on which every request is minutes after the one before."""
    return count(0, 100).__next__


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now
