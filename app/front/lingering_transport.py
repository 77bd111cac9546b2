"""The last of a connection: whoever is still sending can read the answer."""

import asyncio
from collections.abc import Callable


class LingeringTransport(asyncio.Transport):
    """A transport whose close lets the other end read the answer.

    While something of a request is on its way, a plain close would be a reset, which takes from
    the client what it has not read yet; so that its own end is closed first (RFC 9112 section 9.6).
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        reads_on: Callable[[], bool],
        unread_seconds: float,
        stalled_seconds: float,
    ) -> None:
        super().__init__()
        self._transport, self._reads_on = transport, reads_on
        self._unread_seconds, self._stalled_seconds = unread_seconds, stalled_seconds
        self._is_closing = False
        # the rest is the transport's own, without a call between
        for name in ("write", "abort", "get_extra_info", "pause_reading", "resume_reading"):
            setattr(self, name, getattr(transport, name))

    def is_closing(self) -> bool:
        return self._is_closing or self._transport.is_closing()

    def close(self) -> None:
        """Send what is written, and close."""
        if self.is_closing():
            return
        self._is_closing = True
        later = asyncio.get_running_loop().call_later
        if self._reads_on():
            self._transport.write_eof()
            self._transport.resume_reading()
            later(self._unread_seconds, self._transport.abort)
            return
        self._transport.close()
        if self._transport.get_write_buffer_size():
            later(self._stalled_seconds, self._transport.abort)
