"""The operator's list of organizations that the fast track recognizes."""

from collections.abc import Callable, Mapping

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.registration.declarations.registries import Field, Widget
from app.services.experts import fast_track_organizations
from app.services.experts.fast_track_organizations import Recognition
from app.services.refusals import NotFound
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import REASON, IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_operator

bp = Blueprint("organizations", __name__, url_prefix="/desk/organizations")

FIELDS: tuple[Field, ...] = (
    extra_field("name", "Organization", "The name as written in requests.", Widget.LINE),
    extra_field("since", "Since", "Date of the decision, as YYYY-MM-DD.", Widget.LINE),
    extra_field("decision", "Decision", "One sentence.", Widget.LINE),
    extra_field("reference", "Published at", "A URL or a reference.", Widget.LINE),
)
EMAIL = extra_field("email", "Representative’s e-mail", "Not public.", Widget.EMAIL)
_DOES: Mapping[str, Callable[..., None]] = {
    "add": fast_track_organizations.add_representative,
    "remove": fast_track_organizations.remove_representative,
    "end": fast_track_organizations.end,
}
_ASKS = {"add": EMAIL, "remove": EMAIL, "end": REASON}


@bp.get("/")
def index() -> ResponseReturnValue:
    """The list, and the form that adds to it."""
    return _page(plain_form(*FIELDS)(formdata=None), 200)


def _page(form: IdempotentForm, status: int) -> ResponseReturnValue:
    listed = fast_track_organizations.all_recognized(required_operator(), now())
    form.reopen(0)
    shown = {"organizations": listed, "form": form, "fields": FIELDS, "email": EMAIL}
    return answer_form(
        form.problems(), status, lambda: render_template("desk/organizations.html", **shown)
    )


@bp.post("/")
def add() -> ResponseReturnValue:
    """Enter a recognition that was decided elsewhere."""
    required_operator()
    form = plain_form(*FIELDS)()

    def use() -> None:
        given = Recognition(**{field.name: form[field.name].data or "" for field in FIELDS})
        fast_track_organizations.recognize(command_of(form), given)

    return submit_form(
        form,
        use,
        done=redirect_after(url_for(".index"), "Saved."),
        again=lambda problem: _page(form, problem.status),
    )


@bp.post("/<number:ident>/<what>")
def change(ident: int, what: str) -> ResponseReturnValue:
    """Add or remove a representative, or end a recognition."""
    required_operator()
    if what not in _ASKS:
        raise NotFound(
            page_codes.ACTION_UNKNOWN, "This action isn’t available. Go back to the list."
        )
    name = _ASKS[what].name
    form = plain_form(_ASKS[what])()
    return submit_form(
        form,
        lambda: _DOES[what](command_of(form), ident, form[name].data or ""),
        done=redirect_after(url_for(".index"), "Saved."),
    )
