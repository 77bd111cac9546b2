"""The experts' panels: what an expert says of themselves, and the operator's appointments."""

from collections.abc import Callable, Mapping

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.registration.declarations.registries import REGISTRIES, Field, Widget
from app.services.experts import panel_membership
from app.services.experts.panel_membership import public_appointments
from app.services.refusals import NotFound
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import ChoiceField, IdempotentForm, extra_field, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_expert, required_operator, settings

bp = Blueprint("experts", __name__)

ORGANIZATION = extra_field(
    "organization",
    "Your organization",
    "You don’t get requests from this organization. Leave the field empty if you have no employer.",
    Widget.LINE,
)
INTEREST = extra_field(
    "interest",
    "Organization with a conflict of interest",
    "For example, a client or partner.",
    Widget.LINE,
)
FIRST = extra_field("first", "First day", "As YYYY-MM-DD.", Widget.LINE)
LAST = extra_field("last", "Last day", "As YYYY-MM-DD.", Widget.LINE)
EMAIL = extra_field(
    "email", "E-mail", "If the person has no account, one is created.", Widget.EMAIL
)
DECISION = extra_field(
    "decision",
    "Decision",
    (
        "The decision and where it is published. Public and permanent: don’t include "
        "an e-mail address."
    ),
    Widget.LINE,
)

_ROLES = list(panel_membership.ROLES.items())
_JUDGED = [one for one in REGISTRIES.values() if one.has_experts]
_FOR = [("", "All namespaces"), *((one.id, one.label.capitalize()) for one in _JUDGED)]
_OWN: dict[str, tuple[Field, ...]] = {
    "organization": (ORGANIZATION,),
    "interest": (INTEREST,),
    "absence": (FIRST, LAST),
}
_SAYS: Mapping[str, Callable[..., None]] = {
    "organization": panel_membership.belong,
    "interest": panel_membership.declare_interest,
    "absence": panel_membership.be_away,
}
_END = {"interest": panel_membership.end_interest, "absence": panel_membership.be_back}


def appoint_form() -> type[IdempotentForm]:
    """The form of an appointment."""
    return plain_form(
        EMAIL,
        DECISION,
        role=ChoiceField(_ROLES, "Choose a role."),
        registry=ChoiceField(_FOR, "Choose a registry."),
    )


@bp.get("/review/you")
def you() -> ResponseReturnValue:
    """Where an expert belongs, what they stand near to, and when they are away."""
    return _you({}, 200)


def _you(tried: dict[str, IdempotentForm], status: int) -> ResponseReturnValue:
    actor = required_expert()
    standing = panel_membership.standing_of(actor, now())
    filled = {"organization": {ORGANIZATION.name: standing.organization}}
    forms = {
        name: plain_form(*fields)(formdata=None, data=filled.get(name, {}))
        for name, fields in _OWN.items()
    } | tried
    problems = [problem for form in tried.values() for problem in form.problems()]
    for form in forms.values():
        form.reopen(0)
    shown = {"standing": standing, "forms": forms, "fields": _OWN, "problems": problems}
    return answer_form(problems, status, lambda: render_template("review/you.html", **shown))


@bp.post("/review/you/<what>")
def say(what: str) -> ResponseReturnValue:
    """Declare one of these things."""
    required_expert()
    if what not in _OWN:
        raise NotFound(page_codes.ACTION_UNKNOWN, "This form isn’t available. Reload the page.")
    form = plain_form(*_OWN[what])()
    names = [field.name for field in _OWN[what]]
    return submit_form(
        form,
        lambda: _SAYS[what](command_of(form), *(form[name].data or "" for name in names)),
        done=redirect_after(url_for(".you"), "Saved."),
        again=lambda problem: _you({what: form}, problem.status),
    )


@bp.post("/review/you/<what>/<number:ident>/end")
def end(what: str, ident: int) -> ResponseReturnValue:
    """Take one of them back."""
    required_expert()
    if what not in _END:
        raise NotFound(
            page_codes.ACTION_UNKNOWN, "This entry is no longer on your list. Reload the page."
        )
    form = plain_form()()
    done = redirect_after(url_for(".you"), "Saved.")
    return submit_form(form, lambda: _END[what](command_of(form), ident), done)


@bp.get("/appointments/")
def appointments() -> ResponseReturnValue:
    """Who decides here, by which decision; public."""
    found, today = public_appointments(), now()
    shown = {
        "running": [one for one in found if one.runs(today)],
        "former": [one for one in found if not one.runs(today)],
        "labels_of": {one.id: one.label for one in REGISTRIES.values()},
        "curated": _curated() if settings().naans else (),
        "reviewed": [f"{one.label}s" for one in REGISTRIES.values() if one.has_experts],
    }
    return render_template("public/appointments.html", **shown)


def _curated() -> tuple[str, ...]:
    spaces = (one.space for one in REGISTRIES.values() if not one.has_experts)
    return tuple(dict.fromkeys(space.plural for space in spaces))


@bp.get("/desk/experts")
def panel() -> ResponseReturnValue:
    """Every appointment there ever was."""
    return _panel(appoint_form()(formdata=None), 200)


def _panel(form: IdempotentForm, status: int) -> ResponseReturnValue:
    actor = required_operator()
    form.reopen(0)
    shown = {
        "appointments": panel_membership.panel(),
        "absences": panel_membership.absences_by_expert(now()),
        "confirmable": panel_membership.to_confirm(actor, now()),
        "form": form,
        "fields": (EMAIL, DECISION),
        "labels_of": {one.id: one.label for one in REGISTRIES.values()},
        "today": now(),
    }
    return answer_form(
        form.problems(), status, lambda: render_template("desk/experts.html", **shown)
    )


@bp.post("/desk/experts")
def appoint() -> ResponseReturnValue:
    """Appoint somebody, by a decision that was made elsewhere."""
    required_operator()
    form = appoint_form()()

    def use() -> None:
        asked = ("email", "role", "registry", "decision")
        given = (form[name].data or "" for name in asked)
        panel_membership.appoint(command_of(form), *given)

    return submit_form(
        form,
        use,
        done=redirect_after(url_for(".panel"), "Saved."),
        again=lambda problem: _panel(form, problem.status),
    )


@bp.post("/desk/experts/<number:ident>/confirm")
def confirm(ident: int) -> ResponseReturnValue:
    """Say that one looked at another operator's appointment."""
    required_operator()
    form = plain_form()()
    done = redirect_after(url_for(".panel"), "Saved.")
    return submit_form(form, lambda: panel_membership.confirm(command_of(form), ident), done)


@bp.post("/desk/experts/<number:ident>/end")
def dismiss(ident: int) -> ResponseReturnValue:
    """End an appointment."""
    required_operator()
    form = plain_form(DECISION)()

    def use() -> None:
        panel_membership.dismiss(command_of(form), ident, form["decision"].data or "")

    return submit_form(form, use, done=redirect_after(url_for(".panel"), "Saved."))
