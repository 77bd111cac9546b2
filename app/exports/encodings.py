"""The encoded forms of a file: made once, sent as they are to whoever takes them."""

import gzip
import re
from collections.abc import Callable, Mapping

import brotli  # type: ignore[import-untyped]  # comes without types
import zstandard

# Less than this goes in the first packets as it is: a form would spare nobody a round trip
# (RFC 6928 lets ten packets go at once), and costs a block on disk for each of 100,000 names.
_SMALLEST = 2_048
# A form must save this share to be worth a file.
_SAVED = 0.05
_COMPRESSIBLE = re.compile(
    r"text/.+|.+[/+](?:json|xml)"
    r"|application/(?:javascript|n-quads|n-triples|relax-ng-compact-syntax|trig|xml-dtd)"
)


def encoded(media_type: str, content: bytes) -> dict[str, bytes]:
    """What each content coding makes of a file, by the coding's name; equal for equal files.

    A form that is hardly smaller is left out, as is every form of a small file and of a
    media type that is compressed in itself.

    Source: RFC 9110 section 8.4.1, RFC 7932 (br), RFC 8878 and RFC 9659 (zstd), RFC 1952
    (gzip).
    """
    if len(content) < _SMALLEST or not is_compressible(media_type):
        return {}
    largest = len(content) * (1 - _SAVED)
    forms = {coding: make(content) for coding, make in _CODINGS.items()}
    return {coding: form for coding, form in forms.items() if len(form) <= largest}


def is_compressible(media_type: str) -> bool:
    """Whether files of this media type are texts, by and large."""
    return _COMPRESSIBLE.fullmatch(media_type.partition(";")[0].strip().lower()) is not None


def _brotli(content: bytes) -> bytes:
    made: bytes = brotli.compress(content, quality=5)
    return made


def _zstd(content: bytes) -> bytes:
    # The window stays under the 8 MB of RFC 9659 section 3, which every client has.
    return zstandard.ZstdCompressor(level=9, threads=0).compress(content)


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, 6, mtime=0)


_CODINGS: Mapping[str, Callable[[bytes], bytes]] = {"br": _brotli, "zstd": _zstd, "gzip": _gzip}
