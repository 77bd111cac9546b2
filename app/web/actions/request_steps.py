"""The steps of a request, as its page draws them in every state."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.services.request_status.request_status import RequestSummary, decider_of
from app.services.requests.detail.request_detail import EventView
from app.workflow.states import State, Turn, require_every_state


class RequestStep(StrEnum):
    """One step on the way to a registration, in the words of the page."""

    SENT = "Submitted"
    CHECKED = "Operator check"
    REVIEWED = "Expert review"
    ADVISED = "Expert advice"
    DIRECTED = "Decision on the standard"
    DECIDED = "Operator decision"
    REGISTERED = "Registered"


_WAYS: Mapping[DeclaredProcedure, tuple[RequestStep, ...]] = {
    Procedure.FAST_TRACK: (
        RequestStep.SENT,
        RequestStep.CHECKED,
        RequestStep.ADVISED,
        RequestStep.REGISTERED,
    ),
    Procedure.STANDARDS_ACTION: (
        RequestStep.SENT,
        RequestStep.CHECKED,
        RequestStep.REVIEWED,
        RequestStep.DIRECTED,
        RequestStep.REGISTERED,
    ),
    **dict.fromkeys(NaanProcedure, (RequestStep.SENT, RequestStep.DECIDED, RequestStep.REGISTERED)),
}
_USUAL = (RequestStep.SENT, RequestStep.CHECKED, RequestStep.REVIEWED, RequestStep.REGISTERED)
_STEPS_OF: Mapping[State, tuple[RequestStep, ...]] = {
    State.NEW: (RequestStep.CHECKED, RequestStep.DECIDED),
    State.VALIDATING_REQUEST: (RequestStep.CHECKED, RequestStep.DECIDED),
    State.IESG_RECOGNITION: (RequestStep.CHECKED,),
    State.EXPERT_REVIEW: (RequestStep.REVIEWED, RequestStep.ADVISED),
    State.IESG_EXPERTS: (RequestStep.REVIEWED, RequestStep.ADVISED),
    State.IESG_STANDARD: (RequestStep.DIRECTED,),
    State.ASSIGNABLE: (RequestStep.REGISTERED,),
    State.MODIFIABLE: (RequestStep.REGISTERED,),
}
_ENDS = (State.DECLINED, State.WITHDRAWN)
_APPEALS = (State.IESG_APPEAL_1, State.IESG_APPEAL_2)
_WITHOUT = {state for state in State if state.is_private or state.is_registered}
require_every_state(
    {*_STEPS_OF, *_ENDS, *_APPEALS, *_WITHOUT, State.WITH_REQUESTER}, f"_STEPS_OF of {__name__}"
)


def steps(row: RequestSummary, story: Iterable[EventView] = ()) -> list[tuple[str, str]]:
    """The steps of a request with how each stands: done, now, open, or ended; none of a draft.

    Of one that ended, or whose end is appealed, the story tells how far it came.
    """
    way = _WAYS.get(row.procedure, _USUAL)
    if row.state.is_private:
        return []
    if row.is_registered:
        return [(step, "done") for step in way]
    if row.state in _ENDS or row.state in _APPEALS:
        return _ended(row, way, story)
    at = _place(row.state, way, row.returns_to)
    return [
        (f"{step}{_where(row)}" if n == at else step, _how(n, at)) for n, step in enumerate(way)
    ]


def _how(place: int, at: int) -> str:
    return "done" if place < at else "now" if place == at else "open"


def _place(state: State, way: tuple[RequestStep, ...], returns_to: State | None = None) -> int:
    stands = returns_to or State.VALIDATING_REQUEST if state is State.WITH_REQUESTER else state
    found = _STEPS_OF.get(stands, ())
    return next((n for n, step in enumerate(way) if step in found), 0)


def _where(row: RequestSummary) -> str:
    if row.state is State.WITH_REQUESTER:
        return ": waiting for the registrant"
    if row.turn is Turn.IANA:
        return ": at IANA"
    return f": with {decider_of(row.state, row.body)}" if row.state.turn is Turn.IESG else ""


def _ended(
    row: RequestSummary, way: tuple[RequestStep, ...], story: Iterable[EventView]
) -> list[tuple[str, str]]:
    reached = {State(event.target) for event in story if event.target} - {row.state}
    last = max((_place(state, way) for state in reached if state in _STEPS_OF), default=0)
    # who withdraws ends no step of others; who decides does
    ended = last if row.state is State.WITHDRAWN and not reached & {*_ENDS} else last + 1
    done = [(str(step), "done") for step in way[: max(1, ended)] if step != way[-1]]
    if row.state in _ENDS:
        return [*done, (row.state.word, "ended")]
    appeal = (f"Appeal{_where(row)}", "now")
    return [*done, appeal, (str(way[-1]), "open")]
