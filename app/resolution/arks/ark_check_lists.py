"""Many ARKs at once: what each is, whose it is and where it leads, and which are the same."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.identifiers.ark_reports import ark_check_report
from app.resolution.arks.ark_judging import ark_judgement_to, judge_ark
from app.resolution.arks.naan_rules import NaanSnapshot

Document = dict[str, Any]


def check_arks(texts: Iterable[str], snapshot: NaanSnapshot) -> Iterator[Document]:
    """What each text is as an ARK, in their order. Raises nothing; holds each form that was seen.

    ``number`` is its place from 1, ``same_as`` that of the first of the list that names the same.
    ``valid`` is what its syntax says; ``registered`` whether somebody has its NAAN. ``registry``
    tells whose it is and where it leads, ``as_of`` being the day of which that is.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        report, judgement = ark_check_report(text), judge_ark(text, snapshot)
        form = str(report["normal_form"] or "")
        begun = first.setdefault(form, number) if form else number
        yield {
            "number": number,
            **report,
            "same_as": begun if begun != number else None,
            "registered": judgement.is_registered,
            "registry": {"as_of": snapshot.day or None, **ark_judgement_to(judgement)},
        }
