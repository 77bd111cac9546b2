"""The discussion of a request, and which mail somebody gets."""

from collections.abc import Callable

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField
from wtforms.validators import Optional

from app.messages.notices import MailKind
from app.registration.declarations.registries import Registry, Widget
from app.registration.submissions.text_points import point_fields
from app.services.mail import mail_desk
from app.services.requests import comments
from app.services.requests.comments import CommentInput
from app.services.requests.detail.request_detail import RequestDetail
from app.web.actions.action_submission import load_request_page
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import ChoiceField, IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import required_actor

bp = Blueprint("discussion", __name__)

BODY = extra_field(
    "comment",
    "Your comment",
    "Public. You can use Markdown for links, lists, quotes and code.",
    Widget.TEXT,
)


def comment_form(registry: Registry) -> type[IdempotentForm]:
    """The form of a comment, on the request or on one section of its template."""
    sections = [(field.name, field.label) for field in point_fields(registry)]
    return plain_form(
        BODY,
        section=ChoiceField([("", "The request"), *sections], "Choose a section.", Optional()),
        signed=BooleanField("Show my name"),
        relayed=BooleanField("Post on behalf of an expert, without a name"),
    )


@bp.post("/requests/<number:number>/comments")
def say(number: int) -> ResponseReturnValue:
    """Say something about a request."""
    required_actor()
    page = load_request_page(number)
    form = comment_form(page.row.registry)()
    return submit_form(
        form,
        lambda: comments.say(command_of(form), number, comment_given(form)),
        done=_discussed(number),
        again=lambda problem: _again(page, form, problem.status),
    )


def comment_given(form: IdempotentForm) -> CommentInput:
    """What somebody says by such a form."""
    return CommentInput(
        body=form["comment"].data or "",
        section=form["section"].data or "",
        signed=form["signed"].data,
        relayed=form["relayed"].data,
    )


@bp.post("/requests/<number:number>/comments/<number:ident>")
def change(number: int, ident: int) -> ResponseReturnValue:
    """Put other words in the place of one's own."""
    required_actor()
    page = load_request_page(number)
    form = plain_form(BODY)()
    return submit_form(
        form,
        lambda: comments.change(command_of(form), number, ident, form["comment"].data or ""),
        done=_discussed(number),
        again=lambda problem: _again(page, form, problem.status, ident),
    )


def _discussed(number: int) -> Callable[[object], ResponseReturnValue]:
    there = url_for("requests.show", number=number, _anchor="discussion")
    return redirect_after(there, "Your comment was posted.")


def _again(
    page: RequestDetail, form: IdempotentForm, status: int, ident: int | None = None
) -> ResponseReturnValue:
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
    required_actor()
    form = choices_form()()
    wanted = {kind for kind in MailKind if request.form.get(kind)}
    return submit_form(
        form,
        lambda: mail_desk.choose(command_of(form), wanted),
        done=redirect_after(url_for("sign_in.account"), "Your change was saved."),
    )
