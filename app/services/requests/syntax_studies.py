"""Grammar studies of whole templates, made in a child process and kept for later readers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

from app.grammar.analysis.study import Study, study_from, study_to
from app.identifiers.equivalence import PLAIN, Equivalence, check_equivalence, equivalence_to
from app.outside import syntax_study
from app.outside.child_processes import ProcessLimits
from app.outside.syntax_study import LIMITS
from app.outside.template_study import study_fields, study_text
from app.outside.work_queue import WorkQueueFull
from app.problems import use_case_codes
from app.registration.profiles.equivalence_answers import declared_equivalence
from app.registration.records.record_documents import canonical_json
from app.registration.templates.template_writer import STUDIED_FIELDS, join_fields
from app.services.refusals import CapacityExhausted
from app.services.registry.base_version import PENDING
from app.services.software_fingerprint import fingerprint
from app.store.database import read_transaction, transaction
from app.store.digests import sha256
from app.store.registry.record_versions import database_name
from app.store.requests import iteration_rows, request_rows
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
# Who reads a request waits once for each text, since a page that counts too little is wrong.
_CAREFUL = 6.0  # seconds by the clock
_LONGEST_KEPT = 400_000  # characters in the database; to read more takes as long as to make it
_BUSY = "The server is busy. Try again in a minute."
_KEPT = 64  # studies; each is of one text, and stays true of it


def study_syntax(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
) -> Study:
    """Study the grammar in a whole text within two seconds.

    Raises CapacityExhausted while too much is at work.
    """
    with _refused_if_busy():
        return study_text(text, nid, start, equivalence)


@contextmanager
def _refused_if_busy() -> Iterator[None]:
    try:
        yield
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error


class _UnfinishedStudy(Exception):
    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study


@dataclass(frozen=True, slots=True)
class _StudySource:
    fields: tuple[tuple[str, str], ...]
    nid: str | None
    equivalence: Equivalence

    @property
    def digest(self) -> str:
        """What tells it from any other, and from the same by other software."""
        made_of = [fingerprint(), self.fields, self.nid or "", equivalence_to(self.equivalence)]
        return sha256(canonical_json({"of": made_of}))

    def study(self, limits: ProcessLimits) -> Study:
        """Study it. Raises CapacityExhausted while too much is at work."""
        with _refused_if_busy():
            return study_fields(dict(self.fields), self.nid, self.equivalence, limits)


@dataclass(frozen=True, slots=True)
class GrammarSource:
    """The text of a template to study, and the study that a worker kept, if any."""

    source: _StudySource
    document: str = ""

    @property
    def text(self) -> str:
        """The text that is studied; the syntax workbench finds the same in it."""
        return join_fields(dict(self.source.fields))[0]


def grammar_source(fields: Mapping[str, str], nid: str) -> GrammarSource | None:
    """What is studied of a text that is being written; None where it has no Syntax section."""
    source = _source_of(fields, nid)
    return GrammarSource(source) if source else None


def sent_grammar(number: int, k: int, fields: Mapping[str, str], nid: str) -> GrammarSource | None:
    """What is studied of a text that was sent."""
    source = _source_of(fields, nid)
    if source is None:
        return None
    return GrammarSource(source, find_grammar_study(number, k, source.digest))


def grammar_of(given: GrammarSource) -> Study:
    """The study that every page counts its findings from: one and the same for each text.

    What could not be told whole is tried once in this process, and by a worker for longer: a
    page that anybody opens as often as they like costs no study each time.
    """
    if given.document:
        return study_from([json.loads(given.document)])
    try:
        return _tried(given.source)
    except CapacityExhausted:
        return Study(nid=given.source.nid, too_large=(_BUSY,))


def study_again(given: GrammarSource) -> Study:
    """The study for somebody who asks for it: what was cut short is tried once more."""
    _tried.cache_clear()  # what was whole is kept beside
    return grammar_of(given)


def study_one_sent() -> int:
    """Study the newest text of one pending request that nobody has studied; how many it was.

    One at a time, and each by one worker alone. What could not be told whole is not kept: whoever
    opens the page tries again.
    """
    database = database_name()
    with read_transaction():
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
    with read_transaction():
        request, sent = request_rows.find_request(number), iteration_rows.find_iteration(number, k)
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
    try:
        study = source.study(_PATIENT)
    except CapacityExhausted:
        return ""
    document = "" if study.too_large else canonical_json(study_to(study))
    return document if len(document) <= _LONGEST_KEPT else ""


def _source_of(fields: Mapping[str, str], nid: str) -> _StudySource | None:
    if not fields.get(_SYNTAX, "").strip():
        return None
    studied = tuple(
        (field.name, fields[field.name].replace("\r\n", "\n"))
        for field in STUDIED_FIELDS
        if fields.get(field.name)
    )
    return _StudySource(studied, nid.lower() or None, _usable(declared_equivalence(fields)))


def _usable(declared: Equivalence) -> Equivalence:
    return PLAIN if any(check_equivalence(declared)) else declared


@lru_cache(maxsize=_KEPT)
def _kept(source: _StudySource) -> Study:
    limits = replace(syntax_study.LIMITS, seconds=max(_CAREFUL, syntax_study.LIMITS.seconds))
    study = source.study(limits)
    if study.too_large:
        raise _UnfinishedStudy(study)
    return study


@lru_cache(maxsize=_KEPT)
def _tried(source: _StudySource) -> Study:
    try:
        return _kept(source)
    except _UnfinishedStudy as unfinished:
        return unfinished.study
