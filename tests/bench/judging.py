"""How fast a name is judged: `python -m tests.bench.judging`.

Every example of the bundled registry, against parsing it and matching its namespace's pattern,
which is the least that a judgement takes; and books of many namespaces.
"""

import json
import re
from statistics import median
from time import process_time_ns

from app import bundled
from app.commands.bundled_rules import shipped_rules
from app.identifiers.urn import parse_urn
from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import LineRuleBook, book_of

from .identifiers import Figure, printed, ratio, rounds

_NAMES = 100_000


def run() -> list[Figure]:
    """Measure everything; takes some seconds."""
    profiles = json.loads(bundled.profiles()).values()
    urns = [example["urn"] for one in profiles for example in one["profile"].get("examples", ())]
    counted = {nid for nid, one in json.loads(bundled.profiles()).items() if _has_check(one)}
    plain = [urn for urn in urns if parse_urn(urn).nid.lower() not in counted]
    return [*_judgement_figures(urns, "every"), *_judgement_figures(plain, "no check"), *_books()]


def _has_check(one: dict[str, dict[str, object]]) -> bool:
    return bool(one["profile"].get("check"))


def _judgement_figures(urns: list[str], which: str) -> list[Figure]:
    book = book_of(shipped_rules())
    patterns = {}
    for urn in urns:
        rules = book.find(parse_urn(urn).nid.lower())
        expression = rules.pattern.expression if rules and rules.pattern else ".*"
        patterns[urn] = (re.compile(expression).fullmatch, parse_urn(urn).nss)

    def least(text: str) -> None:
        parse_urn(text)
        match, nss = patterns[text]
        match(nss)

    took = rounds({"judge": lambda text: judge_text(text, book), "least": least}, urns, repeats=4)
    words = f"judgement, {which} of {len(urns)} examples"
    return [
        Figure(f"{words} / parse and match", ratio(took, "judge", "least"), "x"),
        Figure(words, median(took["judge"]), "µs", "promised: under 20"),
    ]


def _books() -> list[Figure]:
    lines = b"".join(
        b'{"kind":"formal","name":"n%d","nid":"n%d"}\n' % (n, n) for n in range(_NAMES)
    )
    begun = process_time_ns()
    book = LineRuleBook(lines)
    built = process_time_ns()
    book.nearest("n1x")
    near = [process_time_ns()]
    for n in range(100):
        book.nearest(f"n{n}x")
    near.append(process_time_ns())
    return [
        Figure(f"book of {_NAMES:,} namespaces, built once", (built - begun) / 1e6, "ms"),
        Figure("the nearest names in it", (near[1] - near[0]) / 1e5, "µs"),
    ]


def main() -> None:
    """Print the figures."""
    printed(run())


if __name__ == "__main__":
    main()
