"""Who acts for a registrant: people, claims, transfers; and beginning a revision."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assigned_names.name_schemes import has_names_below
from app.identifiers.nid import nid_typed
from app.problems import use_case_codes
from app.registration.declarations.name_addresses import name_typed
from app.registration.declarations.registries import (
    REGISTRIES,
    URN_SPACE,
    IdentifierSpace,
    Procedure,
)
from app.services.delegates import claims, delegate_mail, delegation, transfers
from app.services.refusals import NotFound
from app.services.requests import revisions
from app.services.use_cases import Command
from app.web.actions.form_submission import (
    command_of,
    redirect_after,
    redirect_with_notice,
    submit_form,
)
from app.web.forms.delegate_forms import (
    ClaimForm,
    DelegateForm,
    ReasonForm,
    RevisionForm,
    TransferForm,
)
from app.web.forms.request_forms import FAST_TRACK, IdempotentForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import current_actor, now, required_actor, settings

bp = Blueprint("delegates", __name__)

_BASED = "Your revision is now based on the newest version."
_KEPT = "Your text is unchanged."


# ---- beginning a revision


@bp.get("/requests/revise")
def find() -> ResponseReturnValue:
    """Where the field of “change a registered namespace” leads."""
    typed = nid_typed(request.args.get("name", ""))
    asked = REGISTRIES.get(request.args.get("kind", ""))
    space, name = name_typed(typed, asked.space if asked else URN_SPACE)
    if space.may_be_name(name) and space is not URN_SPACE:
        return redirect(space.page_below(name, "revise"), 303)
    there = URN_SPACE.page_below(typed, "revise") if typed else url_for("registrant.new")
    return redirect(there, 303)


@bp.get("/namespaces/<name>/revise")
def revise(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """What can be changed of a name, for whoever acts for it; others are led to the claim."""
    claims.entry(name, space)
    required_actor()
    return _revise(name, space, RevisionForm(formdata=None))


def _revise(
    name: str, space: IdentifierSpace, form: RevisionForm, status: int = 200
) -> ResponseReturnValue:
    found = revisions.revisable(name, required_actor(), space)
    if found is None:
        return redirect(space.page_below(name, "claim"), 303)
    form.reopen(0)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("delegates/revise.html", found=found, form=form),
    )


@bp.post("/namespaces/<name>/revise")
def begin(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Open a draft that holds what is registered."""
    required_actor()
    form = RevisionForm()
    at = request.args.get("at")
    procedure = Procedure.FAST_TRACK if form.way.data == FAST_TRACK else None
    return submit_form(
        form,
        lambda: revisions.start(command_of(form), name, procedure, space=space),
        done=lambda number: redirect(url_for("registrant.begin", number=number, at=at), 303),
        again=lambda problem: _revise(name, space, form, problem.status),
    )


@bp.get("/requests/<number:number>/revision")
def revision(number: int) -> ResponseReturnValue:
    """A revision beside the registered text that it changes."""
    return _revision(number, IdempotentForm(formdata=None))


def _revision(number: int, form: IdempotentForm, status: int = 200) -> ResponseReturnValue:
    look = revisions.look(number, current_actor(), now().date().isoformat())
    form.reopen(look.lock_version)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("delegates/revision.html", look=look, form=form),
    )


@bp.post("/requests/<number:number>/revision")
def take_newer(number: int) -> ResponseReturnValue:
    """Base a revision on what is registered by now."""
    required_actor()
    form = IdempotentForm()
    return submit_form(
        form,
        lambda: revisions.take_newer(command_of(form), number),
        done=lambda is_newer: redirect_with_notice(
            _BASED if is_newer else _KEPT, url_for(".revision", number=number)
        ),
        again=lambda problem: _revision(number, form, problem.status),
    )


# ---- people


@bp.get("/namespaces/<name>/people")
def people(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Who acts for the registrant of a name."""
    required_actor()
    return _people(DelegateForm(formdata=None), name=name, space=space)


@bp.get("/requests/<number:number>/people")
def people_of_request(number: int) -> ResponseReturnValue:
    """Who acts for a request; once it is registered, for its name."""
    required_actor()
    return _people(DelegateForm(formdata=None), request=number)


def _people(form: DelegateForm, status: int = 200, **what: Any) -> ResponseReturnValue:
    shown = delegation.people(required_actor(), **what)
    path = delegate_mail.path_of(shown.held)
    if status == HTTPStatus.OK and path != request.path:
        return redirect(path, 303)
    form.reopen(shown.seen)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template(
            "delegates/people.html",
            look=shown,
            form=form,
            path=path,
            has_names_below=has_names_below(shown.held.space.id),
        ),
    )


@bp.post('/namespaces/<name>/people/<any(invite,"call-off",remove,leave):what>')
def change_people(name: str, what: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Invite somebody to act for a name, take that back, remove somebody, or leave."""
    return _change_people(what, name=name, space=space)


@bp.post('/requests/<number:number>/people/<any(invite,"call-off",remove,leave):what>')
def change_people_of_request(number: int, what: str) -> ResponseReturnValue:
    """Invite somebody to act for a request, take that back, remove somebody, or leave."""
    return _change_people(what, request=number)


def _change_people(what: str, **whose: Any) -> ResponseReturnValue:
    required_actor()
    form = DelegateForm()
    form.main = "address" if what == "invite" else ""
    do, said = _CHANGES[what]
    path = url_for("requests.index") if what == "leave" else request.path.rpartition("/")[0]
    return submit_form(
        form,
        lambda: do(command_of(form), form, **whose),
        done=redirect_after(path, said),
        again=lambda problem: _people(form, problem.status, **whose),
    )


def _invite(command: Command, form: DelegateForm, **whose: Any) -> None:
    delegation.invite(command, form.address.data or "", **whose)


def _call_off(command: Command, form: DelegateForm, **whose: Any) -> None:
    delegation.call_off(command, form.person.data or 0, **whose)


def _remove(command: Command, form: DelegateForm, **whose: Any) -> None:
    delegation.remove(command, form.person.data or 0, **whose)


def _leave(command: Command, form: DelegateForm, **whose: Any) -> None:
    delegation.leave(command, knowing=bool(form.knowing.data), **whose)


_CHANGES: Mapping[str, tuple[Callable[..., None], str]] = {
    "invite": (_invite, "Invitation sent."),
    "call-off": (_call_off, "Invitation canceled."),
    "remove": (_remove, "Manager removed."),
    "leave": (_leave, "You are no longer a manager."),
}


# ---- claiming


@bp.get("/namespaces/<name>/claim")
def claim(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """How somebody comes to act for a name."""
    return _claim(name, space, ClaimForm(formdata=None))


def _claim(
    name: str, space: IdentifierSpace, form: ClaimForm, status: int = 200
) -> ResponseReturnValue:
    found = claims.claimable(name, current_actor(), space)
    if status == HTTPStatus.OK and found.acts:
        return redirect(space.page_below(name, "people"), 303)
    form.reopen(found.seen)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("delegates/claim.html", found=found, form=form),
    )


@bp.post("/namespaces/<name>/claim/<any(contact,evidence):way>")
def ask(name: str, way: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Claim a name by a link to the contact on file, or by what one shows to the operator."""
    required_actor()
    form = ClaimForm()
    do, said = _CLAIMS[way]
    return submit_form(
        form,
        lambda: do(command_of(form), form, name, space),
        done=redirect_after(space.page_below(name, "claim"), said),
        again=lambda problem: _claim(name, space, form, problem.status),
    )


def _ask_contact(command: Command, _form: ClaimForm, name: str, space: IdentifierSpace) -> None:
    claims.ask_contact(command, name, space=space)


def _ask_operator(command: Command, form: ClaimForm, name: str, space: IdentifierSpace) -> None:
    claims.ask_operator(command, name, form.shown.data or "", space=space)


_CLAIMS: Mapping[str, tuple[Callable[..., None], str]] = {
    "contact": (
        _ask_contact,
        "Link sent to the contact on file. Only you can use it.",
    ),
    "evidence": (_ask_operator, "Claim sent. The operator will reply by e-mail."),
}


# ---- transfers


@bp.get("/namespaces/<name>/transfer")
def transfer(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Ask that a name goes to another registrant; or the transfer that is under way."""
    required_actor()
    return _transfer(name, space, TransferForm(formdata=None))


def _transfer(
    name: str, space: IdentifierSpace, form: IdempotentForm, status: int = 200
) -> ResponseReturnValue:
    look = delegation.people(required_actor(), name, space=space)
    if not look.acts:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "Only a manager of this entry can transfer it.",
        )
    if look.transfer and "address" in form:  # its page asks for words alone
        form = ReasonForm(formdata=None)
        if status != HTTPStatus.OK:
            form.refuse("A transfer is already in progress. Stop that transfer first.")
    elif not look.transfer and "address" not in form:
        form = TransferForm(formdata=None)
        if status != HTTPStatus.OK:
            form.refuse("No transfer is in progress.")
    form.reopen(look.seen)
    shown = {"look": look, "form": form, "days": settings().transfer_days}
    return answer_form(
        form.problems(), status, lambda: render_template("delegates/transfer.html", **shown)
    )


@bp.post("/namespaces/<name>/transfer")
def ask_transfer(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Ask for a transfer; everybody on the old side is told."""
    required_actor()
    form = TransferForm()
    names = ("organization", "address", "reason")
    return submit_form(
        form,
        lambda: transfers.ask(
            command_of(form), name, *(form[one].data or "" for one in names), space=space
        ),
        done=redirect_after(
            space.page_below(name, "transfer"),
            "Transfer requested. The current managers are notified by e-mail.",
        ),
        again=lambda problem: _transfer(name, space, form, problem.status),
    )


@bp.post("/namespaces/<name>/transfer/stop")
def stop_transfer(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Stop a transfer: take it back, or object."""
    required_actor()
    form = ReasonForm()
    return submit_form(
        form,
        lambda: transfers.stop(command_of(form), name, form.reason.data or "", space=space),
        done=redirect_after(space.page_below(name, "people"), "Transfer stopped."),
        again=lambda problem: _transfer(name, space, form, problem.status),
    )
