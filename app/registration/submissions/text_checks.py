"""Texts that say next to nothing or hold what nobody sees, and addresses that nobody can use."""

import re
from collections.abc import Iterator, Mapping

from app.identifiers.errors import UNSEEN, name_odd_character, spell_character
from app.registration.declarations.fields import Field
from app.registration.declarations.registries import find_field
from app.registration.declarations.template_fields import TEMPLATE_FIELDS
from app.registration.submission_findings import Severity, SubmissionFinding
from app.registration.submissions.form_sentences import own_words
from app.registration.submissions.mail_addresses import (
    addresses_in,
    is_mailbox,
    may_be_personal,
)

_LEAST = tuple(field for field in TEMPLATE_FIELDS if field.least)
_REGISTRANT = next(field for field in TEMPLATE_FIELDS if field.name == "registrant")
_UNSEEN = re.compile(f"[{UNSEEN}\u00ad\ufeff]")


def check_unseen(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield, of each field, the first character that nobody sees and that may mislead who reads.

    What joins letters, as some scripts need it, is none. The rules for names judge the name.

    Source: Unicode Standard Annex 9.
    """
    for name, text in fields.items():
        found, field = _UNSEEN.search(text), find_field(name)
        if found is None or field is None or name == "namespace_identifier":
            continue
        where = f"Character {found.start() + 1} of {field.label} is {spell_character(found[0])}"
        yield SubmissionFinding(
            field=name,
            code="unseen-character",
            message=f"{where}, which is invisible and can change how the text reads. Remove it, "
            "unless the script needs it.",
            source="Unicode Standard Annex 9",
            severity=Severity.SHOULD,
        )


def check_fullness(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield what is filled in and says less than its section can be understood from.

    An empty field is not asked for here. Source: RFC 8141 section 6.4.
    """
    for field in _LEAST:
        text = fields.get(field.name, "")
        held = sum(map(str.isalnum, own := own_words(text)))
        if own and held < field.least:
            yield SubmissionFinding(
                field=field.name,
                code="too-little",
                message=_too_little(field, held),
                source=field.source,
                severity=Severity.SHOULD,
            )


def _too_little(field: Field, held: int) -> str:
    letters = "1 letter or digit" if held == 1 else f"{held} letters and digits"
    return f"{field.label} is almost empty: {letters}. {field.missing}"


def check_addresses(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield the first address in Registrant that is invalid, and the first that may be a person's.

    Source: RFC 8141 appendix A, on the contact; RFC 5322 section 3.4.1.
    """
    written = addresses_in(fields.get(_REGISTRANT.name, ""))
    bad = next((one for one in written if not is_mailbox(one)), None)
    if bad is not None:
        after = fields[_REGISTRANT.name].partition(bad)[2][:1]
        why = "nothing follows the @" if bad.endswith("@") else "mail can't be sent to it"
        if name_odd_character(after):
            why = f"it is followed by {spell_character(after)}"
        yield SubmissionFinding(
            field=_REGISTRANT.name,
            code="address",
            message=f"`{bad}` is not a valid e-mail address: {why}. Enter a complete address, for "
            "example `urn@example.org`.",
            source=_REGISTRANT.source,
            severity=Severity.SHOULD,
        )
    personal = next((one for one in written if one != bad and may_be_personal(one)), None)
    if personal is not None:
        yield SubmissionFinding(
            field=_REGISTRANT.name,
            code="personal-address",
            message=f"`{personal}` may be a personal address. Registrant is published permanently "
            "when you submit. Use a role address, for example `urn@example.org`.",
            source=_REGISTRANT.source,
            severity=Severity.NOTE,
        )
