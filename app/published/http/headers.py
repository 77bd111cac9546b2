"""Headers that every answer of its kind has."""

from dataclasses import dataclass

from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY

Headers = list[tuple[str, str]]
EncodedHeaders = list[tuple[bytes, bytes]]

SAFE: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
SAFE_PAGE: Headers = [
    *SAFE,
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
# What a browser draws may carry scripts and links; XHTML, SVG and XML as much as HTML.
_DRAWN = ("html", "xml")


def sniffing_guards(media_type: str) -> Headers:
    return SAFE_PAGE if any(word in media_type.lower() for word in _DRAWN) else SAFE


def encode_headers(headers: Headers) -> EncodedHeaders:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


@dataclass(slots=True)
class PreparedHeaders:
    """Headers that go with many answers; they are put into octets once, when first they go."""

    fields: Headers
    _encoded: EncodedHeaders | None = None
    _lines: bytes | None = None

    @property
    def encoded(self) -> EncodedHeaders:
        if self._encoded is None:
            self._encoded = encode_headers(self.fields)
        return self._encoded

    @property
    def lines(self) -> bytes:
        if self._lines is None:
            self._lines = b"".join(name + b": " + value + b"\r\n" for name, value in self.encoded)
        return self._lines


def append_headers(fields: Headers, rest: PreparedHeaders) -> PreparedHeaders:
    """These headers, and then others that lie ready."""
    lines = ""
    for name, value in fields:
        lines += f"{name.lower()}: {value}\r\n"
    return PreparedHeaders(fields + rest.fields, None, lines.encode("latin-1") + rest.lines)
