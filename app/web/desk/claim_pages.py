"""The operator's desk for claims and transfers: who comes to act for a registrant."""

from http import HTTPStatus

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services.delegates import claims
from app.services.delegates.claims import ClaimDecision, ClaimDetail
from app.services.registrations import transfer_decisions
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.delegate_forms import ClaimDecisionForm, TransferDecisionForm
from app.web.middleware.group_at_hand import hold_group
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_operator, separation_rule

bp = Blueprint("claims", __name__, url_prefix="/desk/claims")


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every claim and transfer that waits for the operator, oldest first."""
    required_operator()
    return render_template("desk/claims.html", waiting=claims.to_decide(), today=now())


@bp.get("/<number:number>")
def show(number: int) -> ResponseReturnValue:
    """The page of a claim, with who acts for its name now."""
    look = _look(number)
    return _page(look, _form_of(look)(formdata=None))


def _look(number: int) -> ClaimDetail:
    look = claims.show(number, required_operator(), separation_rule())
    hold_group(look.row.space)
    return look


def _form_of(look: ClaimDetail) -> type[ClaimDecisionForm] | type[TransferDecisionForm]:
    return TransferDecisionForm if look.row.is_transfer else ClaimDecisionForm


def _page(
    look: ClaimDetail, form: ClaimDecisionForm | TransferDecisionForm, status: int = HTTPStatus.OK
) -> ResponseReturnValue:
    form.reopen(0)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("desk/claim.html", look=look, form=form, today=now()),
    )


@bp.post("/<number:number>")
def decide(number: int) -> ResponseReturnValue:
    """Grant or refuse a claim; carry out or refuse a transfer."""
    look = _look(number)
    form = _form_of(look)()
    return submit_form(
        form,
        lambda: _decide(look, form),
        done=redirect_after(
            url_for(".index"), "Decision saved. The people concerned are notified by e-mail."
        ),
        again=lambda problem: _page(_look(number), form, problem.status),
    )


def _decide(look: ClaimDetail, form: ClaimDecisionForm | TransferDecisionForm) -> None:
    decision, reason = ClaimDecision(str(form.decision.data)), form.reason.data or ""
    if look.row.is_transfer:
        grant = decision is ClaimDecision.GRANT
        transfer_decisions.decide(command_of(form), look.row.number, reason, grant=grant)
    else:
        claims.decide(command_of(form), look.row.number, decision, reason)
