"""The command that restores published editions to a database restored from a backup."""

import argparse
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import (
    DONE,
    FOUND,
    UsageError,
    add_command,
    write_message,
    write_source_error,
)
from app.config import Settings, read_settings

if TYPE_CHECKING:
    from app.services.operations.recovery import Recovery


def add_recovery(commands: Any) -> None:
    take = add_command(
        commands,
        "recover",
        "Restore published editions that the database lacks, after an older backup was restored.",
        _recover,
    )
    take.add_argument(
        "--from",
        dest="source",
        metavar="FOLDER_OR_URL",
        default="",
        help="folder of published files or address of a mirror (default: the folder of this host)",
    )
    take.add_argument("--dry-run", action="store_true", help="show the changes and save nothing")


def _recover(arguments: argparse.Namespace) -> int:
    from app.bundles.mirror import MirrorSourceError
    from app.exports.manifests.bundle_files import BadManifest, DigestMismatch
    from app.services.refusals import Refusal

    settings = read_settings(os.environ)
    source = arguments.source or str(settings.published_dir)
    try:
        if source.startswith(("https://", "http://")):
            plans = _from_url(source, settings, dry_run=arguments.dry_run)
        else:
            plans = _from_folder(Path(source), source, settings, dry_run=arguments.dry_run)
    except (Refusal, MirrorSourceError, BadManifest, DigestMismatch, OSError) as error:
        write_source_error(source, error)
        return FOUND
    return _told(plans, dry_run=arguments.dry_run)


def _from_url(source: str, settings: Settings, *, dry_run: bool) -> "list[Recovery]":
    from app.server import follow_editions

    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="recover-", dir=settings.data_dir) as folder:
        follow_editions(source, Path(folder))
        return _from_folder(Path(folder), source, settings, dry_run=dry_run)


def _from_folder(
    folder: Path, source: str, settings: Settings, *, dry_run: bool
) -> "list[Recovery]":
    from app.factory import now
    from app.registration.declarations.registry_groups import GROUPS
    from app.server import place_of
    from app.services.editions import edition_build
    from app.services.operations.name_resumption import announce_backup
    from app.services.operations.recovery import plan_recovery, recover_editions
    from app.services.stored_editions.edition_folder import EditionFolder

    if not folder.is_dir():
        raise UsageError(
            f"{folder} isn't a folder of published files. Enter such a folder or the address of "
            "a mirror."
        )
    lines = [EditionFolder(folder / group.folder, group) for group in GROUPS.values()]
    with registry_database(settings, shares_secret=False):
        if dry_run:
            return [plan_recovery(line) for line in lines]
        notice = settings.notice
        plans = [recover_editions(line, now(), notice=notice, source=source) for line in lines]
        if not all(plan.is_empty for plan in plans):
            announce_backup()  # only other hosts may know identifiers minted since the backup
        edition_build.build_pending(None, place_of(settings))
        edition_build.require_built()
    return plans


def _told(plans: "list[Recovery]", *, dry_run: bool) -> int:
    lacking = [plan for plan in plans if not plan.is_empty]
    if not lacking:
        write_message("Nothing to restore: the database has all published editions.")
        return DONE
    for sentence in (sentence for plan in lacking for sentence in plan.sentences()):
        write_message(sentence)
    write_message("Nothing was changed." if dry_run else "Restored.")
    return FOUND if dry_run else DONE
