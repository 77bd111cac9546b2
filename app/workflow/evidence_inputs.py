"""What a form asks for so that an action can show its evidence."""

from collections.abc import Mapping

from app.workflow.engine import ProcedureCase
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.states import Action, Role
from app.workflow.transitions import TABLES

LONGEST_REASON = 8000  # characters of what somebody writes with an action

ASKED_FOR: Mapping[Evidence, EvidenceInput] = {
    Evidence.REASON: EvidenceInput.WORDS,
    Evidence.COMMENTS: EvidenceInput.WORDS,
    Evidence.RULE: EvidenceInput.WORDS,
    Evidence.AUTHORIZATION: EvidenceInput.WORDS,
    Evidence.DEADLOCK: EvidenceInput.WORDS,
    Evidence.DECISION: EvidenceInput.WORDS,
    Evidence.DIRECTIONS: EvidenceInput.WORDS,
    Evidence.EXPLANATION: EvidenceInput.WORDS,
    Evidence.GROUNDS: EvidenceInput.WORDS,
    Evidence.BODY: EvidenceInput.BODY,
    Evidence.TEMPORARY_EXPERT: EvidenceInput.EXPERT,
    Evidence.OTHER_PROCEDURE: EvidenceInput.PROCEDURE,
    Evidence.DUPLICATE: EvidenceInput.OTHER,
    Evidence.REFERENCE: EvidenceInput.REFERENCE,
    Evidence.DATE: EvidenceInput.DATE,
}


def inputs_for(
    case: ProcedureCase, action: Action, roles: frozenset[Role]
) -> tuple[EvidenceInput, ...]:
    """What is asked of somebody with these roles who takes an action, in the form's order.

    What the rows of the tables need as evidence is asked for, where words can be evidence, and
    what the action's own row asks: a report is written for the action of that name and stands on
    record afterwards; whoever agrees to another procedure is not asked for it again.
    """
    rows = (
        row
        for row in TABLES[case.procedure]
        if row.action is action and row.source is case.state and row.role in roles
    )
    needed = {ASKED_FOR[e] for row in rows for e in row.evidence if e in ASKED_FOR}
    asked = (needed | action.row.asks) - action.row.knows
    return tuple(ask for ask in EvidenceInput if ask in asked)
