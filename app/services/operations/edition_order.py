"""Editions whose moments do not grow: damage, or what older software let happen.

Older software took an edition's moment before it had its number, so that of several who
registered at once a later number could have an earlier moment. Nothing is lost by that, and
nothing of it can be changed, since editions and entries are kept for ever. An operator looks
at it once and says so in an entry of its own.
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
    """Every edition comes after the one before it, or it is known already that it does not."""


class MomentChanged(Refusal):
    """The moment of an edition is not the one of its entry, so that this is damage."""


@dataclass(frozen=True, slots=True)
class OutOfOrderEdition:
    """An edition of an earlier moment than the one before it in its group; both by their keys."""

    edition: int
    as_of: str
    before: int
    before_as_of: str


def editions_out_of_order(every: Sequence[Edition]) -> list[OutOfOrderEdition]:
    """The editions that are of an earlier moment than the one before them in their group."""
    return [
        OutOfOrderEdition(after.n, after.as_of.isoformat(), before.n, before.as_of.isoformat())
        for of_group in editions_by_group(every)
        for before, after in pairwise(of_group)
        if after.as_of < before.as_of
    ]


def editions_by_group(every: Sequence[Edition]) -> Iterator[list[Edition]]:
    """The editions of each group that has any, in the order in which they are given."""
    for group in dict.fromkeys(edition.group_id for edition in every):
        yield [edition for edition in every if edition.group_id == group]


def edition_label(edition: Edition) -> str:
    """What an edition is called: by its number, and by its group where it is not the first one."""
    of_group = "" if edition.group_id == URN_GROUP.id else f" of {edition.group_id}"
    return f"Edition {edition.number}{of_group}"


def disorder_told(one: OutOfOrderEdition) -> str:
    """Which edition is out of order, in a sentence; KeyError where it is not there."""
    after, before = (edition_label(edition_rows.get_edition(n)) for n in (one.edition, one.before))
    before = before[0].lower() + before[1:]
    return f"{after} is of {one.as_of}, before {before} of {one.before_as_of}"


def acknowledged_editions() -> dict[OutOfOrderEdition, Event]:
    """What an operator said is known, with the entry that says so."""
    known: dict[OutOfOrderEdition, Event] = {}
    for event in event_rows.of_kind(ACKNOWLEDGED):
        for one in members_of(event.body).get("editions", ()):
            with suppress(TypeError):  # the entry was changed, which is told of it elsewhere
                known[OutOfOrderEdition(**one)] = event
    return known


def changed_moments(every: Sequence[Edition]) -> Iterator[tuple[int, str]]:
    """The editions whose entry in the record is of another moment, with a sentence.

    The editions of former days that were imported together have one entry, which is of the
    day of the import.
    """
    opened = event_rows.of_editions([edition.n for edition in every])
    for edition in every:
        event = opened.get(edition.n)
        stands, opened_at = edition.as_of.isoformat(), _opened_at(event)
        if event is not None and opened_at != stands:
            words = (
                f"{edition_label(edition)} is of {stands}, and entry {event.n} of the record opened"
            )
            yield edition.n, f"{words} it at {opened_at}."


def _opened_at(event: Event | None) -> str:
    """The moment that an entry gives an edition; what was taken back keeps the one it had."""
    if event is not None and event.kind == RECOVERED:
        return str(members_of(event.body).get("as_of", ""))
    return event.at.isoformat() if event is not None else ""


def acknowledge_order(address: str, reason: str, at: datetime) -> tuple[OutOfOrderEdition, ...]:
    """Keep in an entry of the record that these editions are known to be out of order.

    Raises NotAllowed for who is no operator, InvalidInput without a reason, NothingToAcknowledge,
    and MomentChanged where a moment is not the one that the record tells of.
    """
    with transaction():
        edition_rows.next_moment(at)  # nobody opens an edition meanwhile
        actor = operator_called(address, at)
        if not says_something(reason):
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Give the reason in a sentence. It is kept for ever.",
                field="reason",
            )
        every, known = edition_rows.every_edition(), acknowledged_editions()
        found = tuple(one for one in editions_out_of_order(every) if one not in known)
        _refuse_damaged(every, found)
        event_rows.append(_entry(found, actor, reason.strip(), at), secrets.token_hex(16))
        return found


def operator_called(address: str, at: datetime) -> int:
    """The account of an operator who is told by their address. Raises NotAllowed."""
    account = account_rows.find_account(address.strip().lower())
    if account is None or Grant.OPERATOR not in account_rows.grants_of(account.id, at):
        raise NotAllowed(
            use_case_codes.OPERATORS_ONLY, f"{address} is no operator of this registry. Name one."
        )
    return account.id


def _refuse_damaged(every: Sequence[Edition], found: Sequence[OutOfOrderEdition]) -> None:
    if not found:
        raise NothingToAcknowledge(
            operation_codes.ORDER_CLEAN, "No edition is out of order that is not known to be."
        )
    concerned = {number for one in found for number in (one.edition, one.before)}
    for number, sentence in changed_moments(every):
        if number in concerned:
            raise MomentChanged(
                operation_codes.MOMENT_CHANGED,
                f"{sentence} Its moment was changed: put a backup back.",
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
