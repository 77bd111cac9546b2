"""URNs that a text shows as examples: what the specification warns of in them."""

import re
from collections.abc import Iterator, Mapping

from app.identifiers.spelling import spell_character, spell_encoded, spell_text
from app.identifiers.urn_finder import find_urns
from app.identifiers.urn_grammar import LDH
from app.registration.declarations.template_fields import TEMPLATE_FIELDS
from app.registration.submission_findings import Severity, SubmissionFinding

# To the end of what is printable, whatever stands there: a text of urn:urn:urn: is read once.
_URN_RUN = re.compile(rf"\b[uU][rR][nN]:[{LDH}]{{1,32}}:[!-~]*+([^\x00-\x7f“”‘’«»…])?+")
_LONG = tuple(field.name for field in TEMPLATE_FIELDS if field.is_long)


def check_examples(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield what to look at in the URNs of a template, at most one finding of a kind a field.

    Source: RFC 8141 sections 2.2 and 2.3.1.
    """
    for name in _LONG:
        text = fields.get(name, "")
        if "urn:" in text.lower():
            yield from _check(name, text)


def _check(name: str, text: str) -> Iterator[SubmissionFinding]:
    with_r = next((found.text for found in find_urns(text) if "?+" in found.text), None)
    if with_r is not None:
        message = (
            f"{spell_text(with_r)} has an r-component, which should not be used yet: what it means "
            "waits for a specification. Leave `?+` and what follows it out."
        )
        yield _look(name, "r-component", message, "RFC 8141 section 2.3.1")
    outside = next((run[1] for run in _URN_RUN.finditer(text) if run[1]), None)
    if outside is not None:
        message = (
            f"A URN here holds {spell_character(outside)}. A URN has ASCII characters alone: "
            f"write it {spell_encoded(outside)}."
        )
        yield _look(name, "outside-ascii", message, "RFC 8141 section 2.2")


def _look(name: str, code: str, message: str, source: str) -> SubmissionFinding:
    return SubmissionFinding(
        field=name, code=code, message=message, source=source, severity=Severity.LOOK
    )
