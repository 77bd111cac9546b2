"""What the size of a registry costs a page that is made for its asker.

Milliseconds of CPU in one process, the median of some requests, each size in a database of
its own: ``python -m tests.bench.finding``. The largest takes many minutes to fill.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask

from app.config import NOTICES, Settings
from app.factory import asset_dir, create_app
from app.services.operations import database_binding
from app.services.registry import snapshots
from tests import synthetic

SIZES = (100, 1_000, 10_000, 100_000)
ASKED = 8
AT = datetime(2026, 9, 1, tzinfo=UTC)
LIST = "/assignments/urn-namespaces/"
NAMED = 50  # a name that every size has


def pages(name: str) -> dict[str, str]:
    """What is asked for, by what it is called in the table."""
    word = name.replace("-", "")
    return {
        "the first page": "/",
        "one namespace": f"/namespaces/{name}",
        "the list, made for one person": LIST,
        "a word of one template": f"{LIST}?q=only{word}",
        "a word of every template": f"{LIST}?q=things",
        "informal": f"{LIST}?kind=informal",
        "former": f"{LIST}?status=former",
        "a year and a kind of reference": f"{LIST}?year=2004&reference=rfc",
        "by date, the newest first": f"{LIST}?sort=date&order=desc",
        "by name, from a name on": f"{LIST}?sort=name&after={name}",
    }


def filled(folder: Path, size: int) -> tuple[Flask, str]:
    """An application with so many names, and one of them."""
    app = create_app(Settings(data_dir=folder, secret_key="of a bench"))
    with app.app_context():
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize(NOTICES["private"], AT, empty=True)
        synthetic.fill(size, AT)
        database_binding.close_connections()
    records = (record.name for _, record in synthetic.records(size))
    return app, next(name for n, name in enumerate(records) if n == NAMED)


def cost(app: Flask, path: str) -> float:
    """Milliseconds of CPU for a page; the first request, which fills what is kept, is left out."""
    client, times = app.test_client(), []
    for _ in range(ASKED + 1):
        before = time.process_time()
        status = client.get(path, headers={"Accept": "text/html"}).status_code
        times.append((time.process_time() - before) * 1e3)
        assert status == 200, path
    return statistics.median(times[1:])


def run(sizes: tuple[int, ...] = SIZES) -> Iterator[tuple[str, str]]:
    """Every figure of every size."""
    for size in sizes:
        with TemporaryDirectory() as folder:
            app, name = filled(Path(folder), size)
            for label, path in pages(name).items():
                yield f"{size:,} names: {label}, ms of CPU", f"{cost(app, path):.1f}"


def main() -> None:
    """Print the figures of the sizes given, or of all."""
    for label, figure in run(tuple(map(int, sys.argv[1:])) or SIZES):
        sys.stdout.write(f"{label:70}{figure:>10}\n")


if __name__ == "__main__":
    main()
