"""Every action of the workflow that writes, with what leads up to it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.services.accounts.actors import Actor
from app.services.requests import request_actions
from app.services.requests.request_evidence import ActionInput
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.factories import Cast


@dataclass(frozen=True)
class UseCase:
    """An action that somebody takes on a request that stands right for it."""

    name: str
    action: Action
    prepare: Callable[[Cast, datetime], int]
    actor: str
    target: State
    event: str
    given: dict[str, Any]

    def ready(self, people: Cast, at: datetime) -> Callable[[], State]:
        """What the actor's form does when it is sent, however often."""
        number = self.prepare(people, at)
        actor: Actor = getattr(people, self.actor)
        command = factories.command(actor, at, seen=factories.lock_of(number))
        given = ActionInput(**self.given)
        return lambda: request_actions.carry_out(command, number, self.action, given)


def _case(
    action: Action,
    prepare: Callable[[Cast, datetime], int],
    actor: str,
    target: State,
    *,
    name: str = "",
    event: str = "",
    **given: Any,
) -> UseCase:
    return UseCase(name or action, action, prepare, actor, target, event or action.past, given)


def _draft(people: Cast, at: datetime) -> int:
    return factories.draft(people.registrant, at)


def _sent(people: Cast, at: datetime) -> int:
    return factories.sent(people.registrant, at)


def _taken(people: Cast, at: datetime) -> int:
    number = _sent(people, at)
    factories.act(number, Action.TAKE, people.operator, at)
    return number


def _approved_once(people: Cast, at: datetime) -> int:
    number = factories.in_review(people, at)
    factories.review(number, people.expert, Verdict.APPROVE, at)
    return number


def _informal(people: Cast, at: datetime) -> int:
    return factories.assignable(people.registrant, at, informal=True)


def _formal(people: Cast, at: datetime) -> int:
    return factories.assignable(people.registrant, at)


_REFERENCE: dict[str, Any] = {"reference": factories.REFERENCE}


def _collided(people: Cast, at: datetime) -> int:
    number = factories.assignable(people.rival, at, namespace_identifier="QuokKa")
    other = factories.approved(people, at)
    why = {"priority": "They are older."}
    factories.act(other, Action.REGISTER, people.operator, at, details=why, **_REFERENCE)
    return number


_WORDS: dict[str, Any] = {"reason": "Because of this."}
_REVIEW: dict[str, Any] = {"iteration": 1, **_WORDS}
A, S, V = Action, State, Verdict

USE_CASES = (
    _case(A.SUBMIT, _draft, "registrant", S.NEW),
    _case(A.TAKE, _sent, "operator", S.VALIDATING_REQUEST),
    _case(A.PASS, _taken, "operator", S.EXPERT_REVIEW),
    _case(A.RETURN, _taken, "operator", S.WITH_REQUESTER, **_WORDS),
    _case(A.DECLINE, _taken, "operator", S.DECLINED, details={"rule": "name-taken"}, **_WORDS),
    _case(A.REVIEW, factories.in_review, "expert", S.EXPERT_REVIEW, verdict=V.APPROVE, **_REVIEW),
    _case(
        A.REVIEW,
        factories.in_review,
        "expert",
        S.WITH_REQUESTER,
        name="review that returns",
        event=A.RETURN.past,
        verdict=V.RETURN,
        **_REVIEW,
    ),
    _case(
        A.REVIEW,
        _approved_once,
        "second_expert",
        S.ASSIGNABLE,
        name="review that approves",
        event=A.APPROVE.past,
        verdict=V.APPROVE,
        **_REVIEW,
    ),
    _case(
        A.REVIEW,
        factories.in_review,
        "leader",
        S.DECLINED,
        name="review that declines",
        event=A.DECLINE.past,
        verdict=V.DECLINE,
        **_REVIEW,
    ),
    _case(A.RESUBMIT, factories.returned, "registrant", S.EXPERT_REVIEW),
    _case(A.WITHDRAW, factories.in_review, "registrant", S.WITHDRAWN),
    _case(A.REGISTER, _formal, "operator", S.ASSIGNED, **_REFERENCE),
    _case(A.REGISTER, _informal, "operator", S.ASSIGNED, name="register a number", **_REFERENCE),
    _case(A.COLLISION, _collided, "operator", S.WITH_REQUESTER),
    _case(A.REOPEN, _formal, "operator", S.EXPERT_REVIEW, **_WORDS),
)
