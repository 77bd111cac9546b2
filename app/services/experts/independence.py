"""Who stands far enough from a request to decide about it or to register it.

Accounts of one mailbox are one person. An approval by nobody but people whom an operator alone
appointed is that operator's own, until another operator has confirmed one of the appointments.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from app.problems import use_case_codes
from app.registration.records.organization_names import are_alike
from app.services.accounts.actors import Actor, authors_of, conflicts_with, parties_of, persons_of
from app.services.refusals import InvalidInput
from app.store.accounts import account_rows, expert_panels
from app.store.requests import given_names, involvement, review_rows
from app.store.tables import Event, Request
from app.store.tables.accounts import Grant
from app.workflow.separation_of_duties import (
    Parties,
    SeparationOfDuties,
    fold_mailbox,
    who_may_decide,
    who_may_enter_appeal,
    who_may_register,
)
from app.workflow.states import Action, State

SHARE_TIME = timedelta(hours=24)
_APPROVES = frozenset({Action.REPORT.past, Action.COMPLETE.past})
_DENIES = frozenset({Action.DECLINE.past, Action.REPORT.past})


def may_decide_request(
    request: Request, actor: Actor, rule: SeparationOfDuties, authors: frozenset[str] | None = None
) -> bool:
    """Whether somebody stands far enough from a request to decide about it as an operator.

    ``authors`` are the people who wrote it, where somebody has read that already.
    """
    own = fold_mailbox(actor.email)
    authors = authors_of(request) if authors is None else authors
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
        authors=authors_of(request) if authors is None else authors,
        approvers=frozenset(map(fold_mailbox, approvers.values())),
        appointed=_appointed(own, approvers, request) if others_run(own, at) else {},
        rule=rule,
    )


def may_agree(
    request: Request, actor: Actor, rule: SeparationOfDuties, parties: Parties | None = None
) -> bool:
    """Whether somebody can be the second operator who agrees to a request.

    Whoever approved its newest text, by whatever account, is the first; nobody agrees with a
    conflict of interest.
    """
    first = involvement.approvers_of(request.number, request.iterations, {Action.ENDORSE.past})
    is_first = fold_mailbox(actor.email) in map(fold_mailbox, first.values())
    known = parties or parties_of(request)
    return not is_first and not conflicts_with(actor, request, rule, lambda: known)


def first_approvers(request: Request) -> tuple[str, ...]:
    """Who approved the newest text of a request first, for the operators who are to agree."""
    first = involvement.approvers_of(request.number, request.iterations, {Action.ENDORSE.past})
    return tuple(sorted(first.values()))


def requests_approved_by(actor: Actor, numbers: Collection[int]) -> frozenset[int]:
    """Those of some requests that wait for a second operator after somebody approved them."""
    own = fold_mailbox(actor.email)
    first = involvement.who_noted(Action.ENDORSE.past, numbers)
    return frozenset(number for number, address in first if fold_mailbox(address) == own)


def may_give_alone(actor: Actor, rule: SeparationOfDuties, at: datetime) -> bool:
    """Whether somebody may give one more NAAN or shoulder without a second operator.

    Those count that they gave so within 24 hours, by whatever account. Who asks outside the
    transaction that gives a name may be told otherwise by the time of it.
    """
    if rule.share is None:
        return True
    own, since = fold_mailbox(actor.email), at - SHARE_TIME
    givers = given_names.givers_since(since, State.VALIDATING_REQUEST)
    return rule.lets_alone(sum(fold_mailbox(one) == own for one in givers))


def may_enter_appeal(
    request: Request, actor: Actor, rule: SeparationOfDuties, story: Iterable[Event]
) -> bool:
    """Whether somebody neither reviewed a request nor had a part in its denial.

    ``story`` is what happened to it; who entered the outcome of an appeal before did not deny it.
    """
    own = fold_mailbox(actor.email)
    judging = {row.author for row in review_rows.reviews_of(request.number)}
    judging |= {event.actor for event in story if event.kind in _DENIES and event.actor}
    return own in who_may_enter_appeal([own], judges=persons_of(judging), rule=rule)


def reads_like_own(actor: Actor, request: Request) -> str:
    """The organization that somebody belongs to, or is near, where its name reads like a request's.

    Empty where none does: then nobody has to be asked whether they are one.
    """
    near = (actor.organization, *(one.organization for one in expert_panels.interests_of(actor.id)))
    return next((name for name in near if are_alike(name, request.organization)), "")


def others_run(person: str, at: datetime) -> bool:
    """Whether somebody else runs the registry too."""
    return any(
        fold_mailbox(one.email) != person for one in account_rows.holders(Grant.OPERATOR, at)
    )


def _appointed(
    operator: str, approvers: Mapping[int, str], request: Request
) -> Mapping[str, frozenset[str]]:
    own: set[int] = set()
    others: set[int] = set()
    for one in expert_panels.entries_of(approvers, request.registry_id, request.number):
        by = {fold_mailbox(who) for who in (one.entered_by, one.confirmed_by) if who}
        (own if by == {operator} else others).add(one.account)
    return {operator: frozenset(fold_mailbox(approvers[ident]) for ident in own - others)}


def refuse_own(actor: Actor, address: str, rule: SeparationOfDuties) -> None:
    """Raise if the operator would appoint themselves, unless one person runs the registry."""
    if rule.people > 1 and fold_mailbox(address) == fold_mailbox(actor.email):
        raise InvalidInput(
            use_case_codes.SELF_APPOINTMENT,
            ("You can’t appoint yourself, and this is your mailbox. Ask another operator."),
        )
