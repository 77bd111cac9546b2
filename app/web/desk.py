"""The operator's desk: what is to be checked and registered, and what went wrong."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.services.registering import Reference
from app.services.showing import desk, registering_of
from app.web.acting import take
from app.web.forms import RegisterForm
from app.web.session import now, required_operator, settings
from app.workflow.people import Separation
from app.workflow.states import Action

bp = Blueprint("desk", __name__, url_prefix="/desk")


@bp.get("/")
def index() -> ResponseReturnValue:
    """Everything that waits for the operator, oldest first."""
    required_operator()
    return render_template("desk/index.html", desk=desk(), today=now())


@bp.get("/<number:number>/register")
def form(number: int) -> ResponseReturnValue:
    """The row as it will stand between its neighbours."""
    given = Reference(request.args.get("reference", ""), request.args.get("label", ""))
    return _page(number, RegisterForm(formdata=None), given=given if given.data else None)


def _page(
    number: int,
    form: RegisterForm,
    said: str = "",
    status: int = 200,
    given: Reference | None = None,
) -> ResponseReturnValue:
    chosen = settings()
    look = registering_of(
        number,
        required_operator(),
        now(),
        base_url=chosen.base_url,
        separation=Separation(chosen.people_needed),
        reference=given,
    )
    form.lock_version.data = look.page.row.lock_version
    form.reference.data, form.label.data = look.reference.data, look.reference.label
    return render_template("desk/register.html", look=look, form=form, said=said), status


@bp.post("/<number:number>/register")
def register(number: int) -> ResponseReturnValue:
    """Give the name for ever and publish the next edition."""
    required_operator()
    form = RegisterForm()
    reference = Reference(form.reference.data or "", form.label.data or "")
    return take(
        number,
        Action.REGISTER,
        form,
        given={"reference": reference},
        again=lambda form, said, status: _page(number, form, said, status, reference),
        done=lambda _state: _done(number),
    )


def _done(number: int) -> ResponseReturnValue:
    flash("Registered. The next edition of the registry is published within seconds.", "ok")
    return redirect(url_for("requests.show", number=number), 303)
