"""The operator's mail desk."""

from collections.abc import Callable

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import TextAreaField

from app.problems import use_case_codes
from app.registration.declarations.registries import Widget
from app.services.mail import incoming_mail, mail_desk
from app.services.refusals import InvalidInput
from app.services.use_cases import Command
from app.web.actions.form_submission import (
    command_of,
    redirect_after,
    redirect_with_notice,
    submit_form,
)
from app.web.forms.request_forms import IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.request_guard import leaves_tokens
from app.web.middleware.session import required_operator

bp = Blueprint("mail", __name__, url_prefix="/desk/mail")


MOST = 50
NUMBER = extra_field("number", "Request", "For example 58.", Widget.LINE)


class PastedMailForm(IdempotentForm):
    """A whole message, as it came."""

    main = "message"
    message = TextAreaField("Message")


@bp.get("/")
def index() -> ResponseReturnValue:
    """What came in and nobody could place, what waits, and what could not be sent."""
    return _page(PastedMailForm(formdata=None), 200)


def _page(form: IdempotentForm, status: int) -> ResponseReturnValue:
    actor = required_operator()
    form.reopen(0)
    shown = {
        "mail": mail_desk.mail(actor),
        "queue": mail_desk.queue(actor, MOST),
        "bounces": mail_desk.bounces(actor, MOST),
        "form": form,
    }
    return answer_form(form.problems(), status, lambda: render_template("desk/mail.html", **shown))


@bp.post("/")
@leaves_tokens("message")  # a message comes in the same way, however it comes
def paste() -> ResponseReturnValue:
    """File a message that somebody pastes."""
    required_operator()
    form = PastedMailForm()
    return submit_form(
        form,
        lambda: mail_desk.paste(command_of(form), form["message"].data or ""),
        done=_filed,
        again=lambda problem: _page(form, problem.status),
    )


def _filed(outcome: incoming_mail.IngestResult) -> ResponseReturnValue:
    return redirect_with_notice(f"Filed as: {outcome.filed}. {outcome.why}".strip(), _here())


def _here() -> str:
    return url_for(".index")


@bp.post("/queue/<number:ident>/place")
def place(ident: int) -> ResponseReturnValue:
    """File a message of the queue under a request."""
    required_operator()
    form = plain_form(NUMBER)()
    return submit_form(
        form,
        lambda: mail_desk.place(command_of(form), ident, _number(form)),
        done=redirect_after(_here(), "The message is now a comment on the request."),
    )


def _number(form: IdempotentForm) -> int:
    text = (form["number"].data or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InvalidInput(
            use_case_codes.VALUE_MALFORMED,
            "Enter the number of a request, such as 58.",
            field="number",
        )
    return int(text)


def _press(use: Callable[[Command, int], None], ident: int, said: str) -> ResponseReturnValue:
    required_operator()
    form = plain_form()()
    return submit_form(
        form, lambda: use(command_of(form), ident), done=redirect_after(_here(), said)
    )


@bp.post("/queue/<number:ident>/draft")
def draft(ident: int) -> ResponseReturnValue:
    """Make a template of the queue a draft of whoever sent it."""
    said = "Draft created. The sender is notified by e-mail."
    return _press(mail_desk.draft, ident, said)


@bp.post("/queue/<number:ident>/discard")
def discard(ident: int) -> ResponseReturnValue:
    """Put a message of the queue aside."""
    return _press(mail_desk.discard, ident, "Message discarded.")


@bp.post("/<number:ident>/again")
def send_again(ident: int) -> ResponseReturnValue:
    """Try a message anew."""
    return _press(mail_desk.send_again, ident, "The message will be sent again within a minute.")


@bp.post("/addresses/<number:ident>/clear")
def clear(ident: int) -> ResponseReturnValue:
    """Let mail go to an address again."""
    return _press(mail_desk.clear, ident, "Waiting messages will be sent within a minute.")
