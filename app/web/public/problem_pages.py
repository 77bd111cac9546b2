"""A page for every refusal, where the type of a problem document leads (RFC 9457)."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.problems.problem_catalogue import CODES, SECTIONS
from app.problems.problem_codes import PROBLEMS
from app.problems.problem_documents import status_of
from app.services.refusals import NotFound

bp = Blueprint("problems", __name__, url_prefix=PROBLEMS.rstrip("/"))


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every code that a refusal can have."""
    return render_template("problems/index.html", sections=SECTIONS)


@bp.get("/<code>")
def show(code: str) -> ResponseReturnValue:
    """Explain one error code: its meaning, the rule and the fix."""
    row = CODES.get(code)
    if row is None:
        raise NotFound(
            page_codes.ADDRESS_UNKNOWN,
            f"The error code `{code[:40]}` doesn’t exist. See the list at /problems/.",
        )
    return render_template("problems/show.html", row=row, status=status_of(row))
