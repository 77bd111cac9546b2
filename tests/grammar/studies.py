"""A whole study, part after part."""

from app.grammar.analysis.study import Study, study_from
from app.grammar.analysis.study_stages import study_in_parts
from app.identifiers.equivalence import Equivalence


def study(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
) -> Study:
    """All that can be told of the grammar in a text, at once."""
    return study_from(study_in_parts(text, nid, start, equivalence))
