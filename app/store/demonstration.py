"""What was made while the registry was a demonstration counts for nothing outside it.

In a demonstration one click signs in as anybody, so that a role, a session or a right that was
given in one was given by nobody. Rows tell whether they are of one. What its people wrote stays.
"""

from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, and_, true

SETTING = "DEMONSTRATION"  # of the application
# RFC 2606 section 2 keeps it from everybody, so that no mailbox stands behind an address there.
DOMAIN = "demo.example"


def is_on() -> bool:
    return bool(current_app and current_app.config.get(SETTING))


def is_of_demonstration(address: str) -> bool:
    return address.lower().endswith(f"@{DOMAIN}")


def is_void(address: str) -> bool:
    return is_of_demonstration(address) and not is_on()


def void_domain() -> str:
    """The domain whose addresses are void now; empty in a demonstration."""
    return "" if is_on() else DOMAIN


def is_counted(*models: Any) -> ColumnElement[bool]:
    if is_on():
        return true()
    return and_(true(), *(model.demo.is_(False) for model in models))
