"""Headers that every answer of its kind has."""

from app.exports.bundle import CONTENT_SECURITY_POLICY

Headers = list[tuple[str, str]]

SAFE: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
SAFE_PAGE: Headers = [
    *SAFE,
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
# What a browser draws may carry scripts and links; XHTML, SVG and XML as much as HTML.
_DRAWN = ("html", "xml")


def safe_for(media_type: str) -> Headers:
    """What keeps a browser from taking a file of this media type for more than it is."""
    return SAFE_PAGE if any(word in media_type.lower() for word in _DRAWN) else SAFE
