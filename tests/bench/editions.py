"""What an edition costs: to build, in memory and in the database, by the registry's size.

Each size is measured in a process of its own, on SQLite: first the edition that brings all
names, then ones that add a single name. Times are CPU seconds of that process.
"""

import json
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from app.config import NOTICES, Settings
from app.exports.formats.xml import xml_bytes
from app.factory import asset_dir, create_app
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, RegistrySnapshot, Xref, XrefType
from app.services.editions import edition_build, publication
from app.services.operations import database_binding
from app.services.registry import snapshots
from tests import factories
from tests.conftest import START

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = (100, 1_000, 10_000)
LARGEST = 100_000  # measured when asked for: python -m tests.bench.editions 100000


def synthetic(size: int) -> RegistrySnapshot:
    """The bundled registry's head over so many formal names, each with two references."""
    shipped = snapshots.bundled_snapshot()
    formal, informal = shipped.registries
    records = tuple(_record(number) for number in range(size))
    tables = (replace(formal, records=records), replace(informal, records=()))
    return replace(shipped, registries=tables, people=())


def _record(number: int) -> Registration:
    name = f"name{number:07d}"
    template = Xref(XrefType.URI, f"https://templates.example/{name}", f"{name}-template")
    owner = Xref(XrefType.URI, f"https://org{number % 997}.example/", f"Organization {number}")
    return Registration(
        name=name, date="2020-01-01", template=(template,), references=(owner,), contact=None
    )


def measure(size: int) -> dict[str, float]:
    """Every figure of one size."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app(Settings(data_dir=folder, secret_key="of a bench"))
        with app.app_context():
            database_binding.migrate(asset_dir("migrations"))
            snapshots.initialize("", START, empty=True)
            return dict(_figures(folder, xml_bytes(synthetic(size))))


def _figures(folder: Path, data: bytes) -> Iterator[tuple[str, float]]:
    people = factories.cast(START)
    # the first name of its own changes what the registry says of itself, and so every file
    factories.registered(people, START, namespace_identifier="wombat")
    yield "import, s", _timed(lambda: snapshots.import_xml(data, START, notice=NOTICES["private"]))
    before = _disk(folder)
    yield "build all, s", _timed(_build)
    yield "peak memory, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    first = _disk(folder)
    yield "database for it, MB", first - before
    factories.registered(people, START, namespace_identifier="quokka")
    grown = _disk(folder)
    yield "build with one name more, s", _timed(_build)
    yield "database for that, MB", _disk(folder) - grown
    published = folder / "published"
    yield "lay out, s", _timed(lambda: _lay_out(published))
    yield "peak memory after it, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    yield "disk, MB", _size(published)
    factories.registered(people, START, namespace_identifier="numbat")
    _build()
    laid_out = _size(published)
    yield "lay out with one name more, s", _timed(lambda: _lay_out(published))
    yield "disk for that, MB", _size(published) - laid_out
    database_binding.close_connections()


def _build() -> None:
    if not edition_build.build_pending(None, factories.PLACE):
        raise RuntimeError("nothing was built")


def _lay_out(folder: Path) -> None:
    if publication.lay_out_newest(folder, factories.making(), URN_GROUP) is None:
        raise RuntimeError("nothing was laid out")


def _timed(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


def _disk(folder: Path) -> float:
    file = folder / "registry.sqlite3"
    with closing(sqlite3.connect(file)) as connection:  # what was written lies in the file then
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size / 1e6


def _size(folder: Path) -> float:
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) * 512 / 1e6


def measured_apart(size: int) -> dict[str, float]:
    """``measure`` in a fresh process."""
    command = [sys.executable, "-m", __spec__.name, str(size)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(out.stdout)
    return figures


def run(sizes: tuple[int, ...] = SIZES) -> Iterator[tuple[str, str]]:
    """Every figure of every size."""
    for size in sizes:
        for label, figure in measured_apart(size).items():
            yield f"edition of {size:,} names: {label}", f"{figure:.2f}"


def main() -> None:
    """Print what one size costs, as JSON."""
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))


if __name__ == "__main__":
    main()
