"""A new draft from a request that led to nothing; both pages show the other."""

import json

from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import PROFILE, SERVICES
from app.registration.records.registry_records import Purpose
from app.services import drafts, moves
from app.services.bases import STATUS, SUCCESSOR
from app.services.evidence import Context, Facts, Given
from app.services.once import once
from app.services.parties import roles_toward
from app.services.refusals import NotFound
from app.store import desk, requests
from app.store.tables import Request
from app.store.tables.desk import Link
from app.workflow.states import Action

_BESIDE = (STATUS, SUCCESSOR, EQUIVALENCE, PROFILE, SERVICES)  # what is sent beside the template


def copy(number: int, given: Given, context: Context) -> int:
    """Open a draft with the text of a request that was declined or withdrawn; gives its number.

    Raises NotFound, Changed, and what the workflow refuses.
    """

    def work() -> int:
        request = moves.opened(number, given, context.actor)
        facts = Facts(request=request, action=Action.COPY, given=given, context=context)
        roles = roles_toward(context.actor, request, context.rules.separation)
        move = moves.decided_move(facts, roles)
        made = _opened_copy(request, context)
        moves.settle(facts, move, {"copy": made})
        return made

    return int(once(context.actor.id, given.key, {"copy": number}, context.at, work))


def _opened_copy(request: Request, context: Context) -> int:
    drafts.count_draft(context.actor, context.at)
    made = requests.add_request(
        registry=request.registry_id,
        procedure=request.procedure,
        purpose=request.purpose,
        registrant=context.actor.id,
        at=context.at,
    )
    if request.purpose == Purpose.REVISION:  # it changes the same name, from the same version
        made.asked_name, made.base_record = request.asked_name, request.base_record
        made.base_version = request.base_version
    desk.add_link(made.number, request.number, Link.COPY)
    sent = requests.find_iteration(request.number, request.iterations)
    if sent is None:
        raise NotFound(f"Request {request.number} was never sent.")
    draft = requests.get_draft(made.number)
    before = json.loads(requests.get_draft(request.number).fields)
    content = {
        "fields": drafts.without_filled_in(sent.fields),
        "organization": sent.organization,
        "standard": before.get("standard"),
    } | {name: sent.fields[name] for name in _BESIDE if sent.fields.get(name)}
    requests.save_draft(made.number, content, draft.lock_version, context.at)
    return made.number
