"""The command that tries the mail settings, against a mail server."""

import ssl

import pytest

from app.commands.shell import DONE, FOUND, MISUSED
from app.outside import smtp
from tests.cli.conftest import Run, SetUp
from tests.outside.test_smtp import HERE, Mailbox, Running, free_port, mailbox, tls

__all__ = ["mailbox"]  # a fixture

PASSWORD = "registry:p%40ss%3Aword"


MESSAGE = b"From: who@x.example\nMessage-ID: <1@x.example>\nSubject: Hi\n\nHello\n"


def test_a_message_from_a_pipe_is_filed_once(run: Run, set_up: SetUp) -> None:
    set_up()
    assert run("mail", "ingest", stdin=MESSAGE) == (
        DONE,
        "",
        "queued  No account has this address.\n",
    )
    assert run("mail", "ingest", stdin=MESSAGE) == (
        DONE,
        "",
        "ignored  The message was received before.\n",
    )
    assert run("mail", "ingest", stdin=b"")[0] == DONE, "whatever comes"


def test_a_message_stays_with_the_mail_server_while_the_database_is_away(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "postgresql://nobody@/nothing?host=/nowhere"
    monkeypatch.setenv("URN_REGISTRY_DATABASE_URL", address)
    code, _, words = run("mail", "ingest", stdin=MESSAGE)
    assert (code, words.split(";")[0]) == (75, "The message wasn't filed")


def test_a_message_stays_with_the_mail_server_whatever_is_wrong_here(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, words = run("mail", "ingest", stdin=MESSAGE)
    assert (code, words.split(";")[0]) == (75, "The message wasn't filed"), "no database yet"
    monkeypatch.setenv("URN_REGISTRY_BASE_URL", "nowhere")
    code, _, words = run("mail", "ingest", stdin=MESSAGE)
    assert (code, "BASE_URL" in words) == (75, True)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(smtp, "_context", lambda: ssl.create_default_context(cafile=str(HERE)))
    monkeypatch.setenv("URN_REGISTRY_MAIL_FROM", "registry@registry.example")
    monkeypatch.setenv("URN_REGISTRY_BASE_URL", "https://registry.example")
    return monkeypatch


def test_a_test_message_is_sent_and_the_dialogue_shown(
    run: Run, at: pytest.MonkeyPatch, mailbox: Mailbox
) -> None:
    with Running(mailbox) as address:
        at.setenv("URN_REGISTRY_SMTP_URL", f"smtp://{address}")
        code, out, err = run("mail", "send", "--to", "robin@org.example")
    assert code == DONE
    assert err == "The mail server accepted the message for robin@org.example.\n"
    lines = out.splitlines()
    assert lines[0].startswith("< 220 ")
    assert lines[1].startswith("> ehlo ")
    assert "> mail FROM:<registry@registry.example> size=" in out
    assert "> rcpt TO:<robin@org.example>" in lines
    assert lines[-4:] == [lines[-4], "< 250 OK", "> quit", "< 221 Bye"]
    assert lines[-4].startswith("> (the message, ")
    message = mailbox.received()
    assert message["Message-ID"].endswith("@registry.example>")
    assert message["Subject"] == "Test message from the registry"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "https://registry.example" in str(message.get_content())


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_password_is_never_shown(
    run: Run, at: pytest.MonkeyPatch, mailbox: Mailbox, scheme: str
) -> None:
    options = (
        {"tls_context": tls(), "require_starttls": True}
        if scheme == "smtp"
        else {"ssl_context": tls(), "auth_require_tls": False}
    )
    with Running(mailbox, **options) as address:
        at.setenv("URN_REGISTRY_SMTP_URL", f"{scheme}://{PASSWORD}@{address}")
        code, out, err = run("mail", "send", "--to", "robin@org.example")
        at.setenv("URN_REGISTRY_SMTP_URL", f"{scheme}://registry:wrong@{address}")
        refused, out_then, err_then = run("mail", "send", "--to", "robin@org.example")
    assert code == DONE
    assert "> AUTH ***" in out.splitlines()
    assert ("* TLS starts here" in out) == (scheme == "smtp")
    assert refused == FOUND
    assert err_then == "The message wasn't sent: 535 5.7.8 Authentication credentials invalid\n"
    for said in (out, err, out_then, err_then):
        assert "p@ss" not in said
        assert "wrong" not in said
        sent = [line for line in said.splitlines() if line.startswith("> ") and "***" not in line]
        assert not any("AUTH" in line for line in sent)
    assert {line for line in out_then.splitlines() if "***" in line} <= {"> AUTH ***", "> ***"}


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("RCPT", "550 5.1.1 no such user"),
        ("MAIL", "451 not now"),
        ("DATA", "554 this looks like spam"),
    ],
)
def test_a_refusal_is_told_in_the_servers_words(
    run: Run, at: pytest.MonkeyPatch, mailbox: Mailbox, command: str, answer: str
) -> None:
    mailbox.answers[command] = answer
    with Running(mailbox) as address:
        at.setenv("URN_REGISTRY_SMTP_URL", f"smtp://{address}")
        code, out, err = run("mail", "send", "--to", "robin@org.example")
    assert code == FOUND
    assert err == f"The message wasn't sent: {answer}\n"
    assert f"< {answer}" in out.splitlines()


def test_a_server_that_is_away_is_told_of(run: Run, at: pytest.MonkeyPatch) -> None:
    at.setenv("URN_REGISTRY_SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    code, out, err = run("mail", "send", "--to", "robin@org.example")
    assert (code, out) == (FOUND, "")
    assert "Connection refused" in err


def test_a_line_without_tls_takes_no_password(
    run: Run, at: pytest.MonkeyPatch, mailbox: Mailbox
) -> None:
    with Running(mailbox) as address:
        at.setenv("URN_REGISTRY_SMTP_URL", f"smtp://{PASSWORD}@{address}")
        code, out, err = run("mail", "send", "--to", "robin@org.example")
    assert code == FOUND
    assert "no STARTTLS" in err
    assert "AUTH" not in "".join(line for line in out.splitlines() if line.startswith(">"))


@pytest.mark.parametrize(
    ("url", "sender", "recipient", "words"),
    [
        ("", "a@x.example", "robin@org.example", "URN_REGISTRY_SMTP_URL: enter"),
        ("smtp://localhost", "a@x.example", "robin", "isn't an e-mail address"),
        (
            "smtp://localhost",
            "a@x.example",
            "a@x.example\nBcc: b@x.example",
            "isn't an e-mail address",
        ),
        ("smtp://localhost:99999", "a@x.example", "robin@org.example", "port isn't valid"),
        ("smtp://localhost", "a@x.example\r\nBcc: x", "robin@org.example", "one line"),
        ("http://localhost", "a@x.example", "robin@org.example", "enter smtp://"),
    ],
)
def test_what_cannot_be_tried_is_refused(
    run: Run, at: pytest.MonkeyPatch, url: str, sender: str, recipient: str, words: str
) -> None:
    at.setenv("URN_REGISTRY_SMTP_URL", url)
    at.setenv("URN_REGISTRY_MAIL_FROM", sender)
    code, out, err = run("mail", "send", "--to", recipient)
    assert (code, out) == (MISUSED, "")
    assert words in err


def test_what_a_server_says_cannot_move_the_cursor(
    run: Run, at: pytest.MonkeyPatch, mailbox: Mailbox
) -> None:
    mailbox.answers["RCPT"] = "550-first\r\n550 \x1b[2Jgone"
    with Running(mailbox) as address:
        at.setenv("URN_REGISTRY_SMTP_URL", f"smtp://{address}")
        code, out, err = run("mail", "send", "--to", "robin@org.example")
    assert code == FOUND
    assert {"< 550-first", "< 550 \ufffd[2Jgone"} <= set(out.splitlines())
    assert err == "The message wasn't sent: 550 first \ufffd[2Jgone\n"
