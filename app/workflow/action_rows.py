"""What is said of an action in its row, and the words that the row chooses from."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from app.workflow.evidence import EvidenceInput


class Audience(StrEnum):
    """Those who can be told of an action; ``app.services.notifications`` finds them."""

    LIST = "list"
    REGISTRANT = "registrant"
    OPERATORS = "operators"
    EXPERTS = "experts"
    LEADERS = "leaders"
    NEXT = "next"  # experts to whom a request was given just now
    RECEIPT = "receipt"  # who sent it, and who acts with them
    APPOINTED = "appointed"  # who was appointed for a request just now
    RIVALS = "rivals"  # who asks for the same name in another request


class ActionEffect(StrEnum):
    """What an action does besides moving a request; ``app.services.requests`` does it."""

    KEEP_TEXT = "keep text"
    KEEP_CHANGED_TEXT = "keep changed text"
    GIVE_NAME = "give name"
    LIST_ORGANIZATION = "list organization"
    KEEP_BODY = "keep body"
    KEEP_GROUNDS = "keep grounds"
    KEEP_PROCEDURE_WISH = "keep procedure wish"
    END_PROCEDURE_WISH = "end procedure wish"
    CHANGE_STANDARD_ANSWER = "change standard answer"
    DENY_STANDARD = "deny standard"
    FLAG_DELAY = "flag delay"
    APPOINT_EXPERT = "appoint expert"
    TAKE_REVIEW = "take review"
    HAND_REVIEW_ON = "hand review on"
    RECUSE_EXPERT = "recuse expert"
    LINK_DUPLICATE = "link duplicate"
    KEEP_IANA_STATE = "keep state at IANA"


class ActionPage(StrEnum):
    """A page that an action has of its own; ``app.web`` has its address."""

    CHECK = "check"
    EDIT = "edit"
    REVIEW = "review"
    REGISTER = "register"
    NAME = "name"
    DISPUTE = "dispute"


@dataclass(frozen=True, slots=True)
class ActionButton:
    """How a page offers an action: its button, what it leads to, and what words it asks for.

    An action that asks for nothing has one button; the others open first. Words are asked for
    where they are evidence; with ``may`` they can be given anyhow. ``page`` is where it is done,
    if not where it is offered.
    """

    button: str
    leads_to: str = ""
    asks: str = ""
    may: bool = False
    page: ActionPage | None = None


@dataclass(frozen=True, slots=True)
class ActionRow:
    """Everything about one action but who may take it when, which the procedures say.

    ``value`` is part of addresses and never changes, ``past`` is the kind of its event, ``story``
    the sentence that pages tell of it. What forms ask for follows from the evidence of its
    moves; ``asks`` comes on top, and what it ``knows`` is not asked. ``tells`` is who gets mail,
    in the words of ``templates/mail/actions``. With ``has_own_use_case`` no form of a request
    takes it. One that ``counts_anew`` undoes a decision or asks for one of another kind, so that
    earlier reviews count no more.
    """

    value: str
    past: str = ""
    label: str = ""
    story: str = ""
    button: ActionButton | None = None
    asks: frozenset[EvidenceInput] = frozenset()
    knows: frozenset[EvidenceInput] = frozenset()
    tells: tuple[Audience, ...] = ()
    effect: ActionEffect | None = None
    has_own_use_case: bool = False
    counts_anew: bool = False


class DeclaredAction(StrEnum):
    """What an action is to those who use it; ``app.workflow.actions`` declares the actions."""

    row: ActionRow

    def __new__(cls, declared: ActionRow | str) -> Self:
        found = declared if isinstance(declared, ActionRow) else ActionRow(declared)
        member = str.__new__(cls, found.value)
        member._value_ = found.value
        member.row = found
        return member

    @property
    def past(self) -> str:
        """The kind of the event that it leaves."""
        return self.row.past

    @property
    def label(self) -> str:
        """What it is called: the verb, unless its row says more."""
        return self.row.label or self.value.replace("-", " ").capitalize()

    @property
    def button(self) -> ActionButton:
        """How pages offer it."""
        return self.row.button or ActionButton(self.label, asks="Your words")
