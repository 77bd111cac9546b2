"""The layout of a bundle: one edition's published bytes, and where each of them lies.

A manifest lists every path with the media type and the SHA-256 of its bytes and of their
encoded forms. The bytes lie by content, so that editions share what did not change:

    blobs/ab/abcd...                       bytes, named by their SHA-256
    bundles/7-0123456789abcdef/manifest.json
    current -> bundles/7-0123456789abcdef
    editions/7.json -> ../blobs/cd/cdef... what stays of edition 7 for ever, as a manifest

A member of a manifest that has its default is left out, so that a new one changes no
manifest that lacks it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from app.exports.content.publication_site import BASE_URL
from app.exports.manifests.bundle_files import (
    FILE_RULES,
    LINE,
    LINE_OR_NONE,
    PATH,
    SHA256_RULE,
    BadManifest,
    BlobReference,
    BundleFile,
    MemberRules,
    check_count,
    check_lines,
    check_once,
    file_from,
    file_to,
)
from app.exports.manifests.provenance import (
    MODIFIED,
    PREVIOUS,
    Provenance,
    format_provenance,
    parse_provenance,
)
from app.registration.records.record_documents import canonical_json

STANDING = "{}"  # in a rule of negotiation, for the part of a path that may be anything
_FORMAT = 1

_SITE_OR_NONE = re.compile(rf"(?:{BASE_URL.pattern})?")
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
_AS_OF = re.compile(rf"{_DAY}(?:T{_TIME})?")

_PART_RULES: MemberRules = (FILE_RULES[0], SHA256_RULE)
_MANIFEST_RULES: MemberRules = (
    ("as_of", _AS_OF, "Pass as_of as 2026-07-28 or 2026-07-28T09:30:00Z."),
    ("made_by", LINE, "Pass made_by as one line of visible ASCII."),
    ("registry", _SITE_OR_NONE, "Pass registry as the address of a site: https://host."),
    ("modified", MODIFIED, "Pass modified as 2026-07-28T09:30:00Z."),
    ("previous", PREVIOUS, "Pass previous as a SHA-256 of 64 lower-case hexadecimal digits."),
)


class ManifestPart(BlobReference):
    """The bytes that list some of an edition's files; ``path`` is the first of theirs."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one edition publishes: its files and redirects, in the order of their paths.

    ``as_of`` is the day or the time of the edition. Last-Modified is taken from it, or from
    ``modified`` where that says another, since each edition's is a second later than the one
    before: two of one second, or of a clock that was set back, would not be told apart.
    ``made_by`` is the fingerprint of the software and the settings that made the bytes.
    ``previous`` is the SHA-256 of the manifest of the edition that was the newest before it,
    so that who knows one manifest knows all before it.

    ``negotiated`` says at which paths Accept chooses, and among which, the preferred one
    first: ``("/namespaces/{}", ("/namespaces/{}", "/namespaces/{}.json"))``, where ``{}``
    stands for one segment. What of these the edition lacks is passed over.

    ``parts`` stand for the files of an edition that has very many; see ``parts.divided``.
    ``registry`` is the address of the site that publishes it, where a copy sends those who
    ask for what it does not hold.

    ``corrections`` are the names that the edition before listed and this one does not, each
    with the name that took its place; or, behind ``order:``, with the order that was cited;
    older editions left it empty where no name took its place.

    Raises BadManifest for a path given twice and for a member out of its form.
    """

    edition: int
    as_of: str
    made_by: str
    files: tuple[BundleFile, ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()
    negotiated: tuple[tuple[str, tuple[str, ...]], ...] = ()
    parts: tuple[ManifestPart, ...] = ()
    registry: str = ""
    corrections: tuple[tuple[str, str], ...] = ()
    modified: str = ""
    previous: str = ""

    def __post_init__(self) -> None:
        check_count(self.edition, "edition")
        check_lines(self, _MANIFEST_RULES)
        _check_moments(self)
        object.__setattr__(self, "files", tuple(sorted(self.files, key=lambda file: file.path)))
        object.__setattr__(self, "redirects", tuple(sorted(self.redirects)))
        object.__setattr__(self, "negotiated", tuple(sorted(self.negotiated)))
        object.__setattr__(self, "corrections", tuple(sorted(self.corrections)))
        _check_paths(self)
        _check_negotiated(self)
        _check_parts(self)
        _check_corrections(self)

    @property
    def last_modified(self) -> datetime:
        """When what it publishes changed last, as Last-Modified tells it."""
        return parse_as_of(self.modified or self.as_of)


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as canonical JSON: equal bytes for equal manifests."""
    document: dict[str, Any] = {
        "format": _FORMAT,
        "edition": manifest.edition,
        "as_of": manifest.as_of,
        "made_by": format_provenance(
            Provenance(manifest.made_by, manifest.modified, manifest.previous)
        ),
        "files": [file_to(file) for file in manifest.files],
        "redirects": dict(manifest.redirects),
    }
    if manifest.negotiated:
        document["negotiated"] = dict(manifest.negotiated)
    if manifest.parts:
        document["parts"] = manifest.parts
    if manifest.registry:
        document["registry"] = manifest.registry
    if manifest.corrections:
        document["corrections"] = dict(manifest.corrections)
    return canonical_json(document).encode("ascii")


def read_manifest(content: bytes) -> Manifest:
    """The manifest whose ``manifest_bytes`` these are.

    Raises BadManifest for anything else, a member too many, given twice or out of order
    included.
    """
    document = _document(content)
    try:
        manifest = _manifest_from(document)
    except (KeyError, TypeError, AttributeError) as error:
        words = f"A member of the manifest is invalid or missing: {error}."
        raise BadManifest(words, content) from error
    if manifest_bytes(manifest) != content:
        raise BadManifest("The manifest isn't in canonical form.", content)
    return manifest


def parse_as_of(text: str) -> datetime:
    """The moment of an edition; a day alone counts from its first second in UTC.

    Raises BadManifest for a day or a time that is in no calendar.
    """
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise BadManifest(f"{text} isn't a valid date or time.", text) from error


def _manifest_from(document: Mapping[str, Any]) -> Manifest:
    edition, made = document["edition"], parse_provenance(document["made_by"])
    return Manifest(
        edition=edition,
        as_of=document["as_of"],
        made_by=made.made_by,
        modified=made.modified,
        previous=made.previous,
        files=tuple(map(file_from, document["files"])),
        redirects=tuple(document["redirects"].items()),
        negotiated=tuple(
            (path, tuple(targets)) for path, targets in document.get("negotiated", {}).items()
        ),
        parts=tuple(ManifestPart(*part) for part in document.get("parts", ())),
        registry=document.get("registry", ""),
        corrections=tuple(document.get("corrections", {}).items()),
    )


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadManifest("The manifest isn't JSON.", content) from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadManifest(f"This isn't a manifest of format {_FORMAT}.", content)
    return document


def _check_moments(manifest: Manifest) -> None:
    parse_as_of(manifest.as_of)
    if manifest.modified:
        parse_as_of(manifest.modified)
    if parse_provenance(manifest.made_by) != Provenance(manifest.made_by):
        raise BadManifest("made_by repeats the value of a member. Leave it out.", manifest.made_by)


def _check_paths(manifest: Manifest) -> None:
    sources = {source for source, _ in manifest.redirects}
    for path in (path for redirect in manifest.redirects for path in redirect):
        if not isinstance(path, str) or not PATH.fullmatch(path):
            raise BadManifest("A redirect needs two different paths.", path)
    for source, target in manifest.redirects:
        if target in sources:
            raise BadManifest(f"Redirect {source} directly to its final path.", target)
    check_once(
        [*(file.path for file in manifest.files), *(source for source, _ in manifest.redirects)]
    )


def _check_negotiated(manifest: Manifest) -> None:
    for path, targets in manifest.negotiated:
        stem = path.removesuffix(STANDING)
        for text in (path, *targets):
            if not isinstance(text, str) or text.count(STANDING) != (stem != path):
                raise BadManifest(f"Use {STANDING} once in each path of a rule, or in none.", text)
            if not PATH.fullmatch(text.replace(STANDING, "x")):
                raise BadManifest("Content negotiation needs at least two paths.", text)
    check_once(
        [*(path for path, _ in manifest.negotiated), *(path for path, _ in manifest.redirects)]
    )


def _check_parts(manifest: Manifest) -> None:
    for part in manifest.parts:
        check_lines(part, _PART_RULES)
        check_count(part.length, "length")
    paths = [part.path for part in manifest.parts]
    if paths != sorted(set(paths)):
        raise BadManifest("List the parts in the order of their paths.", paths)
    if manifest.files and manifest.parts:
        raise BadManifest("List either files or parts of them.", paths)


def _check_corrections(manifest: Manifest) -> None:
    for name, successor in manifest.corrections:
        for text, pattern in ((name, LINE), (successor, LINE_OR_NONE)):
            if not isinstance(text, str) or not pattern.fullmatch(text):
                raise BadManifest("List each name once, on one line, with its successor.", text)
    check_once(name for name, _ in manifest.corrections)
