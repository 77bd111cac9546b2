"""Carrying a transfer out, which the next edition tells: who holds the name, and who wrote what."""

from dataclasses import replace
from datetime import date

from app.messages.delegate_notices import DelegateNoticeKind
from app.problems import use_case_codes
from app.registration.declarations.fields import VOIDED
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import group_of
from app.registration.records.registry_records import Purpose, Registration, Status
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.delegates import claims, delegate_mail, delegate_scopes
from app.services.delegates.delegate_mail import DelegateMail, addresses_of, write_letters
from app.services.delegates.delegation import contacts_on_file
from app.services.refusals import InvalidInput
from app.services.registrations.correction_facts import InvalidFact
from app.services.registry.base_version import STATUS, SUCCESSOR
from app.services.registry.snapshots import check_edition, open_edition
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.requests import draft_rows, iteration_rows, requested_names
from app.store.tables import Claim, Request
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.workflow.states import State

_OPEN = tuple(state for state in State if not state.is_final)
_MOST = 1_000  # revisions of one name that are open at once; whoever opens them is counted
_DECLARED = ("equivalence", "profile", "services")


@use_case("decide transfer")
def decide(command: Command, number: int, reason: str, *, grant: bool) -> None:
    """Carry a transfer out once the days to object are over, or refuse it.

    It is an edition: the registry says at once who holds the name. What the former registrant
    wrote and did not send stays with them.
    """
    claim, held = claims.opened_by_operator(command, number, ClaimKind.TRANSFER, reason)
    if grant:
        _hand_over(claim, held, reason, command_at_next_edition(command))
    else:
        _refuse(claim, held, reason, command)


def _refuse(claim: Claim, held: DelegateScope, reason: str, command: Command) -> None:
    event = delegate_scopes.record(
        command, held, "transfer refused", role="operator", reason=reason
    )
    kept = DelegateMail(
        event, DelegateNoticeKind.KEPT, held, organization=claim.organization, reason=reason
    )
    delegate_mail.write_letters(
        command, kept, delegate_mail.addresses_of(delegate_rows.accounts_of(held))
    )
    delegate_rows.decide(claim, ClaimState.REFUSED, command.at, reason)


def _hand_over(claim: Claim, held: DelegateScope, reason: str, command: Command) -> None:
    if claim.due is None or command.at < claim.due:
        raise InvalidInput(
            use_case_codes.OBJECTION_OPEN,
            "The current registrant can object until then. Transfer it after that date.",
        )
    before = delegate_rows.accounts_of(held)
    new = account_rows.get_or_add_account(claim.address, command.at)
    _leave_unsent(held, before, command)
    delegate_rows.end(held, before, command.at)
    delegate_rows.add(held, new.id, DelegateOrigin.TRANSFERRED, command.at)
    for invitation in delegate_rows.open_claims(held, ClaimKind.INVITATION):
        delegate_rows.decide(invitation, ClaimState.WITHDRAWN, command.at)
    edition = _published(claim, held, command)
    body = f"To {claim.organization}."
    event = delegate_scopes.record(
        command,
        held,
        delegate_rows.TRANSFERRED,
        role="operator",
        reason=reason,
        body=body,
        edition=edition,
    )
    told = DelegateMail(
        event, DelegateNoticeKind.TRANSFERRED, held, organization=claim.organization, reason=reason
    )
    delegate_mail.write_letters(command, told, set(delegate_mail.addresses_of(before - {new.id})))
    received = replace(told, tale=DelegateNoticeKind.RECEIVED)
    delegate_mail.write_letters(command, received, {new.email})
    delegate_rows.decide(claim, ClaimState.GRANTED, command.at, reason)


def _published(claim: Claim, held: DelegateScope, command: Command) -> int:
    version = claims.entry(held.name, held.space)
    edition = open_edition(
        group_of(version.registry),
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    record = _held_by(version, " ".join(claim.organization.split()), command.at.date())
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_version(record, version.registry, version.sort_key, change)
    check_edition(edition)
    return edition


def _held_by(version: StoredVersion, organization: str, day: date) -> Registration:
    record = version.record
    return replace(
        record,
        updated=day.isoformat(),
        profile=replace(record.profile, holder=organization),
        contact=None if record.contact is None else (organization,),
    )


def _leave_unsent(held: DelegateScope, before: frozenset[int], command: Command) -> None:
    for request in requested_names.about_name(held.name, _OPEN, _MOST):
        space = REGISTRIES[request.registry_id].space
        if request.purpose != Purpose.REVISION or space is not held.space:
            continue
        if State(request.state).is_private:
            own = DelegateScope(request.asked_name, request=request.number, space=space)
            delegate_rows.add_first(own, before, DelegateOrigin.STARTED, command.at)
        else:
            _forget_unsent(request, command)


def _forget_unsent(request: Request, command: Command) -> None:
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    private = draft_rows.private_values(request.number)
    draft_rows.set_private_values(request.number, dict.fromkeys(private, ""))
    if sent is None:
        return
    declared = REGISTRIES[request.registry_id].named
    beside = (STATUS, SUCCESSOR, *_DECLARED)
    content = {
        "fields": {name: text for name, text in sent.fields.items() if name in declared},
        "organization": sent.organization,
        "standard": request.standard_anticipated,
        **{name: sent.fields[name] for name in beside if sent.fields.get(name)},
    }
    lock = draft_rows.get_draft(request.number).lock_version
    draft_rows.save_draft(request.number, content, lock, command.at)


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
