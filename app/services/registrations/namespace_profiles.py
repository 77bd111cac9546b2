"""What namespaces say of themselves: taken over from a file, and corrected one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.grammar.expressions.pattern_safety import find_unsafe_pattern
from app.identifiers.equivalence import PLAIN, Equivalence, check_equivalence
from app.problems import use_case_codes
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.profiles.profile_rules import ProfileLimits, check_profile
from app.registration.records.registry_records import Registration, Status
from app.registration.submission_findings import SubmissionFinding
from app.resolution.record_rules import judge_examples
from app.services.registrations.corrections import (
    CorrectionPreview,
    InvalidFact,
    change_sentences,
    check_reason,
    find_entry,
    note_correction,
    refuse_changed,
    refuse_own_name,
    replacement_changes,
)
from app.services.registry.bundled_profiles import (
    ProfileEntry,
    bundled_patterns,
    bundled_profiles,
    with_entry,
)
from app.services.registry.edition_trials import check_edition
from app.services.registry.snapshots import (
    current_snapshot,
    note_registry_event,
    open_edition,
)
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject

IMPORTED = "profiles imported"
_SOURCE = "RFC 8141 section 3.2"
_BUNDLED = "Profiles bundled with this software, for namespaces that had none."
_FROM_FILE = "Profiles from the operator's file, for namespaces that had none."


class InvalidProfile(InvalidFact):
    """A profile that cannot stand; ``findings`` say why, the first of them in the message."""

    def __init__(self, findings: tuple[SubmissionFinding, ...]) -> None:
        super().__init__(findings[0].field, findings[0].message, use_case_codes.PROFILE_INVALID)
        self.findings = findings


@dataclass(frozen=True, slots=True)
class ProfileImport:
    """What an import of profiles does, or would do: the names that get one, and the others.

    ``own`` have a profile already and are left alone, ``former`` are in use no more, of
    ``unknown`` nobody has the name, and ``without`` have none afterwards either.
    """

    added: tuple[str, ...]
    own: tuple[str, ...]
    former: tuple[str, ...]
    unknown: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileCorrection:
    """What a namespace is to say of itself; None leaves its rules of equivalence as they are.

    ``takes_http``: the operator lets services answer over http. One that stands so may stay.
    """

    profile: NamespaceProfile
    equivalence: Equivalence | None = None
    takes_http: bool = False


def import_profiles(
    at: datetime,
    *,
    notice: str,
    entries: Mapping[str, ProfileEntry] | None = None,
    dry_run: bool = False,
) -> ProfileImport:
    """Give profiles to the names that have none, in one edition.

    A dry run does the same and keeps nothing. Raises InvalidInput for a profile that the registry
    can't publish.

    Those that are shipped where no others are given. Where nobody gets one, no edition is
    opened. A record's rules of equivalence stay where it has some.
    """
    given = bundled_profiles() if entries is None else entries
    with transaction(dry_run=dry_run):
        at = edition_rows.next_moment(at)
        records = {record.folded: record for record in current_snapshot(URN_GROUP).records()}
        plan = _plan(given, records)
        if plan.added:
            _keep(plan, given, at, notice, _BUNDLED if entries is None else _FROM_FILE)
        return plan


def _plan(
    entries: Mapping[str, ProfileEntry], records: Mapping[str, Registration]
) -> ProfileImport:
    known = sorted(entries.keys() & records.keys())
    former = tuple(name for name in known if records[name].status is Status.FORMER)
    in_use = [name for name in known if name not in former]
    own = tuple(name for name in in_use if records[name].profile != NO_PROFILE)
    added = tuple(
        name for name in in_use if name not in own and entries[name].profile != NO_PROFILE
    )
    return ProfileImport(
        added=added,
        own=own,
        former=former,
        unknown=tuple(sorted(entries.keys() - records.keys())),
        without=tuple(sorted(_lacking(records).difference(added))),
    )


def _lacking(records: Mapping[str, Registration]) -> set[str]:
    return {
        name
        for name, record in records.items()
        if record.profile == NO_PROFILE and record.status is not Status.FORMER
    }


def _keep(
    plan: ProfileImport,
    entries: Mapping[str, ProfileEntry],
    at: datetime,
    notice: str,
    reason: str,
) -> None:
    edition = open_edition(URN_GROUP, at, Cause.CORRECTION, notice)
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    for name in plan.added:
        version = names.find_latest(URN_SPACE.id, name)
        if version is not None:
            record = with_entry(version.record, entries)
            names.add_version(record, version.registry, version.sort_key, change)
    check_edition(edition)
    event = event_rows.NewEvent(
        at=at,
        kind=IMPORTED,
        about=str(edition),
        edition=edition,
        reason=reason,
        body=f"{len(plan.added)} added",
    )
    note_registry_event(event)


def check_correction(
    name: str,
    correction: ProfileCorrection,
    stands: NamespaceProfile = NO_PROFILE,
    equivalence: Equivalence = PLAIN,
    syntax: str = "",
) -> tuple[SubmissionFinding, ...]:
    """What forbids that a namespace says so of itself; nothing where it can.

    ``stands`` and ``equivalence`` are what it says now, and ``syntax`` is that section of its
    template.
    """
    limits = ProfileLimits(
        unsafe_in=find_unsafe_pattern,
        judge=judge_examples,
        takes_http=correction.takes_http,
        known=frozenset(stands.resolution.services),
        known_patterns=bundled_patterns(),
    )
    rules = correction.equivalence
    joined = dict.fromkeys(check_equivalence(rules) if rules else ())
    return (
        *check_profile(
            URN_SPACE.fold(name), correction.profile, limits, rules or equivalence, syntax
        ),
        *(
            SubmissionFinding(field="equivalence", code="rule", message=m, source=_SOURCE)
            for m in joined
        ),
    )


def look_at_profile(name: str, correction: ProfileCorrection) -> CorrectionPreview:
    """What a correction would do; raises as ``correct_profile`` does, and changes nothing."""
    version = find_entry(name, URN_SPACE)
    records = (_corrected(version, correction),)
    return CorrectionPreview(version, records, replacement_changes(version, records))


@use_case("correct profile", check=check_reason)
def correct_profile(
    command: Command, name: str, correction: ProfileCorrection, *, reason: str
) -> int:
    """Let a namespace say something else of itself in the next edition, and give its number.

    Raises NotAllowed, NotFound, EditConflict where the record has another version by now,
    InvalidProfile with everything that forbids it, and InvalidInput where nothing would change.
    """
    command = command_at_next_edition(command)
    version = find_entry(name, URN_SPACE)
    refuse_own_name(command, version)
    refuse_changed(command, version.n)
    record = _corrected(version, correction)
    said = change_sentences(replacement_changes(version, (record,)))
    edition = open_edition(
        URN_GROUP,
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_version(record, version.registry, version.sort_key, change)
    check_edition(edition)
    about = {"subject": EventSubject.NAME, "about": record.folded, "edition": edition}
    note_correction(command, reason=reason, body=said, **about)
    return edition


def _corrected(version: StoredVersion, correction: ProfileCorrection) -> Registration:
    record = version.record
    if record.status is Status.FORMER:
        raise InvalidFact(
            "profile",
            "This entry is former and can't change. Correct its successor instead.",
            use_case_codes.FORMER_NAME,
        )
    stands, syntax = record.profile, dict(record.fields).get("syntax", "")
    findings = check_correction(record.name, correction, stands, record.equivalence, syntax)
    if findings:
        raise InvalidProfile(findings)
    rules = record.equivalence if correction.equivalence is None else correction.equivalence
    return replace(record, profile=correction.profile, equivalence=rules)
