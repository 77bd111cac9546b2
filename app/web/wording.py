"""States, sections, events and actions in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.pages.wording import counted, in_words
from app.registration.declarations import Section
from app.services.drafts import Writing
from app.services.showing import Row, Told
from app.workflow.states import Action, State

# ---- where a request stands; {day}, {days} and {edition} are the request's own

_HEADLINES = {
    State.DRAFT: "Draft. Only you can see it.",
    State.NEW: "Sent on {day}. The operator has not opened it yet.",
    State.VALIDATING_REQUEST: "The operator has been checking it {days}.",
    State.EXPERT_REVIEW: "With the experts {days}.",
    State.WITH_REQUESTER: "Waiting for the registrant {days}.",
    State.ASSIGNABLE: "Approved on {day}. Waiting for the operator to publish it.",
    State.MODIFIABLE: "Approved on {day}. Waiting for the operator to publish it.",
    State.ASSIGNED: "Registered on {day}, in edition {edition}.",
    State.MODIFIED: "Changed on {day}, in edition {edition}.",
    State.DECLINED: "Declined on {day}.",
    State.WITHDRAWN: "Withdrawn on {day}.",
}
_TO_REVIEW = "Waiting for your review {days}."
_TO_ANSWER = "Your turn {days}."

_MEANS = {
    State.DRAFT: "Only you can see it.",
    State.NEW: "Once it is checked, the experts read it.",
    State.VALIDATING_REQUEST: "What is complete goes on to the experts.",
    State.EXPERT_REVIEW: "The experts approve it, or return it with comments.",
    State.WITH_REQUESTER: "The registrant answers the comments and sends it again.",
    State.ASSIGNABLE: "The next edition of the registry will carry it.",
    State.MODIFIABLE: "The next edition of the registry will carry it.",
    State.ASSIGNED: "The name is given for ever.",
    State.MODIFIED: "The registry shows the new version.",
    State.DECLINED: "Nothing was registered. The reasons stand beside the decision.",
    State.WITHDRAWN: "Nothing was registered.",
}


def headline(row: Row, today: datetime, *, own: bool = False, mine: bool = False) -> str:
    """First whose turn it is, and since when: to its registrant, to an expert, to anybody."""
    words = _HEADLINES.get(row.state, f"With the IESG {{days}}, to decide {row.state.question}.")
    if own and row.state is State.WITH_REQUESTER:
        words = _TO_ANSWER
    elif mine:
        words = _TO_REVIEW
    return words.format(day=in_words(row.since), days=since(row.since, today), edition=row.edition)


def since(moment: datetime, today: datetime) -> str:
    """How long something has lasted, in whole days of UTC."""
    days = (today.date() - moment.date()).days
    return f"for {counted(days, 'day')}" if days > 0 else "since today"


def sentence_of(state: State) -> str:
    """What a state means, or what comes next, in one sentence."""
    return _MEANS.get(state, "Others decide it; the operator enters what they decide.")


def kind_of(state: State) -> str:
    """The shape and colour that a state is shown with."""
    if state is State.DRAFT:
        return "open"
    if state.is_registered:
        return "ok"
    return "look" if state.is_final else "wait"


# ---- the steps of a request

_STEPS = ("Sent", "Checked by the operator", "Expert review", "Registered")
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
        for place, step in enumerate(_STEPS)
    ]


# ---- the sections of the form


@dataclass(frozen=True, slots=True)
class Standing:
    """How a section stands: the colour, the shape and the words."""

    kind: str
    shape: str
    words: str


def standing(writing: Writing, section: Section) -> Standing:
    """How one page of the form stands; what is only missing is not held against its author."""
    if not writing.is_begun(section):
        return Standing("muted", "open", "Not started")
    return next(_standings(writing, section))


def _standings(writing: Writing, section: Section) -> Iterator[Standing]:
    found = writing.of_section(section)
    missing = [one for one in found if one.is_problem and one.code == "missing"]
    wrong = [one for one in found if one.is_problem and one not in missing]
    if wrong:
        yield Standing("problem", "problem", f"{counted(len(wrong), 'answer')} to change")
    if missing:
        yield Standing("muted", "open", f"Started, {len(missing)} to go")
    if found:
        yield Standing("look", "look", f"{counted(len(found), 'point')} to look at")
    yield Standing("ok", "ok", "Complete")


# ---- what happened

_EVENTS = {
    Action.SUBMIT: "The registrant sent the request.",
    Action.RESUBMIT: "The registrant sent iteration {iteration}.",
    Action.TAKE: "The operator began to check it.",
    Action.PASS: "The operator found it complete and passed it to the experts.",
    Action.REVIEW: "An expert reviewed it.",
    Action.RETURN: "{role} returned it with comments.",
    Action.APPROVE: "The experts approved it.",
    Action.DECLINE: "{role} declined it.",
    Action.REGISTER: "The operator registered it, in edition {edition}.",
    Action.COLLISION: "The name was given to another request meanwhile; it went back.",
    Action.REOPEN: "{role} reopened it; the experts review it again.",
    Action.WITHDRAW: "The registrant withdrew it.",
    Action.REPORT: "The leader of the experts reported to the standards body.",
    Action.DIRECT: "The standards body directed the registration.",
}

_BY_KIND = {action.past: words for action, words in _EVENTS.items()}
_ROLES = {
    "registrant": "The registrant",
    "operator": "The operator",
    "expert": "An expert",
    "leader": "An expert",
    "outcome": "The experts",
}


def told(event: Told) -> str:
    """What happened, in a sentence that names a role and nobody."""
    words = _BY_KIND.get(event.kind, f"{event.kind.capitalize()}.")
    who = _ROLES.get(event.role, "Somebody")
    return words.format(iteration=event.iteration, role=who, edition=event.edition)


# ---- what can be done


@dataclass(frozen=True, slots=True)
class Act:
    """How a page offers an action: its button, what it leads to, and what it asks for.

    An action that asks for nothing has one button; the others open first.
    """

    button: str
    leads_to: str
    asks: str = ""


_ACTS: Mapping[Action, Act] = {
    Action.TAKE: Act("Take it to check", "Everybody sees that you are at it."),
    Action.PASS: Act("Pass it to the experts", "It is complete, and the experts review it next."),
    Action.RETURN: Act(
        "Return it",
        "It goes back to the registrant, who changes the text and sends it again.",
        "What is to be changed",
    ),
    Action.DECLINE: Act(
        "Decline it",
        "It ends here. This is for what no change of the text can mend.",
        "The rule, and why no change can meet it",
    ),
    Action.COLLISION: Act(
        "Report a collision",
        "The name was given to another request meanwhile. It goes back to the registrant, who "
        "chooses another.",
        "A word to the registrant",
    ),
    Action.REOPEN: Act(
        "Reopen the review",
        "The approval is undone, and the experts review it again.",
        "Why it has to be looked at again",
    ),
    Action.WITHDRAW: Act(
        "Withdraw the request",
        "It ends, and nothing is registered. What you sent stays public. You can ask again with "
        "a new request.",
        "Why you withdraw it, if you want to say",
    ),
}


def act_of(action: Action) -> Act:
    """How an action is offered."""
    return _ACTS.get(action, Act(action.label, "", "Your words"))
