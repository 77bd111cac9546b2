"""The operator's list of organizations that the fast track recognizes."""

from collections.abc import Callable, Mapping

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.registration.declarations.registries import Field, Widget
from app.services.experts import fast_track_organizations
from app.services.experts.fast_track_organizations import Recognition
from app.services.refusals import InvalidInput, NotFound
from app.web.actions.action_submission import submit_form
from app.web.forms.request_forms import REASON, IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_operator

bp = Blueprint("organizations", __name__, url_prefix="/desk/organizations")

FIELDS: tuple[Field, ...] = (
    extra_field("name", "Organization", "Its name as requests give it.", Widget.LINE),
    extra_field("since", "Since", "The day of the decision, as YYYY-MM-DD.", Widget.LINE),
    extra_field("decision", "By which decision", "In a sentence.", Widget.LINE),
    extra_field("reference", "Where it can be read", "An address or a reference.", Widget.LINE),
)
EMAIL = extra_field("email", "Representative’s e-mail address", "Not public.", Widget.EMAIL)
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
    actor = required_operator()
    form = plain_form(*FIELDS)()

    def work(key: str) -> None:
        given = Recognition(**{field.name: form[field.name].data or "" for field in FIELDS})
        fast_track_organizations.recognize(actor, given, now(), key)

    status = submit_form(form, work)
    return _done() if status == 200 else _page(form, status)


@bp.post("/<number:ident>/<what>")
def change(ident: int, what: str) -> ResponseReturnValue:
    """Add or remove a representative, or end a recognition."""
    actor = required_operator()
    if what not in _ASKS:
        raise NotFound(page_codes.ACTION_UNKNOWN, "There is no such thing to do.")
    asked = _ASKS[what]
    form = plain_form(asked)()

    def work(key: str) -> None:
        _DOES[what](actor, ident, form[asked.name].data or "", now(), key)

    if submit_form(form, work) != 200:
        raise InvalidInput(
            page_codes.FORM_UNFIT, " ".join(sentence for _, sentence in form.problems())
        )
    return _done()


def _done() -> ResponseReturnValue:
    flash("Saved.", "ok")
    return redirect(url_for(".index"), 303)
