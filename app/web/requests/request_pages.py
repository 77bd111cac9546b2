"""Requests for everybody: the list, and one request with its story."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.pages.text.phrases import RenderedTexts
from app.problems import page_codes, use_case_codes
from app.registration.declarations.registries import declared_procedures
from app.services.refusals import InvalidInput, NotFound
from app.services.requests import comments, request_actions, standards_report
from app.services.requests.comments import CommentView, archive_of, discussion_of
from app.services.requests.detail.request_detail import RequestDetail
from app.services.requests.draft_preview import long_fields, rendered_fields, rendered_texts
from app.services.requests.queues import (
    RequestFilter,
    RequestSeries,
    find_requests,
    median_days_to_decision,
    series_page,
)
from app.services.requests.request_points import answers_in
from app.web.actions.action_buttons import LED
from app.web.actions.action_submission import (
    action_input,
    load_request_page,
    look_at_offer,
    next_step_sentence,
)
from app.web.actions.form_submission import command_of, redirect_with_notice, submit_form
from app.web.forms.request_forms import EvidenceForm, IdempotentForm, action_form, plain_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.response_headers import keep_today
from app.web.middleware.session import current_actor, now, policy, required_actor, settings
from app.web.requests.discussion_pages import comment_form
from app.web.requests.note_pages import NOTE
from app.workflow.evidence import EvidenceInput
from app.workflow.states import Action, State, Turn

bp = Blueprint("requests", __name__, url_prefix="/requests")


@bp.get("/")
def index() -> ResponseReturnValue:
    """All public requests in one list, or those that match the filter in the address."""
    today, after = now(), request.args.get("after", "")
    wanted = _filter(request.args)
    asked = {name: text for name, text in request.args.items() if text and name in _FILTER}
    shown = {
        **_choices(wanted),
        "found": find_requests(wanted, today, policy().procedures, after),
        "today": today,
        "after": after,
        "median_days": None if wanted or after else median_days_to_decision(),
        "this_list": asked,
    }
    return keep_today(make_response(render_template("requests/index.html", **shown)), today)


_FILTER = ("q", "state", "turn", "procedure", "overdue")


def _filter(asked: Mapping[str, str]) -> RequestFilter:
    state, turn, procedure = (asked.get(name, "") for name in ("state", "turn", "procedure"))
    public = {str(one) for one in State if not one.is_private}
    for field, choice, choices in (
        ("state", state, public),
        ("turn", turn, {str(one) for one, _ in _TURNS}),
        ("procedure", procedure, set(map(str, declared_procedures()))),
    ):
        if choice and choice not in choices:
            raise InvalidInput(
                use_case_codes.CHOICE_UNKNOWN,
                f"The {field} isn’t one of the choices. Choose one from the list on /requests/.",
                field=field,
            )
    return RequestFilter(
        words=asked.get("q", "").strip().removeprefix("urn:").rstrip(":")[:100],
        state=State(state) if state else None,
        procedure=procedure,
        turn=Turn(turn) if turn else None,
        is_overdue="overdue" in asked,
    )


def _choices(wanted: RequestFilter) -> dict[str, Any]:
    states = {one.plain: one for one in reversed(State) if not one.is_private}
    return {
        "wanted": wanted,
        "states": tuple(reversed(states.values())),
        "turns": _TURNS,
        "procedures": declared_procedures(),
    }


_TURNS = (
    (Turn.REGISTRANT, "Registrant"),
    (Turn.OPERATOR, "Operator"),
    (Turn.EXPERTS, "Experts"),
    (Turn.IESG, "IESG or another body"),
    (Turn.IANA, "IANA"),
)


@bp.get(f"/<any({', '.join(RequestSeries)}):name>")
def listed(name: str) -> ResponseReturnValue:
    """A list of requests from a mark on, so that every one can be come to."""
    series, today = RequestSeries(name), now()
    reader = required_actor() if series is RequestSeries.YOURS else current_actor()
    shown = series_page(series, reader, today, policy().procedures, request.args.get("after", ""))
    html = render_template(
        "requests/list.html",
        series=series,
        shown=shown,
        today=today,
        after=request.args.get("after", ""),
    )
    return keep_today(make_response(html), today)


@bp.get("/<number:number>", endpoint="show")
def show_request(number: int) -> ResponseReturnValue:
    """One request: whose turn it is, what happened, what its reader may do."""
    return _page(number)


def _page(
    number: int, tried: Action | None = None, form: IdempotentForm | None = None, status: int = 200
) -> ResponseReturnValue:
    page = load_request_page(number)
    if page.row.state.is_private:
        return redirect(url_for("registrant.check", number=number), 303)
    forms = {action: _form(page, action) for action in page.actions if action not in LED}
    if tried and form and tried in forms:
        forms[tried] = form
    for one in forms.values():
        one.reopen(page.row.lock_version)
        one.iteration.data = len(page.iterations)
    problems = form.problems() if form else []
    discussion = discussion_of(number, current_actor())
    shown = {
        "page": page,
        "forms": forms,
        "tried": tried,
        "problems": problems,
        "today": now(),
        "notes": comments.notes_of(number, current_actor()),
        "reply_texts": comments.reply_texts(current_actor()),
        "note_form": plain_form(NOTE)(formdata=None),
        "discussion": discussion,
        "rendered": _rendered(page, discussion),
        "archive": archive_of(number),
        "comment_form": _comment_form(page),
        "is_proposal": settings().authority == "proposal",
    }
    return answer_form(problems, status, lambda: render_template("requests/show.html", **shown))


def _rendered(page: RequestDetail, discussion: Iterable[CommentView]) -> RenderedTexts:
    fields = long_fields(page.latest.fields) if page.latest else {}
    asked = (one.asked for event in page.story for one in answers_in(event.details))
    said = (event.reason for event in page.story if event.reason)
    return rendered_texts(fields.values(), (*said, *asked, *(one.body for one in discussion)))


def _comment_form(page: RequestDetail) -> IdempotentForm:
    form = comment_form(page.row.registry)(formdata=None)
    form.reopen(0)
    return form


def _form(page: RequestDetail, action: Action) -> EvidenceForm:
    filled = (
        {EvidenceInput.REPORT.value: standards_report.draft_of(page, settings().base_url)}
        if action is Action.REPORT
        else {}
    )
    return action_form(page.asks[action])(formdata=None, data=filled)


@bp.get("/<number:number>/iterations/<number:k>")
def iteration(number: int, k: int) -> ResponseReturnValue:
    """A text as it was sent in."""
    page = load_request_page(number)
    if k > len(page.iterations):
        raise NotFound(page_codes.ITERATION_UNKNOWN, f"Request {number} has no text {k}.")
    text = page.iterations[k - 1]
    shown = {"page": page, "iteration": text, "rendered": rendered_fields(text.fields)}
    return render_template("requests/iteration.html", **shown)


@bp.post("/<number:number>/copy")
def copy(number: int) -> ResponseReturnValue:
    """Open a new draft with the text of a request that led to nothing."""
    required_actor()
    form = action_form(())()
    return submit_form(
        form,
        lambda: request_actions.copy(command_of(form), number),
        done=_copied,
        again=lambda _problem: None,
    )


def _copied(made: int) -> ResponseReturnValue:
    said = f"Request {made} is your draft copy. Only you can see it."
    return redirect_with_notice(said, url_for("registrant.begin", number=made))


@bp.post("/<number:number>/<action:action>")
def act(number: int, action: Action) -> ResponseReturnValue:
    """Take one action on a request."""
    if action in LED:
        raise NotFound(page_codes.ACTION_UNKNOWN, "This action isn’t available on this page.")
    form = action_form(_asked(number, action))()
    return submit_form(
        form,
        lambda: request_actions.carry_out(command_of(form), number, action, action_input(form)),
        done=lambda _state: _done(number, action),
        again=lambda problem: _again(number, action, form, problem.status),
    )


def _asked(number: int, action: Action) -> tuple[EvidenceInput, ...]:
    """What the form asks for: of an action that was taken since, what the form that came in has.

    So one that is sent twice says the same twice.
    """
    offer = look_at_offer(number, action)
    if offer.stands:
        return offer.asks
    return tuple(one for one in EvidenceInput if one in request.form)


def _again(
    number: int, action: Action, form: IdempotentForm, status: int
) -> ResponseReturnValue | None:
    return (
        _page(number, action, form, status) if action in load_request_page(number).actions else None
    )


def _done(number: int, action: Action) -> ResponseReturnValue:
    said = f"Done. {next_step_sentence(number, action)}"
    return redirect_with_notice(said, url_for(".show", number=number))
