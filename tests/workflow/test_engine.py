"""The engine: where a move leads, and what a refusal says."""

import re
from itertools import product

import pytest

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import (
    ActionRefused,
    EvidenceMissing,
    NoSuchTransition,
    ProcedureCase,
    RoleMissing,
    actions_for,
    procedure_for,
    transition,
)
from app.workflow.states import Action, IanaState, Role, State, Turn
from app.workflow.transitions import TABLES, Evidence

A, E, P, R, S = Action, Evidence, Procedure, Role, State
NEW, REVISION = Purpose.NEW, Purpose.REVISION
SENT = {E.HARD_RULES, E.POSTED}


def _roles(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


def _case(
    state: State | None, procedure: Procedure = P.COMMUNITY, purpose: Purpose = NEW
) -> ProcedureCase:
    return ProcedureCase(procedure, purpose, state)


def test_a_resubmission_goes_back_to_where_the_request_was_returned_from() -> None:
    for kept in (S.VALIDATING_REQUEST, S.EXPERT_REVIEW):
        case = ProcedureCase(P.COMMUNITY, NEW, S.WITH_REQUESTER, kept)
        move = transition(case, A.RESUBMIT, _roles(R.REGISTRANT), SENT | {E.NEW_ITERATION})
        assert (move.target, move.returns_to) == (kept, None)


def test_asking_for_another_procedure_keeps_where_the_request_goes_back_to() -> None:
    case = ProcedureCase(P.COMMUNITY, NEW, S.WITH_REQUESTER, S.EXPERT_REVIEW)
    move = transition(
        case, A.ASK_PROCEDURE, _roles(R.REGISTRANT), {E.REASON}, procedure=P.FAST_TRACK
    )
    assert (move.target, move.returns_to, move.procedure) == (
        S.WITH_REQUESTER,
        S.EXPERT_REVIEW,
        P.COMMUNITY,
    )


@pytest.mark.parametrize("state", State)
def test_only_a_request_with_its_requester_knows_where_it_goes_back_to(state: State) -> None:
    if state is S.WITH_REQUESTER:
        with pytest.raises(ValueError, match="with-requester cannot return to None"):
            ProcedureCase(P.COMMUNITY, NEW, state)
    else:
        with pytest.raises(ValueError, match="cannot return to expert-review"):
            ProcedureCase(P.COMMUNITY, NEW, state, S.EXPERT_REVIEW)


@pytest.mark.parametrize("kept", sorted(set(State) - {S.VALIDATING_REQUEST, S.EXPERT_REVIEW}))
def test_a_resubmission_goes_back_to_no_other_state(kept: State) -> None:
    with pytest.raises(ValueError, match="cannot return to"):
        ProcedureCase(P.COMMUNITY, NEW, S.WITH_REQUESTER, kept)


def test_the_fast_track_is_not_completed_while_validation_is_still_to_be_passed() -> None:
    case = ProcedureCase(P.FAST_TRACK, NEW, S.WITH_REQUESTER, S.VALIDATING_REQUEST)
    with pytest.raises(NoSuchTransition):
        transition(case, A.COMPLETE, _roles(R.REPRESENTATIVE), E)


def test_a_change_of_procedure_needs_another_procedure() -> None:
    case, told = _case(S.EXPERT_REVIEW), {E.ASKED, E.REASON, E.NO_PARTY}
    for same in (None, P.COMMUNITY):
        with pytest.raises(EvidenceMissing) as refused:
            transition(
                case,
                A.CHANGE_PROCEDURE,
                _roles(R.OPERATOR),
                told | {E.OTHER_PROCEDURE},
                procedure=same,
            )
        assert refused.value.missing == {E.OTHER_PROCEDURE}
    move = transition(case, A.CHANGE_PROCEDURE, _roles(R.OPERATOR), told, procedure=P.INFORMAL)
    assert (move.target, move.procedure) == (S.VALIDATING_REQUEST, P.INFORMAL)


def test_a_revision_does_not_change_from_formal_to_informal() -> None:
    case = _case(S.VALIDATING_REQUEST, purpose=REVISION)
    with pytest.raises(EvidenceMissing) as refused:
        transition(case, A.CHANGE_PROCEDURE, _roles(R.OPERATOR), E, procedure=P.INFORMAL)
    assert refused.value.missing == {E.OTHER_PROCEDURE}


def test_a_procedure_that_is_named_without_need_changes_nothing() -> None:
    move = transition(_case(S.NEW), A.TAKE, _roles(R.OPERATOR), (), procedure=P.INFORMAL)
    assert move.procedure is P.COMMUNITY


def test_a_refused_recognition_leads_to_the_community_procedure_and_a_new_validation() -> None:
    case = _case(S.IESG_RECOGNITION, P.FAST_TRACK)
    decided = {E.DECISION, E.REFERENCE, E.DATE, E.NO_PARTY}
    move = transition(case, A.REFUSE_RECOGNITION, _roles(R.OPERATOR), decided)
    assert (move.target, move.procedure) == (S.VALIDATING_REQUEST, P.COMMUNITY)


def test_a_move_that_is_not_in_the_table_names_the_state() -> None:
    with pytest.raises(
        NoSuchTransition,
        match="“Register” is not available for a request in the state “Expert Review”",
    ) as r:
        transition(_case(S.EXPERT_REVIEW), A.REGISTER, _roles(R.OPERATOR), E)
    assert (r.value.case, r.value.action) == (_case(S.EXPERT_REVIEW), A.REGISTER)


def test_a_move_before_the_beginning_says_so() -> None:
    with pytest.raises(NoSuchTransition, match="a request that doesn’t exist yet"):
        transition(_case(None), A.SUBMIT, _roles(R.REGISTRANT), E)


def test_a_move_of_others_says_whose_it_is() -> None:
    with pytest.raises(RoleMissing, match="Only the operator can") as refused:
        transition(_case(S.NEW), A.TAKE, _roles(R.REGISTRANT, R.EXPERT), ())
    assert refused.value.roles == (R.OPERATOR,)


def test_a_move_of_two_roles_names_both() -> None:
    with pytest.raises(RoleMissing, match="the lead expert or the operator"):
        transition(_case(S.ASSIGNABLE), A.REOPEN, _roles(R.EXPERT), {E.REASON})


def test_nobody_without_a_role_does_anything() -> None:
    with pytest.raises(RoleMissing):
        transition(_case(None), A.START, frozenset(), E)


def test_whose_move_it_is_comes_before_what_it_needs() -> None:
    with pytest.raises(RoleMissing):
        transition(_case(S.VALIDATING_REQUEST), A.PASS, _roles(R.REGISTRANT), ())


def test_all_that_is_missing_is_named_at_once() -> None:
    case = _case(S.ASSIGNABLE)
    with pytest.raises(EvidenceMissing) as refused:
        transition(case, A.REGISTER, _roles(R.OPERATOR), {E.NAME_FREE})
    assert refused.value.ways == ((E.HARD_RULES, E.OTHER_PERSON, E.FIRST_SENT),)
    assert E.HARD_RULES.sentence in refused.value.sentence
    assert E.OTHER_PERSON.sentence in refused.value.sentence


def test_where_either_of_two_things_would_do_both_are_offered() -> None:
    with pytest.raises(EvidenceMissing, match=" Or: ") as refused:
        transition(_case(S.EXPERT_REVIEW), A.ESCALATE, _roles(R.LEADER, R.OPERATOR), ())
    assert refused.value.ways == (
        (E.DEADLOCK,),
        (E.ALL_CONFLICTED,),
        (E.TOO_FEW_ABLE,),
        (E.NO_ANSWER,),
    )


def test_the_way_that_lacks_least_is_the_one_that_is_asked_for() -> None:
    with pytest.raises(EvidenceMissing) as refused:
        transition(
            _case(S.IESG_EXPERTS), A.ANSWER, _roles(R.OPERATOR), {E.EXPLANATION, E.DATE, E.NO_PARTY}
        )
    assert refused.value.ways == ((E.REFERENCE,),)


@pytest.mark.parametrize(
    ("case", "roles", "actions"),
    [
        (_case(S.DRAFT), {R.REGISTRANT}, (A.SUBMIT, A.DISCARD)),
        (_case(S.NEW), {R.OPERATOR}, (A.TAKE,)),
        (
            _case(S.VALIDATING_REQUEST),
            {R.OPERATOR},
            (A.PASS, A.RETURN, A.DECLINE, A.MERGE, A.CHANGE_PROCEDURE, A.REFUSE_PROCEDURE),
        ),
        (
            _case(S.EXPERT_REVIEW),
            {R.EXPERT},
            (A.REVIEW, A.RETURN, A.TAKE_ON, A.PASS_ON, A.RECUSE),
        ),
        (
            _case(S.EXPERT_REVIEW, P.STANDARDS_ACTION),
            {R.EXPERT, R.LEADER},
            (A.REVIEW, A.RETURN, A.REPORT, A.TAKE_ON, A.PASS_ON, A.RECUSE, A.ESCALATE),
        ),
        (
            _case(S.EXPERT_REVIEW, P.FAST_TRACK),
            {R.REGISTRANT, R.REPRESENTATIVE},
            (A.COMPLETE, A.ASK_PROCEDURE, A.DROP_PROCEDURE, A.WITHDRAW),
        ),
        (_case(S.EXPERT_REVIEW), {R.OUTCOME}, (A.APPROVE, A.DECLINE)),
        (_case(S.EXPERT_REVIEW, P.STANDARDS_ACTION), {R.OUTCOME}, ()),
        (
            _case(S.EXPERT_REVIEW, P.FAST_TRACK),
            {R.EXPERT, R.LEADER},
            (A.REVIEW, A.TAKE_ON, A.PASS_ON, A.RECUSE),
        ),
        (_case(S.ASSIGNABLE, P.FAST_TRACK), {R.EXPERT, R.LEADER}, ()),
        (
            _case(S.ASSIGNABLE),
            {R.OPERATOR},
            (
                *(A.REGISTER, A.COLLISION, A.REOPEN),
                *(A.SEND_ON, A.ENTER_ANSWER, A.ENTER_REGISTRATION, A.ENTER_REFUSAL),
            ),
        ),
        (_case(S.DECLINED), {R.REGISTRANT}, (A.APPEAL, A.APPEAL_TO_IAB, A.COPY)),
        (_case(S.WITHDRAWN), {R.OPERATOR}, ()),
    ],
)
def test_the_primary_button_comes_first(
    case: ProcedureCase, roles: set[Role], actions: tuple[Action, ...]
) -> None:
    assert actions_for(case, frozenset(roles)) == actions


def test_withdrawing_is_always_the_last_button() -> None:
    for procedure, purpose, state in product(Procedure, Purpose, set(State) - {S.WITH_REQUESTER}):
        actions = actions_for(ProcedureCase(procedure, purpose, state), frozenset(Role))
        assert A.WITHDRAW not in actions[:-1]


def test_in_the_fast_track_the_review_waits_for_the_organization() -> None:
    assert _case(S.EXPERT_REVIEW, P.FAST_TRACK).turn is Turn.REGISTRANT
    assert _case(S.EXPERT_REVIEW).turn is Turn.EXPERTS
    assert _case(S.NEW, P.FAST_TRACK).turn is Turn.OPERATOR
    assert _case(None).turn is Turn.REGISTRANT


@pytest.mark.parametrize(
    ("at_iana", "turn"),
    [
        (None, Turn.OPERATOR),
        (IanaState.SENT, Turn.IANA),
        (IanaState.ANSWERED, Turn.IANA),
        (IanaState.REGISTERED, Turn.NOBODY),
        (IanaState.REFUSED, Turn.NOBODY),
    ],
)
def test_what_was_sent_on_waits_for_iana_until_it_decided(
    at_iana: IanaState | None, turn: Turn
) -> None:
    case = ProcedureCase(P.COMMUNITY, Purpose.NEW, S.ASSIGNABLE, at_iana=at_iana)
    assert case.turn is turn
    assert case.has_ended_at_iana is (turn is Turn.NOBODY)
    assert case.is_pending is (turn is not Turn.NOBODY)


def test_an_answer_to_point_seven_decides_between_community_and_standards_action() -> None:
    for chosen in (P.COMMUNITY, P.STANDARDS_ACTION):
        assert procedure_for(chosen, standard_anticipated=True) is P.STANDARDS_ACTION
        assert procedure_for(chosen, standard_anticipated=False) is P.COMMUNITY
    for chosen in (P.FAST_TRACK, P.INFORMAL):
        assert procedure_for(chosen, standard_anticipated=True) is chosen


def _every_refusal() -> list[ActionRefused]:
    found: list[ActionRefused] = []
    for table in TABLES.values():
        for row in table:
            found.append(RoleMissing(_case(S.NEW), row.action, (row.role,)))
            found.append(NoSuchTransition(_case(row.source and S.NEW), row.action))
            found.append(EvidenceMissing(_case(S.NEW), row.action, (tuple(row.evidence),)))
    return [refusal for refusal in found if refusal.sentence]


def test_every_refusal_is_made_of_kind_whole_sentences() -> None:
    for refusal in _every_refusal():
        assert str(refusal) == refusal.sentence
        assert re.fullmatch(r"[A-Z“].*\.", refusal.sentence)
        assert not re.search(r"(?i)\b(invalid|oops|illegal|error|forbidden)\b", refusal.sentence)


def test_asking_changes_nothing() -> None:
    case = _case(S.NEW)
    transition(case, A.TAKE, _roles(R.OPERATOR), ())
    assert case == _case(S.NEW)
