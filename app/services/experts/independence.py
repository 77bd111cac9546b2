"""Who stands far enough from a request to decide about it or to register it.

Accounts of one mailbox are one person. An approval by nobody but people whom an operator alone
appointed is that operator's own, until another operator has confirmed one of the appointments.
"""

from collections.abc import Mapping
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.accounts.parties import written_by
from app.services.refusals import InvalidInput
from app.store.accounts import account_rows, expert_panels
from app.store.requests import involvement
from app.store.tables import Request
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import (
    SeparationOfDuties,
    fold_mailbox,
    who_may_decide,
    who_may_register,
)
from app.workflow.states import Action

_APPROVES = frozenset({Action.REPORT.past, Action.COMPLETE.past})


def may_decide(
    request: Request, actor: Actor, rule: SeparationOfDuties, authors: frozenset[str] | None = None
) -> bool:
    """Whether somebody stands far enough from a request to decide about it as an operator.

    ``authors`` are the people who wrote it, where somebody has read that already.
    """
    own = fold_mailbox(actor.email)
    authors = written_by(request) if authors is None else authors
    return own in who_may_decide([own], authors=authors, rule=rule)


def may_register(
    request: Request,
    actor: Actor,
    rule: SeparationOfDuties,
    at: datetime,
    authors: frozenset[str] | None = None,
) -> bool:
    """Whether somebody stands far enough from a request to register it.

    Who approved the newest text did so by a review, by the report on it, or by completing it.
    """
    own = fold_mailbox(actor.email)
    approvers = involvement.approvers_of(request.number, request.iterations, _APPROVES)
    return own in who_may_register(
        [own],
        authors=written_by(request) if authors is None else authors,
        approvers=frozenset(map(fold_mailbox, approvers.values())),
        appointed=_appointed(own, approvers, request) if others_run(own, at) else {},
        rule=rule,
    )


def others_run(person: str, at: datetime) -> bool:
    """Whether somebody else runs the registry too."""
    return any(
        fold_mailbox(one.email) != person for one in account_rows.holders(Grant.OPERATOR, at)
    )


def _appointed(
    operator: str, approvers: Mapping[int, str], request: Request
) -> Mapping[str, frozenset[str]]:
    """Those of the approvers whom an operator appointed, and nobody else or with them."""
    own: set[int] = set()
    others: set[int] = set()
    for one in expert_panels.entries_of(approvers, request.registry_id, request.number):
        by = {fold_mailbox(who) for who in (one.entered_by, one.confirmed_by) if who}
        (own if by == {operator} else others).add(one.account)
    return {operator: frozenset(fold_mailbox(approvers[ident]) for ident in own - others)}


def refuse_own(actor: Actor, address: str, rule: SeparationOfDuties) -> None:
    """Nobody appoints themselves, by whatever account, unless one person runs it all."""
    if rule.people > 1 and fold_mailbox(address) == fold_mailbox(actor.email):
        raise InvalidInput(
            use_case_codes.SELF_APPOINTMENT,
            "Nobody appoints themselves, and this address is read in your mailbox. Ask another "
            "operator.",
        )
