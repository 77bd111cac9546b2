"""What stands in the headers of a message: words, addresses, Message-IDs, a date."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import groupby
from urllib.parse import unquote_to_bytes

from app.messages.mime_charsets import decode_bytes, one_line

MOST_ADDRESSES = 100
MOST_IDS = 100
LONGEST_NAME = 200
_LONGEST_DATE = 100

_WORD = re.compile(r"=\?([^?\s]{1,80})\?([BbQq])\?([^?]{0,4000})\?=")
_BETWEEN = re.compile(r"(\?=)\s+(?==\?)")
_ID = re.compile(r"<([!-;=?-~]{1,250})>")
_ADDRESS = re.compile(
    r"[^\s<>@\"(),:;\\\[\]\x00-\x20\x7f-\x9f]{1,64}@"
    r"[^\s<>@\"(),:;\\\[\]_/\x00-\x20\x7f-\x9f]{1,255}"
)
_PARAMETER = re.compile(r';\s*+([^\s=;"]{1,80})\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^;]*+))')


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A name and an address; either can be empty."""

    name: str
    address: str


def decode_words(value: str) -> str:
    """A header's text with its encoded words read; a word that cannot be read stays.

    Neighbours in one charset are joined before they are read, since some senders divide a
    character between them.

    Source: RFC 2047 section 6.
    """
    value = _BETWEEN.sub(r"\1", value)
    pieces: list[tuple[str, bytes | str]] = []
    at = 0
    for found in _WORD.finditer(value):
        if found.start() > at:
            pieces.append(("", value[at : found.start()]))
        data = _word(found[2], found[3])
        charset = found[1].partition("*")[0].lower()
        pieces.append(("", found[0]) if data is None else (charset, data))
        at = found.end()
    pieces.append(("", value[at:]))
    return "".join(_joined(charset, group) for charset, group in groupby(pieces, lambda p: p[0]))


def _joined(charset: str, group: Iterator[tuple[str, bytes | str]]) -> str:
    parts = [part for _, part in group]
    if not charset:
        return "".join(part for part in parts if isinstance(part, str))
    return decode_bytes(b"".join(part for part in parts if isinstance(part, bytes)), charset)


def _word(encoding: str, text: str) -> bytes | None:
    try:
        data = text.encode("ascii")
        if encoding in "Qq":
            return binascii.a2b_qp(data, header=True)
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    except (UnicodeEncodeError, binascii.Error):
        return None


def is_address(text: str) -> bool:
    """Whether a text is an address that mail here is read from and sent to.

    Source: RFC 5322 section 3.4.1; RFC 6531 section 3.3.
    """
    return _ADDRESS.fullmatch(text) is not None


def read_addresses(value: str) -> tuple[Mailbox, ...]:
    """The mailboxes of an address header, each with its name; what is no address is left out.

    Groups are read as their members. A quoted local part is not read, since nobody here
    can have one.

    Source: RFC 5322 section 3.4; RFC 6531 section 3.3.
    """
    found = (_mailbox(item) for item in _items(value))
    return tuple(box for box in found if box.address)[:MOST_ADDRESSES]


def _items(value: str) -> Iterator[str]:
    item: list[str] = []
    quoted, depth, escaped = False, 0, False
    for letter in value:
        if escaped:
            escaped = False
            item.append("" if depth else letter)
        elif letter == "\\" and (quoted or depth):
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
            item.append(letter)
        elif not quoted and letter in "()":
            depth = depth + 1 if letter == "(" else max(0, depth - 1)
            item.append(" ")
        elif not quoted and not depth and letter in ",;":
            yield "".join(item)
            item = []
        elif not depth:
            item.append(letter)
    yield "".join(item)


def _mailbox(item: str) -> Mailbox:
    name, opened, rest = item.rpartition("<")
    text = rest.partition(">")[0] if opened else item.rpartition(":")[2]
    text = text.rpartition(":")[2].strip()  # a route before an address, RFC 5322 section 4.4
    address = text if is_address(text) else ""
    words = decode_words(name.strip().strip('"').strip())
    return Mailbox(one_line(words, LONGEST_NAME), address)


def read_ids(value: str) -> tuple[str, ...]:
    """The Message-IDs in a header's value, in order, each as ``<id>`` of printable ASCII.

    Source: RFC 5322 section 3.6.4.
    """
    return tuple(dict.fromkeys(f"<{found}>" for found in _ID.findall(value)))[-MOST_IDS:]


def read_date(value: str) -> datetime | None:
    """The moment that a Date header names, in UTC; None for what is no date since 1970.

    Source: RFC 5322 section 3.3.
    """
    if not value.isascii() or len(value) > _LONGEST_DATE:
        return None
    try:
        read = parsedate_to_datetime(value)
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        moment = aware.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
        return None
    return moment if moment.year >= 1970 else None


def read_parameters(value: str) -> tuple[str, dict[str, str]]:
    """A structured header's first value, in lower case, and its parameters by name.

    Source: RFC 2045 section 5.1; RFC 2231 sections 3 and 4.
    """
    first = value.partition(";")[0].strip().lower()
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for name, in_quotes, bare in _PARAMETER.findall(value):
        base, _, rest = name.lower().partition("*")
        text = re.sub(r"\\(.)", r"\1", in_quotes) if in_quotes else bare.strip().strip('"')
        number = rest.rstrip("*")
        place = int(number) if re.fullmatch(r"[0-9]{1,3}", number, re.ASCII) else 0
        pieces.setdefault(base, []).append((place, name.endswith("*"), text))
    return first, {name: _together(parts) for name, parts in pieces.items()}


def _together(parts: list[tuple[int, bool, str]]) -> str:
    parts.sort(key=lambda part: part[0])
    if not any(coded for _, coded, _ in parts):
        return decode_words("".join(text for _, _, text in parts))
    charset, data = "", b""
    for n, (_, coded, part) in enumerate(parts):
        text = part
        if n == 0 and coded and part.count("'") >= 2:  # what the charset is stands before it
            charset, _, text = part.split("'", 2)
        data += unquote_to_bytes(text) if coded else text.encode("utf-8", "replace")
    return decode_bytes(data, charset)
