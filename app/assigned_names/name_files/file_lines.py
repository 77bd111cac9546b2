"""Octets of any origin, cut into lines of UTF-8 that are never longer than memory has room for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["LONGEST_LINE", "FileLine", "file_lines"]

LONGEST_LINE: Final = 1_048_576  # octets, of one row too: over fifty of the longest elements
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# How pictures, PDF and archives begin, and so the files of spreadsheets: PNG, JPEG, GIF, PDF, ZIP.
_NO_TEXT = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04")


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line, numbered from 1, without its end. Where ``fault`` says why it is not read, ``text``
    is empty."""

    number: int
    text: str
    fault: str = ""


def file_lines(octets: Iterable[bytes]) -> Iterator[FileLine]:
    """Raises nothing of its own.

    Source: RFC 3629; RFC 4180 section 2.
    """
    for number, line in enumerate(_cut(octets), 1):
        yield _line(number, line.removeprefix(_BOM) if number == 1 else line)


def _line(number: int, line: bytes) -> FileLine:
    if len(line) > LONGEST_LINE:
        return FileLine(number, "", f"The line is longer than {LONGEST_LINE:,} bytes. Shorten it.")
    if number == 1 and line.startswith(_NO_TEXT):
        return FileLine(number, "", "This isn't a text file. Choose a text file in UTF-8.")
    try:
        return FileLine(number, line.decode())
    except UnicodeDecodeError as error:
        if number == 1 and line.startswith(_UTF_16):
            return FileLine(number, "", "The file is in UTF-16. Save it in UTF-8.")
        fault = f"Byte {error.start + 1} of the line isn't UTF-8. Save the file in UTF-8."
        return FileLine(number, "", fault)


def _cut(octets: Iterable[bytes]) -> Iterator[bytes]:
    begun = bytearray()
    for piece in _whole_ends(octets):
        *whole, rest = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            yield _joined(begun, line) if begun else line[: LONGEST_LINE + 1]
            begun.clear()
        begun += rest[: LONGEST_LINE + 1 - len(begun)]
    if begun:
        yield bytes(begun)


def _joined(begun: bytearray, line: bytes) -> bytes:
    return bytes(begun + line[: LONGEST_LINE + 1 - len(begun)])


def _whole_ends(octets: Iterable[bytes]) -> Iterator[bytes]:
    is_open = False
    for piece in octets:
        whole = b"\r" + piece if is_open else piece
        is_open = whole.endswith(b"\r")
        yield whole[:-1] if is_open else whole
    if is_open:
        yield b"\n"
