"""Moving a request: one action, one commit, one event."""

import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, Procedure
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import Actor
from app.services.accounts.parties import acting_for, roles_for
from app.services.idempotency import run_idempotent
from app.services.notifications.event_notices import (
    OperatorNotice,
    RequestNotice,
    letters_of,
    notify_operators,
    queue,
)
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.requests import action_effects
from app.services.requests.request_evidence import (
    DECIDED,
    ActionContext,
    ActionFacts,
    ActionInput,
    ProcedureSettings,
    evidence_for,
    objection_to,
)
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.store.tables import Request
from app.workflow.action_rows import Audience
from app.workflow.deadlines import due_date
from app.workflow.engine import EvidenceMissing, ProcedureCase, Transition, actions_for, transition
from app.workflow.evidence import Evidence
from app.workflow.evidence_inputs import LONGEST_REASON
from app.workflow.reviews import COUNTED_ANEW, Review, Verdict
from app.workflow.separation_of_duties import fold_mailbox
from app.workflow.states import Action, Role, State

__all__ = ["ActionContext", "ActionInput", "ProcedureSettings", "act", "case_of"]

REFUSED = "registration refused"  # an event that operators are told of, and nobody else
LONGEST_DETAIL = 40_000  # a report holds every review


def case_of(request: Request) -> ProcedureCase:
    """A request as the tables know it."""
    returns_to = State(request.returns_to) if request.returns_to else None
    return ProcedureCase(
        Procedure(request.procedure), Purpose(request.purpose), State(request.state), returns_to
    )


def act(number: int, action: Action, given: ActionInput, context: ActionContext) -> State:
    """Take one action on a request and give where it then stands.

    Everything it does stands in one commit: the state, one event, its messages. The same
    key does it once. Raises NotFound, EditConflict where the request moved since it was opened,
    InvalidInput, NameTaken, and what the workflow refuses.
    """
    if action.row.has_own_use_case:
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN,
            f"“{action.label}” is not done on this page.",
            field="action",
        )
    _check(given)

    def work() -> str:
        request = opened(number, given, context.actor)
        facts = ActionFacts(
            request=request, action=action, given=given, context=context, tried=tried
        )
        rule = context.rules.separation
        roles = roles_for(context.actor, request, action, rule, lambda: facts.parties)
        _refuse_out_of_turn(facts, roles)
        return _review(facts, roles) if action is Action.REVIEW else _move(facts, roles)

    asked = _asked(number, action, given)
    tried = action_effects.prepare(number, action, given, context)
    try:
        return State(run_idempotent(context.actor.id, given.key, asked, context.at, work))
    except EvidenceMissing as error:
        if action is Action.REGISTER and Evidence.OTHER_PERSON in error.missing:
            _tell_others(number, context)
        raise


def _tell_others(number: int, context: ActionContext) -> None:
    """Let the other operators know that one tried to register what is not theirs to; once."""
    actor = context.actor
    with transaction():
        request = request_rows.find_request(number, locked=True)
        tried = (e.actor for e in event_rows.of_request(number) if e.kind == REFUSED)
        if request is None or actor.id in tried:
            return
        event = event_rows.NewEvent(
            at=context.at, kind=REFUSED, about=str(number), actor=actor.id, role=Role.OPERATOR
        )
        word = OperatorNotice(
            todo="Not registered",
            name=f"request {number}",
            what=f"Another operator tried to register request {number}, and was refused.",
            reason=Evidence.OTHER_PERSON.sentence,
            event=event_rows.append(event, secrets.token_hex(16)),
            path=f"/requests/{number}",
        )
        notify_operators(word, actor, context.at, context.post)


def _refuse_out_of_turn(facts: ActionFacts, roles: frozenset[Role]) -> None:
    """What others may not do at all the tables refuse, with their own words."""
    why = objection_to(facts) if Role.EXPERT in roles else ""
    if why:
        raise NotAllowed(use_case_codes.REVIEW_CLOSED, why)


def _check(given: ActionInput) -> None:
    if len(given.reason) > LONGEST_REASON:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"Your text has more than {LONGEST_REASON} characters. Shorten it.",
            field="reason",
        )
    if any(len(text) > LONGEST_DETAIL for text in given.details.values()):
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"An answer has more than {LONGEST_DETAIL} characters. Shorten it.",
        )


def _asked(number: int, action: Action, given: ActionInput) -> dict[str, object]:
    """What makes one sending of a form the same as another."""
    reference = given.reference
    return {
        "number": number,
        "action": action,
        "iteration": given.iteration,
        "reason": given.reason,
        "verdict": given.verdict,
        "answers": dict(given.answers),
        "reference": [reference.data, reference.label] if reference else None,
        "details": dict(given.details),
    }


def opened(number: int, given: ActionInput, actor: Actor) -> Request:
    """A request that somebody acts on, as they saw it; kept from others until the commit."""
    request = request_rows.find_request(number, locked=True)
    if request is None or (request.state == State.DRAFT and actor.id not in acting_for(request)):
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    if request.lock_version != given.lock_version:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "Something happened to this request after you opened it. Look at it again; "
            "your text is below.",
        )
    return request


def _move(facts: ActionFacts, roles: Iterable[Role], review: int | None = None) -> State:
    move = decided_move(facts, roles)
    if facts.action is Action.REGISTER:
        facts = _when_opened(facts)
    sent_before = facts.request.iterations
    found = action_effects.before(facts)
    sent = facts.request.iterations > sent_before
    return settle(facts, move, found, review, sent=sent)


def _when_opened(facts: ActionFacts) -> ActionFacts:
    """The facts at the moment of the edition that is opened; nobody else opens one meanwhile."""
    at = edition_rows.next_moment(facts.context.at)
    return facts.going_on(context=replace(facts.context, at=at))


def decided_move(facts: ActionFacts, roles: Iterable[Role]) -> Transition:
    """The move that an action makes on what it can show."""
    asked = _procedure_asked(facts)
    return transition(
        case_of(facts.request),
        facts.action,
        frozenset(roles),
        evidence_for(facts),
        procedure=asked,
    )


def _procedure_asked(facts: ActionFacts) -> Procedure | None:
    if facts.action is Action.CHANGE_PROCEDURE:
        text = facts.request.asked_procedure or ""
    else:
        text = facts.given.detail("procedure")
    known = {procedure for registry in REGISTRIES.values() for procedure in registry.procedures}
    return Procedure(text) if text in known else None


def settle(
    facts: ActionFacts,
    move: Transition,
    found: action_effects.Details | None = None,
    review: int | None = None,
    *,
    sent: bool = False,
) -> State:
    """Write down where a request stands, what happened, and who is told."""
    request, context = facts.request, facts.context
    _stand(request, move, context)
    action_effects.after(facts, move)
    letters = letters_of(_news(facts, move, sent=sent), context.post)
    event = event_rows.NewEvent(
        at=context.at,
        kind=move.event,
        about=str(request.number),
        actor=context.actor.id,
        role=move.row.role,
        source=move.source,
        target=move.target,
        iteration=request.iterations or None,
        review=review,
        edition=request.edition if move.action is Action.REGISTER else None,
        reason=facts.given.reason,
        body=action_effects.written(facts, found or {}),
    )
    n = event_rows.append(event, secrets.token_hex(16))
    if move.action in COUNTED_ANEW:
        request.counted_from = n
    queue(letters, n)
    return move.target


def _stand(request: Request, move: Transition, context: ActionContext) -> None:
    request.state, request.returns_to = move.target, move.returns_to
    if move.procedure != request.procedure:
        request.procedure, request.asked_procedure = move.procedure, None
    if move.target is not move.source:
        request.since, request.delayed = context.at, None
        request.due = _due(request, context)
    request.lock_version += 1


def _due(request: Request, context: ActionContext) -> datetime | None:
    """The end of the last day for the next step."""
    day = due_date(case_of(request), context.at.date(), context.rules.due_days)
    return datetime.combine(day + timedelta(days=1), time(), UTC) if day else None


def _news(facts: ActionFacts, move: Transition, *, sent: bool) -> RequestNotice:
    return RequestNotice(
        request=facts.request,
        action=move.action,
        actor=facts.context.actor,
        at=facts.context.at,
        reason=facts.given.reason,
        sent=sent,
        asking=lambda: facts.asking,
        also=(Audience.LEADERS,) if move.action is Action.REVIEW and facts.is_deadlocked else (),
    )


def _review(facts: ActionFacts, roles: frozenset[Role]) -> State:
    """Keep a review, then make the move that it leads to, if any: either leaves one event."""
    reviewed = transition(case_of(facts.request), Action.REVIEW, roles, evidence_for(facts))
    verdict = facts.given.verdict
    if verdict is None:
        raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, "Choose approve, return or decline.")
    if verdict is not Verdict.APPROVE and not facts.given.says_something:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Write what the registrant is to change, or why you decline.",
            field="reason",
        )
    ident, facts = _keep_review(facts, verdict, leads=Role.LEADER in roles)
    if verdict is Verdict.RETURN:
        return _move(facts.going_on(action=Action.RETURN), roles, ident)
    decided = DECIDED.get(facts.decided)
    if decided and decided in _open_to_rule(facts):
        return _move(facts.going_on(action=decided), {Role.OUTCOME}, ident)
    if facts.is_deadlocked:
        action_effects.give_to_leaders(facts)
    return settle(facts, reviewed, review=ident)


def _open_to_rule(facts: ActionFacts) -> tuple[Action, ...]:
    return actions_for(case_of(facts.request), frozenset({Role.OUTCOME}))


def _keep_review(facts: ActionFacts, verdict: Verdict, *, leads: bool) -> tuple[int, ActionFacts]:
    """Keep a review; gives its id, and the facts with it."""
    given, context = facts.given, facts.context
    ident = request_rows.add_review(
        number=facts.request.number,
        iteration=given.iteration,
        author=context.actor.id,
        leader=leads,
        at=context.at,
        verdict=verdict,
        body=given.reason,
        answers=dict(given.answers),
    )
    review = Review(fold_mailbox(context.actor.email), given.iteration, verdict, leads)
    return ident, facts.going_on(review=review)
