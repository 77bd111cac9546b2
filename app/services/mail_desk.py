"""The operator's mail: what waits, what failed and why, and another try."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from app.services.actors import Actor, require_operator
from app.services.once import once
from app.services.refusals import NotFound
from app.store import events, outbox
from app.store.tables.requests import Subject

MOST = 50


@dataclass(frozen=True, slots=True)
class Post:
    """How the mail stands: how many wait, the oldest of them, and the newest that failed."""

    count: int
    waiting: tuple[outbox.Message, ...]
    failed: tuple[tuple[outbox.Message, str], ...]


def mail(actor: Actor) -> Post:
    """What waits to be sent and what could not be, with the server's words."""
    _refuse_others(actor)
    return Post(outbox.count_waiting(), tuple(outbox.waiting(MOST)), tuple(outbox.stuck(MOST)))


def send_again(ident: int, actor: Actor, at: datetime, key: str) -> None:
    """Let a message that was not taken be tried anew at once, whether or not it was given up."""
    _refuse_others(actor)

    def work() -> None:
        if not outbox.send_again(ident, at):
            raise NotFound("There is no such message that waits for another try.")
        event = events.NewEvent(
            at=at,
            kind="mail tried anew",
            about=f"message {ident}",
            subject=Subject.REGISTRY,
            actor=actor.id,
            role="operator",
        )
        events.append(event, secrets.token_hex(16))

    once(actor.id, key, {"send again": ident}, at, work)


def _refuse_others(actor: Actor) -> None:
    require_operator(actor, "The mail is for the registry’s operators.")
