"""Addresses that know for which request, and from whom, a reply comes."""

import hmac
from base64 import b32decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from app.messages.mailed_tokens import PREFIX, MailedTokenKind, make_token
from app.store.accounts import account_rows

ADDRESS_LASTS = timedelta(days=90)
_BEGIN = date(1970, 1, 1)
_BITS = (30, 30, 20, 16)  # of a request, an account, a generation and a day, in one number
_OCTETS = sum(_BITS) // 8
_MARK = 8  # octets behind them that only who knows the secret can make
_START = f"{PREFIX}{MailedTokenKind.REPLY}"


@dataclass(frozen=True, slots=True)
class ReplyAddress:
    """What an address for answers says: of which request, for whom, and until when it counts."""

    request: int
    account: int
    generation: int
    last_day: int  # since 1970

    def is_in_time(self, at: datetime) -> bool:
        """Whether it counts still, as far as its day says."""
        return (at.astimezone(UTC).date() - _BEGIN).days <= self.last_day


def reply_address(
    address: str, request: int, account: int, secret: str, *, at: datetime, generation: int = 0
) -> str:
    """The registry's address for replies with a token behind a plus: `reply+urntok0r…@registry`.

    It counts for 90 days, and while the account has no newer generation. The token has 40
    letters and digits, so that 23 are left for what stands before the plus (RFC 5321 section
    4.5.3.1.1). Raises ValueError for numbers that it has no room for.
    """
    local, _, domain = address.rpartition("@")
    last_day = (at.astimezone(UTC) + ADDRESS_LASTS).date() - _BEGIN
    mark = ReplyAddress(request, account, generation, last_day.days)
    return f"{local}+{_token(mark, secret)}@{domain}"


def read_reply(recipients: Iterable[str], secret: str, at: datetime) -> tuple[int, int] | None:
    """The request and the account that one of these addresses was made for, if it counts still.

    One that is too old, or of a generation that ended, says nothing, like any other address.
    """
    for mark in _marks(recipients, secret):
        if mark.is_in_time(at) and is_current(mark):
            return mark.request, mark.account
    return None


def was_reply_address(recipients: Iterable[str], secret: str) -> bool:
    """Whether one of these addresses was made for answers, even if it no longer counts."""
    return any(_marks(recipients, secret))


def _marks(recipients: Iterable[str], secret: str) -> Iterator[ReplyAddress]:
    for address in recipients:
        _, plus, token = address.partition("@")[0].rpartition("+")
        mark = read_mark(token, secret) if plus else None
        if mark:
            yield mark


def read_mark(token: str, secret: str) -> ReplyAddress | None:
    """What a token of ours says, in any case of its letters; None for one that is not ours."""
    folded = token.lower()
    if not (folded.startswith(_START) and folded.isascii()):
        return None
    try:
        octets = b32decode(folded.removeprefix(_START).upper())
    except ValueError:
        return None
    mark = _unpacked(octets[:_OCTETS])
    is_ours = hmac.compare_digest(folded.encode(), _token(mark, secret).encode())
    return mark if is_ours else None


def is_current(mark: ReplyAddress) -> bool:
    """Whether its generation is the one that counts."""
    return account_rows.reply_generation(mark.account) == mark.generation


def _token(mark: ReplyAddress, secret: str) -> str:
    octets = _packed(mark)
    proof = hmac.new(secret.encode(), b"reply " + octets, "sha256").digest()
    return make_token(MailedTokenKind.REPLY, octets + proof[:_MARK])


def _packed(mark: ReplyAddress) -> bytes:
    number = 0
    parts = (mark.request, mark.account, mark.generation, mark.last_day)
    for part, bits in zip(parts, _BITS, strict=True):
        if not 0 <= part < 1 << bits:
            raise ValueError(f"{part} has no room in an address for answers")
        number = number << bits | part
    return number.to_bytes(_OCTETS)


def _unpacked(octets: bytes) -> ReplyAddress:
    number, parts = int.from_bytes(octets), []
    for bits in reversed(_BITS):
        parts.append(number & (1 << bits) - 1)
        number >>= bits
    return ReplyAddress(*reversed(parts))
