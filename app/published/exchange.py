"""A request as it was sent, and the answer to it, whichever server carries them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from app.published.headers import Headers


class FilePieces(Protocol):
    """Bytes that are sent piece by piece, and let go of in the end."""

    def __iter__(self) -> Iterator[bytes]:
        """Give the next pieces."""

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
    """An answer: its status, its headers, and its bytes, at once or piece by piece."""

    status: int
    headers: Headers
    body: bytes | FilePieces = b""
