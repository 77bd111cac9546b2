"""What an expert can do to a request that they have, do not have, or may not judge."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.registration.declarations.registries import INFORMAL, Procedure
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.requests.detail.request_detail import show_request
from app.store.accounts import account_rows, delegate_rows, expert_panels
from app.store.database import read_transaction, transaction
from app.store.tables.accounts import Grant
from app.store.tables.delegates import DelegateOrigin
from app.workflow.states import Action, State
from tests import factories
from tests.web.stages import Office, Stage, give

# A plain form never judges: an expert returns, declines and approves by a review, which is on
# record as one. Any expert who may judge a request reviews it, takes it or steps aside; passing
# it on is for who has it.
TABLE = """
                 return decline approve escalate reopen take-on pass-on recuse review
has it              403     403     422      403    409     403     303    303    303
has it, away        403     403     422      403    409     403     303    303    303
lacks it            403     403     422      403    409     303     403    303    303
lacks it, away      403     403     422      403    409     303     403    303    303
recused             403     403     422      403    409     403     403    403    403
organization        403     403     422      403    409     403     403    403    403
interest            403     403     422      403    409     403     403    403    403
author              403     403     422      403    409     403     403    403    403
other table         403     403     422      403    409     403     403    403    403
another request     403     403     422      403    409     403     403    403    403
dismissed           403     403     422      403    409     403     403    403    403
"""
_HEAD, *_LINES = TABLE.strip("\n").splitlines()
ACTIONS = _HEAD.split()
ROWS = {line[:16].strip(): line[16:].split() for line in _LINES}
CASES = [
    (how, action, int(status))
    for how, statuses in ROWS.items()
    for action, status in zip(ACTIONS, statuses, strict=True)
]


def _go_away(stage: Stage, who: Actor) -> None:
    at = stage.clock()
    with transaction():
        expert_panels.add_absence(who.id, at - timedelta(days=1), at + timedelta(days=9))


def _has_it_away(stage: Stage, who: Actor) -> None:
    give(stage, who)
    _go_away(stage, who)


def _lack(stage: Stage, who: Actor) -> None:
    give(stage, stage.people.leader)


def _lack_away(stage: Stage, who: Actor) -> None:
    _lack(stage, who)
    _go_away(stage, who)


def _recuse(stage: Stage, who: Actor) -> None:
    give(stage, who)
    stage.do(Action.RECUSE, who)


def _belong(stage: Stage, who: Actor) -> None:
    with transaction():
        account_rows.set_organization(who.id, f" {stage.organization.upper()}")


def _declare(stage: Stage, who: Actor) -> None:
    panel_membership.declare_interest(factories.command(who, stage.clock()), stage.organization)


def _write(stage: Stage, who: Actor) -> None:
    with transaction():
        delegate_rows.add(
            delegate_rows.DelegateScope(request=stage.number),
            who.id,
            DelegateOrigin.INVITED,
            stage.clock(),
        )


def _judge_another(stage: Stage, who: Actor) -> None:
    with transaction():
        account_rows.end_grants(who.id, Grant.EXPERT, stage.clock())
        other = stage.number - 1
        expert_panels.add_temporary_expert(
            other, who.id, stage.clock(), "https://decisions.example/1"
        )


def _move_to_other_table(stage: Stage, who: Actor) -> None:
    with transaction():
        account_rows.end_grants(who.id, Grant.EXPERT, stage.clock())
        account_rows.add_grant(who.id, Grant.EXPERT, stage.clock(), registry=INFORMAL.id)


def _dismiss(stage: Stage, who: Actor) -> None:
    with transaction():
        account_rows.end_grants(who.id, Grant.EXPERT, stage.clock())


PREPARE: dict[str, Callable[[Stage, Actor], None]] = {
    "has it": give,
    "has it, away": _has_it_away,
    "lacks it": _lack,
    "lacks it, away": _lack_away,
    "recused": _recuse,
    "organization": _belong,
    "interest": _declare,
    "author": _write,
    "other table": _move_to_other_table,
    "another request": _judge_another,
    "dismissed": _dismiss,
}


def _someone(stage: Stage) -> Actor:
    return factories.person(
        f"x{stage.number}@experts.example", stage.clock() - timedelta(days=1), Grant.EXPERT
    )


def _ready(office: Office, how: str) -> tuple[Stage, Actor]:
    """A request in review, and somebody who stands so toward it."""
    stage = office.at(State.EXPERT_REVIEW)
    who = _someone(stage)
    PREPARE[how](stage, who)
    return stage, who


@pytest.mark.parametrize("how", ROWS)
def test_an_expert_does_to_a_request_what_the_table_says(office: Office, how: str) -> None:
    expected = {action: status for kind, action, status in CASES if kind == how}
    stage, who = _ready(office, how)
    before = stage.kinds
    refused = {action: status for action, status in expected.items() if status != 303}
    assert {action: _send(stage, action, who) for action in refused} == refused
    assert stage.kinds == before
    offered = {str(action) for action in _offered(stage, who)} & set(ACTIONS)
    assert offered == expected.keys() - refused.keys()  # and nothing is offered that is refused
    for action in sorted(offered):
        stage, who = _ready(office, how)
        assert _send(stage, action, who) == 303, action


def _offered(stage: Stage, who: Actor) -> tuple[Action, ...]:
    with read_transaction():
        account = account_rows.get_account(who.id)
        return show_request(stage.number, actor_of(account, stage.clock()), stage.clock()).actions


def _send(stage: Stage, action: str, who: Actor) -> int:
    if action == "review":
        return stage.post(
            f"/review/{stage.number}", who, {"reason": "Because.", "verdict": "approve"}
        ).status
    return stage.post(f"/requests/{stage.number}/{action}", who, {"reason": "Because."}).status


def test_the_leader_reports_on_a_standard_and_no_other_expert_does(office: Office) -> None:
    stage = office.at(State.EXPERT_REVIEW, Procedure.STANDARDS_ACTION)
    for how, status in (("has it", 422), ("lacks it", 422)):
        PREPARE[how](stage, stage.people.expert)
        sent = {"reason": "Because.", "report": "It is fine.", "body": "IESG"}
        answer = stage.post(f"/requests/{stage.number}/report", stage.people.expert, sent)
        assert answer.status == status
    assert stage.state is State.EXPERT_REVIEW


def test_a_refusal_to_return_leads_to_the_review(office: Office) -> None:
    stage = office.at(State.EXPERT_REVIEW)
    give(stage, stage.people.expert)
    sent = {"reason": "Because."}
    page = stage.post(f"/requests/{stage.number}/return", stage.people.expert, sent)
    assert page.status == 403
    assert f"/review/{stage.number}" in page.words


def test_somebody_who_runs_the_registry_and_reviews_returns_by_a_review_too(
    office: Office,
) -> None:
    stage = office.at(State.EXPERT_REVIEW)
    both = factories.person(
        f"both{stage.number}@registry.example", stage.clock(), Grant.OPERATOR, Grant.EXPERT
    )
    sent = {"reason": "Because."}
    assert stage.post(f"/requests/{stage.number}/return", both, sent).status == 403
    with read_transaction():
        assert Action.RETURN not in show_request(stage.number, both, stage.clock()).actions
