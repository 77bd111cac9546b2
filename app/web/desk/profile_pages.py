"""The operator's correction of a profile: what people look up, and where names lead."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField

from app.registration.declarations.registries import URN_SPACE, Widget
from app.registration.profiles.profile_answers import with_answers
from app.registration.profiles.profile_records import NamespaceProfile, NssPattern
from app.registration.profiles.profile_rules import LONGEST_PATTERN
from app.services.registrations import corrections
from app.services.registrations.namespace_profiles import (
    InvalidProfile,
    ProfileCorrection,
    correct_profile,
    look_at_profile,
)
from app.web.desk.correction_pages import (
    CorrectionPage,
    answer_correction,
    own_case_of,
    show_correction,
)
from app.web.forms.correction_forms import CorrectionForm
from app.web.forms.profile_forms import (
    ANSWERS,
    COLUMNS,
    FLAGS,
    answers_in,
    answers_shown,
    line_field,
    resolution_in,
    rows_of,
    service_members,
)
from app.web.forms.request_forms import extra_field, form_field
from app.web.middleware.session import required_operator

Made = TypeVar("Made")

bp = Blueprint("profile_corrections", __name__, url_prefix="/desk")

_MORE = (
    extra_field("description", "Description", "Two or three sentences.", Widget.TEXT),
    line_field("holder", "Holder", "The organization that assigns or governs the identifiers."),
    line_field(
        "pattern",
        "Pattern",
        (
            "A regular expression for the whole NSS, the part after urn:NID:. Leave it "
            "empty for none."
        ),
        LONGEST_PATTERN,
    ),
    line_field("pattern_source", "Source of the pattern", "For example: Template, Syntax."),
)
FACTS = (*ANSWERS.values(), *_MORE)
_ROW = "row"


def _form_of(profile: NamespaceProfile) -> type[CorrectionForm]:
    rows = rows_of(profile, request.form)
    members: dict[str, Any] = {field.name: form_field(field) for field in FACTS}
    members |= {
        "is_exact": BooleanField(),
        "takes_http": BooleanField(),
        "rows": range(1, rows + 1),
    }
    members |= service_members(rows)
    return type("ProfileForm", (CorrectionForm,), {"facts": FACTS, **members})


@bp.get("/names/<name>/profile")
def profile(name: str) -> ResponseReturnValue:
    """What a namespace says of itself, ready to be corrected."""
    required_operator()
    if name != URN_SPACE.fold(name):
        return redirect(url_for(".profile", name=URN_SPACE.fold(name)), 301)
    stands = corrections.find_entry(name, URN_SPACE).record.profile
    return show_correction(_of_profile(name), _form_of(stands)(formdata=None, data=_shown(stands)))


@bp.post("/names/<name>/profile")
def change_profile(name: str) -> ResponseReturnValue:
    """Show what a correction of a profile would change, or publish it."""
    required_operator()
    stands = corrections.find_entry(name, URN_SPACE).record.profile
    form = _form_of(stands)()
    _keep_left_out(form, stands)
    if request.form.get("then") == _ROW:
        return _with_row(name, form)
    return answer_correction(lambda: _of_profile(name), form)


def _keep_left_out(form: CorrectionForm, stands: NamespaceProfile) -> None:
    """A fact that the page left out stays; a box that is empty is sent by no browser."""
    for name, value in _shown(stands).items():
        row = name.rpartition("_is_")[0] or name.rpartition("_takes_")[0]
        sent = f"{row}_target" if row else "pattern" if name == "is_exact" else name
        if name in form and sent not in request.form:
            form[name].data = value


def _with_row(name: str, form: CorrectionForm) -> ResponseReturnValue:
    """The form of a profile with what was typed, and another row for a service."""
    stands = corrections.find_entry(name, URN_SPACE).record.profile
    correction = _correction(form, stands).profile
    data = _typed(form) | _shown(correction)
    return show_correction(_of_profile(name), _form_of(correction)(formdata=None, data=data))


def _typed(form: CorrectionForm) -> dict[str, Any]:
    return {name: form[name].data for name in ("reason", "takes_http")}


def _shown(profile: NamespaceProfile) -> dict[str, Any]:
    pattern = profile.pattern or NssPattern(expression="")
    return {
        **answers_shown(profile),
        "description": profile.description,
        "holder": profile.holder,
        "pattern": pattern.expression,
        "pattern_source": pattern.source,
        "is_exact": pattern.is_exact,
    }


def _of_profile(name: str) -> CorrectionPage:
    entry = corrections.find_entry(name, URN_SPACE)
    stands = entry.record.profile
    return CorrectionPage(
        template="desk/profile.html",
        shown={
            "record": entry.record,
            "own": own_case_of(entry.record),
            "columns": tuple(COLUMNS.values()),
            "flags": FLAGS,
        },
        seen=entry.n,
        look=lambda form: _at_fields(
            form, lambda: look_at_profile(name, _correction(form, stands)).changes
        ),
        correct=lambda command, form: _at_fields(
            form,
            lambda: correct_profile(command, name, _correction(form, stands), reason=form.why),
        ),
        there=url_for("public.namespace", name=entry.record.folded),
    )


def _at_fields(form: CorrectionForm, use: Callable[[], Made]) -> Made:
    """Use a correction; where that is refused, each reason is told at its field."""
    try:
        return use()
    except InvalidProfile as error:
        for finding in error.findings:
            form.refuse(finding.message, _field_of(finding.field, form))
        raise


def _field_of(fact: str, form: CorrectionForm) -> str:
    """The field that asks for a fact: ``services.2.target`` is asked for in row 2."""
    first, _, rest = fact.partition(".")
    row = f"service_{rest.replace('.', '_')}"
    return row if first == "services" and row in form else first


def _correction(form: CorrectionForm, stands: NamespaceProfile) -> ProfileCorrection:
    said = with_answers(stands, answers_in(form))
    made = replace(
        said,
        description=(form["description"].data or "").strip(),
        holder=form["holder"].data or "",
        pattern=_pattern(form),
        resolution=resolution_in(form, stands),
    )
    return ProfileCorrection(profile=made, takes_http=bool(form["takes_http"].data))


def _pattern(form: CorrectionForm) -> NssPattern | None:
    expression = form["pattern"].data or ""
    if not expression:
        return None
    source = form["pattern_source"].data or ""
    return NssPattern(expression=expression, is_exact=bool(form["is_exact"].data), source=source)
