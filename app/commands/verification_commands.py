"""Commands that verify all stored data and acknowledge known faults."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import read_settings
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import count_phrase
from app.progress import Progress


def add_verify(registry: Any) -> None:
    """Add ``verify`` and ``acknowledge-order`` to the group ``registry``."""
    whole = add_command(
        registry,
        "verify",
        "Verify all editions, the event log and all records.",
        _verify,
    )
    whole.add_argument(
        "--published",
        type=Path,
        metavar="FOLDER",
        help="verify only the published files in this folder, without a database",
    )
    known = add_command(
        registry,
        "acknowledge-order",
        "Record that editions by older software are known to be out of order.",
        _acknowledge_order,
    )
    known.add_argument(
        "--by", required=True, metavar="ADDRESS", help="e-mail address of the operator"
    )
    known.add_argument("--reason", required=True, help="reason, in a sentence; kept permanently")


def _verify(arguments: argparse.Namespace) -> int:
    from app.registration.declarations.registry_groups import GROUPS
    from app.services.operations.edition_verification import verify_database
    from app.services.stored_editions.divergence import find_divergence

    if arguments.published is not None:
        if not arguments.published.is_dir():
            raise FileNotFoundError(f"{arguments.published} isn't a folder of published files.")
        return _told_problems(_of_folder(arguments.published))
    settings = read_settings(os.environ)
    folder = settings.published_dir
    on_disk = _of_folder(folder) if folder.is_dir() else ()
    with registry_database(settings, shares_secret=False):
        other = [find_divergence(folder, group, every=True) for group in GROUPS.values()]
        told = [found.why for found in other if found]
        return _told_problems(chain(told, verify_database(Progress, write_message), on_disk))


def _of_folder(published: Path) -> Iterator[str]:
    from app.registration.declarations.registry_groups import GROUPS, URN_GROUP
    from app.services.operations.edition_verification import verify_folder

    for group in GROUPS.values():
        folder = published / group.folder
        if group == URN_GROUP or folder.is_dir():
            yield from verify_folder(folder, Progress)


def _told_problems(problems: Iterable[str]) -> int:
    found = 0
    for problem in problems:
        found += 1
        sys.stdout.write(f"{reveal_unseen(' '.join(problem.split()))}\n")
    write_message(f"{count_phrase(found, 'problem')}." if found else "No problems found.")
    return FOUND if found else DONE


def _acknowledge_order(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.edition_order import acknowledge_order, disorder_told
    from app.services.refusals import Refusal

    with registry_database(read_settings(os.environ), shares_secret=False):
        try:
            known = acknowledge_order(arguments.by, arguments.reason, now())
        except Refusal as error:
            write_message(str(error))
            return FOUND
        for one in known:
            write_message(f"Acknowledged: {disorder_told(one)}")
    return DONE
