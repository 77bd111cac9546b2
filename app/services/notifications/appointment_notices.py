"""What operators tell each other, and an expert of their own appointment."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from app.messages.notices import NoticeKind
from app.services.accounts.actors import Actor
from app.services.notifications.event_notices import willing_recipients
from app.services.policy import MailSettings
from app.store.accounts import account_rows
from app.store.mail import outbox_messages
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import fold_mailbox


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotice:
    """What the other operators are told: what to do, about whom, what happened and why."""

    todo: str
    name: str
    what: str
    reason: str
    event: int
    path: str = NoticeKind.APPOINTMENT.path


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentNotice:
    """What an expert is told of their own appointment: as what, by which decision."""

    address: str
    name: str
    happened: str
    what: str
    reason: str
    event: int
    todo: str = ""


def notify_operators(word: OperatorNotice, actor: Actor, at: datetime, post: MailSettings) -> None:
    """Write to every operator but the one who acts, and their other accounts."""
    own = fold_mailbox(actor.email)
    told = [one.email for one in account_rows.holders(Grant.OPERATOR, at)]
    for address in willing_recipients(
        NoticeKind.APPOINTMENT, [one for one in told if fold_mailbox(one) != own]
    ):
        message = outbox_messages.OutgoingMessage(
            event=word.event,
            recipient=address,
            template=NoticeKind.APPOINTMENT,
            arguments={
                "todo": word.todo,
                "name": word.name,
                "what": word.what,
                "reason": word.reason,
                "link": post.base_url + word.path,
                "account": f"{post.base_url}/account",
            },
            message_id=f"<appointment.{secrets.token_hex(8)}@{post.host}>",
            created=at,
        )
        outbox_messages.add(message)


def notify_appointee(word: AppointmentNotice, at: datetime, post: MailSettings) -> None:
    """Write to whoever an appointment is of, when it begins and when it ends."""
    outbox_messages.add(
        outbox_messages.OutgoingMessage(
            event=word.event,
            recipient=word.address,
            template=NoticeKind.APPOINTED,
            arguments={
                "number": "",
                "name": word.name,
                "happened": word.happened,
                "what": word.what,
                "todo": word.todo,
                "reason": word.reason,
                "link": f"{post.base_url}/review/" if word.todo else post.base_url,
                "account": f"{post.base_url}/account",
            },
            message_id=f"<appointment.{secrets.token_hex(8)}@{post.host}>",
            created=at,
        )
    )
