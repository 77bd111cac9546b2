"""What a redirect of an ARK costs, beside a bare Flask view: ``python -m tests.bench.ark_names``.

As in ``names``: worker CPU for a request as a ratio, the median of interleaved rounds, each subject
in a worker of its own. ARKs lead on by the NAANs and shoulders that are shipped, and by 100,000.
Beside it stands how many times as fast that is as another resolver, which with the records that are
shipped took 4,000 microseconds of CPU for one.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count, cycle, islice, repeat
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from app import bundled
from app.factory import create_asgi_of_copy
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.naan_documents import naan_file_from
from app.resolution.ark_resolver import ArkResolver, ResolvedArk
from app.resolution.ark_rules import ArkRules, ark_book_of, ark_rules_of
from tests.bench import names
from tests.bench.ark_resolution import PEER
from tests.bench.published import BROWSER, rounds_of
from tests.bench.servers import GUNICORN, Worker, answer_by_uvicorn, fetch, started
from tests.published.arks import bundle_of_arks
from tests.published.bundles import make_bundle

SIZES = {"all that are shipped": 0, "100,000": 100_000}
BEGUN = "12148/btv1b"


def shipped_ark_rules() -> list[ArkRules]:
    """The rules of every NAAN and shoulder that is shipped."""
    return [ark_rules_of(record) for record in naan_file_from(bundled.naans()).records]


def rules(size: int) -> list[ArkRules]:
    """Those that are shipped, and so many in all, a shoulder to each NAAN."""
    shipped = shipped_ark_rules()
    made = (_made(number) for number in range(size // 2))
    return [*shipped, *islice((one for pair in made for one in pair), max(0, size - len(shipped)))]


def _made(number: int) -> tuple[ArkRules, ArkRules]:
    naan, target = f"{number:07d}", f"https://h{number}.example/ark:/${{content}}"
    return ArkRules(prefix=naan, target=target), ArkRules(prefix=f"{naan}/x5", target=target)


def led(size: int) -> list[str]:
    """Beginnings of ARKs that lead on, each of another NAAN or shoulder."""
    known = rules(size)
    resolver = ArkResolver(ark_book_of(known))
    begun = (f"{one.prefix}{'' if one.shoulder else '/0'}zz" for one in known)
    return [one for one in begun if isinstance(resolver.resolve(f"ark:{one}"), ResolvedArk)]


def arks(begun: list[str]) -> dict[str, Iterator[str]]:
    """ARKs to ask for, by how they are drawn; of those that come once no two are alike."""
    every, number = cycle(begun), count(1_000_000)
    return {
        "of one ARK, again": repeat(f"{BEGUN}8449691v"),
        "of 1,800 ARKs of as many prefixes, in turn": cycle(in_turn(begun)),
        "of ARKs of one NAAN, each once": (f"{BEGUN}{one}" for one in count(1_000_000)),
        "of ARKs of all prefixes, each once": (f"{next(every)}{one}" for one in number),
    }


def in_turn(begun: list[str]) -> list[str]:
    """As many of these as are shipped, whose rules a worker has read once they were asked for."""
    return begun[:: max(1, len(begun) // 1_800)]


def request_for(ark: str) -> bytes:
    """A request for an ARK as a browser sends it."""
    lines = (f"GET /ark:/{ark} HTTP/1.1", "host: 127.0.0.1", f"accept: {BROWSER}")
    return "\r\n".join([*lines, "accept-language: en-GB,en;q=0.5", "", ""]).encode()


def cost_of(worker: Worker, asked: Iterator[str]) -> float:
    """Seconds of worker CPU for each of so many ARKs."""
    requests = [request_for(ark) for ark in islice(asked, names.REQUESTS)]
    before = worker.cpu()
    for request in requests:
        fetch(worker.connection, request)
    return (worker.cpu() - before) / names.REQUESTS


def run() -> Iterator[tuple[str, str]]:
    """Every figure of redirects of ARKs."""
    for words, size in SIZES.items():
        with TemporaryDirectory() as name, ExitStack() as stack:
            make_bundle().lay_out(Path(name))
            bundle_of_arks(rules(size)).lay_out(Path(name) / NAAN_GROUP.folder)
            own = [sys.executable, "-m", __spec__.name, name]
            bare = [*GUNICORN, f"{names.__name__}:flask()"]
            commands = {"arks": own, "Flask": bare, "Flask again": bare}
            workers = {key: stack.enter_context(started(line)) for key, line in commands.items()}
            begun = led(size)
            for ark in in_turn(begun):
                fetch(workers["arks"].connection, request_for(ark))
            for drawn, asked in arks(begun).items():
                yield f"redirects {drawn}, {words}", _figure(workers, asked)


def _figure(workers: dict[str, Worker], asked: Iterator[str]) -> str:
    for name, worker in workers.items():
        status = fetch(worker.connection, request_for(next(asked))).split()[1]
        assert status in (b"302", b"303"), name
    rounds = rounds_of({key: partial(cost_of, one, asked) for key, one in workers.items()})

    def ratio(subject: str) -> float:
        return median(costs["Flask"] / costs[subject] for costs in rounds)

    own = median(costs["arks"] for costs in rounds) * 1e6
    flask = f"{ratio('arks'):.2f} of Flask (itself {ratio('Flask again'):.2f}, {own:.0f} µs)"
    return f"{flask}, {PEER / own:.0f} of a resolver that takes {PEER:,} µs"


def main() -> None:
    """Print the figures."""
    for label, figure in run():
        sys.stdout.write(f"{label}: {figure}\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        answer_by_uvicorn(create_asgi_of_copy(Path(sys.argv[1])), bounded=True)
    else:
        main()
