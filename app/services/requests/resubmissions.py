"""A new draft from a request that led to nothing; both pages show the other."""

import json

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import PROFILE, SERVICES
from app.registration.records.registry_records import Purpose
from app.services.accounts.parties import roles_toward
from app.services.refusals import NotFound
from app.services.registry.base_version import STATUS, SUCCESSOR
from app.services.requests import drafts, request_actions
from app.services.requests.action_facts import ActionFacts, ActionInput
from app.services.use_cases import Command, use_case
from app.store.requests import draft_rows, iteration_rows, operator_notes, request_rows
from app.store.tables import Request
from app.store.tables.desk import RequestLinkKind
from app.workflow.states import Action

_BESIDE = (STATUS, SUCCESSOR, EQUIVALENCE, PROFILE, SERVICES)  # what is sent beside the template


@use_case("copy request")
def copy(command: Command, number: int) -> int:
    """Open a draft with the text of a request that was declined or withdrawn; gives its number.

    Raises NotFound, EditConflict, and what the workflow refuses.
    """
    request = request_actions.opened(command, number)
    given = ActionInput()
    facts = ActionFacts(request=request, action=Action.COPY, given=given, command=command)
    roles = roles_toward(command.actor, request, command.rules.separation)
    move = request_actions.decided_move(facts, roles)
    made = _opened_copy(command, request)
    request_actions.settle(facts, move, {"copy": made})
    return made


def _opened_copy(command: Command, request: Request) -> int:
    drafts.count_draft(command.actor, command.at)
    made = request_rows.add_request(
        registry=request.registry_id,
        procedure=request.procedure,
        purpose=request.purpose,
        registrant=command.actor.id,
        at=command.at,
    )
    if request.purpose == Purpose.REVISION:  # it changes the same name, from the same version
        made.asked_name, made.base_record = request.asked_name, request.base_record
        made.base_version = request.base_version
    operator_notes.add_link(made.number, request.number, RequestLinkKind.COPY)
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    if sent is None:
        raise NotFound(
            use_case_codes.REQUEST_UNKNOWN, f"Request {request.number} was never submitted."
        )
    draft = draft_rows.get_draft(made.number)
    before = json.loads(draft_rows.get_draft(request.number).fields)
    content = {
        "fields": drafts.without_filled_in(sent.fields, REGISTRIES[request.registry_id]),
        "organization": sent.organization,
        "standard": before.get("standard"),
    } | {name: sent.fields[name] for name in _BESIDE if sent.fields.get(name)}
    draft_rows.save_draft(made.number, content, draft.lock_version, command.at)
    return made.number
