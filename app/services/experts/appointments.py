"""Who decides here, and by which decision: the appointments as everybody sees them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.services.notifications.attribution import without_addresses
from app.store.accounts import expert_panels
from app.store.tables.accounts import Grant


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
