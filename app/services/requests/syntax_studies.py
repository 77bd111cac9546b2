"""The study of a namespace's grammar, in a process of its own, for whoever asks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from app.grammar.analysis.study import Study, study_from, study_to
from app.identifiers.equivalence import PLAIN, Equivalence, check_equivalence, equivalence_to
from app.outside.child_processes import ProcessLimits
from app.outside.syntax_study import LIMITS, study_in_child
from app.outside.work_queue import WorkQueueFull
from app.problems import use_case_codes
from app.registration.profiles.equivalence_answers import declared_equivalence
from app.registration.records.record_documents import canonical_json
from app.services.refusals import CapacityExhausted
from app.services.registry.competing_requests import PENDING
from app.services.software_fingerprint import fingerprint
from app.store.database import reading, transaction
from app.store.digests import sha256
from app.store.registry.record_versions import database_name
from app.store.requests import request_rows
from app.store.requests.grammar_studies import (
    claim_grammar_study,
    find_grammar_study,
    forget_grammar_studies,
    keep_grammar_study,
    newest_texts,
)

_SYNTAX = "syntax"
# Nobody waits for a worker, which is last where the processor is short; it gets no more of that.
_PATIENT = replace(LIMITS, seconds=30)
_LONGEST_KEPT = 400_000  # characters in the database; to read more takes as long as to make it
_KEPT = 64  # studies; each is of one text, and stays true of it


def study_syntax(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
    limits: ProcessLimits | None = None,
) -> Study:
    """What could be told of the grammar in a text within two seconds, or other limits.

    Raises CapacityExhausted while too much is at work.
    """
    try:
        return study_in_child(text, nid, start, equivalence, limits)
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error


class _UnfinishedStudy(Exception):
    """A study of which the load of the machine cut something; the next may have all of it."""

    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study


@dataclass(frozen=True, slots=True)
class _StudySource:
    """All that a study is made of."""

    text: str
    nid: str | None
    equivalence: Equivalence

    @property
    def digest(self) -> str:
        """What tells it from any other, and from the same by other software."""
        made_of = [fingerprint(), self.text, self.nid or "", equivalence_to(self.equivalence)]
        return sha256(canonical_json({"of": made_of}))


def study_of(fields: Mapping[str, str], nid: str) -> Study | None:
    """The study of the Syntax section of a text that is asked for; None where it has none.

    None as well while too much is at work. Whoever reads the same text gets the same study.
    """
    source = _source_of(fields, nid)
    if source is None:
        return None
    try:
        return _kept(source)
    except _UnfinishedStudy as unfinished:
        return unfinished.study
    except CapacityExhausted:
        return None


def study_of_sent(number: int, k: int, fields: Mapping[str, str], nid: str) -> Study | None:
    """The study of a text that was sent: as a worker found it, until one has, made here."""
    source = _source_of(fields, nid)
    if source is None:
        return None
    document = find_grammar_study(number, k, source.digest)
    return study_from([json.loads(document)]) if document else study_of(fields, nid)


def study_one_sent() -> int:
    """Study the newest text of one pending request that nobody has studied; how many it was.

    One at a time, and each by one worker alone. What could not be told whole is not kept: whoever
    opens the page tries again.
    """
    database = database_name()
    with reading():
        texts = newest_texts(PENDING)
    for number, k in texts:
        if (database, number, k) in _LOOKED_AT:
            continue
        _LOOKED_AT.add((database, number, k))
        if _study_sent(number, k):
            return 1
    return 0


_LOOKED_AT: set[tuple[str, int, int]] = set()  # by this worker, so that it asks of each text once


def _study_sent(number: int, k: int) -> bool:
    """Whether the text was this worker's to study."""
    with reading():
        request, sent = request_rows.find_request(number), request_rows.find_iteration(number, k)
        source = _source_of(sent.fields, request.asked_name) if request and sent else None
    if source is None:
        return False
    with transaction():
        forget_grammar_studies(PENDING)
        if not claim_grammar_study(number, k, source.digest):
            return False
    document = _document_of(source)
    if document:
        with transaction():
            keep_grammar_study(number, k, source.digest, document)
    return True


def _document_of(source: _StudySource) -> str:
    """A study to be kept; empty for one that is cut short, or too long to read on each page."""
    try:
        study = study_syntax(
            source.text, source.nid, equivalence=source.equivalence, limits=_PATIENT
        )
    except CapacityExhausted:
        return ""
    document = "" if study.too_large else canonical_json(study_to(study))
    return document if len(document) <= _LONGEST_KEPT else ""


def _source_of(fields: Mapping[str, str], nid: str) -> _StudySource | None:
    text = fields.get(_SYNTAX, "").replace("\r\n", "\n")
    if not text.strip():
        return None
    return _StudySource(text, nid.lower() or None, _usable(declared_equivalence(fields)))


def _usable(declared: Equivalence) -> Equivalence:
    """The rules that a text declares; those that may not be declared are told beside the form."""
    return PLAIN if any(check_equivalence(declared)) else declared


@lru_cache(maxsize=_KEPT)
def _kept(source: _StudySource) -> Study:
    study = study_syntax(source.text, source.nid, equivalence=source.equivalence)
    if study.too_large:
        raise _UnfinishedStudy(study)
    return study
