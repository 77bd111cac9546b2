"""The tables of the procedures in words, a line for each row."""

from dataclasses import dataclass

from app.registration.declarations.registries import DeclaredProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, State
from app.workflow.transitions import STRANDED, TABLES, Effect, RelativeTarget, Table, TransitionRow

_APPROVED = {Purpose.NEW: State.ASSIGNABLE, Purpose.REVISION: State.MODIFIABLE}
_SPOKEN_FOR = {*_APPROVED.values(), State.ASSIGNED, State.MODIFIED}  # they name the purpose
_OF = {Purpose.NEW: "a new name", Purpose.REVISION: "a revision"}
_AT_IANA = {Evidence.PROPOSES, Evidence.SENT_ON}
_EFFECTS = {
    Effect.OPENS_DRAFT: "a new draft is opened",
    Effect.NEW_VERSION: "a new version",
    Effect.NEW_EDITION: "a new edition",
    Effect.KEEPS_DUE: "due as before",
}
_EVIDENCE = {
    Evidence.AUTHORISED: "the registrant of record or whom they name",
    Evidence.FIXED_NAME: "the name unchanged",
    Evidence.BASE_VERSION: "the version that is changed",
    Evidence.PROCEDURE: "which procedure",
    Evidence.STANDARD_ANSWER: "the answer to point 7 of section 6.4.1",
    Evidence.HARD_RULES: "nothing that must be changed",
    Evidence.POSTED: "posted to the list",
    Evidence.NEW_ITERATION: "a changed text",
    Evidence.NO_NAME: "no name asked for",
    Evidence.DIFFERENCES: "what differs",
    Evidence.SPECIFICATION: "the specification",
    Evidence.AUTHORIZATION: "the organization’s authorization",
    Evidence.RECOGNIZED: "a recognized organization",
    Evidence.NOT_RECOGNIZED: "an organization not recognized yet",
    Evidence.NO_PARTY: "an operator who has no part in it",
    Evidence.RULE: "the rule that no text can meet",
    Evidence.REASON: "a reason",
    Evidence.CURRENT: "the newest text read",
    Evidence.NO_CONFLICT: "no conflict of interest",
    Evidence.CHECKS_ANSWERED: "a word on what the checks find",
    Evidence.RELATION: "a word where organizations read alike",
    Evidence.COMMENTS: "what is to change",
    Evidence.REVIEWS: "reviews that decide",
    Evidence.REPORT: "the experts’ report",
    Evidence.BODY: "the body that decides",
    Evidence.REVIEWED: "a review of the text",
    Evidence.QUESTIONS_ANSWERED: "every question of section 5.1 answered",
    Evidence.DEADLOCK: "on what they cannot agree",
    Evidence.ALL_CONFLICTED: "a conflict of every expert",
    Evidence.TOO_FEW_ABLE: "fewer who may judge than have to agree",
    Evidence.NO_LEADER: "no leader who may judge",
    Evidence.NO_ANSWER: "no answer for twice the due time",
    Evidence.REMINDERS: "two reminders unanswered",
    Evidence.SILENCE: "some days without an answer",
    Evidence.DUPLICATE: "the number of the other request",
    Evidence.OVERDUE: "past due",
    Evidence.NOT_FLAGGED: "not said to be late yet",
    Evidence.ASKED: "asked by the registrant",
    Evidence.OTHER_PROCEDURE: "which other procedure",
    Evidence.DECISION: "the decision",
    Evidence.DATE: "its day, not before it was asked for",
    Evidence.NOT_JUDGED: "an operator who did not review or decline it",
    Evidence.REFERENCE: "where it can be read",
    Evidence.DIRECTIONS: "the directions of the body",
    Evidence.EXPLANATION: "the explanation",
    Evidence.TEMPORARY_EXPERT: "the temporary expert",
    Evidence.GROUNDS: "the grounds",
    Evidence.IN_PERIOD: "within the period",
    Evidence.FIRST_APPEAL: "not appealed there before",
    Evidence.APPEAL_UPHELD: "the first appeal upheld",
    Evidence.OTHER_PERSON: "neither who wrote nor who decided it",
    Evidence.WITHIN_SHARE: "no more than one operator may give alone in 24 hours",
    Evidence.BEYOND_SHARE: "more than one operator may give alone in 24 hours",
    Evidence.SECOND_PERSON: "another operator, without a conflict of interest",
    Evidence.FIRST_SENT: "sent first of those who ask for it, or a reason",
    Evidence.HOLDER_AGREES: "asked by the holder of the NAAN, or how the holder agreed",
    Evidence.NAME_FREE: "the name still free",
    Evidence.NUMBER: "the next number",
    Evidence.NAME_TAKEN: "the name taken meanwhile",
    Evidence.BASE_LATEST: "the version that it changes still the newest",
    Evidence.NEWER_VERSION: "a newer version",
    Evidence.AUTHORITY: "the agreement of the registrant of record",
    Evidence.PROPOSES: "a registry that only prepares requests",
    Evidence.NOT_SENT_ON: "not sent on yet",
    Evidence.SENT_ON: "sent on to IANA, and not ended there",
    Evidence.DAY: "the day, not before what it follows",
    Evidence.TICKET: "IANA’s number of it, or where it can be read",
    Evidence.REPLACEMENT: "the name that replaces it",
    Evidence.OUTCOME: "who decided it and what came out",
    Evidence.EFFECT: "what follows for the registration",
    Evidence.COURT_REFERENCE: "where the court’s order can be read",
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
    earlier = ", where earlier rules led it" if row.source in left else ""
    return ProcedureRowView(
        _source(row) + earlier,
        row.action.label,
        row.role.label,
        ", ".join(shown),
        _goal(row, table),
    )


def word_of(evidence: Evidence) -> str:
    """What has to be shown, in a few words."""
    return _EVIDENCE.get(evidence, evidence.replace("-", " "))


def name_of(state: State | None) -> str:
    """A state's word, with what is asked where several share the word; None is the beginning."""
    if state is None:
        return "The beginning"
    asked = evidence_word(state)
    return f"{state.word} ({asked})" if asked else state.word


def evidence_word(state: State) -> str:
    """What is asked in a state, in a word; empty where its own word is enough."""
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
        parts.append(f"and from there back to {name_of(row.returns_to)}")
    if row.procedure:
        parts.append(f"by the {row.procedure} procedure")
    if row.effect in _EFFECTS:
        parts.append(_EFFECTS[row.effect])
    return ", ".join(parts)


def _where(row: TransitionRow, table: Table) -> str:
    if row.effect is Effect.DISCARDS:
        return "Gone"
    if row.target is RelativeTarget.SAME:
        return "The same"
    return " or ".join(name_of(state) for state in targets_of(row, table) if state)


def targets_of(row: TransitionRow, table: Table) -> tuple[State | None, ...]:
    """The states that a row can lead to: several where the request's purpose or past says which."""
    if isinstance(row.target, State):
        return (row.target,)
    if row.target is RelativeTarget.APPROVED:
        return tuple(_APPROVED[purpose] for purpose in Purpose if purpose in row.purposes)
    if row.target is RelativeTarget.KEPT:
        kept = {state for other in table for state in (other.returns_to, other.kept) if state}
        return tuple(sorted(kept, key=place_of))
    return (row.source,)


def place_of(state: State | None) -> int:
    """Where a state stands among all, the beginning first."""
    return -1 if state is None else tuple(State).index(state)
