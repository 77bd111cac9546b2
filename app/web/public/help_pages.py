"""Help pages: tasks, procedures and the glossary."""

import re
from functools import cache
from http import HTTPStatus

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.identifiers.ark import parse_ark
from app.pages.diagrams.procedure_graph import NOT_DRAWN, drawing
from app.pages.diagrams.procedure_layout import ProcedureDiagram, diagram, procedure_path
from app.pages.diagrams.procedure_tables import ProcedureRowView, table_lines
from app.pages.text.phrases import ARK_LABELS, pieces_of_ark
from app.registration.declarations.procedure_choice import QUESTIONS, advice_for, next_question
from app.registration.declarations.registries import (
    TEMPLATE_FIELDS,
    DeclaredProcedure,
    Procedure,
    declared_procedures,
)
from app.registration.naans.policy_wording import PolicyStatement, statement_in_words
from app.registration.templates.sample_template import EXAMPLE, EXAMPLE_ANSWERS
from app.registration.templates.template_writer import format_template
from app.services.requests.draft_preview import rendered_fields
from app.web.forms.request_forms import FAST_TRACK
from app.web.middleware.session import policy, settings
from app.workflow.deadlines import APPEAL_MONTHS
from app.workflow.states import State

EXAMPLE_ARK = parse_ark("ark:12345/x54xz321/s3/f8.tiff")

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("/")
def index() -> ResponseReturnValue:
    """List the tasks, and explain how requests are decided."""
    return render_template("help/index.html", months=APPEAL_MONTHS)


@bp.get("/style")
def style() -> ResponseReturnValue:
    """Redirect to the glossary, which replaced this page."""
    return redirect(url_for("help.show", task="glossary"), HTTPStatus.MOVED_PERMANENTLY)


@bp.get("/<any(checking,downloading,glossary,minting,reviewing):task>")
def show(task: str) -> ResponseReturnValue:
    """Show a page that needs nothing but its template."""
    return render_template(f"help/{task}.html")


@bp.get("/registering")
def registering() -> ResponseReturnValue:
    """Explain how to register a namespace, with a complete example."""
    shown = {
        "fields": {**EXAMPLE, **EXAMPLE_ANSWERS},
        "rendered": rendered_fields(EXAMPLE),
        "declared": TEMPLATE_FIELDS,
    }
    return render_template("help/registering.html", **shown)


@bp.get("/ark")
def ark() -> ResponseReturnValue:
    """Explain what an ARK is and how to get a NAAN."""
    pieces = pieces_of_ark(EXAMPLE_ARK)
    return render_template(
        "help/ark.html",
        example=pieces,
        parts=[(ARK_LABELS[one.kind], one) for one in pieces if one.kind in ARK_LABELS],
        policies=[(str(one), statement_in_words(one)) for one in PolicyStatement],
    )


@bp.get("/example.txt")
def example() -> ResponseReturnValue:
    """Return the example template as text."""
    return Response(format_template(EXAMPLE), mimetype="text/plain")


@bp.get("/which")
def which() -> ResponseReturnValue:
    """Find a procedure by yes-or-no questions; the answers are in the query."""
    given = request.args.get("answers", "")
    known = re.fullmatch(f"n{{0,{len(QUESTIONS)}}}|n{{0,{len(QUESTIONS) - 1}}}y", given)
    answers = [answer == "y" for answer in given] if known else []
    way = advice_for(answers)
    shown = {
        "answers": given if known else "",
        "asked": next_question(answers),
        "questions": QUESTIONS,
        "way": way,
        "kind": FAST_TRACK if way.procedure is Procedure.FAST_TRACK else way.registry,
    }
    return render_template("help/which.html", **shown)


@bp.get("/procedures")
def procedures() -> ResponseReturnValue:
    """Show each procedure as a list, a diagram and a table."""
    return render_template(
        "help/procedures.html",
        procedures=_shown(proposes=settings().authority == "proposal"),
        path_of=lambda graph: procedure_path(graph, policy().procedures.due_days),
        not_drawn=NOT_DRAWN,
        said_plainly=[state for state in State if state.plain != state.word],
    )


@cache
def _shown(
    *, proposes: bool
) -> tuple[tuple[DeclaredProcedure, ProcedureDiagram, tuple[ProcedureRowView, ...]], ...]:
    return tuple(
        (one, diagram(drawing(one, proposes=proposes)), table_lines(one, proposes=proposes))
        for one in declared_procedures()
    )
