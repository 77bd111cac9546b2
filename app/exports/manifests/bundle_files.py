"""The files that a manifest lists: path, headers and bytes of each, told by their SHA-256.

A member that has its default is left out, so that a new one changes no manifest that lacks it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, NamedTuple

# The policy that every page is written for, published or made for one person.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

# Kept but asked about on each use: a new edition is seen at once, and to ask costs a 304.
ALWAYS_ASK = "no-cache"
FOR_EVER = "public, max-age=31536000, immutable"

_LARGEST_COUNT = 2**63 - 1

_SEGMENT = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9._~!$&'()*+,;=:@-]+"  # pchar without pct-encoded
_WORD = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
PATH = re.compile(rf"/(?:{_SEGMENT}/)*(?:{_SEGMENT})?")
_MEDIA_TYPE = re.compile(rf"{_WORD}/{_WORD}(?:; ?{_WORD}={_WORD})*")
_CODING = re.compile(r"(?!identity\Z)[a-z0-9-]{1,20}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
LINE = re.compile(r"[ -~]+")
LINE_OR_NONE = re.compile(r"[ -~]*")

MemberRules = tuple[tuple[str, re.Pattern[str], str], ...]
SHA256_RULE = ("sha256", _SHA256, "Pass a SHA-256 as 64 lower-case hexadecimal digits.")
FILE_RULES: MemberRules = (
    ("path", PATH, "Pass a decoded path such as /a/b.xml, without . and .. segments."),
    ("media_type", _MEDIA_TYPE, "Pass a media type such as text/csv; charset=utf-8."),
    SHA256_RULE,
    ("cache_control", LINE, "Pass Cache-Control as one line of visible ASCII."),
    ("link", LINE_OR_NONE, "Pass Link as one line of visible ASCII."),
)
_FORM_RULES: MemberRules = (
    ("coding", _CODING, "Pass a content coding such as gzip."),
    SHA256_RULE,
)


class BadManifest(ValueError):
    """What no bundle can have; ``given`` is what was refused, unchanged."""

    def __init__(self, words: str, given: object) -> None:
        super().__init__(words)
        self.given = given


class DigestMismatch(ValueError):
    """Bytes that are not the ones their manifest promises for ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The bytes for {path} don't match the SHA-256 in the manifest.")
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
        check_lines(self, FILE_RULES)
        check_count(self.length, "length")
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


def verify_bytes(blob: BundleFile | BlobReference, content: bytes) -> bytes:
    """The bytes of a file, if they are those the manifest names; DigestMismatch if not."""
    if len(content) != blob.length or sha256(content).hexdigest() != blob.sha256:
        raise DigestMismatch(blob.path)
    return content


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


def check_lines(record: object, rules: MemberRules) -> None:
    """Refuse a record of which a member is not of the form that its rule gives."""
    for name, pattern, words in rules:
        value = getattr(record, name)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise BadManifest(words, value)


def check_count(value: object, name: str) -> None:
    """Refuse what is no count of bytes or no number of an edition."""
    if type(value) is not int or not 0 <= value <= _LARGEST_COUNT:
        raise BadManifest(f"{name} must be a whole number of 0 or more.", value)


def _check_forms(forms: tuple[EncodedForm, ...]) -> None:
    for form in forms:
        check_lines(form, _FORM_RULES)
        check_count(form.length, "length")
    check_once([form.coding for form in forms])


def check_once(paths: Iterable[str]) -> None:
    """Refuse a path, or another word, that is given twice."""
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise BadManifest(f"{path} appears twice.", path)
        seen.add(path)
