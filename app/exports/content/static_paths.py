"""Paths of the static files: one that stays, and one that tells their bytes."""

import re
from hashlib import sha256

STATIC = "/static/"
# Others stay at one path: a font's name has its version in it.
_CHANGING = ("css", "js", "svg")
_DIGITS = 8
_LASTING = re.compile(rf"({STATIC}[^/]+)-[0-9a-f]{{{_DIGITS}}}(\.(?:{'|'.join(_CHANGING)}))")


def static_path(name: str) -> str:
    """Where a file always is, whatever its bytes are now."""
    return f"{STATIC}{name}"


def lasting_path(name: str, content: bytes) -> str:
    """Where a file is with these bytes and no others, so that it can be kept for ever.

    ``ui.css`` is at ``/static/ui-1a2b3c4d.css``. A file whose bytes never change is where it
    always is.
    """
    stem, _, suffix = name.rpartition(".")
    if suffix not in _CHANGING:
        return static_path(name)
    return f"{static_path(stem)}-{sha256(content).hexdigest()[:_DIGITS]}.{suffix}"


def find_plain_path(path: str) -> str | None:
    """Where a file always is, by a path that tells its bytes; None for any other path."""
    lasting = _LASTING.fullmatch(path)
    return "".join(lasting.groups()) if lasting else None
