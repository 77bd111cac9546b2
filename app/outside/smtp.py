"""Hands a message to a mail server."""

import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

TIMEOUT = 30


def send(message: EmailMessage, smtp_url: str) -> None:
    """Send a message; returns once the server has taken it with 250.

    ``smtp://`` uses STARTTLS where the server offers it and insists on it before a
    password is sent; ``smtps://`` is TLS from the start. Raises OSError, of which
    smtplib's exceptions are kinds, with the server's words.
    """
    parts = urlsplit(smtp_url)
    context = ssl.create_default_context()
    host, port = parts.hostname or "localhost", parts.port
    with (
        smtplib.SMTP_SSL(host, port or 465, timeout=TIMEOUT, context=context)
        if parts.scheme == "smtps"
        else smtplib.SMTP(host, port or 25, timeout=TIMEOUT)
    ) as server:
        if parts.scheme == "smtp" and (server.ehlo()[0] and server.has_extn("starttls")):
            server.starttls(context=context)
        elif parts.scheme == "smtp" and parts.username:
            raise smtplib.SMTPNotSupportedError("no STARTTLS, so no password is sent")
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
