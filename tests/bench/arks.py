"""How fast ARKs are read and Noids minted: `python -m tests.bench.arks`.

As in `identifiers`: CPU time, all contenders in turn in each round, a ratio is the median of those
of the rounds, and beside it stands that of a thing against itself.
"""

import re
from statistics import median
from time import process_time_ns

from app.identifiers.ark import EXTENDED_ARK, PLAIN_ARK, UCSCHAR, parse_ark
from app.identifiers.noid import Mask, has_valid_check

from .identifiers import Contender, Figure, printed, ratio, rounds

# As they are given out: ASCII, no hyphens, one variant at most.
PUBLISHED = (
    "ark:12345/ax20315",
    "ark:12345/ax20315/edition1/chapter5",
    "ark:12345/ax20315?info",
    "ark:12345/ax20315.svg",
    "ark:/12345/x5wf6789/c2/s4.pdf",
    "ark:/12345/cd456f9_87",
    "ark:/99166/w66d60p2",
    "ark:/13030/f54x54g11",
)
# As they come back: hyphens, encoded characters, other scripts, variants in any order.
AWKWARD = (
    "ark:/12-345/c37-009-31--",
    "ark:12345/4%D0%B1%D1%843%D1%851",
    "ark:12345/4бф3х1",
    "ark:12345/ax20315.svg.en",
)
MINTED = 1_000_000

_CHARACTER = rf"(?:[0-9A-Za-z=~*+@_$\-{UCSCHAR}]|%[0-9A-Fa-f]{{2}})"
_PART = rf"(?!(?:-|%2[Dd])+(?:[/.?#]|\Z)){_CHARACTER}+"
_BETANUMERIC = "[0-9b-df-hjkmnp-tv-xzB-DF-HJKMNP-TV-XZ-]"
_IN_NAAN = rf"(?:{_BETANUMERIC}|%(?:2[Dd]|3[0-9]|[46][2346-8ABDEabde]|[57][0-46-8Aa]))"
_QUERY = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?{UCSCHAR}\uE000-\uF8FF]|%[0-9A-Fa-f]{{2}})*"


def _bare(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


# Patterns of the same language without groups; the fastest of them is the one to compare with.
_BARE = {
    "our pattern": _bare(EXTENDED_ARK),
    "our pattern after the plain one": f"(?:{_bare(PLAIN_ARK)}|{_bare(EXTENDED_ARK)})",
    "the ABNF as written": (
        rf"[Aa][Rr][Kk]:/?(?!(?:-|%2[Dd])+/){_IN_NAAN}+/{_PART}(?:/{_PART})*(?:\.{_PART})*"
        rf"(?:\?{_QUERY})?(?:#{_QUERY})?"
    ),
}


def run() -> list[Figure]:
    """Measure everything; takes some seconds."""
    return [
        *_reading("published", PUBLISHED),
        *_reading("all", PUBLISHED + AWKWARD),
        *_minting(),
    ]


def _both(text: str) -> str:
    return parse_ark(text).normal_form


def _reading(kind: str, texts: tuple[str, ...]) -> list[Figure]:
    parsed = {text: parse_ark(text) for text in texts}
    ours: dict[str, Contender] = {
        "parse": parse_ark,
        "again": parse_ark,
        "normal form": lambda text: parsed[text].normal_form,  # what finding it costs included
        "both": _both,
    }
    bare = {name: re.compile(text).fullmatch for name, text in _BARE.items()}
    took = rounds({**ours, **bare}, texts, repeats=60)
    fastest = min(bare, key=lambda name: median(took[name]))
    noise = f"against itself {ratio(took, 'again', 'parse'):.2f}"
    return [
        *(
            Figure(f"rate of {what} / bare regex, {kind}", ratio(took, fastest, what), "x", noise)
            for what in ("parse", "normal form", "both")
        ),
        *(
            Figure(f"{what}, {kind}", median(took[what]), "µs")
            for what in ("parse", "normal form", "both")
        ),
        *(Figure(f"bare regex, {name}", median(took[name]), "µs") for name in bare),
    ]


def _minting() -> list[Figure]:
    mask = Mask("f5.reedeedk")
    began = process_time_ns()
    minted = [mask.nth(number, "13030") for number in range(MINTED)]
    took = (process_time_ns() - began) / 1e9
    sound = sum(map(has_valid_check, filter(None, set(minted))))
    return [Figure("a million Noids with check characters", took, "s", f"{sound} differ and fit")]


if __name__ == "__main__":
    printed(run())
