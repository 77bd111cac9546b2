"""Files and folders that their owner alone reads, whatever umask a process was started with."""

import logging
import os
from pathlib import Path
from stat import S_IMODE

FILE_MODE, FOLDER_MODE = 0o600, 0o700
_SQLITE = b"SQLite format 3\0"
_log = logging.getLogger(__name__)


def make_folder(folder: Path) -> None:
    """Make a folder, if it is not there, that nobody else looks into; so are those it lacks."""
    for missing in reversed([one for one in folder.parents if not one.exists()]):
        _make(missing)
    _make(folder)


def _make(folder: Path) -> None:
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _set(folder, FOLDER_MODE)


def make_file(path: Path) -> None:
    """Make an empty file, if it is not there, that nobody else reads; one that is there is kept."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE))
    _set(path, FILE_MODE)


def make_database(path: Path) -> None:
    if path.parent.is_dir() and _may_be_database(path):
        make_file(path)
        for beside in path.parent.glob(f"{path.name}-*"):
            _set(beside, FILE_MODE)


def _may_be_database(path: Path) -> bool:
    if not path.exists():
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) in (b"", _SQLITE)


def tighten_modes(published: Path) -> None:
    """Take from others what older software let them read of what is published."""
    if published.is_dir() and _mode(published) != FOLDER_MODE:
        for folder, _, files in os.walk(published, topdown=False):
            for name in files:
                _set(Path(folder, name), FILE_MODE)
            _set(Path(folder), FOLDER_MODE)


def _mode(path: Path) -> int:
    return S_IMODE(path.stat(follow_symlinks=False).st_mode)


def _set(path: Path, mode: int) -> None:
    try:
        if not path.is_symlink() and _mode(path) != mode:
            path.chmod(mode)
    except FileNotFoundError:
        pass
    except PermissionError:
        _log.warning("%s is owned by another user, so its permissions can't be restricted", path)
