"""What somebody may do to a request now, as a page offers it."""

from dataclasses import dataclass
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor, accounts_acting_for, roles_for, roles_toward
from app.services.experts.independence import may_decide_request, may_enter_appeal
from app.services.policy import MailSettings, Policy, ProcedureSettings
from app.services.refusals import NotFound
from app.services.request_status.request_status import RequestSummary, row_of
from app.services.requests.request_evidence import ActionFacts, ActionInput, is_offered
from app.services.use_cases import Command
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Request
from app.workflow.engine import actions_for
from app.workflow.evidence import EvidenceInput
from app.workflow.evidence_inputs import inputs_for
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action, Role, State


def visible_request(number: int, actor: Actor | None) -> Request:
    """A request that somebody may look at; NotFound for a draft of somebody else's."""
    request = request_rows.find_request(number)
    own = request is not None and actor is not None and actor.id in accounts_acting_for(request)
    if request is None or (State(request.state).is_private and not own):
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    return request


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """An action as a page offered it, to read the form that comes in by, and its reader's roles."""

    row: RequestSummary
    stands: bool
    asks: tuple[EvidenceInput, ...]
    roles: frozenset[Role]


def offer_of(
    number: int, action: Action, actor: Actor, at: datetime, rules: ProcedureSettings
) -> ActionOffer:
    """Whether an action is offered to somebody now, and what it asks for; nothing where not.

    NotFound for a draft of somebody else's. Whoever shows the page again reads it whole.
    """
    request, rule = visible_request(number, actor), rules.separation
    looking = RequestViewer(actor, at, rules, barred=may_decide_nothing(request, actor, rule))
    roles = roles_toward(actor, request, rule) | roles_for(actor, request, Action.ESCALATE, rule)
    stands = action in offered_actions(request, roles, looking, frozenset({action}))
    asks = inputs_for(case_of(request), action, roles) if stands else ()
    return ActionOffer(row_of(request, at, rules), stands, asks, roles)


def may_decide_nothing(request: Request, actor: Actor | None, rule: SeparationOfDuties) -> bool:
    """Whether somebody is an operator with a part in a request, so that another one decides."""
    if actor is None or not actor.is_operator:
        return False
    return not may_decide_request(request, actor, rule) or not _may_enter(request, actor, rule)


def _may_enter(request: Request, actor: Actor, rule: SeparationOfDuties) -> bool:
    appealed = request.state in (State.IESG_APPEAL_1, State.IESG_APPEAL_2)
    story = event_rows.of_request(request.number) if appealed else []
    return not appealed or may_enter_appeal(request, actor, rule, story)


@dataclass(frozen=True, slots=True)
class RequestViewer:
    """Who looks, when, by which rules, and whether they have a part in the request."""

    actor: Actor
    at: datetime
    rules: ProcedureSettings
    barred: bool

    def at_action(self, request: Request, action: Action) -> ActionFacts:
        """The facts of an action that is not taken yet."""
        policy = Policy(procedures=self.rules, mail=MailSettings("", "", ""), secret="")
        command = Command(actor=self.actor, at=self.at, key="", policy=policy)
        return ActionFacts(request=request, action=action, given=ActionInput(), command=command)

    def roles(self, request: Request, action: Action) -> frozenset[Role]:
        """The roles in which the action would be taken."""
        return roles_for(self.actor, request, action, self.rules.separation)


def offered_actions(
    request: Request,
    roles: frozenset[Role],
    looking: RequestViewer,
    wanted: frozenset[Action] = frozenset(Action),
) -> tuple[Action, ...]:
    """The actions that are offered to somebody now, of all or of some."""
    possible = actions_for(case_of(request), roles)
    return tuple(
        action
        for action in possible
        if action in wanted
        and is_offered(
            looking.at_action(request, action),
            looking.roles(request, action),
            barred=looking.barred,
        )
    )
