"""Commands for mail."""

import argparse
import os
import secrets
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.commands.shell import DONE, FOUND, MISUSED, add_command, add_group, write_message
from app.config import Settings, read_settings

if TYPE_CHECKING:
    from app.services.mail.incoming_mail import IngestResult

TRY_AGAIN = 75  # as mail servers know it: EX_TEMPFAIL of sysexits.h


def add_mail(commands: Any) -> None:
    """Add the group ``mail``."""
    mail = add_group(commands, "mail", "Send a test message and file incoming mail.")
    send = add_command(
        mail, "send", "Send a test message and show the replies of the mail server.", _send
    )
    send.add_argument("--to", required=True, metavar="ADDRESS", help="address of the recipient")

    add_command(mail, "ingest", "File one incoming message from standard input.", _ingest)


def _ingest(_arguments: argparse.Namespace) -> int:
    try:
        outcome = _filed(sys.stdin.buffer.read())
    except Exception as error:
        words = getattr(error, "orig", error)  # without the statement, which names people
        write_message(f"The message wasn't filed; try again: {type(error).__name__}: {words}")
        return TRY_AGAIN
    write_message(f"{outcome.filed} {outcome.request or ''} {outcome.why}".strip())
    return DONE


def _filed(raw: bytes) -> "IngestResult":
    from app.factory import now, open_application, shared_secret
    from app.services.mail.incoming_mail import ingest
    from app.services.policy import policy_of

    settings = read_settings(os.environ)
    with open_application(settings):
        policy = policy_of(settings, shared_secret(settings).agree())
        return ingest(raw, now(), policy, authserv_id=settings.authserv_id)


def _send(arguments: argparse.Namespace) -> int:
    from app.messages.header_fields import is_address

    settings = read_settings(os.environ)
    if not settings.smtp_url:
        write_message("No mail server is set. Set URN_REGISTRY_SMTP_URL.")
        return MISUSED
    if not is_address(arguments.to):
        write_message(
            f"{arguments.to!r} isn't an e-mail address. Enter one such as you@example.org."
        )
        return MISUSED
    return _try(settings, arguments.to)


def _try(settings: Settings, recipient: str) -> int:
    from app.factory import now
    from app.outside import smtp
    from app.pages.mail.letters import compose_letter

    host = urlsplit(settings.base_url).hostname
    try:
        message = compose_letter(
            "trial",
            {"base_url": settings.base_url},
            sender=settings.mail_from,
            recipient=recipient,
            message_id=f"<trial.{secrets.token_hex(8)}@{host}>",
            date=now(),
        )
        smtp.send(message, settings.smtp_url, _tell)
    except OSError as error:
        write_message(f"The message wasn't sent: {smtp.words_of(error)}")
        return FOUND
    except (ValueError, IndexError) as error:  # a host, a port or a sender that is none
        write_message(f"The mail settings aren't valid: {error}")
        return MISUSED
    write_message(f"The mail server accepted the message for {recipient}.")
    return DONE


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()  # shows each line while a slow server is answering
