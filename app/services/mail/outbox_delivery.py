"""Sending what waits in the outbox."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from enum import Enum, auto
from typing import Any

from app.messages.delivery_errors import (
    DeliveryError,
    MailAccessRefused,
    MessageDeferred,
    MessageRejected,
)
from app.messages.mailed_tokens import without_tokens
from app.pages.mail.letters import compose_letter
from app.services.accounts import sign_in
from app.services.accounts.sign_in import LINK_LASTS
from app.services.delegates import delegate_mail
from app.services.delegates.delegate_mail import CLAIM, LINKS
from app.services.mail.incoming_mail import reply_address
from app.store.accounts import account_rows
from app.store.database import read_transaction, transaction
from app.store.mail import outbox_messages

_log = logging.getLogger(__name__)
_MOST_ATTEMPTS = 15  # over more than four days: RFC 5321 section 4.5.4.1
_SHORTEST_WAIT, _NOT_LET_IN_WAIT = timedelta(minutes=1), timedelta(hours=1)
_NOT_LET_IN = "The mail server refused the registry’s sign-in. Check URN_REGISTRY_SMTP_URL"
_MOST_AT_ONCE = 20  # messages offered to the server in one turn
_MOST_LOOKED_AT = 200  # with those that are given up unsent, as links that are too old
_LONGEST_WHY = 2000

Deliver = Callable[[EmailMessage], None]
NoteLease = Callable[[str], None]


class DeliveryResult(Enum):
    """What became of a message, for those behind it."""

    TAKEN = auto()
    REFUSED = auto()  # it alone: the others go on
    GIVEN_UP = auto()  # it was not even offered
    STOPPED = auto()  # the server takes none, or nothing is due


@dataclass(frozen=True, slots=True)
class Mailer:
    """How messages are made and leave: what the worker knows from the settings."""

    deliver: Deliver
    sender: str
    secret: str
    base_url: str
    reply_to: str = ""
    note_lease: NoteLease = lambda _lease: None


def give_back(lease: str) -> None:
    """Let a message be sent again whose worker was killed; ``lease`` is what it noted."""
    with transaction():
        outbox_messages.give_back(lease)


def send_waiting(
    at: datetime,
    *,
    deliver: Deliver,
    sender: str,
    secret: str,
    base_url: str,
    reply_to: str = "",
    goes_on: Callable[[], bool] = lambda: True,
    note_lease: NoteLease = lambda _lease: None,
) -> int:
    """Send messages that are due, one after the other; gives how many the server took.

    A message counts as sent only once ``deliver`` has returned, so that one may go out
    twice, under one Message-ID, but none is lost. One that is refused delays nobody. Ends where
    the server takes none, stalls or is away: each of them would wait for it in vain; and after
    the message at hand where ``goes_on`` says no. ``note_lease`` gets the lease of the message at
    hand, and "" once there is none, for ``give_back`` in case this process is killed.
    """
    mailer = Mailer(deliver, sender, secret, base_url, reply_to, note_lease)
    outcomes = Counter[DeliveryResult]()
    while goes_on() and _may_offer_more(outcomes):
        outcome = _send_next(at, mailer)
        if outcome is DeliveryResult.STOPPED:
            break
        outcomes[outcome] += 1
    return outcomes[DeliveryResult.TAKEN]


def _may_offer_more(outcomes: Counter[DeliveryResult]) -> bool:
    offered = outcomes[DeliveryResult.TAKEN] + outcomes[DeliveryResult.REFUSED]
    return outcomes.total() < _MOST_LOOKED_AT and offered < _MOST_AT_ONCE


def _send_next(at: datetime, mailer: Mailer) -> DeliveryResult:
    with read_transaction():
        if not outbox_messages.is_due():
            return DeliveryResult.STOPPED
    with transaction():
        message = outbox_messages.lease(at)
        if message is not None:
            mailer.note_lease(message.lease)  # before others see that it is leased
    if message is None:
        return DeliveryResult.STOPPED
    result = _send(message, mailer)
    mailer.note_lease("")
    return result


def _send(message: outbox_messages.OutgoingMessage, mailer: Mailer) -> DeliveryResult:
    age = abs(message.leased_at - message.created)
    if message.sign_in and message.event is None and age > LINK_LASTS:
        _give_up(message, "The sign-in link had expired before the message was sent.")
        return DeliveryResult.GIVEN_UP
    try:
        letter = _letter(message, mailer)
    except (ValueError, KeyError) as error:  # it will never be another
        _give_up(message, f"{type(error).__name__}: {error}")
        return DeliveryResult.GIVEN_UP
    return _offer(message, letter, mailer)


def _offer(
    message: outbox_messages.OutgoingMessage, letter: EmailMessage, mailer: Mailer
) -> DeliveryResult:
    try:
        mailer.deliver(letter)
    except Exception as error:  # whatever it is, the message waits or fails in sight
        return _refused(message, error)
    with transaction():
        outbox_messages.mark_sent(message.id)
    return DeliveryResult.TAKEN


def _refused(message: outbox_messages.OutgoingMessage, error: Exception) -> DeliveryResult:
    if isinstance(error, MailAccessRefused):
        _wait_for_settings(message, str(error))
    elif isinstance(error, MessageRejected):
        _give_up(message, str(error))
    elif isinstance(error, DeliveryError):
        _try_again(message, str(error))
    else:
        _try_again(message, f"{type(error).__name__}: {error}")
    is_its_own = isinstance(error, MessageRejected | MessageDeferred) or not isinstance(
        error, OSError
    )
    return DeliveryResult.REFUSED if is_its_own else DeliveryResult.STOPPED


def _letter(message: outbox_messages.OutgoingMessage, mailer: Mailer) -> EmailMessage:
    arguments = _arguments(message, mailer)
    letter = compose_letter(
        message.template,
        arguments,
        sender=mailer.sender,
        recipient=message.recipient,
        message_id=message.message_id,
        date=message.created,
    )
    if mailer.reply_to and "number" in arguments:
        _let_reply(letter, message, int(arguments["number"]), mailer)
    return letter


def _arguments(message: outbox_messages.OutgoingMessage, mailer: Mailer) -> dict[str, Any]:
    arguments = {
        name: without_tokens(value) if isinstance(value, str) else value
        for name, value in message.arguments.items()
    }
    with read_transaction():
        if message.sign_in and message.event is None:
            token = sign_in.token_sent(message.sign_in, mailer.secret)
            arguments["link"] = f"{mailer.base_url}/sign-in/{token}"
        if CLAIM in arguments:
            token = delegate_mail.token_sent(int(arguments.pop(CLAIM)), mailer.secret)
            arguments["link"] = f"{mailer.base_url}{LINKS}{token}"
    return arguments


def _let_reply(
    letter: EmailMessage, message: outbox_messages.OutgoingMessage, request: int, mailer: Mailer
) -> None:
    with read_transaction():
        found = account_rows.find_account(message.recipient)
        known = (found.id, found.reply_generation) if found else None
    if known:
        account, generation = known
        letter["Reply-To"] = reply_address(
            mailer.reply_to,
            request,
            account,
            mailer.secret,
            at=message.created,
            generation=generation,
        )


def _try_again(message: outbox_messages.OutgoingMessage, why: str) -> None:
    if message.attempts >= _MOST_ATTEMPTS:
        _give_up(message, why)
    else:
        _note(message, why, _wait(message))


def _wait(message: outbox_messages.OutgoingMessage) -> timedelta:
    doubled = 1 << min(message.attempts, _MOST_ATTEMPTS)
    return min(timedelta(seconds=30) * doubled, outbox_messages.LONGEST_WAIT)


def _wait_for_settings(message: outbox_messages.OutgoingMessage, why: str) -> None:
    wait = min(max(message.leased_at - message.created, _SHORTEST_WAIT), _NOT_LET_IN_WAIT)
    words = without_tokens(f"{_NOT_LET_IN}: {why}")
    _log.warning("message %s could not be offered: %s", message.id, words)
    with transaction():
        outbox_messages.mark_untried(message, words[:_LONGEST_WHY], wait)


def _give_up(message: outbox_messages.OutgoingMessage, why: str) -> None:
    _note(message, why, None)


def _note(message: outbox_messages.OutgoingMessage, why: str, wait: timedelta | None) -> None:
    why = without_tokens(why)
    _log.warning("message %s was not sent: %s", message.id, why)
    with transaction():
        outbox_messages.mark_unsent(message, why[:_LONGEST_WHY], wait)
