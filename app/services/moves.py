"""Moving a request: one action, one commit, one event."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.identifiers.nid import fold_nid
from app.registration.declarations import REGISTRIES, Procedure
from app.registration.records import Purpose
from app.services import drafts, registering
from app.services.actors import Actor, roles_toward
from app.services.once import once
from app.services.refusals import Changed, NotFound, Unfit
from app.services.rendering import keep_rendered
from app.services.telling import Post, message_id, tell
from app.store import events, requests
from app.store import registry as names
from app.store.tables import Request
from app.workflow.engine import Case, Move, transition
from app.workflow.evidence import Evidence
from app.workflow.people import Separation, who_may_register
from app.workflow.reviews import COUNTED_ANEW, OutcomeRule, Review, Verdict, outcome
from app.workflow.states import Action, Role, State

LONGEST_REASON = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What of the procedures is a setting."""

    outcome: OutcomeRule
    separation: Separation
    authority: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What came with an action: what the person saw, and what they said."""

    lock_version: int
    key: str
    iteration: int = 0
    reason: str = ""
    verdict: Verdict | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    reference: registering.Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Who acts, when, and by which rules."""

    actor: Actor
    at: datetime
    rules: Rules
    post: Post


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
    if len(given.reason) > LONGEST_REASON:
        raise Unfit(f"Your text has more than {LONGEST_REASON} characters. Shorten it.")

    def work() -> str:
        request = _opened(number, given, context.actor)
        if action is Action.REVIEW:
            return _review(request, given, context)
        roles = roles_toward(context.actor, request.registrant)
        return _move(request, action, roles, given, context)

    asked = {
        "number": number,
        "action": str(action),
        "reason": given.reason,
        "verdict": str(given.verdict),
        "reference": given.reference and [given.reference.data, given.reference.label],
    }
    return State(once(context.actor.id, given.key, asked, context.at, work))


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


def _move(
    request: Request,
    action: Action,
    roles: Iterable[Role],
    given: Given,
    context: Context,
    body: str = "",
) -> str:
    evidence = evidence_for(request, action, given, context)
    move = transition(case_of(request), action, frozenset(roles), evidence)
    effect = _EFFECTS.get(action)
    if effect is not None:
        effect(request, given, context)
    _settle(request, move, given, context, body)
    return move.target


def _settle(request: Request, move: Move, given: Given, context: Context, body: str = "") -> None:
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
        iteration=len(requests.iterations_of(request.number)) or None,
        reason=given.reason,
        body=body,
    )
    n = events.append(event, secrets.token_hex(16))
    tell(request, move.action, context.actor.id, n, context.at, given.reason, context.post)


def _review(request: Request, given: Given, context: Context) -> str:
    """Keep a review, then make the move that it leads to, if any."""
    if given.verdict is None:
        raise Unfit("Choose approve, return or decline.")
    roles = roles_toward(context.actor, request.registrant)
    evidence = evidence_for(request, Action.REVIEW, given, context)
    reviewed = transition(case_of(request), Action.REVIEW, roles, evidence)
    if given.verdict is not Verdict.APPROVE and not given.reason.strip():
        raise Unfit("Write what the registrant is to change, or why you decline.")
    review = requests.add_review(
        number=request.number,
        iteration=given.iteration,
        author=context.actor.id,
        leader=Role.LEADER in roles,
        at=context.at,
        verdict=given.verdict,
        body=given.reason,
        answers=dict(given.answers),
    )
    if given.verdict is Verdict.RETURN:
        return _move(request, Action.RETURN, roles, given, context, f"review {review}")
    decided = outcome(reviews_of(request), given.iteration, context.rules.outcome)
    if decided in _DECIDING:
        return _move(
            request, _DECIDING[decided], {Role.OUTCOME}, given, context, f"review {review}"
        )
    _settle(request, reviewed, given, context, f"review {review}")
    return reviewed.target


_DECIDING: Mapping[Verdict | None, Action] = {
    Verdict.APPROVE: Action.APPROVE,
    Verdict.DECLINE: Action.DECLINE,
}


def reviews_of(request: Request) -> list[Review]:
    """The reviews of a request that the outcome rule counts: none from before a reopening."""
    anew = {action.past for action in COUNTED_ANEW}
    story = [event.at for event, _ in events.of_request(request.number) if event.kind in anew]
    since = max(story, default=request.started)
    return [
        Review(
            expert=str(row.author),
            iteration=row.iteration,
            verdict=Verdict(row.verdict),
            leader=row.leader,
        )
        for row in requests.reviews_of(request.number)
        if row.at >= since
    ]


def _writing(request: Request) -> drafts.Writing:
    """The request's text with what is found in it: the draft, or what was sent of it."""
    return drafts.writing_of(request, request.started.date().isoformat())


def evidence_for(
    request: Request, action: Action, given: Given, context: Context
) -> frozenset[Evidence]:
    """Everything that holds or was given; the table says which of it an action needs."""
    sent = requests.iterations_of(request.number)
    writing = _writing(request)
    said = bool(given.reason.strip())
    folded = request.asked_name
    decided = outcome(reviews_of(request), len(sent), context.rules.outcome)
    holds: Mapping[Evidence, bool] = {
        Evidence.PROCEDURE: True,
        Evidence.STANDARD_ANSWER: writing.standard is not None,
        Evidence.HARD_RULES: not writing.problems,
        Evidence.POSTED: True,  # the message is written, or the public page is the posting
        Evidence.NEW_ITERATION: not sent or _differs(writing, sent[-1]),
        Evidence.NO_NAME: not folded,
        Evidence.REASON: said,
        Evidence.COMMENTS: said,
        Evidence.RULE: said,
        Evidence.CURRENT: given.iteration == len(sent),
        Evidence.NO_CONFLICT: context.actor.id != request.registrant,
        Evidence.CHECKS_ANSWERED: given.verdict is not Verdict.APPROVE
        or said
        or not writing.findings,
        Evidence.REVIEWS: decided is not None and _DECIDING.get(decided) is action,
        Evidence.OTHER_PERSON: may_register(request, context.actor, context.rules.separation),
        Evidence.NAME_FREE: bool(folded) and not names.is_taken("nid", folded),
        Evidence.NUMBER: REGISTRIES[request.registry_id].numbering is not None,
        Evidence.NAME_TAKEN: bool(folded) and names.is_taken("nid", folded),
    }
    return frozenset(evidence for evidence, there in holds.items() if there)


def may_register(request: Request, actor: Actor, rule: Separation) -> bool:
    """Whether somebody stands far enough from a request to register it."""
    latest = len(requests.iterations_of(request.number))
    approvers = {
        str(row.author)
        for row in requests.reviews_of(request.number)
        if row.iteration == latest and row.verdict == Verdict.APPROVE
    }
    return bool(
        who_may_register(
            [str(actor.id)], authors=[str(request.registrant)], approvers=approvers, rule=rule
        )
    )


def _differs(writing: drafts.Writing, sent: requests.Sent) -> bool:
    return writing.fields != sent.fields or writing.organization != sent.organization


def _send(request: Request, _given: Given, context: Context) -> None:
    """Keep the text as it is sent: public for ever, rendered once."""
    writing = drafts.writing_of(request, context.at.date().isoformat())
    fields = {name: value for name, value in writing.fields.items() if value}
    request.asked_name = fold_nid(fields.get("namespace_identifier", ""))
    request.organization = writing.organization
    request.standard_anticipated = writing.standard
    keep_rendered(fields)
    requests.add_iteration(
        request,
        fields,
        context.actor.id,
        context.at,
        message_id(request.number, context.post.host),
    )


def _register(request: Request, given: Given, context: Context) -> None:
    if given.reference is None:
        raise Unfit("Enter the reference that the registry will show.")
    registering.register(
        request,
        given.reference,
        context.at,
        authority=context.rules.authority,
        base_url=context.post.base_url,
    )


_EFFECTS: Mapping[Action, Callable[[Request, Given, Context], None]] = {
    Action.SUBMIT: _send,
    Action.RESUBMIT: _send,
    Action.REGISTER: _register,
}
