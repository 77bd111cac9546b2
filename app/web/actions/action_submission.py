"""Taking an action on a request: one way for every page that has a button."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.services.notifications.event_notices import MailSettings
from app.services.refusals import InvalidInput, Refusal
from app.services.requests.detail import ActionOffer, RequestDetail, offer_of, show
from app.services.requests.request_actions import ActionContext, ActionInput, ProcedureSettings, act
from app.web.forms.request_forms import EvidenceForm, IdempotentForm
from app.web.middleware.problem_responses import problem_of
from app.web.middleware.session import current_actor, now, required_actor, separation, settings
from app.workflow.deadlines import DUE_DAYS
from app.workflow.engine import ActionRefused, EvidenceMissing
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.evidence_inputs import ASKED_FOR
from app.workflow.reviews import OutcomeRule
from app.workflow.states import Action, State

# the page with its form again, or None where the form is not offered any more
Again = Callable[[Any, int], ResponseReturnValue | None]

_ASKED_FOR = {
    **ASKED_FOR,
    Evidence.CHECKS_ANSWERED: EvidenceInput.WORDS,
    Evidence.REPORT: EvidenceInput.REPORT,
}


def mail_settings() -> MailSettings:
    """Where mail goes."""
    chosen = settings()
    return MailSettings(
        base_url=chosen.base_url,
        list_address=chosen.list_address,
        host=urlsplit(chosen.base_url).hostname or "localhost",
    )


def context() -> ActionContext:
    """Who acts now, and by which rules."""
    return ActionContext(actor=required_actor(), at=now(), rules=rules(), post=mail_settings())


def rules() -> ProcedureSettings:
    """What of the procedures is a setting."""
    chosen = settings()
    return ProcedureSettings(
        outcome=OutcomeRule(chosen.reviews_needed, chosen.leader_decides),
        separation=separation(),
        authority=chosen.authority,
        notice=chosen.notice,
        due_days={**DUE_DAYS, **dict(chosen.due_days)},
        appeal_months=chosen.appeal_months,
        reminder_days=chosen.reminder_days,
    )


def load_request_page(number: int) -> RequestDetail:
    """A request for whoever asks."""
    return show(number, current_actor(), now(), rules())


def look_at_offer(number: int, action: Action) -> ActionOffer:
    """What an action on a request asks of whoever is signed in, if it is open to them."""
    return offer_of(number, action, required_actor(), now(), rules())


def submit_action(
    number: int,
    action: Action,
    form: IdempotentForm,
    *,
    again: Again,
    done: Callable[[State], ResponseReturnValue],
    given: Mapping[str, Any] | None = None,
) -> ResponseReturnValue:
    """Take an action; a refusal shows the page again with what was typed and why."""
    acting = context()
    try:
        state = act(number, action, ActionInput(**(_checked(form) | dict(given or {}))), acting)
    except (Refusal, ActionRefused) as error:
        problem = problem_of(error)
        if not form.errors:
            form.refuse(problem.detail, _field_of(error, form))
        answer = None if problem.status in {403, 404} else again(form, problem.status)
        if answer is None:
            raise
        return answer
    return done(state)


def submit_form(form: IdempotentForm, work: Callable[[str], None]) -> int:
    """Do what a small form asks for, under its key; gives 200, or the status of a refusal.

    What is wrong stands in the form then. What is not there or not allowed is raised.
    """
    try:
        _checked(form)
        work(str(form.key.data))
    except Refusal as error:
        problem = problem_of(error)
        if problem.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
            raise
        if not form.errors:
            form.refuse(problem.detail, _field_of(error, form))
        return problem.status
    return HTTPStatus.OK


def _checked(form: IdempotentForm) -> dict[str, Any]:
    """What a form gives, its texts fitted; Unfit where it cannot be used."""
    if not form.validate():
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    names = ("key", "lock_version", "reason", "iteration")
    details = {"details": form.details} if isinstance(form, EvidenceForm) else {}
    return {name: form[name].data for name in names if name in form} | details


def _field_of(error: Exception, form: IdempotentForm) -> str:
    """The field that a refusal is about; none where it is about the request."""
    if isinstance(error, EvidenceMissing):
        asked = (_ASKED_FOR.get(evidence) for way in error.ways for evidence in way)
        return next((ask for ask in asked if ask and ask in form), "")
    return form.main if isinstance(error, InvalidInput) else ""
