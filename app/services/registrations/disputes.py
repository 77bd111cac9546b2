"""Disputes and third parties' appeals: noted beside a registration, which stands.

The page of a name is published, and what is published is made once: a note is part of the
record from the next edition on, and changes no edition before it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.declarations.registry_groups import group_of
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import (
    Dispute,
    DisputeKind,
    Purpose,
    Registration,
    Status,
)
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.experts.fast_track_organizations import is_past_day
from app.services.notifications.event_notices import notify_about_request
from app.services.notifications.request_notices import RequestNotice
from app.services.refusals import InvalidInput
from app.services.registrations.corrections import (
    InvalidFact,
    check_reason,
    find_entry,
    refuse_changed,
    refuse_own_name,
)
from app.services.registry.snapshots import check_edition, open_edition
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.requests import request_rows
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.workflow.engine import ProcedureCase, transition
from app.workflow.evidence import Evidence
from app.workflow.evidence_inputs import says_something
from app.workflow.states import Action, Role, State

NOTES: Mapping[DisputeKind, Action] = {
    DisputeKind.DISPUTE: Action.NOTE_DISPUTE,
    DisputeKind.APPEAL: Action.NOTE_APPEAL,
}
NOTED = frozenset(action.past for action in (*NOTES.values(), Action.SETTLE))


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


def _check_note(command: Command, _name: str, noting: DisputeInput, **_named: object) -> None:
    check_reason(command, reason=noting.reason or noting.kind)


@use_case("note dispute", check=_check_note)
def note(command: Command, name: str, noting: DisputeInput, *, space: IdentifierSpace) -> int:
    """Note a dispute beside a registered name in the next edition, and give its number.

    Raises NotAllowed, NotFound, EditConflict where the record has another version by now,
    InvalidInput, and EvidenceMissing where it says nothing.
    """
    command = command_at_next_edition(command)
    version = find_entry(name, space)
    refuse_own_name(command, version)
    _check(version, noting)
    refuse_changed(command, version.n)
    edition = open_edition(
        group_of(version.registry),
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    _keep(command, version, noting, edition)
    event = _record(command, version, noting, edition)
    _tell(command, version, NOTES[noting.kind], noting.grounds.strip(), event)
    return edition


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOutcome:
    """How a dispute or an appeal ended: by whom, what came out, what follows, where and when.

    ``place`` is where it stands among what is noted beside the registration, the first at 0.
    """

    place: int
    by: str = ""
    outcome: str = ""
    effect: str = ""
    reference: str = ""
    date: str = ""

    @property
    def reason(self) -> str:
        """What the history of the registry says of it."""
        return f"{self.by.strip()}, {self.date.strip()}: {self.outcome.strip()}"


def _check_reason_of(
    command: Command, _name: str, settling: DisputeOutcome, **_named: object
) -> None:
    check_reason(command, reason=settling.reason)


@use_case("settle dispute", check=_check_reason_of)
def settle(command: Command, name: str, settling: DisputeOutcome, *, space: IdentifierSpace) -> int:
    """End what is noted beside a registered name in the next edition, and give its number.

    The note stays in the history and leaves the page. Raises NotAllowed, NotFound, EditConflict
    where the record has another version by now, InvalidInput where nothing is noted there, and
    EvidenceMissing.
    """
    command = command_at_next_edition(command)
    version = find_entry(name, space)
    refuse_own_name(command, version)
    refuse_changed(command, version.n)
    dispute = _noted(version, settling)
    _check_settlement(command, version, dispute, settling)
    group = group_of(version.registry)
    edition = open_edition(
        group,
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    _drop(version, settling.place, edition)
    event = _record_settlement(command, version, dispute, settling, edition)
    _tell(command, version, Action.SETTLE, settling.reason, event)
    return edition


def _noted(version: StoredVersion, settling: DisputeOutcome) -> Dispute:
    noted = version.record.disputes
    if not 0 <= settling.place < len(noted):
        raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, "Choose a recorded dispute.")
    return noted[settling.place]


def _check_settlement(
    command: Command, version: StoredVersion, dispute: Dispute, settling: DisputeOutcome
) -> None:
    _check_lengths(settling)
    day = settling.date.strip()
    held = {
        Evidence.OUTCOME: bool(settling.by.strip()) and says_something(settling.outcome),
        Evidence.EFFECT: says_something(settling.effect),
        Evidence.REFERENCE: bool(settling.reference.strip()),
        Evidence.DATE: is_past_day(day, command.at) and day >= dispute.date,
    }
    _move(version, Action.SETTLE, frozenset(one for one, holds in held.items() if holds))


def _check_lengths(settling: DisputeOutcome) -> None:
    for fact in ("by", "effect", "reference"):
        if len(getattr(settling, fact)) > LONGEST_LINE:
            sentence = f"This is too long. Use at most {LONGEST_LINE} characters."
            raise InvalidFact(fact, sentence, use_case_codes.VALUE_TOO_LONG)


def _move(version: StoredVersion, action: Action, evidence: frozenset[Evidence]) -> None:
    """Raise EvidenceMissing where an act on a registered name lacks what it has to show."""
    case = ProcedureCase(REGISTRIES[version.registry].procedures[0], Purpose.NEW, State.ASSIGNED)
    transition(case, action, frozenset({Role.OPERATOR}), evidence)


def _drop(version: StoredVersion, place: int, edition: int) -> None:
    noted = version.record.disputes
    record = replace(version.record, disputes=(*noted[:place], *noted[place + 1 :]))
    _keep_version(record, version, edition)


def _record_settlement(
    command: Command,
    version: StoredVersion,
    dispute: Dispute,
    settling: DisputeOutcome,
    edition: int,
) -> int:
    told = {name: str(text).strip() for name, text in asdict(settling).items() if name != "place"}
    told |= {"kind": str(dispute.kind), "noted": dispute.date}
    return command.append_event(
        Action.SETTLE.past,
        subject=EventSubject.NAME,
        about=version.record.space.about(version.record.folded),
        role=Role.OPERATOR,
        edition=edition,
        reason=settling.reason,
        body=canonical_json(told),
    )


def _check(version: StoredVersion, noting: DisputeInput) -> None:
    if version.record.status is Status.FORMER:
        raise InvalidInput(
            use_case_codes.FORMER_NAME,
            "This entry is former, so disputes can't be recorded for it.",
        )
    if len(noting.reference) > LONGEST_LINE:
        raise InvalidFact(
            "court",
            f"The reference is too long. Use at most {LONGEST_LINE} characters.",
            use_case_codes.VALUE_TOO_LONG,
        )
    told = {Evidence.COURT_REFERENCE: noting.reference, Evidence.GROUNDS: noting.grounds}
    evidence = frozenset(one for one, words in told.items() if says_something(words))
    _move(version, NOTES[noting.kind], evidence)


def _keep(command: Command, version: StoredVersion, noting: DisputeInput, edition: int) -> None:
    dispute = Dispute(
        kind=noting.kind,
        date=command.at.date().isoformat(),
        reference=noting.reference.strip(),
        grounds=noting.grounds.strip(),
    )
    record = replace(version.record, disputes=(*version.record.disputes, dispute))
    _keep_version(record, version, edition)


def _keep_version(record: Registration, version: StoredVersion, edition: int) -> None:
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_version(record, version.registry, version.sort_key, change)
    check_edition(edition)


def _record(command: Command, version: StoredVersion, noting: DisputeInput, edition: int) -> int:
    reference = noting.reference.strip()
    return command.append_event(
        NOTES[noting.kind].past,
        subject=EventSubject.NAME,
        about=version.record.space.about(version.record.folded),
        role=Role.OPERATOR,
        edition=edition,
        reason=noting.reason,
        body=canonical_json({"reference": reference}) if reference else "",
    )


def _tell(
    command: Command, version: StoredVersion, action: Action, reason: str, event: int
) -> None:
    number = version.record.request
    request = request_rows.find_request(number) if number else None
    if request is not None:
        news = RequestNotice(
            request=request,
            action=action,
            actor=command.actor,
            at=command.at,
            reason=reason,
            rules=command.rules,
        )
        notify_about_request(news, event, command.post)
