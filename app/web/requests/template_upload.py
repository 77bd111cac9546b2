"""A template that is ready: what goes where, before anything is saved; and a draft made of it."""

from collections.abc import Sequence

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.pages.tools.template_tool import MOST, TemplateToolView, place_parts
from app.registration.declarations.identifier_spaces import NameReport
from app.registration.declarations.registries import INFORMAL, TEMPLATE_FIELDS
from app.registration.templates.field_values import find_version
from app.registration.templates.template_lint import kind_of
from app.registration.templates.text_encodings import UnreadableText, decode_text
from app.services.accounts.work_turns import work_turn
from app.services.names.availability import name_report
from app.services.refusals import CapacityExhausted
from app.services.requests import drafts
from app.web.actions.form_submission import command_of
from app.web.forms.request_forms import NewRequestForm
from app.web.middleware.problem_responses import answer_busy, answer_form
from app.web.middleware.request_guard import (
    Pairs,
    goes_on_after_sign_in,
    keeps_nothing,
    takes_files,
)
from app.web.middleware.session import required_actor

bp = Blueprint("template_upload", __name__)

LONGEST = 768 * 1024  # octets; with what a page puts around it, it is sent again in one form
MOST_LINES = 5_000  # the longest templates have some hundreds
_NOTHING = "Paste a template, or choose a file."


@bp.get("/tools/template")
def template() -> ResponseReturnValue:
    """Where to paste a template."""
    return _page(NewRequestForm(formdata=None))


@bp.post("/tools/template")
@takes_files
@keeps_nothing
def read() -> ResponseReturnValue:
    """Show which words of a template go to which field, or go there once they are moved."""
    form = NewRequestForm(formdata=None, data={"registry": request.form.get("registry")})
    try:
        with work_turn():
            return _page(form, placed=_placed())
    except UnreadableText as error:
        return _page(form, 422, wrong=[("text", str(error))])
    except CapacityExhausted as error:
        form.reopen(0)
        wrong = [("text", str(error))]
        return answer_busy(error, "text", lambda: _html(form, wrong=wrong))


def _makes_a_draft(pairs: Pairs) -> bool:
    if not NewRequestForm.takes(pairs):
        return False
    given = MultiDict(pairs)
    try:
        with work_turn():
            return not _placed_of(given.get("text", "").encode(), given.getlist("to")).refusals
    except (UnreadableText, CapacityExhausted):
        return False


@bp.post("/requests/new/template")
@takes_files
@goes_on_after_sign_in(anywhere=True, takes=_makes_a_draft)
def draft() -> ResponseReturnValue:
    """Make a draft of a template, with its parts in the fields that were chosen."""
    required_actor()
    form = NewRequestForm()
    try:
        placed = _placed()
    except UnreadableText as error:
        return _page(form, 422, wrong=[("text", str(error))])
    if not form.validate() or placed.refusals:
        wrong = [*form.problems(), *(("text", sentence) for _, sentence in placed.refusals)]
        return _page(form, 422, placed=placed, wrong=wrong)
    number = drafts.start(command_of(form), *form.chosen, fields=placed.for_draft)
    return redirect(url_for("registrant.begin", number=number), 303)


def _placed() -> TemplateToolView:
    """The template that came in; UnreadableText for none, and for what is no text."""
    file = request.files.get("file")
    data = (file.read() if file else b"") or request.form.get("text", "").encode()
    return _placed_of(data, request.form.getlist("to"))


def _placed_of(data: bytes, to: Sequence[str]) -> TemplateToolView:
    if not data.strip():
        raise UnreadableText(_NOTHING)
    if len(data) > LONGEST:
        raise UnreadableText(
            "It is larger than 768 KB. The command `urn-registry template read` takes up to 5 MB."
        )
    decoded = decode_text(data)
    lines = decoded.text.count("\n") + 1
    if lines > MOST_LINES:
        raise UnreadableText(
            f"It has {lines:,} lines, and {MOST_LINES:,} are read here. The command "
            "`urn-registry template read` takes more."
        )
    return place_parts(decoded, to)


def _page(
    form: NewRequestForm,
    status: int = 200,
    *,
    placed: TemplateToolView | None = None,
    wrong: list[tuple[str, str]] | None = None,
) -> ResponseReturnValue:
    form.reopen(0)
    wrong = wrong or []
    return answer_form(wrong, status, lambda: _html(form, placed=placed, wrong=wrong))


def _html(
    form: NewRequestForm, *, placed: TemplateToolView | None = None, wrong: list[tuple[str, str]]
) -> str:
    shown = {
        "form": form,
        "placed": placed,
        "named": _check_name(placed) if placed else None,
        "wrong": wrong,
        "typed": placed.text if placed else request.form.get("text", ""),
        "fields": TEMPLATE_FIELDS,
        "most": MOST,
    }
    return render_template("tools/template.html", **shown)


def _check_name(placed: TemplateToolView) -> NameReport | None:
    """Return what the form would find in the name of a template for a new formal namespace."""
    identifier = placed.fields.get("namespace_identifier", "")
    revises = (find_version(placed.fields.get("version", "")) or 1) > 1
    if revises or kind_of(identifier) == INFORMAL.kind:
        return None
    return name_report(placed.for_draft.get("namespace_identifier", ""))
