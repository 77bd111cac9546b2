"""Disputes and third parties' appeals: noted beside a registration, which stands.

The page of a name is published, and what is published is made once: a note is part of the
record from the next edition on, and changes no edition before it.
"""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from app.identifiers.nid import fold_nid
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Dispute, DisputeKind, Purpose, Status
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.services.notifications.event_notices import (
    MailSettings,
    RequestNotice,
    notify_about_request,
)
from app.services.refusals import InvalidInput
from app.services.registrations.corrections import (
    CorrectionOrder,
    InvalidFact,
    apply_correction,
    check_entry,
    find_entry,
    refuse_changed,
)
from app.services.registry.snapshots import open_edition
from app.store.event_log import event_rows
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


def note(name: str, noting: DisputeInput, order: CorrectionOrder, post: MailSettings) -> int:
    """Note a dispute beside a registered name in the next edition, and give its number.

    It takes the place of ``order.reason``. Raises NotAllowed, NotFound, EditConflict where the
    record has another version by now, InvalidInput, and EvidenceMissing where it says nothing.
    """
    given = replace(order, reason=noting.reason or noting.kind)

    def work(order: CorrectionOrder) -> int:
        version = find_entry(name)
        _check(version, noting)
        refuse_changed(order, version.n)
        edition = open_edition(URN_GROUP, order.at, Cause.CORRECTION, order.notice)
        _keep(version, noting, order, edition)
        _tell(version, noting, order, _record(version, noting, order, edition), post)
        return edition

    return apply_correction(given, {"dispute": fold_nid(name), **asdict(noting)}, work)


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


def _keep(
    version: StoredVersion, noting: DisputeInput, order: CorrectionOrder, edition: int
) -> None:
    dispute = Dispute(
        kind=noting.kind,
        date=order.at.date().isoformat(),
        reference=noting.reference.strip(),
        grounds=noting.grounds.strip(),
    )
    record = replace(version.record, disputes=(*version.record.disputes, dispute))
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_version(record, version.registry, version.sort_key, change)
    check_entry(edition, version.registry, record)


def _record(
    version: StoredVersion, noting: DisputeInput, order: CorrectionOrder, edition: int
) -> int:
    reference = noting.reference.strip()
    event = event_rows.NewEvent(
        at=order.at,
        kind=NOTES[noting.kind].past,
        subject=EventSubject.NAME,
        about=version.record.folded,
        actor=order.actor.id,
        role=Role.OPERATOR,
        edition=edition,
        reason=noting.reason,
        body=canonical_json({"reference": reference}) if reference else "",
    )
    return event_rows.append(event, secrets.token_hex(16))


def _tell(
    version: StoredVersion,
    noting: DisputeInput,
    order: CorrectionOrder,
    event: int,
    post: MailSettings,
) -> None:
    """An imported name has no request, and with it no thread on the list."""
    number = version.record.request
    request = request_rows.find_request(number) if number else None
    if request is not None:
        news = RequestNotice(
            request=request,
            action=NOTES[noting.kind],
            actor=order.actor,
            at=order.at,
            reason=noting.grounds.strip(),
        )
        notify_about_request(news, event, post)
