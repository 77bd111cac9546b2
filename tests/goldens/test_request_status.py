"""The status of a request for each reader: every procedure, every situation of its experts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from app.registration.declarations.naan_registries import NAANS, NaanProcedure
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    DeclaredProcedure,
    Procedure,
)
from app.services.request_status.request_status import (
    RequestSummary,
    StatusReader,
    status_of,
    turn_of,
)
from app.workflow.reviews import OutcomeRule, PanelStatus, ReviewImpasse, Verdict
from app.workflow.states import IanaState, State
from tests.conftest import START
from tests.goldens.golden_files import check

TODAY = START + timedelta(days=3)
PRESENT = {"appointed": 3, "available": 3, "awaited": 2, "has_leader": True}
WITH_LEADER = PRESENT | {"leader_is_awaited": True}

# What holds of the experts of a request in expert review, and why no one can decide it, if so.
SITUATIONS: Mapping[str, tuple[dict[str, Any], ReviewImpasse | None]] = {
    "no expert appointed": ({}, ReviewImpasse.NOT_APPOINTED),
    "every expert recused": ({"appointed": 3, "conflicted": 3}, ReviewImpasse.CONFLICTED),
    "every expert away": (
        {"appointed": 2, "away": 2, "back": date(2026, 10, 5)},
        ReviewImpasse.AWAY,
    ),
    "one recused, one away": (
        {"appointed": 2, "conflicted": 1, "away": 1, "back": date(2026, 10, 5)},
        ReviewImpasse.AWAY,
    ),
    "one able expert of two needed": (
        {"appointed": 2, "away": 1, "back": date(2026, 10, 5), "available": 1, "awaited": 1},
        ReviewImpasse.TOO_FEW,
    ),
    "only the leader is able": (
        {
            "appointed": 3,
            "conflicted": 2,
            "available": 1,
            "awaited": 1,
            "has_leader": True,
            "leader_is_awaited": True,
        },
        None,
    ),
    "no review yet": (WITH_LEADER, None),
    "no review yet, no leader": ({"appointed": 2, "available": 2, "awaited": 2}, None),
    "first of two approvals": (WITH_LEADER | {"awaited": 1, "approvals": 1}, None),
    "first of two declines": (WITH_LEADER | {"awaited": 1, "declines": 1}, None),
    "approval and decline, leader to decide": (
        WITH_LEADER | {"awaited": 1, "approvals": 1, "declines": 1, "is_deadlocked": True},
        None,
    ),
    "approval and decline, no leader": (
        {
            "appointed": 2,
            "available": 2,
            "approvals": 1,
            "declines": 1,
            "is_deadlocked": True,
        },
        ReviewImpasse.DISAGREEMENT,
    ),
    "every other expert reviewed it, leader to go on": (
        WITH_LEADER | {"awaited": 0, "approvals": 1},
        None,
    ),
    "passed on by every expert": ({"appointed": 2, "available": 2}, None),
}
# On a standards action one expert can report; on the fast track experts only advise.
UNDECIDABLE: Mapping[Procedure, frozenset[ReviewImpasse]] = {
    Procedure.COMMUNITY: frozenset(ReviewImpasse),
    Procedure.INFORMAL: frozenset(ReviewImpasse),
    Procedure.STANDARDS_ACTION: frozenset(
        {ReviewImpasse.NOT_APPOINTED, ReviewImpasse.CONFLICTED, ReviewImpasse.AWAY}
    ),
    Procedure.FAST_TRACK: frozenset(),
}


def row(
    procedure: DeclaredProcedure,
    state: State,
    panel: PanelStatus | None = None,
    at_iana: IanaState | None = None,
) -> RequestSummary:
    """A request for which this holds."""
    registries = {Procedure.INFORMAL: INFORMAL, NaanProcedure.NAAN: NAANS}
    return RequestSummary(
        number=7,
        name="quokka",
        registry=registries.get(procedure, FORMAL),
        procedure=procedure,
        state=state,
        organization="Quokka Society",
        since=START,
        started=START,
        edition=4 if state.is_registered else None,
        lock_version=1,
        due=None if state.is_final else START + timedelta(days=28),
        returns_to=State.EXPERT_REVIEW if state is State.WITH_REQUESTER else None,
        iana_state=at_iana,
        iana_day=START.date().isoformat() if at_iana else "",
        panel=panel,
    )


def in_review(procedure: Procedure, situation: str) -> RequestSummary:
    """A request in expert review whose experts are in a situation."""
    known, _ = SITUATIONS[situation]
    panel = PanelStatus(procedure=procedure, rule=OutcomeRule(), **known)
    return row(procedure, State.EXPERT_REVIEW, panel)


def test_each_reader_is_told_the_status_of_each_situation() -> None:
    check("status.txt", [*_states(), *_situations()])


def _states() -> Iterator[str]:
    for procedure in (Procedure.COMMUNITY, Procedure.FAST_TRACK, NaanProcedure.NAAN):
        for state in State:
            if state is not State.EXPERT_REVIEW:
                yield from _lines(f"{procedure}, {state}", row(procedure, state))
    for at_iana in IanaState:
        shown = row(Procedure.COMMUNITY, State.ASSIGNABLE, at_iana=at_iana)
        yield from _lines(f"community, {at_iana} at IANA", shown)


def _situations() -> Iterator[str]:
    for procedure in Procedure:
        for situation in SITUATIONS:
            yield from _lines(f"{procedure}, {situation}", in_review(procedure, situation))


def _lines(heading: str, shown: RequestSummary) -> Iterator[str]:
    """The sentences for each reader, each once with all readers who get it."""
    told: dict[str, list[str]] = {}
    for reader in StatusReader:
        for is_awaited in (False, True) if reader.reviews else (False,):
            status = status_of(shown, TODAY, reader, is_awaited=is_awaited)
            name = f"{reader} who has it" if is_awaited else str(reader)
            told.setdefault(f"{status.headline} / {status.next}", []).append(name)
    yield f"======== {heading}"
    yield f"Turn: {turn_of(shown, TODAY)}"
    for text, readers in told.items():
        yield f"{', '.join(readers)}: {text}"


def test_no_status_says_that_experts_are_at_work_when_none_can_decide() -> None:
    for procedure in Procedure:
        for situation, (_, impasse) in SITUATIONS.items():
            shown = in_review(procedure, situation)
            expected = impasse if impasse in UNDECIDABLE[procedure] else None
            assert shown.panel is not None
            assert shown.panel.impasse is expected, (procedure, situation)
            for reader in StatusReader:
                status = status_of(shown, TODAY, reader)
                words = f"{status.headline} {status.brief} {turn_of(shown, TODAY)}"
                assert ("No one can decide this" in words) is bool(expected)
                assert not (expected and "approvals given" in words)


def test_braces_in_the_name_of_a_body_are_kept() -> None:
    shown = row(Procedure.STANDARDS_ACTION, State.IESG_STANDARD)
    status = status_of(replace(shown, body="the {W3C} board"), TODAY)
    assert status.headline.startswith("Escalated to the {W3C} board (3 days)")


def test_a_reviewer_reads_their_own_review_and_others_a_role() -> None:
    shown = in_review(Procedure.COMMUNITY, "first of two approvals")
    own = status_of(shown, TODAY, StatusReader.EXPERT, reviewed=Verdict.APPROVE)
    assert own.headline.startswith("You approved this request. In expert review (3 days)")
    assert own.brief.startswith("You approved this request. 1 of 2 approvals given.")
    for reader in StatusReader:
        assert "You approved" not in status_of(shown, TODAY, reader).headline
    advised = in_review(Procedure.FAST_TRACK, "no review yet")
    brief = status_of(advised, TODAY, StatusReader.EXPERT, reviewed=Verdict.APPROVE).brief
    assert brief.startswith("You advised in favor")


def test_only_the_reader_whose_turn_it_is_gets_a_task() -> None:
    tasks = {
        State.NEW: (StatusReader.OPERATOR, "Start the check."),
        State.ASSIGNABLE: (StatusReader.OPERATOR, "Register it."),
        State.IESG_EXPERTS: (StatusReader.OPERATOR, "Enter the decision when"),
        State.WITH_REQUESTER: (StatusReader.REGISTRANT, "Edit the text"),
    }
    for state, (whose, task) in tasks.items():
        shown = row(Procedure.COMMUNITY, state)
        told = {one: status_of(shown, TODAY, one).next.startswith(task) for one in StatusReader}
        assert told == {one: one is whose for one in StatusReader}, state
