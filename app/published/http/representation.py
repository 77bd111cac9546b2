"""One file as it is sent: its forms, each with its bytes, validators and headers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import chain
from typing import NamedTuple

from app.exports.manifests.bundle_files import BlobReference, BundleFile
from app.published.http.accept_headers import IDENTITY
from app.published.http.cross_origin import SHARED
from app.published.http.headers import Headers, PreparedHeaders, sniffing_guards

SMALLEST_RANGED = 64 * 1024


class MediaTypeOffer(NamedTuple):
    """The media types among which Accept chooses at one path, and the files that have them."""

    media_types: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(slots=True)
class RepresentationForm:
    """The bytes of a file under one content coding; no ``body`` while they lie on disk only.

    ``is_held`` says that ``body`` may keep them once they were read.
    """

    blob: BlobReference
    etag: str
    headers: PreparedHeaders
    unchanged_headers: PreparedHeaders
    is_held: bool = False
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Representation:
    """All that is known of one path. ``is_personal`` pages may be made for one visitor."""

    modified: int
    is_personal: bool
    is_ranged: bool
    plain: RepresentationForm
    forms: Mapping[str, RepresentationForm]
    offer: MediaTypeOffer | None = None


def represent_file(
    file: BundleFile,
    modified: datetime,
    *,
    offer: MediaTypeOffer | None = None,
    is_personal: bool = False,
    is_held: bool = False,
) -> Representation:
    """A file of an edition that was modified then, its bytes still to be read."""
    vary = _vary(Accept=offer is not None, Cookie=is_personal, **{"Accept-Encoding": file.forms})
    codings = (IDENTITY, *(form.coding for form in file.forms))
    modified = modified.astimezone(UTC).replace(microsecond=0)
    date = format_datetime(modified, usegmt=True)
    forms = {
        coding: _form(file, coding, blob, date, vary, is_held)
        for coding, blob in zip(codings, file.blobs, strict=True)
    }
    return Representation(
        modified=int(modified.timestamp()),
        is_personal=is_personal,
        is_ranged=file.length >= SMALLEST_RANGED,
        plain=forms[IDENTITY],
        forms=forms,
        offer=offer,
    )


def with_content_location(headers: Headers, path: str) -> Headers:
    """The headers of a file that is sent where Accept chose it, with its own address.

    Source: RFC 9110 sections 8.7 and 12.5.5.
    """
    others = [header for header in headers if header[0] != "Vary"]
    varied = (value.split(", ") for name, value in headers if name == "Vary")
    names = dict.fromkeys(["Accept", *chain.from_iterable(varied)])
    return [*others, ("Vary", ", ".join(names)), ("Content-Location", path)]


def _vary(**given: object) -> Headers:
    names = [name for name, is_given in given.items() if is_given]
    return [("Vary", ", ".join(names))] if names else []


def _form(
    file: BundleFile, coding: str, blob: BlobReference, modified: str, vary: Headers, is_held: bool
) -> RepresentationForm:
    etag = f'"{blob.sha256}"'
    steering = [("ETag", etag), ("Cache-Control", file.cache_control), *vary, *SHARED]
    described = [
        ("Content-Type", file.media_type),
        ("Content-Length", str(blob.length)),
        ("Last-Modified", modified),
        *_more(file, coding),
    ]
    headers = [*described, *steering, *sniffing_guards(file.media_type)]
    return RepresentationForm(
        blob, etag, PreparedHeaders(headers), PreparedHeaders(steering), is_held
    )


def _more(file: BundleFile, coding: str) -> Iterable[tuple[str, str]]:
    if coding != IDENTITY:
        yield "Content-Encoding", coding
    elif file.length >= SMALLEST_RANGED:
        yield "Accept-Ranges", "bytes"
    if file.link:
        yield "Link", file.link
