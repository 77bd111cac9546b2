"""The commands for the hosts of this registry: list them, and forget a retired one."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, add_group, write_json, write_message
from app.config import read_settings

if TYPE_CHECKING:
    from app.services.operations.site_condition import ListedHost


def add_hosts(commands: Any) -> None:
    """Add the group ``hosts``."""
    hosts = add_group(commands, "hosts", "List and forget the hosts of this registry.")
    list_ = add_command(
        hosts, "list", "List all hosts with their IDs and when each was last seen.", _list
    )
    list_.add_argument("--json", action="store_true", help="one JSON object per line")
    forget = add_command(hosts, "forget", "Remove a retired host from the list.", _forget)
    forget.add_argument("host", help="name or ID of the host")
    forget.add_argument(
        "--by",
        default="",
        metavar="ADDRESS",
        help="e-mail address of the operator, kept in the event log",
    )


def _list(arguments: argparse.Namespace) -> int:
    from app.services.operations.site_condition import list_hosts
    from app.store.database import read_transaction

    with registry_database(read_settings(os.environ), shares_secret=False), read_transaction():
        hosts = list_hosts()
    for host in hosts:
        if arguments.json:
            write_json(_members(host))
        else:
            sys.stdout.write(f"{host.label}  {host.id}  {_state(host)}\n")
    if not hosts:
        write_message("No worker has run on any host yet.")
    return DONE


def _members(host: "ListedHost") -> dict[str, Any]:
    return {
        "host": host.label,
        "id": host.id,
        "version": host.version or None,
        "seen_seconds_ago": int(host.unseen.total_seconds()),
        "stopped": host.is_stopped,
        "awaited": host.is_awaited,
    }


def _state(host: "ListedHost") -> str:
    from app.pages.text.phrases import duration_phrase

    ago = f"seen {duration_phrase(abs(host.unseen))} ago"
    state = f"stopped, {ago}" if host.is_stopped else f"{ago}, version {host.version}"
    return f"{state}, minting waits for its counters" if host.is_awaited else state


def _forget(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.site_condition import forget_host
    from app.services.refusals import Refusal

    with registry_database(read_settings(os.environ), shares_secret=False):
        try:
            host = forget_host(arguments.host, now(), arguments.by)
        except Refusal as error:
            write_message(str(error))
            return FOUND
    write_message(
        f"Removed {host.label} ({host.id}). A host whose worker still runs is listed again."
    )
    return DONE
