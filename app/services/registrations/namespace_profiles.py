"""Profiles of namespaces: imported from a file, and checked when they are corrected."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.grammar.expressions.regular_expressions import find_unsafe_pattern
from app.identifiers.equivalence import PLAIN, Equivalence, check_equivalence
from app.problems import use_case_codes
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.profiles.profile_rules import ProfileLimits, check_profile
from app.registration.records.registry_records import Registration, Status
from app.registration.submission_findings import SubmissionFinding
from app.resolution.record_rules import judge_examples
from app.services.registrations.correction_facts import Correction, InvalidFact
from app.services.registry.bundled_profiles import (
    ProfileEntry,
    bundled_patterns,
    bundled_profiles,
    with_entry,
)
from app.services.registry.snapshots import (
    check_edition,
    current_snapshot,
    note_registry_event,
    open_edition,
)
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.tables.registry import Cause

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
    correction: Correction,
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
            URN_SPACE.fold(name), correction.profile or stands, limits, rules or equivalence, syntax
        ),
        *(
            SubmissionFinding(field="equivalence", code="rule", message=m, source=_SOURCE)
            for m in joined
        ),
    )


def with_profile(
    before: Registration, record: Registration, correction: Correction
) -> Registration:
    """The record with the profile and the rules that a correction gives.

    Checks them only if they change, so that what an older rule let in hinders no other correction.
    Raises InvalidProfile with every finding, and InvalidFact for a former entry.
    """
    profile = correction.profile or before.profile
    rules = before.equivalence if correction.equivalence is None else correction.equivalence
    if (profile, rules) == (before.profile, before.equivalence):
        return record
    if before.status is Status.FORMER:
        raise InvalidFact(
            "profile",
            "This entry is former and can't change. Correct its successor instead.",
            use_case_codes.FORMER_NAME,
        )
    syntax = dict(record.fields).get("syntax", "")
    findings = check_correction(record.name, correction, before.profile, before.equivalence, syntax)
    if findings:
        raise InvalidProfile(findings)
    return replace(record, profile=profile, equivalence=rules)
