"""The command that verifies assigned identifiers and lists lost ones."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import read_settings
from app.pages.text.markdown import reveal_unseen
from app.progress import Progress

if TYPE_CHECKING:
    from app.assigned_names.assigned_name_records import AssignedNameChange, AssignedNameRecord

_AT_ONCE = 5_000
_MOST_TOLD = 20  # lost identifiers; `--lost` writes all of them


def add_name_verification(names: Any) -> None:
    verify = add_command(
        names, "verify", "Verify all assigned identifiers, and list lost ones.", _verify
    )
    verify.add_argument(
        *("--lost", "-o"), type=Path, metavar="FILE",
        help="file for the lost identifiers, as JSON Lines for `names import`",
    )  # fmt: skip


def _verify(arguments: argparse.Namespace) -> int:
    from app.assigned_names.name_formats import NAME_FORMATS
    from app.services.assigned_names.name_feed import verify_names

    settings = read_settings(os.environ)
    lost: list[AssignedNameRecord] = []
    others = 0
    with registry_database(settings, shares_secret=False):
        for problem in verify_names(Progress, _copied(settings.names_dir), lost.append):
            others += not lost
            if len(lost) <= _MOST_TOLD:  # lost identifiers come last
                sys.stdout.write(f"{reveal_unseen(problem)}\n")
    if arguments.lost is not None:
        with arguments.lost.open("wb") as file:
            file.writelines(NAME_FORMATS["jsonl"].write(lost, ()))
    write_message(_summary(len(lost), others))
    return FOUND if lost or others else DONE


def _summary(lost: int, others: int) -> str:
    if not (lost or others):
        return "No problems. All identifiers are unchanged."
    more = (
        f"{lost - _MOST_TOLD:,} more lost identifiers aren't shown. " if lost > _MOST_TOLD else ""
    )
    return f"{more}Lost identifiers: {lost:,}. Other problems: {others:,}."


def _copied(folder: Path) -> "Iterator[AssignedNameChange]":
    for file in _copies_in(folder):
        yield from _changes_in(folder, file)


def _copies_in(folder: Path) -> list[str]:
    from app.bundles.name_copies import EARLIER_FILE, NAMES_FILE

    return [file for file in (NAMES_FILE, EARLIER_FILE) if (folder / file).exists()]


def _changes_in(folder: Path, file: str) -> "Iterator[AssignedNameChange]":
    from app.assigned_names.assigned_name_records import name_change_from
    from app.published.names.name_copy_reader import NameCopyReader

    reader = NameCopyReader(folder, file=file)
    reader.version()  # opens it
    after = 0
    while rows := reader.changes(after, _AT_ONCE):
        yield from (name_change_from(json.loads(row.line)) for row in rows)
        after = rows[-1].change
