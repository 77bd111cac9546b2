"""A message taken apart into headers and parts, whatever its bytes are.

The standard library's parser asks every line of every enclosing part for its end, and calls
itself for each level; a message of ten megabytes can keep it busy for hours. Here the work is
in proportion to the bytes.
"""

import binascii
import re
from dataclasses import dataclass
from itertools import islice

from app.messages.header_fields import read_parameters
from app.messages.mime_charsets import decode_bytes

MOST_PARTS = 200
_MOST_HEADER_BYTES = 256 * 1024
_LONGEST_VALUE = 16 * 1024
_LONGEST_BOUNDARY = 200
_MOST_ENCODED = 3 * 1024 * 1024

_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,80}/[a-z0-9!#$&^_.+-]{1,80}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]*+={0,3}")
_BASE64_LINES = re.compile(rb"[A-Za-z0-9+/= \t\r\n]*+")
_WHITE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class MultipartBody:
    """A multipart's body: its parts and what stands before and after them."""

    parts: tuple["MimeEntity", ...]
    around: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class MimeEntity:
    """Headers, names in lower case and values unfolded, and the bytes of a body."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    otherwise: str = "text/plain"

    def all(self, name: str) -> list[str]:
        """The values of every header of this name."""
        return [value for key, value in self.headers if key == name]

    def get(self, name: str) -> str:
        """The value of the first header of this name; an empty one where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def media_type(self) -> str:
        """Type and subtype, in lower case; a type that cannot be read is plain text."""
        given = self.get("content-type")
        if not given.strip():
            return self.otherwise
        kind = read_parameters(given)[0]
        return kind if _TYPE.fullmatch(kind) else "text/plain"

    def parameter(self, name: str) -> str:
        """A parameter of the content type."""
        return read_parameters(self.get("content-type"))[1].get(name, "")

    @property
    def disposition(self) -> str:
        """``attachment``, ``inline`` or what else is said of how it is meant to be shown."""
        return read_parameters(self.get("content-disposition"))[0]

    @property
    def file_name(self) -> str:
        """The name that a sender gave to it as a file."""
        given = read_parameters(self.get("content-disposition"))[1].get("filename", "")
        return given or self.parameter("name")

    @property
    def encoding(self) -> str:
        return self.get("content-transfer-encoding").partition(";")[0].strip().lower()

    @property
    def size(self) -> int:
        if self.encoding == "base64":
            return len(self.body.translate(None, _WHITE + b"=")) * 3 // 4
        return len(self.content()) if not self.is_long else len(self.body)

    @property
    def is_long(self) -> bool:
        """Whether ``content`` leaves some of it out."""
        return len(self.body) > _MOST_ENCODED

    def content(self) -> bytes:
        """The content, decoded; of a very large one only the beginning.

        Source: RFC 2045 sections 6.7 and 6.8.
        """
        body = self.body[:_MOST_ENCODED]
        if self.encoding == "quoted-printable":
            return binascii.a2b_qp(body)
        return _from_base64(body) if self.encoding == "base64" else body

    def text(self) -> str:
        """The content as text in its charset."""
        return decode_bytes(self.content(), self.parameter("charset"))

    def split(self) -> MultipartBody | None:
        """The parts of a multipart; None where its boundary is not to be found.

        Source: RFC 2046 section 5.1.1.
        """
        boundary = self.parameter("boundary").rstrip().encode("latin-1", "replace")
        if not 0 < len(boundary) <= _LONGEST_BOUNDARY:
            return None
        line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*+\r?$", re.MULTILINE)
        marks = list(islice(line.finditer(self.body), MOST_PARTS))
        return _parts(self.body, marks, self.media_type) if marks else None


def _parts(body: bytes, marks: list[re.Match[bytes]], kind: str) -> MultipartBody:
    default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    parts: list[MimeEntity] = []
    after = b""
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    for mark, end in zip(marks, ends, strict=True):
        inside = body[mark.end() + 1 : max(end, mark.end() + 1)]
        if mark[1]:
            after = body[mark.end() + 1 :]
            break
        if end < len(body):
            inside = inside.removesuffix(b"\n").removesuffix(b"\r")
        parts.append(read_entity(inside, default))
    return MultipartBody(tuple(parts), (body[: marks[0].start()], after))


def _from_base64(body: bytes) -> bytes:
    letters = body.translate(None, _WHITE)
    found = _BASE64.match(letters)
    if found and found.end() == len(letters):
        return _decoded(letters)
    read = _BASE64_LINES.match(body)
    end = body.rfind(b"\n", 0, read.end()) + 1 if read else 0
    return _decoded(body[:end]).rstrip(b"\n") + b"\n" + body[end:]


def _decoded(body: bytes) -> bytes:
    return b"".join(map(_run, filter(None, body.translate(None, _WHITE).split(b"="))))


def _run(letters: bytes) -> bytes:
    whole = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def read_entity(raw: bytes, otherwise: str = "text/plain") -> MimeEntity:
    """Headers and body of any bytes; what is no header begins the body.

    Source: RFC 5322 sections 2.1 and 2.2.
    """
    if b"\n" not in raw[:_MOST_HEADER_BYTES]:
        raw = raw.replace(b"\r", b"\n")
    fields: list[tuple[str, list[bytes]]] = []
    at = raw.find(b"\n") + 1 if raw[:6].lstrip(b">").startswith(b"From ") else 0  # as in an mbox
    while at < min(len(raw), _MOST_HEADER_BYTES):
        end = raw.find(b"\n", at) + 1 or len(raw)
        line = raw[at:end].rstrip(b"\r\n")
        found = _FIELD.fullmatch(line)
        if not line:
            at = end
            break
        if fields and line[:1] in b" \t":
            fields[-1][1].append(line)
        elif found:
            fields.append((found[1].decode("ascii").lower(), [found[2]]))
        else:
            break
        at = end
    return MimeEntity(tuple((name, _value(lines)) for name, lines in fields), raw[at:], otherwise)


def _value(lines: list[bytes]) -> str:
    whole = b"".join(lines)
    if len(whole) > _LONGEST_VALUE:  # it stays as long as that, so that it is seen to be cut
        return decode_bytes(whole[:_LONGEST_VALUE])
    return decode_bytes(whole).strip()
