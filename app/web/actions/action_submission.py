"""Requests as pages show them and act on them: one way for every page that has a button."""

from typing import Any

from app.services.request_status.request_status import status_of
from app.services.requests.detail.action_offers import ActionOffer, offer_of
from app.services.requests.detail.request_detail import RequestDetail, show_request
from app.services.requests.request_evidence import ActionInput
from app.web.actions.request_wording import reader_of
from app.web.forms.request_forms import EvidenceForm, IdempotentForm
from app.web.middleware.session import current_actor, now, policy, required_actor
from app.workflow.reviews import Verdict
from app.workflow.states import Action

_SAID = ("reason", "iteration")


def load_request_page(number: int) -> RequestDetail:
    """A request for whoever asks."""
    return show_request(number, current_actor(), now(), policy().procedures)


def look_at_offer(number: int, action: Action) -> ActionOffer:
    """What an action on a request asks of whoever is signed in, if it is open to them."""
    return offer_of(number, action, required_actor(), now(), policy().procedures)


def next_step_sentence(number: int, action: Action, reviewed: Verdict | None = None) -> str:
    """The next step of a request, for the person who just acted on it or ``reviewed`` it."""
    offer, rules = look_at_offer(number, action), policy()
    status = status_of(
        offer.row,
        now(),
        reader_of(offer.roles),
        reviewed=reviewed,
        is_proposal=rules.procedures.is_proposal,
        bodies=rules.mail.bodies,
    )
    return status.brief


def action_input(form: IdempotentForm, **given: Any) -> ActionInput:
    """What came with an action by a form, and what its page makes of that."""
    details = {"details": form.details} if isinstance(form, EvidenceForm) else {}
    said = {name: form[name].data for name in _SAID if name in form}
    return ActionInput(**(said | details | given))
