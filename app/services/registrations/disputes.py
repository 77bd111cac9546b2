"""Disputes and third parties' appeals: noted beside a registration, which stands.

The page of a name is published, and what is published is made once: a note is part of the
record from the next edition on, and changes no edition before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Dispute, DisputeKind, Purpose, Status
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.notifications.event_notices import (
    RequestNotice,
    notify_about_request,
)
from app.services.refusals import InvalidInput
from app.services.registrations.corrections import (
    InvalidFact,
    at_next_edition,
    check_entry,
    check_reason,
    find_entry,
    refuse_changed,
)
from app.services.registry.snapshots import open_edition
from app.services.use_cases import Command, use_case
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.requests import request_rows
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.workflow.engine import ProcedureCase, transition
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State

NOTES: Mapping[DisputeKind, Action] = {
    DisputeKind.DISPUTE: Action.NOTE_DISPUTE,
    DisputeKind.APPEAL: Action.NOTE_APPEAL,
}
NOTED = frozenset(action.past for action in NOTES.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeInput:
    """What is to be noted: where a court's order can be read, or on what grounds."""

    kind: DisputeKind
    reference: str = ""
    grounds: str = ""

    @property
    def reason(self) -> str:
        """What the history of the registry says of it."""
        return self.grounds.strip() or self.reference.strip()


def _check_note(command: Command, _name: str, noting: DisputeInput) -> None:
    check_reason(command, reason=noting.reason or noting.kind)


@use_case("note dispute", check=_check_note)
def note(command: Command, name: str, noting: DisputeInput) -> int:
    """Note a dispute beside a registered name in the next edition, and give its number.

    Raises NotAllowed, NotFound, EditConflict where the record has another version by now,
    InvalidInput, and EvidenceMissing where it says nothing.
    """
    command = at_next_edition(command)
    version = find_entry(name)
    _check(version, noting)
    refuse_changed(command, version.n)
    edition = open_edition(URN_GROUP, command.at, Cause.CORRECTION, command.rules.notice)
    _keep(command, version, noting, edition)
    _tell(command, version, noting, _record(command, version, noting, edition))
    return edition


def _check(version: StoredVersion, noting: DisputeInput) -> None:
    if version.record.status is Status.FORMER:
        raise InvalidInput(
            use_case_codes.FORMER_NAME,
            "A former name is registered no more, so nothing is noted beside it.",
        )
    if len(noting.reference) > LONGEST_LINE:
        raise InvalidFact(
            "court",
            f"The reference takes {LONGEST_LINE} characters at most.",
            use_case_codes.VALUE_TOO_LONG,
        )
    told = {Evidence.COURT_REFERENCE: noting.reference, Evidence.GROUNDS: noting.grounds}
    evidence = frozenset(one for one, words in told.items() if words.strip())
    case = ProcedureCase(REGISTRIES[version.registry].procedures[0], Purpose.NEW, State.ASSIGNED)
    transition(case, NOTES[noting.kind], frozenset({Role.OPERATOR}), evidence)


def _keep(command: Command, version: StoredVersion, noting: DisputeInput, edition: int) -> None:
    dispute = Dispute(
        kind=noting.kind,
        date=command.at.date().isoformat(),
        reference=noting.reference.strip(),
        grounds=noting.grounds.strip(),
    )
    record = replace(version.record, disputes=(*version.record.disputes, dispute))
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_version(record, version.registry, version.sort_key, change)
    check_entry(edition, version.registry, record)


def _record(command: Command, version: StoredVersion, noting: DisputeInput, edition: int) -> int:
    reference = noting.reference.strip()
    return command.append_event(
        NOTES[noting.kind].past,
        subject=EventSubject.NAME,
        about=version.record.folded,
        role=Role.OPERATOR,
        edition=edition,
        reason=noting.reason,
        body=canonical_json({"reference": reference}) if reference else "",
    )


def _tell(command: Command, version: StoredVersion, noting: DisputeInput, event: int) -> None:
    """An imported name has no request, and with it no thread on the list."""
    number = version.record.request
    request = request_rows.find_request(number) if number else None
    if request is not None:
        news = RequestNotice(
            request=request,
            action=NOTES[noting.kind],
            actor=command.actor,
            at=command.at,
            reason=noting.grounds.strip(),
        )
        notify_about_request(news, event, command.post)
