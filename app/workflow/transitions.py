"""The tables: one for each procedure, a row for each move.

A guard on the procedure or the purpose alone is a row that the other tables lack. Among
the rows from one state the primary action stands first.

Source: RFC 8141 sections 5 and 6; RFC 8126 sections 5 and 10 for what it leaves open;
RFC 2026 section 6.5 for appeals.
"""

from collections.abc import Iterable

from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.naan_transitions import NAAN_TABLES
from app.workflow.states import Action, Role, State
from app.workflow.transition_rows import (
    APPEALS,
    Effect,
    RelativeTarget,
    Table,
    TransitionRow,
    procedure_table,
    transition_row,
)

__all__ = [
    "STRANDED",
    "TABLES",
    "Effect",
    "Evidence",
    "RelativeTarget",
    "Table",
    "TransitionRow",
    "procedure_table",
    "transition_row",
]

_UNTIMED = {Procedure.FAST_TRACK}  # the organization decides how long: RFC 8141 section 6.3
_BOTH = frozenset(Purpose)
_NEW, _REVISION = frozenset({Purpose.NEW}), frozenset({Purpose.REVISION})

A, E, R, S, P = Action, Evidence, Role, State, Procedure
_row = transition_row


def _sent_back(
    source: State, action: Action, role: Role, evidence: Iterable[Evidence], returns_to: State
) -> TransitionRow:
    return _row(source, action, role, evidence, S.WITH_REQUESTER, returns_to=returns_to)


_SENT = {E.HARD_RULES, E.POSTED}  # what breaks a hard rule is not posted either
_REVISES = {E.AUTHORISED, E.FIXED_NAME, E.BASE_VERSION}
_JUDGED = {E.CURRENT, E.NO_CONFLICT}  # an expert speaks of the newest text
_COUNTED = {E.REVIEWS, *_JUDGED}
_ACT = {E.REFERENCE, E.DATE}  # of the IESG or another body, entered by the operator

_BEGINNING: Table = (
    _row(None, A.START, R.REGISTRANT, (), S.DRAFT, purposes=_NEW),
    _row(None, A.REVISE, R.REGISTRANT, _REVISES, S.DRAFT, purposes=_REVISION),
    _row(S.DRAFT, A.SUBMIT, R.REGISTRANT, {*_SENT, E.PROCEDURE, E.STANDARD_ANSWER}, S.NEW),
    _row(S.DRAFT, A.DISCARD, R.REGISTRANT, (), RelativeTarget.SAME, effect=Effect.DISCARDS),
    _row(S.NEW, A.TAKE, R.OPERATOR, (), S.VALIDATING_REQUEST),
)


def _pass_evidence(procedure: Procedure, purpose: Purpose) -> set[Evidence]:
    needed = {E.HARD_RULES}
    if purpose is Purpose.REVISION:
        needed |= {E.DIFFERENCES}
    elif procedure is P.INFORMAL:
        needed |= {E.NO_NAME}
    if procedure is P.FAST_TRACK:
        needed |= {E.SPECIFICATION, E.AUTHORIZATION, E.RECOGNIZED}
    return needed


def _passing(procedure: Procedure) -> Table:
    return tuple(
        _row(
            S.VALIDATING_REQUEST,
            A.PASS,
            R.OPERATOR,
            _pass_evidence(procedure, purpose),
            S.EXPERT_REVIEW,
            purposes=frozenset({purpose}),
        )
        for purpose in Purpose
    )


def _asking_recognition() -> Table:
    return tuple(
        _row(
            S.VALIDATING_REQUEST,
            A.ASK_RECOGNITION,
            R.OPERATOR,
            _pass_evidence(P.FAST_TRACK, purpose) ^ {E.RECOGNIZED, E.NOT_RECOGNIZED},
            S.IESG_RECOGNITION,
            purposes=frozenset({purpose}),
        )
        for purpose in Purpose
    )


_RECOGNITION: Table = (
    *_asking_recognition(),
    _row(S.IESG_RECOGNITION, A.RECOGNIZE, R.OPERATOR, {E.DECISION, *_ACT}, S.EXPERT_REVIEW),
    _row(
        S.IESG_RECOGNITION,
        A.REFUSE_RECOGNITION,
        R.OPERATOR,
        {E.DECISION, *_ACT},
        S.VALIDATING_REQUEST,
        procedure=P.COMMUNITY,
    ),
)

_NOT_PASSED: Table = (
    _sent_back(S.VALIDATING_REQUEST, A.RETURN, R.OPERATOR, {E.REASON}, S.VALIDATING_REQUEST),
    _row(S.VALIDATING_REQUEST, A.DECLINE, R.OPERATOR, {E.RULE, E.REASON}, S.DECLINED),
)

_REVIEWED: Table = (
    _row(
        S.EXPERT_REVIEW,
        A.REVIEW,
        R.EXPERT,
        {*_JUDGED, E.CHECKS_ANSWERED, E.RELATION},
        RelativeTarget.SAME,
    ),
)

_RETURNED: Table = (
    _sent_back(S.EXPERT_REVIEW, A.RETURN, R.EXPERT, {E.COMMENTS, *_JUDGED}, S.EXPERT_REVIEW),
)

_LEFT_TO_OTHERS: Table = (
    _row(S.EXPERT_REVIEW, A.TAKE_ON, R.EXPERT, {E.NO_CONFLICT}, RelativeTarget.SAME),
    _row(S.EXPERT_REVIEW, A.PASS_ON, R.EXPERT, {E.CURRENT}, RelativeTarget.SAME),
    _row(S.EXPERT_REVIEW, A.RECUSE, R.EXPERT, {E.CURRENT, E.REASON}, RelativeTarget.SAME),
)

_APPROVED: Table = (_row(S.EXPERT_REVIEW, A.APPROVE, R.OUTCOME, _COUNTED, RelativeTarget.APPROVED),)

_DECLINED: Table = (_row(S.EXPERT_REVIEW, A.DECLINE, R.OUTCOME, {*_COUNTED, E.REASON}, S.DECLINED),)

_REPORTED = {E.REPORT, E.BODY, E.REVIEWED, E.QUESTIONS_ANSWERED, *_JUDGED}

# The experts report and the body decides: no outcome of reviews ends a standards action.
_STANDARD: Table = (
    _row(S.EXPERT_REVIEW, A.REPORT, R.LEADER, _REPORTED, S.IESG_STANDARD),
    _row(S.EXPERT_REVIEW, A.REPORT, R.EXPERT, {*_REPORTED, E.NO_LEADER}, S.IESG_STANDARD),
    _row(
        S.IESG_STANDARD,
        A.DIRECT,
        R.OPERATOR,
        {E.DIRECTIONS, E.REPORT, *_ACT},
        RelativeTarget.APPROVED,
    ),
    _sent_back(S.IESG_STANDARD, A.ASK_CHANGES, R.OPERATOR, _ACT, S.EXPERT_REVIEW),
    _row(S.IESG_STANDARD, A.NO_STANDARD, R.OPERATOR, _ACT, S.EXPERT_REVIEW, procedure=P.COMMUNITY),
    _row(S.IESG_STANDARD, A.REFUSE, R.OPERATOR, _ACT, S.DECLINED),
)

_COMPLETION: Table = tuple(
    _row(
        source,
        A.COMPLETE,
        R.REPRESENTATIVE,
        {E.SPECIFICATION, *_SENT},
        RelativeTarget.APPROVED,
        kept=kept,  # a request returned before validation has to pass it first
    )
    for source, kept in (
        (S.EXPERT_REVIEW, None),
        (S.WITH_REQUESTER, S.EXPERT_REVIEW),
        (S.IESG_EXPERTS, None),  # where only older software has left it
    )
)


# Why the experts cannot decide: two who agree are needed, or a leader who reports.
_LACKING = {P.STANDARDS_ACTION: E.NO_LEADER}


def _escalation(procedure: Procedure) -> Table:
    """What leads on where the experts cannot decide, or do not.

    On the fast track they decide nothing, so that there is nothing to wait for.

    Source: RFC 8126 section 5 for experts who do not answer; RFC 8141 section 6.3.
    """
    lacking = _LACKING.get(procedure, E.TOO_FEW_ABLE)
    return tuple(
        _row(S.EXPERT_REVIEW, A.ESCALATE, role, {why}, S.IESG_EXPERTS)
        for role in (R.LEADER, R.OPERATOR)
        for why in (E.DEADLOCK, E.ALL_CONFLICTED, lacking, E.NO_ANSWER)
        if procedure not in _UNTIMED
    )


_ANSWERED: Table = tuple(
    _row(S.IESG_EXPERTS, A.ANSWER, R.OPERATOR, {what, *_ACT}, S.EXPERT_REVIEW)
    for what in (E.EXPLANATION, E.TEMPORARY_EXPERT)
)


def _waiting(procedure: Procedure) -> Table:
    silence = {E.REMINDERS, E.SILENCE}
    lapses = () if procedure in _UNTIMED else (A.LAPSE,)
    again = {E.NEW_ITERATION, *_SENT}
    return (
        _row(S.WITH_REQUESTER, A.RESUBMIT, R.REGISTRANT, again, RelativeTarget.KEPT),
        _row(S.WITH_REQUESTER, A.REMIND, R.OPERATOR, {E.SILENCE}, RelativeTarget.SAME),
        *(_row(S.WITH_REQUESTER, lapse, R.OPERATOR, silence, S.WITHDRAWN) for lapse in lapses),
    )


# What was sent twice goes on once: the newer request ends and points to the other.
_MERGED: Table = tuple(
    _row(source, A.MERGE, R.OPERATOR, {E.DUPLICATE}, S.WITHDRAWN)
    for source in (S.VALIDATING_REQUEST, S.EXPERT_REVIEW, S.WITH_REQUESTER)
)


def _another_procedure(procedure: Procedure) -> Table:
    purposes = _NEW if procedure is P.INFORMAL else _BOTH
    asked = {E.REASON, E.OTHER_PROCEDURE}
    return tuple(
        _row(source, action, role, evidence, target, purposes=purposes)
        for source in (S.VALIDATING_REQUEST, S.EXPERT_REVIEW, S.WITH_REQUESTER)
        for action, role, evidence, target in (
            (A.ASK_PROCEDURE, R.REGISTRANT, asked, RelativeTarget.SAME),
            (A.DROP_PROCEDURE, R.REGISTRANT, {E.ASKED}, RelativeTarget.SAME),
            (A.CHANGE_PROCEDURE, R.OPERATOR, asked | {E.ASKED}, S.VALIDATING_REQUEST),
            (A.REFUSE_PROCEDURE, R.OPERATOR, {E.ASKED, E.REASON}, RelativeTarget.SAME),
        )
    )


_APPEALED = {E.GROUNDS, E.IN_PERIOD, E.FIRST_APPEAL}

_APPEAL: Table = (
    _row(S.DECLINED, A.APPEAL, R.REGISTRANT, _APPEALED, S.IESG_APPEAL_1),
    _row(S.DECLINED, A.APPEAL_TO_IAB, R.REGISTRANT, {E.APPEAL_UPHELD, *_APPEALED}, S.IESG_APPEAL_2),
    *(
        _row(appeal, action, R.OPERATOR, {E.DECISION, E.NOT_JUDGED, *_ACT}, target)
        for appeal in APPEALS
        for action, target in (
            (A.OVERTURN, S.EXPERT_REVIEW),
            (A.OVERTURN_AND_APPROVE, RelativeTarget.APPROVED),
            (A.UPHOLD, S.DECLINED),
        )
    ),
)

_REGISTERED = {E.HARD_RULES, E.OTHER_PERSON}


def _registering(*named: Evidence) -> TransitionRow:
    return _row(
        S.ASSIGNABLE,
        A.REGISTER,
        R.OPERATOR,
        {*_REGISTERED, *named},
        S.ASSIGNED,
        effect=Effect.NEW_VERSION,
    )


_NAMED: Table = (
    _registering(E.NAME_FREE, E.FIRST_SENT),
    _sent_back(S.ASSIGNABLE, A.COLLISION, R.OPERATOR, {E.NAME_TAKEN}, S.VALIDATING_REQUEST),
)

_NUMBERED: Table = (_registering(E.NUMBER),)

_REVISED: Table = (
    _row(
        S.MODIFIABLE,
        A.REGISTER,
        R.OPERATOR,
        {*_REGISTERED, E.BASE_LATEST, E.AUTHORITY},
        S.MODIFIED,
        effect=Effect.NEW_VERSION,
    ),
    _sent_back(S.MODIFIABLE, A.STALE, R.OPERATOR, {E.NEWER_VERSION}, S.VALIDATING_REQUEST),
)


def _reopening(procedure: Procedure) -> Table:
    roles = (R.OPERATOR,) if procedure in _UNTIMED else (R.LEADER, R.OPERATOR)
    return tuple(
        _row(source, A.REOPEN, role, {E.REASON}, S.EXPERT_REVIEW)
        for source in (S.ASSIGNABLE, S.MODIFIABLE)
        for role in roles
    )


_COPIED: Table = tuple(
    _row(source, A.COPY, R.REGISTRANT, (), RelativeTarget.SAME, effect=Effect.OPENS_DRAFT)
    for source in (S.DECLINED, S.WITHDRAWN)
)

_ON_RECORD: Table = tuple(
    _row(source, action, R.OPERATOR, evidence, RelativeTarget.SAME, effect=effect)
    for source in (S.ASSIGNED, S.MODIFIED)
    for action, evidence, effect in (
        (A.CORRECT, {E.REASON}, Effect.NEW_EDITION),
        (A.REPLACE, {E.REASON, E.REPLACEMENT}, Effect.NEW_EDITION),
        (A.NOTE_DISPUTE, {E.COURT_REFERENCE}, Effect.NEW_EDITION),
        (A.NOTE_APPEAL, {E.GROUNDS}, Effect.NEW_EDITION),
        (A.SETTLE, {E.OUTCOME, E.EFFECT, *_ACT}, Effect.NEW_EDITION),
    )
)


def _at_iana(state: State) -> Table:
    same, sent = RelativeTarget.SAME, {E.SENT_ON, E.DAY}
    return (
        _row(state, A.SEND_ON, R.OPERATOR, {E.PROPOSES, E.NOT_SENT_ON, E.DAY, E.TICKET}, same),
        _row(state, A.ENTER_ANSWER, R.OPERATOR, {*sent, E.EXPLANATION}, same),
        _row(state, A.ENTER_REGISTRATION, R.OPERATOR, {*sent, E.TICKET}, same),
        _row(state, A.ENTER_REFUSAL, R.OPERATOR, {*sent, E.DECISION}, S.DECLINED),
    )


_SENT_ON: Table = (*_at_iana(S.ASSIGNABLE), *_at_iana(S.MODIFIABLE))


_OWN: dict[Procedure, Table] = {
    P.COMMUNITY: (*_RETURNED, *_APPROVED, *_DECLINED, *_NAMED),
    P.STANDARDS_ACTION: (*_RETURNED, *_STANDARD, *_NAMED),
    P.FAST_TRACK: (*_RECOGNITION, *_COMPLETION, *_NAMED),
    P.INFORMAL: (*_RETURNED, *_APPROVED, *_DECLINED, *_NUMBERED),
}

STRANDED: dict[DeclaredProcedure, frozenset[State]] = {P.FAST_TRACK: frozenset({S.IESG_EXPERTS})}
"""States that no row of a procedure leads to; requests that older software left there go on."""


def _table(procedure: Procedure) -> Table:
    rows = (
        *_BEGINNING,
        *_passing(procedure),
        *_REVIEWED,
        *_OWN[procedure],
        *_LEFT_TO_OTHERS,
        *_NOT_PASSED,
        *_escalation(procedure),
        *_ANSWERED,
        *_waiting(procedure),
        *_MERGED,
        *_another_procedure(procedure),
        *_REVISED,
        *_reopening(procedure),
        *_SENT_ON,
        *_APPEAL,
        *_COPIED,
        *_ON_RECORD,
    )
    return procedure_table(*rows, is_timed=procedure not in _UNTIMED)


# Each registry's procedures have their tables here.
TABLES: dict[DeclaredProcedure, Table] = {
    **{procedure: _table(procedure) for procedure in Procedure},
    **NAAN_TABLES,
}
