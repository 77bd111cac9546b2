"""Who acts for a registrant: people, claims, transfers; and beginning a revision."""

from http import HTTPStatus
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.identifiers.nid import fold_nid
from app.problems import use_case_codes
from app.registration.declarations.registries import Procedure
from app.services.delegates import claims, delegation, transfers
from app.services.refusals import NotFound
from app.services.requests import revisions
from app.web.actions.delegate_submission import (
    Do,
    delegate_command,
    redirect_with_notice,
    submit_delegate_form,
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

bp = Blueprint("holding", __name__)


# ---- beginning a revision


@bp.get("/requests/revise")
def find() -> ResponseReturnValue:
    """Where the field of “change a registered namespace” leads."""
    name = fold_nid(request.args.get("name", "").strip().removesuffix(":"))
    name = name.removeprefix("urn:")
    there = url_for(".revise", name=name) if name else url_for("registrant.new")
    return redirect(there, 303)


@bp.get("/namespaces/<name>/revise")
def revise(name: str) -> ResponseReturnValue:
    """What can be changed of a name, for whoever acts for it; others are led to the claim."""
    claims.entry(name)
    required_actor()
    return _revise(name, RevisionForm(formdata=None))


def _revise(name: str, form: RevisionForm, status: int = 200) -> ResponseReturnValue:
    found = revisions.revisable(name, required_actor())
    if found is None:
        return redirect(url_for(".claim", name=fold_nid(name)), 303)
    form.reopen(0)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("holding/revise.html", found=found, form=form),
    )


@bp.post("/namespaces/<name>/revise")
def begin(name: str) -> ResponseReturnValue:
    """Open a draft that holds what is registered."""
    actor, form = required_actor(), RevisionForm()
    procedure = Procedure.FAST_TRACK if form.way.data == FAST_TRACK else None
    given: dict[str, Any] = {"key": str(form.key.data), "procedure": procedure}
    begun: list[int] = []
    return submit_delegate_form(
        form,
        lambda: begun.append(revisions.start(actor, name, now(), **given)),
        lambda form, status: _revise(name, form, status),
        lambda: redirect(url_for("registrant.begin", number=begun[0]), 303),
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
        lambda: render_template("holding/revision.html", look=look, form=form),
    )


@bp.post("/requests/<number:number>/revision")
def take_newer(number: int) -> ResponseReturnValue:
    """Base a revision on what is registered by now."""
    actor, form = required_actor(), IdempotentForm()
    return submit_delegate_form(
        form,
        lambda: revisions.take_newer(actor, number, form.lock_version.data or 0, now()),
        lambda form, status: _revision(number, form, status),
        lambda: redirect_with_notice(
            "Your revision is based on what is registered now. Bring its text in line.",
            url_for(".revision", number=number),
        ),
    )


# ---- people


@bp.get("/namespaces/<name>/people")
def people(name: str) -> ResponseReturnValue:
    """Who acts for the registrant of a name."""
    required_actor()
    return _people(DelegateForm(formdata=None), name=name)


@bp.get("/requests/<number:number>/people")
def people_of_request(number: int) -> ResponseReturnValue:
    """Who acts for a request; once it is registered, for its name."""
    required_actor()
    return _people(DelegateForm(formdata=None), request=number)


def _people(form: DelegateForm, status: int = 200, **what: Any) -> ResponseReturnValue:
    shown = delegation.people(required_actor(), **what)
    path = delegation.path_of(shown.held)
    if status == HTTPStatus.OK and path != request.path:
        return redirect(path, 303)
    form.reopen(shown.seen)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("holding/people.html", look=shown, form=form, path=path),
    )


@bp.post('/namespaces/<name>/people/<any(invite,"call-off",remove,leave):what>')
def change_people(name: str, what: str) -> ResponseReturnValue:
    """Invite somebody to act for a name, take that back, remove somebody, or leave."""
    return _change_people(what, name=name)


@bp.post('/requests/<number:number>/people/<any(invite,"call-off",remove,leave):what>')
def change_people_of_request(number: int, what: str) -> ResponseReturnValue:
    """Invite somebody to act for a request, take that back, remove somebody, or leave."""
    return _change_people(what, request=number)


def _change_people(what: str, **whose: Any) -> ResponseReturnValue:
    required_actor()
    form = DelegateForm()
    form.main = "address" if what == "invite" else ""
    act = delegate_command(form, on_seen=True)
    person = form.person.data or 0
    uses: dict[str, tuple[Do, str]] = {
        "invite": (
            lambda: delegation.invite(form.address.data or "", act, **whose),
            "A link is on its way to them. They act from when they use it.",
        ),
        "call-off": (
            lambda: delegation.call_off(person, act, **whose),
            "The invitation is called off. Its link leads nowhere now.",
        ),
        "remove": (lambda: delegation.remove(person, act, **whose), "They act for it no more."),
        "leave": (
            lambda: delegation.leave(act, knowing=bool(form.knowing.data), **whose),
            "You act for it no more.",
        ),
    }
    do, said = uses[what]
    path = url_for("requests.index") if what == "leave" else request.path.rpartition("/")[0]
    return submit_delegate_form(
        form,
        do,
        lambda form, status: _people(form, status, **whose),
        lambda: redirect_with_notice(said, path),
    )


# ---- claiming


@bp.get("/namespaces/<name>/claim")
def claim(name: str) -> ResponseReturnValue:
    """How somebody comes to act for a name."""
    return _claim(name, ClaimForm(formdata=None))


def _claim(name: str, form: ClaimForm, status: int = 200) -> ResponseReturnValue:
    found = claims.claimable(name, current_actor())
    if status == HTTPStatus.OK and found.acts:
        return redirect(url_for(".people", name=found.name), 303)
    form.reopen(found.seen)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("holding/claim.html", found=found, form=form),
    )


@bp.post("/namespaces/<name>/claim/<any(contact,evidence):way>")
def ask(name: str, way: str) -> ResponseReturnValue:
    """Claim a name by a link to the contact on file, or by what one shows to the operator."""
    required_actor()
    form = ClaimForm()
    act = delegate_command(form)
    uses: dict[str, tuple[Do, str]] = {
        "contact": (
            lambda: claims.ask_contact(name, act),
            "A link is on its way to the contact on file. Only you can use it.",
        ),
        "evidence": (
            lambda: claims.ask_operator(name, form.shown.data or "", act),
            "The operator has your claim, and answers you by e-mail.",
        ),
    }
    do, said = uses[way]
    return submit_delegate_form(
        form,
        do,
        lambda form, status: _claim(name, form, status),
        lambda: redirect_with_notice(said, url_for(".claim", name=fold_nid(name))),
    )


# ---- transfers


@bp.get("/namespaces/<name>/transfer")
def transfer(name: str) -> ResponseReturnValue:
    """Ask that a name goes to another registrant; or the transfer that is under way."""
    required_actor()
    return _transfer(name, TransferForm(formdata=None))


def _transfer(name: str, form: IdempotentForm, status: int = 200) -> ResponseReturnValue:
    look = delegation.people(required_actor(), name)
    if not look.acts:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "Only those who act for a name transfer it. The desk shows its claims.",
        )
    if look.transfer and "address" in form:  # its page asks for words alone
        form = ReasonForm(formdata=None)
        if status != HTTPStatus.OK:
            form.refuse("A transfer is under way already. Stop it first, to ask for another.")
    form.reopen(look.seen)
    shown = {"look": look, "form": form, "days": settings().transfer_days}
    return answer_form(
        form.problems(), status, lambda: render_template("holding/transfer.html", **shown)
    )


@bp.post("/namespaces/<name>/transfer")
def ask_transfer(name: str) -> ResponseReturnValue:
    """Ask for a transfer; everybody on the old side is told."""
    required_actor()
    form = TransferForm()
    return submit_delegate_form(
        form,
        lambda: transfers.ask(
            name,
            form.organization.data or "",
            form.address.data or "",
            form.reason.data or "",
            delegate_command(form, on_seen=True),
            days=settings().transfer_days,
        ),
        lambda form, status: _transfer(name, form, status),
        lambda: redirect_with_notice(
            "The transfer is announced to everybody on the old side.",
            url_for(".transfer", name=fold_nid(name)),
        ),
    )


@bp.post("/namespaces/<name>/transfer/stop")
def stop_transfer(name: str) -> ResponseReturnValue:
    """Stop a transfer: take it back, or object."""
    required_actor()
    form = ReasonForm()
    return submit_delegate_form(
        form,
        lambda: transfers.stop(name, form.reason.data or "", delegate_command(form, on_seen=True)),
        lambda form, status: _transfer(name, form, status),
        lambda: redirect_with_notice(
            "The transfer is off.", url_for(".people", name=fold_nid(name))
        ),
    )
