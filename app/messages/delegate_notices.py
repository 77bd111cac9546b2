"""What is written to those who act, or are to act, for a registrant or under a prefix."""

from enum import StrEnum


class DelegateNoticeKind(StrEnum):
    """What a message tells of; its words are the page template ``mail/delegates/<value>.txt``."""

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
    DELISTED = "delisted"
    # of those who give names under a prefix
    PREFIX_GIVEN = "prefix-given"
    PREFIX_HELD = "prefix-held"
    PREFIX_ENDED = "prefix-ended"
    PREFIX_CLOSED = "prefix-closed"
    # and of those who change its names once none are given any more
    PREFIX_GIVEN_CLOSED = "prefix-given-closed"
    PREFIX_HELD_CLOSED = "prefix-held-closed"
    PREFIX_ENDED_CLOSED = "prefix-ended-closed"
