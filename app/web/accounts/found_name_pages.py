"""Names that were found under a prefix, changed together: all of them or none."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from zlib import crc32

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assigned_names.assigned_name_records import (
    AssignedNameState,
    NameRevision,
    retarget_names,
    withdrawals,
)
from app.problems import assigned_name_codes, page_codes, use_case_codes
from app.registration.naans.naan_targets import host_of
from app.services.assigned_names import name_changes, prefix_lists
from app.services.assigned_names.minting import MOST_AT_ONCE
from app.services.assigned_names.name_changes import ChangedNames
from app.services.assigned_names.prefix_lists import NamePage
from app.services.refusals import EditConflict, InvalidInput, Refusal
from app.web.accounts.assigned_name_pages import found_names
from app.web.actions.form_submission import (
    command_of,
    field_named,
    redirect_with_notice,
    submit_form,
)
from app.web.forms import prefix_forms as forms
from app.web.forms.request_forms import IdempotentForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import given_numbers, now, required_actor

_MOST_HOSTS, _MOST_SHOWN = 20, 100
_MARKS = 10**9  # what a field of a form holds

bp = Blueprint("found_names", __name__, url_prefix="/prefixes")


@bp.get("/<number:ident>/found")
def found(ident: int) -> ResponseReturnValue:
    """The names that were found, and what can be done with all of them."""
    return _found(ident, 200)


def _found(
    ident: int,
    status: int,
    moving: IdempotentForm | None = None,
    ending: IdempotentForm | None = None,
) -> ResponseReturnValue:
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    page = found_names(ident, "", MOST_AT_ONCE)
    shown = {
        "moving": moving or forms.MovedTargetsForm(formdata=None),
        "ending": ending or forms.WithdrawalForm(formdata=None),
    }
    for one in shown.values():
        one.reopen(_mark_of(page))
    problems = [problem for one in shown.values() for problem in one.problems()]
    told = {
        "detail": detail,
        "page": page,
        "standing": sum(one.record.state is not AssignedNameState.WITHDRAWN for one in page.names),
        "problems": problems,
        "hosts": Counter(
            host_of(one.record.target) for one in page.names if one.record.target
        ).most_common(_MOST_HOSTS),
        "moved": forms.MOVED,
        "withdrawn_for": (forms.WITHDRAWN_FOR, forms.USED_INSTEAD),
        "query": request.query_string.decode("ascii"),
    }
    return answer_form(
        problems, status, lambda: render_template("prefixes/found.html", **told, **shown)
    )


@bp.post("/<number:ident>/found/move")
def move(ident: int) -> ResponseReturnValue:
    """Let the targets of names begin otherwise."""
    required_actor()
    form = forms.MovedTargetsForm()

    def revisions(page: NamePage) -> tuple[NameRevision, ...]:
        begins = (form.begins.data or "").strip()
        records = (one.record for one in page.names)
        made = tuple(retarget_names(records, begins, (form.instead.data or "").strip()))
        if not begins or not made:
            sentence = "None of these targets starts with this text. Enter the start of a target."
            raise InvalidInput(page_codes.FORM_UNFIT, sentence, "begins")
        return made

    return _change(ident, form, revisions, lambda status: _found(ident, status, moving=form))


@bp.post("/<number:ident>/found/withdraw/look")
def look(ident: int) -> ResponseReturnValue:
    """What will happen, how many names it is about and which, before they are withdrawn."""
    required_actor()
    form, page = forms.WithdrawalForm(), found_names(ident, "", MOST_AT_ONCE)

    def use() -> ChangedNames:
        _see_the_same(form, page)
        return name_changes.preview_changes(required_actor(), now(), _withdrawals(form, page))

    return submit_form(
        form,
        use,
        done=lambda made: _shown_before(ident, form, page, made),
        again=lambda problem: _found(ident, problem.status, ending=form),
        field_of=field_named,
    )


def _shown_before(
    ident: int, form: IdempotentForm, page: NamePage, made: ChangedNames
) -> ResponseReturnValue:
    form.reopen(_mark_of(page))
    names = [one.record.name for one in made.changes]
    leading = {one.record.name: one.record.target for one in page.names}
    return render_template(
        "prefixes/withdrawal.html",
        detail=prefix_lists.prefix_detail(ident, required_actor(), now()),
        form=form,
        names=[(name, leading[name]) for name in names[:_MOST_SHOWN]],
        count=len(names),
        left=len(page.names) - len(names),
        told=list(dict.fromkeys(one.message for _, one in made.findings)),
        query=request.query_string.decode("ascii"),
    )


@bp.post("/<number:ident>/found/withdraw")
def withdraw(ident: int) -> ResponseReturnValue:
    """Let names lead nowhere from now on."""
    required_actor()
    form = forms.WithdrawalForm()
    return _change(
        ident,
        form,
        lambda page: _withdrawals(form, page),
        lambda status: _found(ident, status, ending=form),
    )


def _withdrawals(form: IdempotentForm, page: NamePage) -> tuple[NameRevision, ...]:
    told = (form.reason.data or "", now().date().isoformat(), form.successor.data or "")
    made = tuple(withdrawals((one.record for one in page.names), *told))
    if not made:
        sentence = "All of these identifiers are already withdrawn."
        raise Refusal(assigned_name_codes.ASSIGNED_NAME_WITHDRAWN, sentence)
    return made


def _mark_of(page: NamePage) -> int:
    seen = "".join(f"{one.record.name} {one.version}\n" for one in page.names)
    return crc32(seen.encode()) % _MARKS


def _see_the_same(form: IdempotentForm, page: NamePage) -> None:
    if _mark_of(page) != form.lock_version.data or page.after:
        sentence = "The identifiers changed after you opened the page. Check them, then try again."
        raise EditConflict(use_case_codes.EDIT_CONFLICT, sentence)


def _change(
    ident: int,
    form: IdempotentForm,
    revisions: Callable[[NamePage], tuple[NameRevision, ...]],
    again: Callable[[int], ResponseReturnValue],
) -> ResponseReturnValue:
    page = found_names(ident, "", MOST_AT_ONCE)

    def use() -> int:
        _see_the_same(form, page)
        # what was seen is which there are, and not the version of one
        command = replace(command_of(form), seen=0)
        made = revisions(page)
        name_changes.change_names(command, made, given=given_numbers())
        return len(made)

    def done(count: int) -> ResponseReturnValue:
        notice = f"Identifiers changed: {count:,}."
        return redirect_with_notice(notice, url_for("prefixes.prefix", ident=ident))

    return submit_form(
        form, use, done=done, again=lambda problem: again(problem.status), field_of=field_named
    )
