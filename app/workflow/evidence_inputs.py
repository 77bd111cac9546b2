"""What a form asks for so that an action can show its evidence."""

from collections.abc import Mapping
from enum import StrEnum

from app.workflow.engine import ProcedureCase
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role
from app.workflow.transitions import TABLES

LONGEST_REASON = 8000  # characters of what somebody writes with an action


class EvidenceInput(StrEnum):
    """One thing that a form asks for, by the name under which the record keeps it."""

    WORDS = "reason"
    REPORT = "report"
    BODY = "body"
    EXPERT = "expert"
    PROCEDURE = "procedure"
    OTHER = "other"
    REFERENCE = "reference"
    DATE = "date"


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

    What the rows of the tables need as evidence is asked for, where words can be evidence;
    a report is written for the action of that name and stands on record afterwards. Nothing
    for an action that is not open. Whoever agrees to another procedure is not asked for it
    again.
    """
    rows = (
        row
        for row in TABLES[case.procedure]
        if row.action is action and row.source is case.state and row.role in roles
    )
    needed = {ASKED_FOR[e] for row in rows for e in row.evidence if e in ASKED_FOR}
    if action is Action.REPORT:
        needed |= {EvidenceInput.REPORT}
    if action is Action.CHANGE_PROCEDURE:
        needed -= {EvidenceInput.PROCEDURE}
    return tuple(ask for ask in EvidenceInput if ask in needed)
