"""The folders of what pages are made with."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def asset_dir(name: str) -> Path:
    """A folder of the project's assets: in the installed package, or beside it in a checkout."""
    for base in (_PACKAGE, _PACKAGE.parent):
        if (base / name).is_dir():
            return base / name
    raise RuntimeError(f"The folder {name} was not installed with this software.")
