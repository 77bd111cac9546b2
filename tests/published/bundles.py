"""Small bundles to lay out, and a way to ask a WSGI application."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

from app.exports.bundle import BundleFile, Manifest, bundle_file, parse_as_of
from app.services.layout import lay_out

PAGE = "/assignments/urn-namespaces/"
XML = "/assignments/urn-namespaces/urn-namespaces.xml"
CSV = "/assignments/urn-namespaces/urn-namespaces-1.csv"
BARE = "/assignments/urn-namespaces"
SESSION = "session"
FROM_BEHIND = 299

Contents = Mapping[str, tuple[str, bytes]]


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Bundle(NamedTuple):
    """A manifest and the bytes it names."""

    manifest: Manifest
    bytes_by_sha256: dict[str, bytes]

    def read(self, file: BundleFile) -> bytes:
        """The bytes of one file."""
        return self.bytes_by_sha256[file.sha256]

    def lay_out(self, folder: Path, **options: Any) -> Path:
        """The bundle, current in ``folder``."""
        return lay_out(folder, self.manifest, self.read, **options)


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
    """A whole bundle of one edition."""
    files = contents(edition) if files is None else files
    entries = {path: bundle_file(path, *entry) for path, entry in files.items()}
    manifest = Manifest(
        edition=edition,
        as_of=as_of(edition),
        made_by=made_by,
        files=tuple(entries.values()),
        redirects=((BARE, PAGE),),
    )
    return Bundle(manifest, {entries[path].sha256: files[path][1] for path in entries})


def call(application: WSGIApplication, environ: dict[str, Any]) -> Answer:
    """One answer to exactly this environment."""
    sent: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        sent.append((status, headers))
        return lambda _: None

    pieces: Iterable[bytes] = application(environ, start_response)
    body = b"".join(pieces)
    if close := getattr(pieces, "close", None):
        close()
    ((status, headers),) = sent
    names = [name for name, _ in headers]
    assert len(set(names)) == len(names), "a header is sent twice"
    return Answer(int(status.split()[0]), dict(headers), body)


def environ_of(path: str, method: str = "GET", query: str = "", **headers: str) -> dict[str, Any]:
    """The environment of a request; ``if_none_match="..."`` is a header."""
    environ: dict[str, Any] = {"REQUEST_METHOD": method, "SCRIPT_NAME": ""}
    environ |= {"PATH_INFO": path, "QUERY_STRING": query}
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    setup_testing_defaults(environ)
    return environ


def ask(
    application: WSGIApplication, path: str, method: str = "GET", query: str = "", **headers: str
) -> Answer:
    """One answer, every rule of WSGI checked on both sides."""
    return call(validator(application), environ_of(path, method, query, **headers))


def etag_of(path: str, edition: int = 1) -> str:
    """The ETag that a path has in an edition."""
    return f'"{hashlib.sha256(contents(edition)[path][1]).hexdigest()}"'


def behind(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The application that the rest falls through to."""
    body = f"{environ['REQUEST_METHOD']} behind".encode()
    headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
    start_response(f"{FROM_BEHIND} Behind", headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def restless() -> Callable[[], float]:
    """A clock on which every request is minutes after the one before."""
    return count(0, 100).__next__


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now
