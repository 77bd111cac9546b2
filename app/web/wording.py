"""States, events and times in sentences."""

from datetime import datetime

from app.pages.wording import counted
from app.services.showing import Row, Told
from app.workflow.states import Action, State

_NOW = {
    State.DRAFT: "Only you can see it.",
    State.NEW: "The operator has not opened it yet.",
    State.VALIDATING_REQUEST: "The operator is checking it.",
    State.EXPERT_REVIEW: "It is with the experts.",
    State.WITH_REQUESTER: "It waits for the registrant.",
    State.ASSIGNABLE: "It is approved and waits for the operator to publish it.",
    State.MODIFIABLE: "It is approved and waits for the operator to publish it.",
    State.ASSIGNED: "It is registered.",
    State.MODIFIED: "It is changed.",
    State.DECLINED: "It was declined.",
    State.WITHDRAWN: "It was withdrawn. Nothing was registered.",
}

_EVENTS = {
    Action.SUBMIT: "The registrant sent the request.",
    Action.RESUBMIT: "The registrant sent iteration {iteration}.",
    Action.TAKE: "The operator began to check it.",
    Action.PASS: "The operator found it complete and passed it to the experts.",
    Action.REVIEW: "An expert reviewed it.",
    Action.RETURN: "{role} returned it with comments.",
    Action.APPROVE: "The experts approved it.",
    Action.DECLINE: "It was declined.",
    Action.REGISTER: "The operator registered it, in edition {edition}.",
    Action.COLLISION: "The name was given to another request meanwhile; it went back.",
    Action.REOPEN: "It went back to the experts.",
    Action.WITHDRAW: "The registrant withdrew it.",
    Action.REPORT: "The leader of the experts reported to the standards body.",
    Action.DIRECT: "The standards body directed the registration.",
}

_BY_KIND = {action.past: words for action, words in _EVENTS.items()}
_ROLES = {"operator": "The operator", "expert": "An expert", "leader": "An expert"}


def sentence_of(state: State) -> str:
    """What a state means, in one sentence."""
    return _NOW.get(state, f"It is now {state.word}.")


def headline(row: Row, today: datetime, *, own: bool) -> str:
    """First whose turn it is, and since when."""
    age = counted((today.date() - row.since.date()).days, "day")
    long = "since today" if age == "0 days" else f"for {age}"
    return {
        State.DRAFT: "Draft.",
        State.NEW: f"With the operator {long}.",
        State.VALIDATING_REQUEST: f"The operator has been checking it {long}.",
        State.EXPERT_REVIEW: f"With the experts {long}.",
        State.WITH_REQUESTER: f"Your turn {long}." if own else f"With the registrant {long}.",
        State.ASSIGNABLE: f"Approved, with the operator {long}.",
        State.MODIFIABLE: f"Approved, with the operator {long}.",
        State.ASSIGNED: "Registered.",
        State.MODIFIED: "Changed.",
        State.DECLINED: "Declined.",
        State.WITHDRAWN: "Withdrawn.",
    }.get(row.state, f"{row.state.word} {long}.")


def kind_of(state: State) -> str:
    """The shape and colour that a state is shown with."""
    if state is State.DRAFT:
        return "open"
    if state.is_registered:
        return "ok"
    return "look" if state.is_final else "wait"


def told(event: Told) -> str:
    """What happened, in a sentence that names a role and nobody."""
    words = _BY_KIND.get(event.kind, f"It was {event.kind}.")
    who = _ROLES.get(event.role, "Somebody")
    return words.format(iteration=event.iteration, role=who, edition=event.edition)


STEPS = ("Sent", "Checked by the operator", "Expert review", "Registered")
_STEP_OF = {
    State.NEW: 1,
    State.VALIDATING_REQUEST: 1,
    State.EXPERT_REVIEW: 2,
    State.ASSIGNABLE: 3,
    State.MODIFIABLE: 3,
    State.ASSIGNED: 4,
    State.MODIFIED: 4,
}


def steps(state: State) -> list[tuple[str, str]]:
    """The steps of a request with how each stands: done, now or open; none off the path."""
    at = _STEP_OF.get(state)
    if at is None:
        return []
    return [
        (step, "done" if place < at else "now" if place == at else "open")
        for place, step in enumerate(STEPS)
    ]
