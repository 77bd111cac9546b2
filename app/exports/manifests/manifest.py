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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from app.exports.content.publication_site import BASE_URL
from app.exports.manifests.provenance import (
    MODIFIED,
    PREVIOUS,
    Provenance,
    format_provenance,
    parse_provenance,
)
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.record_documents import canonical_json

CURRENT = "current"
MANIFEST = "manifest.json"
HISTORY = "editions"
FOR_COPIES = "/.well-known/urn-registry/"  # what a copy of the registry is made from
SHELL = f"{FOR_COPIES}shell.html"  # what stands round the pages that a host makes by itself
STANDING = "{}"  # in a rule of negotiation, for the part of a path that may be anything

# The policy that every page is written for, published or made for one person.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

# Kept but asked about on each use: a new edition is seen at once, and to ask costs a 304.
ALWAYS_ASK = "no-cache"
FOR_EVER = "public, max-age=31536000, immutable"

_FORMAT = 1
_LARGEST_COUNT = 2**63 - 1

_SEGMENT = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9._~!$&'()*+,;=:@-]+"  # pchar without pct-encoded
_WORD = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_PATH = re.compile(rf"/(?:{_SEGMENT}/)*(?:{_SEGMENT})?")
_MEDIA_TYPE = re.compile(rf"{_WORD}/{_WORD}(?:; ?{_WORD}={_WORD})*")
_CODING = re.compile(r"(?!identity\Z)[a-z0-9-]{1,20}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"[ -~]+")
_SITE_OR_NONE = re.compile(rf"(?:{BASE_URL.pattern})?")
_LINE_OR_NONE = re.compile(r"[ -~]*")
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
_AS_OF = re.compile(rf"{_DAY}(?:T{_TIME})?")
_NUMBER = r"([1-9][0-9]{0,17})"
_GROUP = r"(?:/[a-z][a-z0-9-]*)?"  # of which the editions are; none for URN namespaces
_OWN = re.compile(
    rf"{_GROUP}/{HISTORY}/(?:{_NUMBER}(?:/.*)?|{_NUMBER}\.\.{_NUMBER}\.json)", re.DOTALL
)
_BUNDLE = re.compile(r"bundles/([0-9]{1,18})-[0-9a-f]{16}")

_Rules = tuple[tuple[str, re.Pattern[str], str], ...]
_SHA256_RULE = ("sha256", _SHA256, "Write a SHA-256 as 64 lower-case hexadecimal digits.")
_FILE_RULES: _Rules = (
    ("path", _PATH, "Write a path such as /a/b.xml, decoded, without . and .. in it."),
    ("media_type", _MEDIA_TYPE, "Write a media type such as text/csv; charset=utf-8."),
    _SHA256_RULE,
    ("cache_control", _LINE, "Write Cache-Control as one line of visible ASCII."),
    ("link", _LINE_OR_NONE, "Write Link as one line of visible ASCII."),
)
_FORM_RULES: _Rules = (("coding", _CODING, "Write a content coding such as gzip."), _SHA256_RULE)
_PART_RULES: _Rules = (_FILE_RULES[0], _SHA256_RULE)
_MANIFEST_RULES: _Rules = (
    ("as_of", _AS_OF, "Write as_of as 2026-07-28 or 2026-07-28T09:30:00Z."),
    ("made_by", _LINE, "Write made_by as one line of visible ASCII."),
    ("registry", _SITE_OR_NONE, "Write registry as the address of a site: https://host."),
    ("modified", MODIFIED, "Write modified as 2026-07-28T09:30:00Z."),
    ("previous", PREVIOUS, "Write previous as a SHA-256 of 64 lower-case hexadecimal digits."),
)


class BadManifest(ValueError):
    """What no bundle can have; ``given`` is what was refused, unchanged."""

    def __init__(self, words: str, given: object) -> None:
        super().__init__(words)
        self.given = given


class DigestMismatch(ValueError):
    """Bytes that are not the ones their manifest promises for ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The bytes for {path} are not those its manifest names by SHA-256.")
        self.path = path


class BlobReference(NamedTuple):
    """Bytes to be found by their content, and the path that they are wanted for."""

    path: str
    sha256: str
    length: int


class EncodedForm(NamedTuple):
    """The bytes of a file under a content coding (RFC 9110 section 8.4.1)."""

    coding: str
    sha256: str
    length: int


class ManifestPart(BlobReference):
    """The bytes that list some of an edition's files; ``path`` is the first of theirs."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFile:
    """One path of an edition: what is found there, and under which headers.

    ``path`` stands decoded, as a server hands it on. ``sha256`` and ``length`` are those of
    the bytes without a content coding; ``forms`` tells the others. ``link`` is the value of
    a Link header (RFC 8288).

    Raises BadManifest for a member that no header or folder could carry.
    """

    path: str
    media_type: str
    sha256: str
    length: int
    cache_control: str = ALWAYS_ASK
    forms: tuple[EncodedForm, ...] = ()
    link: str = ""

    def __post_init__(self) -> None:
        _check_lines(self, _FILE_RULES)
        _check_count(self.length, "length")
        if self.forms:
            _check_forms(self.forms)

    @property
    def is_page(self) -> bool:
        """Whether people read it as a page of the site, which may be made for one of them."""
        return self.media_type.partition(";")[0].lower() == "text/html"

    @property
    def blobs(self) -> tuple[BlobReference, ...]:
        """All bytes of this file: those without a coding first, then each of its forms."""
        forms = (BlobReference(self.path, form.sha256, form.length) for form in self.forms)
        return (BlobReference(self.path, self.sha256, self.length), *forms)


_FILE_MEMBERS = tuple((field.name, field.default) for field in fields(BundleFile))


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
        _check_count(self.edition, "edition")
        _check_lines(self, _MANIFEST_RULES)
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


def verify_bytes(blob: BundleFile | BlobReference, content: bytes) -> bytes:
    """The bytes of a file, if they are those the manifest names; DigestMismatch if not."""
    if len(content) != blob.length or sha256(content).hexdigest() != blob.sha256:
        raise DigestMismatch(blob.path)
    return content


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
        words = f"A member of the manifest is wrong or missing: {error}."
        raise BadManifest(words, content) from error
    if manifest_bytes(manifest) != content:
        raise BadManifest("The manifest is not in its canonical form.", content)
    return manifest


def file_to(file: BundleFile) -> dict[str, Any]:
    """A file as it stands in a manifest."""
    members = ((name, getattr(file, name), default) for name, default in _FILE_MEMBERS)
    return {name: value for name, value, default in members if value != default}


def file_from(document: Mapping[str, Any]) -> BundleFile:
    """The file whose ``file_to`` this is. Raises BadManifest, TypeError or KeyError for another."""
    if "forms" not in document:
        return BundleFile(**document)
    return BundleFile(
        **{**document, "forms": tuple(EncodedForm(*form) for form in document["forms"])}
    )


def parse_as_of(text: str) -> datetime:
    """The moment of an edition; a day alone counts from its first second in UTC.

    Raises BadManifest for a day or a time that is in no calendar.
    """
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise BadManifest(f"There is no such day or time: {text}.", text) from error


def blob_path(digest: str) -> str:
    """Where the bytes with this SHA-256 lie, below a bundle folder."""
    return f"blobs/{digest[:2]}/{digest}"


def copies_path(group: RegistryGroup) -> str:
    """Where what a copy of a group is made from is: a folder further down but for the site's."""
    return FOR_COPIES if group.is_root else f"{FOR_COPIES}{group.id}/"


def shell_path(group: str) -> str:
    """What stands round the pages of names of a group but the site's, by the group's id."""
    return f"{FOR_COPIES}{group}/{SHELL.removeprefix(FOR_COPIES)}"


def bundle_path(manifest: Manifest) -> str:
    """Where this manifest's own folder lies, below a bundle folder."""
    return f"bundles/{manifest.edition}-{sha256(manifest_bytes(manifest)).hexdigest()[:16]}"


def edition_path(edition: int) -> str:
    """Where the link to an edition's lasting manifest lies, below a bundle folder."""
    return f"{HISTORY}/{edition}.json"


def find_edition(path: str) -> int | None:
    """The edition that a ``bundle_path`` belongs to; None for any other text."""
    match = _BUNDLE.fullmatch(path)
    return int(match[1]) if match else None


def find_owner(path: str) -> int | None:
    """The edition whose own address a path is; None where it is none of an edition's.

    What leads to an edition from another, ``/editions/6..7.json``, is the later one's. Which
    group the edition is of is not told.
    """
    match = _OWN.fullmatch(path)
    return int(match[1] or match[3]) if match else None


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
        raise BadManifest("The manifest is not JSON.", content) from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadManifest(f"This is no manifest of format {_FORMAT}.", content)
    return document


def _check_lines(record: object, rules: _Rules) -> None:
    for name, pattern, words in rules:
        value = getattr(record, name)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise BadManifest(words, value)


def _check_moments(manifest: Manifest) -> None:
    parse_as_of(manifest.as_of)
    if manifest.modified:
        parse_as_of(manifest.modified)
    if parse_provenance(manifest.made_by) != Provenance(manifest.made_by):
        raise BadManifest("Write made_by without what stands in members.", manifest.made_by)


def _check_count(value: object, name: str) -> None:
    if type(value) is not int or not 0 <= value <= _LARGEST_COUNT:
        raise BadManifest(f"Write {name} as a whole number from 0 up.", value)


def _check_forms(forms: tuple[EncodedForm, ...]) -> None:
    for form in forms:
        _check_lines(form, _FORM_RULES)
        _check_count(form.length, "length")
    _check_once([form.coding for form in forms])


def _check_paths(manifest: Manifest) -> None:
    sources = {source for source, _ in manifest.redirects}
    for path in (path for redirect in manifest.redirects for path in redirect):
        if not isinstance(path, str) or not _PATH.fullmatch(path):
            raise BadManifest("Redirect from one path to another.", path)
    for source, target in manifest.redirects:
        if target in sources:
            raise BadManifest(f"Redirect {source} straight to its end.", target)
    _check_once(
        [*(file.path for file in manifest.files), *(source for source, _ in manifest.redirects)]
    )


def _check_negotiated(manifest: Manifest) -> None:
    for path, targets in manifest.negotiated:
        stem = path.removesuffix(STANDING)
        for text in (path, *targets):
            if not isinstance(text, str) or text.count(STANDING) != (stem != path):
                raise BadManifest(f"Write {STANDING} once in a rule's paths, or in none.", text)
            if not _PATH.fullmatch(text.replace(STANDING, "x")):
                raise BadManifest("Negotiate between paths.", text)
    _check_once(
        [*(path for path, _ in manifest.negotiated), *(path for path, _ in manifest.redirects)]
    )


def _check_parts(manifest: Manifest) -> None:
    for part in manifest.parts:
        _check_lines(part, _PART_RULES)
        _check_count(part.length, "length")
    paths = [part.path for part in manifest.parts]
    if paths != sorted(set(paths)):
        raise BadManifest("List the parts in the order of their paths.", paths)
    if manifest.files and manifest.parts:
        raise BadManifest("List the files, or parts of them.", paths)


def _check_corrections(manifest: Manifest) -> None:
    for name, successor in manifest.corrections:
        for text, pattern in ((name, _LINE), (successor, _LINE_OR_NONE)):
            if not isinstance(text, str) or not pattern.fullmatch(text):
                raise BadManifest("List a name in one line, and what took its place.", text)
    _check_once(name for name, _ in manifest.corrections)


def _check_once(paths: Iterable[str]) -> None:
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise BadManifest(f"{path} is given twice.", path)
        seen.add(path)
