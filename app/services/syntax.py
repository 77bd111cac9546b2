"""The study of a namespace's grammar, in a process of its own, for whoever asks."""

from collections.abc import Mapping
from functools import lru_cache

from app.grammar.study import Study
from app.identifiers.equivalence import PLAIN, Equivalence, check_equivalence
from app.outside.syntax_study import study_apart
from app.outside.work_queue import TooBusy
from app.registration.spellings import declared_in
from app.services.refusals import Busy

_SYNTAX = "syntax"
_KEPT = 64  # studies; each is of one text, and stays true of it


def study_syntax(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
) -> Study:
    """What could be told of the grammar in a text within two seconds.

    Raises Busy while too much is at work.
    """
    try:
        return study_apart(text, nid, start, equivalence)
    except TooBusy as error:
        raise Busy(str(error)) from error


class _Unfinished(Exception):
    """A study of which the load of the machine cut something; the next may have all of it."""

    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study


def study_of(fields: Mapping[str, str], nid: str) -> Study | None:
    """The study of the Syntax section of a text that is asked for; None where it has none.

    None as well while too much is at work. Whoever reads the same text gets the same study.
    """
    text = fields.get(_SYNTAX, "").replace("\r\n", "\n")
    if not text.strip():
        return None
    try:
        return _kept(text, nid.lower() or None, _usable(declared_in(fields)))
    except _Unfinished as unfinished:
        return unfinished.study
    except Busy:
        return None


def _usable(declared: Equivalence) -> Equivalence:
    """The rules that a text declares; those that may not be declared are told beside the form."""
    return PLAIN if any(check_equivalence(declared)) else declared


@lru_cache(maxsize=_KEPT)
def _kept(text: str, nid: str | None, equivalence: Equivalence) -> Study:
    study = study_syntax(text, nid, equivalence=equivalence)
    if study.too_large:
        raise _Unfinished(study)
    return study
