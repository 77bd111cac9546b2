"""A revision's draft with what was registered after it was begun."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.pages.text.template_diff import merge_lines
from app.registration.declarations.registries import Registry
from app.registration.profiles.equivalence_answers import (
    EQUIVALENCE,
    revised_equivalence,
    write_declaration,
)
from app.registration.profiles.profile_answers import (
    PROFILE,
    SERVICES,
    profile_facts_in,
    revised_profile,
    undone_facts,
    write_profile,
    write_services,
)
from app.registration.profiles.profile_records import NO_PROFILE
from app.registration.profiles.profile_wording import ProfileFact, worded_facts
from app.services.registry.base_version import (
    STATUS,
    SUCCESSOR,
    BaseVersion,
    compared_fields,
    initial_draft,
    known_fields,
)

UNMERGED = "unmerged"  # in a draft: the newer texts and facts that its author decides about
_FACT = "profile."  # before the member of a profile, among the names of fields


def with_newer_texts(
    content: Mapping[str, Any], base: BaseVersion, registry: Registry
) -> dict[str, Any]:
    """What a draft holds once it is based on what is registered by now.

    Each text has what came meanwhile. Where its author changed the same lines, it stays, and the
    newer one is kept beside it until they decide.
    """
    older, newer = (
        compared_fields(known_fields(version.record, registry), registry)
        for version in (base.version, base.latest)
    )
    fields, undecided, unmerged = dict(content.get("fields", {})), content.get(UNMERGED, {}), {}
    for name in older.keys() | newer.keys():
        before, now = older.get(name, ""), newer.get(name, "")
        found = merge_lines(before, fields.get(name, ""), now)
        fields[name] = found.text
        if not found.is_whole or name in undecided:
            unmerged[name] = now
    undone = {fact.member for fact in facts_undone(content, base)}
    for fact in worded_facts(base.latest.record.profile):
        if fact.member in undone or f"{_FACT}{fact.member}" in undecided:
            unmerged[f"{_FACT}{fact.member}"] = fact.words
    return {**content, "fields": fields, **_beside(content, base, registry), UNMERGED: unmerged}


def facts_undone(given: Mapping[str, Any], base: BaseVersion) -> tuple[ProfileFact, ...]:
    """What the registry says otherwise since a revision was begun, and the revision would undo.

    ``given`` is a draft, or the fields of a text that was sent.
    """
    older, newer = base.version.record, base.latest.record
    if base.is_closed or older.profile == newer.profile:
        return ()
    said = {name: given.get(name) or "" for name in (PROFILE, SERVICES)}
    return undone_facts(said, newer.folded, older.profile, newer.profile)


def undecided_facts(unmerged: Mapping[str, str]) -> tuple[ProfileFact, ...]:
    """The newer facts that the author of a draft has to decide about."""
    facts = ((fact, f"{_FACT}{fact.member}") for fact in worded_facts(NO_PROFILE))
    return tuple(replace(fact, words=unmerged[name]) for fact, name in facts if name in unmerged)


def undecided_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The newer texts and facts that nobody decided about: whoever changes one there has."""
    if UNMERGED not in before:
        return {}
    stood, stands = _decidable(before), _decidable(after)
    newer = before[UNMERGED].items()
    return {UNMERGED: {one: text for one, text in newer if stood.get(one) == stands.get(one)}}


def _decidable(content: Mapping[str, Any]) -> dict[str, str]:
    said = {name: content.get(name) or "" for name in (PROFILE, SERVICES)}
    facts = {f"{_FACT}{fact.member}": fact.words for fact in profile_facts_in(said)}
    return {**content.get("fields", {}), **facts}


def _beside(content: Mapping[str, Any], base: BaseVersion, registry: Registry) -> dict[str, Any]:
    older, newer = base.version.record, base.latest.record
    given = {name: content.get(name) or "" for name in (EQUIVALENCE, PROFILE, SERVICES)}
    rules = revised_equivalence(given, older.equivalence, newer.equivalence)
    profile = revised_profile(given, newer.folded, older.profile, newer.profile)
    before, now = initial_draft(older, registry), initial_draft(newer, registry)
    fate = (STATUS, SUCCESSOR)
    is_own = any(content.get(name, "") != before[name] for name in fate)
    return {
        **({} if is_own else {name: now[name] for name in fate}),
        EQUIVALENCE: write_declaration(rules),
        PROFILE: write_profile(profile),
        SERVICES: write_services(profile.resolution),
    }
