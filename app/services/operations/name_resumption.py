"""Resume minting after an older backup was restored."""

import secrets
from collections.abc import Collection
from datetime import datetime

from app.problems import operation_codes, use_case_codes
from app.registration.records.record_documents import canonical_json
from app.services.assigned_names.minting import CHANGES
from app.services.operations.edition_order import operator_called
from app.services.operations.site_condition import find_host
from app.services.refusals import InvalidInput, NotFound, Refusal
from app.store.administration import host_rows
from app.store.assigned_names import assigned_name_rows, name_line_rows
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.tables import NameLine
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import says_something

RESUMED = "names resumed"


def announce_backup() -> None:
    """Pause minting until every host has reported its counters."""
    with transaction():
        _begin_anew()


def _begin_anew() -> NameLine:
    assigned_name_rows.hold_changes()
    row = name_line_rows.held(secrets.token_hex(16), name_line_rows.place())
    name_line_rows.begin_telling(row, secrets.token_hex(16))
    return row


def resume_names(
    address: str, reason: str, at: datetime, without: Collection[str], skip: int
) -> tuple[str, ...]:
    """Resume minting after a restore; return the sentences to show.

    ``without`` are the ids or names of retired hosts, which are not awaited. Their last numbers are
    unknown, so ``skip`` numbers are left out under each prefix.

    Raises NotAllowed if the address isn't an operator's, InvalidInput without a reason, NotFound
    for an unknown host, and Refusal if names aren't paused, if several hosts have the name, or if
    a host hasn't reported its numbers.
    """
    with transaction():
        assigned_name_rows.hold_changes()
        actor = operator_called(address, at)
        if not says_something(reason):
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Enter the reason in a sentence. It is kept permanently.",
                field="reason",
            )
        row = name_line_rows.held(secrets.token_hex(16), name_line_rows.place())
        if not (row.lost or name_line_rows.awaited(row)):
            raise Refusal(operation_codes.NAMES_GO_ON, "Minting isn't paused.")
        _leave_out(row, without)
        was = row.lost
        if skip:
            _pass_over(skip)
        if was:
            _begin_line(row)
        body = {"lost": was, "passed over": skip, "without": sorted(without)}
        event = event_rows.NewEvent(
            at=edition_rows.clock_time(at),
            kind=RESUMED,
            subject=EventSubject.REGISTRY,
            about="names",
            actor=actor,
            role="operator",
            reason=reason.strip(),
            body=canonical_json(body),
        )
        event_rows.append(event, secrets.token_hex(16))
        return tuple(filter(None, (was, "Minting is resumed.")))


def _pass_over(skip: int) -> None:
    known = name_line_rows.known_numbers()
    changes, _ = known.get(CHANGES, (0, ""))
    known[CHANGES] = max(changes, assigned_name_rows.last_change() + 1), ""
    for prefix, (following, seed) in known.items():
        name_line_rows.raise_number(prefix, following + skip, seed)


def _leave_out(row: NameLine, without: Collection[str]) -> None:
    for host, called in {find_host(called).id: called for called in without}.items():
        if not name_line_rows.forget_host(host):
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN,
                f"Minting doesn't wait for {called}. To see the hosts it waits for, run "
                "`urn-registry hosts list`.",
            )
        host_rows.forget_host(host)
    if waiting := name_line_rows.awaited(row):
        have = "has" if len(waiting) == 1 else "have"
        raise Refusal(
            operation_codes.NUMBERS_AWAITED_STILL,
            f"{' and '.join(waiting)} {have} not reported counters. Start the worker there, or "
            "use --without for a retired host. To list all hosts: `urn-registry hosts list`.",
        )


def _begin_line(row: NameLine) -> None:
    row.former = f"{row.former}{row.line},"
    row.line, row.lost = secrets.token_hex(16), ""
