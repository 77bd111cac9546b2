"""Moving a request: one action, one commit, one event."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from app.identifiers.nid import fold_nid
from app.registration.declarations import Procedure
from app.registration.records import Purpose
from app.services import drafts, registering
from app.services.actors import Actor, roles_toward
from app.services.evidence import DECIDED, Context, Facts, Given, Rules, evidence_for, may_register
from app.services.once import once
from app.services.refusals import Changed, NotFound, Unfit
from app.services.rendering import keep_rendered
from app.services.telling import News, list_message_id, tell
from app.store import events, requests
from app.store.tables import Request
from app.workflow.engine import Case, Move, transition
from app.workflow.reviews import COUNTED_ANEW, Review, Verdict
from app.workflow.states import Action, Role, State

__all__ = ["Context", "Given", "Rules", "act", "case_of", "may_register"]

LONGEST_REASON = 8000

# What is carried out here. The tables hold more, and some of it does more than move a request.
CARRIED_OUT = frozenset(
    {
        Action.SUBMIT,
        Action.TAKE,
        Action.PASS,
        Action.REVIEW,
        Action.RETURN,
        Action.RESUBMIT,
        Action.DECLINE,
        Action.REGISTER,
        Action.COLLISION,
        Action.REOPEN,
        Action.WITHDRAW,
    }
)


def case_of(request: Request) -> Case:
    """A request as the tables know it."""
    returns_to = State(request.returns_to) if request.returns_to else None
    return Case(
        Procedure(request.procedure), Purpose(request.purpose), State(request.state), returns_to
    )


def act(number: int, action: Action, given: Given, context: Context) -> State:
    """Take one action on a request and give where it then stands.

    Everything it does stands in one commit: the state, one event, its messages. The same
    key does it once. Raises NotFound, Changed where the request moved since it was opened,
    Unfit, NameTaken, and what the workflow refuses.
    """
    if action not in CARRIED_OUT:
        raise Unfit(f"“{action.label}” is not possible on this site.")
    if len(given.reason) > LONGEST_REASON:
        raise Unfit(f"Your text has more than {LONGEST_REASON} characters. Shorten it.")

    def work() -> str:
        request = _opened(number, given, context.actor)
        facts = Facts(request=request, action=action, given=given, context=context)
        roles = roles_toward(context.actor, request.registrant, context.rules.separation)
        return _review(facts, roles) if action is Action.REVIEW else _move(facts, roles)

    asked = _asked(number, action, given)
    return State(once(context.actor.id, given.key, asked, context.at, work))


def _asked(number: int, action: Action, given: Given) -> dict[str, object]:
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
    }


def _opened(number: int, given: Given, actor: Actor) -> Request:
    request = requests.find_request(number, locked=True)
    if request is None or (request.state == State.DRAFT and request.registrant != actor.id):
        raise NotFound(f"There is no request {number}.")
    if request.lock_version != given.lock_version:
        raise Changed(
            "Something happened to this request after you opened it. Look at it again; "
            "your text is below."
        )
    return request


def _move(facts: Facts, roles: Iterable[Role], review: int | None = None) -> State:
    move = transition(case_of(facts.request), facts.action, frozenset(roles), evidence_for(facts))
    effect = _EFFECTS.get(facts.action)
    body = effect(facts) if effect else ""
    return _settle(facts, move, body, review)


def _settle(facts: Facts, move: Move, body: str = "", review: int | None = None) -> State:
    request, context = facts.request, facts.context
    if move.target is not move.source:
        request.since = context.at
    request.state, request.returns_to = move.target, move.returns_to
    request.procedure = move.procedure
    request.lock_version += 1
    event = events.NewEvent(
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
        body=body,
    )
    n = events.append(event, secrets.token_hex(16))
    if move.action in COUNTED_ANEW:
        request.counted_from = n
    tell(_news(facts, move, n), context.post)
    return move.target


def _news(facts: Facts, move: Move, event: int) -> News:
    return News(
        request=facts.request,
        action=move.action,
        actor=facts.context.actor,
        event=event,
        at=facts.context.at,
        reason=facts.given.reason,
    )


def _review(facts: Facts, roles: frozenset[Role]) -> State:
    """Keep a review, then make the move that it leads to, if any: either leaves one event."""
    reviewed = transition(case_of(facts.request), Action.REVIEW, roles, evidence_for(facts))
    verdict = facts.given.verdict
    if verdict is None:
        raise Unfit("Choose approve, return or decline.")
    if verdict is not Verdict.APPROVE and not facts.given.says_something:
        raise Unfit("Write what the registrant is to change, or why you decline.")
    ident, facts = _keep_review(facts, verdict, leads=Role.LEADER in roles)
    if verdict is Verdict.RETURN:
        return _move(replace(facts, action=Action.RETURN), roles, ident)
    if facts.decided in DECIDED:
        return _move(replace(facts, action=DECIDED[facts.decided]), {Role.OUTCOME}, ident)
    return _settle(facts, reviewed, review=ident)


def _keep_review(facts: Facts, verdict: Verdict, *, leads: bool) -> tuple[int, Facts]:
    """Keep a review; gives its id, and the facts with it."""
    given, context = facts.given, facts.context
    ident = requests.add_review(
        number=facts.request.number,
        iteration=given.iteration,
        author=context.actor.id,
        leader=leads,
        at=context.at,
        verdict=verdict,
        body=given.reason,
        answers=dict(given.answers),
    )
    review = Review(str(context.actor.id), given.iteration, verdict, leads)
    return ident, replace(facts, review=review)


def _send(facts: Facts) -> str:
    """Keep the text as it is sent: public for ever, rendered once."""
    request, context, writing = facts.request, facts.context, facts.writing
    fields = drafts.sent_fields(writing)
    request.asked_name = fold_nid(fields.get("namespace_identifier", ""))
    request.organization = writing.organization
    request.standard_anticipated = writing.standard
    keep_rendered(fields)
    posted = list_message_id(request.number, context.post)
    requests.add_iteration(request, fields, context.actor.id, context.at, posted)
    return ""


def _register(facts: Facts) -> str:
    """Give the name; the event says which, and from which edition on."""
    if facts.given.reference is None:
        raise Unfit("Enter the reference that the registry will show.")
    name, edition = registering.register(
        facts.request,
        facts.given.reference,
        facts.context.at,
        authority=facts.context.rules.authority,
        notice=facts.context.rules.notice,
        base_url=facts.context.post.base_url,
    )
    return f"urn:{name}: from edition {edition} on"


_EFFECTS: Mapping[Action, Callable[[Facts], str]] = {
    Action.SUBMIT: _send,
    Action.RESUBMIT: _send,
    Action.REGISTER: _register,
}
