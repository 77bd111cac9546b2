"""Taking an action on a request: one way for every page that has a button."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from flask.typing import ResponseReturnValue

from app.services.moves import Context, Given, Rules, act
from app.services.refusals import Refusal, Unfit
from app.services.telling import Post
from app.web.forms import REASON, KeyedForm
from app.web.problems import problem_of
from app.web.session import now, required_actor, separation, settings
from app.workflow.engine import EvidenceMissing, Refused
from app.workflow.evidence import Evidence
from app.workflow.reviews import OutcomeRule
from app.workflow.states import Action, State

# the page with its form again, or None where the form is not offered any more
Again = Callable[[Any, int], ResponseReturnValue | None]

_IN_WORDS = frozenset({Evidence.REASON, Evidence.COMMENTS, Evidence.RULE, Evidence.CHECKS_ANSWERED})


def context() -> Context:
    """Who acts now, and by which rules."""
    chosen = settings()
    return Context(
        actor=required_actor(),
        at=now(),
        rules=Rules(
            outcome=OutcomeRule(chosen.reviews_needed, chosen.leader_decides),
            separation=separation(),
            authority=chosen.authority,
            notice=chosen.notice,
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
    try:
        state = act(number, action, Given(**(_checked(form) | dict(given or {}))), acting)
    except (Refusal, Refused) as error:
        problem = problem_of(error)
        if not form.errors:
            form.refuse(problem.detail, _field_of(error, form))
        answer = None if problem.status in {403, 404} else again(form, problem.status)
        if answer is None:
            raise
        return answer
    return done(state)


def _checked(form: KeyedForm) -> dict[str, Any]:
    if not form.validate():
        raise Unfit(" ".join(sentence for _, sentence in form.problems()))
    return {name: form[name].data for name in ("key", "lock_version", "reason") if name in form}


def _field_of(error: Exception, form: KeyedForm) -> str:
    """The field that a refusal is about; none where it is about the request."""
    if isinstance(error, EvidenceMissing) and error.missing & _IN_WORDS:
        return REASON.name
    return form.main if isinstance(error, Unfit) else ""
