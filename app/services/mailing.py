"""Sending what waits in the outbox."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage

from app.messages.notices import compose
from app.services.sign_in import LINK_LASTS, token_of
from app.store import outbox
from app.store.database import transaction
from app.store.tables.outbox import Delivery

_log = logging.getLogger(__name__)
_MOST_ATTEMPTS = 12


def send_waiting(
    at: datetime,
    *,
    deliver: Callable[[EmailMessage], None],
    sender: str,
    secret: str,
    base_url: str,
) -> int:
    """Send every message that is due; gives how many the server took.

    A message counts as sent only once ``deliver`` has returned, so that one may go out
    twice, under one Message-ID, but none is lost.
    """
    with transaction():
        messages = outbox.lease(at)
    return sum(_send(message, at, deliver, sender, secret, base_url) for message in messages)


def _send(
    message: outbox.Message,
    at: datetime,
    deliver: Callable[[EmailMessage], None],
    sender: str,
    secret: str,
    base_url: str,
) -> bool:
    if message.sign_in and at - message.created > LINK_LASTS:
        return _note(message, Delivery.FAILED, "the link was too old to be of use")
    arguments = dict(message.arguments)
    if message.sign_in:
        arguments["link"] = f"{base_url}/sign-in/{token_of(message.sign_in, secret)}"
    try:
        deliver(
            compose(
                message.template,
                arguments,
                sender=sender,
                recipient=message.recipient,
                message_id=message.message_id,
                date=message.created,
            )
        )
    except (OSError, ValueError) as error:
        return _retry(message, at, f"{type(error).__name__}: {error}")
    _note(message, Delivery.SENT, "")
    return True


def _retry(message: outbox.Message, at: datetime, why: str) -> bool:
    _log.warning("message %s was not sent: %s", message.id, why)
    if message.attempts >= _MOST_ATTEMPTS:
        return _note(message, Delivery.FAILED, why)
    return _note(message, Delivery.WAITING, why, at + timedelta(minutes=2**message.attempts / 2))


def _note(
    message: outbox.Message, state: Delivery, why: str, next_at: datetime | None = None
) -> bool:
    with transaction():
        outbox.mark(message.id, state, why=why, next_at=next_at)
    return False
