"""Commands that pause and resume minting after a backup was restored."""

import argparse
import os
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import read_settings

_MOST_SKIPPED, _DIGITS = 1_000_000_000, 10


def add_name_resumption(names: Any) -> None:
    """Add ``names restored`` and ``names resume``."""
    add_command(
        names,
        "restored",
        "Pause minting after restoring a backup, until every host has reported its counters.",
        _restored,
    )
    resume = add_command(names, "resume", "Resume minting after a backup was restored.", _resume)
    resume.add_argument(
        "--by", required=True, metavar="ADDRESS", help="e-mail address of the operator"
    )
    resume.add_argument("--reason", required=True, help="reason, in a sentence; kept permanently")
    resume.add_argument(
        *("--without", "-w"), action="append", default=[], metavar="HOST",
        help="host that no longer exists; can be repeated",
    )  # fmt: skip
    resume.add_argument(
        *("--skip", "-s"), type=_skipped, default=0, metavar="N",
        help="numbers to skip under each prefix, which such a host may have used (default: 0)",
    )  # fmt: skip


def _skipped(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not is_number or int(text) > _MOST_SKIPPED:
        raise argparse.ArgumentTypeError(
            f"enter a whole number from 0 to {_MOST_SKIPPED:,}, without commas"
        )
    return int(text)


def _restored(_arguments: argparse.Namespace) -> int:
    from app.services.operations.name_resumption import announce_backup

    with registry_database(read_settings(os.environ), shares_secret=False):
        announce_backup()
    write_message(
        "Minting is paused until every host has reported its counters. Start all workers."
    )
    return DONE


def _resume(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.operations.name_resumption import resume_names
    from app.services.refusals import Refusal

    by, why = arguments.by, arguments.reason
    with registry_database(read_settings(os.environ), shares_secret=False):
        try:
            told = resume_names(by, why, now(), arguments.without, arguments.skip)
        except Refusal as error:
            write_message(str(error))
            return FOUND
    for sentence in told:
        write_message(sentence)
    return DONE
