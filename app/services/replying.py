"""Addresses that know for which request, and from whom, a reply comes."""

import hmac
from collections.abc import Iterable

_LENGTH = 16  # of the mark, in hexadecimal digits
_MOST_DIGITS = 9


def reply_address(address: str, request: int, account: int, secret: str) -> str:
    """The registry's address for replies with a token behind a plus: `reply+7.3.…@registry`."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{_token(request, account, secret)}@{domain}"


def read_reply(recipients: Iterable[str], secret: str) -> tuple[int, int] | None:
    """The request and the account that one of these addresses was made for, if one was."""
    for address in recipients:
        _, plus, token = address.partition("@")[0].rpartition("+")
        numbers = _numbers(token) if plus else None
        if numbers and hmac.compare_digest(token.encode(), _token(*numbers, secret).encode()):
            return numbers
    return None


def _token(request: int, account: int, secret: str) -> str:
    mark = hmac.new(secret.encode(), f"reply {request} {account}".encode(), "sha256")
    return f"{request}.{account}.{mark.hexdigest()[:_LENGTH]}"


def _numbers(token: str) -> tuple[int, int] | None:
    parts = token.split(".")
    numbers = [part for part in parts[:2] if part.isascii() and part.isdigit()]
    if len(parts) != 3 or len(numbers) != 2 or any(len(n) > _MOST_DIGITS for n in numbers):
        return None
    return int(numbers[0]), int(numbers[1])
