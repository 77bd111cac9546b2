"""What is found in a text: the rules of registration, and what only this registry knows."""

from collections.abc import Iterator

from app.identifiers.nid import fold_nid
from app.registration.declarations import FIELDS, REGISTRIES, Procedure
from app.registration.records import Purpose, Submission
from app.registration.rules import Finding, Severity, check_submission
from app.services.registry import taken_index
from app.store import requests
from app.store.tables import Request
from app.workflow.states import State

PENDING = tuple(state for state in State if not state.is_final and not state.is_private)
_MOST_RIVALS = 3


def findings_in(request: Request, submission: Submission) -> tuple[Finding, ...]:
    """Everything found in a text of a request, problems first."""
    space = REGISTRIES[submission.registry].space
    found = (
        *check_submission(submission, Procedure(request.procedure), taken_index(space)),
        *_standard(submission),
        *_rivals(request, submission),
    )
    return tuple(sorted(found, key=lambda finding: not finding.is_problem))


def findings_in_sent(request: Request) -> tuple[Finding, ...]:
    """What is found in the newest text that was sent in; a draft of the next says nothing here."""
    sent = requests.find_iteration(request.number, request.iterations)
    if sent is None:
        return ()
    submission = Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields=sent.fields,
        private=requests.private_values(request.number),
        standard_anticipated=request.standard_anticipated,
    )
    return findings_in(request, submission)


def _standard(submission: Submission) -> Iterator[Finding]:
    """Who answers yes is told before sending: nobody here could finish the review."""
    if submission.standard_anticipated:
        yield Finding(
            field="purpose",
            code="standard",
            message="You say that the namespace becomes part of a standard. Then the experts "
            "report to the body that makes the standard, and it directs the registration. This "
            "site takes requests that the experts decide themselves. Write to the operator about "
            "a report, or answer No if no standard will hold the namespace.",
            source="RFC 8141 section 6.2",
        )


def _rivals(request: Request, submission: Submission) -> Iterator[Finding]:
    folded = fold_nid(submission.fields.get("namespace_identifier", ""))
    asking = requests.asking_for(folded, PENDING, _MOST_RIVALS + 1) if folded else []
    for other in [number for number in asking if number != request.number][:_MOST_RIVALS]:
        yield Finding(
            field="namespace_identifier",
            code="asked-for",
            message=f"Request {other} asks for this name too. You can go on; registration decides.",
            source=FIELDS["namespace_identifier"].source,
            severity=Severity.LOOK,
        )
