"""Editions with an earlier date than the one before: damage, or a fault of older software.

Older software took the date of an edition before its number, so after several registrations at once
a later number could have an earlier date. Nothing is lost, and nothing can be changed, because
editions and entries are permanent. An operator acknowledges it in an entry of its own.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise

from app.problems import operation_codes, use_case_codes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import canonical_json
from app.services.operations.event_replay import members_of
from app.services.operations.recovery import RECOVERED
from app.services.refusals import InvalidInput, NotAllowed, Refusal
from app.store.accounts import account_rows
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.tables import Edition, Event
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import says_something

ACKNOWLEDGED = "order acknowledged"
TAKEN_AS = "opened in the order of their numbers"


class NothingToAcknowledge(Refusal):
    """No edition is out of order, or all of these are acknowledged."""


class MomentChanged(Refusal):
    """The date of an edition differs from its entry, so it is damaged."""


@dataclass(frozen=True, slots=True)
class OutOfOrderEdition:
    """An edition with an earlier date than the one before in its group; both by their keys."""

    edition: int
    as_of: str
    before: int
    before_as_of: str


def editions_out_of_order(every: Sequence[Edition]) -> list[OutOfOrderEdition]:
    """Return the editions with an earlier date than the one before in their group."""
    return [
        OutOfOrderEdition(after.n, after.as_of.isoformat(), before.n, before.as_of.isoformat())
        for of_group in editions_by_group(every)
        for before, after in pairwise(of_group)
        if after.as_of < before.as_of
    ]


def editions_by_group(every: Sequence[Edition]) -> Iterator[list[Edition]]:
    """Yield the editions of each group, in the given order."""
    for group in dict.fromkeys(edition.group_id for edition in every):
        yield [edition for edition in every if edition.group_id == group]


def edition_label(edition: Edition) -> str:
    """Return the label of an edition: its number, and its group unless it is the first."""
    of_group = "" if edition.group_id == URN_GROUP.id else f" of {edition.group_id}"
    return f"Edition {edition.number}{of_group}"


def disorder_told(one: OutOfOrderEdition) -> str:
    """Describe an edition out of order. Raises KeyError if it doesn't exist."""
    after, before = (edition_label(edition_rows.get_edition(n)) for n in (one.edition, one.before))
    before = before[0].lower() + before[1:]
    return f"{after} ({one.as_of}) is dated before {before} ({one.before_as_of})"


def acknowledged_editions() -> dict[OutOfOrderEdition, Event]:
    """Return the acknowledged editions with their entries."""
    known: dict[OutOfOrderEdition, Event] = {}
    for event in event_rows.of_kind(ACKNOWLEDGED):
        for one in members_of(event.body).get("editions", ()):
            with suppress(TypeError):  # the entry was changed; reported elsewhere
                known[OutOfOrderEdition(**one)] = event
    return known


def changed_moments(every: Sequence[Edition]) -> Iterator[tuple[int, str]]:
    """Yield the editions whose entry in the event log has another date, with a sentence."""
    opened = event_rows.of_editions([edition.n for edition in every])
    for edition in every:
        event = opened.get(edition.n)
        stands, opened_at = edition.as_of.isoformat(), _opened_at(event)
        if event is not None and opened_at != stands:
            date = f"{edition_label(edition)} has the date {stands}"
            yield edition.n, f"{date}, but entry {event.n} of the event log has {opened_at}."


def _opened_at(event: Event | None) -> str:
    if event is not None and event.kind == RECOVERED:
        return str(members_of(event.body).get("as_of", ""))
    return event.at.isoformat() if event is not None else ""


def acknowledge_order(address: str, reason: str, at: datetime) -> tuple[OutOfOrderEdition, ...]:
    """Acknowledge editions out of order in an entry of the event log.

    Raises NotAllowed if the address isn't an operator's, InvalidInput without a reason,
    NothingToAcknowledge, and MomentChanged if a date differs from the event log.
    """
    with transaction():
        edition_rows.next_moment(at)  # lock, so that no edition is opened
        actor = operator_called(address, at)
        if not says_something(reason):
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Enter the reason in a sentence. It is kept permanently.",
                field="reason",
            )
        every, known = edition_rows.every_edition(), acknowledged_editions()
        found = tuple(one for one in editions_out_of_order(every) if one not in known)
        _refuse_damaged(every, found)
        event_rows.append(_entry(found, actor, reason.strip(), at), secrets.token_hex(16))
        return found


def operator_called(address: str, at: datetime) -> int:
    """Return the account of the operator with this address. Raises NotAllowed."""
    account = account_rows.find_account(address.strip().lower())
    if account is None or Grant.OPERATOR not in account_rows.grants_of(account.id, at):
        raise NotAllowed(
            use_case_codes.OPERATORS_ONLY,
            f"{address} isn't an operator of this registry. Enter the address of one.",
        )
    return account.id


def _refuse_damaged(every: Sequence[Edition], found: Sequence[OutOfOrderEdition]) -> None:
    if not found:
        raise NothingToAcknowledge(
            operation_codes.ORDER_CLEAN, "All editions are in order or acknowledged."
        )
    concerned = {number for one in found for number in (one.edition, one.before)}
    for number, sentence in changed_moments(every):
        if number in concerned:
            raise MomentChanged(
                operation_codes.MOMENT_CHANGED,
                f"{sentence} Restore a backup.",
            )


def _entry(
    found: Sequence[OutOfOrderEdition], actor: int, reason: str, at: datetime
) -> event_rows.NewEvent:
    return event_rows.NewEvent(
        at=edition_rows.clock_time(at),
        kind=ACKNOWLEDGED,
        subject=EventSubject.REGISTRY,
        about="order",
        actor=actor,
        role="operator",
        reason=reason,
        body=canonical_json({"editions": list(map(asdict, found)), "taken_as": TAKEN_AS}),
    )
