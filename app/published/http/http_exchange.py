"""A request as it was sent, and the answer to it, whichever server carries them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol
from urllib.parse import unquote_to_bytes

from app.problems.problem_codes import ProblemCode
from app.published.http.headers import EncodedHeaders, Headers, PreparedHeaders, encode_headers

READS = frozenset({"GET", "HEAD"})
# The beginning of a target in absolute form: the scheme and the authority.
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


class StreamedBody(Protocol):
    """Bytes that are sent piece by piece, and let go of in the end."""

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None:
        """Let go, read to the end or not."""


class HttpRequest(NamedTuple):
    """A request without its body.

    ``target`` is what was sent, in whatever form (RFC 9112 section 3.2); ``path`` is its path with
    percent-encodings taken out, a character for each octet; ``query`` stands as it was sent. Names
    of ``headers`` are in lower case, and fields of one name are one (RFC 9110 section 5.3).
    ``peer`` is the address of who connects, None where a server does not say.
    """

    method: str
    target: str
    path: str
    query: str
    headers: Mapping[str, str]
    version: str = "1.1"
    peer: str | None = None


class HttpAnswer(NamedTuple):
    """An answer: its status, its headers, and its bytes, at once or piece by piece.

    The headers may be those of many answers: whoever sends one adds to a copy. ``prepared`` are the
    same, where they lie ready as a server sends them. ``in_shell`` gives the page of a problem once
    more, in the shell of a site; None for everything else. ``refusal`` is the code of a problem,
    for the log.
    """

    status: int
    headers: Headers
    body: bytes | StreamedBody = b""
    prepared: PreparedHeaders | None = None
    in_shell: "Callable[[str], HttpAnswer] | None" = None
    refusal: ProblemCode | None = None

    @property
    def raw_headers(self) -> EncodedHeaders:
        return encode_headers(self.headers) if self.prepared is None else self.prepared.encoded


def split_target(method: str, target: str) -> tuple[str, str]:
    """The path of a target, percent-encodings taken out, and its query as it was sent.

    ``/a%20b?q`` gives ``/a b`` and ``q``, and so does ``http://host/a%20b?q``; ``*`` is a path, and
    ``host:443``, to which CONNECT asks for a tunnel, has none.

    Source: RFC 9112 section 3.2.
    """
    if method == "CONNECT" and target[:1] != "/":
        return "", ""
    origin = _ORIGIN.match(target)
    path, _, query = target[origin.end() if origin else 0 :].partition("#")[0].partition("?")
    if origin and not path:
        path = "*" if method == "OPTIONS" and not query else "/"
    return unquote_octets(path), query


def unquote_octets(path: str) -> str:
    return unquote_to_bytes(path.encode("latin-1")).decode("latin-1") if "%" in path else path


def join_fields(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Fields by their names, those of one name as one; names are given in lower case.

    Source: RFC 9110 section 5.3; RFC 9113 section 8.2.3 for cookies.
    """
    joined: dict[str, str] = {}
    for name, value in fields:
        separator = "; " if name == "cookie" else ", "
        joined[name] = f"{joined[name]}{separator}{value}" if name in joined else value
    return joined
