"""The words of the workflow: states, turns, actions and roles."""

from enum import StrEnum
from typing import Self


class Turn(StrEnum):
    """Who a request waits for."""

    REGISTRANT = "registrant"
    OPERATOR = "operator"
    EXPERTS = "experts"
    IESG = "iesg"
    NOBODY = "nobody"


class State(StrEnum):
    """Where a request stands.

    ``word`` is what is shown: IANA's word, or ours for a draft and for what ended without
    a registration. IESG Escalation is one state for each ``question`` that is asked there;
    a body other than the IESG is kept with the request.
    """

    word: str
    turn: Turn
    question: str

    def __new__(
        cls, value: str, word: str = "", turn: Turn = Turn.NOBODY, question: str = ""
    ) -> Self:
        """A state with its word, whose turn it is, and what is asked of the IESG."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.word, member.turn, member.question = word, turn, question
        return member

    DRAFT = "draft", "Draft", Turn.REGISTRANT
    NEW = "new", "New", Turn.OPERATOR
    VALIDATING_REQUEST = "validating-request", "Validating Request", Turn.OPERATOR
    WITH_REQUESTER = "with-requester", "With Requester", Turn.REGISTRANT
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
    IESG_APPEAL_2 = "iesg-appeal-2", "IESG Escalation", Turn.IESG, "the last appeal, to the IAB"
    ASSIGNABLE = "assignable", "Assignable", Turn.OPERATOR
    MODIFIABLE = "modifiable", "Modifiable", Turn.OPERATOR
    ASSIGNED = "assigned", "Assigned"
    MODIFIED = "modified", "Modified"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"

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


class Action(StrEnum):
    """What can be done to a request. ``past`` is the kind of the event that it leaves."""

    past: str
    label: str

    def __new__(cls, value: str, past: str = "", label: str = "") -> Self:
        """An action with its event; the label of its button is the verb unless given."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.past = past
        member.label = label or value.replace("-", " ").capitalize()
        return member

    START = "start", "started"
    REVISE = "revise", "revision started"
    SUBMIT = "submit", "submitted"
    DISCARD = "discard", "discarded"
    TAKE = "take", "taken"
    PASS = "pass", "passed"
    ASK_RECOGNITION = "ask-recognition", "recognition asked"
    RETURN = "return", "returned"
    DECLINE = "decline", "declined"
    REVIEW = "review", "reviewed"
    TAKE_ON = "take-on", "taken on", "Take the review"
    RECUSE = "recuse", "recused"
    PASS_ON = "pass-on", "passed on"
    APPROVE = "approve", "approved"
    REPORT = "report", "reported"
    COMPLETE = "complete", "completed"
    ESCALATE = "escalate", "escalated"
    RESUBMIT = "resubmit", "resubmitted"
    REMIND = "remind", "reminded"
    LAPSE = "lapse", "lapsed"
    MERGE = "merge", "merged"
    ASK_PROCEDURE = "ask-procedure", "procedure asked", "Ask for another procedure"
    DROP_PROCEDURE = "drop-procedure", "procedure no longer asked", "Keep the present procedure"
    CHANGE_PROCEDURE = "change-procedure", "procedure changed"
    REFUSE_PROCEDURE = "refuse-procedure", "procedure refused", "Refuse the other procedure"
    RAISE_DELAY = "raise-delay", "delay raised", "Say that it is late"
    RECOGNIZE = "recognize", "recognized"
    REFUSE_RECOGNITION = "refuse-recognition", "recognition refused"
    DIRECT = "direct", "directed"
    ASK_CHANGES = "ask-changes", "changes asked"
    REFUSE = "refuse", "refused"
    NO_STANDARD = "no-standard", "standard cleared"
    ANSWER = "answer", "answered"
    APPEAL = "appeal", "appealed"
    APPEAL_TO_IAB = "appeal-to-iab", "appealed to the IAB", "Appeal to the IAB"
    OVERTURN = "overturn", "overturned"
    OVERTURN_AND_APPROVE = "overturn-and-approve", "overturned and approved"
    UPHOLD = "uphold", "upheld"
    REGISTER = "register", "registered"
    COLLISION = "collision", "collided", "Report a collision"
    STALE = "stale", "outdated", "Report a newer version"
    REOPEN = "reopen", "reopened"
    WITHDRAW = "withdraw", "withdrawn"
    COPY = "copy", "copied"
    CORRECT = "correct", "corrected"
    REPLACE = "replace", "replaced"
    NOTE_DISPUTE = "note-dispute", "dispute noted"
    NOTE_APPEAL = "note-appeal", "appeal noted", "Note a third party’s appeal"


class Role(StrEnum):
    """What somebody is toward one request. ``phrase`` says it in a sentence."""

    phrase: str

    def __new__(cls, value: str, phrase: str = "") -> Self:
        """A role with the words for whoever has it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.phrase = phrase
        return member

    REGISTRANT = "registrant", "the registrant"
    OPERATOR = "operator", "the operator"
    EXPERT = "expert", "a designated expert"
    LEADER = "leader", "the leader of the expert team"
    REPRESENTATIVE = "representative", "the organization’s representative"
    OUTCOME = "outcome", "the rule that counts the experts’ reviews"  # never a person
