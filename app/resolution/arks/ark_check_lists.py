"""Many ARKs at once: what each is, whose it is and where it leads, and which are the same."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.identifiers.ark_reports import ark_check_report
from app.resolution.arks.ark_judging import ark_judgement_to, judge_ark
from app.resolution.arks.naan_rules import NaanSnapshot

Document = dict[str, Any]


def check_arks(
    texts: Iterable[str], snapshot: NaanSnapshot, *, has_check: bool = False
) -> Iterator[Document]:
    """Check each text as an ARK, in order.

    Raises nothing; remembers each normal form. ``number`` is its place from 1, ``same_as`` that of
    the first of the list that names the same. ``valid`` is what its syntax says; ``registered`` is
    true if its NAAN is registered. ``registry`` has the NAAN holder and the target on the day
    ``as_of``. ``corrected`` is the ARK that the text probably means, and ``correction`` describes
    the change. ``has_check``: all Names end in a check character, whatever their holders declare.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        judgement = judge_ark(text, snapshot)
        report = ark_check_report(text, has_check=has_check or judgement.has_check)
        correction = judgement.correction
        form = str(report["normal_form"] or "")
        begun = first.setdefault(form, number) if form else number
        yield {
            "number": number,
            **report,
            "corrected": correction and correction.identifier,
            "correction": correction and correction.why,
            "same_as": begun if begun != number else None,
            "registered": judgement.is_registered,
            "registry": {"as_of": snapshot.day or None, **ark_judgement_to(judgement)},
        }
