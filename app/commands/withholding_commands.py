"""Commands that withhold a record from editions and release it."""

import argparse
import os
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import read_settings


def add_withholding(registry: Any) -> None:
    """Add the commands to the group ``registry``."""
    hold = add_command(
        registry,
        "withhold",
        "Withhold a record that blocks publication from the next edition.",
        _withhold,
    )
    hold.add_argument(
        "name",
        nargs="?",
        help="NID or other name of the record (default: list the records that block publication)",
    )
    free = add_command(
        registry, "release", "Put a withheld record into the next edition.", _release
    )
    free.add_argument("name", help="NID or other name of the record")
    for command in (hold, free):
        command.add_argument("--reason", default="", help="reason, in a sentence; public")


def _withhold(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.pages.text.markdown import reveal_unseen
    from app.services.refusals import Refusal
    from app.services.registry.withheld_records import blocking_records, withhold_record

    with registry_database(read_settings(os.environ)):
        if arguments.name is None:
            blocking = blocking_records()
            for name, why in blocking:
                write_message(reveal_unseen(f"{name}: {why}"))
            write_message(f"{len(blocking)} records block publication.")
            return FOUND if blocking else DONE
        try:
            done = withhold_record(arguments.name, arguments.reason, now())
        except Refusal as error:
            write_message(reveal_unseen(str(error)))
            return FOUND
    numbers = ", ".join(map(str, done.editions))
    holds = "have its previous version" if done.is_listed else "don't list it"
    write_message(f"Withheld. The waiting editions ({numbers}) {holds}.")
    return DONE


def _release(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.pages.text.markdown import reveal_unseen
    from app.services.policy import PRIVATE
    from app.services.refusals import Refusal
    from app.services.registry.withheld_records import release_record

    settings = read_settings(os.environ)
    with registry_database(settings):
        try:
            edition = release_record(
                arguments.name,
                arguments.reason,
                now(),
                notice=settings.notice,
                lists_panel=settings.authority == PRIVATE,
            )
        except Refusal as error:
            write_message(reveal_unseen(str(error)))
            return FOUND
    write_message(f"Released: the record is in edition {edition}.")
    return DONE
