"""How fast lists of URNs and whole requests are checked: `python -m tests.bench.checks`.

CPU time in this process; a figure is the median of the rounds. Beside that of lists stands that of
parsing alone, which is the floor; requests are checked against a registry of 100,000 names.
"""

from collections import deque
from statistics import median
from time import process_time_ns

from app.commands.bundled_rules import shipped_rules
from app.identifiers.nid import NidIndex
from app.identifiers.urn import parse_urn
from app.registration.declarations.registries import FORMAL, TEMPLATE_FIELDS, Procedure
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submissions.review_hints import find_hint_words
from app.registration.submissions.submission_rules import check_submission
from app.registration.templates.sample_template import EXAMPLE
from app.resolution.namespace_rules import book_of
from app.resolution.outcome_documents import check_urns, json_line

from .identifiers import Figure, printed

LINES = 200_000
ROUNDS = 7
PROMISED = 100_000  # lines a second
NAMES, REQUESTS = 100_000, 200


def _texts() -> list[str]:
    """As lists are: mostly short and right, some with components, some awkward, a few wrong."""
    kinds = (
        "urn:isbn:{:013d}",
        "urn:uuid:{:08x}-7dec-11d0-a765-00a0c91e6bf6",
        "URN:Example:a%2fb{}?=page=2#top",
        "urn:nbn:de:101:1-{}",
    )
    texts = [kinds[n % len(kinds)].format(n) for n in range(LINES)]
    texts[::50] = [f"urn:isbn:{n} x" for n in range(len(texts[::50]))]
    return texts


def run() -> list[Figure]:
    """Measure everything; takes some seconds."""
    return [*_lists(), *_requests()]


def _requests() -> list[Figure]:
    index = NidIndex(f"name{n}" for n in range(NAMES))
    times = []
    for n in range(REQUESTS):  # each with words of its own, so that nothing is remembered
        fields = {name: f"{text}\n\nNumber {n}." for name, text in EXAMPLE.items()}
        begun = process_time_ns()
        submission = Submission(
            registry=FORMAL.id,
            purpose=Purpose.NEW,
            fields=fields | {"namespace_identifier": f"lights-{n}", "date": EXAMPLE["date"]},
            private={},
            standard_anticipated=False,
        )
        check_submission(submission, Procedure.COMMUNITY, index)
        for field in TEMPLATE_FIELDS:
            find_hint_words(field, fields.get(field.name, ""))
        times.append((process_time_ns() - begun) / 1e6)
    note = "promised: under 20; with the words found for each point"
    return [Figure("a whole request validated", median(times), "ms", note)]


def _lists() -> list[Figure]:
    texts, book = _texts(), book_of(shipped_rules())
    rates, floors = [], []
    well_formed = [text for text in texts if " " not in text]
    for _ in range(ROUNDS):
        begun = process_time_ns()
        deque(map(json_line, check_urns(texts, book)), maxlen=0)
        between = process_time_ns()
        deque(map(parse_urn, well_formed), maxlen=0)
        rates.append(LINES * 1e9 / (between - begun))
        floors.append(len(well_formed) * 1e9 / (process_time_ns() - between))
    rate = median(rates)
    return [
        Figure("urn check, lines a second", rate, "/s", f"promised: {PROMISED:,} or more"),
        Figure("urn check to parsing alone", rate / median(floors), "", ""),
    ]


def main() -> None:
    """Print the figures."""
    printed(run())


if __name__ == "__main__":
    main()
