"""What operators keep for themselves: notes on a request, words for again."""

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.registration.declarations.registries import Widget
from app.services.requests import comments
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import required_operator

bp = Blueprint("notes", __name__)

NOTE = extra_field("note", "Note", "Only operators can see the note.", Widget.TEXT)
TITLE = extra_field("title", "Title", "A text with the same title is replaced.", Widget.LINE)
BODY = extra_field("body", "Text", "As you would write it to a registrant.", Widget.TEXT)


@bp.post("/requests/<number:number>/notes")
def note(number: int) -> ResponseReturnValue:
    """Keep a note on a request."""
    required_operator()
    form = plain_form(NOTE)()
    return submit_form(
        form,
        lambda: comments.note(command_of(form), number, form["note"].data or ""),
        done=redirect_after(
            url_for("requests.show", number=number), "Note saved. Only operators can see the note."
        ),
    )


@bp.get("/desk/replies")
def replies() -> ResponseReturnValue:
    """The words that are kept for again."""
    return _replies(plain_form(TITLE, BODY)(formdata=None), 200)


def _replies(form: IdempotentForm, status: int) -> ResponseReturnValue:
    texts = comments.reply_texts(required_operator())
    form.reopen(0)
    shown = {"texts": texts, "form": form, "fields": (TITLE, BODY)}
    return answer_form(
        form.problems(), status, lambda: render_template("desk/replies.html", **shown)
    )


@bp.post("/desk/replies")
def keep() -> ResponseReturnValue:
    """Keep words under a title."""
    required_operator()
    form = plain_form(TITLE, BODY)()

    def use() -> None:
        title, body = form["title"].data or "", form["body"].data or ""
        comments.keep_reply_text(command_of(form), title, body)

    return submit_form(
        form,
        use,
        done=redirect_after(url_for(".replies"), "Text saved."),
        again=lambda problem: _replies(form, problem.status),
    )


@bp.post("/desk/replies/remove")
def remove() -> ResponseReturnValue:
    """Take words away."""
    required_operator()
    form = plain_form(TITLE)()
    return submit_form(
        form,
        lambda: comments.remove_reply_text(command_of(form), form["title"].data or ""),
        done=redirect_after(url_for(".replies"), "Text removed."),
    )
