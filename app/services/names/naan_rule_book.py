"""By which rules ARKs are judged here: those of the newest edition of NAANs."""

from datetime import datetime
from functools import lru_cache

from app.assigned_names.name_numbering import ends_in_check
from app.exports.extracts.naan_files import ark_rules_bytes
from app.identifiers.ark import ARK
from app.registration.declarations.naan_registries import SHOULDER_SPACE
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.resolution.ark_rules import LineArkRuleBook, NaanSnapshot
from app.services.registry.bundled_naans import bundled_naans
from app.store.assigned_names import prefix_rows
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names


def standing_naans() -> NaanSnapshot:
    """The NAANs and shoulders as they stand here; those that are shipped where none do.

    They change with an edition alone, and are made once for each.
    """
    latest = edition_rows.latest_edition(NAAN_GROUP)
    if latest is None:
        return bundled_naans()
    return _standing(names.database_name(), latest.n, latest.as_of, latest.updated)


def minting_naans() -> NaanSnapshot:
    """Return ``standing_naans`` with the prefixes under which this site mints ARKs."""
    masks = prefix_rows.masks().items()
    checks = {prefix: ends_in_check(mask) for prefix, mask in masks if mask}
    return standing_naans()._replace(checks=checks)


@lru_cache(maxsize=2)
def _standing(_database: str, edition: int, _as_of: datetime, day: str) -> NaanSnapshot:
    snapshot = edition_snapshots.snapshot(edition)
    if snapshot is None:
        return bundled_naans()
    known = NAAN_GROUP.file_day(snapshot.on_file or "") or day  # what came since is of few names
    return NaanSnapshot(LineArkRuleBook(ark_rules_bytes(snapshot)), known)


def is_under_own_shoulder(ark: ARK) -> bool:
    """Whether an ARK lies under a shoulder that somebody asked for here, and no file told of."""
    rules = standing_naans().book.longest(ark.normal_form.removeprefix("ark:"))
    found = names.find_record(SHOULDER_SPACE.id, rules.prefix) if rules else None
    return found is not None and found[1].request is not None
