"""What a part of all names costs: ``python -m tests.bench.name_parts [SIZE]``.

Names are opaque, so that those of a part were given among all others. The copy of each part is made
from a feed of all names, as a host does from its database, and from ``/names/changes?under=`` of a
site that has all, as a mirror does: the work of that site is then counted too. A page of that feed
is asked for at both of its ends.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from app.assigned_names.name_prefixes import NamePart, read_part
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.bundles.name_mirror import mirror_names
from app.published.http.http_exchange import HttpRequest, split_target
from app.published.plane import PublishedPlane
from tests.bench.bound_names import PREFIX, bound

SIZE, ROUNDS = 1_000_000, 11
PARTS = ("bc",), ("c",), ("d", "f")  # of a million 1,189, 34,483, and more than are read by name


def run(size: int = SIZE) -> Iterator[tuple[str, str]]:
    """Every figure of a whole copy and of two parts of it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = NameCopyWriter(folder / "all" / NAMES_FOLDER)
        spent = _spent(partial(whole.follow, lambda _: bound(size)))
        yield f"{size:,} names: all, from the feed", _made(whole, spent)
        site = PublishedPlane(folder / "all")
        for ends in PARTS:
            part = read_part(f"ark:{PREFIX}{end}" for end in ends)
            yield from _figures(folder / ends[0], site, part, size)


def _figures(
    folder: Path, site: PublishedPlane, part: NamePart, size: int
) -> Iterator[tuple[str, str]]:
    begun = ", ".join(part.beginnings)
    copy = NameCopyWriter(folder / "host", part=part)
    yield (
        f"{begun}: from all changes",
        _made(copy, _spent(partial(copy.follow, lambda _: bound(size)))),
    )
    copy = NameCopyWriter(folder / NAMES_FOLDER, part=part)

    def fetch(url: str, take: object, _largest: int) -> int:
        status, body = _asked(site, url.removeprefix("http://all.example"))
        assert callable(take)
        take(body)
        return status

    spent = _spent(partial(mirror_names, "http://all.example", folder, fetch, part))
    yield f"{begun}: from the feed of the part", _made(copy, spent)
    for label, after in (("from its beginning", 0), ("at its end", size)):
        under = "".join(f"&under={one}" for one in part.beginnings)
        target = f"/names/changes?after={after}{under}"
        taken = [_spent(partial(_asked, site, target)) for _ in range(ROUNDS)]
        yield f"{begun}: a page of the feed {label}, ms of CPU", f"{median(taken) * 1e3:.2f}"


def _made(copy: NameCopyWriter, seconds: float) -> str:
    return f"{copy.path.stat().st_size / 1e6:.1f} MB, {seconds:.2f} s of CPU"


def _asked(site: PublishedPlane, target: str) -> tuple[int, bytes]:
    path, query = split_target("GET", target)
    answer = site.answer(HttpRequest("GET", target, path, query, {"host": "x"}))
    assert answer is not None and isinstance(answer.body, bytes)
    return answer.status, answer.body


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Print the figures of a size."""
    for label, figure in run(*map(int, sys.argv[1:])):
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
