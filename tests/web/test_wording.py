"""What pages say of a request: whose turn it is, since when, what happened, what can be done."""

from datetime import UTC, datetime, timedelta

import pytest

from app.registration.declarations.registries import FORMAL, Procedure
from app.registration.submission_findings import Severity, SubmissionCheck, SubmissionFinding
from app.services.request_status.request_status import (
    RequestSummary,
    StatusReader,
    since,
    status_of,
)
from app.services.requests.detail.request_detail import EventView
from app.web.actions import action_buttons, request_steps, request_wording
from app.workflow.evidence import EvidenceInput
from app.workflow.evidence_inputs import ASKED_FOR
from app.workflow.states import Action, State
from app.workflow.transitions import TABLES

TODAY = datetime(2025, 2, 10, 0, 30, tzinfo=UTC)


def row(
    state: State, since: datetime = TODAY - timedelta(days=3), edition: int | None = None
) -> RequestSummary:
    return RequestSummary(
        number=7,
        name="quokka",
        registry=FORMAL,
        procedure=Procedure.COMMUNITY,
        state=state,
        organization="",
        since=since,
        started=since,
        edition=edition,
        lock_version=1,
        returns_to=State.EXPERT_REVIEW if state is State.WITH_REQUESTER else None,
    )


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (State.DRAFT, "Draft. Only you and your co-editors can see it."),
        (State.NEW, "Submitted on 7 February 2025. Waiting for the operator to start the check."),
        (State.VALIDATING_REQUEST, "Being checked by the operator (3 days)."),
        (State.EXPERT_REVIEW, "In expert review (3 days)."),
        (State.WITH_REQUESTER, "Waiting for the registrant (3 days)."),
        (State.ASSIGNABLE, "Approved on 7 February 2025. Waiting for the operator to publish."),
        (State.ASSIGNED, "Registered on 7 February 2025 (edition 4)."),
        (State.MODIFIED, "Updated on 7 February 2025 (edition 4)."),
        (State.DECLINED, "Declined on 7 February 2025."),
        (State.WITHDRAWN, "Withdrawn on 7 February 2025."),
        (State.IESG_APPEAL_1, "Escalated to the IESG (3 days): first appeal."),
    ],
)
def test_every_state_is_told_by_whose_turn_it_is_and_since_when(
    state: State, sentence: str
) -> None:
    assert status_of(row(state, edition=4), TODAY).headline == sentence


def test_whoever_has_to_act_is_told_so() -> None:
    returned = status_of(row(State.WITH_REQUESTER), TODAY, StatusReader.REGISTRANT)
    assert returned.headline == "Your turn (3 days)."


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(0), "since today"),
        (timedelta(minutes=30), "since today"),
        (timedelta(minutes=31), "1 day"),  # midnight in UTC lies between
        (timedelta(days=1), "1 day"),
        (timedelta(days=1200), "1,200 days"),
        (-timedelta(days=1), "since today"),  # a clock that was put back
    ],
)
def test_an_age_is_told_in_whole_days_of_utc(before: timedelta, words: str) -> None:
    assert since(TODAY - before, TODAY) == words


@pytest.mark.parametrize("state", State)
def test_every_state_has_a_headline_a_meaning_and_a_shape(state: State) -> None:
    status = status_of(row(state), TODAY)
    assert status.headline.endswith(".")
    assert status.next.endswith(".")
    assert request_wording.kind_of(row(state)) in {"open", "wait", "ok", "note"}


@pytest.mark.parametrize(
    ("state", "how"),
    [
        (State.NEW, "done now open open"),
        (State.EXPERT_REVIEW, "done done now open"),
        (State.ASSIGNABLE, "done done done now"),
        (State.ASSIGNED, "done done done done"),
        (State.WITH_REQUESTER, "done done now open"),
        (State.IESG_RECOGNITION, "done now open open"),
        (State.IESG_EXPERTS, "done done now open"),
        (State.IESG_APPEAL_1, "done done done now open"),
        (State.DECLINED, "done done done ended"),
        (State.WITHDRAWN, "done done ended"),  # the review was not ended
        (State.DRAFT, ""),
    ],
)
def test_the_steps_of_a_request_are_told_in_every_state(state: State, how: str) -> None:
    reached = [
        EventView(at=TODAY, kind="x", role="operator", iteration=1, reason="", target=target)
        for target in (State.NEW, State.VALIDATING_REQUEST, State.EXPERT_REVIEW, state)
    ]
    assert " ".join(stands for _, stands in request_steps.steps(row(state), reached)) == how


def test_what_was_declined_before_the_experts_had_it_has_no_step_of_theirs() -> None:
    taken = EventView(
        at=TODAY, kind="taken", role="operator", iteration=1, reason="", target="validating-request"
    )
    words = [word for word, _ in request_steps.steps(row(State.DECLINED), [taken])]
    assert words == ["Submitted", "Operator check", "Declined"]


@pytest.mark.parametrize(
    ("reached", "words"),
    [
        ([State.NEW], ["Submitted", "Withdrawn"]),
        ([State.NEW, State.VALIDATING_REQUEST], ["Submitted", "Withdrawn"]),
        (
            [State.NEW, State.EXPERT_REVIEW, State.DECLINED, State.IESG_APPEAL_1],
            ["Submitted", "Operator check", "Expert review", "Withdrawn"],
        ),
    ],
)
def test_what_was_withdrawn_tells_no_step_as_done_that_was_under_way(
    reached: list[State], words: list[str]
) -> None:
    story = [
        EventView(at=TODAY, kind="x", role="operator", iteration=1, reason="", target=target)
        for target in reached
    ]
    told = request_steps.steps(row(State.WITHDRAWN), story)
    assert [word for word, _ in told] == words


def finding(code: str, severity: Severity = Severity.MUST) -> SubmissionFinding:
    return SubmissionFinding(
        field="purpose", code=code, message="A.", source="RFC 8141", severity=severity
    )


_SHOULD = finding("look_alike", Severity.SHOULD)
_NOTE, _MISSING = finding("asked-for", Severity.NOTE), finding("missing")


@pytest.mark.parametrize(
    ("found", "is_begun", "kind", "words"),
    [
        ([_MISSING, _NOTE], False, "muted", "Not started, 1 missing answer, 1 note"),
        ([], False, "muted", "Not started"),
        ([_MISSING, _SHOULD], True, "muted", "1 missing answer, 1 warning"),
        (
            [_MISSING, finding("hyphen"), _SHOULD],
            True,
            "problem",
            "1 missing answer, 1 problem, 1 warning",
        ),
        ([_SHOULD, _SHOULD], True, "look", "2 warnings"),
        ([_NOTE, _NOTE], True, "ok", "Complete, 2 notes"),
        ([], True, "ok", "Complete"),
    ],
)
def test_a_section_tells_how_it_stands(
    found: list[SubmissionFinding], is_begun: bool, kind: str, words: str
) -> None:
    stands = request_wording.standing_of(SubmissionCheck(found), is_begun=is_begun)
    assert (stands.kind, stands.words) == (kind, words)


def told(action: Action, role: str = "expert") -> str:
    event = EventView(at=TODAY, kind=action.past, role=role, iteration=2, reason="", edition=4)
    return request_wording.event_sentence(event)


def test_the_story_names_a_role_and_nobody() -> None:
    assert told(Action.RESUBMIT, "registrant") == "The registrant submitted text 2."
    assert told(Action.RETURN) == "An expert requested changes."
    assert told(Action.RETURN, "operator") == "The operator requested changes."
    assert told(Action.DECLINE, "outcome") == "The experts declined the request."
    assert (
        told(Action.REGISTER, "operator") == "The operator published the registration in edition 4."
    )
    assert told(Action.LAPSE) == "The request ended: the registrant didn’t answer."


_BEGUN = {Action.START, Action.REVISE}
OFFERED = set(Action) - _BEGUN - {Action.APPROVE}


@pytest.mark.parametrize("action", sorted(OFFERED))
def test_every_action_that_pages_offer_says_what_it_leads_to(action: Action) -> None:
    if action in action_buttons.LED:
        words, path = action_buttons.own_page_of(action, row(State.EXPERT_REVIEW))
        assert words
        assert path.startswith("/")
    else:
        assert action_buttons.button_of(action).leads_to
        assert action_buttons.button_of(action).button


@pytest.mark.parametrize("action", sorted(OFFERED - set(action_buttons.LED)))
def test_an_action_that_has_words_for_evidence_says_which(action: Action) -> None:
    rows = [row for table in TABLES.values() for row in table if row.action is action]
    needed = {ASKED_FOR.get(evidence) for row in rows for evidence in row.evidence}
    assert EvidenceInput.WORDS not in needed or action_buttons.button_of(action).asks


@pytest.mark.parametrize("action", sorted(set(Action) - _BEGUN - {Action.DISCARD}))
def test_every_move_is_told_in_a_sentence_of_its_own(action: Action) -> None:
    if action not in {Action.CORRECT, Action.REPLACE}:
        assert told(action) != f"{action.past.capitalize()}."


def test_who_gets_mail_is_said_before_it_is_confirmed() -> None:
    assert action_buttons.mailed_to(Action.REVIEW) == "the mailing list and the registrant"
    assert (
        action_buttons.mailed_to(Action.APPROVE)
        == "the mailing list, the registrant and the operators"
    )
    assert (
        action_buttons.mailed_to(Action.APPROVE, has_list=False)
        == "the registrant and the operators"
    )
    assert action_buttons.mailed_to(Action.REGISTER).endswith("competing requests")
    assert action_buttons.mailed_to(Action.TAKE) == ""
