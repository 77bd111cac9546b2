"""The organizations that the fast track recognizes: the operator's own list, on record."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from app.problems import use_case_codes
from app.registration.declarations.dates import is_date
from app.services.accounts.actors import Actor, require_operator
from app.services.accounts.sign_in import checked_address
from app.services.experts.independence import refuse_own
from app.services.refusals import InvalidInput, NotFound
from app.services.use_cases import Command, operators_only, use_case
from app.store.accounts import account_rows, recognized_organizations
from app.store.tables import RecognizedOrganization
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import says_something
from app.workflow.separation_of_duties import fold_organization

LONGEST_NAME = 200
_FOR_OPERATORS = "Only operators can change the list of recognized organizations."


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationView:
    """An organization as the operator's list shows it."""

    id: int
    name: str
    since: str
    decision: str
    reference: str
    is_recognized: bool
    representatives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """What is on record of a recognition: who, since which day, by which decision."""

    name: str
    since: str
    decision: str
    reference: str


def is_recognized(name: str) -> bool:
    """Whether an organization is on the list now."""
    row = recognized_organizations.find_recognized(fold_organization(name))
    return row is not None and row.ended is None


def is_spoken_for(name: str, accounts_: Collection[int], at: datetime) -> bool:
    """Whether one of these accounts speaks for a recognized organization."""
    row = recognized_organizations.find_recognized(fold_organization(name))
    if row is None or row.ended is not None:
        return False
    return any(
        one.id in accounts_ for one in recognized_organizations.representatives_of(row.id, at)
    )


def all_recognized(actor: Actor, at: datetime) -> tuple[OrganizationView, ...]:
    """The list, with those that are recognized no more, for the operator."""
    require_operator(actor, _FOR_OPERATORS)
    return tuple(_shown(row, at) for row in recognized_organizations.recognized())


def _shown(row: RecognizedOrganization, at: datetime) -> OrganizationView:
    speakers = recognized_organizations.representatives_of(row.id, at)
    return OrganizationView(
        id=row.id,
        name=row.name,
        since=row.since,
        decision=row.decision,
        reference=row.reference,
        is_recognized=row.ended is None,
        representatives=tuple(account.email for account in speakers),
    )


def enter(recognition: Recognition, representative: int | None, at: datetime) -> int:
    """Put an organization on the list, in the caller's transaction; gives its id.

    One that was recognized before is recognized again. Raises InvalidInput for what the list cannot
    hold or holds already.
    """
    _check(recognition, at)
    folded = fold_organization(recognition.name)
    row = recognized_organizations.find_recognized(folded)
    if row is not None and row.ended is None:
        raise InvalidInput(use_case_codes.ALREADY_DONE, f"“{row.name}” is already recognized.")
    if row is None:
        row = recognized_organizations.add_recognized(
            name=recognition.name.strip(),
            folded=folded,
            since=recognition.since,
            decision=recognition.decision,
            reference=recognition.reference,
        )
    row.since, row.decision = recognition.since, recognition.decision
    row.reference, row.ended = recognition.reference, None
    if representative is not None:
        recognized_organizations.add_representative(row.id, representative, at)
    return row.id


def _check(recognition: Recognition, at: datetime) -> None:
    if not recognition.name.strip() or len(recognition.name) > LONGEST_NAME:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter the organization’s name ({LONGEST_NAME} characters at most).",
            field="name",
        )
    if not is_past_day(recognition.since, at):
        raise InvalidInput(
            use_case_codes.VALUE_MALFORMED,
            ("Enter the date of the decision as YYYY-MM-DD. It can’t be in the future."),
            field="since",
        )
    if not says_something(recognition.decision) or not recognition.reference.strip():
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the decision and where it is published.",
            field="decision",
        )


def is_past_day(text: str, at: datetime) -> bool:
    """Whether a text is a day of the calendar that has begun."""
    return is_date(text) and date.fromisoformat(text) <= at.date()


@use_case("recognize organization", check=operators_only(_FOR_OPERATORS))
def recognize(command: Command, recognition: Recognition) -> None:
    """Put an organization on the list by a decision that was made elsewhere."""
    ident = enter(recognition, None, command.at)
    _record(command, ident, "recognized", recognition.decision)


@use_case("end recognition", check=operators_only(_FOR_OPERATORS))
def end(command: Command, ident: int, reason: str) -> None:
    """Recognize an organization no more; what it registered stands."""
    row = _row(ident)
    if row.ended is not None:
        raise InvalidInput(use_case_codes.NOT_IN_FORCE, f"“{row.name}” is no longer recognized.")
    if not says_something(reason):
        raise InvalidInput(use_case_codes.VALUE_MISSING, "Enter a reason.", field="reason")
    row.ended = command.at
    _record(command, ident, "recognition ended", reason)


@use_case("add representative", check=operators_only(_FOR_OPERATORS))
def add_representative(command: Command, ident: int, email: str) -> None:
    """Let somebody speak for an organization: another one than the operator who enters it."""
    refuse_own(command.actor, checked_address(email), command.rules.separation)
    account = account_rows.get_or_add_account(checked_address(email), command.at)
    row = _row(ident)
    if not recognized_organizations.add_representative(row.id, account.id, command.at):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            "This person already represents the organization.",
            field="email",
        )
    _record(command, ident, "representative added", "")


@use_case("remove representative", check=operators_only(_FOR_OPERATORS))
def remove_representative(command: Command, ident: int, email: str) -> None:
    """Let somebody speak for an organization no more."""
    account = account_rows.find_account(checked_address(email))
    gone = account and recognized_organizations.end_representative(
        _row(ident).id, account.id, command.at
    )
    if not gone:
        raise InvalidInput(
            use_case_codes.NOT_IN_FORCE,
            "This person doesn’t represent the organization.",
            field="email",
        )
    _record(command, ident, "representative removed", "")


def _row(ident: int) -> RecognizedOrganization:
    try:
        return recognized_organizations.get_recognized(ident)
    except KeyError as error:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This organization is not on the list. Go back to the list.",
        ) from error


def _record(command: Command, ident: int, kind: str, reason: str) -> None:
    command.append_event(
        kind,
        about=f"organization {ident}",
        subject=EventSubject.REGISTRY,
        role="operator",
        reason=reason,
    )
