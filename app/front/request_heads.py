"""Heads of requests: which can be read in one way alone, and which need no more than a look."""

import re
from typing import NamedTuple

from app.front.request_problems import BROKEN, NO_CODING, NO_HOST, NO_VERSION, RequestRefused
from app.published.http.http_exchange import EncodedHeaders

_HOST = re.compile(rb"[A-Za-z0-9._~!$&'()*+,;=:%\[\]-]*")  # RFC 3986 section 3.2, without a user
_UNDERSTOOD = ("1.1", "1.0")
# Whoever reads such a target finds one path and one query: nothing in it is encoded, and there is
# neither an origin nor a fragment. Nearly all are so.
_PLAIN_TARGET = re.compile(rb"/[A-Za-z0-9._~!$&'()*+,;=:@/?-]*")
_READS = (b"GET", b"HEAD")
_FRAMING = frozenset((b"host", b"transfer-encoding", b"content-length", b"expect"))


class HeadFraming(NamedTuple):
    """What the fields of a head say of where the request ends, and of whom it is for.

    ``length`` are the octets of all fields; ``waits`` says that something is expected before the
    body is sent (RFC 9110 section 10.1.1).
    """

    length: int
    hosts: list[bytes]
    codings: list[bytes]
    has_body: bool
    waits: bool


def framing_of(fields: EncodedHeaders) -> HeadFraming:
    """The framing of a request, not yet judged; names are in lower case."""
    hosts: list[bytes] = []
    codings: list[bytes] = []
    length, has_length, waits = 0, False, False
    for name, value in fields:  # once, since each request comes by here
        length += len(name) + len(value) + 4
        if name not in _FRAMING:
            continue
        if name == b"host":
            hosts.append(value)
        elif name == b"transfer-encoding":
            codings.append(value.lower())
        elif name == b"content-length":
            has_length = True
        else:
            waits = True
    return HeadFraming(length, hosts, codings, has_length or bool(codings), waits)


def check_framing(version: str, framing: HeadFraming) -> None:
    """Raise RequestRefused for what two servers could read differently.

    Source: RFC 9112 sections 3.2 and 6.1.
    """
    hosts, codings = framing.hosts, framing.codings
    if version not in _UNDERSTOOD:
        raise RequestRefused(NO_VERSION)
    if len(hosts) > 1 or (version == "1.1" and not hosts):
        raise RequestRefused(NO_HOST)
    if hosts and not _HOST.fullmatch(hosts[0]):
        raise RequestRefused(NO_HOST)
    if codings and version == "1.0":
        raise RequestRefused(BROKEN)
    if codings and codings != [b"chunked"]:
        raise RequestRefused(NO_CODING)


def is_plain_read(method: bytes, target: bytes, framing: HeadFraming) -> bool:
    is_whole = not (framing.has_body or framing.waits)
    return is_whole and method in _READS and _PLAIN_TARGET.fullmatch(target) is not None


def accept_of(fields: EncodedHeaders) -> str:
    """What a head says by Accept, as one list (RFC 9110 section 5.2)."""
    return ", ".join(value.decode("latin-1") for name, value in fields if name == b"accept")
