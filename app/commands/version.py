"""The option ``--version``."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from app.module_imports import imports


class VersionAction(argparse.Action):
    """Print the version and the database revision it needs."""

    def __init__(self, option_strings: Sequence[str], dest: str, **given: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **given)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        with imports():
            from app.pages.assets import asset_dir
            from app.store.administration.migrations import newest_revision

        at = newest_revision(asset_dir("migrations"))
        sys.stdout.write(f"urn-registry {version('urn-registry')}, database revision {at}\n")
        parser.exit()
