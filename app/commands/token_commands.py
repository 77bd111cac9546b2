"""The command that looks for mailed tokens in what is kept and shown."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, add_group, write_message
from app.config import read_settings

if TYPE_CHECKING:
    from app.services.mail.leaked_tokens import LeakedToken


def add_tokens(commands: Any) -> None:
    """Add the group ``tokens``."""
    tokens = add_group(
        commands, "tokens", "links and addresses that were mailed to one person alone"
    )
    published = add_command(
        tokens,
        "published",
        "list where they stand in what was said, sent or kept; older software took none out",
        _published,
    )
    published.add_argument("--revoke", action="store_true", help="let them do nothing any more")


def _published(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.mail.leaked_tokens import find_leaks, revoke_all

    with registry_database(read_settings(os.environ)) as secret:
        found = find_leaks(now(), secret)
        for leak in found:
            sys.stdout.write(f"{_line(leak)}\n")
        ended = revoke_all(now(), secret) if arguments.revoke else 0
    if ended:
        write_message(
            f"{ended} sessions of those whose links stood there are ended. They sign in anew."
        )
    return _told(found, revoked=arguments.revoke)


def _line(leak: "LeakedToken") -> str:
    """Where a token stands, in words; never the token."""
    place = leak.place
    of = f" of request {place.request}" if place.request else ""
    works = "works" if leak.works else "works no more"
    return f"{place.table} {place.row}{of}, {place.column}: {leak.kind.label}, which {works}"


def _told(found: "tuple[LeakedToken, ...]", *, revoked: bool) -> int:
    if not found:
        write_message("No mailed link or address stands in what is kept.")
        return DONE
    working = sum(leak.works for leak in found)
    if revoked:
        write_message(
            f"{len(found)} found; {working} worked, and none does any more. Pages leave them out."
        )
    else:
        write_message(
            f"{len(found)} found, {working} of which work. Run it with --revoke to end that."
        )
    return DONE if revoked else FOUND
