"""What is written to those who act, or are to act, for a registrant."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Tale(StrEnum):
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
class Words:
    """What stands in the subject before the name, and in the text; braces are filled in."""

    todo: str
    what: str


_OTHERWISE = "If you do not know of it, you need do nothing."

WORDS: Mapping[Tale, Words] = {
    Tale.INVITED: Words(
        "You are invited",
        "{who} invites you to act for the registrant of {name}: to write and send its requests, "
        "and to hear of them.\n\nSign in with this address, open the link and press the button. "
        f"It works once, until {{day}}. {_OTHERWISE}",
    ),
    Tale.LINK: Words(
        "A link to act for the registrant",
        "{who} asks to act for the registrant of {name}, and you are the contact on file.\n\n"
        "If it is you, open the link where you are signed in and press the button. If you know "
        "them and agree, pass this message on to them: nobody else can use the link. It works "
        f"once, until {{day}}. {_OTHERWISE}",
    ),
    Tale.CLAIMED: Words(
        "A claim",
        "Somebody asks to act for the registrant of {name}. The operator checks what they say.",
    ),
    Tale.GRANTED: Words("You act for the registrant", "You act for the registrant of {name} now."),
    Tale.REFUSED: Words(
        "Your claim",
        "The operator refused your claim to act for the registrant of {name}. You can claim "
        "again, with what is asked below.",
    ),
    Tale.JOINED: Words(
        "Somebody joined", "{who} acts for the registrant of {name} now, as you do."
    ),
    Tale.LEFT: Words("Somebody left", "{who} acts for the registrant of {name} no more."),
    Tale.REMOVED: Words(
        "You act for it no more",
        "{who} ended that you act for the registrant of {name}. If this is wrong, write to them, "
        "or claim it anew.",
    ),
    Tale.TRANSFER: Words(
        "A transfer",
        "{who} asks that {name} is transferred to {organization}. Until {day} you can object "
        "there; then the operator carries it out.",
    ),
    Tale.NOTICE: Words(
        "A transfer",
        "It was asked that {name} is transferred to {organization}. You get this as the contact "
        "on file.\n\nIf you agree, you need do nothing. If you object, open the link and say why, "
        "until {day}; then the operator carries it out.",
    ),
    Tale.STOPPED: Words(
        "The transfer is off", "The transfer of {name} to {organization} does not take place."
    ),
    Tale.KEPT: Words(
        "The transfer is refused",
        "The operator refused the transfer of {name} to {organization}.",
    ),
    Tale.TRANSFERRED: Words(
        "Transferred",
        "{name} is transferred to {organization}. You act for its registrant no more.",
    ),
    Tale.RECEIVED: Words(
        "Transferred to you",
        "{name} is transferred to {organization}, and you act for it. Sign in with this address "
        "to invite others, and to bring its registration up to date.",
    ),
}
