"""What a redirect of a bound name costs, beside Flask: ``python -m tests.bench.bound_names``.

As in ``ark_names``: worker CPU for a request as a ratio, the median of interleaved rounds, each
subject in a worker of its own. Names are bound in a copy of 1,000 and of 1,000,000; one is asked
for again and again, and others once each. How long it takes to make the copy, and how large it is,
stands beside it. Arklet, where it is installed (``make peers``), has a thousand names on SQLite.
"""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count, cycle, islice, repeat
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.factory import create_asgi_of_copy
from app.identifiers.noid import BETANUMERIC
from app.registration.declarations.registry_groups import NAAN_GROUP
from tests.bench import arklet, names
from tests.bench.ark_names import cost_of, request_for, shipped_ark_rules
from tests.bench.published import rounds_of
from tests.bench.servers import GUNICORN, Worker, answer_by_uvicorn, fetch, started
from tests.published.arks import bundle_of_arks
from tests.published.bundles import make_bundle

SIZES = 1_000, 100_000, 1_000_000
PREFIX = "12148/x5"
DIGITS = 7
AGAIN = "of one bound name, again"


def bound(size: int) -> Iterator[dict[str, Any]]:
    """So many bound names as a feed has them, opaque and so in no order."""
    for number, blade in enumerate(blades(size), 1):
        elements = [["who", "A library"], ["what", f"Item {number}"], ["when", "2026"]]
        target = f"https://repository.example/items/{number}"
        name = f"ark:{PREFIX}{blade}"
        yield {
            "change": number,
            "name": name,
            "state": "public",
            "target": target,
            "elements": elements,
        }


def blades(size: int) -> Iterator[str]:
    """So many blades, each once."""
    base, most = len(BETANUMERIC), len(BETANUMERIC) ** DIGITS
    step = most // 3 | 1  # has no divisor in common with a power of the base, as a test of it shows
    for number in range(size):
        value, digits = (number + 1) * step % most, ""
        for _ in range(DIGITS):
            value, digit = divmod(value, base)
            digits += BETANUMERIC[digit]
        yield digits


def run() -> Iterator[tuple[str, str]]:
    """Every figure of bound names."""
    for size in SIZES:
        with TemporaryDirectory() as name, ExitStack() as stack:
            folder = Path(name)
            make_bundle().lay_out(folder)
            bundle_of_arks(shipped_ark_rules()).lay_out(folder / NAAN_GROUP.folder)
            yield f"a copy of {size:,} names", _made(folder / NAMES_FOLDER, size)
            own = [sys.executable, "-m", __spec__.name, name]
            bare = [*GUNICORN, f"{names.__name__}:flask()"]
            commands = {"bound": own, "Flask": bare, "Flask again": bare}
            workers = {key: stack.enter_context(started(line)) for key, line in commands.items()}
            peer = stack.enter_context(_arklet()) if arklet.is_installed() else None
            for words, asked in _asked(size).items():
                figure = _figure(workers, asked, peer if words == AGAIN else None)
                yield f"redirects {words}, of {size:,}", figure


def _made(folder: Path, size: int) -> str:
    began = time.process_time()
    writer = NameCopyWriter(folder)
    writer.follow(lambda _: bound(size))
    seconds, octets = time.process_time() - began, writer.path.stat().st_size
    return f"{seconds:.1f} s of CPU, {octets / 1e6:.1f} MB"


def _asked(size: int) -> dict[str, Iterator[str]]:
    drawn = list(islice(blades(size), 0, size, max(1, size // 100_000)))
    random.Random(7).shuffle(drawn)
    once, number = cycle(drawn), count()
    return {
        AGAIN: repeat(f"{PREFIX}{drawn[0]}"),
        "of bound names, each once": (f"{PREFIX}{one}/{next(number)}" for one in once),
        "of bound names in turn": (f"{PREFIX}{one}" for one in cycle(drawn)),
        "of names that are not bound, each once": (f"12148/btv{one}" for one in count()),
    }


@contextmanager
def _arklet() -> Iterator[arklet.RunningArklet]:
    with TemporaryDirectory() as name:
        database = {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{name}/peer.sqlite3"}
        with arklet.running_arklet(Path(name), database) as running:
            yield running


def _figure(
    workers: dict[str, Worker], asked: Iterator[str], peer: arklet.RunningArklet | None
) -> str:
    subjects = {key: (one, asked) for key, one in workers.items()}
    if peer is not None:
        subjects["arklet"] = (peer.worker, cycle(peer.arks))
    for name, (worker, some) in subjects.items():
        assert fetch(worker.connection, request_for(next(some))).split()[1] == b"302", name
    rounds = rounds_of({key: partial(cost_of, *one) for key, one in subjects.items()})

    def ratio(to: str, subject: str) -> float:
        return median(costs[to] / costs[subject] for costs in rounds)

    own = median(costs["bound"] for costs in rounds) * 1e6
    beside = f"(itself {ratio('Flask', 'Flask again'):.2f}, {own:.0f} µs)"
    told = f"{ratio('Flask', 'bound'):.2f} of Flask {beside}"
    return told if peer is None else f"{told}, {ratio('arklet', 'bound'):.1f} of arklet"


def main() -> None:
    """Print the figures."""
    for label, figure in run():
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        answer_by_uvicorn(create_asgi_of_copy(Path(sys.argv[1])), bounded=True)
    else:
        main()
