"""Giving requests to experts: by rotation among those who are there and may judge."""

from collections.abc import Callable
from datetime import datetime

from app.services.accounts.parties import parties_of
from app.store.accounts import expert_panels
from app.store.database import read_once
from app.store.requests import request_rows, review_rows
from app.store.tables import Account, Request
from app.workflow.separation_of_duties import (
    Parties,
    SeparationOfDuties,
    conflicts_of,
    fold_mailbox,
)
from app.workflow.states import State


def panel_of(request: Request, at: datetime) -> list[Account]:
    """Everybody who is an expert for a request, with those appointed for it alone."""
    lasting = expert_panels.members_of(request.registry_id, at)
    known = {account.id for account in lasting}
    temporary = expert_panels.temporary_experts(request.number)
    return lasting + [account for account in temporary if account.id not in known]


@read_once
def able(
    request: Request, at: datetime, rule: SeparationOfDuties, known: Parties | None = None
) -> list[Account]:
    """Those of the panel who may judge a request, whether they are there or not."""
    panel = panel_of(request, at)
    parties = known or parties_of(request)
    return [account for account in panel if not _has_conflict(account, parties, rule)]


def _has_conflict(account: Account, parties: Parties, rule: SeparationOfDuties) -> bool:
    return bool(
        conflicts_of(
            fold_mailbox(account.email), parties, organization=account.organization, rule=rule
        )
    )


def give(request: Request, at: datetime, rule: SeparationOfDuties, wanted: int) -> None:
    """See that as many experts have a request as are wanted, if there are so many.

    Who has it and may still judge it keeps it. The others come by rotation, those who passed
    it on last. Somebody appointed for this request alone has it in any case.
    """
    may = {account.id for account in able(request, at, rule)}
    there = may - expert_panels.absent_experts(may, at)
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
    others = {one.id for one in able(request, at, rule)} - {account}
    there = others - expert_panels.absent_experts(others, at)
    have = {one.id for one in expert_panels.assigned_to(request.number)}
    chosen = _in_turn(request, there - have)[: wanted - len(have) if had_it else 0]
    for one in chosen:
        expert_panels.assign(request.number, one, at)
    return bool(chosen)


def give_away(account: int, at: datetime, rule: SeparationOfDuties) -> list[Request]:
    """Give to the next what an expert may judge no more; gives what somebody else has now."""
    return _give_all(
        account, at, rule, lambda one: account not in {who.id for who in able(one, at, rule)}
    )


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
