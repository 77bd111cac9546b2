"""Which mail somebody gets."""

import secrets
from collections.abc import Collection
from datetime import datetime

from app.messages.notices import MailKind
from app.services.actors import Actor
from app.services.once import once
from app.services.refusals import Unfit
from app.store import discussion, events
from app.store.tables.requests import Subject


def wanted_by(actor: Actor) -> frozenset[MailKind]:
    """The kinds of mail that somebody gets."""
    return frozenset(MailKind) - {MailKind(kind) for kind in discussion.unwanted_by(actor.id)}


def choose(actor: Actor, wanted: Collection[str], at: datetime, key: str) -> None:
    """Get these kinds of mail from now on, and no others."""

    def work() -> None:
        if not set(wanted) <= set(MailKind):
            raise Unfit("Choose among these kinds of mail.")
        discussion.set_unwanted(actor.id, set(MailKind) - set(wanted))
        event = events.NewEvent(
            at=at,
            kind="mail chosen",
            about=str(actor.id),
            subject=Subject.ACCOUNT,
            actor=actor.id,
            role="account",
        )
        events.append(event, secrets.token_hex(16))

    once(actor.id, key, {"mail": sorted(wanted)}, at, work)
