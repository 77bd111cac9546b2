"""What the size of a registry costs the published plane: to lay out, to load, to answer.

Each name has a page and a file of JSON. The answers are measured in a process of its own,
which also tells what memory the edition takes there.
"""

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from app.bundles.layout import lay_out
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.manifest import Manifest
from app.published.http.http_exchange import HttpRequest
from app.published.plane import PublishedPlane
from tests.exports.bundle_files import bundle_file
from tests.published.bundles import as_of, request_of

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = (100, 1_000, 10_000, 100_000)
ASKED = 2_000
RULE = ("/namespaces/{}", ("/namespaces/{}", "/namespaces/{}.json"))
PAGE = b"<h1>Namespace %d in version %d</h1>" + b"<p>What a registrant says of it.</p>\n" * 60
RECORD = b'{"name": "name-%d", "note": "' + b"x" * 600 + b'"}'


class Names:
    """A registry of so many names, of which one changes with each edition."""

    def __init__(self, size: int) -> None:
        self._size = size

    def manifest(self, edition: int) -> Manifest:
        """The manifest of an edition."""
        return Manifest(
            edition=edition,
            as_of=as_of(edition),
            made_by="bench",
            files=tuple(self._files(edition)),
            negotiated=(RULE,),
        )

    def lay_out(self, folder: Path, edition: int) -> float:
        """Lay an edition out; the seconds that takes."""
        manifest = self.manifest(edition)
        before = time.monotonic()
        lay_out(folder, manifest, lambda blob: self._content(blob.path, edition))
        return time.monotonic() - before

    def _files(self, edition: int) -> Iterator[BundleFile]:
        for number in range(self._size):
            path = f"/namespaces/name-{number}"
            yield bundle_file(path, "text/html; charset=utf-8", self._content(path, edition))
            path += ".json"
            yield bundle_file(path, "application/json", self._content(path, edition))

    def _content(self, path: str, edition: int) -> bytes:
        number = int(path.removesuffix(".json").rpartition("-")[2])
        if path.endswith(".json"):
            return RECORD % number
        return PAGE % (number, edition if number == self._size // 2 else 1)


def requests(size: int, suffix: str = "", **headers: str) -> list[HttpRequest]:
    """Requests for names here and there."""
    chosen = random.Random(size)
    paths = (f"/namespaces/name-{chosen.randrange(size)}{suffix}" for _ in range(ASKED))
    return [request_of(path, **headers) for path in paths]


def cost(site: PublishedPlane, asked: list[HttpRequest]) -> float:
    """Microseconds of CPU for one of these requests."""
    before = time.process_time()
    for request in asked:
        site.answer(request)
    return (time.process_time() - before) / len(asked) * 1e6


def memory() -> float:
    """The memory that this process takes now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def measure(folder: Path, size: int) -> dict[str, float]:
    """Load an edition and ask it, in this process."""
    pages, files = requests(size), requests(size, ".json")
    few = requests(size)[:50] * 40
    known = requests(size, if_none_match="*")
    before, began = memory(), time.process_time()
    site = PublishedPlane(folder)
    loading = (time.process_time() - began) * 1e3
    figures = {"load, ms of CPU": loading, "memory, MB": memory() - before}
    figures["page of any name, 200, µs"] = cost(site, pages)
    figures["page of a name asked for before, 200, µs"] = cost(site, few)
    figures["JSON of any name, 200, µs"] = cost(site, files)
    figures["page of any name, 304, µs"] = cost(site, known)
    figures["memory after that, MB"] = memory() - before
    return figures


def measured_apart(folder: Path, size: int) -> dict[str, float]:
    """``measure`` in a fresh process."""
    command = [sys.executable, "-m", __spec__.name, str(folder), str(size)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(out.stdout)
    return figures


def disk(folder: Path) -> float:
    """Megabytes that a folder takes on disk, its last blocks filled or not."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) * 512 / 1e6


def run() -> Iterator[tuple[str, str]]:
    """Every figure of every size."""
    for size in SIZES:
        with TemporaryDirectory() as name:
            folder, names = Path(name), Names(size)
            figures = {"lay out, s": names.lay_out(folder, 1), "disk, MB": disk(folder)}
            figures["lay out the next, one name changed, s"] = names.lay_out(folder, 2)
            figures["disk for the next, MB"] = disk(folder) - figures["disk, MB"]
            figures |= measured_apart(folder, size)
        for label, figure in figures.items():
            yield f"{size:,} names: {label}", f"{figure:.2f}"


def main() -> None:
    """Print what one folder costs, as JSON."""
    _, folder, size = sys.argv
    sys.stdout.write(json.dumps(measure(Path(folder), int(size))))


if __name__ == "__main__":
    main()
