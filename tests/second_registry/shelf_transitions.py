"""What can be done on the way to a shelf mark: two states, no experts, no appeals."""

from app.registration.declarations.registries import DeclaredProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State
from app.workflow.transition_rows import (
    Effect,
    RelativeTarget,
    Table,
    procedure_table,
    transition_row,
)
from tests.second_registry.shelf_marks import ShelfProcedure

_NEW = frozenset({Purpose.NEW})
OPEN = State.VALIDATING_REQUEST

DEPOSIT: Table = procedure_table(
    transition_row(None, Action.START, Role.REGISTRANT, (), State.DRAFT, purposes=_NEW),
    transition_row(
        State.DRAFT, Action.SUBMIT, Role.REGISTRANT, {Evidence.HARD_RULES}, OPEN, purposes=_NEW
    ),
    transition_row(
        State.DRAFT,
        Action.DISCARD,
        Role.REGISTRANT,
        (),
        RelativeTarget.SAME,
        effect=Effect.DISCARDS,
    ),
    transition_row(
        OPEN,
        Action.REGISTER,
        Role.OPERATOR,
        {Evidence.HARD_RULES, Evidence.NUMBER},
        State.ASSIGNED,
        purposes=_NEW,
        effect=Effect.NEW_VERSION,
    ),
    is_timed=False,
)

SHELF_TABLES: dict[DeclaredProcedure, Table] = {ShelfProcedure.DEPOSIT: DEPOSIT}
