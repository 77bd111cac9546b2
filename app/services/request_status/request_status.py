"""The status of a request in words, derived from facts and worded for each reader.

Pages, lists, the desk, e-mail and documents for programs all take their sentences from here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from app.pages.text.phrases import count_phrase, day_phrase
from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Procedure,
    Registry,
    procedure_named,
)
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import Actor, accounts_acting_for
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.request_status.panel_evidence import PanelEvidence, panel_statuses
from app.store.editions import edition_rows
from app.store.requests import request_rows
from app.store.tables import Request
from app.workflow.body_names import IANA_BODIES, BodyNames, named_body
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import PanelStatus, Review, ReviewImpasse, Verdict
from app.workflow.states import IanaState, State, Turn, require_every_state

MOST_SHOWN = 100  # rows of one list


def find_registry_of(number: int, reader: Actor | None) -> Registry | None:
    """The registry that a request is made to; None where there is none that the reader may see."""
    request = request_rows.find_request(number)
    if request is None:
        return None
    is_own = reader is not None and reader.id in accounts_acting_for(request)
    is_shown = is_own or not State(request.state).is_private
    return REGISTRIES[request.registry_id] if is_shown else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSummary:
    """A request as lists show it; ``panel`` is the status of its experts while they review it."""

    number: int
    name: str
    registry: Registry
    procedure: DeclaredProcedure
    state: State
    organization: str
    since: datetime
    started: datetime
    edition: int | None
    lock_version: int
    purpose: Purpose = Purpose.NEW
    due: datetime | None = None
    delayed: datetime | None = None
    returns_to: State | None = None
    body: str = ""
    iana_state: IanaState | None = None
    iana_day: str = ""
    panel: PanelStatus | None = None

    @property
    def case(self) -> ProcedureCase:
        """The request as the tables know it."""
        return ProcedureCase(
            self.procedure, self.purpose, self.state, self.returns_to, self.iana_state
        )

    @property
    def turn(self) -> Turn:
        """Who it waits for."""
        return self.case.turn

    @property
    def turn_since(self) -> datetime:
        """Since when it waits for them: at IANA since the last day on which something happened."""
        if not self.iana_day:
            return self.since
        return datetime.combine(date.fromisoformat(self.iana_day), time(), UTC)

    @property
    def has_ended_at_iana(self) -> bool:
        """Whether IANA registered or refused it, so that nothing is sent on any more."""
        return self.case.has_ended_at_iana

    @property
    def is_registered(self) -> bool:
        """Whether what it asked for is registered, here or at IANA."""
        return self.state.is_registered or self.iana_state is IanaState.REGISTERED

    @property
    def standing(self) -> str:
        """Where it stands, in words: at IANA, where it was sent on."""
        return self.iana_state.label if self.iana_state else self.state.words

    def is_overdue(self, now: datetime) -> bool:
        """Whether the day on which the next step was due is over."""
        return self.due is not None and self.due <= now

    @property
    def is_named(self) -> bool:
        """Whether it asks for, or was given, a name that can be shown."""
        return bool(self.name)


def row_of(
    request: Request,
    at: datetime,
    rules: ProcedureSettings = USUAL_RULES,
    given: Review | None = None,
) -> RequestSummary:
    """A request as lists show it; ``given`` is a review that isn't stored yet."""
    return rows_of_requests([request], at, rules, given)[0]


def rows_of_requests(
    found: Iterable[Request],
    at: datetime,
    rules: ProcedureSettings = USUAL_RULES,
    given: Review | None = None,
) -> tuple[RequestSummary, ...]:
    """Requests as lists show them, with the status of their experts at a moment."""
    listed = list(found)
    numbers = edition_rows.numbers_of({each.edition for each in listed if each.edition})
    in_review = (one for one in listed if _is_in(one, State.EXPERT_REVIEW))
    panels = panel_statuses(in_review, at, rules, given)
    return tuple(_row(each, numbers, panels.get(each.number)) for each in listed)


def panel_ahead(request: Request, at: datetime, rules: ProcedureSettings) -> PanelStatus | None:
    """The status of the experts to whom a request can be passed; None in any other state."""
    if not _is_in(request, State.VALIDATING_REQUEST):
        return None
    return PanelEvidence(request=request, at=at, rules=rules).status()


def _is_in(request: Request, state: State) -> bool:
    return request.state == state and REGISTRIES[request.registry_id].has_experts


def _row(request: Request, numbers: Mapping[int, int], panel: PanelStatus | None) -> RequestSummary:
    return RequestSummary(
        number=request.number,
        name=request.assigned_name or request.asked_name,
        registry=REGISTRIES[request.registry_id],
        procedure=procedure_named(request.procedure),
        state=State(request.state),
        organization=request.organization,
        since=request.since,
        started=request.started,
        edition=numbers.get(request.edition) if request.edition else None,
        lock_version=request.lock_version,
        purpose=Purpose(request.purpose),
        due=request.due,
        delayed=request.delayed,
        returns_to=State(request.returns_to) if request.returns_to else None,
        body=request.body or "",
        iana_state=IanaState(request.iana_state) if request.iana_state else None,
        iana_day=request.iana_day or "",
        panel=panel,
    )


class StatusReader(StrEnum):
    """The role of the person who reads a status."""

    PUBLIC = "public"
    REGISTRANT = "registrant"
    EXPERT = "expert"
    LEADER = "leader"
    OPERATOR = "operator"

    @property
    def reviews(self) -> bool:
        """True if the reader is an expert."""
        return self in (StatusReader.EXPERT, StatusReader.LEADER)


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """``headline`` says where a request is, since when and until when; ``next`` what comes next.

    ``fact`` is what the reader of ``next`` must know first: "You approved this request."
    """

    headline: str
    next: str
    fact: str = ""

    @property
    def brief(self) -> str:
        """The fact and the next step, for e-mail and for the notice after an action."""
        return f"{self.fact} {self.next}".strip()


# {day}, {days}, {age}, {edition}, {agreed} and {decider} are the request's own; {age} has the due
# date too, which otherwise follows the headline.
_HEADLINES: Mapping[State, str] = {
    State.DRAFT: "Draft. Only you and your co-editors can see it.",
    State.NEW: "Submitted on {day}. Waiting for the operator to start the check.",
    State.VALIDATING_REQUEST: "Being checked by the operator {age}.",
    State.EXPERT_REVIEW: "In expert review {age}.",
    State.WITH_REQUESTER: "Waiting for the registrant {age}.",
    State.ASSIGNABLE: "{agreed} on {day}. Waiting for the operator to publish.",
    State.MODIFIABLE: "{agreed} on {day}. Waiting for the operator to publish.",
    State.ASSIGNED: "Registered on {day} (edition {edition}).",
    State.MODIFIED: "Updated on {day} (edition {edition}).",
    State.DECLINED: "Declined on {day}.",
    State.WITHDRAWN: "Withdrawn on {day}.",
    **{
        state: f"Escalated to {{decider}} ({{days}}): {state.question}."
        for state in State
        if state.question
    },
}
_NEXT: Mapping[State, str] = {
    State.DRAFT: "Submit it when it’s ready.",
    State.NEW: "The operator checks it, then the experts review it.",
    State.VALIDATING_REQUEST: "A complete request goes to the experts.",
    State.EXPERT_REVIEW: "The experts decide it.",
    State.WITH_REQUESTER: "The registrant edits the text and submits it again.",
    State.ASSIGNABLE: "The operator registers it in the next edition.",
    State.MODIFIABLE: "The operator registers it in the next edition.",
    State.ASSIGNED: "The registration is permanent.",
    State.MODIFIED: "The registry shows the new version.",
    State.DECLINED: "Nothing was registered. The reasons are given with the decision.",
    State.WITHDRAWN: "Nothing was registered.",
    **{
        state: "{decider} decides. The operator enters the decision."
        for state in State
        if state.question
    },
}
require_every_state(_HEADLINES, f"_HEADLINES of {__name__}")
require_every_state(_NEXT, f"_NEXT of {__name__}")
_SECOND_OPERATOR = "Approved by one operator on {day}. Waiting for a second operator."
_OWN_HEADLINES: Mapping[tuple[DeclaredProcedure, State], str] = {
    (procedure, State.ASSIGNABLE): _SECOND_OPERATOR for procedure in NaanProcedure
}
_OWN_NEXT: Mapping[tuple[DeclaredProcedure, State], str] = {
    (Procedure.FAST_TRACK, State.NEW): "The operator checks it, then the experts advise.",
    (Procedure.FAST_TRACK, State.VALIDATING_REQUEST): "A complete request goes to the experts for "
    "advice.",
    **{
        (procedure, state): sentence
        for procedure in NaanProcedure
        for state, sentence in (
            (State.NEW, "The operator checks it and answers within 48 hours."),
            (State.VALIDATING_REQUEST, "The operator registers it, requests changes or declines."),
            (State.ASSIGNABLE, "A second operator registers it, requests changes or declines."),
        )
    },
}
# The step that a reader can take, in place of the sentence for everyone else.
_TASKS: Mapping[tuple[StatusReader, State], str] = {
    (StatusReader.REGISTRANT, State.WITH_REQUESTER): "Edit the text, then submit it again.",
    (StatusReader.OPERATOR, State.NEW): "Start the check.",
    (StatusReader.OPERATOR, State.VALIDATING_REQUEST): "Check it. Pass a complete request to the "
    "experts, or request changes.",
    (StatusReader.OPERATOR, State.ASSIGNABLE): "Register it.",
    (StatusReader.OPERATOR, State.MODIFIABLE): "Register it.",
    **{
        (StatusReader.OPERATOR, state): "Enter the decision when {decider} has made it."
        for state in State
        if state.question
    },
}
_YOUR_TURN: Mapping[State, str] = {
    State.NEW: "Your turn. Submitted on {day}.",
    State.VALIDATING_REQUEST: "Your turn to check it {age}.",
    State.ASSIGNABLE: "Your turn. {agreed} on {day}.",
    State.MODIFIABLE: "Your turn. {agreed} on {day}.",
}
_OWN_TASKS: Mapping[tuple[DeclaredProcedure, State], str] = {
    (procedure, state): sentence
    for procedure in NaanProcedure
    for state, sentence in (
        (State.VALIDATING_REQUEST, "Register it, request changes or decline it."),
        (State.ASSIGNABLE, "If you didn’t approve it, register it, request changes or decline it."),
    )
}
_NO_TASK = "You don’t need to do anything now."
_AT_IANA: Mapping[IanaState, tuple[str, str]] = {
    IanaState.SENT: (
        "Sent to IANA on {day}. Waiting for IANA’s answer.",
        "IANA decides. The operator enters IANA’s answer.",
    ),
    IanaState.ANSWERED: (
        "Answered by IANA on {day}. Waiting for IANA’s decision.",
        "The operator enters IANA’s decision.",
    ),
    IanaState.REGISTERED: (
        "Registered at IANA on {day}.",
        "The registration is in IANA’s registry, not in this one.",
    ),
    IanaState.REFUSED: (
        "Refused by IANA on {day}.",
        "Nothing was registered. IANA’s reasons are given with the decision.",
    ),
}
_REVIEWED: Mapping[Verdict, str] = {
    Verdict.APPROVE: "You approved this request.",
    Verdict.DECLINE: "You voted to decline this request.",
    Verdict.RETURN: "You requested changes.",
    Verdict.COMMENT: "You sent your advice.",
}
_ADVISED: Mapping[Verdict, str] = {
    **_REVIEWED,
    Verdict.APPROVE: "You advised in favor of this request.",
    Verdict.DECLINE: "You advised against this request.",
}


def status_of(
    row: RequestSummary,
    today: datetime,
    reader: StatusReader = StatusReader.PUBLIC,
    *,
    is_awaited: bool = False,
    reviewed: Verdict | None = None,
    is_proposal: bool = False,
    bodies: BodyNames = IANA_BODIES,
) -> RequestStatus:
    """Word the status of a request for a reader.

    ``is_awaited``: the reader is an expert who has it to review. ``reviewed`` is the reader's own
    review of the newest text. ``is_proposal``: the registry only prepares requests, which IANA
    registers. ``bodies`` replace the IESG and the IAB in the text.
    """
    if row.iana_state is not None:
        headline, following = _AT_IANA[row.iana_state]
        day = day_phrase(date.fromisoformat(row.iana_day))
        return RequestStatus(headline.format(day=day), following)
    if row.panel is not None:
        found = _in_review(row.panel, reader, is_awaited=is_awaited, is_proposal=is_proposal)
    else:
        found = _in_state(row, reader, is_proposal=is_proposal)
    if reviewed is not None:
        words = (_ADVISED if row.procedure is Procedure.FAST_TRACK else _REVIEWED)[reviewed]
        fact = f"{words} {found.fact}".strip()
        found = replace(found, headline=f"{words} {found.headline}", fact=fact)
    decider = decider_of(row.state, row.body)
    known = {
        "day": day_phrase(row.since),
        "days": since(row.since, today),
        "age": _age(row, row.since, today),
        "edition": row.edition,
        "agreed": agreed_word(row.procedure).capitalize(),
    }
    headline, following, fact = (
        bodies.put_into(text.format(decider=name, **known), row.body)
        for text, name in (
            (found.headline, decider),
            (found.next, _begun(decider) if found.next.startswith("{") else decider),
            (found.fact, decider),
        )
    )
    if "{age}" not in found.headline:
        headline = f"{headline} {due(row, today)}".strip()
    return RequestStatus(headline, following, fact)


def _in_state(row: RequestSummary, reader: StatusReader, *, is_proposal: bool) -> RequestStatus:
    state, own = row.state, (row.procedure, row.state)
    headline = _OWN_HEADLINES.get(own) or _HEADLINES[state]
    following = _OWN_NEXT.get(own) or _NEXT[state]
    if is_proposal and state in _APPROVED:
        headline = "{agreed} on {day}. Waiting for the operator to send it to IANA."
        following = "The operator sends it to IANA. This registry registers nothing itself."
    elif reader is StatusReader.OPERATOR:
        headline = _YOUR_TURN.get(state, headline) if own not in _OWN_HEADLINES else headline
        following = _OWN_TASKS.get(own) or _TASKS.get((reader, state), following)
    elif reader is StatusReader.REGISTRANT:
        if state is State.WITH_REQUESTER:
            headline = "Your turn {age}."
        if row.turn in (Turn.OPERATOR, Turn.IESG):
            following = f"{following} {_NO_TASK}"
        following = _TASKS.get((reader, state), following)
    return RequestStatus(headline, following)


_APPROVED = (State.ASSIGNABLE, State.MODIFIABLE)


# ---- in expert review


def _in_review(
    panel: PanelStatus, reader: StatusReader, *, is_awaited: bool, is_proposal: bool
) -> RequestStatus:
    if panel.procedure is Procedure.FAST_TRACK:
        return _for_advice(panel, reader)
    if panel.impasse is not None:
        fact = f"No one can decide this: {impasse_reason(panel)}."
        following = _out_of(panel.impasse, reader)
        if is_awaited and panel.impasse is ReviewImpasse.TOO_FEW:
            following = f"Your review counts once another expert is available. {following}"
        return RequestStatus(f"{fact} In expert review {{age}}.", following, fact)
    headline = "Waiting for your review {age}." if is_awaited else "In expert review {age}."
    if panel.procedure is Procedure.STANDARDS_ACTION:
        return _to_be_reported(panel, reader, headline)
    if panel.waits_for_leader:
        return _for_leader(panel, reader)
    if not panel.awaited:
        fact = "No expert has it to review."
        following = "The operator asks an expert to take it."
        if reader is StatusReader.OPERATOR:
            following = "Ask an expert to take it. Experts find it on their Review page."
        elif reader.reviews:
            following = "You can take it on its page."
        return RequestStatus(f"{headline} {fact}", following, fact)
    fact = _given(panel)
    following = _to_decide(panel, reader, is_proposal=is_proposal)
    return RequestStatus(f"{headline} {fact}".strip(), following, fact)


def _for_advice(panel: PanelStatus, reader: StatusReader) -> RequestStatus:
    completes = "The organization’s representative completes it when it’s ready."
    if not panel.available:
        fact = "No expert is available to advise."
        return RequestStatus(f"Waiting for the organization {{age}}. {fact}", completes, fact)
    advise = "You can advise until then." if reader.reviews else "The experts advise until then."
    return RequestStatus("In expert review for advice {age}.", f"{completes} {advise}")


def _to_be_reported(panel: PanelStatus, reader: StatusReader, headline: str) -> RequestStatus:
    reviews = panel.approvals + panel.declines
    fact = f"{count_phrase(reviews, 'review')} of this text." if reviews else ""
    body = "the standards body"
    if panel.waits_for_leader:
        whose = "your" if reader is StatusReader.LEADER else "the lead expert’s"
        headline = f"Waiting for {whose} report {{age}}."
    if reader is StatusReader.LEADER and panel.has_leader:
        following = f"Review it, then report to {body}, which decides."
        if reviews:
            following = f"Answer every question in a review, then report to {body}."
    elif panel.has_leader:
        following = f"The lead expert reports to {body}, which decides."
    else:
        sender = "You can report" if reader.reviews else "An expert reports"
        following = f"No lead expert is available. {sender} to {body}, which decides."
    return RequestStatus(f"{headline} {fact}".strip(), following, fact)


def _for_leader(panel: PanelStatus, reader: StatusReader) -> RequestStatus:
    is_only = panel.available < panel.rule.needed
    fact = "No other expert is available." if is_only else "No other review is awaited."
    if panel.is_deadlocked:
        fact = f"The experts disagree ({_opposed(panel)})."
    leads = reader is StatusReader.LEADER
    whose = "your review as lead expert" if leads else "the lead expert"
    following = "Your review decides." if leads else "The lead expert’s review decides."
    if reader is StatusReader.REGISTRANT:
        following += f" {_NO_TASK}"
    return RequestStatus(f"Waiting for {whose} {{age}}. {fact}", following, fact)


def _given(panel: PanelStatus) -> str:
    if panel.approvals:
        return f"{panel.approvals} of {count_phrase(panel.rule.needed, 'approval')} given."
    if panel.declines:
        return f"{panel.declines} of {count_phrase(panel.rule.needed, 'vote')} to decline given."
    return ""


def _to_decide(panel: PanelStatus, reader: StatusReader, *, is_proposal: bool) -> str:
    if reader is StatusReader.LEADER and panel.rule.leader_decides:
        return "You are the lead expert, so your review decides."
    missing = panel.rule.needed - max(panel.approvals, panel.declines)
    number = {1: "One", 2: "Two", 3: "Three"}.get(missing, str(missing))
    if panel.declines:
        following = f"{number} more {'vote' if missing == 1 else 'votes'} to decline will end it."
    elif panel.approvals:
        does = "sends it to IANA" if is_proposal else "registers it"
        then = f"the operator {does}"
        if reader is StatusReader.OPERATOR:
            then = "you send it to IANA" if is_proposal else "you register it"
        needed = "approval is" if missing == 1 else "approvals are"
        following = f"{number} more {needed} needed. Then {then}."
    elif missing == 1:
        following = "One expert’s review decides."
    else:
        following = f"{number} experts must agree."
    if panel.rule.leader_decides and panel.leader_is_awaited:
        following += " The lead expert can also decide."
    if reader.reviews:
        following += " If you request changes, it goes back to the registrant immediately."
    elif reader is StatusReader.REGISTRANT:
        following += f" {_NO_TASK}"
    return following


def impasse_reason(panel: PanelStatus) -> str:
    """Why no expert can decide a request, as part of a sentence; "" if one can."""
    match panel.impasse:
        case ReviewImpasse.NOT_APPOINTED:
            return "no expert is appointed"
        case ReviewImpasse.CONFLICTED:
            return "every expert has a conflict of interest"
        case ReviewImpasse.AWAY:
            return f"no expert is available ({_missing(panel)})"
        case ReviewImpasse.TOO_FEW:
            missing = f" ({_missing(panel)})" if panel.conflicted or panel.away else ""
            are = "expert is" if panel.available == 1 else "experts are"
            needed = panel.rule.needed
            return f"only {panel.available} {are} available{missing} and {needed} must agree"
        case ReviewImpasse.DISAGREEMENT:
            return f"the experts disagree ({_opposed(panel)}) and no lead expert can decide"
    return ""


def _missing(panel: PanelStatus) -> str:
    parts = []
    if panel.conflicted:
        has = "has" if panel.conflicted == 1 else "have"
        parts.append(f"{panel.conflicted} {has} a conflict of interest")
    if panel.away:
        back = f", back on {day_phrase(panel.back)}" if panel.back else ""
        if panel.away > 1 and back:
            back = f", the first back on {day_phrase(panel.back or '')}"
        parts.append(f"{panel.away} {'is' if panel.away == 1 else 'are'} away{back}")
    return "; ".join(parts)


def _opposed(panel: PanelStatus) -> str:
    return f"{panel.approvals} to approve, {panel.declines} to decline"


def _out_of(impasse: ReviewImpasse, reader: StatusReader) -> str:
    asks = "asks the IESG how to proceed"
    if impasse is ReviewImpasse.DISAGREEMENT:
        return {
            StatusReader.OPERATOR: "Ask the IESG how to proceed.",
            StatusReader.LEADER: "Ask the IESG how to proceed, unless a review changes.",
            StatusReader.EXPERT: f"If you don’t change your review, the operator {asks}.",
            StatusReader.REGISTRANT: f"The operator {asks}. You don’t need to do anything now.",
        }.get(reader, f"The operator {asks}.")
    if reader is StatusReader.OPERATOR:
        wait = "wait until one returns, " if impasse is ReviewImpasse.AWAY else ""
        return f"Appoint an expert, {wait}or ask the IESG how to proceed."
    following = f"The operator appoints an expert or {asks}."
    if reader is StatusReader.LEADER:
        return f"{following} You can ask the IESG too."
    if reader is StatusReader.REGISTRANT:
        return f"{following} You don’t need to do anything now."
    return following


# ---- parts of a status


def due(row: RequestSummary, today: datetime) -> str:
    """The due date of the next step as a sentence, or "" if none is set."""
    words = _due_words(row, today)
    return f"{_begun(words)}." if words else ""


def _due_words(row: RequestSummary, today: datetime) -> str:
    if row.due is None:
        return ""
    if row.is_overdue(today):
        return f"overdue since {day_phrase(row.due)}"
    return f"due by {day_phrase(row.due - timedelta(days=1))}"  # it is the end of that day


def _age(row: RequestSummary, moment: datetime, today: datetime) -> str:
    words = _due_words(row, today)
    return f"({since(moment, today)})" + (f", {words}" if words else "")


_TURNS = {
    Turn.REGISTRANT: "registrant",
    Turn.OPERATOR: "operator",
    Turn.EXPERTS: "experts",
    Turn.IANA: "IANA",
    Turn.NOBODY: "no one",
}


def turn_of(row: RequestSummary, today: datetime, *, bodies: BodyNames = IANA_BODIES) -> str:
    """Return the role that must act next, since when and until when, for every reader."""
    whose = _TURNS.get(row.turn) or bodies.put_into(decider_of(row.state, row.body), row.body)
    fact = ""
    if row.panel is not None and row.panel.impasse:
        whose, fact = "operator", status_of(row, today, bodies=bodies).fact
    elif row.panel is not None and row.turn is Turn.EXPERTS and row.panel.waits_for_leader:
        whose = "lead expert"
    whose = whose.removeprefix("the ")
    return f"{_begun(whose)} {_age(row, row.turn_since, today)}. {fact}".strip()


def since(moment: datetime, today: datetime) -> str:
    """How long something has lasted, in whole days of UTC."""
    days = (today.date() - moment.date()).days
    return count_phrase(days, "day") if days > 0 else "since today"


def decider_of(state: State, body: str = "") -> str:
    """The body that an escalated request waits for."""
    if state is State.IESG_STANDARD and body:
        return named_body(body)
    return "the IAB" if state is State.IESG_APPEAL_2 else "the IESG"


def agreed_word(procedure: DeclaredProcedure) -> str:
    """The word for a request that can be registered: on the fast track no one approves it.

    Source: RFC 8141 section 6.3.
    """
    return "completed" if procedure is Procedure.FAST_TRACK else "approved"


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
