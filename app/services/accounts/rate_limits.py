"""How often something can be asked for: one table, counted in the database.

What mails somebody on request, or keeps something for whoever asks, is limited by who asks, by
whom it reaches and in all. Each refusal says how long to wait, and nobody waits for ever.
"""

import hashlib
import hmac
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.outside.work_queue import ASKING, QUEUE, WorkQueueFull
from app.problems import use_case_codes
from app.services.refusals import CapacityExhausted, RateLimitExceeded
from app.store.accounts import attempts

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_QUARTER = 15 * _MINUTE


class RateLimitKind(StrEnum):
    """What is limited, and by what it is counted."""

    LINKS_TO_MAILBOX = "links to mailbox"
    LINKS_OF_CLIENT = "links of client"
    LINKS_OF_NETWORK = "links of network"
    LINKS = "links"
    RESERVED_LINKS_TO_ADDRESS = "reserved links to address"
    RESERVED_LINKS = "reserved links"
    INVITATIONS_TO_MAILBOX = "invitations to mailbox"
    INVITATIONS = "invitations"
    INVITATIONS_OF_PERSON = "invitations of person"
    LINKS_TO_CONTACT = "links to contact"
    CLAIMS_TO_MAILBOX = "claims to mailbox"
    CLAIMS_OF_PERSON = "claims of person"
    CLAIMS = "claims"
    TRANSFERS_OF_PERSON = "transfers of person"
    DRAFTS_OF_PERSON = "drafts of person"
    COMMENTS_OF_PERSON = "comments of person"
    PREFIXES_OF_PERSON = "prefixes of person"
    PREFIX_MAIL_TO_MAILBOX = "prefix mail to mailbox"
    PREFIX_MAIL_OF_PERSON = "prefix mail of person"
    NAME_FILES_OF_PERSON = "name files of person"
    ARKS_OF_CLIENT = "arks of client"
    ARKS_OF_NETWORK = "arks of network"
    ARKS = "arks"


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How often something may be done within a period; ``said`` tells whoever asks once more."""

    most: int
    period: timedelta
    said: str


LIMITS: dict[RateLimitKind, RateLimit] = {
    RateLimitKind.LINKS_TO_MAILBOX: RateLimit(
        5, _QUARTER, "{most} sign-in links were already sent to this mailbox. Use the newest one."
    ),
    # one IPv4 address, or an IPv6 /64: more than a room of people at one connection
    RateLimitKind.LINKS_OF_CLIENT: RateLimit(
        20, _QUARTER, "{most} sign-in links were already sent for your connection."
    ),
    # IPv4 /24, IPv6 /56: what one customer of a provider has at most
    RateLimitKind.LINKS_OF_NETWORK: RateLimit(
        60, _QUARTER, "{most} sign-in links were already sent for your network."
    ),
    RateLimitKind.LINKS: RateLimit(500, _QUARTER, "The registry has sent too many sign-in links."),
    # For an address that has an account, where any of the others is over. It is counted by the
    # address itself, so that nobody else's mail uses it up.
    RateLimitKind.RESERVED_LINKS_TO_ADDRESS: RateLimit(3, _QUARTER, ""),
    # who holds a role is not held up by them
    RateLimitKind.RESERVED_LINKS: RateLimit(500, _QUARTER, ""),
    RateLimitKind.INVITATIONS_TO_MAILBOX: RateLimit(
        5, _DAY, "{most} invitations were sent to this mailbox today."
    ),
    RateLimitKind.INVITATIONS_OF_PERSON: RateLimit(20, _DAY, "You sent {most} invitations today."),
    RateLimitKind.INVITATIONS: RateLimit(
        500, _DAY, "The registry sent {most} invitations today, which is the limit."
    ),
    RateLimitKind.LINKS_TO_CONTACT: RateLimit(
        3, _DAY, "{most} links were sent to this contact on file today."
    ),
    # several names can have one contact
    RateLimitKind.CLAIMS_TO_MAILBOX: RateLimit(
        10, _DAY, "{most} links were sent to this contact on file today."
    ),
    RateLimitKind.CLAIMS_OF_PERSON: RateLimit(10, _DAY, "You made {most} claims today."),
    RateLimitKind.CLAIMS: RateLimit(
        200, _DAY, "The registry received {most} claims today, which is the limit."
    ),
    RateLimitKind.TRANSFERS_OF_PERSON: RateLimit(20, _DAY, "You requested {most} transfers today."),
    RateLimitKind.DRAFTS_OF_PERSON: RateLimit(
        30, _HOUR, "You started {most} drafts within an hour, which is the limit."
    ),
    RateLimitKind.COMMENTS_OF_PERSON: RateLimit(
        20, _HOUR, "You wrote {most} comments within an hour, which is the limit."
    ),
    # what is said of each is told by every copy, and by the feed that mirrors read
    RateLimitKind.PREFIXES_OF_PERSON: RateLimit(
        50, _DAY, "You added {most} prefixes today, which is the limit."
    ),
    # whoever is let give names is told so
    RateLimitKind.PREFIX_MAIL_TO_MAILBOX: RateLimit(
        50, _DAY, "You gave this mailbox access to prefixes {most} times today."
    ),
    RateLimitKind.PREFIX_MAIL_OF_PERSON: RateLimit(
        200, _DAY, "You gave people access to prefixes {most} times today."
    ),
    # each takes up to four seconds of CPU
    RateLimitKind.NAME_FILES_OF_PERSON: RateLimit(
        40, _QUARTER, "You previewed or imported {most} files within 15 minutes."
    ),
    # each is a chain of requests to servers of others, who know this site alone
    RateLimitKind.ARKS_OF_CLIENT: RateLimit(
        20, _QUARTER, "{most} ARKs were already resolved for your connection."
    ),
    RateLimitKind.ARKS_OF_NETWORK: RateLimit(
        60, _QUARTER, "{most} ARKs were already resolved for your network."
    ),
    RateLimitKind.ARKS: RateLimit(200, _QUARTER, "This site is resolving too many ARKs."),
}
MOST_OPEN_DRAFTS = 50  # of one person; then one is to be sent or thrown away first
LARGEST_KEPT = 50_000_000  # characters of the forms that are kept for links, in all
_LONGEST = max(limit.period for limit in LIMITS.values())

Counted = tuple[RateLimitKind, str]


def keyed(text: str, secret: str) -> str:
    """What stands for an address among what is counted. It tells nobody which one it is."""
    return hmac.new(secret.encode(), b"limited " + text.encode(), hashlib.sha256).hexdigest()


def wait_for(counted: Iterable[Counted], at: datetime) -> RateLimitExceeded | None:
    """The refusal that lasts longest, if any limit is over; in the caller's transaction."""
    asked = list(counted)
    for what in sorted({what for what, _ in asked}):
        attempts.hold(what)
    found = [refusal for what, whose in asked if (refusal := _over(what, whose, at))]
    return max(found, key=lambda refusal: refusal.wait or timedelta(), default=None)


def _over(what: RateLimitKind, whose: str, at: datetime) -> RateLimitExceeded | None:
    limit = LIMITS[what]
    first = attempts.nth_newest(what, whose, limit.most, at, limit.period)
    if first is None:
        return None
    wait = first + limit.period - at
    said = limit.said.format(most=limit.most)
    return RateLimitExceeded(
        use_case_codes.TOO_OFTEN, f"{said} Try again in {in_words(wait)}.", wait
    )


def count(counted: Iterable[Counted], at: datetime) -> None:
    """Count what is done now; in the caller's transaction."""
    for what, whose in counted:
        attempts.add(what, whose, at)


def spend(counted: Iterable[Counted], at: datetime) -> None:
    """Count what is to be done now; RateLimitExceeded where a limit is over.

    In the caller's transaction, after it locked what it is about and before it takes any number
    or writes an event: those who count the same take turns.
    """
    wanted = list(counted)
    refusal = wait_for(wanted, at)
    if refusal is not None:
        raise refusal
    count(wanted, at)


def in_words(wait: timedelta) -> str:
    """How long somebody waits, never said shorter than it is."""
    minutes = max(1, math.ceil(wait / _MINUTE))
    if minutes <= 90:
        return f"{minutes} minute{'s' * (minutes > 1)}"
    return f"{math.ceil(wait / _HOUR)} hours"


def forget(at: datetime) -> None:
    """Erase what no limit counts any more; in the caller's transaction."""
    attempts.forget(at, _LONGEST)


@contextmanager
def work_turn() -> Iterator[None]:
    """A turn at work, while the block lasts; CapacityExhausted where there is none soon."""
    try:
        with QUEUE.turn():
            yield
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error


@contextmanager
def asking_turn() -> Iterator[None]:
    """A turn to ask servers elsewhere, which one at a time has; CapacityExhausted for others."""
    try:
        with ASKING.turn(), work_turn():
            yield
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error
