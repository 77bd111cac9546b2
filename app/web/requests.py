"""Requests for everybody: the list, and one request with its story."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services.refusals import NotFound
from app.services.showing import OFFERED, lists, show
from app.web.acting import take
from app.web.forms import ActionForm
from app.web.session import current_actor, now
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


def _page(number: int, form: ActionForm, said: str = "", status: int = 200) -> ResponseReturnValue:
    page = show(number, current_actor(), now())
    if page.row.state is State.DRAFT:
        return redirect(url_for("registrant.check", number=number), 303)
    form.lock_version.data = page.row.lock_version
    shown = render_template(
        "requests/show.html",
        page=page,
        form=form,
        said=said,
        today=now(),
        actions=[action for action in page.actions if action not in _BY_FORM],
    )
    return shown, status


@bp.get("/<number:number>/iterations/<number:k>")
def iteration(number: int, k: int) -> ResponseReturnValue:
    """A text as it was sent in."""
    page = show(number, current_actor(), now())
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
        again=lambda form, said, status: _page(number, form, said, status),
        done=lambda state: _done(number, state),
    )


def _done(number: int, state: State) -> ResponseReturnValue:
    flash(f"Done. {sentence_of(state)}", "ok")
    return redirect(url_for(".show", number=number), 303)
