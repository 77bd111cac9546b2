"""Which mail somebody gets."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from app.messages.notices import MailKind
from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.idempotency import run_idempotent
from app.services.refusals import InvalidInput
from app.store.event_log import event_rows
from app.store.mail import correspondence, undeliverable_addresses
from app.store.tables.requests import EventSubject


@dataclass(frozen=True, slots=True)
class BounceReport:
    """That mail to somebody came back: when, and in the mail server's words why."""

    at: datetime
    why: str


def came_back(actor: Actor) -> BounceReport | None:
    """Whether mail to somebody came back, so that what is written to them waits."""
    found = undeliverable_addresses.find_mark(actor.email)
    return None if found is None else BounceReport(found.at, found.why)


def wanted_by(actor: Actor) -> frozenset[MailKind]:
    """The kinds of mail that somebody gets."""
    return frozenset(MailKind) - {MailKind(kind) for kind in correspondence.unwanted_by(actor.id)}


def choose(actor: Actor, wanted: Collection[str], at: datetime, key: str) -> None:
    """Get these kinds of mail from now on, and no others."""

    def work() -> None:
        if not set(wanted) <= set(MailKind):
            raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, "Choose among these kinds of mail.")
        correspondence.set_unwanted(actor.id, set(MailKind) - set(wanted))
        event = event_rows.NewEvent(
            at=at,
            kind="mail chosen",
            about=str(actor.id),
            subject=EventSubject.ACCOUNT,
            actor=actor.id,
            role="account",
        )
        event_rows.append(event, secrets.token_hex(16))

    run_idempotent(actor.id, key, {"mail": sorted(wanted)}, at, work)
