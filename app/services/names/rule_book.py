"""The rules of the registry as it stands, by which every page and tool judges a name."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from app.assigned_names.name_numbering import ends_in_check
from app.exports.extracts.naan_files import ark_rules_bytes
from app.identifiers.ark import ARK
from app.problems import use_case_codes
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.naan_registries import SHOULDER_SPACE
from app.registration.declarations.registries import FORMAL, REGISTRIES
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.resolution.ark_rules import LineArkRuleBook, NaanSnapshot
from app.resolution.namespace_rules import NamespaceRules, RuleBook, nearest_names
from app.resolution.record_rules import rules_of
from app.resolution.reference_resolution import ReferenceResolution, Walk
from app.services.accounts import rate_limits
from app.services.accounts.rate_limits import Counted, RateLimitKind, asking_turn
from app.services.accounts.sign_in import Client
from app.services.refusals import NotAllowed
from app.services.registry.bundled_naans import bundled_naans
from app.services.registry.snapshots import taken_index
from app.store.assigned_names import prefix_rows
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names

_HELD = 4_096  # namespaces whose rules are kept in memory


class StoredRules:
    """The rules of the edition that stands, each made of its record when it is first asked for.

    They are those that the edition publishes, since both are made by ``rules_of``; an edition that
    is not built yet has them too.
    """

    def __init__(self, index: NameIndex) -> None:
        self._index = index
        self._known = lru_cache(maxsize=_HELD)(self._read)

    def find(self, folded: str) -> NamespaceRules | None:
        """The rules of a namespace; names that there are not take no room from those there are."""
        return self._known(folded) if self._index.find_registered(folded) else None

    def _read(self, folded: str) -> NamespaceRules | None:
        found = names.find_record(FORMAL.space.id, folded)
        return rules_of(found[1], REGISTRIES[found[0]].kind) if found else None

    def nearest(self, folded: str) -> tuple[str, ...]:
        """Names like this one, the nearest first."""
        return nearest_names(folded, self._index)


def rule_book() -> RuleBook:
    """The rules of all namespaces as they stand; they change with an edition alone."""
    latest = edition_rows.latest_edition(URN_GROUP)
    known = (latest.n, latest.as_of) if latest else (0, None)
    return _book(names.database_name(), *known)


@lru_cache(maxsize=2)
def _book(_database: str, _edition: int, _as_of: datetime | None) -> StoredRules:
    return StoredRules(taken_index(FORMAL.space))


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


ASKS_NOBODY = (
    "This site doesn't contact other servers. To follow an ARK, run `urn-registry "
    "ark resolve` on your own computer."
)


def follow_ark(
    begun: ReferenceResolution, walk: Walk | None, client: Client, at: datetime, secret: str
) -> ReferenceResolution:
    """The resolution at its end; no transaction is open while others are asked.

    Raises NotAllowed where there is nothing to ask with, CapacityExhausted while somebody else’s is
    followed, and RateLimitExceeded.
    """
    if walk is None:
        raise NotAllowed(use_case_codes.NOBODY_ASKED, ASKS_NOBODY)
    with asking_turn():
        with transaction():
            rate_limits.spend(list(_counted(client, secret)), at)
        return walk(begun)


def _counted(client: Client, secret: str) -> Iterator[Counted]:
    yield RateLimitKind.ARKS, ""
    if client.address:
        yield RateLimitKind.ARKS_OF_CLIENT, rate_limits.keyed(client.address, secret)
    if client.network:
        yield RateLimitKind.ARKS_OF_NETWORK, rate_limits.keyed(client.network, secret)
