"""A process that gives or brings in names, told on its output how far it is; it can be killed.

``python -m tests.torture.naming URL FOLDER mint EMAIL PREFIX CALLS COUNT`` or ``... import EMAIL
FILE ROWS``, with so many rows to a commit. ``FOLDER`` is where numbers are kept.
"""

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from app.assigned_names.name_formats import NAME_FORMATS
from app.bundles.given_numbers import GivenNumberFolder
from app.config import Settings
from app.factory import now, open_application
from app.services.accounts.actors import actor_with
from app.services.assigned_names import minting, name_import
from app.services.assigned_names.prefix_lists import first_holder_of_prefix
from tests import factories


def _say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _mint(given: GivenNumberFolder, email: str, prefix: str, calls: str, count: str) -> None:
    ident, _ = first_holder_of_prefix(prefix, now())
    actor = actor_with(email, now())
    _say("ready")
    sys.stdin.readline()
    for _ in range(int(calls)):
        event = minting.mint(factories.command(actor, now()), ident, int(count), given=given)
        for name in minting.minted_names(event, actor, now()):
            _say(name)


def _import(given: GivenNumberFolder, email: str, file: str, rows: str) -> None:
    octets = Path(file).read_bytes()
    by = factories.command(actor_with(email, now()), now())
    with patch.object(name_import, "ROWS_AT_ONCE", int(rows)), Path(file).open("rb") as opened_file:
        read = NAME_FORMATS["csv"].read(opened_file)
        name_import.import_names(by, sha256(octets).hexdigest(), read, given=given, told=_say)


def main(url: str, folder: str, what: str, *words: str) -> None:
    """Do what the words say."""
    given = GivenNumberFolder(Path(folder))
    settings = Settings(data_dir=Path(folder).parent, database_url=url, secret_key="of a test")
    with open_application(settings):
        works: dict[str, Callable[..., None]] = {"mint": _mint, "import": _import}
        works[what](given, *words)


if __name__ == "__main__":
    main(*sys.argv[1:])
