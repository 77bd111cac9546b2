"""Giving requests to experts: by rotation among those who are there and may judge."""

from datetime import datetime

from app.services.parties import parties_of
from app.store import panels, requests
from app.store.tables import Account, Request
from app.workflow.people import Parties, Separation, conflicts_of


def panel_of(request: Request, at: datetime) -> list[Account]:
    """Everybody who is an expert for a request, with those appointed for it alone."""
    lasting = panels.members_of(request.registry_id, at)
    known = {account.id for account in lasting}
    temporary = panels.temporary_experts(request.number)
    return lasting + [account for account in temporary if account.id not in known]


def able(request: Request, at: datetime, rule: Separation) -> list[Account]:
    """Those of the panel who may judge a request, whether they are there or not."""
    panel = panel_of(request, at)
    parties = parties_of(request, [account.id for account in panel])
    return [account for account in panel if not _is_barred(account, parties, rule)]


def _is_barred(account: Account, parties: Parties, rule: Separation) -> bool:
    return bool(
        conflicts_of(str(account.id), parties, organization=account.organization, rule=rule)
    )


def give(request: Request, at: datetime, rule: Separation, wanted: int) -> None:
    """See that as many experts have a request as are wanted, if there are so many.

    Who has it and may still judge it keeps it. The others come by rotation, those who passed
    it on last. Somebody appointed for this request alone has it in any case.
    """
    may = {account.id for account in able(request, at, rule)}
    there = may - panels.absent(may, at)
    have = {account.id for account in panels.assigned_to(request.number)}
    for account in have - may:
        panels.end_assignments(request.number, at, account)
    chosen = _in_turn(request, there - have)
    appointed = {account.id for account in panels.temporary_experts(request.number)}
    missing = max(0, wanted - len(have & may))
    for place, account in enumerate(chosen):
        if place < missing or account in appointed:
            panels.assign(request.number, account, at)


def _in_turn(request: Request, accounts: set[int]) -> list[int]:
    passed_on = panels.had(request.number)
    turn = panels.least_recently_assigned(accounts)
    return sorted(turn, key=lambda account: account in passed_on)


def give_to(request: Request, accounts: list[int], at: datetime) -> None:
    """Give a request to these experts, where they do not have it."""
    have = {account.id for account in panels.assigned_to(request.number)}
    for account in accounts:
        if account not in have:
            panels.assign(request.number, account, at)


def give_on(request: Request, account: int, at: datetime, rule: Separation) -> None:
    """Take a request from an expert and give it to the next, if there is one."""
    wanted = len(panels.assigned_to(request.number))
    had_it = panels.end_assignments(request.number, at, account)
    others = {one.id for one in able(request, at, rule)} - {account}
    there = others - panels.absent(others, at)
    have = {one.id for one in panels.assigned_to(request.number)}
    for one in _in_turn(request, there - have)[: wanted - len(have) if had_it else 0]:
        panels.assign(request.number, one, at)


def give_away(account: int, at: datetime, rule: Separation) -> None:
    """Give to the next whatever an expert has and may judge no more."""
    for number in panels.requests_of(account):
        request = requests.find_request(number, locked=True)
        if request and account not in {one.id for one in able(request, at, rule)}:
            give_on(request, account, at, rule)
