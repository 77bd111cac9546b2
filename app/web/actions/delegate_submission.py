"""Doing what a form about the delegates of a registrant says: one way for every page with one."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flask import flash, redirect
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.services.delegates.delegation import DelegateCommand
from app.services.refusals import InvalidInput, Refusal
from app.web.actions.action_submission import context
from app.web.forms.request_forms import IdempotentForm
from app.web.middleware.problem_responses import problem_of
from app.web.middleware.session import signing_secret
from app.workflow.engine import ActionRefused

Do = Callable[[], object]


def delegate_command(form: IdempotentForm, *, on_seen: bool = False) -> DelegateCommand:
    """Somebody who does what a form says, once; ``on_seen`` on what its page showed."""
    acting = context()
    return DelegateCommand(
        actor=acting.actor,
        at=acting.at,
        key=form.key.data or "",
        post=acting.post,
        secret=signing_secret(),
        seen=(form.lock_version.data or 0) if on_seen else None,
    )


def submit_delegate_form(
    form: Any,
    do: Do,
    again: Callable[[Any, int], ResponseReturnValue],
    done: Callable[[], ResponseReturnValue],
) -> ResponseReturnValue:
    """Do what a form says; a refusal shows its page again with what was typed and why."""
    try:
        if not form.validate():
            raise InvalidInput(
                page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
            )
        do()
    except (Refusal, ActionRefused) as error:
        problem = problem_of(error)
        if problem.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            raise
        if not form.errors:
            form.refuse(problem.detail, form.main if isinstance(error, InvalidInput) else "")
        return again(form, problem.status)
    return done()


def redirect_with_notice(sentence: str, path: str) -> ResponseReturnValue:
    """Lead on, with a sentence that the next page shows."""
    flash(sentence, "ok")
    return redirect(path, 303)
