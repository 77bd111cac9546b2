"""The command that finds mailed tokens in stored texts."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, add_group, write_message
from app.config import read_settings

if TYPE_CHECKING:
    from app.services.mail.incoming_mail import LeakedToken


def add_tokens(commands: Any) -> None:
    """Add the group ``tokens``."""
    tokens = add_group(commands, "tokens", "Find secret links and reply addresses in stored texts.")
    published = add_command(
        tokens,
        "published",
        "List secret links and reply addresses that older versions stored in texts.",
        _published,
    )
    published.add_argument("--revoke", action="store_true", help="revoke them")


def _published(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.mail.incoming_mail import find_leaks, revoke_all

    with registry_database(read_settings(os.environ)) as secret:
        found = find_leaks(now(), secret)
        for leak in found:
            sys.stdout.write(f"{_line(leak)}\n")
        ended = revoke_all(now(), secret) if arguments.revoke else 0
    if ended:
        write_message(f"{ended} sessions were ended. Their users must sign in again.")
    return _told(found, revoked=arguments.revoke)


def _line(leak: "LeakedToken") -> str:
    place = leak.place
    of = f" of request {place.request}" if place.request else ""
    works = "still valid" if leak.works else "expired"
    return f"{place.table} {place.row}{of}, {place.column}: {leak.kind.label} ({works})"


def _told(found: "tuple[LeakedToken, ...]", *, revoked: bool) -> int:
    if not found:
        write_message("No secret links or reply addresses found.")
        return DONE
    working = sum(leak.works for leak in found)
    if revoked:
        write_message(f"found: {len(found)}, revoked: {working}. Pages don't show them.")
    else:
        write_message(f"found: {len(found)}, still valid: {working}. To revoke them, add --revoke.")
    return DONE if revoked else FOUND
