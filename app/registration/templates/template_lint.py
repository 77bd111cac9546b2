"""What is wrong with a template as a text, by line: its form, and the rules of registration."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from app.identifiers.errors import NidKind
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.registries import FORMAL, INFORMAL, Procedure
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submissions.submission_context import StudiedGrammar, SubmissionContext
from app.registration.submissions.submission_rules import (
    InvalidText,
    Severity,
    SubmissionFinding,
    check_submission,
    fit_text,
)
from app.registration.templates.field_values import (
    field_value_diagnostics,
    find_nid,
    find_version,
    fit_for_draft,
)
from app.registration.templates.template_parts import TemplateDiagnostic
from app.registration.templates.template_reader import ParsedTemplate, read_template
from app.registration.templates.text_encodings import DecodedText

# `urn-7`, `urn-<number>`, `urn-N`; no `urn-quokka`
_NUMBERED = re.compile(
    r"(?<![a-z0-9-])urn-(?:[0-9]|[<{\[]|(?:n|x|nn|xx|tbd|number)(?![a-z0-9-]))",
    re.ASCII | re.IGNORECASE,
)
_INFORMAL = re.compile(r"\b(?:informal|assigned by iana)\b", re.ASCII | re.IGNORECASE)
_FORBIDS = frozenset({"no-heading", "unplaced"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LintFinding:
    """One thing found in a template's text, as grave as in a request with that text."""

    line: int
    field: str
    code: str
    message: str
    source: str
    severity: Severity

    @property
    def is_problem(self) -> bool:
        """Whether it cannot be registered so."""
        return self.severity is Severity.MUST


def lint(
    decoded: DecodedText,
    registered: NameIndex | Collection[str] = frozenset(),
    *,
    kind: NidKind | None = None,
    is_revision: bool = False,
    study: Callable[[str], StudiedGrammar] | None = None,
    read: ParsedTemplate | None = None,
) -> tuple[LintFinding, ...]:
    """Return everything found in a template, by line: oddities of the text and broken rules.

    A template whose version is greater than 1 is a revision of a registered namespace. Without a
    kind the name decides: ``urn-7``, and a name that IANA assigns, are informal. ``study`` studies
    the grammar in the whole text and gives the lines of that; without it the grammar isn't
    checked. ``read`` is the template with its parts in other fields, if a user moved them. The
    names that other requests ask for aren't checked here. Raises nothing of its own.

    Source: RFC 8141 sections 5.1, 5.2, 6.2 and appendix A.
    """
    read = read or read_template(decoded.text)
    kind = kind or kind_of(read.fields.get("namespace_identifier", ""))
    revises = is_revision or (find_version(read.fields.get("version", "")) or 1) > 1
    odd = (*decoded.problems, *read.problems, *field_value_diagnostics(read.fields, read.parts))
    context = SubmissionContext(grammar=study(decoded.text) if study else None)
    ruled = (*_unfit(read), *_ruled(read, kind, registered, context, revises=revises))
    found = [*(_of_finding(one, read) for one in ruled), *_of_oddities(odd, ruled)]
    return tuple(sorted(found, key=lambda one: one.line))


def kind_of(identifier: str) -> NidKind:
    """The kind of the namespace that the first field of a template asks for.

    Source: RFC 8141 sections 5.1 and 5.2, appendix A.
    """
    is_numbered = _NUMBERED.search(identifier) is not None
    is_said = find_nid(identifier) is None and _INFORMAL.search(identifier) is not None
    return NidKind.INFORMAL if is_numbered or is_said else NidKind.FORMAL


def _ruled(
    read: ParsedTemplate,
    kind: NidKind,
    registered: NameIndex | Collection[str],
    context: SubmissionContext,
    *,
    revises: bool,
) -> tuple[SubmissionFinding, ...]:
    is_formal = kind is NidKind.FORMAL
    submission = Submission(
        registry=(FORMAL if is_formal else INFORMAL).id,
        purpose=Purpose.REVISION if revises else Purpose.NEW,
        fields=fit_for_draft(read.fields),
    )
    procedure = Procedure.COMMUNITY if is_formal else Procedure.INFORMAL
    return check_submission(submission, procedure, registered, context=context)


def _unfit(read: ParsedTemplate) -> Iterator[SubmissionFinding]:
    for name, text in fit_for_draft(read.fields).items():
        try:
            fit_text(FORMAL.named[name], text)
        except InvalidText as error:
            yield error.finding


def _of_finding(finding: SubmissionFinding, read: ParsedTemplate) -> LintFinding:
    # Only a study gives a line, and that of the whole text; others begin where their field does.
    starts = (part.line for part in read.parts if part.field == finding.field)
    return LintFinding(
        line=finding.line or next(starts, 1),
        field=finding.field,
        code=finding.code,
        message=finding.message,
        source=finding.source,
        severity=finding.severity,
    )


def _of_oddities(
    odd: Iterable[TemplateDiagnostic], ruled: Iterable[SubmissionFinding]
) -> Iterator[LintFinding]:
    said = {(finding.field, finding.code) for finding in ruled}
    for one in odd:
        if (one.field, one.code) not in said:
            yield LintFinding(
                line=one.line,
                field=one.field,
                code=one.code,
                message=one.message,
                source=one.source,
                severity=Severity.MUST if one.code in _FORBIDS else Severity.NOTE,
            )
