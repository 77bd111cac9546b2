"""Rules over a whole submission: what forbids a registration and what asks for a look."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from app.identifiers.errors import name_odd_character, spell_text
from app.registration.declarations.dates import is_date
from app.registration.declarations.identifier_spaces import NameIndex, NameReport
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Field,
    Numbering,
    Procedure,
    Registry,
    Requirement,
    Widget,
)
from app.registration.profiles.equivalence_answers import check_declaration
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submission_findings import (
    MISSING,
    Severity,
    SubmissionCheck,
    SubmissionFinding,
    sort_findings,
)
from app.registration.submissions.context_checks import check_context
from app.registration.submissions.example_checks import (
    check_examples,
    check_numbers,
    check_whose_examples,
)
from app.registration.submissions.form_sentences import check_form_sentences, own_words
from app.registration.submissions.mail_addresses import is_mailbox
from app.registration.submissions.submission_context import NO_CONTEXT, SubmissionContext
from app.registration.submissions.text_checks import check_addresses, check_fullness, check_unseen

__all__ = [
    "InvalidText",
    "Severity",
    "SubmissionCheck",
    "SubmissionContext",
    "SubmissionFinding",
    "check_submission",
    "check_texts",
    "find_unfit",
    "fit_text",
    "is_required",
    "unfit_sentence",
]

CHECKS = 5  # raise it when ``check_texts`` finds something else in the same text
LONGEST_TEXT = 64 * 1024  # octets, of one field
MOST_LINES = 4_000  # of one field: each costs whoever reads it as text, however short it is
LONGEST_LINE = 200  # characters, of a field of one line

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("[\n\r\x85\u2028\u2029]")


class InvalidText(ValueError):
    """Text that cannot be stored or shown, whatever it says; it is refused as it comes in."""

    def __init__(self, field: Field, code: str, message: str) -> None:
        super().__init__(message)
        self.finding = SubmissionFinding(
            field=field.name, code=code, message=message, source=field.source
        )


def fit_text(field: Field, text: str) -> str:
    """The text of a field with its line ends made equal.

    Raises InvalidText for control characters and lone surrogates, line ends in a field of
    one line, and a text over the limits. Says nothing about what the text means.
    """
    text = text.replace("\r\n", "\n")
    bad = find_unfit(text)
    if bad is not None:
        raise InvalidText(field, "control-character", unfit_sentence(field.label, text, bad))
    if field.is_long:
        if len(text.encode()) > LONGEST_TEXT:
            raise InvalidText(field, "too-long", f"{field.label} is longer than 64 KB. Shorten it.")
        if text.count("\n") >= MOST_LINES:
            raise InvalidText(field, "too-long", _too_many_lines(field, text))
        return text
    if _LINE_ENDS.search(text):
        raise InvalidText(
            field, "line-end", f"{field.label} must be one line. Remove the line break."
        )
    longest = field.longest or LONGEST_LINE
    if len(text) > longest:
        raise InvalidText(
            field, "too-long", f"{field.label} is too long. Use at most {longest:,} characters."
        )
    return text.strip()


def _too_many_lines(field: Field, text: str) -> str:
    lines = text.count("\n") + 1
    return f"{field.label} has {lines:,} lines. Use at most {MOST_LINES:,}."


def find_unfit(text: str) -> int | None:
    """The place of the first character that nothing can keep or show; None where all can.

    Such are controls, NUL among them, halves of surrogate pairs, and U+FFFE and U+FFFF. The ends of
    lines are none, whether a line feed or CR LF, and a tab is none.

    Source: XML 1.0 section 2.2; RFC 3629 section 3 for surrogates.
    """
    bad = _FORBIDDEN.search(text.replace("\r\n", " \n"))
    return None if bad is None else bad.start()


def unfit_sentence(label: str, text: str, at: int) -> str:
    """What to say of a character that cannot be kept, and where it stands; places count from 0."""
    return (
        f"Character {at + 1} of {label} is U+{ord(text[at]):04X}, which can't be displayed. "
        "Remove it."
    )


def check_submission(
    submission: Submission,
    procedure: DeclaredProcedure,
    registered: NameIndex | Collection[str] = frozenset(),
    *,
    importing: bool = False,
    context: SubmissionContext = NO_CONTEXT,
) -> SubmissionCheck:
    """Everything found in a submission, gravest first, in the template's order.

    What must be changed is what the hard rules refuse: a name, a required answer, a date, an
    address of a person, an example of another name, words of a newer version. Of the rest,
    whoever approves says why; what is noted asks nobody. With ``importing`` all is noted alone:
    real templates leave fields out.

    Source: RFC 8141 sections 5.1, 5.2, 6.2, 6.3, 6.4 and appendix A.
    """
    registry = REGISTRIES[submission.registry]
    texts = context.in_texts
    found: list[SubmissionFinding] = [
        *_check_fields(submission, procedure, registry),
        *_check_name(submission, registry, registered),
        *_check_together(submission, registry),
        *_check_date(submission, registry),
        *_check_contact(submission, registry),
        *_check_declared(submission, registry),
        *(check_texts(submission.fields) if texts is None else texts),
        *(check_numbers(submission.fields) if _waits_for_number(submission, registry) else ()),
        *check_context(submission, procedure, context),
    ]
    if importing:
        found = [replace(finding, severity=Severity.NOTE) for finding in found]
    return sort_findings(found, (field.name for field in registry.fields))


def check_texts(fields: Mapping[str, str]) -> tuple[SubmissionFinding, ...]:
    """What is found in the long texts of a submission, which says nothing of any registry."""
    return (
        *check_examples(fields),
        *check_whose_examples(fields),
        *check_declaration(fields),
        *check_form_sentences(fields),
        *check_fullness(fields),
        *check_addresses(fields),
        *check_unseen(fields),
    )


def _waits_for_number(submission: Submission, registry: Registry) -> bool:
    named = submission.fields.get(registry.name_field.name, "").strip()
    return isinstance(registry.numbering, Numbering) and not named


def is_required(field: Field, submission: Submission, procedure: DeclaredProcedure) -> bool:
    """Whether this submission must fill in a field."""
    registry = REGISTRIES[submission.registry]
    return {
        Requirement.ALWAYS: True,
        Requirement.NEVER: False,
        Requirement.FORMAL: registry.numbering is None,
        Requirement.FAST_TRACK: procedure is Procedure.FAST_TRACK,
        Requirement.REVISION: submission.purpose is Purpose.REVISION,
        Requirement.NEW: submission.purpose is not Purpose.REVISION,
    }[field.required]


def _check_fields(
    submission: Submission, procedure: DeclaredProcedure, registry: Registry
) -> Iterator[SubmissionFinding]:
    for field in registry.fields:
        values = submission.fields if field.public else submission.private
        is_unknown = submission.is_kept_apart and not field.public
        text = values.get(field.name, "").strip()
        if is_unknown or (own_words(text) if field.is_long else text):
            continue
        if is_required(field, submission, procedure):
            yield _missing(field, Severity.MUST, text)
        elif field.required is Requirement.FAST_TRACK:
            yield _missing(field, Severity.SHOULD, text)


_ONLY_THE_FORM = " It contains only the text of the blank template."


def _missing(field: Field, severity: Severity, text: str) -> SubmissionFinding:
    return SubmissionFinding(
        field=field.name,
        code=MISSING,
        message=f"{field.missing}{_ONLY_THE_FORM if text else ''}",
        source=field.source,
        severity=severity,
    )


def _check_name(
    submission: Submission, registry: Registry, registered: NameIndex | Collection[str]
) -> Iterator[SubmissionFinding]:
    field = registry.name_field
    name = submission.fields.get(field.name, "")
    if not name or submission.purpose is Purpose.REVISION:
        return
    if registry.numbering is not None:
        yield _given_by_registry(field, registry)
        return
    yield from _reported(field, registry.check(name, _indexed(registry, registered)))


def _check_together(submission: Submission, registry: Registry) -> Iterator[SubmissionFinding]:
    if registry.check_texts is not None:
        for name, report in registry.check_texts(submission.fields).items():
            yield from _reported(registry.named[name], report)


def _reported(field: Field, report: NameReport) -> Iterator[SubmissionFinding]:
    for severity, findings in (
        (Severity.MUST, report.problems),
        (Severity.SHOULD, report.advisories),
    ):
        for found in findings:
            yield SubmissionFinding(
                field=field.name,
                code=found.code,
                message=found.message,
                source=found.source,
                severity=severity,
            )


def _given_by_registry(field: Field, registry: Registry) -> SubmissionFinding:
    is_counted = isinstance(registry.numbering, Numbering)
    told = f"Leave the {registry.label} empty. It is drawn when the request is registered."
    if is_counted:
        told = (
            "Leave the NID empty. Informal namespaces get the next number when they're registered."
        )
    return SubmissionFinding(
        field=field.name,
        code="informal-name",
        message=told,
        source="RFC 8141 section 5.2" if is_counted else field.source,
    )


def _indexed(registry: Registry, registered: NameIndex | Collection[str]) -> NameIndex:
    if isinstance(registered, Collection):
        return registry.space.index(registered, ())
    return registered


def _check_declared(submission: Submission, registry: Registry) -> Iterator[SubmissionFinding]:
    for field in registry.fields:
        text = (submission.fields if field.public else submission.private).get(field.name, "")
        for severity, check in ((Severity.MUST, field.check), (Severity.SHOULD, field.advise)):
            for found in check(text.strip()) if check and text.strip() else ():
                yield SubmissionFinding(
                    field=field.name,
                    code=found.code,
                    message=found.message,
                    source=found.source,
                    severity=severity,
                )


def _check_date(submission: Submission, registry: Registry) -> Iterator[SubmissionFinding]:
    text = submission.fields.get("date", "")
    if text and not is_date(text.removesuffix(".")):  # a full stop ends the line as a sentence
        message = (
            f"{spell_text(text)} is not a valid date. Enter it as YYYY-MM-DD, for example "
            "2026-11-21."
        )
        yield SubmissionFinding(
            field="date",
            code="date-form",
            message=f"{message} {name_odd_character(text)}".rstrip(),
            source=registry.named["date"].source,
        )


def _check_contact(submission: Submission, registry: Registry) -> Iterator[SubmissionFinding]:
    for field in registry.fields:
        text = submission.private.get(field.name, "").strip()
        if text and field.widget is Widget.EMAIL and not is_mailbox(text):
            yield SubmissionFinding(
                field=field.name,
                code="address",
                message="This is not a valid e-mail address. Enter one such as "
                f"{_like(field, registry)}.",
                source="RFC 5322 section 3.4.1",
            )


def _like(field: Field, registry: Registry) -> str:
    example = f"`{registry.space.member}@example.org`"
    return f"{example}, or leave it empty" if field.required is Requirement.NEVER else example
