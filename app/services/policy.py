"""What of the procedures and of mail the operator chose: made once from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.config import Settings
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.workflow.body_names import IANA_BODIES, BodyNames, body_names
from app.workflow.deadlines import APPEAL_MONTHS, DUE_DAYS, REMINDER_DAYS
from app.workflow.reviews import OutcomeRule
from app.workflow.separation_of_duties import SeparationOfDuties

PRIVATE = "private"  # the authority of a registry that gives names of its own
PROPOSAL = "proposal"  # the authority of a registry that only prepares requests


@dataclass(frozen=True, slots=True)
class MailSettings:
    """Where mail goes, what its links begin with, and what it calls the bodies that decide.

    ``list_address`` is the list of URN namespaces, ``other_lists`` are those of other groups of
    registries, by the ids of these. ``number_prefix`` is that of numbers which hold here alone.
    """

    base_url: str
    list_address: str
    host: str
    bodies: BodyNames = IANA_BODIES
    number_prefix: str = ""
    other_lists: tuple[tuple[str, str], ...] = ()

    def list_of(self, registry: str) -> str:
        """The list to which requests to a registry are posted; empty where there is none."""
        return self._lists.get(REGISTRIES[registry].group, "")

    @property
    def lists(self) -> frozenset[str]:
        """The addresses of all lists, in lower case."""
        return frozenset(one.lower() for one in self._lists.values() if one)

    @property
    def _lists(self) -> dict[str, str]:
        return {URN_GROUP.id: self.list_address, **dict(self.other_lists)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureSettings:
    """What of the procedures is a setting."""

    outcome: OutcomeRule = field(default_factory=OutcomeRule)
    separation: SeparationOfDuties = field(default_factory=SeparationOfDuties)
    authority: str = "private"
    number_prefix: str = ""  # with which numbers begin that are drawn here
    notice: str = ""
    due_days: Mapping[str, int] = field(default_factory=lambda: DUE_DAYS)
    appeal_months: int = APPEAL_MONTHS
    reminder_days: int = REMINDER_DAYS
    transfer_days: int = 14

    @property
    def is_proposal(self) -> bool:
        """True if the registry only prepares requests, which IANA registers."""
        return self.authority == PROPOSAL

    @property
    def lists_panel(self) -> bool:
        """Whether the experts that editions name are the panel here, not those of IANA."""
        return self.authority == PRIVATE


USUAL_RULES = ProcedureSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """By which rules a use case works: of the procedures, of mail, and the registry's secret.

    ``secret`` is that of all hosts: links and addresses for replies are made with it.
    """

    procedures: ProcedureSettings
    mail: MailSettings
    secret: str


def policy_of(settings: Settings, secret: str) -> Policy:
    """The policy that an operator's settings say."""
    return Policy(procedures=procedures_of(settings), mail=mail_of(settings), secret=secret)


def procedures_of(settings: Settings) -> ProcedureSettings:
    """The rules of the procedures that an operator's settings say."""
    return ProcedureSettings(
        outcome=OutcomeRule(settings.reviews_needed, settings.leader_decides),
        separation=SeparationOfDuties(settings.people_needed, settings.naans_one_person_may_give),
        authority=settings.authority,
        number_prefix=number_prefix_of(settings),
        notice=settings.notice,
        due_days={**DUE_DAYS, **dict(settings.due_days)},
        appeal_months=settings.appeal_months,
        reminder_days=settings.reminder_days,
        transfer_days=settings.transfer_days,
    )


def number_prefix_of(settings: Settings) -> str:
    """With what the numbers begin that are drawn here; nothing in a registry whose numbers hold."""
    return settings.naan_prefix if settings.authority == PRIVATE else ""


def mail_of(settings: Settings) -> MailSettings:
    """Where mail goes by an operator's settings."""
    return MailSettings(
        base_url=settings.base_url,
        list_address=settings.list_address,
        host=urlsplit(settings.base_url).hostname or "localhost",
        bodies=bodies_of(settings),
        number_prefix=number_prefix_of(settings),
        other_lists=((NAAN_GROUP.id, settings.naan_list_address),),
    )


def bodies_of(settings: Settings) -> BodyNames:
    """What the bodies that decide here are called."""
    return body_names(
        is_official=settings.authority == "official",
        escalation=settings.escalation_body,
        appeals=settings.appeal_body,
    )
