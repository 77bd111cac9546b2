"""The experts' panels as their members and the operator keep them: all of it dated, on record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from app.problems import use_case_codes
from app.registration.declarations.dates import is_date
from app.registration.declarations.registries import REGISTRIES
from app.services.accounts.actors import Actor, persons_of
from app.services.accounts.sign_in import checked_address
from app.services.experts.independence import refuse_own
from app.services.notifications.event_notices import (
    AppointmentNotice,
    OperatorNotice,
    letters_of,
    notify_appointee,
    notify_operators,
    queue_letters,
)
from app.services.notifications.person_names import without_addresses
from app.services.notifications.request_notices import RequestNotice
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.services.request_status import panel_evidence
from app.services.use_cases import Command, operators_only, use_case
from app.store import counters
from app.store.accounts import account_rows, expert_panels
from app.store.demonstration import is_on
from app.store.requests import request_rows, review_rows
from app.store.tables import Account, Request, RoleGrant
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import says_something
from app.workflow.separation_of_duties import SeparationOfDuties, fold_mailbox
from app.workflow.states import Action, State


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


class AppointmentSource(StrEnum):
    """Who entered an appointment, in the words of the page."""

    MACHINE = "entered on the registry’s server"
    OPERATOR = "entered by an operator"
    CONFIRMED = "entered by one operator and confirmed by another"


def appointment_source(by: int | None, confirmed: int | None = None) -> AppointmentSource:
    """Who entered an appointment, by the accounts that did and that confirmed it."""
    if confirmed is not None:
        return AppointmentSource.CONFIRMED
    return AppointmentSource.MACHINE if by is None else AppointmentSource.OPERATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicAppointment:
    """One appointment as everybody sees it: no address; a name where its owner gave one.

    ``request`` is the one for which somebody was appointed, where it is for one alone.
    """

    name: str
    role: str
    registry: str
    request: int | None
    starts: datetime
    ends: datetime | None
    decision: str
    entered: AppointmentSource

    def runs(self, at: datetime) -> bool:
        """Whether it holds at a moment."""
        return self.starts <= at and (self.ends is None or self.ends > at)


_PUBLIC = {
    Grant.OPERATOR: "Operator",
    Grant.EXPERT: "Expert",
    Grant.LEADER: "Lead expert",
}


def public_appointments() -> tuple[PublicAppointment, ...]:
    """Everybody who ever decides or decided here, by which decision, newest first."""
    lasting = (
        PublicAppointment(
            name=account.name,
            role=_PUBLIC[Grant(grant.role)],
            registry=grant.registry_id,
            request=None,
            starts=grant.starts,
            ends=grant.ends,
            decision=without_addresses(grant.decision),
            entered=appointment_source(grant.entered_by, grant.confirmed_by),
        )
        for grant, account in expert_panels.all_grants()
    )
    temporary = (
        PublicAppointment(
            name=account.name,
            role="Temporary expert",
            registry="",
            request=one.request,
            starts=one.starts,
            ends=None,
            decision=without_addresses(one.decision),
            entered=appointment_source(one.entered_by),
        )
        for one, account in expert_panels.all_temporary()
    )
    return tuple(sorted((*lasting, *temporary), key=lambda one: one.starts, reverse=True))


LONGEST_NAME = 200
LAST_DAY = date.max.isoformat()  # no day follows it
_FOR_OPERATORS = operators_only("Only operators can enter appointments.")
ROLES = {Grant.EXPERT.value: "Expert", Grant.LEADER.value: "Lead expert"}


def _experts_only(command: Command, *_said: object, **_named: object) -> None:
    if not command.actor.is_expert:
        raise NotAllowed(use_case_codes.EXPERTS_ONLY, "This page is for experts only.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """One appointment as the panel's page shows it."""

    id: int
    account: int
    email: str
    name: str
    role: Grant
    registry: str
    starts: datetime
    ends: datetime | None
    decision: str
    entered: AppointmentSource

    def runs(self, at: datetime) -> bool:
        """Whether it holds at a moment."""
        return self.starts <= at and (self.ends is None or self.ends > at)


@dataclass(frozen=True, slots=True)
class ExpertAbsence:
    """A time in which an expert is away: from one day to another, both included."""

    id: int
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class ExpertDeclaration:
    """What an expert declared of themselves: where they belong, what they are near, when away."""

    organization: str
    interests: tuple[tuple[int, str], ...]
    absences: tuple[ExpertAbsence, ...]


def panel() -> tuple[Appointment, ...]:
    """Every appointment of an expert that ever was, newest first."""
    return tuple(_shown(grant, account) for grant, account in expert_panels.appointments())


def _shown(grant: RoleGrant, account: Account) -> Appointment:
    return Appointment(
        id=grant.id,
        account=account.id,
        email=account.email,
        name=account.name,
        role=Grant(grant.role),
        registry=grant.registry_id,
        starts=grant.starts,
        ends=grant.ends,
        decision=grant.decision,
        entered=appointment_source(grant.entered_by, grant.confirmed_by),
    )


@use_case("appoint", check=_FOR_OPERATORS)
def appoint(command: Command, email: str, role: str, registry: str, decision: str) -> None:
    """Appoint an expert or a leader for one registry, or for all where none is named.

    The other operators are told at once, and can confirm it or end it.
    """
    if role not in ROLES or registry not in {"", *REGISTRIES}:
        raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, "Choose a role and a registry.")
    if registry and not REGISTRIES[registry].has_experts:
        raise InvalidInput(use_case_codes.CHOICE_UNKNOWN, _without_experts(registry))
    _check_decision(decision)
    address, at = checked_address(email), command.at
    refuse_own(command.actor, address, command.rules.separation)
    account = account_rows.get_or_add_account(address, at)
    # another operator may have appointed them after this command's moment
    counters.hold("appointment")
    if expert_panels.is_appointed(account.id, Grant(role), registry):
        raise InvalidInput(
            use_case_codes.ALREADY_DONE,
            "This person already has this appointment.",
            field="email",
        )
    by = command.actor.id
    account_rows.add_grant(account.id, Grant(role), at, None, decision, registry, by)
    event = _record(command, account.id, f"granted {role}", decision)
    what = f"Another operator appointed {address} ({ROLES[role].lower()})."
    word = OperatorNotice(todo="Appointed", name=address, what=what, reason=decision, event=event)
    notify_operators(word, command.actor, at, command.post)
    _tell_appointee(command, account, (role, registry), decision, event)


def _tell_appointee(
    command: Command, account: Account, to: tuple[str, str], decision: str, event: int
) -> None:
    role, registry = to
    word = AppointmentNotice(
        address=account.email,
        name=f"{ROLES[role].lower()}, {_judged_by(registry)}",
        happened="You are now an expert",
        what=f"You are appointed {ROLES[role].lower()} for {_judged_by(registry)}. Sign in with "
        "this address to see requests that wait for your review. Record absences and conflicts of "
        "interest there too.",
        todo="Open your reviews",
        reason=decision,
        event=event,
    )
    notify_appointee(word, command.at, command.post)


def _without_experts(registry: str) -> str:
    judged = [one.label for one in REGISTRIES.values() if one.has_experts]
    return (
        f"Experts don’t review a {REGISTRIES[registry].label}; the operator decides "
        f"it. Choose all registries, or {' or '.join(judged)}."
    )


def _judged_by(registry: str) -> str:
    return f"each {REGISTRIES[registry].label}" if registry else "all registries"


def _check_decision(decision: str) -> None:
    if not says_something(decision):
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the decision and where it is published.",
            field="decision",
        )


@use_case("confirm appointment", check=_FOR_OPERATORS)
def confirm(command: Command, ident: int) -> None:
    """Say of another operator's appointment that one looked at it.

    From then on that operator may register what the expert alone approved.
    """
    grant = expert_panels.find_appointment(ident)
    if grant is None or (grant.ends is not None and grant.ends <= command.at):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This appointment doesn’t exist or has ended. Reload the page.",
        )
    if is_on() and not grant.demo:
        raise NotAllowed(
            use_case_codes.DEMONSTRATION_LIMIT,
            "The demonstration only confirms its own appointments.",
        )
    if not _is_unconfirmed(grant):
        raise InvalidInput(use_case_codes.NOT_IN_FORCE, "This appointment needs no confirmation.")
    if not _stands_apart(command.actor, grant):
        raise NotAllowed(
            use_case_codes.OTHER_PERSON_NEEDED,
            "Ask another operator: you entered this appointment, or it is yours.",
        )
    grant.confirmed_by = command.actor.id
    _record(command, grant.account, f"confirmed {grant.role}")


def to_confirm(actor: Actor, at: datetime) -> frozenset[int]:
    """The appointments that an operator can confirm."""
    return frozenset(
        grant.id
        for grant, _ in expert_panels.appointments()
        if _is_unconfirmed(grant)
        and (grant.ends is None or grant.ends > at)
        and _stands_apart(actor, grant)
    )


def _is_unconfirmed(grant: RoleGrant) -> bool:
    return grant.entered_by is not None and grant.confirmed_by is None


def _stands_apart(actor: Actor, grant: RoleGrant) -> bool:
    near = persons_of([ident for ident in (grant.entered_by, grant.account) if ident])
    return fold_mailbox(actor.email) not in near


@use_case("dismiss expert", check=_FOR_OPERATORS)
def dismiss(command: Command, ident: int, decision: str) -> None:
    """End an appointment. What the expert had goes to the next."""
    _check_decision(decision)
    grant = expert_panels.end_appointment(ident, command.at)
    if grant is None:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This appointment doesn’t exist or has ended. Reload the page.",
        )
    event = _record(command, grant.account, f"revoked {grant.role}", decision)
    _give_away(command, grant.account, event)
    word = AppointmentNotice(
        address=account_rows.get_account(grant.account).email,
        name=f"{ROLES.get(grant.role, grant.role).lower()}, {_judged_by(grant.registry_id)}",
        happened="Your appointment ended",
        what=(
            "Your appointment ended. Requests that waited for your review went to the next expert."
        ),
        reason=decision,
        event=event,
    )
    notify_appointee(word, command.at, command.post)


# ---- what an expert says of themselves


def standing_of(actor: Actor, at: datetime) -> ExpertDeclaration:
    """What somebody declared of themselves."""
    return ExpertDeclaration(
        actor.organization,
        tuple((one.id, one.organization) for one in expert_panels.interests_of(actor.id)),
        absences_by_expert(at).get(actor.id, ()),
    )


def absences_by_expert(at: datetime) -> dict[int, tuple[ExpertAbsence, ...]]:
    """The absences that are not over, by account."""
    found: dict[int, tuple[ExpertAbsence, ...]] = {}
    for one in expert_panels.absences(at):
        shown = ExpertAbsence(one.id, one.starts.date(), (one.ends - timedelta(days=1)).date())
        found[one.account] = (*found.get(one.account, ()), shown)
    return found


@use_case("declare organization", check=_experts_only)
def belong(command: Command, organization: str) -> None:
    """Say to which organization one belongs; nothing for none. Its requests go to the next."""
    _check_name(organization)
    account_rows.set_organization(command.actor.id, organization.strip())
    event = _record(command, command.actor.id, "organization declared", organization.strip())
    _give_away(command, command.actor.id, event)


@use_case("declare interest", check=_experts_only)
def declare_interest(command: Command, organization: str) -> None:
    """Say that one will not judge what an organization asks for: the next gets it."""
    if not organization.strip():
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the organization’s name.",
            field="organization",
        )
    _check_name(organization)
    expert_panels.add_interest(command.actor.id, organization.strip(), command.at)
    event = _record(command, command.actor.id, "interest declared", organization.strip())
    _give_away(command, command.actor.id, event)


@use_case("end interest", check=_experts_only)
def end_interest(command: Command, ident: int) -> None:
    """Say that an interest is over."""
    if not expert_panels.end_interest(command.actor.id, ident, command.at):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, "This interest is not on your list. Reload the page."
        )
    _record(command, command.actor.id, "interest ended")


@use_case("set absence", check=_experts_only)
def be_away(command: Command, first: str, last: str) -> None:
    """Say that one is away, from one day to another, both included.

    Who is away already gives what waits for their review to the next.
    """
    me, at = command.actor.id, command.at
    starts, ends = _day(first), _day(last) + timedelta(days=1)
    if ends <= starts or ends <= at:
        raise InvalidInput(
            use_case_codes.VALUE_MALFORMED,
            "Enter a last day that is today or later, and not before the first day.",
            field="last",
        )
    expert_panels.add_absence(me, starts, ends)
    event = _record(command, command.actor.id, "absence set")
    if starts <= at:
        _tell(command, hand_over_reviews(me, at, command.rules.separation), event)


@use_case("end absence", check=_experts_only)
def be_back(command: Command, ident: int) -> None:
    """Say that one is back, or does not go."""
    if not expert_panels.end_absence(command.actor.id, ident, command.at):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, "This absence is not on your list. Reload the page."
        )
    _record(command, command.actor.id, "absence ended")


def _give_away(command: Command, account: int, event: int) -> None:
    handed = give_away(account, command.at, command.rules.separation)
    _tell(command, handed, event)


def _tell(command: Command, handed: Iterable[Request], event: int) -> None:
    written: set[str] = set()
    for request in handed:
        news = RequestNotice(
            request=request,
            action=Action.PASS_ON,
            actor=command.actor,
            at=command.at,
            reason="",
            rules=command.rules,
        )
        for letter in letters_of(news, command.post):
            is_first = letter.recipient.lower() not in written
            written.add(letter.recipient.lower())
            queue_letters([letter], event if is_first else None)


def _day(text: str) -> datetime:
    day = text.strip()
    if not is_date(day) or day >= LAST_DAY:
        raise InvalidInput(
            use_case_codes.VALUE_MALFORMED,
            "Enter a date as YYYY-MM-DD, for example 2026-02-10.",
            field="day",
        )
    return datetime.combine(date.fromisoformat(day), time(), UTC)


def _check_name(organization: str) -> None:
    if len(organization) > LONGEST_NAME:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"Shorten the organization’s name to {LONGEST_NAME} characters.",
            field="organization",
        )


def _record(command: Command, account: int, kind: str, reason: str = "") -> int:
    role = "expert" if account == command.actor.id else "operator"
    subject = EventSubject.ACCOUNT
    return command.append_event(kind, about=str(account), subject=subject, role=role, reason=reason)
