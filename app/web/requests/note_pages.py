"""What operators keep for themselves: notes on a request, words for again."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.registration.declarations.registries import Widget
from app.services.refusals import InvalidInput
from app.services.requests import internal_notes
from app.web.actions.action_submission import submit_form
from app.web.forms.request_forms import IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_operator

bp = Blueprint("notes", __name__)

NOTE = extra_field("note", "Note", "Only operators see it.", Widget.TEXT)
TITLE = extra_field("title", "Title", "Words under the same title are replaced.", Widget.LINE)
BODY = extra_field("body", "Words", "As you would write them to a registrant.", Widget.TEXT)


@bp.post("/requests/<number:number>/notes")
def note(number: int) -> ResponseReturnValue:
    """Keep a note on a request."""
    actor = required_operator()
    form = plain_form(NOTE)()

    def work(key: str) -> None:
        internal_notes.note(number, form["note"].data or "", actor, now(), key)

    if submit_form(form, work) != 200:
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    flash("Noted. Only operators see it.", "ok")
    return redirect(url_for("requests.show", number=number), 303)


@bp.get("/desk/replies")
def replies() -> ResponseReturnValue:
    """The words that are kept for again."""
    return _replies(plain_form(TITLE, BODY)(formdata=None), 200)


def _replies(form: IdempotentForm, status: int) -> ResponseReturnValue:
    texts = internal_notes.reply_texts(required_operator())
    form.reopen(0)
    shown = {"texts": texts, "form": form, "fields": (TITLE, BODY)}
    return answer_form(
        form.problems(), status, lambda: render_template("desk/replies.html", **shown)
    )


@bp.post("/desk/replies")
def keep() -> ResponseReturnValue:
    """Keep words under a title."""
    actor = required_operator()
    form = plain_form(TITLE, BODY)()

    def work(key: str) -> None:
        title, body = form["title"].data or "", form["body"].data or ""
        internal_notes.keep_reply_text(title, body, actor, now(), key)

    status = submit_form(form, work)
    return _kept("Kept.") if status == 200 else _replies(form, status)


@bp.post("/desk/replies/remove")
def remove() -> ResponseReturnValue:
    """Take words away."""
    actor = required_operator()
    form = plain_form(TITLE)()

    def work(key: str) -> None:
        internal_notes.remove_reply_text(form["title"].data or "", actor, now(), key)

    status = submit_form(form, work)
    if status != 200:
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    return _kept("Removed.")


def _kept(said: str) -> ResponseReturnValue:
    flash(said, "ok")
    return redirect(url_for(".replies"), 303)
