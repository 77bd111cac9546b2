"""Taking a name from the list, which is told to its holder.

It is by a successor, by an order that is cited, or since it was given by mistake.

The name stays taken, and so does its page.
"""

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.fields import VOIDED
from app.registration.records.registry_records import Registration, Status
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.delegates.contacts import contacts_on_file
from app.services.delegates.delegate_mail import DelegateMail, addresses_of, write_letters
from app.services.registrations.correction_facts import InvalidFact
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots
from app.store.tables.requests import EventSubject

_BY_ORDER = "By order: "  # before what an event cites, in a line of its own, the last


def is_delisting(before: Registration, after: Registration) -> bool:
    """Whether a name that is listed is so no more."""
    return after.status is Status.FORMER and before.status is not Status.FORMER


def check_order(before: Registration, after: Registration, cited: str | None) -> None:
    """Raise InvalidFact where a name leaves the list with neither a successor nor an order.

    One that is voided needs none: the reason of the correction says what was mistaken.
    A manifest lists the order, which takes ASCII in one line.
    """
    order = _one_line(cited)
    if not is_delisting(before, after):
        return
    if not (order or after.successor or after.is_voided):
        raise InvalidFact(
            "cited",
            "An entry can be removed only with a successor or by order. Enter the successor, "
            "or the reference of the order.",
            use_case_codes.VALUE_MISSING,
        )
    if not order.isascii() or not (order + "x").isprintable() or len(order) > LONGEST_LINE:
        sentence = (
            f"The reference of the order is not valid. Use at most {LONGEST_LINE} ASCII characters."
        )
        raise InvalidFact("cited", sentence, use_case_codes.VALUE_MALFORMED)


def _one_line(cited: str | None) -> str:
    return " ".join((cited or "").split())


def line_of_order(before: Registration, after: Registration, cited: str | None) -> str:
    """What an event says of the order by which a name leaves the list, behind all else."""
    order = _one_line(cited) if is_delisting(before, after) else ""
    return f"\n{_BY_ORDER}{order}" if order else ""


def cited_in(edition: int) -> str:
    """The order by which an edition took a name from the list; empty where it cites none."""
    event = event_rows.of_editions([edition]).get(edition)
    *_, last = event.body.splitlines() if event and event.body else [""]
    return last.removeprefix(_BY_ORDER) if last.startswith(_BY_ORDER) else ""


def delisting_cause(edition: int) -> str:
    """The order or the request by which an edition took a name from the list, or that it was
    voided; else empty.
    """
    cited, event = cited_in(edition), event_rows.of_editions([edition]).get(edition)
    if cited or event is None:
        return f"order: {cited}" if cited else ""
    if event.subject == EventSubject.REQUEST:
        return f"request: {event.about}"
    _before, touched = edition_snapshots.snapshots_of_touched(edition)
    voided = touched is not None and any(record.is_voided for record in touched.records())
    return VOIDED if voided else ""


def tell_holder(command: Command, record: Registration, reason: str, event: int) -> None:
    """Whoever acts for a name hears that it leaves the list; where nobody does, the contact."""
    held = delegate_rows.find_name(record.space, record.folded)
    if held is None:
        return
    told = addresses_of(delegate_rows.accounts_of(held)) or [
        contact.address for contact in contacts_on_file(record, held)
    ]
    letter = DelegateMail(
        event=event,
        tale=DelegateNoticeKind.DELISTED,
        held=held,
        path=held.space.page.format(held.name),
        reason=reason.strip(),
    )
    write_letters(command, letter, told)
