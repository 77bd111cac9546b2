"""Reminders of what waits for experts and operators: gathered, and at most one a week each."""

from datetime import datetime, timedelta

from app.messages.notices import NoticeKind
from app.pages.text.phrases import count_phrase, day_phrase
from app.services.accounts.actors import Actor, actor_of
from app.services.notifications.event_notices import message_id
from app.services.requests.queues import expert_queue, operator_desk
from app.services.requests.request_summaries import RequestSummary
from app.store.accounts import account_rows
from app.store.database import transaction
from app.store.mail import correspondence, outbox_messages
from app.store.tables.accounts import Grant

EVERY = timedelta(days=7)
AHEAD = timedelta(days=3)  # what is due so soon is reminded of too


def remind(at: datetime, *, base_url: str, host: str) -> int:
    """Write to everybody for whom something is due or overdue; gives how many got a message.

    Nobody gets a second one within a week, however often this is asked, nor who wants none.
    """
    with transaction():
        recent = correspondence.reminded_since(at - EVERY)
        people = {
            account.id: account for grant in Grant for account in account_rows.holders(grant, at)
        }
        refused = correspondence.addresses_declining(
            NoticeKind.REMINDER.choice, [account.email for account in people.values()]
        )
        told = 0
        for ident, account in sorted(people.items()):
            if ident not in recent and account.email not in refused:
                told += _remind(actor_of(account, at), at, base_url, host)
        return told


def _remind(actor: Actor, at: datetime, base_url: str, host: str) -> bool:
    rows = [row for row in _waiting(actor, at) if row.due is not None and row.due <= at + AHEAD]
    if not rows:
        return False
    correspondence.note_reminder(actor.id, at)
    outbox_messages.add(
        outbox_messages.OutgoingMessage(
            recipient=actor.email,
            template=NoticeKind.REMINDER,
            arguments={
                "count": count_phrase(len(rows), "request"),
                "rows": "\n".join(_line(row, base_url) for row in rows),
                "link": base_url + ("/review/" if actor.is_expert else "/desk/"),
                "account": f"{base_url}/account",
            },
            message_id=message_id(rows[0].number, host),
            created=at,
        )
    )
    return True


def _waiting(actor: Actor, at: datetime) -> tuple[RequestSummary, ...]:
    reviews = expert_queue(actor).mine if actor.is_expert else ()
    desk_rows = operator_desk(at) if actor.is_operator else None
    work = (*desk_rows.to_check, *desk_rows.to_register) if desk_rows else ()
    found = {row.number: row for row in (*reviews, *work)}
    return tuple(sorted(found.values(), key=lambda row: (row.due is None, row.due, row.number)))


def _line(row: RequestSummary, base_url: str) -> str:
    """A line of the list, begun by white space, so that it is not folded."""
    name = row.registry.called(row.name)
    due = day_phrase((row.due - timedelta(days=1)).date()) if row.due else ""
    return f"  {name}, due {due}: {base_url}/requests/{row.number}"
