"""Signing in and out."""

import json
from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Blueprint, current_app, flash, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError

from app.services import sign_in
from app.services.demo import PEOPLE
from app.services.refusals import NotFound, Unfit
from app.web import problems, session
from app.web.forms import EmailForm
from app.web.problems import SignedOut

bp = Blueprint("signing", __name__)
demo = Blueprint("demo", __name__)

_MOST_KEPT = 900_000


def safe_path(path: str) -> str:
    """A path of this site, or its first page for anything that leads elsewhere."""
    parts = urlsplit(path) if path.isascii() and path.isprintable() else None
    leads_away = (
        parts is None or parts.scheme or parts.netloc or "\\" in path or path.startswith("//")
    )
    return path if path.startswith("/") and not leads_away else "/"


@bp.get("/sign-in")
def form() -> ResponseReturnValue:
    """The form that asks for a link."""
    return _form(EmailForm(data={"next": safe_path(request.args.get("next", "/"))}))


def _form(asked: EmailForm, status: int = 200, said: str = "") -> ResponseReturnValue:
    people = PEOPLE if session.settings().demo else ()
    kept = _fields(asked.kept.data or "")
    page = render_template("signing/form.html", form=asked, people=people, kept=kept, said=said)
    return page, status


@bp.post("/sign-in")
def ask() -> ResponseReturnValue:
    """Send a link; the answer is the same whether or not the address has an account."""
    asked = EmailForm()
    if not asked.validate():
        return _form(asked, 422)
    chosen = session.settings()
    try:
        sign_in.ask_for_link(
            asked.email.data or "",
            safe_path(asked.next.data or "/"),
            session.now(),
            secret=_secret(),
            host=urlsplit(chosen.base_url).hostname or "localhost",
            kept=(asked.kept.data or "")[:_MOST_KEPT],
        )
    except Unfit as error:
        asked.email.errors = [str(error)]
        return _form(asked, 422)
    console = not chosen.smtp_url
    return render_template("signing/sent.html", email=asked.email.data, console=console)


def _secret() -> str:
    return str(current_app.config["SECRET_KEY"])


@bp.get("/sign-in/<token>")
def link(token: str) -> ResponseReturnValue:
    """The page of a link: one button, since mail scanners open links."""
    if not sign_in.is_usable(token, session.now()):
        return _private(render_template("signing/spent.html"), 410)
    return _private(render_template("signing/link.html", token=token), 200)


@bp.post("/sign-in/<token>")
def use(token: str) -> ResponseReturnValue:
    """Use a link up and go on where one was."""
    try:
        entered = sign_in.use_link(token, session.now())
    except sign_in.LinkSpent:
        return _private(render_template("signing/spent.html"), 410)
    return _entered(entered)


def _private(page: str, status: int) -> ResponseReturnValue:
    response = make_response(page, status)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _entered(entered: sign_in.Entered) -> ResponseReturnValue:
    session.enter(entered)
    next_ = safe_path(entered.next)
    kept = _fields(entered.kept)
    if kept:
        return render_template("signing/kept.html", kept=kept, action=next_)
    flash(f"You are signed in as {entered.actor.shown}.", "ok")
    return redirect(next_, 303)


@bp.post("/sign-out")
def leave() -> ResponseReturnValue:
    """End this session."""
    session.leave()
    flash("You are signed out.", "ok")
    return redirect("/", 303)


@bp.get("/account")
def account() -> ResponseReturnValue:
    """Who one is here, and the way out."""
    return render_template("signing/account.html", actor=session.required_actor())


@demo.post("/demo/sign-in/<int:person>")
def enter_as(person: int) -> ResponseReturnValue:
    """Sign in as one of the demonstration's people."""
    if person >= len(PEOPLE):
        raise NotFound("The demonstration has no such person.")
    asked = EmailForm()
    entered = sign_in.enter_as(PEOPLE[person].email, session.now())
    kept = (asked.kept.data or "")[:_MOST_KEPT]
    return _entered(
        sign_in.Entered(entered.token, safe_path(asked.next.data or "/"), entered.actor, kept)
    )


def signed_out(_error: SignedOut) -> ResponseReturnValue:
    """Send a reader to the form; give a writer the form together with what they wrote."""
    if not problems.wants_page():
        status = HTTPStatus.UNAUTHORIZED
        return problems.answer(problems.Problem(status, "Signed out", "Sign in first."))
    if request.method != "POST":
        return redirect(f"/sign-in?next={request.path}", 303)
    own = session.is_own_page(session.settings().base_url)
    kept = json.dumps([[k, v] for k, v in request.form.items(multi=True) if k != "csrf_token"])
    form = EmailForm(
        formdata=None, data={"next": safe_path(request.path), "kept": kept if own else ""}
    )
    return _form(form, 401, "You were signed out. Sign in; your text comes back.")


def on_csrf(_error: CSRFError) -> ResponseReturnValue:
    """A form without a valid token: most often its session ran out."""
    if session.current_actor() is None and request.endpoint not in _OPEN:
        return signed_out(SignedOut())
    return problems.answer(problems.FORM_TOO_OLD)


_OPEN = frozenset({"signing.ask", "signing.use", "signing.leave", "demo.enter_as"})


def _fields(kept: str) -> list[tuple[str, str]]:
    try:
        pairs = json.loads(kept) if kept else []
        return [(str(name), str(value)) for name, value in pairs]
    except (ValueError, TypeError):
        return []
