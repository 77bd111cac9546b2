"""One-time links that are mailed to who acts for a registrant, or may object to a transfer."""

from collections.abc import Callable
from http import HTTPStatus

from flask import render_template
from flask.typing import ResponseReturnValue

from app.problems import use_case_codes
from app.services.accounts.sign_in import LinkSpent
from app.services.delegates import delegate_links
from app.services.delegates.delegate_mail import path_of
from app.services.delegates.delegate_scopes import scope_title
from app.web.accounts.delegate_pages import bp
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.delegate_forms import ReasonForm
from app.web.middleware.group_at_hand import hold_group
from app.web.middleware.problem_responses import ProblemView, answer_form, answer_with
from app.web.middleware.session import current_actor, now, policy


@bp.get("/links/<token>")
def link(token: str) -> ResponseReturnValue:
    """The page of a link: what it does, and one button."""
    try:
        return _link(token, ReasonForm(formdata=None))
    except LinkSpent:
        return _spent()


def _link(token: str, form: ReasonForm, status: int = 200) -> ResponseReturnValue:
    look, actor = delegate_links.look(token, current_actor(), now()), current_actor()
    form.reopen(0)
    hold_group(look.space)
    shown = {"look": look, "form": form, "token": token, "signed_in": actor is not None}
    return answer_form(
        form.problems(), status, lambda: render_template("delegates/link.html", **shown)
    )


@bp.post("/links/<token>")
def use(token: str) -> ResponseReturnValue:
    """Use a link up: act from now on, or object to a transfer."""
    form = ReasonForm()
    try:
        return _use(token, form)
    except LinkSpent:
        return _use_again(token, form)


def _use(token: str, form: ReasonForm) -> ResponseReturnValue:
    look = delegate_links.look(token, current_actor(), now())
    if look.objects:
        return _object(token, form)
    form.main = ""  # it takes no words
    if not look.is_theirs:
        return _link(token, form, 403 if current_actor() else 401)
    return submit_form(
        form,
        lambda: delegate_links.accept(command_of(form), token),
        done=_joined(token),
        again=lambda problem: _link(token, form, problem.status),
    )


def _use_again(token: str, form: ReasonForm) -> ResponseReturnValue:
    if not form.validate():
        return _spent()
    try:
        if form.reason.data or current_actor() is None:
            return _object(token, form)
        delegate_links.accept(command_of(form), token)
        return _joined(token)(None)
    except LinkSpent:
        return _spent()


def _joined(token: str) -> Callable[[object], ResponseReturnValue]:
    held = delegate_links.scope_of(token)
    return redirect_after(path_of(held), f"You now manage {scope_title(held)}.")


def _object(token: str, form: ReasonForm) -> ResponseReturnValue:
    return submit_form(
        form,
        lambda: delegate_links.object_to(token, form.reason.data or "", now(), policy().mail),
        done=redirect_after("/", "Transfer stopped. The operator is notified."),
        again=lambda problem: _link(token, form, problem.status),
    )


def _spent() -> ResponseReturnValue:
    told = ProblemView(
        use_case_codes.LINK_SPENT,
        "Link no longer valid",
        "This link was used or canceled, or has expired.",
        answered=HTTPStatus.GONE,
    )
    return answer_with(told, lambda: render_template("delegates/spent.html"))
