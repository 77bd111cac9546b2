"""The tables of the procedures in words, one line per row."""

from dataclasses import dataclass

from app.registration.declarations.registries import DeclaredProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, State
from app.workflow.transitions import STRANDED, TABLES, Effect, RelativeTarget, Table, TransitionRow

_APPROVED = {Purpose.NEW: State.ASSIGNABLE, Purpose.REVISION: State.MODIFIABLE}
_SPOKEN_FOR = {*_APPROVED.values(), State.ASSIGNED, State.MODIFIED}  # they name the purpose
_OF = {Purpose.NEW: "new registration", Purpose.REVISION: "revision"}
_AT_IANA = {Evidence.PROPOSES, Evidence.SENT_ON}
_EFFECTS = {
    Effect.OPENS_DRAFT: "opens a new draft",
    Effect.NEW_VERSION: "creates a version",
    Effect.NEW_EDITION: "creates an edition",
    Effect.KEEPS_DUE: "same due date",
}
_EVIDENCE = {
    Evidence.AUTHORISED: "a manager of the namespace",
    Evidence.FIXED_NAME: "same name",
    Evidence.BASE_VERSION: "the version to change",
    Evidence.PROCEDURE: "the procedure",
    Evidence.STANDARD_ANSWER: "an answer to point 7 of section 6.4.1",
    Evidence.HARD_RULES: "no errors in the template",
    Evidence.POSTED: "posted to the mailing list",
    Evidence.NEW_ITERATION: "a changed text",
    Evidence.NO_NAME: "no NID",
    Evidence.DIFFERENCES: "a summary of the changes",
    Evidence.SPECIFICATION: "a specification",
    Evidence.AUTHORIZATION: "the organization’s authorization",
    Evidence.RECOGNIZED: "a recognized organization",
    Evidence.NOT_RECOGNIZED: "an organization that isn’t recognized yet",
    Evidence.NO_PARTY: "an operator without an interest in the request",
    Evidence.RULE: "the rule that the request breaks",
    Evidence.REASON: "a reason",
    Evidence.CURRENT: "the newest text",
    Evidence.NO_CONFLICT: "no conflict of interest",
    Evidence.CHECKS_ANSWERED: "an answer to each warning",
    Evidence.RELATION: "an explanation if organizations have similar names",
    Evidence.COMMENTS: "the requested changes",
    Evidence.REVIEWS: "enough reviews to decide",
    Evidence.REPORT: "the experts’ report",
    Evidence.BODY: "the body that decides",
    Evidence.REVIEWED: "a review of the text",
    Evidence.QUESTIONS_ANSWERED: "an answer to every question of section 5.1",
    Evidence.DEADLOCK: "the point on which the experts disagree",
    Evidence.ALL_CONFLICTED: "a conflict of interest for every expert",
    Evidence.TOO_FEW_ABLE: "too few experts without a conflict of interest",
    Evidence.NO_LEADER: "no lead expert without a conflict of interest",
    Evidence.NO_ANSWER: "no answer for twice the time allowed",
    Evidence.REMINDERS: "two unanswered reminders",
    Evidence.SILENCE: "several days without an answer",
    Evidence.DUPLICATE: "the number of the other request",
    Evidence.OVERDUE: "past the due date",
    Evidence.NOT_FLAGGED: "not marked as overdue yet",
    Evidence.ASKED: "a question from the registrant",
    Evidence.OTHER_PROCEDURE: "the requested procedure",
    Evidence.DECISION: "the decision",
    Evidence.DATE: "the date of the decision, after the question",
    Evidence.NOT_JUDGED: "an operator who didn’t review or decline the request",
    Evidence.REFERENCE: "a link or reference",
    Evidence.DIRECTIONS: "the directions of the body",
    Evidence.EXPLANATION: "an explanation",
    Evidence.TEMPORARY_EXPERT: "a temporary expert",
    Evidence.GROUNDS: "the grounds",
    Evidence.IN_PERIOD: "within the appeal period",
    Evidence.FIRST_APPEAL: "no earlier appeal to the same body",
    Evidence.APPEAL_UPHELD: "a decision on the first appeal",
    Evidence.OTHER_PERSON: "an operator who neither wrote nor decided the request",
    Evidence.WITHIN_SHARE: "within the daily limit for one operator",
    Evidence.BEYOND_SHARE: "above the daily limit for one operator",
    Evidence.SECOND_PERSON: "a second operator, without a conflict of interest",
    Evidence.FIRST_SENT: "the earliest request for this name, or a reason",
    Evidence.HOLDER_AGREES: "a request or an agreement of the NAAN holder",
    Evidence.NAME_FREE: "an available name",
    Evidence.NUMBER: "the next number",
    Evidence.NAME_TAKEN: "a name registered since the approval",
    Evidence.BASE_LATEST: "no newer version registered",
    Evidence.NEWER_VERSION: "a newer version registered",
    Evidence.AUTHORITY: "the agreement of the registrant of record",
    Evidence.PROPOSES: "a registry that only prepares requests",
    Evidence.NOT_SENT_ON: "not sent to IANA yet",
    Evidence.SENT_ON: "sent to IANA, without a result yet",
    Evidence.DAY: "the date, not before the previous step",
    Evidence.TICKET: "IANA’s ticket number or a link",
    Evidence.REPLACEMENT: "the replacement",
    Evidence.OUTCOME: "who decided, and the result",
    Evidence.EFFECT: "the effect on the registration",
    Evidence.COURT_REFERENCE: "a reference to the court’s order",
}


# ---- the table as text


@dataclass(frozen=True, slots=True)
class ProcedureRowView:
    """One row of a table in words."""

    source: str
    action: str
    who: str
    shown: str
    target: str


def rows_of(procedure: DeclaredProcedure, *, proposes: bool = False) -> Table:
    """The rows of a procedure that can apply in a registry.

    One that ``proposes`` registers nothing; others send nothing on to IANA.
    """
    return tuple(
        row
        for row in TABLES[procedure]
        if (row.action is not Action.REGISTER if proposes else not row.evidence & _AT_IANA)
    )


def table_lines(
    procedure: DeclaredProcedure, *, proposes: bool = False
) -> tuple[ProcedureRowView, ...]:
    """Every row of a procedure's table in words, by the state it leads from."""
    table = rows_of(procedure, proposes=proposes)
    rows = sorted(table, key=lambda row: place_of(row.source))
    left = STRANDED.get(procedure, frozenset())
    return tuple(_line(row, table, left) for row in rows)


def _line(row: TransitionRow, table: Table, left: frozenset[State]) -> ProcedureRowView:
    shown = (word_of(evidence) for evidence in Evidence if evidence in row.evidence)
    earlier = " (requests under earlier rules)" if row.source in left else ""
    return ProcedureRowView(
        _source(row) + earlier,
        row.action.label,
        row.role.label,
        ", ".join(shown),
        _goal(row, table),
    )


def word_of(evidence: Evidence) -> str:
    """Return a condition in a few words."""
    return _EVIDENCE.get(evidence, evidence.replace("-", " "))


def name_of(state: State | None) -> str:
    """Return a state's word, and its question if states share the word; None is the start."""
    if state is None:
        return "Start"
    asked = evidence_word(state)
    return f"{state.word} ({asked})" if asked else state.word


def evidence_word(state: State) -> str:
    """Return the question of a state in a word, or "" if its own word is enough."""
    return state.value.partition("-")[2].replace("-", " ") if state.question else ""


def _source(row: TransitionRow) -> str:
    words = name_of(row.source)
    if row.kept:
        words += f", returned from {name_of(row.kept)}"
    (only,) = row.purposes if len(row.purposes) == 1 else (None,)
    return words if only is None or row.source in _SPOKEN_FOR else f"{words}, {_OF[only]}"


def _goal(row: TransitionRow, table: Table) -> str:
    parts = [_where(row, table)]
    if row.returns_to:
        parts.append(f"then back to {name_of(row.returns_to)}")
    if row.procedure:
        parts.append(f"in the {row.procedure} procedure")
    if row.effect in _EFFECTS:
        parts.append(_EFFECTS[row.effect])
    return ", ".join(parts)


def _where(row: TransitionRow, table: Table) -> str:
    if row.effect is Effect.DISCARDS:
        return "Deleted"
    if row.target is RelativeTarget.SAME:
        return "Unchanged"
    return " or ".join(name_of(state) for state in targets_of(row, table) if state)


def targets_of(row: TransitionRow, table: Table) -> tuple[State | None, ...]:
    """Return a row's possible targets; they can depend on the request's purpose and history."""
    if isinstance(row.target, State):
        return (row.target,)
    if row.target is RelativeTarget.APPROVED:
        return tuple(_APPROVED[purpose] for purpose in Purpose if purpose in row.purposes)
    if row.target is RelativeTarget.KEPT:
        kept = {state for other in table for state in (other.returns_to, other.kept) if state}
        return tuple(sorted(kept, key=place_of))
    return (row.source,)


def place_of(state: State | None) -> int:
    """Return the sort position of a state; the start comes first."""
    return -1 if state is None else tuple(State).index(state)
