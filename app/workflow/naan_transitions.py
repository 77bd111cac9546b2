"""What can be done on the way to a NAAN or a shoulder: the operator decides, and no experts.

One operator is enough, up to a share of each day that is a setting; beyond it a second one agrees.

Who decides of NAANs is called curator by people who work with ARKs, and operator here.

Source: the ways of the NAAN registry of the ARK Alliance, where one curator answers a request.
"""

from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import DeclaredProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State
from app.workflow.transition_rows import (
    Effect,
    RelativeTarget,
    Table,
    TransitionRow,
    procedure_table,
    transition_row,
)

__all__ = ["NAAN_TABLES"]

A, E, R, S = Action, Evidence, Role, State

_NEW, _REVISION = frozenset({Purpose.NEW}), frozenset({Purpose.REVISION})
_SENT = {E.HARD_RULES, E.POSTED}
_CHECKED = S.VALIDATING_REQUEST
_JUDGED = {E.HARD_RULES, E.NO_PARTY, E.CHECKS_ANSWERED}
_SILENT = {E.REMINDERS, E.SILENCE}
_REVISES = {E.AUTHORISED, E.FIXED_NAME, E.BASE_VERSION}


def _registering(
    purpose: Purpose, target: State, *shown: Evidence, source: State = _CHECKED
) -> TransitionRow:
    return transition_row(
        source,
        A.REGISTER,
        R.OPERATOR,
        {*_JUDGED, *shown},
        target,
        purposes=frozenset({purpose}),
        effect=Effect.NEW_VERSION,
    )


_SENDING: Table = (
    transition_row(None, A.START, R.REGISTRANT, (), S.DRAFT, purposes=_NEW),
    transition_row(None, A.REVISE, R.REGISTRANT, _REVISES, S.DRAFT, purposes=_REVISION),
    transition_row(S.DRAFT, A.SUBMIT, R.REGISTRANT, _SENT, S.NEW),
    transition_row(
        S.DRAFT, A.DISCARD, R.REGISTRANT, (), RelativeTarget.SAME, effect=Effect.DISCARDS
    ),
    transition_row(S.NEW, A.TAKE, R.OPERATOR, (), _CHECKED),
)

# By its holder, of what stands now.
_REVISED: Table = (
    _registering(Purpose.REVISION, S.MODIFIED, E.BASE_LATEST, E.AUTHORITY),
    transition_row(
        _CHECKED,
        A.STALE,
        R.OPERATOR,
        {E.NEWER_VERSION},
        S.WITH_REQUESTER,
        returns_to=_CHECKED,
        purposes=_REVISION,
    ),
)

# By one operator up to a share of each day; beyond that another one agrees.
_ENDORSED = S.ASSIGNABLE

_NOT_REGISTERED: Table = tuple(
    row
    for source in (_CHECKED, _ENDORSED)
    for row in (
        transition_row(
            source, A.RETURN, R.OPERATOR, {E.REASON}, S.WITH_REQUESTER, returns_to=_CHECKED
        ),
        transition_row(source, A.DECLINE, R.OPERATOR, {E.REASON}, S.DECLINED),
    )
)

# Another request was quicker while it waited for a second operator.
_TAKEN: Table = (
    transition_row(
        _ENDORSED,
        A.COLLISION,
        R.OPERATOR,
        {E.NAME_TAKEN},
        S.WITH_REQUESTER,
        returns_to=_CHECKED,
    ),
)

_WAITING: Table = (
    transition_row(
        S.WITH_REQUESTER,
        A.RESUBMIT,
        R.REGISTRANT,
        {E.NEW_ITERATION, *_SENT},
        RelativeTarget.KEPT,
    ),
    transition_row(S.WITH_REQUESTER, A.REMIND, R.OPERATOR, {E.SILENCE}, RelativeTarget.SAME),
    transition_row(S.WITH_REQUESTER, A.LAPSE, R.OPERATOR, _SILENT, S.WITHDRAWN),
)

_ENDED: Table = tuple(
    transition_row(source, A.COPY, R.REGISTRANT, (), RelativeTarget.SAME, effect=Effect.OPENS_DRAFT)
    for source in (S.DECLINED, S.WITHDRAWN)
)


def _naan_table(*named: Evidence) -> Table:
    given: Table = (
        _registering(Purpose.NEW, S.ASSIGNED, E.WITHIN_SHARE, *named),
        transition_row(
            _CHECKED,
            A.ENDORSE,
            R.OPERATOR,
            {*_JUDGED, E.BEYOND_SHARE, *named},
            _ENDORSED,
            purposes=_NEW,
            effect=Effect.KEEPS_DUE,
        ),
        _registering(Purpose.NEW, S.ASSIGNED, E.SECOND_PERSON, *named, source=_ENDORSED),
    )
    return procedure_table(*_SENDING, *given, *_REVISED, *_NOT_REGISTERED, *_WAITING, *_ENDED)


NAAN_TABLES: dict[DeclaredProcedure, Table] = {
    NaanProcedure.NAAN: _naan_table(E.NUMBER),
    NaanProcedure.SHOULDER: _naan_table(E.NAME_FREE, E.HOLDER_AGREES) + _TAKEN,
}
