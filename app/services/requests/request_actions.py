"""Moving a request: one action, one commit, one event."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta

from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    declared_procedures,
    procedure_named,
)
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import PROFILE, SERVICES
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import accounts_acting_for, roles_for, roles_toward
from app.services.idempotency import plain_value
from app.services.input_texts import require_storable
from app.services.notifications.event_notices import (
    OperatorNotice,
    letters_of,
    notify_operators,
    queue_letters,
)
from app.services.notifications.request_notices import RequestNotice
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.registrations.name_registration import FormatTrial
from app.services.registry.base_version import STATUS, SUCCESSOR
from app.services.requests import action_effects, drafts, request_evidence, request_points
from app.services.requests.draft_preview import keep_words
from app.services.requests.point_sources import check_replies, refuse_unknown
from app.services.requests.request_evidence import (
    DECIDED,
    ActionFacts,
    ActionInput,
    evidence_for,
    evidence_gone,
    objection_to,
)
from app.services.stored_editions.divergence import refuse_new_requests
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.database import transaction
from app.store.event_log import event_rows
from app.store.requests import draft_rows, iteration_rows, operator_notes, request_rows, review_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Request
from app.store.tables.desk import RequestLinkKind
from app.workflow.action_rows import Audience
from app.workflow.deadlines import due_date
from app.workflow.engine import (
    EvidenceMissing,
    NoSuchTransition,
    Transition,
    actions_for,
    transition,
)
from app.workflow.evidence import Evidence
from app.workflow.evidence_inputs import LONGEST_REASON, labelled_details
from app.workflow.reviews import COUNTED_ANEW, QUESTIONS, Review, Verdict
from app.workflow.separation_of_duties import fold_mailbox
from app.workflow.states import Action, Role, State
from app.workflow.transitions import Effect

REFUSED = "registration refused"  # an event that operators are told of, and nobody else
LONGEST_DETAIL = 40_000  # a report holds every review


def carry_out(command: Command, number: int, action: Action, given: ActionInput) -> State:
    """Take one action on a request and give where it then stands.

    Everything it does stands in one commit: the state, one event, its messages. Raises NotFound,
    EditConflict where the request moved since it was opened, InvalidInput, NameUnavailable, and
    what the workflow refuses.
    """
    if action.row.has_own_use_case:
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN,
            f"“{action.label}” isn't available on this page.",
            field="action",
        )
    _check(given)
    tried = action_effects.prepare(command, number, action, given)
    try:
        return _act(command, number, action, given, tried)
    except EvidenceMissing as error:
        if action is Action.REGISTER and Evidence.OTHER_PERSON in error.missing:
            _tell_others(command, number)
        raise


@use_case("act on request", beside={"tried"})
def _act(
    command: Command, number: int, action: Action, given: ActionInput, tried: FormatTrial | None
) -> State:
    request = opened(command, number)
    if action is Action.SUBMIT:  # from here on others know it by its number
        refuse_new_requests()
    facts = ActionFacts(request=request, action=action, given=given, command=command, tried=tried)
    if given.replies:
        refuse_unknown(given.replies, (one.of for one in facts.answered))
    rule = command.rules.separation
    roles = roles_for(command.actor, request, action, rule, lambda: facts.parties)
    _refuse_out_of_turn(facts, roles)
    if (case := case_of(request)).has_ended_at_iana:
        raise NoSuchTransition(case, action)
    return _review(facts, roles) if action is Action.REVIEW else _move(facts, roles)


def _tell_others(command: Command, number: int) -> None:
    actor = command.actor
    with transaction():
        request = request_rows.find_request(number, locked=True)
        tried = (e.actor for e in event_rows.of_request(number) if e.kind == REFUSED)
        if request is None or actor.id in tried:
            return
        word = OperatorNotice(
            todo="Not registered",
            name=f"request {number}",
            what=f"Another operator tried to register request {number}, but it was refused.",
            reason=Evidence.OTHER_PERSON.sentence,
            event=command.append_event(REFUSED, about=str(number), role=Role.OPERATOR),
            path=f"/requests/{number}",
        )
        notify_operators(word, actor, command.at, command.post)


def _refuse_out_of_turn(facts: ActionFacts, roles: frozenset[Role]) -> None:
    why = objection_to(facts) if Role.EXPERT in roles else ""
    if why:
        raise NotAllowed(use_case_codes.REVIEW_CLOSED, why)


def _check(given: ActionInput) -> None:
    check_replies(given.replies or {})
    require_storable(
        plain_value(given)
    )  # what comes next may look a text up, ahead of the use case
    if len(given.reason) > LONGEST_REASON:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"Your text is too long. Use at most {LONGEST_REASON} characters.",
            field="reason",
        )
    if any(len(text) > LONGEST_DETAIL for text in given.details.values()):
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"An answer is too long. Use at most {LONGEST_DETAIL} characters.",
        )


def opened(command: Command, number: int) -> Request:
    """A request that somebody acts on, as they saw it; kept from others until the commit."""
    request, actor = request_rows.find_request(number, locked=True), command.actor
    if request is None or (
        request.state == State.DRAFT and actor.id not in accounts_acting_for(request)
    ):
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    if request.lock_version != command.seen:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "This request changed after you opened it. Read it again before you send this.",
        )
    return request


def _move(facts: ActionFacts, roles: Iterable[Role], review: int | None = None) -> State:
    move = decided_move(facts, roles)
    if facts.action is Action.REGISTER:
        facts = _when_opened(facts)
        _refuse_what_went(facts, move)
    sent_before = facts.request.iterations
    found = action_effects.before(facts)
    sent = facts.request.iterations > sent_before
    return settle(facts, move, found, review, sent=sent)


def _when_opened(facts: ActionFacts) -> ActionFacts:
    return facts.going_on(command=command_at_next_edition(facts.command))


def _refuse_what_went(facts: ActionFacts, move: Transition) -> None:
    lacking = evidence_gone(facts, move.row)
    if lacking:
        raise EvidenceMissing(case_of(facts.request), facts.action, (tuple(lacking),))


def decided_move(facts: ActionFacts, roles: Iterable[Role]) -> Transition:
    """The move that an action makes on what it can show."""
    asked = _procedure_asked(facts)
    return transition(
        case_of(facts.request),
        facts.action,
        frozenset(roles),
        evidence_for(facts),
        procedure=asked,
    )


def _procedure_asked(facts: ActionFacts) -> DeclaredProcedure | None:
    if facts.action is Action.CHANGE_PROCEDURE:
        text = facts.request.asked_procedure or ""
    else:
        text = facts.given.detail("procedure")
    return procedure_named(text) if text in declared_procedures() else None


def settle(
    facts: ActionFacts,
    move: Transition,
    found: action_effects.Details | None = None,
    review: int | None = None,
    *,
    sent: bool = False,
) -> State:
    """Write down where a request stands, what happened, and who is told."""
    request, command = facts.request, facts.command
    _stand(request, move, command)
    action_effects.after(facts, move)
    body = action_effects.written(facts, found or {})
    letters = letters_of(_news(facts, move, body, sent=sent), command.post)
    n = command.append_event(
        move.event,
        about=str(request.number),
        role=move.row.role,
        source=move.source,
        target=move.target,
        iteration=request.iterations or None,
        review=review,
        edition=request.edition if move.action is Action.REGISTER else None,
        reason=facts.given.reason,
        body=body,
    )
    if move.action in COUNTED_ANEW:
        request.counted_from = n
    queue_letters(letters, n)
    keep_words(facts.given.reason)
    return move.target


def _stand(request: Request, move: Transition, command: Command) -> None:
    request.state, request.returns_to = move.target, move.returns_to
    if move.procedure != request.procedure:
        request.procedure, request.asked_procedure = move.procedure, None
    if move.target is not move.source:
        request.since, request.delayed = command.at, None
        if move.row.effect is not Effect.KEEPS_DUE:
            request.due = _due(request, command)
    request.lock_version += 1


def _due(request: Request, command: Command) -> datetime | None:
    day = due_date(case_of(request), command.at.date(), command.rules.due_days)
    return datetime.combine(day + timedelta(days=1), time(), UTC) if day else None


def _news(facts: ActionFacts, move: Transition, body: str, *, sent: bool) -> RequestNotice:
    details = event_rows.details_of(body)
    report = str(details.get("report", ""))
    answers = request_points.answers_as_text(request_points.answers_in(details))
    return RequestNotice(
        request=facts.request,
        action=move.action,
        actor=facts.command.actor,
        at=facts.command.at,
        reason="\n\n".join(filter(None, (facts.given.reason, report, answers))),
        told=(*_review_lines(facts, move.action), *labelled_details(details)),
        sent=sent,
        asking=lambda: facts.asking,
        last_appeal=_last_appeal(facts, move),
        rules=facts.command.rules,
        review=facts.review,
        also=(Audience.LEADERS,) if move.action is Action.REVIEW and facts.is_deadlocked else (),
    )


def _last_appeal(facts: ActionFacts, move: Transition) -> date | None:
    if move.target is not State.DECLINED or not request_evidence.are_heard(move.procedure):
        return None
    today, months = facts.command.at.date(), facts.command.rules.appeal_months
    return request_evidence.last_day_after(facts.story, move.event, today, months)


def _review_lines(facts: ActionFacts, action: Action) -> Iterator[tuple[str, str]]:
    if facts.given.verdict is not None:
        procedure = procedure_named(facts.request.procedure)
        if action is Action.REVIEW:
            yield "Outcome", facts.given.verdict.label_in(procedure)
        for question in QUESTIONS:
            if question.key in facts.given.answers:
                yield question.label, facts.given.answers[question.key]


def _review(facts: ActionFacts, roles: frozenset[Role]) -> State:
    reviewed = transition(case_of(facts.request), Action.REVIEW, roles, evidence_for(facts))
    verdict = facts.given.verdict
    if verdict is None:
        raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, "Choose approve, return or decline.")
    if verdict is not Verdict.APPROVE and not facts.given.says_something:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the changes that the registrant must make, or the reason for declining.",
            field="reason",
        )
    ident, facts = _keep_review(facts, verdict, leads=Role.LEADER in roles)
    if verdict is Verdict.RETURN:
        return _move(facts.going_on(action=Action.RETURN), roles, ident)
    decided = DECIDED.get(facts.decided)
    if decided and decided in _open_to_rule(facts):
        return _move(facts.going_on(action=decided), {Role.OUTCOME}, ident)
    if facts.is_deadlocked:
        action_effects.give_to_leaders(facts)
    return settle(facts, reviewed, review=ident)


def _open_to_rule(facts: ActionFacts) -> tuple[Action, ...]:
    return actions_for(case_of(facts.request), frozenset({Role.OUTCOME}))


def _keep_review(facts: ActionFacts, verdict: Verdict, *, leads: bool) -> tuple[int, ActionFacts]:
    given, command = facts.given, facts.command
    ident = review_rows.add_review(
        number=facts.request.number,
        iteration=given.iteration,
        author=command.actor.id,
        leader=leads,
        at=command.at,
        verdict=verdict,
        body=given.reason,
        answers=dict(given.answers),
    )
    review_rows.delete_review_draft(facts.request.number, command.actor.id)
    review = Review(fold_mailbox(command.actor.email), given.iteration, verdict, leads)
    return ident, facts.going_on(review=review)


_BESIDE = (STATUS, SUCCESSOR, EQUIVALENCE, PROFILE, SERVICES)  # what is sent beside the template


@use_case("copy request")
def copy(command: Command, number: int) -> int:
    """Open a draft with the text of a request that was declined or withdrawn; gives its number.

    Raises NotFound, EditConflict, and what the workflow refuses.
    """
    request = opened(command, number)
    given = ActionInput()
    facts = ActionFacts(request=request, action=Action.COPY, given=given, command=command)
    roles = roles_toward(command.actor, request, command.rules.separation)
    move = decided_move(facts, roles)
    made = _opened_copy(command, request)
    settle(facts, move, {"copy": made})
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
