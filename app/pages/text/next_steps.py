"""What comes next for a request, in a sentence: the same on pages and in mail."""

from collections.abc import Mapping

from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.workflow.body_names import named_body
from app.workflow.states import IanaState, State, require_every_state

_USUAL: Mapping[State, str] = {
    State.DRAFT: "Only you can see it.",
    State.NEW: "The operator checks it next, then the experts read it.",
    State.VALIDATING_REQUEST: "The operator checks it; what is complete goes on to the experts.",
    State.EXPERT_REVIEW: "The experts read it next.",
    State.WITH_REQUESTER: "The registrant changes the text and sends it again.",
    State.ASSIGNABLE: "The operator registers it next, in a new edition of the registry.",
    State.MODIFIABLE: "The operator registers it next, in a new edition of the registry.",
    State.ASSIGNED: "The name is given for ever.",
    State.MODIFIED: "The registry shows the new version.",
    State.DECLINED: "Nothing was registered. The reasons stand beside the decision.",
    State.WITHDRAWN: "Nothing was registered.",
}
require_every_state(
    {*_USUAL, *(state for state in State if state.question)}, f"_USUAL of {__name__}"
)
_OWN: Mapping[tuple[DeclaredProcedure, State], str] = {
    (Procedure.FAST_TRACK, State.NEW): "The operator checks it next, then the experts advise.",
    (Procedure.FAST_TRACK, State.VALIDATING_REQUEST): "The operator checks it; what is complete "
    "goes on to the experts for advice.",
    (Procedure.FAST_TRACK, State.EXPERT_REVIEW): "The experts advise; whoever speaks for the "
    "organization completes it.",
    (Procedure.STANDARDS_ACTION, State.EXPERT_REVIEW): "The experts review it and report to the "
    "body that approves the standard, which decides.",
    **{
        (procedure, state): sentence
        for procedure in NaanProcedure
        for state, sentence in (
            (State.NEW, "The operator checks it next, and answers in 48 hours."),
            (State.VALIDATING_REQUEST, "The operator registers it, asks for more or declines it."),
            (
                State.ASSIGNABLE,
                "A second operator registers it, asks for more or declines it.",
            ),
        )
    },
}
_TO_REGISTRANT = "You change the text and send it again."
_TO_SEND_ON = "Nothing is registered here: the operator sends it on to IANA."
_AT_IANA: Mapping[IanaState, str] = {
    IanaState.SENT: "IANA decides; the operator enters its answer.",
    IanaState.ANSWERED: "The operator enters whether IANA registers it.",
    IanaState.REGISTERED: "It stands in IANA’s registry. This one registers nothing.",
    IanaState.REFUSED: "Nothing was registered. IANA’s reasons stand beside the decision.",
}


def next_step(
    state: State,
    procedure: DeclaredProcedure,
    body: str = "",
    *,
    is_proposal: bool = False,
    at_iana: IanaState | None = None,
    to_registrant: bool = False,
) -> str:
    """What comes next, in one sentence; ``body`` is the one that an escalated request names.

    ``is_proposal`` is of a registry that only prepares requests, and ``at_iana`` is how one stands
    at IANA that it sent on. ``to_registrant``: it is said to who acts for the registrant.

    Source: RFC 8141 sections 6.2 and 6.3: on the fast track experts advise, and on a standards
    action they report.
    """
    if at_iana is not None:
        return _AT_IANA[at_iana]
    if is_proposal and state in (State.ASSIGNABLE, State.MODIFIABLE):
        return _TO_SEND_ON
    if state.question:
        asked = f"{decider_of(state, body)} decides {state.question}"
        sentence = f"{asked}; the operator enters the answer."
        return sentence[:1].upper() + sentence[1:]
    if to_registrant and state is State.WITH_REQUESTER:
        return _TO_REGISTRANT
    return _OWN.get((procedure, state), _USUAL[state])


def decider_of(state: State, body: str = "") -> str:
    """Who decides where a request was escalated to."""
    if state is State.IESG_STANDARD and body:
        return named_body(body)
    return "the IAB" if state is State.IESG_APPEAL_2 else "the IESG"


def agreed_word(procedure: DeclaredProcedure) -> str:
    """What a request is that waits to be registered: nobody approves it on the fast track.

    Source: RFC 8141 section 6.3.
    """
    return "completed" if procedure is Procedure.FAST_TRACK else "approved"
