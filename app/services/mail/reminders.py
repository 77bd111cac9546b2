"""Mail to experts and operators that no action causes: a weekly reminder of what waits for them,
and a message as soon as no expert can decide a request.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.messages.notices import NoticeKind
from app.pages.text.phrases import count_phrase, day_phrase
from app.services.accounts.actors import Actor, actor_of
from app.services.notifications.event_notices import message_id, willing_recipients
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.request_status.request_status import RequestSummary, StatusReader, status_of
from app.services.requests.queues import expert_queue, operator_desk, undecidable_requests
from app.store.accounts import account_rows, expert_panels
from app.store.database import transaction
from app.store.mail import correspondence, outbox_messages
from app.store.tables.accounts import Grant
from app.workflow.body_names import IANA_BODIES, BodyNames

EVERY = timedelta(days=7)
AHEAD = timedelta(days=3)  # what is due so soon is reminded of too


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderSettings:
    """The site's address, the host of its message ids, and its rules."""

    base_url: str
    host: str
    rules: ProcedureSettings = USUAL_RULES
    bodies: BodyNames = IANA_BODIES


def remind(at: datetime, settings: ReminderSettings) -> int:
    """Write to everyone for whom something is due or overdue; return how many got a message.

    Send each person at most one message a week, and none to people who declined them.
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
                told += _remind(actor_of(account, at), at, settings)
        return told


def _remind(actor: Actor, at: datetime, settings: ReminderSettings) -> bool:
    waiting = _waiting(actor, at, settings.rules)
    rows = [row for row in waiting if row.due is not None and row.due <= at + AHEAD]
    if not rows:
        return False
    correspondence.note_reminder(actor.id, at)
    outbox_messages.add(
        outbox_messages.OutgoingMessage(
            recipient=actor.email,
            template=NoticeKind.REMINDER,
            arguments={
                "count": count_phrase(len(rows), "request"),
                "rows": "\n".join(_line(row, settings.base_url) for row in rows),
                "link": settings.base_url + ("/review/" if actor.is_expert else "/desk/"),
                "account": f"{settings.base_url}/account",
            },
            message_id=message_id(rows[0].number, settings.host),
            created=at,
        )
    )
    return True


def _waiting(actor: Actor, at: datetime, rules: ProcedureSettings) -> tuple[RequestSummary, ...]:
    reviews = expert_queue(actor, at, rules).mine if actor.is_expert else ()
    desk = operator_desk(at, rules=rules) if actor.is_operator else None
    work = (*desk.to_check, *desk.to_register, *desk.blocked) if desk else ()
    found = {row.number: row for row in (*reviews, *work)}
    return tuple(sorted(found.values(), key=lambda row: (row.due is None, row.due, row.number)))


def notify_of_impasses(at: datetime, settings: ReminderSettings) -> int:
    """Write to operators and leaders about requests that no expert can decide any more.

    A request is reported once, until an expert can decide it again. It can come to that without any
    action: an absence begins, or an appointment ends. Returns how many requests were reported.
    """
    with transaction():
        rows = {row.number: row for row in undecidable_requests(at, settings.rules)}
        new = correspondence.note_undecidable(rows, at)
        for number in sorted(new):
            _report_impasse(rows[number], at, settings)
        return len(new)


def _report_impasse(row: RequestSummary, at: datetime, settings: ReminderSettings) -> None:
    operators = [account.email for account in account_rows.holders(Grant.OPERATOR, at)]
    leading = expert_panels.leaders_of(row.registry.id, at)
    leaders = [account.email for account in account_rows.numbered(leading)]
    name = row.registry.called(row.name)
    written: set[str] = set()
    for kind, reader, addresses in (
        (NoticeKind.OPERATORS, StatusReader.OPERATOR, operators),
        (NoticeKind.EXPERTS, StatusReader.LEADER, leaders),
    ):
        status = status_of(row, at, reader, bodies=settings.bodies)
        for address in willing_recipients(kind, [one for one in addresses if one not in written]):
            written.add(address)
            outbox_messages.add(
                outbox_messages.OutgoingMessage(
                    recipient=address,
                    template=kind,
                    arguments={
                        "number": str(row.number),
                        "name": name,
                        "mark": row.registry.space.mark,
                        "happened": "No expert can decide",
                        "what": f"Request {row.number} for {name} is in expert review. "
                        f"{status.fact}",
                        "reason": "",
                        "next": status.next,
                        "link": f"{settings.base_url}/requests/{row.number}",
                        "account": f"{settings.base_url}/account",
                    },
                    message_id=message_id(row.number, settings.host),
                    created=at,
                )
            )


def _line(row: RequestSummary, base_url: str) -> str:
    name = row.registry.called(row.name)
    due = day_phrase((row.due - timedelta(days=1)).date()) if row.due else ""
    return f"  {name}, due {due}: {base_url}/requests/{row.number}"
