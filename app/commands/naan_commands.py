"""The command that imports files of NAANs and shoulders."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, UsageError, add_command, start_of, write_message
from app.config import read_settings
from app.pages.text.markdown import reveal_unseen
from app.progress import Progress

if TYPE_CHECKING:
    from app.services.registry.naan_import import NaanImport

_LARGEST = 50 * 1024 * 1024  # octets, of thirty times as many records as there are


def add_import_naans(registry: Any) -> None:
    """Add the command to the group ``registry``."""
    naans = add_command(
        registry,
        "import-naans",
        "Import NAANs and shoulders from a file, and list the changes.",
        _import_naans,
    )
    naans.add_argument(
        "file",
        nargs="?",
        default="",
        help="naan_records.json of the ARK Alliance, or its older ANVL file; - for standard input",
    )
    naans.add_argument(
        "--bundled",
        action="store_true",
        help="import the bundled NAANs instead of a file",
    )
    naans.add_argument("--dry-run", action="store_true", help="show the changes and save nothing")
    naans.add_argument(
        "--day",
        default="",
        metavar="YYYY-MM-DD",
        help="date of the file, to import past states, oldest first",
    )


def _import_naans(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.registration.naans.json_values import UnreadableNaanFile
    from app.services.refusals import Refusal
    from app.services.registry.naan_import import bundled_naan_file, import_naans, read_naan_file

    if bool(arguments.file) is arguments.bundled:
        raise UsageError("Enter either a file (- for standard input) or --bundled.")
    settings = read_settings(os.environ)
    data = _read(arguments.file) if arguments.file else b""
    with registry_database(settings):
        try:
            made = import_naans(
                bundled_naan_file() if arguments.bundled else read_naan_file(data),
                now(),
                dry_run=arguments.dry_run,
                day=arguments.day,
                notice=settings.notice,
            )
        except (UnreadableNaanFile, Refusal) as error:
            write_message(reveal_unseen(f"{arguments.file or '--bundled'}: {error}"))
            return FOUND
    _tell(made, "would be " if arguments.dry_run else "")
    return FOUND if made.findings else DONE


def _read(file: str) -> bytes:
    if file == "-":
        data = sys.stdin.buffer.read(_LARGEST + 1)
    else:
        with Path(file).open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise UsageError(f"{file}: The file is larger than 50 MB. Split it.")
    return data


def _tell(made: "NaanImport", would: str) -> None:
    from app.services.registry.naan_import import import_sentences

    for sentence in import_sentences(made):
        write_message(reveal_unseen(sentence))
    plan = made.plan
    write_message(f"{would}added: {len(plan.added)}, {would}changed: {len(plan.changed)}")
    write_message(f"unchanged: {len(plan.same)} identical, {len(plan.kept)} not in the file")
    if plan.is_empty:
        write_message("No changes, so no new edition.")


def import_naan_states(paths: list[Path]) -> int:
    """Import past states of the NAANs, one edition for each file."""
    from app.factory import now
    from app.services.refusals import Refusal
    from app.services.registry.naan_history import import_naan_history, read_naan_history

    settings = read_settings(os.environ)
    with registry_database(settings):
        try:
            files = ((path.name, start_of(path, _LARGEST)) for path in paths)
            history = read_naan_history(files, Progress("files read", len(paths)))
            done = Progress("files imported", len(paths))
            made = import_naan_history(history, now(), settings.notice, done)
        except Refusal as error:
            write_message(reveal_unseen(str(error)))
            return FOUND
    for finding in made.findings:
        write_message(reveal_unseen(finding))
    write_message(f"editions {made.first} to {made.last}, from {made.since} to {made.until}")
    return FOUND if made.findings else DONE
