"""Taking an action on a request: one way for every page that has a button."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from flask.typing import ResponseReturnValue

from app.services.moves import Context, Given, Rules, act
from app.services.refusals import Refusal
from app.services.telling import Post
from app.web.forms import KeyedForm
from app.web.problems import problem_of
from app.web.session import now, required_actor, settings
from app.workflow.engine import Refused
from app.workflow.people import Separation
from app.workflow.reviews import OutcomeRule
from app.workflow.states import Action, State

Again = Callable[[Any, str, int], ResponseReturnValue]


def context() -> Context:
    """Who acts now, and by which rules."""
    chosen = settings()
    return Context(
        actor=required_actor(),
        at=now(),
        rules=Rules(
            outcome=OutcomeRule(chosen.reviews_needed, chosen.leader_decides),
            separation=Separation(chosen.people_needed),
            authority=chosen.authority,
        ),
        post=Post(
            base_url=chosen.base_url,
            list_address=chosen.list_address,
            host=urlsplit(chosen.base_url).hostname or "localhost",
        ),
    )


def take(
    number: int,
    action: Action,
    form: KeyedForm,
    *,
    again: Again,
    done: Callable[[State], ResponseReturnValue],
    given: Mapping[str, Any] | None = None,
) -> ResponseReturnValue:
    """Take an action; a refusal shows the page again with what was typed and why."""
    acting = context()
    if not form.validate():
        return again(form, " ".join(sentence for _, sentence in form.problems()), 422)
    values: dict[str, Any] = {"reason": form["reason"].data or ""} if "reason" in form else {}
    values |= {"lock_version": form.lock_version.data, "key": form.key.data} | dict(given or {})
    try:
        state = act(number, action, Given(**values), acting)
    except (Refusal, Refused) as error:
        problem = problem_of(error)
        if problem.status in {403, 404}:
            raise
        return again(form, problem.detail, int(problem.status))
    return done(state)
