"""The study of a namespace's grammar, in a process of its own, for whoever asks."""

from app.grammar.study import Study
from app.identifiers.equivalence import Equivalence
from app.outside.children import TooBusy
from app.outside.syntax_study import study_apart
from app.services.refusals import TooMany


def study_syntax(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
) -> Study:
    """What could be told of the grammar in a text within two seconds.

    Raises TooMany while too many are studied.
    """
    try:
        return study_apart(text, nid, start, equivalence)
    except TooBusy as error:
        raise TooMany(str(error)) from error
