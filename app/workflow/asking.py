"""What a form asks for so that an action can show its evidence."""

from collections.abc import Mapping
from enum import StrEnum

from app.workflow.engine import Case
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role
from app.workflow.transitions import TABLES


class Ask(StrEnum):
    """One thing that a form asks for, by the name under which the record keeps it."""

    WORDS = "reason"
    REPORT = "report"
    BODY = "body"
    EXPERT = "expert"
    PROCEDURE = "procedure"
    OTHER = "other"
    REFERENCE = "reference"
    DATE = "date"


ASKED_FOR: Mapping[Evidence, Ask] = {
    Evidence.REASON: Ask.WORDS,
    Evidence.COMMENTS: Ask.WORDS,
    Evidence.RULE: Ask.WORDS,
    Evidence.AUTHORIZATION: Ask.WORDS,
    Evidence.DEADLOCK: Ask.WORDS,
    Evidence.DECISION: Ask.WORDS,
    Evidence.DIRECTIONS: Ask.WORDS,
    Evidence.EXPLANATION: Ask.WORDS,
    Evidence.GROUNDS: Ask.WORDS,
    Evidence.BODY: Ask.BODY,
    Evidence.TEMPORARY_EXPERT: Ask.EXPERT,
    Evidence.OTHER_PROCEDURE: Ask.PROCEDURE,
    Evidence.DUPLICATE: Ask.OTHER,
    Evidence.REFERENCE: Ask.REFERENCE,
    Evidence.DATE: Ask.DATE,
}


def asks_of(case: Case, action: Action, roles: frozenset[Role]) -> tuple[Ask, ...]:
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
        needed |= {Ask.REPORT}
    if action is Action.CHANGE_PROCEDURE:
        needed -= {Ask.PROCEDURE}
    return tuple(ask for ask in Ask if ask in needed)
