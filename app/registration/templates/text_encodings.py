"""Bytes of a file as text: which encoding it is in, or why it cannot be read."""

import re
import zlib
from dataclasses import dataclass

from app.registration.templates.template_parts import TemplateDiagnostic

MAX_BYTES = 5 * 1024 * 1024
_MARK = b"\xef\xbb\xbf"
_GZIP_MARK = b"\x1f\x8b"
_WIDE = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_KINDS = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a Word or OpenDocument file, or another archive"),
    (b"\xd0\xcf\x11\xe0", "a Word file"),
    (b"{\\rtf", "a Rich Text file"),
    (_GZIP_MARK, "a compressed file"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x7fELF", "a program"),
)
# Octets are counted by what is left without them: a match for each would be a list of millions.
_CONTROLS = bytes([*range(0x01, 0x07), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_C1 = re.compile(rb"[\x80-\x9f]")
_RUNS = re.compile(rb"[\x80-\xff]{4,}")
_HIGH = bytes(range(0x80, 0x100))
_GZIP = 16 + zlib.MAX_WBITS  # a gzip file with its head and check, and nothing else
_SAVE = "Save it as plain text in UTF-8."
_SOURCE = "RFC 3629"


class UnreadableText(ValueError):
    """Bytes that are no text that is read here; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, the encoding it came in, and what was odd about that."""

    text: str
    encoding: str
    problems: tuple[TemplateDiagnostic, ...] = ()


def decode_text(data: bytes) -> DecodedText:
    """The text of a file in UTF-8, Latin-1 or Windows-1252, with line feeds as its line ends.

    What is no UTF-8 is Windows-1252 where it has octets that only this has characters for, and
    Latin-1 where it has none of them. Controls other than U+0000 stay in the text.

    Raises UnreadableText for more than 5 MB, UTF-16 and UTF-32, files of other kinds than text,
    damaged UTF-8, and encodings of other scripts, which cannot be told apart.

    Source: RFC 3629 section 3; ISO/IEC 8859-1.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableText("The file is larger than 5 MB. Check that it is a template.")
    _refuse_other_kinds(data)
    encoding = _encoding(data)
    raw = data.removeprefix(_MARK).decode(encoding)
    return DecodedText(
        text=raw.replace("\r\n", "\n").replace("\r", "\n"),
        encoding=encoding,
        problems=(*_of_encoding(encoding), *_of_line_ends(raw)),
    )


def unpack_gzip(data: bytes) -> bytes:
    """What a gzip file holds; other octets as they are.

    Raises UnreadableText for one that holds more than 5 MB, of which no more is unpacked, that is
    damaged or cut short, and for one with anything behind it.

    Source: RFC 1952.
    """
    if not data.startswith(_GZIP_MARK):
        return data
    unpacking = zlib.decompressobj(_GZIP)
    try:
        unpacked = unpacking.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise UnreadableText("The gzip file is damaged. Download it again.") from error
    if len(unpacked) > MAX_BYTES:
        raise UnreadableText("Unpacked, the file is larger than 5 MB. Check that it is a template.")
    if not unpacking.eof or unpacking.unused_data:
        raise UnreadableText("The gzip file is incomplete or has extra data. Download it again.")
    return unpacked


def _refuse_other_kinds(data: bytes) -> None:
    for mark, name in _WIDE:
        if data.startswith(mark):
            raise UnreadableText(f"The file is encoded as {name}. {_SAVE}")
    for mark, name in _KINDS:
        if data.startswith(mark):
            raise UnreadableText(f"This is {name}, not plain text. {_SAVE}")
    if b"\0" in data:
        evenly = data[:1000].count(b"\0") * 3 > max(9, len(data[:1000]))
        what = "in UTF-16" if evenly else f"binary: byte {data.index(0) + 1} is 0"
        raise UnreadableText(f"The file is {what}. {_SAVE}")
    if _count(data, _CONTROLS) * 50 > len(data):
        raise UnreadableText(f"The file has too many control characters to be text. {_SAVE}")


def _count(data: bytes, octets: bytes) -> int:
    return len(data) - len(data.translate(None, octets))


def _encoding(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _western(data, error.start)
    return "utf-8"


def _western(data: bytes, bad: int) -> str:
    read = data.decode("utf-8", "replace")
    wrong = read.count("\ufffd")
    beyond_ascii = len(read) - len(read.encode("ascii", "ignore"))
    if beyond_ascii - wrong > 3 * wrong:
        raise UnreadableText(f"The file is almost UTF-8, but byte {bad + 1} isn't valid. {_SAVE}")
    in_runs = len(data) - len(_RUNS.sub(b"", data))
    if in_runs * 2 > _count(data, _HIGH) or _UNDEFINED.search(data):
        raise UnreadableText(f"The file isn't UTF-8, Latin-1 or Windows-1252. {_SAVE}")
    return "windows-1252" if _C1.search(data) else "iso-8859-1"


def _of_encoding(encoding: str) -> tuple[TemplateDiagnostic, ...]:
    if encoding == "utf-8":
        return ()
    name = {"iso-8859-1": "Latin-1", "windows-1252": "Windows-1252"}[encoding]
    message = (
        f"The text was read as {name}. Check accented and special characters, and save it as UTF-8."
    )
    return (TemplateDiagnostic(line=1, code="encoding", message=message, source=_SOURCE),)


def _of_line_ends(raw: str) -> tuple[TemplateDiagnostic, ...]:
    both = raw.count("\r\n")
    if sum((both > 0, raw.count("\r") > both, raw.count("\n") > both)) < 2:
        return ()
    message = "Line endings were mixed. All were made the same."
    return (
        TemplateDiagnostic(line=1, code="line-ends", message=message, source="RFC 5198 section 2"),
    )
