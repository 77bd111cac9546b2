"""The experts' queue and their review of one request."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.grammar.analysis.study import Study
from app.pages.text.numbered_lines import is_numbered
from app.pages.text.phrases import RenderedTexts
from app.problems import use_case_codes
from app.services.refusals import InvalidInput, NotAllowed
from app.services.request_status.request_status import RequestSummary
from app.services.requests import comments, reviewer_context
from app.services.requests.detail.request_detail import RequestDetail
from app.services.requests.draft_preview import long_fields, rendered_texts
from app.services.requests.queues import expert_queue
from app.services.requests.request_actions import carry_out
from app.services.requests.request_evidence import ActionInput
from app.services.requests.review_drafts import (
    ReviewDraft,
    find_review_draft,
    save_review_draft,
)
from app.services.requests.reviewer_context import LONGEST_SEARCH, ReviewerContext, find_precedents
from app.services.requests.syntax_studies import grammar_of
from app.web.actions.action_submission import (
    action_input,
    load_request_page,
    look_at_offer,
    next_step_sentence,
)
from app.web.actions.form_submission import command_of, redirect_with_notice, submit_form
from app.web.forms.request_forms import IdempotentForm
from app.web.forms.review_forms import ReviewForm, review_form
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, policy, required_expert
from app.web.requests.discussion_pages import comment_form, comment_given
from app.workflow.reviews import Verdict, questions_for, verdicts_for
from app.workflow.states import Action

bp = Blueprint("review", __name__, url_prefix="/review")

SAVE = "save"
_SAVES = frozenset({SAVE, "look", "found"})  # a button, and what the script sends while one writes
COMMENT = "comment"  # the button that sends what was typed beside a review, and not that
_UNSENT = "Your comment hasn’t been sent. Send or clear the comment, then send your review."
_NOT_YOURS = (
    "Request {} isn’t waiting for your review, so your review wasn’t sent. You "
    "can comment on /requests/{}."
)


@bp.get("/")
def index() -> ResponseReturnValue:
    """What waits for this expert, oldest first, then what waits for others."""
    shown = expert_queue(required_expert(), now(), policy().procedures)
    return render_template("review/index.html", queue=shown, today=now())


@bp.get("/<number:number>", endpoint="show")
def show_request(number: int) -> ResponseReturnValue:
    """The template, the checks and the review form, side by side."""
    page = _look(number)
    if Action.REVIEW not in page.actions:
        return redirect(url_for("requests.show", number=number), 303)
    draft = find_review_draft(number, required_expert())
    if draft and "saved" in request.args:
        return render_template("review/saved.html", number=number, draft=draft)
    written = draft.answers if draft else {}
    form = _form(page.row, stands=True, formdata=None, data=written)
    _reopen(form, page)
    return _page(page, form, _comment_form(page.row, formdata=None), draft=draft)


def _look(number: int) -> RequestDetail:
    required_expert()
    return load_request_page(number)


def _form(row: RequestSummary, *, stands: bool, **given: Any) -> ReviewForm:
    # where no review is possible the use case says why, so that any outcome will do here
    verdicts = verdicts_for(row.case) if stands else tuple(Verdict)
    return review_form(verdicts, row.procedure)(**given)


def _comment_form(row: RequestSummary, **given: Any) -> IdempotentForm:
    return comment_form(row.registry)(**given)


def _reopen(form: ReviewForm, page: RequestDetail) -> None:
    form.reopen(page.row.lock_version)
    form.iteration.data = len(page.iterations)


def _page(
    page: RequestDetail,
    form: ReviewForm,
    saying: IdempotentForm,
    status: int = 200,
    draft: ReviewDraft | None = None,
) -> ResponseReturnValue:
    questions = questions_for(page.row.procedure)
    shown: dict[str, Any] = {"page": page, "form": form, "today": now(), "questions": questions}
    near = reviewer_context.reviewer_context(page, required_expert(), now())
    shown["near"], shown["own"] = near, {one.id for one in page.reviews if one.own}
    shown["study"], shown["draft"] = _studied(page), draft
    shown["asked"] = request.args.get("q", "")[:LONGEST_SEARCH].strip()
    shown["precedents"] = find_precedents(page, shown["asked"])
    shown["rendered"], shown["saying"] = _rendered(page, near), saying
    wrong = form.problems() + saying.problems()
    return answer_form(wrong, status, lambda: render_template("review/show.html", **shown))


def _rendered(page: RequestDetail, near: ReviewerContext) -> RenderedTexts:
    said = [*(one.body for one in page.reviews), *(one.body for one in near.comments)]
    objected = [words for earlier in near.earlier for words in earlier.objections]
    asked = [one.asked for one in near.answers]
    fields = long_fields(page.latest.fields) if page.latest else {}
    unnumbered = [text for text in fields.values() if not is_numbered(text)]
    return rendered_texts(unnumbered, filter(None, (*said, *objected, *asked)))


def _studied(page: RequestDetail) -> Study | None:
    grammar = page.check.grammar if page.check else None
    return grammar_of(grammar) if grammar else None


@bp.post("/<number:number>")
def send(number: int) -> ResponseReturnValue:
    """Send a review, which may decide the request; or only a comment; or save a draft."""
    required_expert()
    then = request.form.get("then")
    if then == COMMENT:
        return _say(_look(number))
    if then in _SAVES:
        return _save(_look(number), is_asked=then == SAVE)
    offer = look_at_offer(number, Action.REVIEW)
    form, saying = _form(offer.row, stands=offer.stands), _comment_form(offer.row)
    if (saying["comment"].data or "").strip():
        if not offer.stands:  # sent twice, the review is done, and the comment would be lost
            raise _closed(number)
        saying.refuse(_UNSENT, "comment")
        return _still(_look(number), form, saying, 422)
    return submit_form(
        form,
        lambda: carry_out(command_of(form), number, Action.REVIEW, _given(form)),
        done=lambda _state: _done(number, form),
        again=lambda problem: _again(number, form, saying, problem.status),
    )


def _again(
    number: int, form: ReviewForm, saying: IdempotentForm, status: int
) -> ResponseReturnValue | None:
    page = _look(number)
    _reopen(form, page)
    return _page(page, form, saying, status) if Action.REVIEW in page.actions else None


def _given(form: ReviewForm) -> ActionInput:
    return action_input(form, verdict=_verdict(form), answers=form.answers, details=form.details)


def _verdict(form: ReviewForm) -> Verdict | None:
    chosen = form["verdict"].data
    return Verdict(chosen) if chosen in set(Verdict) else None


def _done(number: int, form: ReviewForm) -> ResponseReturnValue:
    said = next_step_sentence(number, Action.REVIEW, _verdict(form))
    return redirect_with_notice(said, url_for(".index"))


def _say(page: RequestDetail) -> ResponseReturnValue:
    """Say something about a request, and go on with the review that was begun beside it.

    The page is the answer itself: no other keeps what was typed of the review.
    """
    number = page.row.number
    if Action.REVIEW not in page.actions:
        raise _closed(number)
    form, saying = _form(page.row, stands=True), _comment_form(page.row)
    return submit_form(
        saying,
        lambda: comments.say(command_of(saying), number, comment_given(saying)),
        done=lambda _ident: _said(page, form),
        again=lambda problem: _still(page, form, saying, problem.status),
    )


def _save(page: RequestDetail, *, is_asked: bool) -> ResponseReturnValue:
    number = page.row.number
    form, saying = _form(page.row, stands=True), _comment_form(page.row)
    form.validate()
    form["verdict"].errors = ()  # a draft needs no outcome yet
    if not form.errors:
        try:
            save_review_draft(page, required_expert(), form.written, now())
        except InvalidInput as error:
            form.refuse(str(error), form.main)
    if form.errors:
        return _still(page, form, saying, 422)
    if not is_asked:
        return redirect(url_for(".show", number=number, saved="yes"), 303)
    said = "Your draft is saved. Only you can see it."
    return redirect_with_notice(said, url_for(".show", number=number))


def _closed(number: int) -> NotAllowed:
    return NotAllowed(use_case_codes.REVIEW_CLOSED, _NOT_YOURS.format(number, number))


def _said(page: RequestDetail, form: ReviewForm) -> ResponseReturnValue:
    flash("Your comment is posted. Your review hasn’t been sent yet.", "ok")
    return _still(page, form, _comment_form(page.row, formdata=None))


def _still(
    page: RequestDetail, form: ReviewForm, saying: IdempotentForm, status: int = 200
) -> ResponseReturnValue:
    """The page with a review that speaks of what its writer saw, and not of what came since."""
    form.reopen(form.lock_version.data or 0)
    form.iteration.data = form.iteration.data or 0
    return _page(page, form, saying, status)
