"""The words of the workflow: states, turns and roles."""

from collections.abc import Collection
from enum import StrEnum
from typing import Self

from app.labelled_enum import LabelledEnum
from app.workflow.actions import Action

__all__ = ["Action", "IanaState", "Role", "State", "Turn", "require_every_state"]


class Turn(StrEnum):
    """Who a request waits for."""

    REGISTRANT = "registrant"
    OPERATOR = "operator"
    EXPERTS = "experts"
    IESG = "iesg"
    IANA = "iana"
    NOBODY = "nobody"


class State(StrEnum):
    """Where a request stands.

    ``word`` is IANA's word, or ours for a draft and for what ended without a registration:
    formats and diagrams have it. ``plain`` says the same to whoever does not know IANA's words;
    pages show it first. IESG Escalation is one state for each ``question`` that is asked there;
    a body other than the IESG is kept with the request.
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
        """A state with its words, whose turn it is, and what is asked of the IESG."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.word, member.turn, member.question = word, turn, question
        member.plain = plain or word
        return member

    DRAFT = "draft", "Draft", Turn.REGISTRANT
    NEW = "new", "New", Turn.OPERATOR, "", "Sent"
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
        "Back with the registrant",
    )
    EXPERT_REVIEW = "expert-review", "Expert Review", Turn.EXPERTS
    IESG_RECOGNITION = (
        "iesg-recognition",
        "IESG Escalation",
        Turn.IESG,
        "whether the organization is recognized for the fast track",
    )
    IESG_STANDARD = (
        "iesg-standard",
        "IESG Escalation",
        Turn.IESG,
        "whether to direct the registration of a name meant for a standard",
    )
    IESG_EXPERTS = (
        "iesg-experts",
        "IESG Escalation",
        Turn.IESG,
        "how to go on where the experts cannot decide",
    )
    IESG_APPEAL_1 = "iesg-appeal-1", "IESG Escalation", Turn.IESG, "the appeal"
    IESG_APPEAL_2 = "iesg-appeal-2", "IESG Escalation", Turn.IESG, "the last appeal"
    ASSIGNABLE = "assignable", "Assignable", Turn.OPERATOR, "", "To be registered"
    MODIFIABLE = "modifiable", "Modifiable", Turn.OPERATOR, "", "To be registered"
    ASSIGNED = "assigned", "Assigned", Turn.NOBODY, "", "Registered"
    MODIFIED = "modified", "Modified", Turn.NOBODY, "", "Changed"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"

    @property
    def words(self) -> str:
        """The plain word of a state, with IANA's behind it where that is another."""
        return self.plain if self.plain == self.word else f"{self.plain} ({self.word})"

    @property
    def is_final(self) -> bool:
        """Whether nobody has to act any more. A declined request can still be appealed."""
        return self.turn is Turn.NOBODY

    @property
    def is_private(self) -> bool:
        """Whether only its author may see the request."""
        return self is State.DRAFT

    @property
    def is_registered(self) -> bool:
        """Whether the registry carries what the request asked for."""
        return self in (State.ASSIGNED, State.MODIFIED)


def require_every_state(states: Collection[State], table: str) -> None:
    """Refuse, as soon as it is imported, a table that has no row for some state.

    ``table`` says where it stands. Raises LookupError with what to add.
    """
    missing = ", ".join(f"State.{state.name}" for state in State if state not in states)
    if missing:
        raise LookupError(
            f"{table} has no row for {missing}, so that its pages could not be shown. Add one "
            "there; docs/how-to/add-a-state.md has an example of each."
        )


class IanaState(LabelledEnum):
    """How a request stands at IANA to which this registry sent it on; it registers nothing itself.

    Beside the state, which stays what it was until IANA refuses.
    """

    SENT = "sent", "Sent on to IANA"
    ANSWERED = "answered", "Answered at IANA"
    REGISTERED = "registered", "Registered at IANA"
    REFUSED = "refused", "Refused by IANA"

    @property
    def is_end(self) -> bool:
        """Whether IANA decided, so that nothing is done here any more."""
        return self in (IanaState.REGISTERED, IanaState.REFUSED)


class Role(LabelledEnum):
    """What somebody is toward one request. ``label`` says it in a sentence."""

    REGISTRANT = "registrant", "the registrant"
    OPERATOR = "operator", "the operator"
    EXPERT = "expert", "a designated expert"
    LEADER = "leader", "the leader of the expert team"
    REPRESENTATIVE = "representative", "the organization’s representative"
    OUTCOME = "outcome", "the rule that counts the experts’ reviews"  # never a person
