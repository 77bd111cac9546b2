"""Requests for everybody: the list, and one request with its story."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services.refusals import NotFound
from app.services.showing import OFFERED, Page, lists, show
from app.web.acting import take
from app.web.forms import ActionForm
from app.web.problems import answer_form
from app.web.session import current_actor, now, separation
from app.web.wording import sentence_of
from app.workflow.states import Action, State

bp = Blueprint("requests", __name__, url_prefix="/requests")

_BY_FORM = {Action.REVIEW, Action.REGISTER}  # these have a page of their own


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every pending request, waiting longest first, and the last decisions."""
    return render_template("requests/index.html", lists=lists(current_actor()), today=now())


@bp.get("/<number:number>", endpoint="show")
def show_request(number: int) -> ResponseReturnValue:
    """One request: whose turn it is, what happened, what its reader may do."""
    return _page(number, ActionForm(formdata=None))


def _look(number: int) -> Page:
    return show(number, current_actor(), now(), separation())


def _page(number: int, form: ActionForm, status: int = 200) -> ResponseReturnValue:
    page = _look(number)
    if page.row.state.is_private:
        return redirect(url_for("registrant.check", number=number), 303)
    form.reopen(page.row.lock_version)
    actions = [action for action in page.actions if action not in _BY_FORM]
    shown = {"page": page, "form": form, "today": now(), "actions": actions}
    return answer_form(
        form.problems(), status, lambda: render_template("requests/show.html", **shown)
    )


@bp.get("/<number:number>/iterations/<number:k>")
def iteration(number: int, k: int) -> ResponseReturnValue:
    """A text as it was sent in."""
    page = _look(number)
    if k > len(page.iterations):
        raise NotFound(f"Request {number} has no iteration {k}.")
    return render_template("requests/iteration.html", page=page, iteration=page.iterations[k - 1])


@bp.post("/<number:number>/<action:action>")
def act(number: int, action: Action) -> ResponseReturnValue:
    """Take one action on a request."""
    if action not in OFFERED or action in _BY_FORM:
        raise NotFound("There is no such action on this page.")
    return take(
        number,
        action,
        ActionForm(),
        again=lambda form, status: _again(number, action, form, status),
        done=lambda state: _done(number, state),
    )


def _again(
    number: int, action: Action, form: ActionForm, status: int
) -> ResponseReturnValue | None:
    """The page with what was typed, where the action is still offered there."""
    return _page(number, form, status) if action in _look(number).actions else None


def _done(number: int, state: State) -> ResponseReturnValue:
    flash(f"Done. {sentence_of(state)}", "ok")
    return redirect(url_for(".show", number=number), 303)
