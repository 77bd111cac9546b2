"""Hands a message to a mail server."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from urllib.parse import SplitResult, unquote, urlsplit

TIMEOUT = 30


def send(message: EmailMessage, smtp_url: str) -> None:
    """Send a message; returns once the server has taken it with 250.

    ``smtp://`` uses STARTTLS where the server offers it and insists on it before a
    password is sent; ``smtps://`` is TLS from the start. Raises OSError, of which
    smtplib's exceptions are kinds, with the server's words.
    """
    parts = urlsplit(smtp_url)
    with _connected(parts) as server:
        server.ehlo_or_helo_if_needed()
        if parts.scheme == "smtp":
            _secure(server, needed=bool(parts.username))
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        _hand_over(server, message)


def _hand_over(server: smtplib.SMTP, message: EmailMessage) -> None:
    """Send it to the byte; smtplib's own way would write a mark before a line's first `From`."""
    ends = [message[name].addresses[0].addr_spec for name in ("From", "To")]
    other_script = not "".join(ends).isascii()
    if other_script and not server.has_extn("smtputf8"):
        raise smtplib.SMTPNotSupportedError("an address in another script needs SMTPUTF8")
    options = ("SMTPUTF8", "BODY=8BITMIME") if other_script else ()
    policy = (SMTPUTF8 if other_script else SMTP).clone(max_line_length=None)
    server.sendmail(ends[0], ends[1], message.as_bytes(policy=policy), options)


@contextmanager
def _connected(parts: SplitResult) -> Iterator[smtplib.SMTP]:
    host = parts.hostname or "localhost"
    server = (
        smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT, context=_context())
        if parts.scheme == "smtps"
        else smtplib.SMTP(host, parts.port or 25, timeout=TIMEOUT)
    )
    try:
        yield server
        with suppress(OSError):
            server.quit()  # the message is taken, whatever the server says to this
    finally:
        server.close()


def _secure(server: smtplib.SMTP, *, needed: bool) -> None:
    if server.has_extn("starttls"):
        server.starttls(context=_context())
        server.ehlo()
    elif needed:
        raise smtplib.SMTPNotSupportedError("no STARTTLS, so no password is sent")


def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
