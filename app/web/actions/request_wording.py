"""States, sections, events and actions in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.grammar.analysis.study import GrammarFinding
from app.pages.text.next_steps import agreed_word, decider_of, next_step
from app.pages.text.phrases import count_phrase, day_phrase
from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import DeclaredProcedure, FormSection, Procedure
from app.registration.records.registry_records import Purpose
from app.registration.submission_findings import Severity, SubmissionCheck, SubmissionFinding
from app.registration.submissions.context_checks import ORGANIZATION, STANDARD
from app.services.delegates.delegate_list import DelegateEvent
from app.services.requests.detail.request_story import EventView, ReviewView
from app.services.requests.open_drafts import OpenDraft
from app.services.requests.request_summaries import RequestSummary
from app.services.requests.reviewer_context import ReviewProgress
from app.web.forms.profile_forms import ANSWERS, RESOLVABILITY
from app.workflow.body_names import IANA_BODIES, BodyNames, named_body
from app.workflow.reviews import QUESTIONS, Verdict
from app.workflow.states import Action, IanaState, State, Turn, require_every_state

# ---- where a request stands; {day}, {days} and {edition} are the request's own

_HEADLINES = {
    State.DRAFT: "Draft. Only you can see it.",
    State.NEW: "Sent on {day}. The operator has not opened it yet.",
    State.VALIDATING_REQUEST: "The operator has been checking it {days}.",
    State.EXPERT_REVIEW: "With the experts {days}.",
    State.WITH_REQUESTER: "Waiting for the registrant {days}.",
    State.ASSIGNABLE: "{agreed} on {day}. Waiting for the operator to publish it.",
    State.MODIFIABLE: "{agreed} on {day}. Waiting for the operator to publish it.",
    State.ASSIGNED: "Registered on {day}, in edition {edition}.",
    State.MODIFIED: "Changed on {day}, in edition {edition}.",
    State.DECLINED: "Declined on {day}.",
    State.WITHDRAWN: "Withdrawn on {day}.",
}
require_every_state(
    {*_HEADLINES, *(state for state in State if state.question)}, f"_HEADLINES of {__name__}"
)
_OWN_HEADLINES: dict[tuple[DeclaredProcedure, State], str] = {
    (procedure, State.ASSIGNABLE): "Approved by one operator on {day}. Waiting for a second one."
    for procedure in NaanProcedure
}
_TO_REVIEW = "Waiting for your review {days}."
_ADVISED = "With the experts for advice {days}; the organization completes it when it is ready."
_TO_ANSWER = "Your turn {days}."
_APPROVED = (State.ASSIGNABLE, State.MODIFIABLE)
_AT_IANA = {
    IanaState.SENT: "Sent on to IANA on {day}. Waiting for its answer.",
    IanaState.ANSWERED: "Sent on to IANA, which answered on {day}.",
    IanaState.REGISTERED: "Registered at IANA on {day}.",
    IanaState.REFUSED: "Refused by IANA on {day}.",
}
_TO_BE_SENT_ON = "{agreed} on {day}. Waiting for the operator to send it on to IANA."


def headline(
    row: RequestSummary,
    today: datetime,
    *,
    own: bool = False,
    mine: bool = False,
    proposal: bool = False,
    bodies: BodyNames = IANA_BODIES,
) -> str:
    """First whose turn it is, and since when: to its registrant, to an expert, to anybody.

    With ``proposal`` as a registry says it that only prepares requests.
    """
    words = _OWN_HEADLINES.get((row.procedure, row.state)) or _HEADLINES.get(
        row.state,
        bodies.put_into(
            f"With {decider_of(row.state, row.body)} {{days}}, to decide {row.state.question}.",
            row.body,
        ),
    )
    if row.turn is Turn.REGISTRANT and row.state is State.EXPERT_REVIEW:
        words = _ADVISED
    if row.iana_state is not None:
        return _AT_IANA[row.iana_state].format(day=day_phrase(date.fromisoformat(row.iana_day)))
    if proposal and row.state in _APPROVED:
        words = _TO_BE_SENT_ON
    if own and row.state is State.WITH_REQUESTER:
        words = _TO_ANSWER
    elif mine and row.turn is Turn.EXPERTS:
        words = _TO_REVIEW
    said = words.format(
        day=day_phrase(row.since),
        days=since(row.since, today),
        edition=row.edition,
        agreed=agreed_word(row.procedure).capitalize(),
    )
    return f"{said} {due(row, today)}".strip()


def due(row: RequestSummary, today: datetime) -> str:
    """By when the next step is due; nothing where no day is set."""
    if row.due is None:
        return ""
    last = row.due - timedelta(days=1)  # it is the end of that day
    late = f"It was due on {day_phrase(last)}."
    return late if row.is_overdue(today) else f"Due by {day_phrase(last)}."


_TURNS = {
    Turn.REGISTRANT: "the registrant",
    Turn.OPERATOR: "the operator",
    Turn.EXPERTS: "the experts",
    Turn.IANA: "IANA",
    Turn.NOBODY: "nobody",
}


def turn_of(row: RequestSummary, today: datetime, *, bodies: BodyNames = IANA_BODIES) -> str:
    """Whose turn it is, since when and until when: a role, for everybody to read."""
    whose = _TURNS.get(row.turn) or bodies.put_into(decider_of(row.state, row.body), row.body)
    said = f"{whose[:1].upper()}{whose[1:]}, {since(row.turn_since, today)}."
    return f"{said} {due(row, today)}".strip()


def since(moment: datetime, today: datetime) -> str:
    """How long something has lasted, in whole days of UTC."""
    days = (today.date() - moment.date()).days
    return f"for {count_phrase(days, 'day')}" if days > 0 else "since today"


def progress_words(progress: ReviewProgress, row: RequestSummary, *, leads: bool = False) -> str:
    """How far the experts are with the newest text, and what comes next."""
    if row.procedure in (Procedure.FAST_TRACK, Procedure.STANDARDS_ACTION):
        given = count_phrase(progress.approvals + progress.declines, "review")
        return f"{given} of this text. {next_step(row.state, row.procedure, row.body)}"
    said = f"{progress.approvals} of {count_phrase(progress.needed, 'approval')}"
    if progress.declines:
        said += f", {progress.declines} would decline"
    return f"{said}. {_to_decide(progress, leads=leads)}"


def _to_decide(progress: ReviewProgress, *, leads: bool) -> str:
    missing = progress.needed - progress.approvals
    if leads and progress.leader_decides:
        return "You lead the experts, so your review decides it alone."
    if progress.is_deadlocked:
        return "The reviews contradict each other, so the leader of the experts is next."
    more = "One more approval" if missing == 1 else f"{missing} more approvals"
    does = "sends it on to IANA" if progress.is_proposal else "registers it"
    return f"{more}, and the operator {does} next. A return goes to the registrant at once."


_SENT_ON = "It is {agreed}. Please register what the template below asks for."


def meaning_of(row: RequestSummary, *, sent_on: bool = False, proposal: bool = False) -> str:
    """What comes next for a request: in some procedures the experts do not decide.

    With ``sent_on`` as the registry reads it that registers, with ``proposal`` as one that
    only prepares requests says it.
    """
    if row.state in _APPROVED and sent_on:
        return _SENT_ON.format(agreed=agreed_word(row.procedure))
    at_iana = None if sent_on else row.iana_state
    return next_step(row.state, row.procedure, row.body, is_proposal=proposal, at_iana=at_iana)


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
    return f"{'a change of a' if change else 'a new'} {row.registry.label}"


# ---- the sections of the form


@dataclass(frozen=True, slots=True)
class SectionStatus:
    """How a section stands: the colour, the shape and the words."""

    kind: str
    shape: str
    words: str


def section_status(writing: OpenDraft, section: FormSection) -> SectionStatus:
    """How one page of the form stands."""
    return standing_of(writing.of_section(section), is_begun=writing.is_begun(section))


def standing_of(found: SubmissionCheck, *, is_begun: bool) -> SectionStatus:
    """How a page stands on which this was found; what is only missing is held against nobody."""
    told = found.summary
    if not is_begun:
        return SectionStatus("muted", "open", f"Not started, {told}" if found else "Not started")
    if not all(one.is_missing for one in found.problems):
        return SectionStatus("problem", "problem", told)
    if found.problems:
        return SectionStatus("muted", "open", told)
    if found.asks_approver:
        return SectionStatus("look", "look", told)
    return SectionStatus("ok", "ok", f"Complete, {told}" if found else "Complete")


_SHAPES = {Severity.MUST: "problem", Severity.SHOULD: "look", Severity.NOTE: "note"}
_MARKS = {Severity.MUST: "To change.", Severity.SHOULD: "To look at.", Severity.NOTE: "Note."}


def shape_of(severity: str | None) -> str:
    """The shape and colour of a severity; of nothing found, that all is well."""
    return _SHAPES[Severity(severity)] if severity else "ok"


def mark_of(finding: SubmissionFinding | GrammarFinding) -> str:
    """The words before the sentence of a finding: those by which it is counted."""
    is_missing = isinstance(finding, SubmissionFinding) and finding.is_missing
    return "To fill in." if is_missing else _MARKS[Severity(finding.severity)]


# What is asked beside the template, as a finding about it names it.
QUESTION_LABELS = {
    STANDARD: "Part of a standard?",
    ORGANIZATION: "Organization",
    RESOLVABILITY: "Are the names resolved?",
    **{name: field.label for name, field in ANSWERS.items()},
}


# ---- what happened

# who acts for a registrant
_DELEGATE_EVENTS = {
    "person invited": "{role} invited somebody to act for it too.",
    "invitation called off": "{role} called an invitation off.",
    "link called off": "{role} called the link of a message off.",
    "person joined": "Somebody who was invited acts for it too.",
    "person removed": "{role} ended that somebody acts for it.",
    "person left": "Somebody acts for it no more.",
    "link asked": "Somebody had a link mailed to the contact on file.",
    "claimed by the contact": "The contact on file came to act for it.",
    "claimed": "Somebody claimed it, and showed the operator why.",
    "claim granted": "{role} granted a claim.",
    "claim refused": "{role} refused a claim.",
    "transfer asked": "{role} asked for its transfer.",
    "transfer called off": "{role} called the transfer off.",
    "transfer objected": "{role} objected to the transfer.",
    "transfer refused": "{role} refused the transfer.",
    "transferred": "{role} carried the transfer out.",
    "holder confirmed": "The holder said that all that is told of it is right.",
    "holder announced a change": "The holder said that something is different.",
    "holder announced an end": "The holder said that it ceases, or is given up.",
}
_BY_KIND = {
    action.past: action.row.story for action in Action if action.row.story
} | _DELEGATE_EVENTS
_JUDGED = {
    Verdict.APPROVE: "{role} reviewed it, and would approve it.",
    Verdict.DECLINE: "{role} reviewed it, and would decline it.",
    Verdict.RETURN: "{role} reviewed it, and would return it.",
    Verdict.COMMENT: "{role} reviewed it, and gave advice.",
}
_ADVISED_SO = {
    Verdict.APPROVE: "{role} reviewed it, and is in favour.",
    Verdict.DECLINE: "{role} reviewed it, and is against it.",
}
_WITHDRAWN_APPEAL = "The registrant withdrew the appeal; the denial stands."
_ROLES = {
    "registrant": "The registrant",
    "operator": "The operator",
    "expert": "An expert",
    "leader": "The leader of the experts",
    "outcome": "The experts",
    "contact": "The contact on file",
    "registry": "The registry",
}


def name_event_sentence(event: DelegateEvent) -> str:
    """What happened to a name, in a sentence that names a role and nobody."""
    words = _DELEGATE_EVENTS.get(event.kind, f"{event.kind.capitalize()}.")
    return words.format(role=_ROLES.get(event.role, "Somebody"))


def event_sentence(
    event: EventView,
    procedure: DeclaredProcedure = Procedure.COMMUNITY,
    *,
    bodies: BodyNames = IANA_BODIES,
) -> str:
    """What happened, in a sentence that names a role and nobody."""
    words = _BY_KIND.get(event.kind, f"{event.kind.capitalize()}.")
    if event.kind == Action.WITHDRAW.past and event.target == State.DECLINED:
        words = _WITHDRAWN_APPEAL
    if event.kind == Action.REVIEW.past and event.judged:
        advised = _ADVISED_SO if procedure is Procedure.FAST_TRACK else {}
        words = advised.get(event.judged.verdict, _JUDGED[event.judged.verdict])
    who = _ROLES.get(event.role, "Somebody")
    named = {"body": "the body that approves the standard", "other": "another", "procedure": ""}
    named["why"] = "the experts cannot decide it"  # older software did not keep more
    return bodies.put_into(words).format_map(
        named
        | {name: named_body(str(text)) for name, text in event.details.items()}
        | {"iteration": event.iteration, "role": who, "edition": event.edition}
    )


def review_answers(judged: ReviewView) -> Iterator[tuple[str, str]]:
    """What an expert was asked and answered, in the order in which it is asked."""
    for question in QUESTIONS:
        if question.key in judged.answers:
            yield question.label, judged.answers[question.key].capitalize()
