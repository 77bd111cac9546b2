"""Signing in and out."""

from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Blueprint, current_app, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.messages.notices import MailKind
from app.services import mail_choices, sign_in
from app.services.demo import PEOPLE
from app.services.refusals import Refusal
from app.web import session
from app.web.forms import EmailForm, plain_form
from app.web.giving_back import BEGUN, NOT_YOURS, SIGNED_IN, given_back, sign_in_form
from app.web.intake import leaves_tokens
from app.web.kept import Kept, read_kept
from app.web.paths import HOME, safe_path
from app.web.problems import Problem, answer_form, answer_with, problem_of

bp = Blueprint("signing", __name__)
demo = Blueprint("demo", __name__)


@bp.get("/sign-in")
def form() -> ResponseReturnValue:
    """The form that asks for a link."""
    return _form(EmailForm(formdata=None, data={"next": request.args.get("next", HOME)}))


def _form(asked: EmailForm, status: int = 200) -> ResponseReturnValue:
    wrong = [("email", str(error)) for error in asked.email.errors]
    return answer_form(wrong, status, lambda: sign_in_form(asked))


@bp.post("/sign-in")
@leaves_tokens("next")
def ask() -> ResponseReturnValue:
    """Send a link; the answer is the same whether or not the address has an account."""
    asked = EmailForm()
    if not asked.validate():
        return _form(asked, 422)
    try:
        _send_link(asked)
    except Refusal as error:
        asked.email.errors = [str(error)]
        return _form(asked, problem_of(error).status)
    console = not session.settings().smtp_url
    return render_template("signing/sent.html", email=asked.email.data, console=console)


def _send_link(asked: EmailForm) -> None:
    kept = read_kept(asked.kept.data or "").text
    sign_in.ask_for_link(
        asked.email.data or "",
        safe_path(asked.next.data or HOME),
        session.now(),
        secret=str(current_app.config["SECRET_KEY"]),
        host=urlsplit(session.settings().base_url).hostname or "localhost",
        kept=session.marked(kept) if kept else "",
    )


@bp.get("/sign-in/<token>")
def link(token: str) -> ResponseReturnValue:
    """The page of a link: one button, since mail scanners open links."""
    if not sign_in.is_usable(token, session.now()):
        return _spent()
    return render_template("signing/link.html", token=token)


@bp.post("/sign-in/<token>")
def use(token: str) -> ResponseReturnValue:
    """Use a link up and go on where one was."""
    try:
        entered = sign_in.use_link(token, session.now())
    except sign_in.LinkSpent:
        return _spent()
    is_own, text = session.unmarked(entered.kept)
    return _enter(entered, entered.next, read_kept(text), is_own=is_own)


def _spent() -> ResponseReturnValue:
    told = Problem(HTTPStatus.GONE, "Link spent", "This link was used already or is too old.")
    return answer_with(told, lambda: render_template("signing/spent.html"))


def _enter(
    entered: sign_in.Entered, next_: str, kept: Kept, *, is_own: bool = True
) -> ResponseReturnValue:
    session.enter(entered)
    if kept.pairs:
        action = safe_path(next_) if is_own else ""
        begun = SIGNED_IN if kept.shown else BEGUN
        return given_back(kept, begun if is_own else NOT_YOURS, action)
    flash(f"You are signed in as {entered.actor.shown}.", "ok")
    return redirect(safe_path(next_), 303)


@bp.post("/sign-out")
def leave() -> ResponseReturnValue:
    """End this session."""
    session.leave()
    flash("You are signed out.", "ok")
    return redirect(HOME, 303)


@bp.get("/account")
def account() -> ResponseReturnValue:
    """Who one is here, and the way out."""
    actor = session.required_actor()
    form = plain_form()(formdata=None)
    form.reopen(0)
    shown = {"wanted": mail_choices.wanted_by(actor), "kinds": MailKind, "form": form}
    shown["came_back"] = mail_choices.came_back(actor)
    return render_template("signing/account.html", actor=actor, **shown)


@demo.post(f"/demo/sign-in/<int(max={len(PEOPLE) - 1}):person>")
@leaves_tokens("next")
def enter_as(person: int) -> ResponseReturnValue:
    """Sign in as one of the demonstration's people."""
    asked = EmailForm()
    entered = sign_in.enter_as(PEOPLE[person].email, session.now())
    return _enter(entered, asked.next.data or HOME, read_kept(asked.kept.data or ""))
