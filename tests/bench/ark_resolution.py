"""How fast ARKs are led on: `python -m tests.bench.ark_resolution`.

By books of 1,800 and of 100,000 NAANs and shoulders, against reading an ARK and finding its normal
form, which is the least that it takes; and against the microseconds of another resolver, whose
answers go by HTTP, as those in ``ark_names`` do.
"""

from collections.abc import Iterator
from statistics import median
from time import process_time_ns

from app.identifiers.ark import parse_ark
from app.resolution.ark_resolver import ArkResolver
from app.resolution.ark_rules import LineArkRuleBook

from .identifiers import Figure, printed, ratio, rounds

PEER = 4_000  # microseconds of CPU for one, with the records that are shipped
_SIZES = (1_800, 100_000)
_ASKED = 2_000  # fewer than a book holds ready


def run() -> list[Figure]:
    """Measure everything; takes some seconds."""
    return [figure for size in _SIZES for figure in _figures(size)]


def _figures(size: int) -> Iterator[Figure]:
    lines = b"".join(map(_lines, range(size // 2)))
    began = process_time_ns()
    resolver = ArkResolver(LineArkRuleBook(lines), ["site.example"])
    built = (process_time_ns() - began) / 1e6
    arks = [
        f"ark:/{n * (size // 2 // _ASKED or 1) % (size // 2):05d}/x5wf{n}" for n in range(_ASKED)
    ]
    took = rounds(
        {
            "led on": resolver.resolve,
            "led on the shorter way": resolver.find_plain_way,
            "read": lambda text: parse_ark(text).normal_form,
        },
        arks,
        repeats=4,
    )
    for way in ("led on", "led on the shorter way"):
        each = median(took[way])
        beside = f"{ratio(took, way, 'read'):.1f} x reading, {PEER / each:,.0f} in {PEER:,} µs"
        yield Figure(f"an ARK {way}, of {size:,} prefixes", each, "µs", beside)
    yield Figure(f"book of {size:,} prefixes, built once", built, "ms")


def _lines(number: int) -> bytes:
    return (
        b'{"holder":"H","prefix":"%05d","target":"https://h%d.example/ark:/${content}"}\n'
        b'{"holder":"S","prefix":"%05d/x5","target":"https://s.example/ark:/${content}"}\n'
    ) % (number, number, number)


def main() -> None:
    """Print the figures."""
    printed(run())


if __name__ == "__main__":
    main()
