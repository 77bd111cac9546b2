"""A template that is ready: what goes where, before anything is saved; and a draft made of it."""

from collections.abc import Sequence

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.pages.tools.template_tool import MOST, TemplateToolView, place_parts
from app.registration.declarations.registries import REGISTRIES, TEMPLATE_FIELDS
from app.registration.templates.template_lint import LintFinding
from app.registration.templates.text_encodings import UnreadableText, decode_text
from app.services.accounts.rate_limits import work_turn
from app.services.names.availability import check_template
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
_WITHOUT_TEMPLATE = {one.id for one in REGISTRIES.values() if not one.template_page}
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
            placed = _placed()
        # A study takes a turn of its own.
        return _page(form, placed=placed, found=check_template(placed.decoded, placed.read))
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
            return not _placed_of(given.get("text", "").encode(), _fields_of(given)).refusals
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
    file = request.files.get("file")
    data = (file.read() if file else b"") or request.form.get("text", "").encode()
    return _placed_of(data, _fields_of(request.form))


def _fields_of(given: MultiDict[str, str]) -> list[str]:
    to, part = given.getlist("to"), given.get("part", "")
    if part.isdecimal() and len(part) < 4 and int(part) < len(to):
        to[int(part)] = given.get("into", "")
    return to


def _placed_of(data: bytes, to: Sequence[str]) -> TemplateToolView:
    if not data.strip():
        raise UnreadableText(_NOTHING)
    if len(data) > LONGEST:
        raise UnreadableText(
            "The text is larger than 768 KB. Use the command `urn-registry template read`, "
            "which accepts up to 5 MB."
        )
    decoded = decode_text(data)
    lines = decoded.text.count("\n") + 1
    if lines > MOST_LINES:
        raise UnreadableText(
            f"The text has {lines:,} lines; the limit here is {MOST_LINES:,}. Use the command "
            "`urn-registry template read` instead."
        )
    return place_parts(decoded, to)


def _page(
    form: NewRequestForm,
    status: int = 200,
    *,
    placed: TemplateToolView | None = None,
    found: Sequence[LintFinding] = (),
    wrong: list[tuple[str, str]] | None = None,
) -> ResponseReturnValue:
    form.reopen(0)
    wrong = wrong or []
    return answer_form(wrong, status, lambda: _html(form, placed=placed, found=found, wrong=wrong))


def _html(
    form: NewRequestForm,
    *,
    placed: TemplateToolView | None = None,
    found: Sequence[LintFinding] = (),
    wrong: list[tuple[str, str]],
) -> str:
    shown = {
        "form": form,
        "placed": placed,
        "found": found,
        "wrong": wrong,
        "typed": placed.text if placed else request.form.get("text", ""),
        "fields": TEMPLATE_FIELDS,
        "most": MOST,
        "kinds": [kind for kind in form.registry.choices if kind[0] not in _WITHOUT_TEMPLATE],
    }
    return render_template("tools/template.html", **shown)
