"""Texts that say next to nothing, and addresses in them that nobody can write to."""

import re
from collections.abc import Iterator, Mapping

from app.registration.declarations.fields import Field
from app.registration.declarations.template_fields import TEMPLATE_FIELDS
from app.registration.submission_findings import Severity, SubmissionFinding

_LEAST = tuple(field for field in TEMPLATE_FIELDS if field.least)
_REGISTRANT = next(field for field in TEMPLATE_FIELDS if field.name == "registrant")
# `ana@`, with nothing behind it that a host could be; `foo at example.org` is no such sign.
_CUT_ADDRESS = re.compile(r"(?<![\w.+@-])[\w.+-]{1,64}@(?![\w\[@-])")


def check_fullness(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield what is filled in and says less than its section can be understood from.

    An empty field is not asked for here. Source: RFC 8141 section 6.4.
    """
    for field in _LEAST:
        text = fields.get(field.name, "")
        held = sum(map(str.isalnum, text))
        if text.strip() and held < field.least:
            yield SubmissionFinding(
                field=field.name,
                code="too-little",
                message=_too_little(field, held),
                source=field.source,
                severity=Severity.SHOULD,
            )


def _too_little(field: Field, held: int) -> str:
    letters = "1 letter or digit" if held == 1 else f"{held} letters and digits"
    return f"{field.label} is all but empty: it has {letters}. {field.missing}"


def check_addresses(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield an address in Registrant that ends where its host should begin.

    Source: RFC 8141 appendix A, on the contact; RFC 5322 section 3.4.1.
    """
    found = _CUT_ADDRESS.search(fields.get(_REGISTRANT.name, ""))
    if found:
        yield SubmissionFinding(
            field=_REGISTRANT.name,
            code="address",
            message=f"`{found[0]}` is no e-mail address: nothing follows the @. Write it whole, "
            "such as `urn@example.org`.",
            source=_REGISTRANT.source,
            severity=Severity.SHOULD,
        )
