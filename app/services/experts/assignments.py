"""Giving requests to experts: by rotation among those who are there and may judge."""

from collections.abc import Callable
from datetime import datetime

from app.services.request_status import panel_evidence
from app.store.accounts import expert_panels
from app.store.requests import request_rows, review_rows
from app.store.tables import Request
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import State


def give(request: Request, at: datetime, rule: SeparationOfDuties, wanted: int) -> None:
    """See that as many experts have a request as are wanted, if there are so many.

    Who has it and may still judge it keeps it. The others come by rotation, those who passed
    it on last. Somebody appointed for this request alone has it in any case.
    """
    may = {account.id for account in panel_evidence.eligible(request, at, rule)}
    there = {account.id for account in panel_evidence.able(request, at, rule)}
    have = {account.id for account in expert_panels.assigned_to(request.number)}
    for account in have - may:
        expert_panels.end_assignments(request.number, at, account)
    chosen = _in_turn(request, there - have)
    appointed = {account.id for account in expert_panels.temporary_experts(request.number)}
    missing = max(0, wanted - len(have & may))
    for place, account in enumerate(chosen):
        if place < missing or account in appointed:
            expert_panels.assign(request.number, account, at)


def _in_turn(request: Request, accounts: set[int]) -> list[int]:
    passed_on = expert_panels.ever_assigned_to(request.number)
    turn = expert_panels.least_recently_assigned(accounts)
    return sorted(turn, key=lambda account: account in passed_on)


def give_to(request: Request, accounts: list[int], at: datetime) -> None:
    """Give a request to these experts, where they do not have it."""
    have = {account.id for account in expert_panels.assigned_to(request.number)}
    for account in accounts:
        if account not in have:
            expert_panels.assign(request.number, account, at)


def give_on(request: Request, account: int, at: datetime, rule: SeparationOfDuties) -> bool:
    """Take a request from an expert and give it to the next; False where there is none."""
    wanted = len(expert_panels.assigned_to(request.number))
    had_it = expert_panels.end_assignments(request.number, at, account)
    there = {one.id for one in panel_evidence.able(request, at, rule)} - {account}
    have = {one.id for one in expert_panels.assigned_to(request.number)}
    chosen = _in_turn(request, there - have)[: wanted - len(have) if had_it else 0]
    for one in chosen:
        expert_panels.assign(request.number, one, at)
    return bool(chosen)


def give_away(account: int, at: datetime, rule: SeparationOfDuties) -> list[Request]:
    """Give to the next what an expert may judge no more; gives what somebody else has now."""

    def is_conflicted(request: Request) -> bool:
        may = panel_evidence.eligible(request, at, rule)
        return account not in {expert.id for expert in may}

    return _give_all(account, at, rule, is_conflicted)


def hand_over_reviews(account: int, at: datetime, rule: SeparationOfDuties) -> list[Request]:
    """Give to the next what waits for the review of an expert who is away; gives it as well."""
    return _give_all(account, at, rule, lambda one: _waits_for(account, one))


def _waits_for(account: int, request: Request) -> bool:
    reviewed = {
        row.author
        for row in review_rows.counted_reviews(request)
        if row.iteration == request.iterations
    }
    return request.state == State.EXPERT_REVIEW and account not in reviewed


def _give_all(
    account: int, at: datetime, rule: SeparationOfDuties, is_left: Callable[[Request], bool]
) -> list[Request]:
    had = [
        request_rows.find_request(number, locked=True)
        for number in expert_panels.requests_of(account)
    ]
    left = [request for request in had if request and is_left(request)]
    return [request for request in left if give_on(request, account, at, rule)]
