"""What actions do besides moving a request, each in the transaction of its move."""

from collections.abc import Callable, Mapping

from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Procedure,
    procedure_named,
)
from app.registration.records.record_documents import canonical_json
from app.services.accounts.sign_in import checked_address
from app.services.experts import fast_track_organizations, panel_membership
from app.services.experts.fast_track_organizations import Recognition
from app.services.experts.independence import refuse_own
from app.services.notifications.event_notices import list_message_id
from app.services.refusals import InvalidInput
from app.services.registrations import name_registration
from app.services.registrations.name_registration import FormatTrial
from app.services.request_status import panel_evidence
from app.services.requests import drafts, request_points, text_studies
from app.services.requests.draft_preview import keep_rendered
from app.services.requests.request_evidence import ActionFacts, ActionInput, evidence_for
from app.services.requests.text_findings import check_of_sent
from app.services.use_cases import Command
from app.store.accounts import account_rows
from app.store.accounts import expert_panels as panel_rows
from app.store.database import read_transaction
from app.store.requests import iteration_rows, operator_notes, request_rows
from app.store.tables import Request
from app.store.tables.desk import RequestLinkKind
from app.workflow.action_rows import ActionEffect
from app.workflow.engine import Transition
from app.workflow.evidence import ESCALATION_GROUNDS
from app.workflow.reviews import Verdict
from app.workflow.states import Action, IanaState, State

Details = dict[str, str | int]

KEPT = (State.EXPERT_REVIEW, State.WITH_REQUESTER)  # who had it to review has it still


def prepare(
    command: Command, number: int, action: Action, given: ActionInput
) -> FormatTrial | None:
    """Do ahead what would keep others waiting in the transaction; it keeps and refuses nothing."""
    if action is Action.REVIEW and given.verdict is Verdict.APPROVE and not given.says_something:
        _study_ahead(number)
    if action is not Action.REGISTER or given.reference is None or not command.actor.is_operator:
        return None
    with read_transaction():
        request = request_rows.find_request(number)
        if request is not None and request.state == State.ASSIGNABLE:
            return name_registration.try_formats(
                request,
                given.reference,
                command.at,
                notice=command.rules.notice,
                base_url=command.post.base_url,
                stated=name_registration.read_version(given.detail(name_registration.STATED)),
            )
    return None


def _study_ahead(number: int) -> None:
    with read_transaction():
        request = request_rows.find_request(number)
        check = check_of_sent(request) if request is not None else None
    if check is not None:
        _ = check.asks_approver


def before(facts: ActionFacts) -> Details:
    """Do what an action does before the request moves; gives what the record says of it."""
    effect = facts.action.row.effect
    return EFFECTS[effect](facts) if effect else {}


def send(facts: ActionFacts) -> Details:
    """Keep the text as it is sent: public for ever, rendered once, with the answers to the last.

    Raises InvalidInput where something that was asked has no answer.
    """
    request, command, writing = facts.request, facts.command, facts.writing
    fields = drafts.sent_fields(writing)
    if facts.given.replies is not None:
        request_points.refuse_unanswered(facts.answered)
    answers: Details = {**request_points.answers_to_send(facts.answered)}
    registry = REGISTRIES[request.registry_id]
    request.asked_name = registry.fold(fields.get(registry.name_field.name, ""))
    request.organization = writing.organization
    if facts.action is Action.SUBMIT:  # later another answer is another procedure
        request.standard_anticipated = writing.standard
    keep_rendered(fields)
    posted = list_message_id(request, command.post)
    iteration_rows.add_iteration(request, fields, command.actor.id, command.at, posted)
    text_studies.keep_study(request.number, request.iterations)
    return answers


def _complete(facts: ActionFacts) -> Details:
    return send(facts) if facts.sends and facts.is_changed else {}


def _register(facts: ActionFacts) -> Details:
    reference, rules = facts.given.reference, facts.command.rules
    if reference is None and REGISTRIES[facts.request.registry_id].has_references:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the reference to publish.",
            field="reference",
        )
    name, edition = name_registration.register(
        facts.request,
        reference,
        facts.command.at,
        authority=rules.authority,
        notice=rules.notice,
        number_prefix=rules.number_prefix,
        base_url=facts.command.post.base_url,
        stated=name_registration.read_version(facts.given.detail(name_registration.STATED)),
        tried=facts.tried,
    )
    return {"name": name, "edition": edition}


def _recognize(facts: ActionFacts) -> Details:
    given, request = facts.given, facts.request
    recognition = Recognition(
        name=request.organization,
        since=given.detail("date"),
        decision=given.reason,
        reference=given.detail("reference"),
    )
    fast_track_organizations.enter(recognition, request.registrant, facts.command.at)
    return {}


def _report(facts: ActionFacts) -> Details:
    facts.request.body = facts.given.detail("body")
    return {}


def _escalate(facts: ActionFacts) -> Details:
    holds = evidence_for(facts)
    return {"why": next(words for ground, words in ESCALATION_GROUNDS.items() if ground in holds)}


def _ask_procedure(facts: ActionFacts) -> Details:
    facts.request.asked_procedure = procedure_named(facts.given.detail("procedure"))
    return {}


def _leave_procedure(facts: ActionFacts) -> Details:
    asked = str(facts.request.asked_procedure)
    facts.request.asked_procedure = None
    return {"procedure": asked}


def _no_standard(facts: ActionFacts) -> Details:
    _answer_standard(facts, standard=False)
    return {}


def _change_procedure(facts: ActionFacts) -> Details:
    request, standard = facts.request, Procedure.STANDARDS_ACTION
    answers = {request.asked_procedure, request.procedure}
    if standard in answers or request.asked_procedure == Procedure.COMMUNITY:
        _answer_standard(facts, standard=request.asked_procedure == standard)
    return {}


def _answer_standard(facts: ActionFacts, *, standard: bool) -> None:
    facts.request.standard_anticipated = standard
    drafts.answer_standard(facts.request, standard=standard)


def _raise_delay(facts: ActionFacts) -> Details:
    facts.request.delayed = facts.command.at
    return {}


def _answer(facts: ActionFacts) -> Details:
    address = facts.given.detail("expert")
    if address:
        at = facts.command.at
        actor, rule = facts.command.actor, facts.command.rules.separation
        refuse_own(actor, checked_address(address), rule)
        account = account_rows.get_or_add_account(checked_address(address), at)
        decision = facts.given.detail("reference")
        panel_rows.add_temporary_expert(facts.request.number, account.id, at, decision, actor.id)
        if account not in panel_evidence.eligible(facts.request, at, rule):
            raise InvalidInput(
                use_case_codes.APPOINTEE_CONFLICTED,
                "This person also has a conflict of interest. Choose another.",
            )
    return {}


def _take_on(facts: ActionFacts) -> Details:
    panel_membership.give_to(facts.request, [facts.command.actor.id], facts.command.at)
    return {}


def _pass_on(facts: ActionFacts) -> Details:
    command = facts.command
    panel_membership.give_on(facts.request, command.actor.id, command.at, command.rules.separation)
    return {}


def _recuse(facts: ActionFacts) -> Details:
    command = facts.command
    panel_rows.add_recusal(facts.request.number, command.actor.id, command.at)
    panel_membership.give_on(facts.request, command.actor.id, command.at, command.rules.separation)
    return {}


def _merge(facts: ActionFacts) -> Details:
    other = facts.duplicated
    if other is not None:  # the evidence of the move, so it is there
        operator_notes.add_link(facts.request.number, other.number, RequestLinkKind.DUPLICATE)
    return {}


_IANA_STATES = {
    Action.SEND_ON: IanaState.SENT,
    Action.ENTER_ANSWER: IanaState.ANSWERED,
    Action.ENTER_REGISTRATION: IanaState.REGISTERED,
    Action.ENTER_REFUSAL: IanaState.REFUSED,
}


def _keep_iana_state(facts: ActionFacts) -> Details:
    request = facts.request
    request.iana_state = _IANA_STATES[facts.action]
    request.iana_day, request.due = facts.given.detail("day"), None
    return {}


EFFECTS: Mapping[ActionEffect, Callable[[ActionFacts], Details]] = {
    ActionEffect.KEEP_TEXT: send,
    ActionEffect.KEEP_CHANGED_TEXT: _complete,
    ActionEffect.GIVE_NAME: _register,
    ActionEffect.LIST_ORGANIZATION: _recognize,
    ActionEffect.KEEP_BODY: _report,
    ActionEffect.KEEP_GROUNDS: _escalate,
    ActionEffect.KEEP_PROCEDURE_WISH: _ask_procedure,
    ActionEffect.END_PROCEDURE_WISH: _leave_procedure,
    ActionEffect.CHANGE_STANDARD_ANSWER: _change_procedure,
    ActionEffect.DENY_STANDARD: _no_standard,
    ActionEffect.FLAG_DELAY: _raise_delay,
    ActionEffect.APPOINT_EXPERT: _answer,
    ActionEffect.TAKE_REVIEW: _take_on,
    ActionEffect.HAND_REVIEW_ON: _pass_on,
    ActionEffect.RECUSE_EXPERT: _recuse,
    ActionEffect.LINK_DUPLICATE: _merge,
    ActionEffect.KEEP_IANA_STATE: _keep_iana_state,
}


def after(facts: ActionFacts, move: Transition) -> None:
    """Do what follows from where a request stands now."""
    request, command = facts.request, facts.command
    _choose_registry(request, move.procedure)
    if move.target is move.source:
        return
    if move.action not in _IANA_STATES:  # it goes on here, and may be sent on anew
        request.iana_state = request.iana_day = None
    if move.target is State.EXPERT_REVIEW:
        rules = command.rules
        panel_membership.give(request, command.at, rules.separation, max(1, rules.outcome.needed))
    elif move.target not in KEPT:
        panel_rows.end_assignments(request.number, command.at)


def give_to_leaders(facts: ActionFacts) -> None:
    """Where experts contradict each other it is the leader's turn."""
    at = facts.command.at
    leaders = panel_rows.leaders_of(facts.request.registry_id, at)
    able = [one.id for one in facts.able if one.id in leaders]
    panel_membership.give_to(facts.request, able, at)


def _choose_registry(request: Request, procedure: DeclaredProcedure) -> None:
    if procedure in REGISTRIES[request.registry_id].procedures:
        return
    (chosen,) = (one for one in REGISTRIES.values() if procedure in one.procedures)
    request.registry_id = chosen.id
    request.asked_name = ""
    drafts.leave_name_out(request)


def written(facts: ActionFacts, found: Details) -> str:
    """What the record keeps of a move beside the words."""
    given = {name: text.strip() for name, text in facts.given.details.items() if text.strip()}
    given.pop("expert", None)  # an address is not public
    return canonical_json(given | found) if given or found else ""
