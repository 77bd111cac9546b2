"""What a form asks for so that an action can show its evidence."""

from collections.abc import Mapping

from app.workflow.engine import ProcedureCase
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.hard_rules import HardRule
from app.workflow.states import Action, Role
from app.workflow.transitions import TABLES

LONGEST_REASON = 8000  # characters of what somebody writes with an action

_LEAST_SAID = 3  # letters and digits; one beyond ASCII, such as of Chinese, counts twice


def says_something(text: str) -> bool:
    """Whether a text that has to give a reason says anything: a stop or a letter does not."""
    return sum(1 + (not char.isascii()) for char in text if char.isalnum()) >= _LEAST_SAID


ASKED_FOR: Mapping[Evidence, EvidenceInput] = {
    Evidence.REASON: EvidenceInput.WORDS,
    Evidence.COMMENTS: EvidenceInput.WORDS,
    Evidence.RULE: EvidenceInput.RULE,
    Evidence.AUTHORIZATION: EvidenceInput.WORDS,
    Evidence.HOLDER_AGREES: EvidenceInput.WORDS,
    Evidence.DEADLOCK: EvidenceInput.WORDS,
    Evidence.DECISION: EvidenceInput.WORDS,
    Evidence.DIRECTIONS: EvidenceInput.WORDS,
    Evidence.EXPLANATION: EvidenceInput.WORDS,
    Evidence.GROUNDS: EvidenceInput.WORDS,
    Evidence.RELATION: EvidenceInput.RELATION,
    Evidence.BODY: EvidenceInput.BODY,
    Evidence.TEMPORARY_EXPERT: EvidenceInput.EXPERT,
    Evidence.OTHER_PROCEDURE: EvidenceInput.PROCEDURE,
    Evidence.DUPLICATE: EvidenceInput.OTHER,
    Evidence.REFERENCE: EvidenceInput.REFERENCE,
    Evidence.DATE: EvidenceInput.DATE,
    Evidence.TICKET: EvidenceInput.TICKET,
    Evidence.DAY: EvidenceInput.DAY,
}

DETAIL_LABELS: Mapping[str, str] = {
    "rule": "Rule that can’t be met",
    "reference": "Published at",
    "date": "Decided on",
    "day": "Date",
    "ticket": "IANA ticket",
    "priority": "Reason to register it first",
    "relation": "Difference between the organizations",
    "by": "Decided by",
    "effect": "Effect on the registration",
}
"""What of a move is told below its sentence, beside the words, in this order."""


def labelled_details(details: Mapping[str, str | int]) -> tuple[tuple[str, str], ...]:
    """What the record says of a move beside the words: labels and texts for everybody."""
    said = {name: str(text) for name, text in details.items()}
    if "rule" in said:
        said["rule"] = _RULES.get(said["rule"], said["rule"])
    return tuple((label, said[name]) for name, label in DETAIL_LABELS.items() if said.get(name))


_RULES = {rule.value: rule.label for rule in HardRule}


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
