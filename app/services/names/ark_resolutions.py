"""Following an ARK for a visitor: a chain of requests to servers elsewhere, and their answers."""

from collections.abc import Iterator
from datetime import datetime

from app.problems import use_case_codes
from app.resolution.reference_resolution import ReferenceResolution, Walk
from app.services.accounts import rate_limits
from app.services.accounts.rate_limits import Counted, RateLimitKind
from app.services.accounts.sessions import Client
from app.services.accounts.work_turns import asking_turn
from app.services.refusals import NotAllowed
from app.store.database import transaction

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
