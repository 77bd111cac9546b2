"""The operator's list of holders that are silent."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.registration.naans.yearly_question import DAYS_TO_ANSWER
from app.services.delegates import yearly_questions
from app.web.middleware.session import now, required_operator

bp = Blueprint("holders", __name__, url_prefix="/desk/holders")


@bp.get("/")
def index() -> ResponseReturnValue:
    """Whose holders did not answer whether all is right, the longest first."""
    required_operator()
    after = request.args.get("after", "")
    shown = yearly_questions.silent_page(now(), after)
    told = {"shown": shown, "is_first": not after, "days": DAYS_TO_ANSWER}
    return render_template("desk/holders.html", **told)
