"""What is written to those who act, or are to act, for a registrant."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class DelegateNoticeKind(StrEnum):
    """What a message tells of."""

    INVITED = "invited"
    LINK = "link"
    CLAIMED = "claimed"
    GRANTED = "granted"
    REFUSED = "refused"
    JOINED = "joined"
    LEFT = "left"
    REMOVED = "removed"
    TRANSFER = "transfer"
    NOTICE = "notice"
    STOPPED = "stopped"
    KEPT = "kept"
    TRANSFERRED = "transferred"
    RECEIVED = "received"


@dataclass(frozen=True, slots=True)
class DelegateNoticeText:
    """What stands in the subject before the name, and in the text; braces are filled in."""

    todo: str
    what: str


_OTHERWISE = "If you do not know of it, you need do nothing."

WORDS: Mapping[DelegateNoticeKind, DelegateNoticeText] = {
    DelegateNoticeKind.INVITED: DelegateNoticeText(
        "You are invited",
        "{who} invites you to act for the registrant of {name}: to write and send its requests, "
        "and to hear of them.\n\nSign in with this address, open the link and press the button. "
        f"It works once, until {{day}}. {_OTHERWISE}",
    ),
    DelegateNoticeKind.LINK: DelegateNoticeText(
        "A link to act for the registrant",
        "{who} asks to act for the registrant of {name}, and you are the contact on file.\n\n"
        "If it is you, open the link where you are signed in and press the button. If you know "
        "them and agree, pass this message on to them: nobody else can use the link. It works "
        f"once, until {{day}}. {_OTHERWISE}",
    ),
    DelegateNoticeKind.CLAIMED: DelegateNoticeText(
        "A claim",
        "Somebody asks to act for the registrant of {name}. The operator checks what they say.",
    ),
    DelegateNoticeKind.GRANTED: DelegateNoticeText(
        "You act for the registrant", "You act for the registrant of {name} now."
    ),
    DelegateNoticeKind.REFUSED: DelegateNoticeText(
        "Your claim",
        "The operator refused your claim to act for the registrant of {name}. You can claim "
        "again, with what is asked below.",
    ),
    DelegateNoticeKind.JOINED: DelegateNoticeText(
        "Somebody joined", "{who} acts for the registrant of {name} now, as you do."
    ),
    DelegateNoticeKind.LEFT: DelegateNoticeText(
        "Somebody left", "{who} acts for the registrant of {name} no more."
    ),
    DelegateNoticeKind.REMOVED: DelegateNoticeText(
        "You act for it no more",
        "{who} ended that you act for the registrant of {name}. If this is wrong, write to them, "
        "or claim it anew.",
    ),
    DelegateNoticeKind.TRANSFER: DelegateNoticeText(
        "A transfer",
        "{who} asks that {name} is transferred to {organization}. Until {day} you can object "
        "there; then the operator carries it out.",
    ),
    DelegateNoticeKind.NOTICE: DelegateNoticeText(
        "A transfer",
        "It was asked that {name} is transferred to {organization}. You get this as the contact "
        "on file.\n\nIf you agree, you need do nothing. If you object, open the link and say why, "
        "until {day}; then the operator carries it out.",
    ),
    DelegateNoticeKind.STOPPED: DelegateNoticeText(
        "The transfer is off", "The transfer of {name} to {organization} does not take place."
    ),
    DelegateNoticeKind.KEPT: DelegateNoticeText(
        "The transfer is refused",
        "The operator refused the transfer of {name} to {organization}.",
    ),
    DelegateNoticeKind.TRANSFERRED: DelegateNoticeText(
        "Transferred",
        "{name} is transferred to {organization}. You act for its registrant no more.",
    ),
    DelegateNoticeKind.RECEIVED: DelegateNoticeText(
        "Transferred to you",
        "{name} is transferred to {organization}, and you act for it. Sign in with this address "
        "to invite others, and to bring its registration up to date.",
    ),
}
