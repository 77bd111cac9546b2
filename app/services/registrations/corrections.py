"""Corrections by the operator: what was published stays, the next edition says it right.

A correction makes a new version of a record, never a new version of its template.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.exports.editions.changes import Changes, registry_changes
from app.exports.editions.edition_list import TRANSFER
from app.exports.editions.field_changes import RECORD, FieldChange, field_changes
from app.identifiers.errors import Finding
from app.identifiers.nid import nid_typed
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.declarations.registry_groups import group_of
from app.registration.records.references import format_lines
from app.registration.records.registry_records import Registration, Status
from app.services.accounts.actors import Actor, persons_of, require_operator
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NameUnavailable,
    NameUnregistered,
    NotAllowed,
)
from app.services.registrations.correction_facts import (
    Correction,
    InvalidFact,
    unchanged_correction,
    with_facts,
)
from app.services.registrations.namespace_profiles import with_profile
from app.services.registrations.transfer_decisions import (
    check_order,
    delisting_cause,
    is_delisting,
    line_of_order,
    tell_holder,
)
from app.services.registry.snapshots import (
    check_edition,
    open_edition,
    single_record_snapshot,
    taken_index,
)
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.accounts import delegate_rows
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import LONGEST_REASON, says_something
from app.workflow.separation_of_duties import SeparationOfDuties, fold_mailbox

__all__ = [
    "OWN_NAME",
    "WITH_REASON",
    "Correction",
    "CorrectionPreview",
    "InvalidFact",
    "NameVersion",
    "StoredVersion",
    "change_sentences",
    "check_reason",
    "correct",
    "find_entry",
    "history_of",
    "is_explained",
    "is_own_name",
    "is_registered",
    "look",
    "note_correction",
    "reasons_of",
    "refuse_changed",
    "refuse_own_name",
    "replacement_changes",
    "unchanged_correction",
]


_REFERENCES = {"references": "references", "template": "template links", "contact": "contact"}
WITH_REASON = frozenset({Cause.CORRECTION, Cause.TEMPLATES})  # the operator says why


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPreview:
    """What a correction would do: the changes, and every value that differs.

    ``advice`` is what experts would ask about another name.
    """

    changes: Changes
    facts: tuple[FieldChange, ...]
    advice: tuple[Finding, ...] = ()


def find_entry(name: str, space: IdentifierSpace) -> StoredVersion:
    """A name's record as it stands; NotFound where nobody has the name."""
    version = names.find_latest(space.id, space.fold(name))
    if version is None:
        raise NameUnregistered(name, space)
    return version


def is_registered(space: IdentifierSpace, name: str) -> bool:
    """Whether a name was ever registered, so that it has an entry."""
    return names.find_latest(space.id, space.fold(name)) is not None


def look(
    name: str, correction: Correction, at: datetime, space: IdentifierSpace
) -> CorrectionPreview:
    """What a correction would do; raises InvalidInput as ``correct`` does, and changes nothing."""
    version = find_entry(name, space)
    records = _corrected(version, correction, space, at)
    before, after = version.record, records[-1]
    advice: tuple[Finding, ...] = ()
    if after.folded != before.folded:
        advice = REGISTRIES[version.registry].check(after.name, taken_index(space)).advisories
    return CorrectionPreview(
        changes=replacement_changes(version, records),
        facts=tuple(_changed_values(before, after)),
        advice=advice,
    )


def _changed_values(before: Registration, after: Registration) -> Iterator[FieldChange]:
    yield from field_changes((row for row in RECORD if row.name not in _REFERENCES), before, after)
    for name, label in _REFERENCES.items():
        old, new = (format_lines(getattr(one, name) or ()) for one in (before, after))
        if old != new:
            yield FieldChange(name, label, old, new, "")


def check_reason(command: Command, *_given: object, reason: str, **_named: object) -> None:
    """The check of a correction: an operator makes it, for a reason that is told."""
    require_operator(command.actor, "Only operators can correct the registry.")
    if not says_something(reason):
        raise InvalidFact(
            "reason",
            "Enter the reason in one sentence. The registry's history shows it.",
            use_case_codes.VALUE_MISSING,
        )
    if len(reason) > LONGEST_REASON:
        many = f"The reason is too long. Use at most {LONGEST_REASON} characters."
        raise InvalidFact("reason", many, use_case_codes.VALUE_TOO_LONG)


@use_case("correct name", check=check_reason, judges={"correction"})
def correct(
    command: Command,
    name: str,
    correction: Correction,
    *,
    reason: str,
    space: IdentifierSpace,
) -> int:
    """Correct a name's record in the next edition, and give its number.

    Raises NotAllowed, NotFound, EditConflict where the record has another version by now,
    NameUnavailable for a new name that somebody has, and InvalidInput for a correction that has no
    reason, changes nothing or cannot be published.
    """
    command = command_at_next_edition(command)
    version = find_entry(name, space)
    refuse_own_name(command, version)
    refuse_changed(command, version.n)
    records = _corrected(version, correction, space, command.at)
    said = change_sentences(replacement_changes(version, records))
    edition = open_edition(
        group_of(version.registry),
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    _keep(version, records, names.RecordChange(edition=edition, cause=Cause.CORRECTION))
    check_edition(edition)
    about = {
        "subject": EventSubject.NAME,
        "about": space.about(space.fold(name)),
        "edition": edition,
    }
    said += line_of_order(version.record, records[0], correction.cited)
    event = note_correction(command, reason=reason, body=said, **about)
    if is_delisting(version.record, records[0]):
        tell_holder(command, version.record, reason, event)
    return edition


OWN_NAME = "You manage this entry, so another operator must correct it."


def is_own_name(actor: Actor, record: Registration, rule: SeparationOfDuties) -> bool:
    """Whether an operator acts for a name, by whatever account, so that another one corrects it."""
    held = delegate_rows.find_name(record.space, record.folded)
    acting = persons_of(delegate_rows.accounts_of(held)) if held else frozenset()
    return rule.people > 1 and fold_mailbox(actor.email) in acting


def refuse_own_name(command: Command, version: StoredVersion) -> None:
    """Raise NotAllowed for an operator who acts for a name."""
    if is_own_name(command.actor, version.record, command.rules.separation):
        raise NotAllowed(use_case_codes.OTHER_PERSON_NEEDED, OWN_NAME)


def refuse_changed(command: Command, now: int) -> None:
    """Raise EditConflict unless what stands is what the operator saw."""
    if command.seen != now:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "Someone else changed this after you opened it. Check the current values; your "
            "text is kept below.",
        )


def note_correction(command: Command, **about: Any) -> int:
    """Keep the event of a correction, with its reason; gives its number."""
    return command.append_event("corrected", role="operator", **about)


def change_sentences(made: Changes) -> str:
    """What a correction changes, in sentences; InvalidInput where it changes nothing."""
    if not made:
        raise InvalidInput(
            use_case_codes.NOTHING_CHANGED,
            "Nothing has changed. Change a value first.",
        )
    return "\n".join(made.sentences())


def replacement_changes(version: StoredVersion, records: tuple[Registration, ...]) -> Changes:
    """What records that take the place of a name's record change."""
    latest = edition_rows.latest_edition(group_of(version.registry))
    before = single_record_snapshot(latest.n if latest else 0, version.registry, version.record)
    tables = (
        replace(table, records=records) if table.id == version.registry else table
        for table in before.registries
    )
    return registry_changes(before, replace(before, registries=tuple(tables)))


def _corrected(
    version: StoredVersion, correction: Correction, space: IdentifierSpace, at: datetime
) -> tuple[Registration, ...]:
    name = version.record.name if correction.name is None else nid_typed(correction.name)
    record = with_facts(version, correction, space, at.date())
    if space.fold(name) == version.record.folded:
        check_order(version.record, record, correction.cited)
        return (with_profile(version.record, replace(record, name=name), correction),)
    if Status.FORMER in (version.record.status, record.status):
        raise InvalidFact(
            "name",
            "This entry is former and can't change. Rename its successor instead.",
            use_case_codes.FORMER_NAME,
        )
    _check_new_name(name, version.registry, space)
    former = replace(version.record, status=Status.FORMER, successor=space.fold(name))
    return (former, with_profile(version.record, replace(record, name=name), correction))


def _check_new_name(name: str, registry: str, space: IdentifierSpace) -> None:
    if REGISTRIES[registry].numbering is not None:
        sentence = "The registry numbers these identifiers itself, so you can't rename them."
        raise InvalidFact("name", sentence)
    if name_rows.is_taken(space.id, space.fold(name)):
        raise NameUnavailable(
            use_case_codes.NAME_TAKEN,
            f"`{name[:80]}` is taken. NIDs and NAANs are never reused.",
            field="name",
        )
    problems = REGISTRIES[registry].check(name, taken_index(space)).problems
    if problems:
        raise InvalidFact("name", " ".join(problem.message for problem in problems))


def _keep(
    version: StoredVersion, records: tuple[Registration, ...], change: names.RecordChange
) -> None:
    for record in records:
        if record.folded == version.record.folded:
            names.add_version(record, version.registry, version.sort_key, change)
        else:
            key = REGISTRIES[version.registry].sort_key(record.folded)
            names.add_record(record, version.registry, key, change)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameVersion:
    """One version of a name's record in its history: since when, and why."""

    n: int
    edition: int
    as_of: datetime
    cause: str
    template_version: int | None
    record: Registration
    sha256: str
    reason: str


def history_of(space: str, folded: str) -> tuple[NameVersion, ...]:
    """Every version of a name's record, oldest first; none where nobody has the name."""
    return tuple(_history(names.versions_of(space, folded)))


def is_explained(cause: Cause, edition: int) -> bool:
    """Whether what made a name former in an edition also says why.

    A correction does so by its reason, what is taken over from a file by the file, and a holder
    who ceases by the request, which is public.
    """
    if cause is Cause.REGISTRATION:
        return delisting_cause(edition).startswith("request: ")
    return cause is Cause.IMPORT or (cause is Cause.CORRECTION and bool(reasons_of([edition])))


def causes_told(causes: Mapping[int, str]) -> dict[int, str]:
    """What led to editions, by their keys, as everybody is told it.

    A transfer to another registrant is one, though among causes it is kept as a correction.
    """
    told = event_rows.of_editions([n for n, cause in causes.items() if cause == Cause.CORRECTION])
    moved = {n for n, event in told.items() if event.kind == delegate_rows.TRANSFERRED}
    return {n: TRANSFER if n in moved else str(cause) for n, cause in causes.items()}


def reasons_of(editions: Collection[int]) -> dict[int, str]:
    """Why editions were opened, by their keys; those that nobody gave a reason for are not."""
    told = event_rows.of_editions(editions)
    return {edition: event.reason for edition, event in told.items() if event.reason}


def _history(versions: list[StoredVersion]) -> Iterator[NameVersion]:
    reasons = reasons_of([version.edition for version in versions])
    causes = causes_told({version.edition: version.cause for version in versions})
    for version in versions:
        edition = edition_rows.get_edition(version.edition)
        yield NameVersion(
            n=version.n,
            edition=edition.number,
            as_of=edition.as_of,
            cause=causes[version.edition],
            template_version=version.record.version,
            record=version.record,
            sha256=version.sha256,
            reason=reasons.get(version.edition, ""),
        )
