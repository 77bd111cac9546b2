"""What many names under a prefix cost: ``python -m tests.bench.name_growth [SIZE...]``.

On either database, each size in a process of its own: names are brought in from a CSV file with a
target and three elements each, under a prefix without a mask, so that look-alikes are asked for
too; then the copy of this host is made from the feed, asked for the list that everybody sees, and
brought up to date after one change. The database is measured when all is in it, by what a name
takes there.
"""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from io import BufferedReader
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sqlalchemy import text

from app.assigned_names.name_formats import NAME_FORMATS
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.published.http.http_exchange import HttpRequest
from app.published.plane import PublishedPlane
from app.services.assigned_names import name_feed, prefix_lists
from app.services.assigned_names.name_import import import_names
from app.store.database import db, read_transaction
from tests.bench.bound_names import blades
from tests.bench.name_registries import NAAN, NameRegistry, databases, name_registry
from tests.bench.servers import ROOT
from tests.services.assigned_names.conftest import revision

SIZES = {"SQLite": (100_000, 1_000_000), "PostgreSQL": (100_000,)}
CHANGES = 20
_ROW = "ark:{naan}/x5{blade},https://repository.example/items/{at},A library,Item {at},2026\n"


def measure(database: str, size: int) -> dict[str, float]:
    """Every figure of one size on one database."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = folder / "names.csv"
        with rows.open("w") as file:
            file.write("name,target,who,what,when\n")
            file.writelines(
                _ROW.format(naan=NAAN, blade=blade, at=at) for at, blade in enumerate(blades(size))
            )
        with name_registry(folder, database) as registry, rows.open("rb") as opened:
            registry.desk.add(f"ark:{NAAN}/x5", mask="")
            return dict(_figures(registry, opened, size))


def _figures(
    registry: NameRegistry, rows: BufferedReader, size: int
) -> Iterator[tuple[str, float]]:
    desk, empty = registry.desk, _octets(registry)
    memory, began = _peak(), time.perf_counter()

    def bring_in() -> None:
        made = import_names(
            desk.command(), "0" * 64, NAME_FORMATS["csv"].read(rows), given=desk.given
        )
        assert made.taken == size, made

    seconds = registry.spent(bring_in)
    yield "import, rows a second of CPU", size / seconds
    yield "import, rows a second by the clock", size / (time.perf_counter() - began)
    yield "import, minutes of CPU", seconds / 60
    yield "memory before, MB", memory
    yield "peak memory of the import, MB", _peak()
    yield "database, octets a name", (_octets(registry) - empty) / size
    yield from _pages(registry)
    copy = NameCopyWriter(registry.folder / NAMES_FOLDER)
    began = time.perf_counter()
    seconds = registry.spent(lambda: name_feed.follow(copy, desk.given))
    yield "copy, names a second of CPU", size / seconds
    yield "copy, seconds by the clock", time.perf_counter() - began
    yield "peak memory of the copy, MB", _peak()
    yield "copy, octets a name", copy.path.stat().st_size / size
    yield from _lists(registry)
    lags = list(_lags(registry, copy, size))
    yield "first change after the copy was made, ms of CPU", lags[0] * 1e3
    yield "one more change, ms of CPU", median(lags[1:]) * 1e3


def _pages(registry: NameRegistry) -> Iterator[tuple[str, float]]:
    desk = registry.desk
    by = desk.command()
    prefix = prefix_lists.prefixes_of(by.actor, by.at)[0].ident
    asked: dict[str, Callable[..., object]] = {
        "the states of its names, counted": prefix_lists.prefix_detail,
        "a page of its names": prefix_lists.names_under,
        "a text that none of them has": partial(prefix_lists.names_under, part="nowhere"),
    }
    for label, ask in asked.items():
        seconds = registry.spent(partial(ask, prefix, by.actor, by.at))
        yield f"desk: {label}, ms of CPU", seconds * 1e3


def _lists(registry: NameRegistry) -> Iterator[tuple[str, float]]:
    """What a host takes for the first hundred names of the list that everybody sees."""
    site = PublishedPlane(registry.folder / "published", names=registry.folder / NAMES_FOLDER)
    target = f"/names/under/ark:{NAAN}/x5"
    for label, media_type in (("page", "text/html"), ("JSON", "application/json")):
        request = HttpRequest("GET", target, target, "", {"host": "x", "accept": media_type})
        spent = [registry.spent(partial(site.answer, request)) for _ in range(CHANGES)]
        yield f"list that everybody sees as {label}, ms of CPU", median(spent) * 1e3


def _lags(registry: NameRegistry, copy: NameCopyWriter, size: int) -> Iterator[float]:
    for number, blade in zip(range(CHANGES), blades(size), strict=False):
        told = revision(f"ark:{NAAN}/x5{blade}", target=f"https://elsewhere.example/{number}")
        registry.desk.change(told)
        yield registry.spent(lambda: name_feed.follow(copy, registry.desk.given))


def _octets(registry: NameRegistry) -> int:
    """What the database takes on disk."""
    if registry.server is None:
        file = registry.folder / "registry.sqlite3"
        with closing(sqlite3.connect(file)) as connection:  # what was written lies in it then
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return file.stat().st_size
    with read_transaction():
        return int(db.session.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def measured_apart(database: str, size: int) -> dict[str, float]:
    """``measure`` in a fresh process."""
    command = [sys.executable, "-m", __spec__.name, database, str(size)]
    out = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    figures: dict[str, float] = json.loads(out.stdout)
    return figures


def run(sizes: tuple[int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every figure of every size."""
    for database in databases():
        for size in sizes or SIZES[database]:
            for label, figure in measured_apart(database, size).items():
                told = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
                yield f"{size:,} names, {database}: {label}", told


def main() -> None:
    """Print the figures of all sizes or of those given; of one on one database as JSON."""
    if sys.argv[1:2] and not sys.argv[1].isdigit():
        sys.stdout.write(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
        return
    for label, figure in run(tuple(map(int, sys.argv[1:]))):
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
