"""The engine: whether somebody may move a request, and where it then stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, cast

from app.problems import use_case_codes
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.registries import DeclaredProcedure, Procedure, is_open_to
from app.registration.records.registry_records import Purpose
from app.workflow.evidence import Evidence
from app.workflow.states import Action, IanaState, Role, State, Turn
from app.workflow.transitions import TABLES, RelativeTarget, TransitionRow

_RETURN_STATES = (State.VALIDATING_REQUEST, State.EXPERT_REVIEW)
_APPROVED = {Purpose.NEW: State.ASSIGNABLE, Purpose.REVISION: State.MODIFIABLE}


@dataclass(frozen=True, slots=True)
class ProcedureCase:
    """What the tables know of a request; ``state`` is None before it is begun.

    A name that was imported has no request and is a case of its procedure that stands at
    Assigned. ``returns_to`` is where a resubmission goes back to: given With Requester and
    nowhere else, or ``ValueError``. ``at_iana`` is how it stands at IANA, where it was sent on.
    """

    procedure: DeclaredProcedure
    purpose: Purpose
    state: State | None
    returns_to: State | None = None
    at_iana: IanaState | None = None

    def __post_init__(self) -> None:
        allowed = _RETURN_STATES if self.state is State.WITH_REQUESTER else (None,)
        if self.returns_to not in allowed:
            raise ValueError(f"{self.state} cannot return to {self.returns_to}")

    @property
    def turn(self) -> Turn:
        """Who the request waits for: in the fast track's review the organization decides when.

        What was sent on waits for IANA, and what IANA decided for nobody.

        Source: RFC 8141 section 6.3.
        """
        if self.at_iana is not None:
            return Turn.NOBODY if self.has_ended_at_iana else Turn.IANA
        if self.procedure is Procedure.FAST_TRACK and self.state is State.EXPERT_REVIEW:
            return Turn.REGISTRANT
        return self.state.turn if self.state else Turn.REGISTRANT

    @property
    def has_ended_at_iana(self) -> bool:
        """Whether IANA registered or refused it, so that nothing is done here any more."""
        return self.at_iana is not None and self.at_iana.is_end

    @property
    def is_pending(self) -> bool:
        """Whether it was sent in, and somebody still has to act on it."""
        sent = self.state is not None and not self.state.is_private
        return sent and self.turn is not Turn.NOBODY


@dataclass(frozen=True, slots=True)
class Transition:
    """What an action does: the event, where the request stands then, and by which row."""

    action: Action
    event: str
    source: State | None
    target: State
    returns_to: State | None
    procedure: DeclaredProcedure
    row: TransitionRow


class ActionRefused(Exception):
    """An action that does not happen. ``sentence`` says why, and what can be done.

    ``code`` is a row of ``app.problems``, which has the rule.
    """

    code: ClassVar[ProblemCode]

    def __init__(self, case: ProcedureCase, action: Action, sentence: str) -> None:
        super().__init__(sentence)
        self.case, self.action, self.sentence = case, action, sentence

    @property
    def message(self) -> str:
        """The sentence, by the name that every refusal has for it."""
        return self.sentence

    @property
    def source(self) -> str:
        """The rule it follows from."""
        return self.code.source


class NoSuchTransition(ActionRefused):
    """The table of the procedure has no such action from this state."""

    code = use_case_codes.TRANSITION_UNKNOWN

    def __init__(self, case: ProcedureCase, action: Action) -> None:
        super().__init__(
            case,
            action,
            (
                f"“{action.label}” is not available for {_standing(case)}. Reload the page to "
                "see the available actions."
            ),
        )


class RoleMissing(ActionRefused):
    """Others can take the action. ``roles`` says who."""

    code = use_case_codes.ROLE_MISSING

    def __init__(self, case: ProcedureCase, action: Action, roles: tuple[Role, ...]) -> None:
        self.roles = roles
        whose = " or ".join(role.label for role in roles)
        super().__init__(
            case,
            action,
            (f"Only {whose} can do this: “{action.label}”. The request’s page shows your actions."),
        )


class EvidenceMissing(ActionRefused):
    """The action needs what was not given.

    ``missing`` names all that would help, ``ways`` each set of it that would be enough.
    """

    code = use_case_codes.EVIDENCE_MISSING

    def __init__(
        self, case: ProcedureCase, action: Action, ways: tuple[tuple[Evidence, ...], ...]
    ) -> None:
        self.ways = ways
        self.missing = frozenset(evidence for way in ways for evidence in way)
        told = (" ".join(evidence.sentence for evidence in way) for way in ways)
        super().__init__(case, action, " Or: ".join(told))


def transition(
    case: ProcedureCase,
    action: Action,
    roles: frozenset[Role],
    evidence: Iterable[Evidence],
    *,
    procedure: DeclaredProcedure | None = None,
) -> Transition:
    """The move that the action makes; nothing is changed by asking.

    ``roles`` is what the actor is toward this request, or ``{Role.OUTCOME}`` where the
    reviews decide. ``procedure`` is the one asked for, where another one is; whether it can
    be had is judged here, so ``Evidence.OTHER_PROCEDURE`` need not be given.

    Raises NoSuchTransition, RoleMissing or EvidenceMissing, which are all ActionRefused.

    Source: RFC 8141 section 6.
    """
    rows = _rows_for(case, action, roles)
    given = frozenset(evidence) - {Evidence.OTHER_PROCEDURE} | _chosen(case, procedure)
    for row in rows:
        if row.evidence <= given:
            return _move(case, row, procedure)
    raise EvidenceMissing(case, action, _ways(rows, given))


def actions_for(case: ProcedureCase, roles: frozenset[Role]) -> tuple[Action, ...]:
    """What somebody with these roles may do now, the primary action first.

    Does not ask for evidence: most of it comes with the form that the action opens.
    """
    return tuple(dict.fromkeys(row.action for row in _rows_from(case) if row.role in roles))


def evidence_of(case: ProcedureCase, action: Action) -> frozenset[Evidence]:
    """All that the rows of an action can ask for from where a request stands."""
    rows = (row for row in _rows_from(case) if row.action is action)
    return frozenset(evidence for row in rows for evidence in row.evidence)


def procedure_for(chosen: DeclaredProcedure, *, standard_anticipated: bool) -> DeclaredProcedure:
    """The procedure of a formal request whose registrant chose one and answered point 7.

    The community procedure becomes the standards action where a standard is anticipated,
    and the other way round. Asked once the text is sent: a later change of the answer is a
    change of procedure.

    Source: RFC 8141 sections 6.2 and 6.4.1, point 7.
    """
    if chosen not in (Procedure.COMMUNITY, Procedure.STANDARDS_ACTION):
        return chosen
    return Procedure.STANDARDS_ACTION if standard_anticipated else Procedure.COMMUNITY


def _rows_from(case: ProcedureCase) -> tuple[TransitionRow, ...]:
    return tuple(
        row
        for row in TABLES[case.procedure]
        if row.source is case.state
        and case.purpose in row.purposes
        and row.kept in (None, case.returns_to)
    )


def _rows_for(
    case: ProcedureCase, action: Action, roles: frozenset[Role]
) -> tuple[TransitionRow, ...]:
    rows = tuple(row for row in _rows_from(case) if row.action is action)
    if not rows:
        raise NoSuchTransition(case, action)
    theirs = tuple(row for row in rows if row.role in roles)
    if not theirs:
        raise RoleMissing(case, action, tuple(dict.fromkeys(row.role for row in rows)))
    return theirs


def _chosen(case: ProcedureCase, procedure: DeclaredProcedure | None) -> frozenset[Evidence]:
    if procedure is None or procedure is case.procedure:
        return frozenset()
    revises = case.purpose is Purpose.REVISION
    possible = is_open_to(procedure, case.procedure, revises=revises)
    return frozenset({Evidence.OTHER_PROCEDURE}) if possible else frozenset()


def _ways(
    rows: tuple[TransitionRow, ...], given: frozenset[Evidence]
) -> tuple[tuple[Evidence, ...], ...]:
    lacking = dict.fromkeys(row.evidence - given for row in rows)
    least = min(len(missing) for missing in lacking)
    return tuple(
        tuple(evidence for evidence in Evidence if evidence in missing)
        for missing in lacking
        if len(missing) == least
    )


def _move(case: ProcedureCase, row: TransitionRow, chosen: DeclaredProcedure | None) -> Transition:
    target = _target(case, row)
    return Transition(
        action=row.action,
        event=row.action.past,
        source=case.state,
        target=target,
        returns_to=_returns_to(case, row, target),
        procedure=_procedure(case, row, chosen),
        row=row,
    )


def _target(case: ProcedureCase, row: TransitionRow) -> State:
    if isinstance(row.target, State):
        return row.target
    places = {
        RelativeTarget.SAME: case.state,
        RelativeTarget.KEPT: case.returns_to,
        RelativeTarget.APPROVED: _APPROVED[case.purpose],
    }
    # SAME stands in no row without a source, and KEPT only where something is kept
    return cast(State, places[row.target])


def _returns_to(case: ProcedureCase, row: TransitionRow, target: State) -> State | None:
    return row.returns_to or case.returns_to if target is State.WITH_REQUESTER else None


def _procedure(
    case: ProcedureCase, row: TransitionRow, chosen: DeclaredProcedure | None
) -> DeclaredProcedure:
    after = chosen if row.action is Action.CHANGE_PROCEDURE else row.procedure
    return after or case.procedure


def _standing(case: ProcedureCase) -> str:
    return (
        f"a request in the state “{case.state.words}”"
        if case.state
        else "a request that doesn’t exist yet"
    )
