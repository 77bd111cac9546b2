"""Profiles from files: those that are shipped, and those that an operator has."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from app import bundled
from app.grammar.expressions.regular_expressions import find_unsafe_pattern
from app.identifiers.equivalence import (
    PLAIN,
    Equivalence,
    check_equivalence,
    equivalence_from,
)
from app.problems import operation_codes
from app.registration.declarations.registries import URN_SPACE
from app.registration.profiles.profile_documents import profile_from
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.profiles.profile_rules import ProfileLimits, check_profile
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.resolution.record_rules import judge_examples
from app.services.refusals import Refusal


class BrokenProfiles(Refusal):
    """A file that holds no profiles, or some that cannot be used, each named."""


class ProfileEntry(NamedTuple):
    """What a file says of a namespace: its profile and its rules of equivalence."""

    profile: NamespaceProfile
    equivalence: Equivalence = PLAIN


@lru_cache(maxsize=1)
def bundled_profiles() -> Mapping[str, ProfileEntry]:
    """The profiles that are shipped with this software, by their folded names."""
    shipped: dict[str, Any] = json.loads(bundled.profiles())
    return {name: _entry(document) for name, document in shipped.items()}


@lru_cache(maxsize=1)
def bundled_patterns() -> frozenset[tuple[str, bool]]:
    """The patterns in what is shipped, and whether case does not count to each.

    They are tried there, and may look ahead.
    """
    return frozenset(
        one for entry in bundled_profiles().values() for one in _patterns_of(entry) if one[0]
    )


def _patterns_of(entry: ProfileEntry) -> Iterator[tuple[str, bool]]:
    yield from ((service.when, False) for service in entry.profile.resolution.services)
    if entry.profile.pattern:
        yield entry.profile.pattern.expression, entry.equivalence.folds_whole


def read_profiles(data: bytes) -> Mapping[str, ProfileEntry]:
    """The profiles in a file of the form in which they are shipped, by their folded names.

    Raises BrokenProfiles, which names every namespace whose profile cannot be used.
    """
    read: dict[str, ProfileEntry] = {}
    broken: list[str] = []
    for name, document in _members(data).items():
        try:
            read[URN_SPACE.fold(name)] = _entry(document)
            broken += _problems(URN_SPACE.fold(name), read[URN_SPACE.fold(name)])
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            broken.append(f"{name[:80]}: not a valid profile. {str(error)[:200]}")
    if broken:
        raise BrokenProfiles(
            operation_codes.PROFILES_BROKEN, "\n".join([*broken, "Nothing was imported."])
        )
    return read


def _members(data: bytes) -> dict[str, Any]:
    try:
        read = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BrokenProfiles(
            operation_codes.PROFILES_BROKEN, f"Not valid JSON: {str(error)[:200]}."
        ) from error
    if not isinstance(read, dict):
        raise BrokenProfiles(
            operation_codes.PROFILES_BROKEN,
            "Provide a JSON object with one profile per NID.",
        )
    return read


def _entry(document: Mapping[str, Any]) -> ProfileEntry:
    equivalence = document.get("equivalence")
    return ProfileEntry(
        profile_from(document["profile"]),
        PLAIN if equivalence is None else equivalence_from(equivalence),
    )


def _problems(name: str, entry: ProfileEntry) -> Iterator[str]:
    limits = ProfileLimits(
        unsafe_in=find_unsafe_pattern,
        judge=judge_examples,
        takes_http=True,
        known_patterns=bundled_patterns(),
    )
    for finding in check_profile(name, entry.profile, limits, entry.equivalence):
        yield f"{name[:80]}: {finding.field}: {finding.message}"
    for sentence in check_equivalence(entry.equivalence):
        yield f"{name[:80]}: equivalence: {sentence}"


def with_entry(record: Registration, entries: Mapping[str, ProfileEntry]) -> Registration:
    """The record with the profile that a file has for it.

    A record that has one keeps it, as it keeps its rules of equivalence, and a former name
    gets none. Profiles are of namespaces alone.
    """
    entry = entries.get(record.folded) if record.space is URN_SPACE else None
    if entry is None or record.profile != NO_PROFILE or record.status is Status.FORMER:
        return record
    own = record.equivalence.rules
    equivalence = record.equivalence if own else entry.equivalence
    return replace(record, profile=entry.profile, equivalence=equivalence)


def with_bundled_profile(record: Registration) -> Registration:
    """The record with the profile that is shipped for it, if there is one and it has none."""
    return with_entry(record, bundled_profiles())


def with_profiles(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """The registry with the profiles that are shipped, for each name that has none."""
    tables = (
        replace(table, records=tuple(map(with_bundled_profile, table.records)))
        for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(tables))
