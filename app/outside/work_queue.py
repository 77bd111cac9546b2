"""A queue for work that costs much: so much is done at once, a little waits, the rest comes again.

It is one for a whole process, whose threads answer for everything else as well: two may work and
one may wait, and there is always a thread left for who only reads.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

AT_ONCE = 2  # at work, each for as long as its own limits let it
WAITING = 1  # behind them
PATIENCE = 5.0  # seconds that one waits at most


class WorkQueueFull(RuntimeError):
    def __init__(self) -> None:
        super().__init__("The server is busy with other work. Try again in a few seconds.")


class WorkQueue:
    """Gives turns to threads; ``patience`` are the seconds that one of them waits for its own."""

    def __init__(self, at_once: int, waiting: int, patience: float) -> None:
        self._places = BoundedSemaphore(at_once + waiting)
        self._turns = BoundedSemaphore(at_once)
        self.patience = patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn, while the block lasts; WorkQueueFull at once where nobody else may wait."""
        if not self._places.acquire(blocking=False):
            raise WorkQueueFull
        try:
            if not self._turns.acquire(timeout=self.patience):
                raise WorkQueueFull
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()


QUEUE = WorkQueue(AT_ONCE, WAITING, PATIENCE)
# Who asks servers elsewhere waits for them: one at a time, so that the other turn is free.
ASKING = WorkQueue(1, 0, PATIENCE)
