"""Handing messages to a real mail server, with and without TLS."""

import socket
import ssl
import threading
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from app.messages.delivery_errors import (
    DeliveryError,
    MailAccessRefused,
    MessageDeferred,
    MessageRejected,
)
from app.messages.notices import WIDTH
from app.outside import smtp
from tests.messages.test_notices import composed

HERE = Path(__file__).parent / "localhost.pem"  # a key and its certificate, for tests alone


class Mailbox:
    def __init__(self) -> None:
        self.envelopes: list[Any] = []
        self.commands: list[str] = []
        self.answers: dict[str, str] = {}

    async def handle_MAIL(  # noqa: N802 — the name that the server asks for
        self, _server: SMTP, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        self.commands.append("MAIL")
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802 — the name that the server asks for
        self, _server: SMTP, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        answer = self.answers.get("RCPT", "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802 — the name that the server asks for
        self, _server: SMTP, _session: Any, envelope: Any
    ) -> str:
        self.envelopes.append(envelope)
        return self.answers.get("DATA", "250 OK")

    async def handle_QUIT(self, _server: SMTP, _session: Any, _envelope: Any) -> str:  # noqa: N802
        return self.answers.get("QUIT", "221 Bye")

    def authenticate(
        self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, given: Any
    ) -> AuthResult:
        self.commands.append("AUTH")
        wanted = LoginPassword(b"registry", b"p@ss:word")
        return AuthResult(success=given == wanted, handled=False)

    def received(self) -> EmailMessage:
        (envelope,) = self.envelopes
        message = message_from_bytes(envelope.content, EmailMessage, policy=policy.default)
        assert isinstance(message, EmailMessage)
        return message


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(HERE)
    return context


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


class Running:
    def __init__(self, mailbox: Mailbox, **options: Any) -> None:
        self._controller = Controller(
            mailbox,
            hostname="127.0.0.1",
            port=free_port(),
            authenticator=mailbox.authenticate,
            **options,
        )

    def __enter__(self) -> str:
        self._controller.start()
        return f"127.0.0.1:{self._controller.port}"

    def __exit__(self, *_: object) -> None:
        self._controller.stop()


@pytest.fixture
def plain(mailbox: Mailbox) -> Iterator[str]:
    with Running(mailbox) as address:
        yield address


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "_context", lambda: ssl.create_default_context(cafile=str(HERE)))


def test_a_message_arrives_as_it_was_written(mailbox: Mailbox, plain: str) -> None:
    text = "Grüße\n.\n..two dots\nFrom here on\n" + "word " * 40 + "\n    indented\n\n\nend"
    message = composed("registrant", reason=text)
    smtp.send(message, f"smtp://{plain}")
    (envelope,) = mailbox.envelopes
    assert (envelope.mail_from, envelope.rcpt_tos) == (
        "registry@registry.example",
        ["robin@org.example"],
    )
    received = mailbox.received()
    assert dict(received.items()).items() >= dict(message.items()).items()
    assert received.get_content().replace("\r\n", "\n") == message.get_content()
    assert "\n.\n..two dots\nFrom here on\n" in message.get_content()


def test_no_line_of_a_message_is_longer_than_it_should_be(mailbox: Mailbox, plain: str) -> None:
    smtp.send(composed("registrant", reason="word " * 1000), f"smtp://{plain}")
    (envelope,) = mailbox.envelopes
    assert max(map(len, envelope.content.split(b"\r\n"))) <= WIDTH + 6
    smtp.send(composed("registrant", reason="x" * 60_000), f"smtp://{plain}")
    assert max(map(len, mailbox.envelopes[-1].content.split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("command", "answer", "meaning"),
    [
        ("RCPT", "550 no such user", MessageRejected),
        ("RCPT", "530 5.7.0 authenticate first", MailAccessRefused),
        ("RCPT", "451 try again later", MessageDeferred),
        ("RCPT", "421 going down", DeliveryError),
        ("MAIL", "550 not from you", MailAccessRefused),
        ("MAIL", "552 too large", MessageRejected),
        ("MAIL", "451 try again later", DeliveryError),
        ("MAIL", "530 5.7.0 authenticate first", MailAccessRefused),
        ("DATA", "452 no room", MessageDeferred),
        ("DATA", "554 this looks like spam", MessageRejected),
    ],
)
def test_a_refusal_is_told_in_the_servers_words_with_what_it_means(
    mailbox: Mailbox, plain: str, command: str, answer: str, meaning: type[DeliveryError]
) -> None:
    mailbox.answers[command] = answer
    with pytest.raises(OSError, match=answer.partition(" ")[2]) as refusal:
        smtp.send(composed(), f"smtp://{plain}")
    assert type(refusal.value) is meaning
    assert smtp.words_of(refusal.value) == str(refusal.value) == answer


@pytest.mark.parametrize(("code", "meaning"), [("554", MailAccessRefused), ("421", DeliveryError)])
def test_a_greeting_that_refuses_is_about_the_settings_or_passes(
    code: str, meaning: type[DeliveryError]
) -> None:
    def greet() -> None:
        line, _ = server.accept()
        line.sendall(f"{code} no service here\r\n".encode())
        line.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        greeter = threading.Thread(target=greet)
        greeter.start()
        with pytest.raises(OSError, match="no service here") as refusal:
            smtp.send(composed(), f"smtp://127.0.0.1:{server.getsockname()[1]}")
        greeter.join()
    assert type(refusal.value) is meaning


def test_a_message_that_was_taken_is_sent_whatever_the_goodbye(
    mailbox: Mailbox, plain: str
) -> None:
    mailbox.answers["QUIT"] = "451 not so fast"
    smtp.send(composed(), f"smtp://{plain}")
    assert mailbox.received()["Message-ID"] == "<urn.58.1@registry.example>"


def test_a_server_that_is_away_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match=r"refused"):
        smtp.send(composed(), f"smtp://127.0.0.1:{free_port()}")


def test_a_server_that_says_nothing_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 0.2)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(OSError, match="timed out"),
    ):
        smtp.send(composed(), f"smtp://127.0.0.1:{silent.getsockname()[1]}")


def test_no_password_goes_over_an_open_line(mailbox: Mailbox, plain: str) -> None:
    with pytest.raises(MailAccessRefused, match="no STARTTLS"):
        smtp.send(composed(), f"smtp://registry:p%40ss%3Aword@{plain}")
    assert mailbox.commands == []


def test_a_message_without_a_password_goes_by_starttls_where_it_is_offered(
    mailbox: Mailbox, trusted: None
) -> None:
    with Running(mailbox, tls_context=tls(), require_starttls=True) as address:
        smtp.send(composed(), f"smtp://{address}")
    assert mailbox.received()["To"] == "robin@org.example"


def test_a_password_goes_once_the_line_is_closed(mailbox: Mailbox, trusted: None) -> None:
    with Running(mailbox, tls_context=tls(), require_starttls=True) as address:
        smtp.send(composed(), f"smtp://registry:p%40ss%3Aword@{address}")
        with pytest.raises(MailAccessRefused, match="535"):
            smtp.send(composed(), f"smtp://registry:wrong@{address}")
    assert mailbox.commands[:2] == ["AUTH", "MAIL"]
    assert set(mailbox.commands[2:]) == {"AUTH"}, "in one way after the other"


def test_tls_from_the_start(mailbox: Mailbox, trusted: None) -> None:
    with Running(mailbox, ssl_context=tls(), auth_require_tls=False) as address:
        smtp.send(composed(), f"smtps://registry:p%40ss%3Aword@{address}")
    assert mailbox.commands == ["AUTH", "MAIL"]
    assert mailbox.received()["To"] == "robin@org.example"


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_certificate_that_nobody_vouches_for_is_refused(mailbox: Mailbox, scheme: str) -> None:
    options: dict[str, Any] = {"ssl_context" if scheme == "smtps" else "tls_context": tls()}
    with (
        Running(mailbox, **options) as address,
        pytest.raises(MailAccessRefused, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        smtp.send(composed(), f"{scheme}://registry:p%40ss%3Aword@{address}")
    assert mailbox.commands == []


def test_an_address_in_another_script_is_refused_where_the_server_takes_none(
    mailbox: Mailbox,
) -> None:
    message = composed()
    del message["To"]
    message["To"] = "grüße@org.example"
    with (
        Running(mailbox, enable_SMTPUTF8=False) as address,
        pytest.raises(OSError, match="SMTPUTF8"),
    ):
        smtp.send(message, f"smtp://{address}")
    with Running(mailbox) as address:
        smtp.send(message, f"smtp://{address}")
    assert mailbox.envelopes[-1].rcpt_tos == ["grüße@org.example"]
