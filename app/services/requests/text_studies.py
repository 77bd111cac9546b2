"""What follows from a text that was sent alone: found once, kept beside it, read by everybody.

What depends on the registry as it stands, such as whether a name is taken, is looked up anew.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol

from app.pages.text.template_diff import (
    ALIGNMENT,
    TemplateDifference,
    alignment,
    difference,
)
from app.registration.records.record_documents import canonical_json
from app.registration.submission_findings import Severity, SubmissionFinding
from app.registration.submissions.submission_rules import CHECKS, check_texts
from app.services.registry.base_version import comparable_text
from app.store.database import transaction
from app.store.requests import iteration_rows, iteration_studies

VERSION = 1_000 * CHECKS + ALIGNMENT
_MOST = 20  # texts in one turn of the worker


class StudiedText(Protocol):
    """A text that was sent, whoever reads it."""

    @property
    def k(self) -> int:
        """The number of the text among those of its request."""

    @property
    def organization(self) -> str:
        """Who asks with it."""

    @property
    def fields(self) -> Mapping[str, str]:
        """What it holds."""


def keep_study(number: int, k: int) -> None:
    """Make and keep what follows from a text, in the transaction that sends it."""
    sent, before = (
        iteration_rows.find_iteration(number, k),
        iteration_rows.find_iteration(number, k - 1),
    )
    if sent is None:
        return
    found = [asdict(finding) for finding in check_texts(sent.fields)]
    changed: dict[str, Any] = _alignment(before, sent) if before else {}
    kept = iteration_studies.StoredStudy(
        canonical_json({"findings": found}), canonical_json(changed)
    )
    iteration_studies.keep_study(number, k, VERSION, kept)


def _alignment(before: StudiedText, sent: StudiedText) -> dict[str, Any]:
    return dict(alignment(_compared(before), _compared(sent)))


def _compared(text: StudiedText) -> dict[str, str]:
    return comparable_text(text.fields, text.organization)


def study_some() -> int:
    """Study texts that older software took in, or that were studied by other rules; how many."""
    waiting = iteration_studies.without_study(VERSION, _MOST)
    for number, k in waiting:
        with transaction():
            keep_study(number, k)
    return len(waiting)


def findings_of(number: int, sent: StudiedText) -> tuple[SubmissionFinding, ...]:
    """What was found in a text when it was sent; until the worker comes to an old one, anew."""
    kept = iteration_studies.find_study(number, sent.k, VERSION)
    if kept is None:
        return check_texts(sent.fields)
    return tuple(
        SubmissionFinding(**{**found, "severity": Severity(found["severity"])})
        for found in json.loads(kept.findings)["findings"]
    )


def difference_between(number: int, old: StudiedText, new: StudiedText) -> TemplateDifference:
    """What changed between two texts of a request, as it was found when the later one was sent.

    Of two that do not follow each other, and of those not studied yet, it is found here: there
    is a bound on that work.
    """
    follows = new.k == old.k + 1
    kept = iteration_studies.find_study(number, new.k, VERSION) if follows else None
    found = json.loads(kept.alignment) if kept else None
    return difference(_compared(old), _compared(new), found)
