"""The experts' panels as their members and the operator keep them: all of it dated, on record."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from app.problems import use_case_codes
from app.registration.declarations.dates import is_date
from app.registration.declarations.registries import REGISTRIES
from app.services.accounts.actors import Actor, require_operator
from app.services.accounts.parties import USUAL, persons_of
from app.services.accounts.sign_in import checked_address
from app.services.experts.appointments import AppointmentSource, entered_how
from app.services.experts.assignments import give_away, leave
from app.services.experts.independence import refuse_own
from app.services.idempotency import run_idempotent
from app.services.notifications.event_notices import (
    MailSettings,
    OperatorNotice,
    RequestNotice,
    notify_about_request,
    notify_operators,
)
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.store.accounts import account_rows, expert_panels
from app.store.demonstration import is_on
from app.store.event_log import event_rows
from app.store.tables import Account, Request, RoleGrant
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject
from app.workflow.separation_of_duties import SeparationOfDuties, fold_mailbox
from app.workflow.states import Action

LONGEST_NAME = 200
LAST_DAY = date.max.isoformat()  # no day follows it
ROLES = {Grant.EXPERT.value: "Expert", Grant.LEADER.value: "Leader of the team"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """One appointment as the panel's page shows it."""

    id: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverPolicy:
    """By which rule what an expert leaves goes to the next, and where the mail of it goes."""

    rule: SeparationOfDuties = USUAL
    post: MailSettings | None = None

    def tell(self, handed: Iterable[Request], actor: Actor, event: int, at: datetime) -> None:
        """Write to those who have these requests to review from now on."""
        if self.post is None:
            return
        for request in handed:
            news = RequestNotice(
                request=request, action=Action.PASS_ON, actor=actor, at=at, reason=""
            )
            notify_about_request(news, event, self.post)

    def tell_operators(self, word: OperatorNotice, actor: Actor, at: datetime) -> None:
        """Write to the other operators."""
        if self.post is not None:
            notify_operators(word, actor, at, self.post)


UNTOLD = HandoverPolicy()


def panel() -> tuple[Appointment, ...]:
    """Every appointment of an expert that ever was, newest first."""
    return tuple(_shown(grant, account) for grant, account in expert_panels.appointments())


def _shown(grant: RoleGrant, account: Account) -> Appointment:
    return Appointment(
        id=grant.id,
        email=account.email,
        name=account.name,
        role=Grant(grant.role),
        registry=grant.registry_id,
        starts=grant.starts,
        ends=grant.ends,
        decision=grant.decision,
        entered=entered_how(grant.entered_by, grant.confirmed_by),
    )


def appoint(
    actor: Actor,
    email: str,
    role: str,
    registry: str,
    decision: str,
    at: datetime,
    key: str,
    handing: HandoverPolicy = UNTOLD,
) -> None:
    """Appoint an expert or a leader for one registry, or for all where none is named.

    The other operators are told at once, and can confirm it or end it.
    """
    _refuse_others(actor)

    def work() -> None:
        if role not in ROLES or registry not in {"", *REGISTRIES}:
            raise InvalidInput(
                use_case_codes.CHOICE_UNKNOWN, "Choose what to appoint to, and for which registry."
            )
        if not decision.strip():
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Say by which decision, with where it can be read.",
                field="decision",
            )
        address = checked_address(email)
        refuse_own(actor, address, handing.rule)
        account = account_rows.get_or_add_account(address, at)
        if (Grant(role), registry) in account_rows.grants_for(account.id, at):
            raise InvalidInput(
                use_case_codes.ALREADY_DONE,
                "This address is appointed so already.",
                field="email",
            )
        account_rows.add_grant(account.id, Grant(role), at, None, decision, registry, actor.id)
        event = _record(account.id, f"granted {role}", at, actor.id, decision)
        what = f"Another operator appointed {address} ({ROLES[role].lower()})."
        word = OperatorNotice(
            todo="Appointed", name=address, what=what, reason=decision, event=event
        )
        handing.tell_operators(word, actor, at)

    asked = {"appoint": [email, role, registry, decision]}
    run_idempotent(actor.id, key, asked, at, work)


def confirm(actor: Actor, ident: int, at: datetime, key: str) -> None:
    """Say of another operator's appointment that one looked at it.

    From then on that operator may register what the expert alone approved.
    """
    _refuse_others(actor)

    def work() -> None:
        grant = expert_panels.find_appointment(ident)
        if grant is None or (grant.ends is not None and grant.ends <= at):
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN, "There is no such appointment, or it has ended."
            )
        if is_on() and not grant.demo:
            raise NotAllowed(
                use_case_codes.DEMONSTRATION_LIMIT,
                "In a demonstration only what it made itself is confirmed.",
            )
        if not _is_unconfirmed(grant):
            raise InvalidInput(
                use_case_codes.NOT_IN_FORCE, "This appointment needs no confirmation."
            )
        if not _stands_apart(actor, grant):
            raise NotAllowed(
                use_case_codes.OTHER_PERSON_NEEDED,
                "Another operator confirms it: not who entered it, nor who it is of.",
            )
        grant.confirmed_by = actor.id
        _record(grant.account, f"confirmed {grant.role}", at, actor.id, "")

    run_idempotent(actor.id, key, {"confirm": ident}, at, work)


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


def dismiss(
    actor: Actor,
    ident: int,
    decision: str,
    at: datetime,
    key: str,
    handing: HandoverPolicy = UNTOLD,
) -> None:
    """End an appointment. What the expert had goes to the next."""
    _refuse_others(actor)

    def work() -> None:
        if not decision.strip():
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Say by which decision, with where it can be read.",
                field="decision",
            )
        grant = expert_panels.end_appointment(ident, at)
        if grant is None:
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN, "There is no such appointment, or it has ended."
            )
        event = _record(grant.account, f"revoked {grant.role}", at, actor.id, decision)
        handing.tell(give_away(grant.account, at, handing.rule), actor, event, at)

    run_idempotent(actor.id, key, {"dismiss": [ident, decision]}, at, work)


# ---- what an expert says of themselves


def standing_of(actor: Actor, at: datetime) -> ExpertDeclaration:
    """What somebody declared of themselves."""
    return ExpertDeclaration(
        actor.organization,
        tuple((one.id, one.organization) for one in expert_panels.interests_of(actor.id)),
        tuple(
            ExpertAbsence(one.id, one.starts.date(), (one.ends - timedelta(days=1)).date())
            for one in expert_panels.absences_of(actor.id, at)
        ),
    )


def belong(
    actor: Actor, organization: str, at: datetime, key: str, handing: HandoverPolicy = UNTOLD
) -> None:
    """Say to which organization one belongs; nothing for none. Its requests go to the next."""

    def work() -> None:
        _check_name(organization)
        account_rows.set_organization(actor.id, organization.strip())
        event = _record(actor.id, "organization declared", at, actor.id, organization.strip())
        handing.tell(give_away(actor.id, at, handing.rule), actor, event, at)

    _own(actor, {"belong": organization}, at, key, work)


def declare_interest(
    actor: Actor, organization: str, at: datetime, key: str, handing: HandoverPolicy = UNTOLD
) -> None:
    """Say that one will not judge what an organization asks for: the next gets it."""

    def work() -> None:
        if not organization.strip():
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                "Enter the name of the organization.",
                field="organization",
            )
        _check_name(organization)
        expert_panels.add_interest(actor.id, organization.strip(), at)
        event = _record(actor.id, "interest declared", at, actor.id, organization.strip())
        handing.tell(give_away(actor.id, at, handing.rule), actor, event, at)

    _own(actor, {"interest": organization}, at, key, work)


def end_interest(actor: Actor, ident: int, at: datetime, key: str) -> None:
    """Say that an interest is over."""

    def work() -> None:
        if not expert_panels.end_interest(actor.id, ident, at):
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, "You declare no such interest now.")
        _record(actor.id, "interest ended", at, actor.id, "")

    _own(actor, {"no interest": ident}, at, key, work)


def be_away(
    actor: Actor, first: str, last: str, at: datetime, key: str, handing: HandoverPolicy = UNTOLD
) -> None:
    """Say that one is away, from one day to another, both included.

    Who is away already gives what waits for their review to the next.
    """

    def work() -> None:
        starts, ends = _day(first), _day(last) + timedelta(days=1)
        if ends <= starts or ends <= at:
            raise InvalidInput(
                use_case_codes.VALUE_MALFORMED,
                "The last day comes after the first, and is today or later.",
                field="last",
            )
        expert_panels.add_absence(actor.id, starts, ends)
        event = _record(actor.id, "absence set", at, actor.id, "")
        left = leave(actor.id, at, handing.rule) if starts <= at else []
        handing.tell(left, actor, event, at)

    _own(actor, {"away": [first, last]}, at, key, work)


def be_back(actor: Actor, ident: int, at: datetime, key: str) -> None:
    """Say that one is back, or does not go."""

    def work() -> None:
        if not expert_panels.end_absence(actor.id, ident, at):
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, "You have set no such absence.")
        _record(actor.id, "absence ended", at, actor.id, "")

    _own(actor, {"back": ident}, at, key, work)


def _day(text: str) -> datetime:
    day = text.strip()
    if not is_date(day) or day >= LAST_DAY:
        raise InvalidInput(
            use_case_codes.VALUE_MALFORMED,
            "Give a day as YYYY-MM-DD, such as 2026-02-10.",
            field="day",
        )
    return datetime.combine(date.fromisoformat(day), time(), UTC)


def _check_name(organization: str) -> None:
    if len(organization) > LONGEST_NAME:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The organization takes {LONGEST_NAME} characters at most.",
            field="organization",
        )


def _own(
    actor: Actor, asked: Mapping[str, Any], at: datetime, key: str, work: Callable[[], None]
) -> None:
    if not actor.is_expert:
        raise NotAllowed(use_case_codes.EXPERTS_ONLY, "This is for the designated experts.")
    run_idempotent(actor.id, key, asked, at, work)


def _refuse_others(actor: Actor) -> None:
    require_operator(actor, "Only the registry’s operators enter appointments.")


def _record(account: int, kind: str, at: datetime, by: int, reason: str) -> int:
    event = event_rows.NewEvent(
        at=at,
        kind=kind,
        about=str(account),
        subject=EventSubject.ACCOUNT,
        actor=by,
        role="expert" if by == account else "operator",
        reason=reason,
    )
    return event_rows.append(event, secrets.token_hex(16))
