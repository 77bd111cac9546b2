"""Asking for a namespace: starting, filling in section by section, checking, sending."""

import secrets

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.registration.declarations import FORMAL, REGISTRIES, Field, Section
from app.services import drafts
from app.services.refusals import Changed, NotFound
from app.services.rendering import rendered
from app.services.showing import show
from app.web.acting import context, take
from app.web.forms import ORGANIZATION, ActionForm, KeyedForm, asked, section_form
from app.web.session import now, required_actor
from app.workflow.states import Action, State

bp = Blueprint("registrant", __name__, url_prefix="/requests")

SECTIONS = tuple(Section)


def _today() -> str:
    return now().date().isoformat()


@bp.get("/new")
def new() -> ResponseReturnValue:
    """Pick the kind of namespace to ask for."""
    return render_template(
        "registrant/new.html", registries=REGISTRIES.values(), key=secrets.token_urlsafe(16)
    )


@bp.post("/new")
def start() -> ResponseReturnValue:
    """Open a draft."""
    actor = required_actor()
    registry = request.form.get("registry", FORMAL.id)
    if registry not in REGISTRIES:
        raise NotFound("This site has no such registry.")
    key = request.form.get("key", "")[:64] or secrets.token_urlsafe(16)
    number = drafts.start(actor, registry, now(), key=key)
    return redirect(url_for(".edit", number=number, section=SECTIONS[0]), 303)


@bp.get("/<number:number>/edit/")
def begin(number: int) -> ResponseReturnValue:
    """The form, at its first section."""
    return redirect(url_for(".edit", number=number, section=SECTIONS[0]), 303)


@bp.get("/<number:number>/edit/<section:section>")
def edit(number: int, section: Section) -> ResponseReturnValue:
    """One page of the form, with what was saved of it."""
    writing = drafts.open_draft(required_actor(), number, _today())
    form = section_form(section, writing.registry)(formdata=None, data=_saved(writing, section))
    return _page(writing, section, form, writing.is_begun(section))


def _saved(writing: drafts.Writing, section: Section) -> dict[str, object]:
    values = {field.name: writing.value(field.name) for field in asked(section, writing.registry)}
    standard = {True: "yes", False: "no", None: None}[writing.standard]
    return {
        **values,
        ORGANIZATION.name: writing.organization,
        "standard": standard,
        "lock_version": writing.lock_version,
    }


def _page(
    writing: drafts.Writing,
    section: Section,
    form: KeyedForm,
    judged: bool,
    status: int = 200,
    saved: dict[str, object] | None = None,
) -> ResponseReturnValue:
    typed = dict(form.problems())
    found = [f for f in writing.of_section(section) if judged and f.field not in typed]
    page = render_template(
        "registrant/edit.html",
        writing=writing,
        section=section,
        sections=SECTIONS,
        form=form,
        fields=_drawn(section, writing),
        typed=typed,
        found=found,
        conflict=saved,
    )
    return page, status


def _drawn(section: Section, writing: drafts.Writing) -> list[Field]:
    extra = [ORGANIZATION] if section is Section.REGISTRANT else []
    return extra + list(asked(section, writing.registry))


@bp.post("/<number:number>/edit/<section:section>")
def save(number: int, section: Section) -> ResponseReturnValue:
    """Keep a page of the form, then go on, or stay where something is to be changed."""
    actor = required_actor()
    writing = drafts.open_draft(actor, number, _today())
    form = section_form(section, writing.registry)()
    if not form.validate():
        return _page(writing, section, form, judged=False, status=422)
    try:
        drafts.save(
            actor, number, _saving(form, section, writing), form.lock_version.data or 0, now()
        )
    except Changed:
        newer = drafts.open_draft(actor, number, _today())
        form.lock_version.data = newer.lock_version
        flash("This was saved elsewhere after you opened it. Both texts are below.", "problem")
        return _page(newer, section, form, judged=False, status=409, saved=_saved(newer, section))
    return _go_on(drafts.open_draft(actor, number, _today()), section, form)


def _go_on(writing: drafts.Writing, section: Section, form: KeyedForm) -> ResponseReturnValue:
    if request.form.get("then") == "close":
        flash(f"Saved. Request {writing.number} waits for you here.", "ok")
        return redirect(url_for("requests.index"), 303)
    if any(finding.is_problem for finding in writing.of_section(section)):
        form.lock_version.data = writing.lock_version
        return _page(writing, section, form, judged=True, status=422)
    following = SECTIONS[SECTIONS.index(section) + 1 :]
    if following:
        return redirect(url_for(".edit", number=writing.number, section=following[0]), 303)
    return redirect(url_for(".check", number=writing.number), 303)


def _saving(form: KeyedForm, section: Section, writing: drafts.Writing) -> drafts.Saving:
    fields = list(asked(section, writing.registry))
    standard = form["standard"].data if "standard" in form else None
    return drafts.Saving(
        fields={field.name: form[field.name].data for field in fields if field.public},
        private={field.name: form[field.name].data for field in fields if not field.public},
        organization=form[ORGANIZATION.name].data if ORGANIZATION.name in form else None,
        standard={"yes": True, "no": False}.get(standard or ""),
    )


@bp.get("/<number:number>/check")
def check(number: int) -> ResponseReturnValue:
    """The last look before sending: everything as others will read it."""
    return _check(number, ActionForm(formdata=None))


def _check(number: int, form: ActionForm, said: str = "", status: int = 200) -> ResponseReturnValue:
    actor = required_actor()
    writing = drafts.open_draft(actor, number, _today())
    page = show(number, actor, now())
    form.lock_version.data = page.row.lock_version
    page_ = render_template(
        "registrant/check.html",
        writing=writing,
        page=page,
        sections=SECTIONS,
        rendered=rendered(writing.fields),
        form=form,
        said=said,
    )
    return page_, status


@bp.post("/<number:number>/check")
def send(number: int) -> ResponseReturnValue:
    """Send the request: from here on it is public."""
    writing = drafts.open_draft(required_actor(), number, _today())
    action = Action.SUBMIT if writing.state is State.DRAFT else Action.RESUBMIT
    return take(
        number,
        action,
        ActionForm(),
        again=lambda form, said, status: _check(number, form, said, status),
        done=lambda _state: _sent(number),
    )


def _sent(number: int) -> ResponseReturnValue:
    flash(
        f"Request {number} was sent. The operator checks it next, then the experts read it. "
        "You hear of every step by e-mail.",
        "ok",
    )
    return redirect(url_for("requests.show", number=number), 303)


@bp.post("/<number:number>/discard")
def discard(number: int) -> ResponseReturnValue:
    """Throw a draft away."""
    drafts.discard(context().actor, number)
    flash(f"Draft {number} is gone.", "ok")
    return redirect(url_for("requests.index"), 303)
