"""The operator's mail desk."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import TextAreaField

from app.problems import page_codes, use_case_codes
from app.registration.declarations.registries import Widget
from app.services.mail import incoming_mail, mail_desk
from app.services.refusals import InvalidInput
from app.web.actions.action_submission import mail_settings, submit_form
from app.web.forms.request_forms import IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.request_guard import leaves_tokens
from app.web.middleware.session import now, required_operator, signing_secret

bp = Blueprint("mail", __name__, url_prefix="/desk/mail")


MOST = 50
NUMBER = extra_field("number", "Request", "Its number.", Widget.LINE)


class PastedMailForm(IdempotentForm):
    """A whole message, as it came."""

    main = "message"
    message = TextAreaField("The message")


@bp.get("/")
def index() -> ResponseReturnValue:
    """What came in and nobody could place, what waits, and what could not be sent."""
    return _page(PastedMailForm(formdata=None), 200)


def _page(form: IdempotentForm, status: int) -> ResponseReturnValue:
    actor = required_operator()
    form.reopen(0)
    shown = {
        "mail": mail_desk.mail(actor),
        "queue": incoming_mail.queue(actor, MOST),
        "bounces": incoming_mail.bounces(actor, MOST),
        "form": form,
    }
    return answer_form(form.problems(), status, lambda: render_template("desk/mail.html", **shown))


@bp.post("/")
@leaves_tokens("message")  # a message comes in the same way, however it comes
def paste() -> ResponseReturnValue:
    """File a message that somebody pastes."""
    actor = required_operator()
    form = PastedMailForm()
    outcomes: list[incoming_mail.IngestResult] = []

    def work(_key: str) -> None:
        raw = form["message"].data or ""
        secret = signing_secret()
        outcomes.append(incoming_mail.paste(raw, actor, now(), mail_settings(), secret=secret))

    status = submit_form(form, work)
    if status != 200:
        return _page(form, status)
    flash(f"Filed as: {outcomes[0].filed}. {outcomes[0].why}".strip(), "ok")
    return redirect(url_for(".index"), 303)


@bp.post("/queue/<number:ident>/place")
def place(ident: int) -> ResponseReturnValue:
    """File a message of the queue under a request."""
    actor = required_operator()
    form = plain_form(NUMBER)()

    def work(key: str) -> None:
        text = (form["number"].data or "").strip()
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise InvalidInput(
                use_case_codes.VALUE_MALFORMED,
                "Enter the number of a request, such as 58.",
                field="number",
            )
        incoming_mail.place(ident, int(text), actor, now(), mail_settings(), key)

    return _done(form, submit_form(form, work), "It stands in the discussion.")


@bp.post("/queue/<number:ident>/draft")
def draft(ident: int) -> ResponseReturnValue:
    """Make a template of the queue a draft of whoever sent it."""
    actor = required_operator()
    form = plain_form()()
    status = submit_form(
        form, lambda key: incoming_mail.draft(ident, actor, now(), mail_settings(), key)
    )
    return _done(form, status, "It is a draft. Its sender is told how to look at it and send it.")


@bp.post("/queue/<number:ident>/discard")
def discard(ident: int) -> ResponseReturnValue:
    """Put a message of the queue aside."""
    actor = required_operator()
    form = plain_form()()
    status = submit_form(form, lambda key: incoming_mail.discard(ident, actor, now(), key))
    return _done(form, status, "It is put aside.")


@bp.post("/<number:ident>/again")
def send_again(ident: int) -> ResponseReturnValue:
    """Try a message anew."""
    actor = required_operator()
    form = plain_form()()
    status = submit_form(form, lambda key: mail_desk.send_again(ident, actor, now(), key))
    return _done(form, status, "It is tried again within a minute.")


@bp.post("/addresses/<number:ident>/clear")
def clear(ident: int) -> ResponseReturnValue:
    """Let mail go to an address again."""
    actor = required_operator()
    form = plain_form()()
    status = submit_form(form, lambda key: mail_desk.clear(ident, actor, now(), key))
    return _done(form, status, "What waits for it is sent within a minute.")


def _done(form: IdempotentForm, status: int, said: str) -> ResponseReturnValue:
    if status != 200:
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    flash(said, "ok")
    return redirect(url_for(".index"), 303)
