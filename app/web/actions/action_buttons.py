"""How pages offer actions: the words of their buttons, what they lead to, what they ask for."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.messages.notices import RIVALS, TOLD, Audience
from app.services.requests.request_summaries import RequestSummary
from app.workflow.states import Action


@dataclass(frozen=True, slots=True)
class ActionButton:
    """How a page offers an action: its button, what it leads to, and what words it asks for.

    An action that asks for nothing has one button; the others open first. Words are asked for
    where they are evidence; with ``may`` they can be given anyhow.
    """

    button: str
    leads_to: str
    asks: str = ""
    may: bool = False


_IESG = "Enter what was decided elsewhere, with where it can be read."

_ACTS: Mapping[Action, ActionButton] = {
    Action.TAKE: ActionButton("Take it to check", "Everybody sees that you are at it."),
    Action.PASS: ActionButton(
        "Pass it to the experts",
        "It is complete, and the experts review it next.",
        "Who shows that the organization makes or authorizes the request",
    ),
    Action.ASK_RECOGNITION: ActionButton(
        "Ask the IESG to recognize the organization",
        "It waits for the decision. Ask the IESG by mail.",
        "Who shows that the organization makes or authorizes the request",
    ),
    Action.RECOGNIZE: ActionButton(
        "The organization is recognized",
        "It comes on the list of recognized organizations, and its representative completes the "
        "request.",
        "What was decided",
    ),
    Action.REFUSE_RECOGNITION: ActionButton(
        "The organization is not recognized",
        "The request goes on by the community procedure; you check it anew.",
        "What was decided",
    ),
    Action.RETURN: ActionButton(
        "Return it",
        "It goes back to the registrant, who changes the text and sends it again.",
        "What is to be changed",
    ),
    Action.DECLINE: ActionButton(
        "Decline it",
        "It ends here. This is for what no change of the text can mend.",
        "The rule, and why no change can meet it",
    ),
    Action.TAKE_ON: ActionButton("Take the review", "It comes into your turn."),
    Action.PASS_ON: ActionButton("Pass it on", "The next expert who is there gets it."),
    Action.RECUSE: ActionButton(
        "Recuse yourself",
        "You do not judge this request, and the next expert gets it.",
        "Why you stand too near to it",
    ),
    Action.REPORT: ActionButton(
        "Send the report",
        "The namespace is to become part of a standard, so the body that approves the standard "
        "decides. The report tells it what the experts found.",
    ),
    Action.DIRECT: ActionButton(
        "The registration is directed",
        "The body has the report and directs the registration.",
        "The directions",
    ),
    Action.ASK_CHANGES: ActionButton(
        "Changes are asked for", _IESG, "What is to be changed", may=True
    ),
    Action.REFUSE: ActionButton(
        "It is refused", "It ends here. " + _IESG, "The reasons that were given", may=True
    ),
    Action.NO_STANDARD: ActionButton(
        "No standard is anticipated",
        "The experts decide it themselves. " + _IESG,
        "In short",
        may=True,
    ),
    Action.COMPLETE: ActionButton(
        "Complete it",
        "Your organization says that it is complete. It is registered next as it was sent last.",
    ),
    Action.ESCALATE: ActionButton(
        "Ask the IESG",
        "This is for experts who contradict each other, or who all stand too near.",
        "On what they cannot agree, or why nobody can judge it",
    ),
    Action.ANSWER: ActionButton(
        "Enter the answer",
        "The experts go on with it. Somebody appointed for this request decides it.",
        "The explanation that was given",
    ),
    Action.REMIND: ActionButton(
        "Remind the registrant", "After two reminders and silence it can end."
    ),
    Action.LAPSE: ActionButton(
        "End it for silence",
        "Nothing was heard after two reminders. The registrant can copy it into a new request.",
        "A word to the registrant, if you want",
        may=True,
    ),
    Action.MERGE: ActionButton(
        "Merge it into another request",
        "The same registrant asks for the same twice. This one ends and points to the other.",
        "A word to the registrant, if you want",
        may=True,
    ),
    Action.ASK_PROCEDURE: ActionButton(
        "Ask for another procedure",
        "The operator agrees or not. The request is then checked anew.",
        "Why the other fits better",
    ),
    Action.DROP_PROCEDURE: ActionButton(
        "Keep the present procedure", "You ask for the other one no more."
    ),
    Action.CHANGE_PROCEDURE: ActionButton(
        "Agree to the other procedure", "The request is checked anew.", "Why it fits"
    ),
    Action.REFUSE_PROCEDURE: ActionButton(
        "Refuse the other procedure",
        "The request goes on as it is; the registrant can ask again.",
        "Why it does not fit",
    ),
    Action.RAISE_DELAY: ActionButton("Say that it is late", "The flag is seen by everybody."),
    Action.APPEAL: ActionButton(
        "Appeal to the IESG",
        "The IESG decides whether the denial stands.",
        "On what grounds",
    ),
    Action.APPEAL_TO_IAB: ActionButton(
        "Appeal to the IAB", "The IAB decides for the last time.", "On what grounds"
    ),
    Action.OVERTURN: ActionButton(
        "Overturned: review it again", "The experts review it again.", "What was decided"
    ),
    Action.OVERTURN_AND_APPROVE: ActionButton(
        "Overturned: approve it", "It waits to be registered.", "What was decided"
    ),
    Action.UPHOLD: ActionButton("The denial stands", "It is Declined again.", "What was decided"),
    Action.COLLISION: ActionButton(
        "Report a collision",
        "The name was given to another request meanwhile. It goes back to the registrant, who "
        "chooses another.",
        "A word to the registrant",
        may=True,
    ),
    Action.STALE: ActionButton(
        "Report a newer version",
        "Another revision was registered meanwhile. It goes back to the registrant, who takes "
        "that as the base.",
        "A word to the registrant",
        may=True,
    ),
    Action.REOPEN: ActionButton(
        "Reopen the review",
        "The approval is undone, and the experts review it again.",
        "Why it has to be looked at again",
    ),
    Action.COPY: ActionButton(
        "Copy it into a new draft", "You can change it and send it as a new request."
    ),
    Action.WITHDRAW: ActionButton(
        "Withdraw the request",
        "It ends, and nothing is registered. What you sent stays public. You can ask again with "
        "a new request.",
        "Why you withdraw it, if you want to say",
        may=True,
    ),
}

# Actions that have a page of their own.
LED: Mapping[Action, tuple[str, str]] = {
    Action.SUBMIT: ("Check and send it", "/requests/{number}/check"),
    Action.DISCARD: ("Discard it", "/requests/{number}/check"),
    Action.RESUBMIT: ("Change the text", "/requests/{number}/edit/"),
    Action.REVIEW: ("Review it", "/review/{number}"),
    Action.REGISTER: ("Register it", "/desk/{number}/register"),
    Action.CORRECT: ("Correct the entry", "/desk/names/{name}"),
    Action.NOTE_DISPUTE: ("Note a dispute", "/desk/names/{name}#dispute"),
    Action.NOTE_APPEAL: ("Note a third party’s appeal", "/desk/names/{name}#dispute"),
    Action.REPLACE: ("Rename or replace the entry", "/desk/names/{name}"),
}


_MAILED: Mapping[Audience, str] = {
    Audience.LIST: "the list",
    Audience.REGISTRANT: "the registrant",
    Audience.OPERATORS: "the operators",
    Audience.EXPERTS: "the experts who have it",
    Audience.NEXT: "the experts who get it",
    Audience.LEADERS: "the leader of the experts",
    Audience.RIVALS: "who asks for the same name",
}


def mailed_to(action: Action, *, has_list: bool = True) -> str:
    """Who gets mail of an action, in words; nothing where nobody does."""
    told = TOLD.get(action)
    audience = told.audience if told else ()
    words = [_MAILED[one] for one in audience if has_list or one is not Audience.LIST]
    if action in RIVALS:
        words.append(_MAILED[Audience.RIVALS])
    *most, last = words or [""]
    return f"{', '.join(most)} and {last}" if most else last


def button_of(action: Action) -> ActionButton:
    """How an action is offered."""
    return _ACTS.get(action, ActionButton(action.label, "", "Your words"))


def own_page_of(action: Action, row: RequestSummary) -> tuple[str, str]:
    """The words and the address of the page that an action has of its own."""
    words, path = LED[action]
    return words, path.format(number=row.number, name=row.name)
