"""A bundle on disk -> one edition in memory, every answer made before anybody asks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import format_datetime
from pathlib import Path

from app.exports.bundle import (
    CONTENT_SECURITY_POLICY,
    MANIFEST,
    BundleFile,
    Manifest,
    blob_path,
    bundle_path,
    parse_as_of,
    read_manifest,
    verified,
)

Headers = list[tuple[str, str]]

SAFE: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
SAFE_PAGE: Headers = [
    *SAFE,
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
# What a browser draws may carry scripts and links; XHTML, SVG and XML as much as HTML.
_DRAWN = ("html", "xml")


class BrokenBundle(ValueError):
    """A bundle that is not the one its name promises."""


@dataclass(frozen=True, slots=True)
class Representation:
    """One file as it is sent: its bytes, its validators, the headers of 200 and of 304."""

    body: bytes
    etag: str
    modified: int
    is_page: bool
    headers: Headers
    unchanged_headers: Headers


@dataclass(frozen=True, slots=True)
class Edition:
    """Everything one bundle answers. ``link`` says which bundle it is; None is none yet."""

    link: str | None = None
    number: int | None = None
    files: Mapping[str, Representation] = field(default_factory=dict)
    redirects: Mapping[str, str] = field(default_factory=dict)


def read_edition(folder: Path, link: str, earlier: Edition) -> Edition:
    """The edition of the bundle at ``folder/link``; bytes that ``earlier`` holds are shared.

    Raises OSError, BadManifest, BrokenBundle or WrongBytes where the bundle is not whole.
    """
    manifest = read_manifest((folder / link / MANIFEST).read_bytes())
    if Path(bundle_path(manifest)).name != Path(link).name:
        raise BrokenBundle(f"The manifest in {link} is another's: its SHA-256 is not its name.")
    return Edition(
        link,
        manifest.edition,
        dict(_read_files(folder, manifest, earlier)),
        dict(manifest.redirects),
    )


def _read_files(
    folder: Path, manifest: Manifest, earlier: Edition
) -> Iterator[tuple[str, Representation]]:
    moment = parse_as_of(manifest.as_of).replace(microsecond=0)
    bodies = {known.etag: known.body for known in earlier.files.values()}
    for file in manifest.files:
        etag = f'"{file.sha256}"'
        if etag not in bodies:
            bodies[etag] = _read_blob(folder, file)
        headers = _headers(file, etag, format_datetime(moment, usegmt=True))
        yield (
            file.path,
            Representation(bodies[etag], etag, int(moment.timestamp()), file.is_page, *headers),
        )


def _read_blob(folder: Path, file: BundleFile) -> bytes:
    with (folder / blob_path(file.sha256)).open("rb") as blob:
        return verified(file, blob.read(file.length + 1))


def _headers(file: BundleFile, etag: str, modified: str) -> tuple[Headers, Headers]:
    """The headers of 200, and those of 304, which repeats only what steers a cache.

    Source: RFC 9110 section 15.4.5.
    """
    steering = [("ETag", etag), ("Cache-Control", file.cache_control)]
    if file.is_page:
        steering.append(("Vary", "Cookie"))
    drawn = any(word in file.media_type.lower() for word in _DRAWN)
    described = [
        ("Content-Type", file.media_type),
        ("Content-Length", str(file.length)),
        ("Last-Modified", modified),
    ]
    return [*described, *steering, *(SAFE_PAGE if drawn else SAFE)], steering
