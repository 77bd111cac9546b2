"""Rows of the tables: what each says, and those that follow from a procedure's open states."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.registration.declarations.registries import DeclaredProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State, Turn

__all__ = [
    "APPEALS",
    "Effect",
    "RelativeTarget",
    "Table",
    "TransitionRow",
    "procedure_table",
    "transition_row",
]


class RelativeTarget(StrEnum):
    """Where a row leads that names no state."""

    SAME = "same"
    APPROVED = "approved"  # Assignable for a new registration, Modifiable for a revision
    KEPT = "kept"  # where the resubmission goes back to


class Effect(StrEnum):
    """What a move does besides moving the request."""

    OPENS_DRAFT = "opens a draft"  # a new request, linked to this one, which stays as it is
    DISCARDS = "discards"  # the draft is gone
    NEW_VERSION = "new version"  # of the template, and with it a new edition
    NEW_EDITION = "new edition"  # of the registry; the version of the template stays
    KEEPS_DUE = "keeps due"  # the time for an answer goes on


_BOTH = frozenset(Purpose)
_NEW, _REVISION = frozenset({Purpose.NEW}), frozenset({Purpose.REVISION})


@dataclass(frozen=True, slots=True)
class TransitionRow:
    """One move: from where, what, who, on what evidence, and to where.

    ``returns_to`` is where a resubmission will go back to, ``kept`` where it must go back
    to for the row to apply. ``procedure`` is the one the request has afterwards, where the
    row says it. Rows that differ in their evidence alone are alternatives.
    """

    source: State | None
    action: Action
    role: Role
    evidence: frozenset[Evidence]
    target: State | RelativeTarget
    purposes: frozenset[Purpose] = _BOTH
    returns_to: State | None = None
    kept: State | None = None
    procedure: DeclaredProcedure | None = None
    effect: Effect | None = None


Table = tuple[TransitionRow, ...]
A, E, R, S = Action, Evidence, Role, State

APPEALS = (S.IESG_APPEAL_1, S.IESG_APPEAL_2)

_PURPOSES = {S.ASSIGNABLE: _NEW, S.ASSIGNED: _NEW, S.MODIFIABLE: _REVISION, S.MODIFIED: _REVISION}


# What an operator decides about a request, or enters as decided: never on their own.
_DECISIONS = frozenset(
    {
        A.PASS,
        A.DECLINE,
        A.ASK_RECOGNITION,
        A.RECOGNIZE,
        A.REFUSE_RECOGNITION,
        A.DIRECT,
        A.ASK_CHANGES,
        A.NO_STANDARD,
        A.REFUSE,
        A.ANSWER,
        A.MERGE,
        A.CHANGE_PROCEDURE,
        A.REFUSE_PROCEDURE,
        A.OVERTURN,
        A.OVERTURN_AND_APPROVE,
        A.UPHOLD,
        A.REOPEN,
        A.ENTER_REGISTRATION,
        A.ENTER_REFUSAL,
    }
)


def transition_row(
    source: State | None,
    action: Action,
    role: Role,
    evidence: Iterable[Evidence],
    target: State | RelativeTarget,
    *,
    purposes: frozenset[Purpose] = _BOTH,
    returns_to: State | None = None,
    kept: State | None = None,
    procedure: DeclaredProcedure | None = None,
    effect: Effect | None = None,
) -> TransitionRow:
    """A row of a table; what an operator decides is never decided by who has a part in it."""
    decides = role is R.OPERATOR and action in _DECISIONS
    return TransitionRow(
        source=source,
        action=action,
        role=role,
        evidence=frozenset(evidence) | ({E.NO_PARTY} if decides else frozenset()),
        target=target,
        purposes=_PURPOSES.get(source, purposes) if source else purposes,
        returns_to=returns_to,
        kept=kept,
        procedure=procedure,
        effect=effect,
    )


def procedure_table(*rows: TransitionRow, is_timed: bool = True) -> Table:
    """The table of a procedure: its rows, and those that follow from its open states.

    Whoever asked can withdraw what is open, and where ``is_timed`` raise that an answer is late.
    What a procedure does not have, such as experts or appeals, stands in none of its rows.
    """
    delays = _delays(rows) if is_timed else ()
    return (*rows, *delays, *_withdrawals(rows))


def _open_states(table: Table) -> tuple[State, ...]:
    sources = {row.source for row in table}
    return tuple(
        state for state in State if state in sources and not state.is_final and not state.is_private
    )


def _delays(table: Table) -> Table:
    return tuple(
        transition_row(
            state, A.RAISE_DELAY, R.REGISTRANT, {E.OVERDUE, E.NOT_FLAGGED}, RelativeTarget.SAME
        )
        for state in _open_states(table)
        if state.turn is not Turn.REGISTRANT
    )


def _withdrawals(table: Table) -> Table:
    return tuple(
        transition_row(
            state, A.WITHDRAW, R.REGISTRANT, (), S.DECLINED if state in APPEALS else S.WITHDRAWN
        )
        for state in _open_states(table)
    )
