"""Hashes of what is kept, and of what is kept only as its hash."""

import hashlib


def sha256(content: str | bytes) -> str:
    """The hash of octets, or of a text's octets in UTF-8, in hexadecimal."""
    octets = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(octets).hexdigest()
