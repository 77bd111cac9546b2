"""What is found in a text: the rules of registration, and what only this registry knows."""

from collections.abc import Callable, Collection, Iterator

from app.grammar.expressions.pattern_safety import find_unsafe_pattern
from app.identifiers.nid import fold_nid
from app.registration.declarations.registries import FIELDS, REGISTRIES, Procedure
from app.registration.profiles.profile_answers import check_answers
from app.registration.profiles.profile_rules import ProfileLimits
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submissions.submission_rules import (
    Severity,
    SubmissionFinding,
    check_submission,
)
from app.services.registry.base_version import (
    base_of,
    revised_status,
    status_advice,
    status_problem,
)
from app.services.registry.bundled_profiles import bundled_patterns
from app.services.registry.competing_requests import PENDING, NamesAsked, competing_with
from app.services.registry.snapshots import taken_index
from app.services.requests import text_studies
from app.store.requests import request_rows
from app.store.tables import Request

__all__ = ["PENDING", "findings_in", "findings_in_sent"]

_NAME = "namespace_identifier"
_MOST_RIVALS = 3


def findings_in(
    request: Request,
    submission: Submission,
    in_texts: Collection[SubmissionFinding] | None = None,
    asking: Callable[[], NamesAsked] | None = None,
) -> tuple[SubmissionFinding, ...]:
    """Everything found in a text of a request, problems first.

    ``in_texts`` is what was found in its texts when it was sent, ``asking`` gives what open
    requests ask for; the rest is looked up.
    """
    taken = taken_index(REGISTRIES[submission.registry].space)
    procedure = Procedure(request.procedure)
    found = (
        *check_submission(submission, procedure, taken, in_texts=in_texts),
        *_rivals(request, submission, asking),
        *_revision(request, submission),
        *_profile(request, submission),
    )
    return tuple(sorted(found, key=lambda finding: not finding.is_problem))


def findings_in_sent(
    request: Request, asking: Callable[[], NamesAsked] | None = None
) -> tuple[SubmissionFinding, ...]:
    """What is found in the newest text that was sent in; a draft of the next says nothing here."""
    sent = request_rows.find_iteration(request.number, request.iterations)
    if sent is None:
        return ()
    submission = Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields={**sent.fields, **_dropped(request)},
        private=request_rows.private_values(request.number),
        standard_anticipated=request.standard_anticipated,
    )
    return findings_in(request, submission, text_studies.findings_of(request.number, sent), asking)


def _dropped(request: Request) -> dict[str, str]:
    """The name of a text that was sent before its request came to be one for a number.

    It is asked for no more, so that nobody has to send the same words without it.
    """
    numbered = REGISTRIES[request.registry_id].numbering is not None
    return {} if request.asked_name or not numbered else {_NAME: ""}


def _rivals(
    request: Request, submission: Submission, asking: Callable[[], NamesAsked] | None
) -> Iterator[SubmissionFinding]:
    folded = fold_nid(submission.fields.get("namespace_identifier", ""))
    for number, name in competing_with(request, folded, asking)[:_MOST_RIVALS]:
        what = "this name" if name == folded else f"`{name}`, which reads like this name,"
        yield SubmissionFinding(
            field="namespace_identifier",
            code="asked-for",
            message=f"Request {number} asks for {what} too. You can go on; registration decides.",
            source=FIELDS["namespace_identifier"].source,
            severity=Severity.LOOK,
        )


def _profile(request: Request, submission: Submission) -> Iterator[SubmissionFinding]:
    """What is wrong with what the namespace says of itself; what stands so already may stay."""
    base = base_of(request)
    stands = base.latest.record.profile.resolution.services if base else ()
    limits = ProfileLimits(
        unsafe_in=find_unsafe_pattern, known=frozenset(stands), known_patterns=bundled_patterns()
    )
    yield from check_answers(submission.fields, fold_nid(submission.fields.get(_NAME, "")), limits)


def _revision(request: Request, submission: Submission) -> Iterator[SubmissionFinding]:
    """What is wrong with the name that is to come next, and whether the base is too old."""
    base = base_of(request)
    if base is None:
        return
    field = FIELDS["revision_information"]
    fate = revised_status(submission.fields)
    problem, advice = status_problem(fate, request.asked_name), status_advice(fate)
    if problem:
        yield SubmissionFinding(
            field=field.name, code="successor", message=problem, source=field.source
        )
    elif advice:
        yield SubmissionFinding(
            field=field.name,
            code="successor-deprecated",
            message=advice,
            source=field.source,
            severity=Severity.LOOK,
        )
    if not base.is_latest:
        yield SubmissionFinding(
            field=field.name,
            code="newer-version",
            message="A newer version was registered after this revision was begun. The registrant "
            "looks at what changed and takes it as the base.",
            source=field.source,
            severity=Severity.LOOK,
        )
