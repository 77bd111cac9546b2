"""Which mail somebody gets."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from app.messages.notices import MailKind
from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.refusals import InvalidInput
from app.services.use_cases import Command, use_case
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


@use_case("choose mail")
def choose(command: Command, wanted: Collection[str]) -> None:
    """Get these kinds of mail from now on, and no others."""
    if not set(wanted) <= set(MailKind):
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN, "Choose from the kinds of e-mail on the page."
        )
    correspondence.set_unwanted(command.actor.id, set(MailKind) - set(wanted))
    command.append_event(
        "mail chosen",
        about=str(command.actor.id),
        subject=EventSubject.ACCOUNT,
        role="account",
    )
