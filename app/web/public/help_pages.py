"""Help: how a request goes and who does what. It changes with the software, not with editions."""

import re
from functools import cache

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from app.identifiers.ark import parse_ark
from app.pages.diagrams.growth_chart import YearCount, edition_marks, growth_chart
from app.pages.diagrams.procedure_graph import NOT_DRAWN, drawing
from app.pages.diagrams.procedure_layout import ProcedureDiagram, diagram
from app.pages.diagrams.procedure_path import procedure_path
from app.pages.diagrams.procedure_tables import ProcedureRowView, table_lines
from app.pages.text.identifier_parts import ARK_LABELS, pieces_of_ark
from app.registration.declarations.procedure_choice import QUESTIONS, advice_for, next_question
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    TEMPLATE_FIELDS,
    DeclaredProcedure,
    Procedure,
    declared_procedures,
)
from app.registration.naans.policy_wording import PolicyStatement, statement_in_words
from app.registration.templates.sample_template import EXAMPLE, EXAMPLE_ANSWERS
from app.registration.templates.template_writer import format_template
from app.services.requests.rendered_texts import rendered_fields
from app.web.forms.request_forms import FAST_TRACK
from app.web.middleware.session import policy, settings
from app.workflow.deadlines import APPEAL_MONTHS
from app.workflow.states import State

EXAMPLE_ARK = parse_ark("ark:12345/x54xz321/s3/f8.tiff")

# Made up, for the chart that the page of pieces shows.
_YEARS = (
    {FORMAL.id: 2},
    {FORMAL.id: 5, INFORMAL.id: 1},
    {FORMAL.id: 9, INFORMAL.id: 3},
    {FORMAL.id: 14, INFORMAL.id: 4},
)

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("/")
def index() -> ResponseReturnValue:
    """How a request goes, who does what, and where the tools are."""
    return render_template(
        "help/index.html", procedures=declared_procedures(), months=APPEAL_MONTHS
    )


@bp.get("/style")
def style() -> ResponseReturnValue:
    """What the pages are made of, each piece once, and the words that they use."""
    years = [YearCount(1999 + place, 1, counts) for place, counts in enumerate(_YEARS)]
    chart = growth_chart(years)
    return render_template(
        "help/style.html",
        chart=chart,
        marks=edition_marks(chart, [(2001, 1), (2001, 2), (2002, 3)]),
        path=procedure_path(drawing(Procedure.INFORMAL), policy().procedures.due_days),
    )


@bp.get("/registering")
def registering() -> ResponseReturnValue:
    """From an idea to a registration, with a request that is filled in whole."""
    shown = {
        "fields": {**EXAMPLE, **EXAMPLE_ANSWERS},
        "rendered": rendered_fields(EXAMPLE),
        "declared": TEMPLATE_FIELDS,
    }
    return render_template("help/registering.html", **shown)


@bp.get("/ark")
def ark() -> ResponseReturnValue:
    """From wondering what an ARK is to names that lead somewhere."""
    pieces = pieces_of_ark(EXAMPLE_ARK)
    return render_template(
        "help/ark.html",
        example=pieces,
        parts=[(ARK_LABELS[one.kind], one) for one in pieces if one.kind in ARK_LABELS],
        policies=[(str(one), statement_in_words(one)) for one in PolicyStatement],
    )


@bp.get("/example.txt")
def example() -> ResponseReturnValue:
    """The filled-in template as text."""
    return Response(format_template(EXAMPLE), mimetype="text/plain")


@bp.get("/which")
def which() -> ResponseReturnValue:
    """Which procedure is whose: a question at a time, each answer in the address."""
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
    """Each procedure as a diagram, and each row of its table in words."""
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
    """The tables do not change while the software runs."""
    return tuple(
        (one, diagram(drawing(one, proposes=proposes)), table_lines(one, proposes=proposes))
        for one in declared_procedures()
    )
