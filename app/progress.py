"""Progress of a command: a bar on a terminal, otherwise a few lines on standard error."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

_WIDTH = 30
_NEWS = 10_000  # so many of an unknown number pass between two words on a terminal
_LINES = 10  # so many at most where nobody watches


T = TypeVar("T")


def count_items(things: Iterable[T], what: str) -> Iterator[T]:
    """Pass things on whose number nobody knows, and say on a terminal how many there were."""
    if not sys.stderr.isatty():
        yield from things
        return
    done = 0
    for done, thing in enumerate(things, 1):
        yield thing
        if done % _NEWS == 0:
            sys.stderr.write(f"\r{done} {what}")
            sys.stderr.flush()
    if done >= _NEWS:
        sys.stderr.write(f"\r{done} {what}\n")


class Progress:
    """Counts what is done of a known number of things, and says so."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._each = max(1, -(-total // _LINES))

    def __call__(self, done: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done == self._total else ""
            sys.stderr.write(f"\r{self._bar(done)} {done}/{self._total} {self._what}{end}")
            sys.stderr.flush()
        elif done % self._each == 0 or done == self._total:
            sys.stderr.write(f"{done} of {self._total} {self._what}\n")

    def _bar(self, done: int) -> str:
        filled = _WIDTH * done // max(1, self._total)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}]"
