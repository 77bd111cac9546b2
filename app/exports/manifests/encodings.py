"""The encoded forms of a file: made once, sent as they are to whoever takes them."""

import gzip
import re
import zlib
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
    r"|application/(?:javascript|jsonl|n-quads|relax-ng-compact-syntax|trig|xml-dtd)"
)


def encode_forms(media_type: str, content: bytes) -> dict[str, bytes]:
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


def decode_form(coding: str, form: bytes, at_most: int) -> bytes:
    """The bytes that a form stands for.

    Raises ValueError for a coding that is not ours, for a form that is broken, cut short or
    followed by more, and for one that holds more than ``at_most`` bytes.
    """
    if coding not in _DECODINGS:
        raise ValueError(f"The coding {coding} isn't supported.")
    make, errors = _DECODINGS[coding]
    try:
        return make(form, at_most)
    except errors as error:
        raise ValueError(f"The {coding} is broken: {error}") from error


def _from_gzip(form: bytes, at_most: int) -> bytes:
    reader = zlib.decompressobj(zlib.MAX_WBITS | _GZIP_HEADER)
    content = reader.decompress(form, at_most + 1)
    return _whole(content, at_most, is_finished=reader.eof and not reader.unused_data)


def _from_brotli(form: bytes, at_most: int) -> bytes:
    reader = brotli.Decompressor()
    content = _stepwise(reader.process, form, at_most)
    return _whole(content, at_most, is_finished=reader.is_finished())


def _from_zstd(form: bytes, at_most: int) -> bytes:
    reader = zstandard.ZstdDecompressor().decompressobj()
    content = _stepwise(reader.decompress, form, at_most)
    return _whole(content, at_most, is_finished=reader.eof and not reader.unused_data)


def _stepwise(read: Callable[[bytes], bytes], form: bytes, at_most: int) -> bytes:
    content = bytearray()
    for start in range(0, len(form), _STEP):
        content += read(form[start : start + _STEP])
        if len(content) > at_most:
            break
    return bytes(content)


def _whole(content: bytes, at_most: int, *, is_finished: bool) -> bytes:
    if len(content) > at_most or not is_finished:
        raise ValueError("it ends too early or too late")
    return content


_GZIP_HEADER = 16  # as zlib is told that a gzip header is to come
_STEP = 4_096
_Decode = Callable[[bytes, int], bytes]
_DECODINGS: Mapping[str, tuple[_Decode, tuple[type[Exception], ...]]] = {
    "br": (_from_brotli, (brotli.error, ValueError)),
    "zstd": (_from_zstd, (zstandard.ZstdError, ValueError)),
    "gzip": (_from_gzip, (zlib.error, ValueError)),
}
