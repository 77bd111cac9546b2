"""Signing in and out."""

from datetime import timedelta
from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.messages.notices import MailKind
from app.problems import use_case_codes
from app.registration.declarations.registries import Widget
from app.services.accounts import sign_in
from app.services.delegates import yearly_questions
from app.services.mail import mail_desk
from app.services.notifications import person_names
from app.services.operations.demo_people import PEOPLE
from app.services.policy import PROPOSAL
from app.services.refusals import Refusal
from app.web.accounts.form_continuation import find_continuation
from app.web.accounts.form_recovery import (
    BEGUN,
    NOT_YOURS,
    REFUSALS,
    SIGNED_IN,
    can_be_read,
    recovery_page,
    refusal_with_text,
    sign_in_form,
)
from app.web.accounts.typed_fields import TypedFields, read_kept
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import IdempotentForm, extra_field, plain_form
from app.web.forms.sign_in_forms import SignInForm
from app.web.middleware import session
from app.web.middleware.client_address import client
from app.web.middleware.problem_responses import ProblemView, answer_form, answer_with, problem_of
from app.web.middleware.request_guard import leaves_tokens
from app.web.middleware.site_paths import HOME, safe_path

bp = Blueprint("sign_in", __name__)
demo = Blueprint("demo", __name__)

_FROM_ELSEWHERE = (
    "This draft was started in another browser. Only you can see it. If that wasn’t you, delete it."
)


@bp.get("/sign-in")
def form() -> ResponseReturnValue:
    """The form that asks for a link."""
    return _form(SignInForm(formdata=None, data={"next": request.args.get("next", HOME)}))


def _form(asked: SignInForm, status: int = 200) -> ResponseReturnValue:
    wrong = [("email", str(error)) for error in asked.email.errors]
    return answer_form(wrong, status, lambda: sign_in_form(asked))


@bp.post("/sign-in")
@leaves_tokens("next")
def ask() -> ResponseReturnValue:
    """Send a link; the answer is the same whether or not the address has an account."""
    asked = SignInForm()
    if not asked.validate():
        return _form(asked, 422)
    kept = read_kept(asked.kept.data or "")
    try:
        is_kept = _send_link(asked, kept)
    except Refusal as error:
        asked.email.errors = [str(error)]
        return _form(asked, problem_of(error).status)
    asked.next.data = safe_path(asked.next.data or HOME)
    shown = {"email": asked.email.data, "kept": kept, "is_kept": is_kept}
    return render_template(
        "sign_in/sent.html",
        form=asked,
        console=not session.settings().smtp_url,
        goes_on=find_continuation(kept, asked.next.data, is_own=False),
        **shown,
    )


def _send_link(asked: SignInForm, kept: TypedFields) -> bool:
    is_kept = sign_in.ask_for_link(
        asked.email.data or "",
        safe_path(asked.next.data or HOME),
        session.now(),
        secret=session.signing_secret(),
        host=urlsplit(session.settings().base_url).hostname or "localhost",
        kept=session.marked(kept.text) if kept.text else "",
        client=client(),
    )
    return is_kept or not kept.text


@bp.get("/sign-in/<token>")
def link(token: str) -> ResponseReturnValue:
    """The page of a link: one button, since mail scanners open links."""
    return _link(token)


def _link(token: str, status: int = 200) -> ResponseReturnValue:
    found, actor = sign_in.look_at(token, session.now()), session.current_actor()
    if found is None:
        return _spent()
    lasts = sign_in.LINK_LASTS // timedelta(minutes=1)
    is_own, text = session.unmarked(found.kept)
    goes_on = find_continuation(read_kept(text), safe_path(found.next), is_own=is_own)
    shown = {"token": token, "email": found.email, "actor": actor, "lasts": lasts}
    shown |= {"goes_on": goes_on is not None, "is_own": is_own}
    asked = [("", f"This browser is signed in to another account. The link is for {found.email}.")]
    return answer_form(asked, status, lambda: render_template("sign_in/link.html", **shown))


@bp.post("/sign-in/<token>")
def use(token: str) -> ResponseReturnValue:
    """Use a link up and go on where one was; asks first where that ends another's session."""
    actor, email = session.current_actor(), sign_in.whom(token, session.now())
    known = str(actor.id) if actor else ""
    if actor and email and email != actor.email and request.form.get("instead") != known:
        return _link(token, HTTPStatus.CONFLICT)
    base_url = session.settings().base_url
    try:
        entered = sign_in.use_link(token, session.now(), client=client(), base_url=base_url)
    except sign_in.LinkSpent:
        return _spent()
    is_own, text = session.unmarked(entered.kept)
    return _enter(entered, entered.next, read_kept(text), is_own=is_own)


def _spent() -> ResponseReturnValue:
    told = ProblemView(
        use_case_codes.LINK_SPENT,
        "Link expired",
        "This link was already used or has expired.",
        answered=HTTPStatus.GONE,
    )
    return answer_with(told, lambda: render_template("sign_in/spent.html"))


def _enter(
    entered: sign_in.SignInResult, next_: str, kept: TypedFields, *, is_own: bool = True
) -> ResponseReturnValue:
    session.enter(entered)
    path = safe_path(next_)
    goes_on = find_continuation(kept, path, is_own=is_own)
    if goes_on is None:
        return _look_first(entered, path, kept, is_own=is_own)
    try:
        sent = goes_on.send()
    except REFUSALS as error:
        return refusal_with_text(error, kept)
    if sent is None:
        return _look_first(entered, path, kept, is_own=is_own)
    flash(_signed_in(entered) if is_own else f"{_signed_in(entered)} {_FROM_ELSEWHERE}", "ok")
    return sent


def _look_first(
    entered: sign_in.SignInResult, path: str, kept: TypedFields, *, is_own: bool
) -> ResponseReturnValue:
    if kept.pairs and is_own:
        return recovery_page(kept, SIGNED_IN if kept.shown else BEGUN, path)
    if kept.shown:
        return recovery_page(kept, NOT_YOURS, there=path if can_be_read(path) else HOME)
    flash(_signed_in(entered), "ok")
    return redirect(path if can_be_read(path) else HOME, 303)


def _signed_in(entered: sign_in.SignInResult) -> str:
    return f"You’re signed in as {entered.actor.shown}."


@bp.post("/sign-out")
def leave() -> ResponseReturnValue:
    """End this session."""
    session.leave()
    flash("You’re signed out.", "ok")
    return redirect(HOME, 303)


@bp.post("/account/sessions/end")
def leave_everywhere() -> ResponseReturnValue:
    """End every session of one's own, this one too."""
    sign_in.end_all(session.required_actor(), session.now())
    session.leave()
    flash("You’re signed out everywhere. Earlier sign-in links no longer work.", "ok")
    return redirect(HOME, 303)


@bp.post("/account/sessions/<mark>/end")
def end_session(mark: str) -> ResponseReturnValue:
    """End one of one's own sessions."""
    sign_in.end(session.required_actor(), mark, session.now())
    flash("The session was signed out.", "ok")
    return redirect(url_for(".account", _anchor="sessions"), 303)


NAME = extra_field(
    "name",
    "Your name",
    "Optional. Shown with comments that you sign, entries that you manage and your roles.",
    Widget.LINE,
)


@bp.get("/account")
def account() -> ResponseReturnValue:
    """Who one is here, and the way out."""
    form = plain_form(NAME)(formdata=None, data={NAME.name: session.required_actor().name})
    return _account(form, 200)


@bp.post("/account/name")
def choose_name() -> ResponseReturnValue:
    """Choose the name under which one is shown."""
    session.required_actor()
    form = plain_form(NAME)()
    return submit_form(
        form,
        lambda: person_names.choose_name(command_of(form), str(form[NAME.name].data)),
        done=redirect_after(url_for(".account"), "Saved."),
        again=lambda problem: _account(form, problem.status),
    )


def _account(form: IdempotentForm, status: int) -> ResponseReturnValue:
    actor = session.required_actor()
    form.reopen(0)
    shown = {"wanted": mail_desk.wanted_by(actor), "kinds": MailKind, "form": form}
    shown["came_back"] = mail_desk.came_back(actor)
    shown["sessions"] = sign_in.sessions_of(actor, session.present_token(), session.now())
    shown["asked"] = yearly_questions.open_questions(actor, session.now().date())
    shown |= {"actor": actor, "name": NAME}
    return answer_form(
        form.problems(), status, lambda: render_template("sign_in/account.html", **shown)
    )


@demo.get("/help/try")
def guide() -> ResponseReturnValue:
    """List pages worth seeing in the demo; its sample requests may be turned off."""
    chosen = session.settings()
    at_work = chosen.demo_requests and chosen.authority != PROPOSAL
    return render_template("help/try.html", at_work=at_work)


@demo.post(f"/demo/sign-in/<int(max={len(PEOPLE) - 1}):person>")
@leaves_tokens("next")
def enter_as(person: int) -> ResponseReturnValue:
    """Sign in as one of the demonstration's people; without another wish at their work."""
    asked, chosen = SignInForm(), PEOPLE[person]
    entered = sign_in.enter_as(chosen.email, session.now())
    begin = chosen.work if asked.next.data == HOME else asked.next.data or HOME
    return _enter(entered, begin, read_kept(asked.kept.data or ""))
