"""Asking for a namespace: starting, filling in section by section, checking, sending."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.grammar.analysis.study import Study
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, FormSection, Registry
from app.registration.profiles.equivalence_answers import InvalidNameParts
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.mail_addresses import personal_in
from app.services.delegates.delegate_scopes import names_of
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.registrations.name_registration import next_numbers
from app.services.request_status.request_status import RequestSummary
from app.services.requests import drafts
from app.services.requests.draft_preview import long_fields, preview_of, rendered_texts
from app.services.requests.request_actions import carry_out
from app.services.requests.request_points import answers_among, changes_of_draft, points_of_draft
from app.services.requests.revisions import find_revision
from app.services.requests.syntax_studies import study_again
from app.web.actions.action_submission import action_input, load_request_page, next_step_sentence
from app.web.actions.form_submission import (
    command_of,
    form_refusal,
    redirect_with_notice,
    submit_form,
)
from app.web.forms.draft_forms import draft_form, draft_input, saved_answers
from app.web.forms.point_forms import (
    keys_of,
    replies_given,
    replies_sent,
    saved_replies,
    submission_form,
)
from app.web.forms.profile_forms import (
    ANSWERS,
    COLUMNS,
    FLAGS,
    TITLE,
)
from app.web.forms.request_forms import (
    CASE,
    SENDING,
    SPELLINGS,
    IdempotentForm,
    NewRequestForm,
    SubmissionForm,
    sections_of,
)
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.request_guard import goes_on_after_sign_in
from app.web.middleware.session import current_actor, now, policy, required_actor
from app.web.requests.asked_points import (
    SectionPoints,
    count_open_points,
    field_of_answer,
    points_of_request,
    section_points,
)
from app.web.requests.drawn_sections import (
    facts_on,
    fields_on,
    free_name,
    hint_words_on,
    leaving_notice,
    lines_carried,
    sections_at,
    service_rows,
    texts_as_read,
)
from app.workflow.states import Action, State

bp = Blueprint("registrant", __name__, url_prefix="/requests")

_NOTHING = SubmissionCheck()
PREVIEW, LOOK, STUDY, ROW = "preview", "look", "grammar", "row"
FOUND, KEEP = "found", "keep"


def _today() -> str:
    return now().date().isoformat()


@bp.get("/new")
def new() -> ResponseReturnValue:
    """Pick the kind of name to ask for, among those of one group of registries."""
    return _new(NewRequestForm(formdata=None, data={"registry": request.args.get("kind")}))


def _new(form: NewRequestForm, status: int = 200) -> ResponseReturnValue:
    form.reopen(0)
    actor = current_actor()
    chosen = REGISTRIES.get(str(form.registry.data), next(iter(REGISTRIES.values())))
    group = [registry for registry in REGISTRIES.values() if registry.group == chosen.group]
    spaces = dict.fromkeys(one.space for one in group if one.space.has_delegates)
    held = [(one, name) for one in spaces if actor for name in names_of(actor, one)]
    shown = {"registries": group, "others": _others(chosen), "form": form, "held": held}
    shown |= {"next": next_numbers(group)}
    return answer_form(
        form.problems(), status, lambda: render_template("registrant/new.html", **shown)
    )


def _others(chosen: Registry) -> list[Registry]:
    if policy().procedures.is_proposal:
        return []
    return [one for one in REGISTRIES.values() if one.group != chosen.group]


@bp.post("/new")
@goes_on_after_sign_in(anywhere=True, takes=NewRequestForm.takes)
def start() -> ResponseReturnValue:
    """Open a draft."""
    required_actor()
    form = NewRequestForm()
    if not form.validate():
        return _new(form, 422)
    registry, procedure = form.chosen
    declared = REGISTRIES[registry]
    number = drafts.start(
        command_of(form), registry, procedure, fields=lines_carried(declared, request.args)
    )
    first = sections_of(declared)[0]
    return redirect(url_for(".edit", number=number, section=first), 303)


@bp.get("/<number:number>/edit/")
def begin(number: int) -> ResponseReturnValue:
    """The form, at its first section; on request where it asks what becomes of the name."""
    section = next(iter(FormSection))  # where those are refused to whom nothing is told
    at = "status" if request.args.get("at") == "end" else None
    actor = current_actor()
    if actor is not None:
        with suppress(NotFound, NotAllowed):
            section = sections_at(drafts.open_draft(actor, number, _today()))[-bool(at)]
    return redirect(url_for(".edit", number=number, section=section, _anchor=at), 303)


@bp.get("/<number:number>/edit/<section:section>")
def edit(number: int, section: FormSection) -> ResponseReturnValue:
    """One page of the form with what was saved of it, on request also as others will read it."""
    writing = _at(number, section)
    points = section_points(writing, section)
    data = saved_answers(writing, section) | saved_replies(points.here, writing.replies)
    form = _form(writing, section, points)(formdata=None, data=data)
    study = _studied(writing, section)
    found = writing.of_section(section) if writing.is_begun(section) else _NOTHING
    if FOUND not in request.args:
        found = found.present  # the steps count what is empty; who opens a page has sent nothing
    preview = texts_as_read(writing, section) if PREVIEW in request.args else None
    return _page(writing, section, form, points, found=found, preview=preview, study=study)


def _at(number: int, section: FormSection) -> drafts.OpenDraft:
    writing = drafts.open_draft(required_actor(), number, _today())
    if section not in sections_at(writing):
        raise NotFound(
            use_case_codes.REQUEST_UNKNOWN, f"The form for request {number} doesn’t have this page."
        )
    return writing


def _form(
    writing: drafts.OpenDraft, section: FormSection, points: SectionPoints
) -> type[IdempotentForm]:
    return draft_form(writing, section, keys_of(points.here, request.form), request.form)


def _page(
    writing: drafts.OpenDraft,
    section: FormSection,
    form: IdempotentForm,
    points: SectionPoints,
    status: int = 200,
    *,
    found: SubmissionCheck = _NOTHING,
    conflict: Mapping[str, Any] | None = None,
    preview: Mapping[str, str] | None = None,
    study: Study | None = None,
) -> ResponseReturnValue:
    shown = {
        "writing": writing,
        "section": section,
        "sections": sections_at(writing),
        "form": form,
        "fields": fields_on(section, writing),
        "found": found,
        "guided": hint_words_on(section, writing, form),
        "free": free_name(writing, form, found),
        "spellings": SPELLINGS.values() if CASE in form else (),
        "answers": ANSWERS.values() if TITLE.name in form else (),
        "rows": service_rows(form),
        "service_names": [name for name in form.data if name.startswith("service_")],
        "columns": tuple(COLUMNS.values()),
        "flags": FLAGS,
        "conflict": conflict,
        "preview": preview or {},
        "previewed_facts": facts_on(writing, section) if preview is not None else (),
        "points": points,
        "open_in": points.open_in,
        "rendered": rendered_texts((preview or {}).values(), points.words),
        "study": study,
        "revision": find_revision(writing) if section is FormSection.DOCUMENTS else None,
    }
    wrong = [(finding.place, finding.message) for finding in found.problems]
    return answer_form(
        form.problems() + wrong, status, lambda: render_template("registrant/edit.html", **shown)
    )


def _studied(writing: drafts.OpenDraft, section: FormSection) -> Study | None:
    grammar = writing.check.grammar
    if section is not FormSection.SYNTAX or STUDY not in request.args or grammar is None:
        return None
    return study_again(grammar)


@bp.post("/<number:number>/edit/<section:section>")
@goes_on_after_sign_in(then=LOOK)
def save(number: int, section: FormSection) -> ResponseReturnValue:
    """Keep a page of the form, then go on, or stay where something is to be changed."""
    actor = required_actor()
    writing = _at(number, section)
    points = section_points(writing, section)
    form = _form(writing, section, points)()
    seen = form.lock_version.data or 0
    try:
        if not form.validate():
            raise form_refusal(form)
        drafts.save(command_of(form), number, draft_input(form, section, writing))
    except EditConflict as error:
        return _changed(drafts.open_draft(actor, number, _today()), section, form, str(error))
    except InvalidNameParts as error:
        form.refuse(str(error), "parts")
    except InvalidInput as error:
        if not form.errors:
            form.refuse(str(error), error.field)
    else:
        return _go_on(drafts.open_draft(actor, number, _today()), section, form)
    form.reopen(seen)
    return _page(writing, section, form, points, 422)


def _changed(
    newer: drafts.OpenDraft, section: FormSection, form: IdempotentForm, why: str
) -> ResponseReturnValue:
    saved = saved_answers(newer, section)
    if all(form[name].data == text for name, text in saved.items() if name in _typed(form)):
        return _go_on(newer, section, form)
    form.refuse(why)
    form.reopen(newer.lock_version)
    return _page(newer, section, form, section_points(newer, section), 409, conflict=saved)


def _typed(form: IdempotentForm) -> set[str]:
    return set(form.data) - {"key", "lock_version", "csrf_token"}


def _go_on(
    writing: drafts.OpenDraft, section: FormSection, form: IdempotentForm
) -> ResponseReturnValue:
    then = request.form.get("then")
    if then == "close":
        return redirect_with_notice(*leaving_notice(writing))
    here: dict[str, Any] = {"number": writing.number, "section": section}
    if then == LOOK:
        return redirect(url_for(".edit", **here), 303)
    if then == FOUND:
        return redirect(url_for(".edit", **here, found="yes"), 303)
    if then == ROW:
        return redirect(url_for(".edit", **here, _anchor="services"), 303)
    if then == PREVIEW:
        return redirect(url_for(".edit", **here, preview="yes", _anchor=PREVIEW), 303)
    if then == STUDY:
        return redirect(url_for(".edit", **here, grammar="yes", _anchor=STUDY), 303)
    found = writing.of_section(section)
    if found.problems:
        form.reopen(writing.lock_version)
        return _page(writing, section, form, section_points(writing, section), 422, found=found)
    return redirect(_next_page(writing, section), 303)


def _next_page(writing: drafts.OpenDraft, section: FormSection) -> str:
    sections = sections_at(writing)
    following = sections[sections.index(section) + 1 :]
    if following:
        return url_for(".edit", number=writing.number, section=following[0])
    return url_for(".check", number=writing.number)


@bp.get("/<number:number>/check")
def check(number: int) -> ResponseReturnValue:
    """The last look before sending: everything as others will read it."""
    return _check(number)


def _check(
    number: int, sent: SubmissionForm | None = None, status: int = 200
) -> ResponseReturnValue:
    writing = drafts.open_draft(required_actor(), number, _today())
    points = points_of_draft(writing)
    data = saved_replies(points, writing.replies)
    form = sent or submission_form(keys_of(points))(formdata=None, data=data)
    page = load_request_page(number)
    row = page.row
    form.reopen(row.lock_version)
    form.sending.data = _sending(row)
    shown = {
        "writing": writing,
        "sections": sections_at(writing),
        "rendered": rendered_texts(
            long_fields(writing.fields).values(), [one.of.point.words for one in points]
        ),
        "points": points,
        "open_in": count_open_points(points),
        "since": changes_of_draft(writing),
        "personal": personal_in(writing.fields.values()),
        "form": form,
        "revision": find_revision(writing),
        "preview": preview_of(
            writing, answers_among(points), now(), policy().mail, policy().procedures.number_prefix
        ),
        "may_send": row.state is not State.EXPERT_REVIEW or Action.COMPLETE in page.actions,
    }
    return answer_form(
        form.problems(), status, lambda: render_template("registrant/check.html", **shown)
    )


def _sending(row: RequestSummary) -> Action:
    if row.state.is_private:
        return Action.SUBMIT
    return Action.COMPLETE if row.state is State.EXPERT_REVIEW else Action.RESUBMIT


@bp.post("/<number:number>/check")
def send(number: int) -> ResponseReturnValue:
    """Send the request: from here on it is public."""
    form = submission_form(keys_of(points_of_request(number, _today()), request.form))()
    keeps = request.form.get("then") == KEEP
    return submit_form(
        form,
        partial(_keep if keeps else _send, number, form),
        done=lambda _done: (_kept if keeps else _sent)(number, form),
        again=lambda problem: _check(number, form, problem.status),
        field_of=field_of_answer,
    )


def _send(number: int, form: SubmissionForm) -> None:
    given = action_input(form, replies=replies_sent(form, request.form))
    carry_out(command_of(form), number, _chosen(form), given)


def _chosen(form: SubmissionForm) -> Action:
    return next((one for one in SENDING if form.sending.data == one), Action.SUBMIT)


def _sent(number: int, form: SubmissionForm) -> ResponseReturnValue:
    following = next_step_sentence(number, _chosen(form))
    said = f"Request {number} was submitted. {following} You get an e-mail at every step."
    return redirect_with_notice(said, url_for("requests.show", number=number))


def _keep(number: int, form: SubmissionForm) -> None:
    command = command_of(form)
    writing = drafts.open_draft(command.actor, number, _today())
    saving = drafts.DraftInput(fields={}, private={}, replies=replies_given(form))
    drafts.save(replace(command, seen=writing.lock_version), number, saving)


def _kept(number: int, _form: SubmissionForm) -> ResponseReturnValue:
    there = url_for(".check", number=number, _anchor="asked")
    return redirect_with_notice("Your answers are saved.", there)


@bp.post("/<number:number>/discard")
def discard(number: int) -> ResponseReturnValue:
    """Throw a draft away; once it is gone, the same answer again."""
    actor = required_actor()
    try:
        drafts.discard(actor, number)
    except NotFound:
        flash(f"You have no draft {number}.", "ok")
    else:
        flash(f"Draft {number} was deleted.", "ok")
    return redirect(url_for("requests.index"), 303)
