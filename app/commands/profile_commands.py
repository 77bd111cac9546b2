"""The command that imports profiles for namespaces without one."""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import read_settings

if TYPE_CHECKING:
    from app.services.registrations.namespace_profiles import ProfileImport

_MOST = 16 * 1024 * 1024
_TOO_LARGE = (
    f"The file is larger than {_MOST // 2**20} MiB. Nothing was imported. Split it into several "
    "files."
)


def add_profiles(registry: Any) -> None:
    """Add ``import-profiles`` to the group ``registry``."""
    take = add_command(
        registry,
        "import-profiles",
        "Import profiles (syntax, examples, resolvers) for namespaces without one.",
        _import_profiles,
    )
    take.add_argument(
        "file", nargs="?", help="JSON file, or - for standard input (default: the bundled profiles)"
    )
    take.add_argument("--dry-run", action="store_true", help="show the changes and save nothing")


def _import_profiles(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.pages.text.markdown import reveal_unseen
    from app.services.refusals import Refusal
    from app.services.registrations.namespace_profiles import import_profiles
    from app.services.registry.bundled_profiles import read_profiles

    data, settings = _read(arguments.file), read_settings(os.environ)
    if data is not None and len(data) > _MOST:
        write_message(f"{arguments.file}: {_TOO_LARGE}")
        return FOUND
    with registry_database(settings):
        try:
            made = import_profiles(
                now(),
                notice=settings.notice,
                entries=None if data is None else read_profiles(data),
                dry_run=arguments.dry_run,
            )
        except Refusal as error:
            write_message(reveal_unseen(f"{arguments.file or 'import-profiles'}: {error}"))
            return FOUND
    unknown = () if data is None else made.unknown
    _tell(made, unknown, is_dry=arguments.dry_run)
    return FOUND if unknown else DONE


def _tell(made: "ProfileImport", unknown: Iterable[str], *, is_dry: bool) -> None:
    from app.pages.text.markdown import reveal_unseen

    would = "would be " if is_dry else ""
    write_message(f"{would}added: {len(made.added)} {' '.join(made.added)}")
    write_message(f"unchanged: {len(made.own)} with a profile, {len(made.former)} former names")
    for name in unknown:
        write_message(
            reveal_unseen(f"{name}: No namespace has this NID. Correct the NID of the profile.")
        )
    if made.without:
        write_message(f"still without a profile: {len(made.without)} {' '.join(made.without)}")


def _read(file: str | None) -> bytes | None:
    if file is None:
        return None
    if file == "-":
        return sys.stdin.buffer.read(_MOST + 1)
    with Path(file).open("rb") as opened:
        return opened.read(_MOST + 1)
