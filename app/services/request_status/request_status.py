"""The status of a request in words, derived from facts and worded for each reader.

Pages, lists, the desk, e-mail and documents for programs all take their sentences from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from app.pages.text.phrases import count_phrase, day_phrase
from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.services.request_status.request_summaries import RequestSummary
from app.workflow.body_names import IANA_BODIES, BodyNames, named_body
from app.workflow.reviews import PanelStatus, ReviewImpasse
from app.workflow.states import IanaState, State, Turn, require_every_state


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

    ``fact`` is what the reader of ``next`` must know first: "1 of 2 approvals given."
    """

    headline: str
    next: str
    fact: str = ""

    @property
    def brief(self) -> str:
        """The fact and the next step, for e-mail and for the notice after an action."""
        return f"{self.fact} {self.next}".strip()


# {day}, {days} and {edition} are the request's own.
_HEADLINES: Mapping[State, str] = {
    State.DRAFT: "Draft. Only you can see it.",
    State.NEW: "Sent on {day}. The operator has not opened it yet.",
    State.VALIDATING_REQUEST: "The operator has been checking it {days}.",
    State.EXPERT_REVIEW: "In expert review {days}.",
    State.WITH_REQUESTER: "Waiting for the registrant {days}.",
    State.ASSIGNABLE: "{agreed} on {day}. Waiting for the operator to publish it.",
    State.MODIFIABLE: "{agreed} on {day}. Waiting for the operator to publish it.",
    State.ASSIGNED: "Registered on {day}, in edition {edition}.",
    State.MODIFIED: "Changed on {day}, in edition {edition}.",
    State.DECLINED: "Declined on {day}.",
    State.WITHDRAWN: "Withdrawn on {day}.",
}
_NEXT: Mapping[State, str] = {
    State.DRAFT: "Only you can see it.",
    State.NEW: "The operator checks it next, then the experts review it.",
    State.VALIDATING_REQUEST: "The operator checks it and passes a complete request to the "
    "experts.",
    State.EXPERT_REVIEW: "The experts decide it.",
    State.WITH_REQUESTER: "The registrant changes the text and sends it again.",
    State.ASSIGNABLE: "The operator registers it next, in a new edition of the registry.",
    State.MODIFIABLE: "The operator registers it next, in a new edition of the registry.",
    State.ASSIGNED: "The name is registered permanently.",
    State.MODIFIED: "The registry shows the new version.",
    State.DECLINED: "Nothing was registered. The reasons are given with the decision.",
    State.WITHDRAWN: "Nothing was registered.",
}
_ASKED = {state for state in State if state.question}
require_every_state({*_HEADLINES, *_ASKED}, f"_HEADLINES of {__name__}")
require_every_state({*_NEXT, *_ASKED}, f"_NEXT of {__name__}")
_OWN_HEADLINES: Mapping[tuple[DeclaredProcedure, State], str] = {
    (procedure, State.ASSIGNABLE): "Approved by one operator on {day}. Waiting for a second one."
    for procedure in NaanProcedure
}
_OWN_NEXT: Mapping[tuple[DeclaredProcedure, State], str] = {
    (Procedure.FAST_TRACK, State.NEW): "The operator checks it next, then the experts advise.",
    (Procedure.FAST_TRACK, State.VALIDATING_REQUEST): "The operator checks it and passes a "
    "complete request to the experts for advice.",
    **{
        (procedure, state): sentence
        for procedure in NaanProcedure
        for state, sentence in (
            (State.NEW, "The operator checks it next, and answers in 48 hours."),
            (State.VALIDATING_REQUEST, "The operator registers it, asks for more or declines it."),
            (State.ASSIGNABLE, "A second operator registers it, asks for more or declines it."),
        )
    },
}
_APPROVED = (State.ASSIGNABLE, State.MODIFIABLE)
_AT_IANA: Mapping[IanaState, tuple[str, str]] = {
    IanaState.SENT: (
        "Sent on to IANA on {day}. Waiting for its answer.",
        "IANA decides; the operator enters its answer.",
    ),
    IanaState.ANSWERED: (
        "Sent on to IANA, which answered on {day}.",
        "The operator enters whether IANA registers it.",
    ),
    IanaState.REGISTERED: (
        "Registered at IANA on {day}.",
        "It is in IANA’s registry. This one registers nothing.",
    ),
    IanaState.REFUSED: (
        "Refused by IANA on {day}.",
        "Nothing was registered. IANA’s reasons are given with the decision.",
    ),
}


def status_of(
    row: RequestSummary,
    today: datetime,
    reader: StatusReader = StatusReader.PUBLIC,
    *,
    is_awaited: bool = False,
    is_proposal: bool = False,
    bodies: BodyNames = IANA_BODIES,
) -> RequestStatus:
    """Derive the status of a request for a reader.

    ``is_awaited``: the reader is an expert who has it to review. ``is_proposal``: the registry only
    prepares requests, which IANA registers. ``bodies`` replace the IESG and the IAB in the text.
    """
    if row.iana_state is not None:
        headline, following = _AT_IANA[row.iana_state]
        day = day_phrase(date.fromisoformat(row.iana_day))
        return RequestStatus(headline.format(day=day), following)
    if row.panel is not None:
        found = _in_review(row.panel, reader, is_awaited=is_awaited, is_proposal=is_proposal)
    else:
        found = _in_state(row, reader, is_proposal=is_proposal)
    said = found.headline.format(
        day=day_phrase(row.since),
        days=since(row.since, today),
        edition=row.edition,
        agreed=agreed_word(row.procedure).capitalize(),
    )
    headline, following, fact = (
        bodies.put_into(words, row.body) for words in (said, found.next, found.fact)
    )
    return RequestStatus(f"{headline} {due(row, today)}".strip(), following, fact)


def _in_state(row: RequestSummary, reader: StatusReader, *, is_proposal: bool) -> RequestStatus:
    """The status where the state and the procedure say it all."""
    state, own = row.state, (row.procedure, row.state)
    if state.question:
        decider = decider_of(state, row.body)
        following = f"{decider} decides {state.question}; the operator enters the answer."
        typed = decider.replace("{", "{{").replace("}", "}}")  # the operator may have typed braces
        headline = f"With {typed} {{days}}, to decide {state.question}."
        return RequestStatus(headline, _begun(following))
    headline = _OWN_HEADLINES.get(own) or _HEADLINES[state]
    following = _OWN_NEXT.get(own) or _NEXT[state]
    if is_proposal and state in _APPROVED:
        headline = "{agreed} on {day}. Waiting for the operator to send it on to IANA."
        following = "Nothing is registered here: the operator sends it on to IANA."
    if reader is StatusReader.REGISTRANT and state is State.WITH_REQUESTER:
        headline, following = "Your turn {days}.", "You change the text and send it again."
    return RequestStatus(headline, following)


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
        return RequestStatus(f"{fact} In expert review {{days}}.", following, fact)
    waiting = "Waiting for your review {days}" if is_awaited else "With the experts {days}"
    if panel.procedure is Procedure.STANDARDS_ACTION:
        return _to_be_reported(panel, reader, waiting)
    if panel.waits_for_leader:
        return _for_leader(panel, reader)
    given = _given(panel)
    if not panel.awaited:
        fact = "No expert has it to review."
        following = "The operator asks an expert to take it."
        if reader is StatusReader.OPERATOR:
            following = "Ask an expert to take it; experts find it on their Review page."
        elif reader.reviews:
            following = "You can take it on its page."
        return RequestStatus(f"In expert review {{days}}. {fact}", following, fact)
    headline = f"{waiting}: {given}." if given else f"{waiting}."
    following = _to_decide(panel, reader, is_proposal=is_proposal)
    return RequestStatus(headline, following, f"{_begun(given)} given." if given else "")


def _for_advice(panel: PanelStatus, reader: StatusReader) -> RequestStatus:
    completes = "The organization’s representative completes it when it is ready."
    if not panel.available:
        fact = "No expert is available to advise."
        return RequestStatus(f"Waiting for the organization {{days}}. {fact}", completes, fact)
    advise = "You can advise until then." if reader.reviews else "The experts advise until then."
    return RequestStatus("With the experts for advice {days}.", f"{completes} {advise}")


def _to_be_reported(panel: PanelStatus, reader: StatusReader, waiting: str) -> RequestStatus:
    reviews = panel.approvals + panel.declines
    given = count_phrase(reviews, "review") if reviews else ""
    body = "the body that approves the standard"
    if panel.waits_for_leader:
        whose = "your" if reader is StatusReader.LEADER else "the leader’s"
        waiting = f"Waiting for {whose} report {{days}}"
    if reader is StatusReader.LEADER and panel.has_leader:
        following = f"Review it, then report to {body}, which decides."
        if reviews:
            following = f"Report to {body}, which decides, once the reviews answer every question."
    elif panel.has_leader:
        following = f"The leader of the experts reports to {body}, which decides."
    else:
        who = "You can report" if reader.reviews else "An expert reports"
        following = f"No leader of the experts is available. {who} to {body}, which decides."
    headline = f"{waiting}: {given} of this text." if given else f"{waiting}."
    return RequestStatus(headline, following, f"{given} given." if given else "")


def _for_leader(panel: PanelStatus, reader: StatusReader) -> RequestStatus:
    is_alone = panel.available < panel.rule.needed
    why = "no other expert is available" if is_alone else "no other review is awaited"
    if panel.is_deadlocked:
        why = f"the experts disagree ({_opposed(panel)})"
    whom = "your review as leader" if reader is StatusReader.LEADER else "the leader of the experts"
    following = "The leader’s review decides it."
    if reader is StatusReader.LEADER:
        following = "Your review decides it."
    elif reader is StatusReader.REGISTRANT:
        following += " You don’t need to do anything now."
    return RequestStatus(f"Waiting for {whom} {{days}}: {why}.", following, f"{_begun(why)}.")


def _given(panel: PanelStatus) -> str:
    """The reviews that agree so far, of as many as decide; "" without any."""
    if panel.approvals:
        return f"{panel.approvals} of {count_phrase(panel.rule.needed, 'approval')}"
    if panel.declines:
        return f"{panel.declines} of {count_phrase(panel.rule.needed, 'vote')} to decline"
    return ""


def _to_decide(panel: PanelStatus, reader: StatusReader, *, is_proposal: bool) -> str:
    if reader is StatusReader.LEADER and panel.rule.leader_decides:
        return "You lead the experts, so your review decides it."
    missing = panel.rule.needed - max(panel.approvals, panel.declines)
    number = {1: "One", 2: "Two", 3: "Three"}.get(missing, str(missing))
    if panel.declines:
        decided = (
            f"{number} more {'expert' if missing == 1 else 'experts'} must agree to decline it"
        )
    elif panel.approvals:
        does = "sends it on to IANA" if is_proposal else "registers it"
        needed = "approval is" if missing == 1 else "approvals are"
        decided = f"{number} more {needed} needed; then the operator {does}"
    elif missing == 1:
        decided = "One expert’s review decides it"
    else:
        decided = f"{number} experts must agree"
    if panel.rule.leader_decides and panel.leader_is_awaited:
        decided += ", or the leader of the experts decides it"
    following = f"{decided}."
    if reader.reviews:
        following += " If you return it, it goes to the registrant at once."
    elif reader is StatusReader.REGISTRANT:
        following += " You don’t need to do anything now."
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
            return f"the experts disagree ({_opposed(panel)}) and no leader can settle it"
    return ""


def _missing(panel: PanelStatus) -> str:
    """Describe the unavailable experts and the day on which the first expert returns."""
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
    """The way out of an impasse, as a task for those who can take it."""
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
    """Return the role that must act next, since when and until when, for every reader."""
    whose = _TURNS.get(row.turn) or bodies.put_into(decider_of(row.state, row.body), row.body)
    if row.panel is not None and row.panel.impasse:
        fact = status_of(row, today, bodies=bodies).fact
        return f"{fact} The operator is next. {due(row, today)}".strip()
    if row.panel is not None and row.turn is Turn.EXPERTS and row.panel.waits_for_leader:
        whose = "the leader of the experts"
    return f"{_begun(whose)}, {since(row.turn_since, today)}. {due(row, today)}".strip()


def since(moment: datetime, today: datetime) -> str:
    """How long something has lasted, in whole days of UTC."""
    days = (today.date() - moment.date()).days
    return f"for {count_phrase(days, 'day')}" if days > 0 else "since today"


def decider_of(state: State, body: str = "") -> str:
    """The body that an escalated request waits for."""
    if state is State.IESG_STANDARD and body:
        return named_body(body)
    return "the IAB" if state is State.IESG_APPEAL_2 else "the IESG"


def agreed_word(procedure: DeclaredProcedure) -> str:
    """The word for a request that waits to be registered: no one approves on the fast track.

    Source: RFC 8141 section 6.3.
    """
    return "completed" if procedure is Procedure.FAST_TRACK else "approved"


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
