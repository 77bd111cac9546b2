"""The layout of a bundle: one edition's published bytes, and where each of them lies.

A manifest lists every path with the media type and the SHA-256 of its bytes. The bytes lie
by content, so that two editions share what did not change:

    blobs/ab/abcd...                       bytes, named by their SHA-256
    bundles/7-0123456789abcdef/manifest.json
    current -> bundles/7-0123456789abcdef

A member of a manifest that has its default is left out, so that a new one changes no
manifest that lacks it.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from app.registration.documents import canonical

CURRENT = "current"
MANIFEST = "manifest.json"

# The policy that every page is written for, published or made for one person.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

_FORMAT = 1
# Kept but asked about on each use: a new edition is seen at once, and to ask costs a 304.
_ALWAYS_ASK = "no-cache"

_SEGMENT = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9._~!$&'()*+,;=:@-]+"  # pchar without pct-encoded
_WORD = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_PATH = re.compile(rf"/(?:{_SEGMENT}/)*(?:{_SEGMENT})?")
_MEDIA_TYPE = re.compile(rf"{_WORD}/{_WORD}(?:; ?{_WORD}={_WORD})*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"[ -~]+")
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
_AS_OF = re.compile(rf"{_DAY}(?:T{_TIME})?")
_BUNDLE = re.compile(r"bundles/([0-9]{1,18})-[0-9a-f]{16}")

_FILE_RULES = (
    ("path", _PATH, "Write a path such as /a/b.xml, decoded, without . and .. in it."),
    ("media_type", _MEDIA_TYPE, "Write a media type such as text/csv; charset=utf-8."),
    ("sha256", _SHA256, "Write a SHA-256 as 64 lower-case hexadecimal digits."),
    ("cache_control", _LINE, "Write Cache-Control as one line of visible ASCII."),
)
_MANIFEST_RULES = (
    ("as_of", _AS_OF, "Write as_of as 2026-07-28 or 2026-07-28T09:30:00Z."),
    ("made_by", _LINE, "Write made_by as one line of visible ASCII."),
)


class BadManifest(ValueError):
    """What no bundle can have; ``given`` is what was refused, unchanged."""

    def __init__(self, words: str, given: object) -> None:
        super().__init__(words)
        self.given = given


class WrongBytes(ValueError):
    """Bytes that are not the ones their manifest promises for ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The bytes for {path} are not those its manifest names by SHA-256.")
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFile:
    """One path of an edition: what is found there, and under which headers.

    ``path`` stands decoded, as a server hands it on.

    Raises BadManifest for a member that no header or folder could carry.
    """

    path: str
    media_type: str
    sha256: str
    length: int
    cache_control: str = _ALWAYS_ASK

    def __post_init__(self) -> None:
        _check_lines(self, _FILE_RULES)
        _check_count(self.length, "length")

    @property
    def is_page(self) -> bool:
        """Whether people read it as a page of the site, which may be made for one of them."""
        return self.media_type.partition(";")[0].lower() == "text/html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one edition publishes: its files and redirects, in the order of their paths.

    ``as_of`` is the day or the time of the edition, from which Last-Modified is taken, so
    two editions of one day need times to be told apart by it. ``made_by`` is the
    fingerprint of the software and the settings that made the bytes.

    Raises BadManifest for a path given twice and for a member out of its form.
    """

    edition: int
    as_of: str
    made_by: str
    files: tuple[BundleFile, ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        _check_count(self.edition, "edition")
        _check_lines(self, _MANIFEST_RULES)
        parse_as_of(self.as_of)
        object.__setattr__(self, "files", tuple(sorted(self.files, key=lambda file: file.path)))
        object.__setattr__(self, "redirects", tuple(sorted(self.redirects)))
        _check_paths(self)


def bundle_file(
    path: str, media_type: str, content: bytes, cache_control: str = _ALWAYS_ASK
) -> BundleFile:
    """The entry for these bytes. Raises BadManifest where ``BundleFile`` does."""
    return BundleFile(
        path=path,
        media_type=media_type,
        sha256=sha256(content).hexdigest(),
        length=len(content),
        cache_control=cache_control,
    )


def verified(file: BundleFile, content: bytes) -> bytes:
    """These bytes, if they are the ones the manifest names; WrongBytes if not."""
    if len(content) != file.length or sha256(content).hexdigest() != file.sha256:
        raise WrongBytes(file.path)
    return content


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as canonical JSON: equal bytes for equal manifests."""
    document = {
        "format": _FORMAT,
        "edition": manifest.edition,
        "as_of": manifest.as_of,
        "made_by": manifest.made_by,
        "files": [_file_to(file) for file in manifest.files],
        "redirects": dict(manifest.redirects),
    }
    return canonical(document).encode("ascii")


def read_manifest(content: bytes) -> Manifest:
    """The manifest whose ``manifest_bytes`` these are.

    Raises BadManifest for anything else, a member too many, given twice or out of order
    included.
    """
    document = _document(content)
    try:
        manifest = Manifest(
            edition=document["edition"],
            as_of=document["as_of"],
            made_by=document["made_by"],
            files=tuple(BundleFile(**file) for file in document["files"]),
            redirects=tuple(document["redirects"].items()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        words = f"A member of the manifest is wrong or missing: {error}."
        raise BadManifest(words, content) from error
    if manifest_bytes(manifest) != content:
        raise BadManifest("The manifest is not in its canonical form.", content)
    return manifest


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


def bundle_path(manifest: Manifest) -> str:
    """Where this manifest's own folder lies, below a bundle folder."""
    return f"bundles/{manifest.edition}-{sha256(manifest_bytes(manifest)).hexdigest()[:16]}"


def find_edition(path: str) -> int | None:
    """The edition that a ``bundle_path`` belongs to; None for any other text."""
    match = _BUNDLE.fullmatch(path)
    return int(match[1]) if match else None


def _file_to(file: BundleFile) -> dict[str, Any]:
    members = ((field.name, getattr(file, field.name), field.default) for field in fields(file))
    return {name: value for name, value, default in members if value != default}


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadManifest("The manifest is not JSON.", content) from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadManifest(f"This is no manifest of format {_FORMAT}.", content)
    return document


def _check_lines(record: object, rules: Iterable[tuple[str, re.Pattern[str], str]]) -> None:
    for name, pattern, words in rules:
        value = getattr(record, name)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise BadManifest(words, value)


def _check_count(value: object, name: str) -> None:
    if type(value) is not int or value < 0:
        raise BadManifest(f"Write {name} as a whole number from 0 up.", value)


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


def _check_once(paths: list[str]) -> None:
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise BadManifest(f"{path} is given twice.", path)
        seen.add(path)
