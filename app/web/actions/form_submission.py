"""Running a form against a use case: one way for every page that changes something."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from flask import flash, redirect
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.services.refusals import InvalidInput, Refusal
from app.services.use_cases import Command
from app.web.forms.request_forms import PRIORITY, IdempotentForm
from app.web.middleware.problem_responses import ProblemView, problem_of
from app.web.middleware.session import now, policy, required_actor
from app.workflow.engine import ActionRefused, EvidenceMissing
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.evidence_inputs import ASKED_FOR

Answer = TypeVar("Answer")
# the page with its form again, or None where the form is not offered any more
Again = Callable[[ProblemView], ResponseReturnValue | None]
FieldFinder = Callable[[Exception, IdempotentForm], str]

_RAISED = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_ASKED_FOR: dict[Evidence, str] = {
    **ASKED_FOR,
    Evidence.CHECKS_ANSWERED: EvidenceInput.WORDS,
    Evidence.REPORT: EvidenceInput.REPORT,
    Evidence.FIRST_SENT: PRIORITY.name,
}


def command_of(form: IdempotentForm) -> Command:
    """What whoever is signed in does by a form: once, and on what its page showed."""
    return Command(
        actor=required_actor(),
        at=now(),
        key=form.key.data or "",
        policy=policy(),
        seen=form.lock_version.data or 0,
    )


def field_of_refusal(error: Exception, form: IdempotentForm) -> str:
    """The field that a refusal is about; none where it is about the thing as a whole."""
    if isinstance(error, EvidenceMissing):
        asked = (_ASKED_FOR.get(evidence) for way in error.ways for evidence in way)
        return next((ask for ask in asked if ask and ask in form), "")
    return form.main if isinstance(error, InvalidInput) else ""


def field_named(error: Exception, form: IdempotentForm) -> str:
    """The field that a refusal names, where the form has it."""
    named = getattr(error, "field", "")
    return named if named in form else form.main


def submit_form(
    form: IdempotentForm,
    use: Callable[[], Answer],
    done: Callable[[Answer], ResponseReturnValue],
    again: Again | None = None,
    field_of: FieldFinder = field_of_refusal,
) -> ResponseReturnValue:
    """Do what a form asks for; a refusal shows its page again with what was typed and why.

    What is not there, not allowed or spent is raised, but for what a field of the form names, as a
    prefix that is not one's own to give; and so is every refusal where there is no page to show
    again, as of a button that stands at no field.
    """
    try:
        _check(form)
        answer = use()
    except (Refusal, ActionRefused) as error:
        problem = problem_of(error)
        if problem.status in _RAISED and getattr(error, "field", "") not in form:
            raise
        if not form.errors:
            form.refuse(problem.detail, field_of(error, form))
        page = again(problem) if again else None
        if page is None:
            raise
        return page
    return done(answer)


def _check(form: IdempotentForm) -> None:
    if not form.validate():
        raise form_refusal(form)


def form_refusal(form: IdempotentForm) -> InvalidInput:
    """The refusal of a form, in the sentences of its fields."""
    sentences = (sentence for _, sentence in form.problems())
    return InvalidInput(page_codes.FORM_UNFIT, " ".join(sentences))


def redirect_with_notice(sentence: str, path: str) -> ResponseReturnValue:
    """Lead on, with a sentence that the next page shows."""
    flash(sentence, "ok")
    return redirect(path, 303)


def redirect_after(path: str, sentence: str) -> Callable[[object], ResponseReturnValue]:
    """What follows a form that was carried out: a sentence, on another page."""
    return lambda _answer: redirect_with_notice(sentence, path)
