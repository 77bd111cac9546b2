"""Answers of servers, of which a bounded part is read around the body."""

from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from io import BufferedReader
from typing import Any

_MOST_AROUND = 64 * 1024  # octets; ``http.client`` takes as many for one line
_EACH = 128  # octets that could be read in the time that a line takes by itself, and a read
_INTERIM = frozenset({HTTPStatus.PROCESSING, HTTPStatus.EARLY_HINTS})


class UnboundedResponse(HTTPException):
    """More comes around the body of an answer than anybody sends who means well."""


class MeteredReader(BufferedReader):
    """Reads the octets of an answer, and counts those of its lines."""

    _left = _MOST_AROUND

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line. Raises UnboundedResponse where lines have had too many octets."""
        line = super().readline(size)
        self._left -= len(line) + _EACH
        if self._left < 0:
            raise UnboundedResponse("too many octets or lines around its body")
        return line

    def read(self, size: int | None = -1, /) -> bytes:
        """Octets of the body."""
        piece = super().read(size)
        self._left += len(piece) + _EACH
        return piece

    def readinto(self, buffer: Any, /) -> int:
        """Octets of the body, into a buffer."""
        taken = super().readinto(buffer)
        self._left += taken + _EACH
        return taken


class MeasuredResponse(HTTPResponse):
    """An answer that has a head of a bounded length, after a few interim ones at most."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fp = MeteredReader(self.fp.detach())

    def begin(self) -> None:
        """Read the head of the final answer.

        ``http.client`` skips an interim one of status 100, and takes another for the answer.
        Raises UnboundedResponse for too many. Source: RFC 9110 section 15.2.
        """
        super().begin()
        while self.status in _INTERIM:
            vars(self).update(headers=None)  # what lets it begin anew
            super().begin()
