"""A whole study, part after part."""

from app.grammar.analysis.study import Study, study_from
from app.grammar.analysis.study_stages import study_in_parts
from app.identifiers.equivalence import Equivalence


def study(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
    limits: object = None,
    section: tuple[int, int] | None = None,
) -> Study:
    """Study a text in this process, without limits; takes what ``study_in_child`` takes."""
    return study_from(study_in_parts(text, nid, start, equivalence, section))
