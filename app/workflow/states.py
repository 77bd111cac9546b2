"""The words of the workflow: states, turns and roles."""

from collections.abc import Collection
from enum import StrEnum
from typing import Self

from app.labelled_enum import LabelledEnum
from app.workflow.actions import Action

__all__ = ["Action", "IanaState", "Role", "State", "Turn", "require_every_state"]


class Turn(StrEnum):
    """The role that must act on a request next."""

    REGISTRANT = "registrant"
    OPERATOR = "operator"
    EXPERTS = "experts"
    IESG = "iesg"
    IANA = "iana"
    NOBODY = "nobody"


class State(StrEnum):
    """The state of a request.

    ``word`` is IANA's word, or ours for drafts and requests that ended without a registration;
    formats and diagrams use it. ``plain`` is the everyday word, which pages show first. IESG
    Escalation is one state per ``question``; the request has the body if it isn't the IESG.
    """

    word: str
    turn: Turn
    question: str
    plain: str

    def __new__(
        cls,
        value: str,
        word: str = "",
        turn: Turn = Turn.NOBODY,
        question: str = "",
        plain: str = "",
    ) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.word, member.turn, member.question = word, turn, question
        member.plain = plain or word
        return member

    DRAFT = "draft", "Draft", Turn.REGISTRANT
    NEW = "new", "New", Turn.OPERATOR, "", "Submitted"
    VALIDATING_REQUEST = (
        "validating-request",
        "Validating Request",
        Turn.OPERATOR,
        "",
        "Being checked",
    )
    WITH_REQUESTER = (
        "with-requester",
        "With Requester",
        Turn.REGISTRANT,
        "",
        "Waiting for registrant",
    )
    EXPERT_REVIEW = "expert-review", "Expert Review", Turn.EXPERTS
    IESG_RECOGNITION = (
        "iesg-recognition",
        "IESG Escalation",
        Turn.IESG,
        "recognition of the organization for the fast track",
    )
    IESG_STANDARD = (
        "iesg-standard",
        "IESG Escalation",
        Turn.IESG,
        "registration as part of a standard",
    )
    IESG_EXPERTS = (
        "iesg-experts",
        "IESG Escalation",
        Turn.IESG,
        "the experts can’t decide",
    )
    IESG_APPEAL_1 = "iesg-appeal-1", "IESG Escalation", Turn.IESG, "first appeal"
    IESG_APPEAL_2 = "iesg-appeal-2", "IESG Escalation", Turn.IESG, "last appeal"
    ASSIGNABLE = "assignable", "Assignable", Turn.OPERATOR, "", "Ready to register"
    MODIFIABLE = "modifiable", "Modifiable", Turn.OPERATOR, "", "Ready to register"
    ASSIGNED = "assigned", "Assigned", Turn.NOBODY, "", "Registered"
    MODIFIED = "modified", "Modified", Turn.NOBODY, "", "Updated"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"

    @property
    def words(self) -> str:
        """The plain word of a state, followed by IANA's if that differs."""
        return self.plain if self.plain == self.word else f"{self.plain} ({self.word})"

    @property
    def is_final(self) -> bool:
        """True if no one must act. A declined request can still be appealed."""
        return self.turn is Turn.NOBODY

    @property
    def is_private(self) -> bool:
        """True if only its editors can see the request."""
        return self is State.DRAFT

    @property
    def is_registered(self) -> bool:
        """True if the request was registered."""
        return self in (State.ASSIGNED, State.MODIFIED)


def require_every_state(states: Collection[State], table: str) -> None:
    """Raise LookupError, at import time, for a table that lacks a state; ``table`` names it."""
    missing = ", ".join(f"State.{state.name}" for state in State if state not in states)
    if missing:
        raise LookupError(
            f"{table} has no row for {missing}. Add it; docs/how-to/add-a-state.md has examples."
        )


class IanaState(LabelledEnum):
    """The state of a request at IANA, if this registry only prepares requests.

    The request keeps its own state until IANA refuses it.
    """

    SENT = "sent", "Sent to IANA"
    ANSWERED = "answered", "Answered by IANA"
    REGISTERED = "registered", "Registered at IANA"
    REFUSED = "refused", "Refused by IANA"

    @property
    def is_end(self) -> bool:
        """True if IANA decided it."""
        return self in (IanaState.REGISTERED, IanaState.REFUSED)


class Role(LabelledEnum):
    """A person's role in a request; ``label`` is for sentences."""

    REGISTRANT = "registrant", "the registrant"
    OPERATOR = "operator", "the operator"
    EXPERT = "expert", "a designated expert"
    LEADER = "leader", "the lead expert"
    REPRESENTATIVE = "representative", "the organization’s representative"
    OUTCOME = "outcome", "the rule that counts the experts’ reviews"  # never a person
