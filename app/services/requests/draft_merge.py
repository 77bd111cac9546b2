"""A revision's draft with what was registered after it was begun."""

from collections.abc import Mapping
from typing import Any

from app.pages.text.three_way_merge import merged
from app.registration.declarations.registries import Registry
from app.registration.profiles.equivalence_answers import (
    EQUIVALENCE,
    revised_equivalence,
    write_declaration,
)
from app.registration.profiles.profile_answers import (
    PROFILE,
    SERVICES,
    revised_profile,
    write_profile,
    write_services,
)
from app.services.registry.base_version import (
    STATUS,
    SUCCESSOR,
    BaseVersion,
    begun_from,
    compared,
    known_fields,
)

UNMERGED = "unmerged"  # in a draft: the newer texts of fields that its author decides about


def with_newer(content: Mapping[str, Any], base: BaseVersion, registry: Registry) -> dict[str, Any]:
    """What a draft holds once it is based on what is registered by now.

    Each text has what came meanwhile. Where its author changed the same lines, it stays, and the
    newer one is kept beside it until they decide.
    """
    older, newer = (
        compared(known_fields(version.record, registry), registry)
        for version in (base.version, base.latest)
    )
    fields, undecided, unmerged = dict(content.get("fields", {})), content.get(UNMERGED, {}), {}
    for name in older.keys() | newer.keys():
        before, now = older.get(name, ""), newer.get(name, "")
        found = merged(before, fields.get(name, ""), now)
        fields[name] = found.text
        if not found.is_whole or name in undecided:
            unmerged[name] = now
    return {**content, "fields": fields, **_beside(content, base, registry), UNMERGED: unmerged}


def _beside(content: Mapping[str, Any], base: BaseVersion, registry: Registry) -> dict[str, Any]:
    """What is said beside the template: what its author left alone is as it is by now."""
    older, newer = base.version.record, base.latest.record
    given = {name: content.get(name) or "" for name in (EQUIVALENCE, PROFILE, SERVICES)}
    rules = revised_equivalence(given, older.equivalence, newer.equivalence)
    profile = revised_profile(given, newer.folded, older.profile, newer.profile)
    before, now = begun_from(older, registry), begun_from(newer, registry)
    fate = (STATUS, SUCCESSOR)
    is_own = any(content.get(name, "") != before[name] for name in fate)
    return {
        **({} if is_own else {name: now[name] for name in fate}),
        EQUIVALENCE: write_declaration(rules),
        PROFILE: write_profile(profile),
        SERVICES: write_services(profile.resolution),
    }
