"""The folders of what pages are made with, and every file that the software consists of."""

import mimetypes
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
ASSETS = ("migrations", "static", "templates")
FONT_SUFFIX = ".woff2"  # a font's file name has its version in it: its bytes never change

mimetypes.add_type("font/woff2", FONT_SUFFIX)  # RFC 8081; not every machine knows it


def asset_dir(name: str) -> Path:
    """A folder of the project's assets: in the installed package, or beside it in a checkout."""
    for base in (_PACKAGE, _PACKAGE.parent):
        if (base / name).is_dir():
            return base / name
    raise RuntimeError(f"The folder {name} was not installed with this software.")


def software_files() -> Iterator[tuple[str, Path]]:
    """Every file of the software, in order, with a name that says nothing of where it lies.

    A template is ``templates/base.html`` in the installed package, which holds the assets, and
    in a checkout, where they lie beside it. What Python compiled is left out.
    """
    for name, folder in (("app", _PACKAGE), *((name, asset_dir(name)) for name in ASSETS)):
        for file in sorted(folder.rglob("*")):
            inside = file.relative_to(folder)
            is_asset = name == "app" and inside.parts[0] in ASSETS
            if not is_asset and "__pycache__" not in inside.parts and file.is_file():
                yield f"{name}/{inside.as_posix()}", file
