"""The commands that read again all that is kept, and say what is known of it."""

import argparse
import os
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, command, say
from app.config import read_settings
from app.progress import Progress


def add_verify(registry: Any) -> None:
    """Add what looks through the whole registry to the group ``registry``."""
    whole = command(
        registry,
        "verify",
        "read everything again: is every byte, entry and state what it was?",
        _verify,
    )
    whole.add_argument(
        "--published", type=Path, metavar="FOLDER", help="only what a bundle holds; no database"
    )
    known = command(
        registry,
        "acknowledge-order",
        "keep that editions of older software are known to be out of order",
        _acknowledge_order,
    )
    known.add_argument("--by", required=True, metavar="ADDRESS", help="the operator who says so")
    known.add_argument("--reason", required=True, help="why, in a sentence; kept for ever")


def _verify(arguments: argparse.Namespace) -> int:
    from app.services.operations.edition_verification import verify_database, verify_folder
    from app.services.stored_editions.divergence import find_divergence

    if arguments.published is not None:
        if not arguments.published.is_dir():
            raise FileNotFoundError(f"{arguments.published} is no folder that was laid out.")
        return _told_problems(verify_folder(arguments.published, Progress))
    settings = read_settings(os.environ)
    folder = settings.published_dir
    on_disk = verify_folder(folder, Progress) if folder.is_dir() else ()
    with registry_database(settings, shares_secret=False):
        other = find_divergence(folder, every=True)
        told = (other.why,) if other else ()
        return _told_problems(chain(told, verify_database(Progress, say), on_disk))


def _told_problems(problems: Iterable[str]) -> int:
    found = 0
    for problem in problems:
        found += 1
        sys.stdout.write(f"{' '.join(problem.split())}\n")
    say(f"{found} problems." if found else "Everything is as it was published.")
    return FOUND if found else DONE


def _acknowledge_order(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.edition_order import acknowledge_order
    from app.services.refusals import Refusal

    with registry_database(read_settings(os.environ), shares_secret=False):
        try:
            known = acknowledge_order(arguments.by, arguments.reason, now())
        except Refusal as error:
            say(str(error))
            return FOUND
    for one in known:
        say(f"{one.sentence}: this is known from now on.")
    return DONE
