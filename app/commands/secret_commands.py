"""The command that changes the secret of a registry."""

import argparse
import os
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, UsageError, add_command, add_group, write_message
from app.config import read_settings


def add_secret(commands: Any) -> None:
    """Add the group ``secret``."""
    secret = add_group(commands, "secret", "Manage the secret that signs sessions and links.")
    change = add_command(
        secret,
        "change",
        "Change the secret. This signs everyone out and ends all links sent by mail.",
        _change,
    )
    change.add_argument("--yes", action="store_true", help="confirm the change")


def _change(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.database_binding import change_secret

    settings = read_settings(os.environ)
    if not arguments.yes:
        raise UsageError(
            "This signs everyone out and ends all links and reply addresses sent by mail. To "
            "confirm, add --yes."
        )
    with registry_database(settings, shares_secret=False):
        links = change_secret(settings.secret_key, now())
    write_message(_told(links, is_setting=bool(settings.secret_key)))
    return DONE


def _told(links: int, *, is_setting: bool) -> str:
    now = (
        "The registry now uses URN_REGISTRY_SECRET_KEY. Set it on every host and restart them: "
        "hosts with the old secret answer with status 503."
        if is_setting
        else "The registry has a new secret, stored in the database. Running hosts use it within "
        "seconds."
    )
    more = f" Registrants must request {links} access links again." if links else ""
    return f"{now} Everyone must sign in again.{more}"
