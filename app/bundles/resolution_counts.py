"""How often names led somewhere, as processes of a host leave it for the worker: a file each time.

A file has a day, a name and a number, and nothing of who asked.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from app.bundles.file_modes import make_file, make_folder

__all__ = ["ResolutionCountFolder", "WaitingCount"]

_SUFFIX, _TAKEN = ".json", ".taken"
WaitingCount = tuple[date, str, int]


class ResolutionCountFolder:
    """A folder of counts that wait: any number of processes leave some, and one takes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, counts: Mapping[tuple[date, str], int]) -> None:
        """Leave counts by day and name. Raises OSError where the disk takes none."""
        make_folder(self._folder)
        rows = [[day.isoformat(), name, count] for (day, name), count in counts.items()]
        path = self._folder / f"{secrets.token_hex(12)}.new"
        make_file(path)
        path.write_text(json.dumps(rows), encoding="ascii")
        path.replace(path.with_suffix(_SUFFIX))

    def take(self, use: Callable[[list[WaitingCount]], None]) -> None:
        """Let the counts that wait be used, file by file."""
        if not self._folder.is_dir():
            return
        for path in self._folder.glob(f"*{_TAKEN}"):
            path.unlink()
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            taken = path.with_suffix(_TAKEN)
            path.replace(taken)
            try:
                use(_read(taken))
            except BaseException:
                taken.replace(path)
                raise
            taken.unlink()


def _read(path: Path) -> list[WaitingCount]:
    try:
        rows = json.loads(path.read_bytes())
        return [(date.fromisoformat(day), str(name), int(count)) for day, name, count in rows]
    except (ValueError, TypeError):
        return []
