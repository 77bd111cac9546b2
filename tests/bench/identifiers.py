"""How fast URNs are parsed and NIDs checked: `python -m tests.bench.identifiers`.

Everything is timed in CPU time, all contenders in turn in each round. A ratio is the median of the
ratios of the rounds; beside it stands that of a thing against itself, which tells how far to
trust it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time_ns
from typing import NamedTuple

from urnparse import URN8141

from app.identifiers.errors import NidKind
from app.identifiers.nid import NidIndex, check_nid
from app.identifiers.urn import NAMESTRING, parse_urn

ROUNDS = 40
URNS = (
    "urn:isbn:9780141036144",
    "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "urn:ietf:rfc:2648",
    "urn:example:a123,z456",
    "urn:nbn:de:bvb:19-146642",
    "urn:example:a123%2Cz456",
    "urn:oid:2.16.840.1.113883.6.1",
    "urn:lex:eu:council:directive:2010-03-09;2010-19-UE",
    "urn:example:foo-bar-baz-qux#somepart",
    "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk",
    "urn:example:weather?=op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z",
    "urn:example:1/406/47452/2?+r?=q#f",
)
NIDS = ("isbm", "namespace-7777x", "namespace-of-a-name-as-long-as-x")

_PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
# Patterns of the same language without groups; the fastest of them is the one to compare with.
_BARE = {
    "our pattern": re.sub(r"\(\?P<\w+>", "(?:", NAMESTRING),
    "the ABNF as written": (
        r"[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9\-]{0,30}[A-Za-z0-9]"
        rf":{_PCHAR}(?:{_PCHAR}|/)*"
        rf"(?:\?\+{_PCHAR}(?:{_PCHAR}|/|\?(?!=))*)?"
        rf"(?:\?={_PCHAR}(?:{_PCHAR}|[/?])*)?"
        rf"(?:#(?:{_PCHAR}|[/?])*)?"
    ),
    "our pattern, components repeated": re.sub(
        r"\(\?P<\w+>", "(?:", NAMESTRING.replace("|)", ")?+")
    ),
}


Contender = Callable[[str], object]
Rounds = Mapping[str, list[float]]


class Figure(NamedTuple):
    """One line of what is printed."""

    what: str
    value: float
    unit: str
    note: str = ""


def run() -> list[Figure]:
    """Measure everything; takes some seconds."""
    return [*_parsing(), *_checking()]


def _parsing() -> list[Figure]:
    bare = {name: re.compile(text, re.ASCII).fullmatch for name, text in _BARE.items()}
    ours: dict[str, Contender] = {"ours": parse_urn, "again": parse_urn}
    took = rounds({**ours, "urnparse": URN8141.from_string, **bare}, URNS, repeats=40)
    fastest = min(bare, key=lambda name: median(took[name]))
    noise = f"against itself {ratio(took, 'again', 'ours'):.2f}"
    return [
        Figure("rate of parse_urn / urnparse", ratio(took, "urnparse", "ours"), "x", noise),
        Figure("rate of parse_urn / bare regex", ratio(took, fastest, "ours"), "x", noise),
        Figure("parse_urn", median(took["ours"]), "µs"),
        *(Figure(f"bare regex, {name}", median(took[name]), "µs") for name in bare),
    ]


def _checking() -> list[Figure]:
    began = process_time_ns()
    index = NidIndex(f"namespace-{number}" for number in range(100_000))
    built = (process_time_ns() - began) / 1e6
    return [
        Figure("NidIndex of 100,000 names, built once", built, "ms"),
        *(_check(index, nid) for nid in NIDS),
    ]


def _check(index: NidIndex, nid: str) -> Figure:
    def check(text: str) -> object:
        return check_nid(text, NidKind.FORMAL, index)

    took = rounds({"check": check, "again": check}, [nid], repeats=20)
    noise = f"against itself {ratio(took, 'again', 'check'):.2f}"
    return Figure(f"check_nid {nid}", median(took["check"]), "µs", noise)


def ratio(took: Rounds, slower: str, faster: str) -> float:
    """How many times the one is the other."""
    return median(a / b for a, b in zip(took[slower], took[faster], strict=True))


def rounds(contenders: Mapping[str, Contender], texts: Sequence[str], repeats: int) -> Rounds:
    """Microseconds for one text by contender, one for each round."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    turns = [*contenders.items()]
    for _ in range(ROUNDS):
        turns.reverse()  # or one would always run after the same one
        for name, contender in turns:
            took[name].append(_round(contender, texts, repeats))
    return took


def _round(contender: Contender, texts: Sequence[str], repeats: int) -> float:
    began = process_time_ns()
    for _ in range(repeats):
        for text in texts:
            contender(text)
    return (process_time_ns() - began) / 1000 / repeats / len(texts)


def main() -> None:
    """Print the figures of this room."""
    from tests.bench import arks

    printed([*run(), *arks.run()])


def printed(figures: list[Figure]) -> None:
    """Print figures, one a line."""
    for row in figures:
        line = f"{row.what:<44}{row.value:>9.2f} {row.unit:<3} {row.note}"
        print(line.rstrip())  # noqa: T201 - figures are what this is run for


if __name__ == "__main__":
    main()
