"""The operator's desk: tasks in one list, and the registration of a request."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.labelled_enum import LabelledEnum
from app.pages.namespaces.profile_view import service_in_words
from app.registration.declarations.registries import declared_procedures
from app.registration.records.registry_records import Purpose
from app.services.delegates.claims import count_to_decide
from app.services.delegates.yearly_questions import count_silent
from app.services.operations import site_condition
from app.services.registrations.name_registration import STATED, Reference
from app.services.request_status.request_status import RequestSummary
from app.services.requests import revisions
from app.services.requests.detail.request_detail import RegistrationPreview, preview_registration
from app.services.requests.queues import operator_desk
from app.services.requests.request_actions import carry_out
from app.services.requests.request_evidence import ActionInput
from app.services.requests.revisions import Revision
from app.web.actions.action_submission import action_input
from app.web.actions.form_submission import command_of, redirect_with_notice, submit_form
from app.web.forms.request_forms import LABEL, PRIORITY, REFERENCE, RegisterForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import (
    now,
    policy,
    required_operator,
    settings,
    this_host,
)
from app.workflow.states import Action

bp = Blueprint("desk", __name__, url_prefix="/desk")

LOOK = "look"


class DeskTask(LabelledEnum):
    """A task of the operator: a list of ``OperatorDesk``, with its label."""

    CHECK = "to_check", "Check"
    REGISTER = "to_register", "Register"
    PROCEDURE = "wishes", "Decide on the procedure"
    BLOCKED = "blocked", "No one can decide"
    UNREAD = "unread", "Find a reviewer"
    ESCALATED = "escalated", "Enter a decision by the IESG"
    SILENT = "silent", "Remind the registrant"

    @property
    def hint(self) -> str:
        """What the operator does with these requests; "" if the label says it."""
        return _HINTS.get(self, "")


_HINTS = {
    DeskTask.PROCEDURE: "The registrant asks for a different procedure. Agree or refuse.",
    DeskTask.BLOCKED: "Too few experts are available, or the experts disagree. Appoint an expert, "
    "or ask the IESG.",
    DeskTask.UNREAD: "No review is awaited. Ask the lead expert or another expert.",
    DeskTask.ESCALATED: "When the decision is made, enter it here.",
    DeskTask.SILENT: "After two reminders without an answer, you can end the request.",
}


@dataclass(frozen=True, slots=True)
class _Task:
    label: str
    path: str


@dataclass(frozen=True, slots=True)
class _DeskFilter:
    words: str
    task: DeskTask | None
    procedure: str
    is_overdue: bool

    def __bool__(self) -> bool:
        return bool(self.words or self.task or self.procedure or self.is_overdue)

    def fits(self, row: RequestSummary) -> bool:
        said = f"{row.number} {row.registry.space.whole(row.name)} {row.organization}".casefold()
        return (
            self.words.casefold() in said
            and self.procedure in ("", row.procedure)
            and (not self.is_overdue or row.is_overdue(now()))
        )


@bp.get("/")
def index() -> ResponseReturnValue:
    """The operator's tasks in one list by due date, with a search and filters."""
    desk = operator_desk(now(), required_operator(), policy().procedures)
    asked, known = request.args, set(DeskTask)
    wanted = _DeskFilter(
        asked.get("q", "").strip(),
        DeskTask(asked["task"]) if asked.get("task") in known else None,
        asked.get("procedure", ""),
        "overdue" in asked,
    )
    lists = {task: getattr(desk, task) for task in DeskTask if getattr(desk, task)}
    tasks: dict[int, _Task] = {}
    listed: list[RequestSummary] = []
    for task, rows in lists.items():
        for row in rows if wanted.task in (None, task) else ():
            if row.number not in tasks and wanted.fits(row):
                path = f"/desk/{row.number}/register" if task is DeskTask.REGISTER else ""
                tasks[row.number] = _Task(task.label, path or f"/requests/{row.number}")
                listed.append(row)
    told = {
        "desk": desk,
        "today": now(),
        "deciding": count_to_decide(now()),
        "site": site_condition.site_condition(this_host()),
        "silent": count_silent(now()) if settings().naans else None,
        "counts": {task: len(rows) for task, rows in lists.items()},
        "is_full": any(len(rows) >= desk.most for rows in lists.values()),
        "tasks": tasks,
        "listed": sorted(listed, key=lambda row: (row.due is None, row.due, row.number)),
        "wanted": wanted,
        "procedures": declared_procedures(),
    }
    return render_template("desk/index.html", **told)


@bp.get("/<number:number>/register")
def form(number: int) -> ResponseReturnValue:
    """The row as it will stand between its neighbours."""
    asked = request.args
    given = Reference(asked.get(REFERENCE.name, ""), asked.get(LABEL.name, ""))
    look = _look(number, given if given.data else None)
    if not look.offer.stands:
        return redirect(url_for("requests.show", number=number), 303)
    filled = {REFERENCE.name: look.reference.data, LABEL.name: look.reference.label}
    filled |= {STATED: asked.get(STATED, "")}
    return _page(look, RegisterForm(formdata=None, data=filled))


def _look(number: int, given: Reference | None) -> RegistrationPreview:
    return preview_registration(
        number,
        required_operator(),
        now(),
        base_url=settings().base_url,
        rules=policy().procedures,
        reference=given,
    )


def _page(look: RegistrationPreview, form: RegisterForm, status: int = 200) -> ResponseReturnValue:
    form.reopen(look.offer.row.lock_version)
    services = look.neighbours.record.profile.resolution.services
    shown = {"revision": _revision_in(look), "services": tuple(map(service_in_words, services))}
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("desk/register.html", look=look, form=form, **shown),
    )


def _revision_in(look: RegistrationPreview) -> Revision | None:
    row = look.offer.row
    if row.purpose is not Purpose.REVISION:
        return None
    return revisions.look(row.number, required_operator(), now().date().isoformat())


@bp.post("/<number:number>/register")
def register(number: int) -> ResponseReturnValue:
    """Give the name for ever and publish the next edition."""
    required_operator()
    form = RegisterForm()
    reference = Reference(form.reference.data or "", form.label.data or "")
    if request.form.get("then") == LOOK and form.validate():
        # led on, so that no token comes into an address
        shown: dict[str, Any] = {"reference": reference.data, "label": reference.label}
        shown |= {STATED: form.base_version.data} if form.base_version.data else {}
        there = url_for(".form", number=number, **shown)
        return redirect(there, 303)
    return submit_form(
        form,
        lambda: carry_out(command_of(form), number, Action.REGISTER, _given(form, reference)),
        done=lambda _state: _done(number),
        again=lambda problem: _again(_look(number, reference), form, problem.status),
    )


def _again(
    look: RegistrationPreview, form: RegisterForm, status: int
) -> ResponseReturnValue | None:
    return _page(look, form, status) if look.offer.stands else None


def _given(form: RegisterForm, reference: Reference) -> ActionInput:
    details = {STATED: form.base_version.data or "", PRIORITY.name: form.priority.data or ""}
    return action_input(form, reference=reference, details=details)


def _done(number: int) -> ResponseReturnValue:
    said = f"Registered. {site_condition.publication_sentence(None, this_host())}"
    return redirect_with_notice(said, url_for("requests.show", number=number))
