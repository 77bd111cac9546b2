"""The command that changes the secret of a registry."""

import argparse
import os
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, UsageError, add_command, add_group, write_message
from app.config import read_settings


def add_secret(commands: Any) -> None:
    """Add the group ``secret``."""
    secret = add_group(commands, "secret", "what signs sessions and links, on all hosts alike")
    change = add_command(
        secret,
        "change",
        "take another secret: all are signed out, and links that were sent do nothing any more",
        _change,
    )
    change.add_argument("--yes", action="store_true", help="end them; without it nothing is done")


def _change(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.shared_secret import change_secret

    settings = read_settings(os.environ)
    if not arguments.yes:
        raise UsageError(
            "This signs everybody out, and ends links to sign in, to accept, and to object to a "
            "transfer, and addresses for replies, that were sent. Say --yes to do it."
        )
    with registry_database(settings, shares_secret=False):
        links = change_secret(settings.secret_key, now())
    write_message(_told(links, is_setting=bool(settings.secret_key)))
    return DONE


def _told(links: int, *, is_setting: bool) -> str:
    """What ended, and what is still to do."""
    where = (
        "the one in URN_REGISTRY_SECRET_KEY. Set it on every host and start them again: those "
        "with the old one answer with 503 from now on"
        if is_setting
        else "a new one, which the database keeps. Hosts that run follow within seconds"
    )
    more = f" {links} links to act for a registrant are to be asked for again." if links else ""
    return f"The secret is {where}. Everybody signs in anew.{more}"
