"""What is found in a submission by what is known beside it: the registry, its request, a study."""

import re
from collections.abc import Iterator
from dataclasses import replace

from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Procedure,
    Registry,
    Widget,
)
from app.registration.naans.quoted_text import quote
from app.registration.profiles.profile_answers import (
    check_answers,
    profile_in,
    question_of_fact,
)
from app.registration.profiles.profile_rules import ProfileLimits
from app.registration.records.organization_names import is_named_in
from app.registration.records.registry_records import Submission
from app.registration.submission_findings import MISSING, WHOLE, Severity, SubmissionFinding
from app.registration.submissions.mail_addresses import addresses_in
from app.registration.submissions.name_rivals import (
    MOST_RIVALS,
    iana_name_sentence,
    rival_sentence,
)
from app.registration.submissions.submission_context import (
    GrammarRemark,
    RevisedText,
    StudiedGrammar,
    SubmissionContext,
)

STANDARD = "standard"  # the question of point 7, by its name in the form
ORGANIZATION, TITLE = "organization", "title"  # likewise
_REGISTRANT, _DOCUMENTS = "registrant", "documentation"
_ABOUT = "revision_information"  # else the first field after the name
_MOST_SAID = 200  # characters of what is said beside the text
_MOST_REMARKS = 20  # of each severity; the workbench has them all
_TO_TAKE = (
    "Open “What changes” and continue from the newer version. Its changes to other lines are "
    "merged into your text."
)
_NOTHING_CHANGED = (
    "Nothing has changed from the registered version. Change something, or withdraw this revision."
)
_LEFT_BEHIND = (
    "The namespace was transferred to another registrant after you began. You can read your "
    "text, but only the new registrant can submit a revision."
)
_TO_DECIDE = "Add the text you want to keep, or choose to keep your own text under “What changes”."
_TO_ANSWER = "Use the same answer, or choose to keep your own under “What changes”."
_PLACED = re.compile(r"://|\d")  # whatever can be found has an address or a number


def check_context(
    submission: Submission, procedure: DeclaredProcedure, context: SubmissionContext
) -> Iterator[SubmissionFinding]:
    """Yield what forbids or is to be looked at in a submission by what is known beside it.

    Source: RFC 8141 sections 5.1, 6.2, 6.3, 6.4.1 and appendix A.
    """
    registry = REGISTRIES[submission.registry]
    if context.asks_standard and submission.standard_anticipated is None:
        yield _unanswered()
    if context.organization is not None and registry.space.has_profiles:
        yield from _check_entry(submission, context.organization)
    yield from _check_rivals(submission, context)
    yield from _check_holder(registry, context)
    yield from _check_here(registry, submission, context)
    if context.revision is not None:
        yield from _check_revision(registry, context.revision)
    if context.limits is not None:
        yield from _check_declared(submission, context.limits)
    if procedure is Procedure.FAST_TRACK and context.organization is not None:
        yield from _check_body(registry, submission, context.organization)
    if context.void_domain:
        yield from _check_void(registry, submission, context.void_domain)
    if context.grammar is not None:
        yield from _check_grammar(registry, context.grammar)


def _unanswered() -> SubmissionFinding:
    return SubmissionFinding(
        field="purpose",
        code=MISSING,
        message="Choose whether the namespace is expected to become part of a standard.",
        source="RFC 8141 section 6.4.1, point 7",
        question=STANDARD,
    )


def _check_entry(submission: Submission, organization: str) -> Iterator[SubmissionFinding]:
    if not any(map(str.isalnum, profile_in(submission.fields).title)):
        yield SubmissionFinding(
            field="purpose",
            code=MISSING,
            message="Enter the title of the namespace, for example “Example Book Numbers”.",
            source="RFC 8141 section 6.4.1",
            question=TITLE,
        )
    if not any(map(str.isalnum, organization)):
        yield SubmissionFinding(
            field=_REGISTRANT,
            code=MISSING,
            message="Enter the name of the organization that registers the namespace.",
            source="RFC 8141 appendix A",
            question=ORGANIZATION,
        )


def _check_rivals(
    submission: Submission, context: SubmissionContext
) -> Iterator[SubmissionFinding]:
    registry = REGISTRIES[submission.registry]
    field, folded = registry.name_field.name, _folded(registry, submission)
    if context.at_iana is not None:
        taken = iana_name_sentence(context.at_iana)
        yield _finding(registry, field, "registered-at-iana", taken, Severity.MUST)
    if context.above_problem:
        yield _finding(registry, field, "name-above", context.above_problem, Severity.MUST)
    elif context.above_advice:
        yield _finding(registry, field, "name-above-held", context.above_advice)
    for number, name in context.rivals[:MOST_RIVALS]:
        message = rival_sentence(number, name, folded)
        yield _finding(registry, field, "asked-for", message)  # of two, approving one is said why


def _check_holder(registry: Registry, context: SubmissionContext) -> Iterator[SubmissionFinding]:
    for one in context.alike:
        folded = registry.fold(one.name)
        message = (
            f"{quote(one.holder)} has {quote(registry.space.whole(folded))} and may be the "
            f"same organization. {' '.join(one.reasons)} If so, request a change to that "
            f"{registry.label} and withdraw this request."
        )
        found = _finding(registry, registry.holder_fields[0], "holder-alike", message)
        yield replace(found, page=registry.space.page.format(folded))


def _check_here(
    registry: Registry, submission: Submission, context: SubmissionContext
) -> Iterator[SubmissionFinding]:
    for field in registry.public_fields:
        text = submission.fields.get(field.name, "").strip()
        if field.check_here and text:
            for found in field.check_here(text, context.site_hosts):
                told, source = found.message, found.source
                yield _finding(registry, field.name, found.code, told, Severity.MUST, source=source)


def _check_revision(registry: Registry, revision: RevisedText) -> Iterator[SubmissionFinding]:
    field = _ABOUT if _ABOUT in registry.named else registry.public_fields[1].name
    if revision.changes_nothing:
        told = _NOTHING_CHANGED
        yield _finding(registry, field, "nothing-changed", told, Severity.MUST, question=WHOLE)
    if revision.successor_problem:
        yield _finding(registry, field, "successor", revision.successor_problem, Severity.MUST)
    elif revision.successor_advice:
        yield _finding(registry, field, "successor-deprecated", revision.successor_advice)
    for one in revision.advice:
        yield _finding(registry, field, one.code, one.message, source=one.source)
    if revision.is_left_behind:
        yield _finding(registry, field, "transferred", _LEFT_BEHIND, Severity.MUST)
    came = "A newer version was registered after you began this revision"
    todo = _TO_TAKE if revision.is_stale else _TO_DECIDE
    for undone, words in revision.undone:
        lost = f"the words “{words}”" if words else "a deletion"
        message = f"{came}. Your text would undo {lost}. {todo}"
        yield _finding(registry, undone, "undoes-newer", message, Severity.MUST)
    yield from _check_facts(registry, revision)
    if revision.is_stale and not (revision.undone or revision.undone_facts):
        yield _finding(registry, field, "newer-version", f"{came}. {_TO_TAKE}", Severity.NOTE)


def _check_facts(registry: Registry, revision: RevisedText) -> Iterator[SubmissionFinding]:
    todo = _TO_TAKE if revision.is_stale else _TO_ANSWER
    for fact in revision.undone_facts:
        message = (
            f"{fact.label[:1].upper()}{fact.label[1:]}: the registry changed this to "
            f"{_quoted(fact.words)} after you began. Your revision would undo that. {todo}"
        )
        field, question = question_of_fact(fact.member)
        yield _finding(registry, field, "undoes-newer", message, Severity.MUST, question=question)


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f"“{words[:_MOST_SAID]}{'…' * (len(words) > _MOST_SAID)}”" if words else "nothing"


def _check_declared(submission: Submission, limits: ProfileLimits) -> Iterator[SubmissionFinding]:
    folded = _folded(REGISTRIES[submission.registry], submission)
    yield from check_answers(submission.fields, folded, limits)


def _folded(registry: Registry, submission: Submission) -> str:
    return registry.fold(submission.fields.get(registry.name_field.name, ""))


def _check_body(
    registry: Registry, submission: Submission, organization: str
) -> Iterator[SubmissionFinding]:
    named = " ".join(organization.split())
    registrant = submission.fields.get(_REGISTRANT, "")
    if any(map(str.isalnum, named)) and registrant.strip() and not is_named_in(registrant, named):
        message = (
            f"Registrant doesn't name {named}. On the fast track, name the organization and "
            "say what kind of body it is."
        )
        yield _finding(registry, _REGISTRANT, "organization-unnamed", message)
    documents = submission.fields.get(_DOCUMENTS, "")
    if documents.strip() and not _PLACED.search(documents):
        message = "Documentation has no address or number for the specification. Add one."
        yield _finding(registry, _DOCUMENTS, "no-address", message, source="RFC 8141 section 6.3")


def _check_void(
    registry: Registry, submission: Submission, domain: str
) -> Iterator[SubmissionFinding]:
    why = f"Addresses at `{domain}` work only in the demonstration. Enter "
    for field in registry.fields:
        given = submission.private.get(field.name, "").strip().lower()
        if field.widget is Widget.EMAIL and given.endswith(f"@{domain}"):
            message = f"{why}your own, or leave this empty."
            yield _finding(registry, field.name, "address", message, Severity.MUST)
    written = addresses_in(submission.fields.get(_REGISTRANT, "").lower())
    if any(one.endswith(f"@{domain}") for one in written):
        yield _finding(registry, _REGISTRANT, "address", f"{why}the registrant’s own.")


def _check_grammar(registry: Registry, grammar: StudiedGrammar) -> Iterator[SubmissionFinding]:
    for severity in Severity:
        remarks = [one for one in grammar.findings if one.severity == severity]
        yield from (_remarked(one, severity) for one in remarks[:_MOST_REMARKS])
        rest = len(remarks) - _MOST_REMARKS
        if rest > 0:
            message = (
                f"The grammar has {rest} more findings. See all of them in the grammar workbench."
            )
            yield _finding(registry, "syntax", "grammar-more", message, severity)
    for sentence in grammar.too_large:
        message = f"Part of the grammar couldn't be checked. {sentence}"
        yield _finding(registry, "syntax", "grammar-unchecked", message, Severity.NOTE)


def _remarked(remark: GrammarRemark, severity: Severity) -> SubmissionFinding:
    return SubmissionFinding(
        field=remark.field or "syntax",
        code=f"grammar-{remark.code}",
        message=remark.sentence,
        source=remark.source,
        severity=severity,
        line=remark.line,
        quoted=remark.quoted,
    )


def _finding(
    registry: Registry,
    field: str,
    code: str,
    message: str,
    severity: Severity = Severity.SHOULD,
    *,
    question: str = "",
    source: str = "",
) -> SubmissionFinding:
    declared = registry.named.get(field, registry.name_field)
    return SubmissionFinding(
        field=declared.name,
        code=code,
        message=message,
        source=source or declared.source,
        severity=severity,
        question=question,
    )
