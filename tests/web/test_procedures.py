"""Every row of the procedures, walked through the web: the move, and each of its refusals."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.registration.records.registry_records import Purpose
from app.services.experts import panel_membership
from app.services.policy import bodies_of
from app.services.requests.request_actions import REFUSED
from app.store.database import transaction
from app.store.requests import review_rows
from app.workflow.evidence import Evidence
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role, State
from app.workflow.transitions import TABLES, RelativeTarget, TransitionRow
from tests import factories
from tests.conftest import START, Clock
from tests.factories import Cast
from tests.torture.conftest import one_of_each, some
from tests.web import stages
from tests.web.stages import PREPARE, TO, Stage, begin, begin_revision

# what is carried out is the same on both databases, which the use cases are tested on
pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

A, E, S = Action, Evidence, State

# Acts on a name, not on a request, and has tests of its own; so has a draft.
ELSEWHERE = {A.CORRECT, A.REPLACE, A.NOTE_DISPUTE, A.NOTE_APPEAL, A.SETTLE, A.DISCARD}


def _key(row: TransitionRow) -> tuple[Any, ...]:
    return row.source, row.action, row.role, row.evidence, row.target, row.kept, row.returns_to


def _rows() -> Iterator[tuple[DeclaredProcedure, TransitionRow]]:
    """Each row once, in the first procedure that has it."""
    seen = set()
    for procedure, table in ((one, TABLES[one]) for one in Procedure):  # of URN namespaces
        for row in table:
            begun = row.source is not None
            if begun and row.action not in ELSEWHERE and _key(row) not in seen:
                seen.add(_key(row))
                yield procedure, row


ROWS = list(_rows())


def _name(case: Any) -> str:
    if isinstance(case, TransitionRow):
        purposes = "".join(purpose[0] for purpose in sorted(case.purposes))
        shown = "+".join(sorted(case.evidence))[:40]
        return f"{purposes}-{case.source}-{case.action}-{case.role}-{shown}"
    return str(case)


class Ground:
    """Where a request is brought to stand."""

    def __init__(self, app: Any, people: Cast, clock: Clock) -> None:
        self.app, self.people, self.clock = app, people, clock

    def at(
        self, procedure: DeclaredProcedure, row: TransitionRow, kept: State | None = None
    ) -> Stage:
        """A request at the state that a row begins with."""
        source, how = row.source, begin if Purpose.NEW in row.purposes else begin_revision
        assert source is not None
        stage = how(self.app, self.people, self.clock, procedure)
        TO[source, kept](stage)
        assert stage.state is source
        return stage

    def unspecified(self, row: TransitionRow, kept: State | None) -> Stage:
        """A request that came to the fast track without a specification."""
        source, how = row.source, begin if Purpose.NEW in row.purposes else begin_revision
        assert source is not None
        stage = how(self.app, self.people, self.clock, Procedure.COMMUNITY)
        stage.write(documentation="")
        TO[source, kept](stage)
        stage.change(procedure=Procedure.FAST_TRACK)
        if source is not S.VALIDATING_REQUEST:
            stages.recognize(stage)
        return stage


@pytest.fixture
def site(ground: Any) -> Iterator[Ground]:
    """The registry with a clock of the test's own."""
    app, people = ground
    clock = Clock()
    app.extensions["now"] = clock
    settings = app.extensions["settings"]
    with app.app_context():
        yield Ground(app, people, clock)
    app.extensions["settings"] = settings


def ready(
    site: Ground, procedure: DeclaredProcedure, row: TransitionRow, *without: Evidence
) -> Stage:
    """A request that stands right for a row, but for some of its evidence."""
    source = row.source
    assert source is not None
    kept = row.kept or (S.EXPERT_REVIEW if source is S.WITH_REQUESTER else None)
    kept = S.VALIDATING_REQUEST if row.action is A.CHANGE_PROCEDURE and kept else kept
    if E.SPECIFICATION in without:
        stage = site.unspecified(row, kept)
    else:
        stage = site.at(procedure, row, kept)
    for evidence, prepare in PREPARE.items():
        if evidence in row.evidence and evidence not in without:
            prepare(stage)
    for evidence in without:
        if evidence in SPOIL:
            SPOIL[evidence](stage)
    if row.action in HANDED:
        HANDED[row.action](stage)
    return stage


def fields_for(stage: Stage, row: TransitionRow, *without: Evidence) -> dict[str, str]:
    """What the form of a row gives, but for some of its evidence."""
    given = {
        E.REASON: {"reason": "Because."},
        E.COMMENTS: {"reason": "Say more."},
        E.RULE: {"rule": "name-taken"},
        E.AUTHORIZATION: {"reason": "They wrote to us."},
        E.NO_ANSWER: {"reason": "They do not answer."},
        E.DEADLOCK: {"reason": "They contradict each other."},
        E.DECISION: {"reason": "It was decided."},
        E.DIRECTIONS: {"reason": "Register it."},
        E.EXPLANATION: {"reason": "Go on."},
        E.GROUNDS: {"reason": "It is wrong."},
        E.REPORT: {"report": "It is fine."} if row.action is A.REPORT else {},
        E.BODY: {"body": "IESG"},
        E.TEMPORARY_EXPERT: {"expert": f"tam{stage.number}@experts.example"},
        E.OTHER_PROCEDURE: (stages.another(stage) if row.action is A.ASK_PROCEDURE else {}),
        E.DUPLICATE: {"other": stage.other},
        E.REFERENCE: {"reference": "https://decisions.example/7"},
        E.DATE: {"date": stage.clock().date().isoformat()},
        E.DAY: {"day": stage.clock().date().isoformat()},
        E.TICKET: {"ticket": "#1234"},
        E.RELATION: {"relation": "Nothing but a word."},
        E.CURRENT: {"iteration": str(stage.iterations)},
    }
    found: dict[str, str] = {}
    for evidence in row.evidence - set(without):
        found |= given.get(evidence, {})
    for evidence in without:
        found |= WRONG.get(evidence, {})
    if is_by_review(row):
        found = {"reason": "Because."} | found | {"verdict": VERDICTS[row.action]}
    if E.COMMENTS in without:
        found |= {"reason": ""}
    return found


VERDICTS = {
    A.APPROVE: "approve",
    A.DECLINE: "decline",
    A.REVIEW: "comment",
    A.RETURN: "return",
}


def is_by_review(row: TransitionRow) -> bool:
    """Whether a row is a review, or what one leads to."""
    by_expert = row.role is Role.EXPERT and row.action in (A.REVIEW, A.RETURN)
    return row.role is Role.OUTCOME or by_expert


def send(stage: Stage, row: TransitionRow, who: Any, fields: Mapping[str, str]) -> Any:
    """Send the form of a row; what the reviews decide is sent as the review that decides."""
    action = A.REVIEW if is_by_review(row) else row.action
    return stage.send(action, who, fields)


# What a wrong form gives, where leaving it out is not enough.
WRONG: Mapping[Evidence, dict[str, str]] = {
    E.CURRENT: {"iteration": "0"},
    E.DATE: {"date": "2027-01-01"},
    E.DUPLICATE: {"other": "1"},
    E.OTHER_PROCEDURE: {"procedure": ""},
    E.BODY: {"body": " "},
}


# Who has a request passes it on, and who does not takes it.
HANDED: Mapping[Action, stages.Way] = {
    A.PASS_ON: lambda stage: stages.give(stage, stage.people.expert),
    A.TAKE_ON: lambda stage: stages.give(stage, stage.people.leader),
}


def _appealed(stage: Stage) -> None:
    already = A.APPEAL.past in stage.kinds
    action = A.APPEAL_TO_IAB if already else A.APPEAL
    stage.do(action, stage.people.registrant)
    stage.do(A.WITHDRAW, stage.people.registrant)


def _flagged(stage: Stage) -> None:
    stage.do(A.RAISE_DELAY, stage.people.registrant)


def _review_what_was_declined(stage: Stage) -> None:
    """Let the operator have reviewed what was declined."""
    with transaction():
        review_rows.add_review(
            number=stage.number,
            iteration=1,
            author=stage.people.operator.id,
            leader=False,
            at=stage.clock(),
            verdict=Verdict.DECLINE,
            body="No.",
            answers={},
        )


def _asked_before(stage: Stage) -> None:
    """Let somebody have asked for the name a day earlier."""
    stage.clock.on(days=-1)
    factories.sent(stage.people.rival, stage.clock(), namespace_identifier=stage.name)
    stage.clock.on(days=1)


def _belong(stage: Stage) -> None:
    name = f"{stage.organization} Ltd."
    panel_membership.belong(factories.command(stage.people.expert, stage.clock()), name)


# What takes a piece of evidence away, where it is not the form that gives it.
SPOIL: Mapping[Evidence, stages.Way] = {
    E.HARD_RULES: stages.take_the_name,
    E.NO_NAME: lambda stage: stage.change(asked_name="wanted"),
    E.NOT_RECOGNIZED: stages.recognize,
    E.NOT_FLAGGED: _flagged,
    E.NOT_SENT_ON: stages.send_on,
    E.NO_PARTY: lambda stage: stage.change(registrant=stage.people.operator.id),
    E.NOT_JUDGED: _review_what_was_declined,
    E.RELATION: _belong,
    E.FIRST_SENT: _asked_before,
    E.NO_CONFLICT: stages.conflict_all,
    E.NAME_FREE: stages.take_the_name,
    E.BASE_LATEST: stages.register_another,
    E.OTHER_PERSON: lambda stage: stage.change(registrant=stage.people.operator.id),
    E.IN_PERIOD: lambda stage: stages.wait(stage, 100),
    E.FIRST_APPEAL: _appealed,
}


# Holds whatever anybody does: it follows from the registry, or is done in the same commit.
ALWAYS = {E.PROCEDURE, E.POSTED, E.NUMBER}
# Cannot be missing alone, and have tests of their own among the stories of requests.
HELD = {E.REVIEWS, E.CHECKS_ANSWERED, E.STANDARD_ANSWER, E.DIFFERENCES}


def _can_be_missing(procedure: DeclaredProcedure, row: TransitionRow, evidence: Evidence) -> bool:
    if evidence in ALWAYS | HELD or row.role is Role.OUTCOME:
        return False
    if evidence is E.REPORT and row.action is A.DIRECT:
        return False  # its state is reached by a report
    if evidence is E.OTHER_PROCEDURE and row.action is A.CHANGE_PROCEDURE:
        return False  # what was asked for is another one
    if evidence is E.AUTHORITY:
        return False  # has tests of its own, beside who acts for a registrant
    # without a name that somebody else can take, nothing that was sent breaks a rule later
    is_free = procedure is Procedure.INFORMAL or Purpose.NEW not in row.purposes
    return not (evidence is E.HARD_RULES and is_free)


# what lacks for an action and a role is refused alike at every state that it begins with
REFUSALS = one_of_each(
    (
        (procedure, row, evidence)
        for procedure, row in ROWS
        for evidence in sorted(row.evidence)
        if _can_be_missing(procedure, row, evidence)
    ),
    kind=lambda case: (case[1].action, case[2]),
)


@pytest.mark.parametrize(("procedure", "row"), some(ROWS, 3), ids=_name)
def test_a_row_is_a_move_for_its_role_alone_and_not_from_an_old_page(
    site: Ground, procedure: DeclaredProcedure, row: TransitionRow
) -> None:
    stage = ready(site, procedure, row)
    who, before = stages.actor_for(stage, row.role), stage.kinds
    stranger = factories.person("nobody@else.example", START)
    page = send(stage, row, stranger, fields_for(stage, row))
    assert page.status in {403, 404}, page.words
    stale = {"lock_version": str(factories.lock_of(stage.number) - 1)}
    page = send(stage, row, who, fields_for(stage, row) | stale)
    assert page.status == 409, page.words
    assert stage.kinds == before, "nothing happened"
    page = send(stage, row, who, fields_for(stage, row))
    assert page.status == 303, page.words
    assert stage.kinds == [*before, row.action.past], "one event"
    assert stage.state is target_of(row)


def target_of(row: TransitionRow) -> State:
    """Where a row of a new registration leads."""
    if isinstance(row.target, State):
        return row.target
    assert row.source is not None
    approved = S.ASSIGNABLE if Purpose.NEW in row.purposes else S.MODIFIABLE
    places = {
        RelativeTarget.APPROVED: approved,
        RelativeTarget.KEPT: S.EXPERT_REVIEW,
        RelativeTarget.SAME: row.source,
    }
    return places[row.target]


@pytest.mark.parametrize(("procedure", "row", "evidence"), REFUSALS, ids=_name)
def test_without_its_evidence_a_move_is_refused_with_what_to_do(
    site: Ground, procedure: DeclaredProcedure, row: TransitionRow, evidence: Evidence
) -> None:
    stage = ready(site, procedure, row, evidence)
    who = stages.actor_for(stage, row.role)
    before = stage.kinds
    page = send(stage, row, who, fields_for(stage, row, evidence))
    refused = {403} if evidence is E.NO_CONFLICT else {422, 409}
    assert page.status in refused, page.words
    # the other operators are told of one who would have registered alone
    told = [REFUSED] if evidence is E.OTHER_PERSON else []
    assert stage.kinds == [*before, *told]
    if page.status == 422:
        sentence = bodies_of(site.app.extensions["settings"]).put_into(evidence.sentence)
        assert sentence.split(".")[0] in page.words, page.words
