"""Forms that are ready to be sent at one moment, and what became of their request."""

from datetime import datetime
from functools import partial
from typing import Any

from app.services.accounts.actors import Actor
from app.services.requests import request_actions
from app.services.requests.request_evidence import ActionInput
from app.store.database import read_transaction
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories


def sending(number: int, action: Action, actor: Actor, at: datetime, **given: Any) -> Any:
    """A form that was opened now; calling it sends the form."""
    command = factories.command(actor, at, seen=factories.lock_of(number))
    return partial(request_actions.carry_out, command, number, action, ActionInput(**given))


def reviewing(number: int, expert: Actor, verdict: Verdict, at: datetime) -> Any:
    given = {"verdict": verdict, "iteration": 1, "reason": "Because."}
    return sending(number, Action.REVIEW, expert, at, **given)


def split(results: list[Any]) -> tuple[list[Any], list[Any]]:
    """What was given, and what was raised."""
    raised = [result for result in results if isinstance(result, Exception)]
    return [result for result in results if result not in raised], raised


def kinds(number: int) -> list[str]:
    with read_transaction():
        return [event.kind for event in event_rows.of_request(number)]


def state_of(number: int) -> State:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return State(request.state)
