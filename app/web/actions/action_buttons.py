"""How pages offer actions: the words of their buttons, where they lead, who gets mail of them."""

from collections.abc import Mapping
from dataclasses import replace

from app.registration.declarations.registries import declared_procedures, is_open_to
from app.registration.records.registry_records import Purpose
from app.services.request_status.request_status import RequestSummary
from app.web.forms.request_forms import ChoiceField
from app.workflow.action_rows import ActionButton, ActionPage, Audience
from app.workflow.body_names import IANA_BODIES, BodyNames
from app.workflow.evidence import EvidenceInput
from app.workflow.states import Action, State
from app.workflow.transition_rows import APPEALS

PAGE_PATHS: Mapping[ActionPage, str] = {
    ActionPage.CHECK: "/requests/{number}/check",
    ActionPage.EDIT: "/requests/{number}/edit/",
    ActionPage.REVIEW: "/review/{number}",
    ActionPage.REGISTER: "/desk/{number}/register",
    ActionPage.NAME: "/desk/names/{name}",
    ActionPage.DISPUTE: "/desk/names/{name}#dispute",
}
LED = frozenset(action for action in Action if action.button.page)  # to a page of their own

AUDIENCE_WORDS: Mapping[Audience, str] = {
    Audience.LIST: "the mailing list",
    Audience.REGISTRANT: "the registrant",
    Audience.OPERATORS: "the operators",
    Audience.EXPERTS: "the experts",
    Audience.NEXT: "the next experts",
    Audience.LEADERS: "the lead expert",
    Audience.RECEIPT: "the request’s editors",
    Audience.APPOINTED: "the appointed expert",
    Audience.RIVALS: "the registrants of competing requests",
}


def mailed_to(action: str, *, has_list: bool = True) -> str:
    """Who gets mail of an action, in words; nothing where nobody does."""
    told = Action(action).row.tells
    words = [AUDIENCE_WORDS[one] for one in told if has_list or one is not Audience.LIST]
    *most, last = words or [""]
    return f"{', '.join(most)} and {last}" if most else last


_OF_AN_APPEAL = replace(
    Action.WITHDRAW.button,
    button="Withdraw appeal",
    leads_to="The appeal ends, and the request remains declined. You can’t appeal the same "
    "decision again.",
    asks="Reason (optional)",
)


def button_of(
    action: str, state: State | None = None, *, bodies: BodyNames = IANA_BODIES
) -> ActionButton:
    """How an action is offered in a state, with the bodies that decide here."""
    button = Action(action).button
    if action == Action.WITHDRAW and state in APPEALS:
        button = _OF_AN_APPEAL
    return replace(
        button, button=bodies.put_into(button.button), leads_to=bodies.put_into(button.leads_to)
    )


def choices_of(field: ChoiceField, row: RequestSummary) -> list[tuple[str, str]]:
    """What can be chosen in a field of an action: of procedures those that a request may go by."""
    if field.name != EvidenceInput.PROCEDURE:
        return list(field.choices)
    revises = row.purpose is Purpose.REVISION
    others = (one for one in declared_procedures() if one is not row.procedure)
    possible = {str(one) for one in others if is_open_to(one, row.procedure, revises=revises)}
    return [choice for choice in field.choices if choice[0] in possible]


def own_page_of(action: Action, row: RequestSummary) -> tuple[str, str]:
    """The words and the address of the page that an action has of its own."""
    button = action.button
    path = PAGE_PATHS[button.page] if button.page else ""
    return button.button, path.format(number=row.number, name=row.name)
