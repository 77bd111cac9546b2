"""The folders of what pages are made with, and every file that the software consists of."""

import mimetypes
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from app.exports.content.static_paths import lasting_path, static_path

_PACKAGE = Path(__file__).resolve().parent.parent
ASSETS = ("migrations", "static", "templates")
FONT_SUFFIX = ".woff2"  # a font's file name has its version in it: its bytes never change

mimetypes.add_type("font/woff2", FONT_SUFFIX)  # RFC 8081; not every machine knows it


def asset_dir(name: str) -> Path:
    """A folder of the project's assets: in the installed package, or beside it in a checkout."""
    for base in (_PACKAGE, _PACKAGE.parent):
        if (base / name).is_dir():
            return base / name
    raise RuntimeError(f"The folder {name} is missing from this installation.")


class StaticFile(NamedTuple):
    """A file that pages are drawn with, where it always is, and where it is with these bytes."""

    media_type: str
    content: bytes
    path: str
    lasting_path: str


@cache
def static_files(folder: Path) -> Mapping[str, StaticFile]:
    """What lies in a folder, by name, each read once: its path tells these very bytes."""
    return {file.name: _static_file(file) for file in sorted(folder.iterdir())}


def _static_file(file: Path) -> StaticFile:
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    content = file.read_bytes()
    return StaticFile(media_type, content, static_path(file.name), lasting_path(file.name, content))


@cache
def _own_files() -> Mapping[str, StaticFile]:
    return static_files(asset_dir("static"))


def static_link(name: str) -> str:
    """What a page refers to a static file of this software by."""
    return _own_files()[name].lasting_path


def find_lasting(path: str) -> StaticFile | None:
    """The static file of this software that lasts at a path; None where none does."""
    return next((file for file in _own_files().values() if file.lasting_path == path), None)


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
