"""Shared by commands that change the registry: the acting person, and refusals."""

import argparse
import os
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import FOUND, write_message
from app.config import Settings, read_settings

if TYPE_CHECKING:
    from app.services.use_cases import Command

_AS = "e-mail address of the acting person (default: the owner of the prefix)"


def add_by(parser: argparse.ArgumentParser, help_: str = _AS) -> None:
    """Add the option ``--as``."""
    parser.add_argument("--as", dest="by", default="", metavar="EMAIL", help=help_)


def carried_out(work: Callable[[Settings, str], int]) -> int:
    """Run ``work`` with the settings and the shared secret. Return FOUND if it is refused."""
    settings = read_settings(os.environ)
    with registry_database(settings) as secret:
        from app.services.refusals import Refusal

        try:
            return work(settings, secret)
        except Refusal as error:
            write_message(str(error))
            return FOUND


def given_numbers(settings: Settings) -> Any:
    """Return the counters that are stored next to the database."""
    from app.bundles.given_numbers import GivenNumberFolder

    return GivenNumberFolder(settings.given_numbers_dir)


def command_of(
    settings: Settings, secret: str, email: str, otherwise: Callable[[], int]
) -> "Command":
    """Return a command of the account with this address, or of the account ``otherwise``."""
    from app.factory import now
    from app.services.accounts.actors import actor_with
    from app.services.policy import policy_of
    from app.services.use_cases import Command

    at = now()
    actor = actor_with(email or otherwise(), at)
    policy = policy_of(settings, secret)
    return Command(actor=actor, at=at, key=secrets.token_urlsafe(16), policy=policy)


def only_operator_account() -> int:
    from app.factory import now
    from app.services.accounts.actors import only_operator

    return only_operator(now())
