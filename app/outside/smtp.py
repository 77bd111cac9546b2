"""Hands a message to a mail server."""

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from app.messages.delivery_errors import (
    DeliveryError,
    MailAccessRefused,
    MessageDeferred,
    MessageRejected,
)

TIMEOUT: float = 30
_PERMANENT = range(500, 600)
_AUTHENTICATE_FIRST = 530  # an answer that is about the settings: RFC 4954 section 6
_TOO_LARGE = 552  # the one answer to MAIL that is about the message: RFC 1870 section 6.1
_CLOSES = 421  # whatever was asked: the server goes away, RFC 5321 section 3.8

Hear = Callable[[str], None]


class _NoStartTls(smtplib.SMTPNotSupportedError):
    """The server offers no TLS, and a password would go over an open line."""


class _NoSmtpUtf8(smtplib.SMTPNotSupportedError):
    """The server takes no address in another script; others it takes."""


def _unheard(_line: str) -> None: ...


def send(message: EmailMessage, smtp_url: str, hear: Hear = _unheard) -> None:
    """Send a message; returns once the server has taken it with 250.

    ``smtp://`` uses STARTTLS where the server offers it and insists on it before a
    password is sent; ``smtps://`` is TLS from the start. ``hear`` is told each line of the
    dialogue, without the password. Raises MessageRejected, MailAccessRefused or DeliveryError with
    the server's words, and OSError where it says nothing.
    """
    parts = urlsplit(smtp_url)
    try:
        with _connected(parts, hear) as server:
            _introduce(server, parts)
            _hand_over(server, message)
    except (smtplib.SMTPException, ssl.SSLCertVerificationError) as error:
        raise _meaning(error)(words_of(error)) from error


def check(smtp_url: str, *, patience: float) -> None:
    """Come as far as a message would be handed over, and hand none over.

    ``patience`` is how many seconds the server has for each answer. Raises what ``send`` does.
    """
    parts = urlsplit(smtp_url)
    try:
        with _connected(parts, _unheard, patience) as server:
            _introduce(server, parts)
    except (smtplib.SMTPException, ssl.SSLCertVerificationError) as error:
        raise _meaning(error)(words_of(error)) from error


def _introduce(server: smtplib.SMTP, parts: SplitResult) -> None:
    server.ehlo_or_helo_if_needed()
    if parts.scheme == "smtp":
        _secure(server, needed=bool(parts.username))
    if parts.username:
        server.login(unquote(parts.username), unquote(parts.password or ""))


_OF_MESSAGE = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, _NoSmtpUtf8)
_UNSAFE = (ssl.SSLCertVerificationError, _NoStartTls)


def _meaning(error: OSError) -> type[DeliveryError]:
    if isinstance(error, _UNSAFE):
        return MailAccessRefused
    code = _code_of(error)
    if code in _PERMANENT:
        return MessageRejected if _is_of_message(error, code) else MailAccessRefused
    return MessageDeferred if code != _CLOSES and _is_of_message(error, code) else DeliveryError


def _is_of_message(error: OSError, code: int) -> bool:
    if isinstance(error, smtplib.SMTPSenderRefused):
        return code == _TOO_LARGE
    return isinstance(error, _OF_MESSAGE) and code != _AUTHENTICATE_FIRST


def _code_of(error: OSError) -> int:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return next(code for code, _ in error.recipients.values())
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0


def words_of(error: OSError) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        said = (_said(code, words) for code, words in error.recipients.values())
        return ", ".join(dict.fromkeys(said))
    if isinstance(error, smtplib.SMTPResponseException):
        return _said(error.smtp_code, error.smtp_error)
    return str(error) or type(error).__name__


def _said(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {_shown(' '.join(text.split()))}"


def _shown(line: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in line)


class _TranscribedSmtp(smtplib.SMTP):
    def __init__(self, hear: Hear, *arguments: Any, **options: Any) -> None:
        self._hear, self._secret = hear, False
        super().__init__(*arguments, **options)

    def send(self, s: Any) -> None:
        if isinstance(s, str):
            words = s.rstrip("\r\n")
            kept = "AUTH " if words.startswith("AUTH ") else ""
            self._hear(f"> {kept}***" if self._secret else f"> {_shown(words)}")
        else:
            self._hear(f"> (the message, {len(s)} bytes)")
        super().send(s)

    def getreply(self) -> tuple[int, bytes]:
        code, words = super().getreply()
        *before, last = words.decode("utf-8", "replace").split("\n")
        for line in before:
            self._hear(f"< {code}-{_shown(line)}")
        self._hear(f"< {code} {_shown(last)}")
        return code, words

    def auth(
        self, mechanism: str, authobject: Any, *, initial_response_ok: bool = True
    ) -> tuple[int, bytes]:
        self._secret = True
        try:
            return super().auth(mechanism, authobject, initial_response_ok=initial_response_ok)
        finally:
            self._secret = False

    def starttls(self, *arguments: Any, **options: Any) -> tuple[int, bytes]:
        answer = super().starttls(*arguments, **options)
        self._hear("* TLS starts here")
        return answer


class _TranscribedSmtpOverTls(_TranscribedSmtp, smtplib.SMTP_SSL):
    """A transcribed dialogue with a mail server over TLS from the start."""


def _hand_over(server: smtplib.SMTP, message: EmailMessage) -> None:
    ends = [message[name].addresses[0].addr_spec for name in ("From", "To")]
    other_script = not "".join(ends).isascii()
    if other_script and not server.has_extn("smtputf8"):
        raise _NoSmtpUtf8("an address with non-ASCII characters needs SMTPUTF8")
    options = ("SMTPUTF8", "BODY=8BITMIME") if other_script else ()
    policy = (SMTPUTF8 if other_script else SMTP).clone(max_line_length=None)
    server.sendmail(ends[0], ends[1], message.as_bytes(policy=policy), options)


@contextmanager
def _connected(
    parts: SplitResult, hear: Hear, patience: float | None = None
) -> Iterator[smtplib.SMTP]:
    timeout = TIMEOUT if patience is None else patience
    host = parts.hostname or "localhost"
    server: smtplib.SMTP = (
        _TranscribedSmtpOverTls(hear, host, parts.port or 465, timeout=timeout, context=_context())
        if parts.scheme == "smtps"
        else _TranscribedSmtp(hear, host, parts.port or 25, timeout=timeout)
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
        raise _NoStartTls("the server has no STARTTLS, so no password was sent")


def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
