"""Help: how a request goes and who does what. It changes with the software, not with editions."""

from functools import cache

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.pages.diagram import Diagram, diagram
from app.pages.drawing import NOT_DRAWN, drawing
from app.pages.procedures import Line, lines
from app.registration.declarations import Procedure
from app.workflow.periods import APPEAL_MONTHS

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("/")
def index() -> ResponseReturnValue:
    """How a request goes, who does what, and where the tools are."""
    return render_template("help/index.html", procedures=tuple(Procedure), months=APPEAL_MONTHS)


@bp.get("/procedures")
def procedures() -> ResponseReturnValue:
    """Each procedure as a diagram, and each row of its table in words."""
    return render_template("help/procedures.html", procedures=_shown(), not_drawn=NOT_DRAWN)


@cache
def _shown() -> tuple[tuple[Procedure, Diagram, tuple[Line, ...]], ...]:
    """The tables do not change while the software runs."""
    return tuple((one, diagram(drawing(one)), lines(one)) for one in Procedure)
