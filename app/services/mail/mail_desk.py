"""The operator's mail: what waits, what failed and why, and another try."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor, require_operator
from app.services.idempotency import run_idempotent
from app.services.refusals import NotFound
from app.store.event_log import event_rows
from app.store.mail import outbox_messages, undeliverable_addresses
from app.store.tables.requests import EventSubject

MOST = 50


@dataclass(frozen=True, slots=True)
class BouncedAddress:
    """An address that mail came back from: when, why, and how many messages wait for it."""

    id: int
    address: str
    at: datetime
    why: str
    held: int


@dataclass(frozen=True, slots=True)
class MailQueue:
    """How the mail stands: how many wait, the oldest of them, and the newest that failed."""

    count: int
    waiting: tuple[outbox_messages.OutgoingMessage, ...]
    failed: tuple[tuple[outbox_messages.OutgoingMessage, str], ...]
    marked: tuple[BouncedAddress, ...]


def mail(actor: Actor) -> MailQueue:
    """What waits to be sent and what could not be, with the server's words."""
    _refuse_others(actor)
    marked = (
        BouncedAddress(row.id, row.address, row.at, row.why, held)
        for row, held in undeliverable_addresses.marked(MOST)
    )
    return MailQueue(
        outbox_messages.count_waiting(),
        tuple(outbox_messages.waiting(MOST)),
        tuple(outbox_messages.stuck(MOST)),
        tuple(marked),
    )


def send_again(ident: int, actor: Actor, at: datetime, key: str) -> None:
    """Let a message that was not taken be tried anew at once, whether or not it was given up."""
    _refuse_others(actor)

    def work() -> None:
        if not outbox_messages.send_again(ident):
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN, "There is no such message that waits for another try."
            )
        _record("mail tried anew", f"message {ident}", actor, at)

    run_idempotent(actor.id, key, {"send again": ident}, at, work)


def clear(ident: int, actor: Actor, at: datetime, key: str) -> None:
    """Let mail go to an address again that it came back from; what waits for it is sent."""
    _refuse_others(actor)

    def work() -> None:
        if not undeliverable_addresses.clear(ident):
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN, "There is no such address that mail came back from."
            )
        _record("address cleared", f"address {ident}", actor, at)

    run_idempotent(actor.id, key, {"clear": ident}, at, work)


def _record(kind: str, about: str, actor: Actor, at: datetime) -> None:
    event = event_rows.NewEvent(
        at=at,
        kind=kind,
        about=about,
        subject=EventSubject.REGISTRY,
        actor=actor.id,
        role="operator",
    )
    event_rows.append(event, secrets.token_hex(16))


def _refuse_others(actor: Actor) -> None:
    require_operator(actor, "The mail is for the registry’s operators.")
