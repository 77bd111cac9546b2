"""What it costs to mint names, beside arklet: ``python -m tests.bench.name_minting``.

CPU for a name as a ratio, that of the database included, the median of interleaved rounds on either
database. Here names are minted as ``names mint`` does, 10,000 in a call: each with its check
character, a version, a place in the feed, and one event with their digest. Arklet gives one to a
request; beside that stand its own function without HTTP, and its command that fills a database,
whose names have neither a check character nor a history. Without it (``make peers``) nothing is
compared.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from app.services.assigned_names import minting
from tests.bench import arklet
from tests.bench.name_registries import NAAN, NameRegistry, databases, name_registry
from tests.bench.published import rounds_of
from tests.bench.servers import fetch

AT_ONCE, ONE_BY_ONE = 10_000, 100
OWN, ONE = "minted here", "one by one here"
PEERS = {
    "HTTP": "of arklet’s over HTTP",
    "function": "of its function alone",
    "command": "of its command for all at once",
}


def run() -> Iterator[tuple[str, str]]:
    """Every figure of minting."""
    for database in databases():
        with TemporaryDirectory() as name, ExitStack() as stack:
            registry = stack.enter_context(name_registry(Path(name), database))
            prefix = registry.desk.add(f"ark:{NAAN}/x5", mask="reedeeeeedk")
            yield f"names minted a second, {database}, by the clock", _by_clock(registry, prefix)
            measures: dict[str, Callable[[], float]] = {
                OWN: partial(_mint, registry, prefix, AT_ONCE, AT_ONCE),
                ONE: partial(_mint, registry, prefix, ONE_BY_ONE, 1),
            }
            if arklet.is_installed():
                own = registry.for_django()
                measures |= _of_peer(
                    registry, stack.enter_context(arklet.running_arklet(Path(name), own))
                )
            yield from _figures(database, rounds_of(measures))


def _by_clock(registry: NameRegistry, prefix: int) -> str:
    began = time.perf_counter()
    _mint(registry, prefix, 2 * AT_ONCE, AT_ONCE)
    return f"{2 * AT_ONCE / (time.perf_counter() - began):,.0f}"


def _mint(registry: NameRegistry, prefix: int, count: int, at_once: int) -> float:
    desk = registry.desk

    def mint() -> None:
        for _ in range(count // at_once):
            minting.mint(desk.command(), prefix, at_once, given=desk.given)

    return registry.spent(mint) / count


def _of_peer(registry: NameRegistry, peer: arklet.RunningArklet) -> dict[str, Callable[[], float]]:
    asked = peer.minting()
    assert fetch(peer.worker.connection, asked).split()[1] == b"200"

    def over_http() -> float:
        before = registry.beside()
        return peer.worker.cost(asked, ONE_BY_ONE) + (registry.beside() - before) / ONE_BY_ONE

    def alone(count: int, *, at_once: bool) -> float:
        before = registry.beside()
        own = peer.mint_alone(count, at_once=at_once)
        return (own + registry.beside() - before) / count

    return {
        "HTTP": over_http,
        "function": partial(alone, ONE_BY_ONE, at_once=False),
        "command": partial(alone, AT_ONCE, at_once=True),
    }


def _figures(database: str, rounds: list[dict[str, float]]) -> Iterator[tuple[str, str]]:
    for subject in (OWN, ONE):
        rate = 1 / median(costs[subject] for costs in rounds)
        ratios = [
            f"{median(costs[peer] / costs[subject] for costs in rounds):.1f} {words}"
            for peer, words in PEERS.items()
            if peer in rounds[0]
        ]
        figure = "; ".join([f"{rate:,.0f} names a second of CPU", *ratios])
        yield f"names {subject}, {database}", figure


def main() -> None:
    """Print the figures."""
    for label, figure in run():
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
