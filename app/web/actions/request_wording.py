"""States, sections, events and actions in words."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.grammar.analysis.study import GrammarFinding
from app.registration.declarations.registries import DeclaredProcedure, FormSection, Procedure
from app.registration.records.registry_records import Purpose
from app.registration.submission_findings import Severity, SubmissionCheck, SubmissionFinding
from app.registration.submissions.context_checks import ORGANIZATION, STANDARD
from app.registration.submissions.review_hints import find_hint_words
from app.services.delegates.delegation import DelegateEvent
from app.services.request_status.request_status import (
    RequestStatus,
    RequestSummary,
    StatusReader,
    agreed_word,
    status_of,
)
from app.services.requests.detail.request_detail import EventView, ReviewView
from app.services.requests.drafts import OpenDraft
from app.web.forms.profile_forms import ANSWERS, RESOLVABILITY
from app.web.forms.request_forms import asked_fields
from app.web.middleware.session import settings
from app.workflow.body_names import IANA_BODIES, BodyNames, named_body
from app.workflow.reviews import QUESTIONS, Verdict
from app.workflow.states import Action, Role, State

# ---- the status of a request


def reader_of(roles: Collection[Role]) -> StatusReader:
    """Return the role for which to word the status of a request, given the reader's roles."""
    readers = (
        (Role.REGISTRANT, StatusReader.REGISTRANT),
        (Role.LEADER, StatusReader.LEADER),
        (Role.EXPERT, StatusReader.EXPERT),
        (Role.OPERATOR, StatusReader.OPERATOR),
    )
    return next((reader for role, reader in readers if role in roles), StatusReader.PUBLIC)


def status_in_words(
    row: RequestSummary, today: datetime, reader: str = StatusReader.PUBLIC, **known: Any
) -> RequestStatus:
    """The status of a request for a reader whom a template names."""
    is_proposal = settings().authority == "proposal"
    return status_of(row, today, StatusReader(reader), is_proposal=is_proposal, **known)


def request_to_iana(row: RequestSummary, today: datetime) -> str:
    """Ask the registry that registers to do so, or give the request's status before that."""
    if row.state in (State.ASSIGNABLE, State.MODIFIABLE):
        agreed = agreed_word(row.procedure)
        return f"The request is {agreed}. Please register the template below."
    return status_of(replace(row, iana_state=None), today).brief


def kind_of(row: RequestSummary) -> str:
    """The shape and colour that the state of a request is shown with."""
    state = row.state
    if state is State.DRAFT:
        return "open"
    if row.is_registered:
        return "ok"
    return "note" if state.is_final else "wait"


def asks_for(row: RequestSummary) -> str:
    """What a request asks for."""
    change = row.purpose is Purpose.REVISION
    return f"{'a change to a' if change else 'a new'} {row.registry.label}"


# ---- the sections of the form


@dataclass(frozen=True, slots=True)
class SectionStatus:
    """The status of a section: its color, shape and words."""

    kind: str
    shape: str
    words: str


def section_status(writing: OpenDraft, section: FormSection) -> SectionStatus:
    """The status of one page of the form."""
    found = [
        words
        for field in asked_fields(section, writing.registry, writing.purpose)
        if writing.value(field.name)
        for words in find_hint_words(field, writing.value(field.name)).values()
    ]
    return standing_of(
        writing.of_section(section),
        is_begun=writing.is_begun(section),
        points=len(found),
        open_points=found.count(""),
    )


def standing_of(
    found: SubmissionCheck, *, is_begun: bool, points: int = 0, open_points: int = 0
) -> SectionStatus:
    """The status of a page with these findings, and with so many of the experts' points open.

    Missing answers are not shown as problems: the page may just be unfinished.
    """
    told = found.summary
    if not is_begun:
        return SectionStatus("muted", "open", f"Not started, {told}" if found else "Not started")
    if not all(one.is_missing for one in found.problems):
        return SectionStatus("problem", "problem", told)
    if found.problems:
        return SectionStatus("muted", "open", told)
    if found.asks_approver:
        return SectionStatus("look", "look", told)
    if open_points:
        words = f"Filled in; {open_points} of {points} points not addressed"
        return SectionStatus("muted", "open", f"{words}, {told}" if found else words)
    return SectionStatus("ok", "ok", f"Complete, {told}" if found else "Complete")


_SHAPES = {Severity.MUST: "problem", Severity.SHOULD: "look", Severity.NOTE: "note"}
_MARKS = {Severity.MUST: "Problem:", Severity.SHOULD: "Warning:", Severity.NOTE: "Note:"}


def shape_of(severity: str | None) -> str:
    """The shape and colour of a severity; of nothing found, that all is well."""
    return _SHAPES[Severity(severity)] if severity else "ok"


def mark_of(finding: SubmissionFinding | GrammarFinding) -> str:
    """The words before the sentence of a finding: those by which it is counted."""
    is_missing = isinstance(finding, SubmissionFinding) and finding.is_missing
    return "Missing:" if is_missing else _MARKS[Severity(finding.severity)]


# What is asked beside the template, as a finding about it names it.
QUESTION_LABELS = {
    STANDARD: "Standard",
    ORGANIZATION: "Organization",
    RESOLVABILITY: "Resolution",
    **{name: field.label for name, field in ANSWERS.items()},
}


# ---- what happened

# events of the managers of a registration, shoulder or prefix
_DELEGATE_EVENTS = {
    "person invited": "{role} invited another manager.",
    "invitation called off": "{role} canceled an invitation.",
    "link called off": "{role} canceled an e-mailed link.",
    "person joined": "An invited person became a manager.",
    "person removed": "{role} removed a manager.",
    "person left": "A manager left.",
    "link asked": "A link was requested for the contact on file.",
    "claimed by the contact": "The contact on file became a manager.",
    "claimed": "A user asked to become a manager and sent evidence to the operator.",
    "claim granted": "{role} granted a claim.",
    "claim refused": "{role} refused a claim.",
    "transfer asked": "{role} asked for a transfer.",
    "transfer called off": "{role} canceled the transfer.",
    "transfer objected": "{role} objected to the transfer.",
    "transfer refused": "{role} refused the transfer.",
    "transferred": "{role} completed the transfer.",
    "holder confirmed": "The NAAN holder confirmed the record.",
    "holder announced a change": "The NAAN holder reported a change.",
    "holder announced an end": "The NAAN holder reported that the organization closes or "
    "gives up the NAAN.",
}
_BY_KIND = {
    action.past: action.row.story for action in Action if action.row.story
} | _DELEGATE_EVENTS
_REVIEWED = {
    Verdict.APPROVE: "{role} approved the request.",
    Verdict.DECLINE: "{role} voted to decline the request.",
    Verdict.RETURN: "{role} reviewed the request: changes needed.",
    Verdict.COMMENT: "{role} reviewed the request: advice only.",
}
_ADVISED = {
    Verdict.APPROVE: "{role} reviewed the request: in favor.",
    Verdict.DECLINE: "{role} reviewed the request: against.",
}
_WITHDRAWN_APPEAL = "{role} withdrew the appeal. The request remains declined."
_ROLES = {
    "registrant": "The registrant",
    "representative": "The organization’s representative",
    "operator": "The operator",
    "expert": "An expert",
    "leader": "The lead expert",
    "outcome": "The experts",
    "contact": "The contact on file",
    "registry": "The registry",
}


def name_event_sentence(event: DelegateEvent) -> str:
    """Describe an event of a registration; the person is named by role only."""
    words = _DELEGATE_EVENTS.get(event.kind, f"{event.kind.capitalize()}.")
    return words.format(role=_ROLES.get(event.role, "A user"))


def event_sentence(
    event: EventView,
    procedure: DeclaredProcedure = Procedure.COMMUNITY,
    *,
    bodies: BodyNames = IANA_BODIES,
) -> str:
    """Describe an event of a request: "You" for the reader's own, otherwise only a role."""
    words = _BY_KIND.get(event.kind, f"{event.kind.capitalize()}.")
    if event.kind == Action.WITHDRAW.past and event.target == State.DECLINED:
        words = _WITHDRAWN_APPEAL
    if event.kind == Action.REVIEW.past and event.judged:
        advised = _ADVISED if procedure is Procedure.FAST_TRACK else {}
        words = advised.get(event.judged.verdict, _REVIEWED[event.judged.verdict])
    role = _ROLES.get(event.role, "A user")
    if event.own:
        role, words = "You", words.replace("themselves", "yourself")
    named = {"body": "the standards body", "other": "another", "procedure": ""}
    named["why"] = "the experts can’t decide it"  # older software did not keep more
    return bodies.put_into(words).format_map(
        named
        | {name: named_body(str(text)) for name, text in event.details.items()}
        | {"iteration": event.iteration, "role": role, "edition": event.edition}
    )


def review_answers(judged: ReviewView) -> Iterator[tuple[str, str]]:
    """What an expert was asked and answered, in the order in which it is asked."""
    for question in QUESTIONS:
        if question.key in judged.answers:
            yield question.label, judged.answers[question.key].capitalize()
