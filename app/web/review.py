"""The experts' queue and their review of one request."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services.showing import queue, show
from app.web.acting import take
from app.web.forms import ReviewForm
from app.web.session import now, required_expert
from app.web.wording import sentence_of
from app.workflow.reviews import Verdict, questions_for
from app.workflow.states import Action, State

bp = Blueprint("review", __name__, url_prefix="/review")


@bp.get("/")
def index() -> ResponseReturnValue:
    """What waits for this expert, oldest first, then what waits for others."""
    return render_template("review/index.html", queue=queue(required_expert()), today=now())


@bp.get("/<number:number>", endpoint="show")
def show_request(number: int) -> ResponseReturnValue:
    """The template, the checks and the review form, side by side."""
    return _page(number, ReviewForm(formdata=None))


def _page(number: int, form: ReviewForm, said: str = "", status: int = 200) -> ResponseReturnValue:
    page = show(number, required_expert(), now())
    if Action.REVIEW not in page.actions and status == 200:
        return redirect(url_for("requests.show", number=number), 303)
    form.lock_version.data = page.row.lock_version
    form.iteration.data = form.iteration.data or len(page.iterations)
    shown = render_template(
        "review/show.html",
        page=page,
        form=form,
        said=said,
        today=now(),
        questions=questions_for(page.row.procedure),
    )
    return shown, status


@bp.post("/<number:number>")
def send(number: int) -> ResponseReturnValue:
    """Send a review; it may decide the request."""
    required_expert()
    form = ReviewForm()
    verdict = Verdict(form.verdict.data) if form.verdict.data in set(Verdict) else None
    return take(
        number,
        Action.REVIEW,
        form,
        given={
            "iteration": form.iteration.data or 0,
            "verdict": verdict,
            "answers": form.answers(),
        },
        again=lambda form, said, status: _page(number, form, said, status),
        done=_done,
    )


def _done(state: State) -> ResponseReturnValue:
    flash(f"Your review is sent. {sentence_of(state)}", "ok")
    return redirect(url_for(".index"), 303)
