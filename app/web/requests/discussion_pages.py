"""The discussion of a request, and which mail somebody gets."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField
from wtforms.validators import Optional

from app.messages.notices import MailKind
from app.problems import page_codes
from app.registration.declarations.registries import Registry, Widget
from app.services.mail import mail_choices
from app.services.refusals import InvalidInput
from app.services.requests import comments
from app.services.requests.comments import CommentInput
from app.services.requests.detail import RequestDetail
from app.web.actions.action_submission import load_request_page, mail_settings, submit_form
from app.web.forms.request_forms import ChoiceField, IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_actor

bp = Blueprint("discussion", __name__)

BODY = extra_field("comment", "Your comment", "Public, in Markdown.", Widget.TEXT)


def comment_form(registry: Registry) -> type[IdempotentForm]:
    """The form of a comment, on the request or on one section of its template."""
    sections = [
        (field.name, field.label)
        for field in registry.fields
        if field.public and field.widget is not Widget.FILLED_IN
    ]
    return plain_form(
        BODY,
        section=ChoiceField([("", "The request"), *sections], "Choose a section.", Optional()),
        signed=BooleanField("Show my name"),
        relayed=BooleanField("Relay it for an expert, without a name"),
    )


@bp.post("/requests/<number:number>/comments")
def say(number: int) -> ResponseReturnValue:
    """Say something about a request."""
    actor = required_actor()
    page = load_request_page(number)
    form = comment_form(page.row.registry)()

    def work(key: str) -> None:
        saying = CommentInput(
            body=form["comment"].data or "",
            section=form["section"].data or "",
            signed=form["signed"].data,
            relayed=form["relayed"].data,
        )
        comments.say(number, saying, actor, now(), mail_settings(), key)

    return _answer(page, form, submit_form(form, work), None)


@bp.post("/requests/<number:number>/comments/<number:ident>")
def change(number: int, ident: int) -> ResponseReturnValue:
    """Put other words in the place of one's own."""
    actor = required_actor()
    page = load_request_page(number)
    form = plain_form(BODY)()

    def work(key: str) -> None:
        body = form["comment"].data or ""
        comments.change(number, ident, body, actor, now(), mail_settings(), key)

    return _answer(page, form, submit_form(form, work), ident)


def _answer(
    page: RequestDetail, form: IdempotentForm, status: int, ident: int | None
) -> ResponseReturnValue:
    number = page.row.number
    if status == 200:
        flash("Your comment stands in the discussion.", "ok")
        return redirect(url_for("requests.show", number=number, _anchor="discussion"), 303)
    form.reopen(0)
    shown = {"page": page, "form": form, "ident": ident}
    return answer_form(
        form.problems(), status, lambda: render_template("requests/comment.html", **shown)
    )


def choices_form() -> type[IdempotentForm]:
    """Which kinds of mail somebody wants."""
    return plain_form(**{kind.value: BooleanField(kind.label) for kind in MailKind})


@bp.post("/account/mail")
def choose() -> ResponseReturnValue:
    """Choose which mail to get."""
    actor = required_actor()
    form = choices_form()()
    wanted = [kind for kind in MailKind if request.form.get(kind)]
    status = submit_form(form, lambda key: mail_choices.choose(actor, wanted, now(), key))
    if status != 200:
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    flash("Saved.", "ok")
    return redirect(url_for("signing.account"), 303)
