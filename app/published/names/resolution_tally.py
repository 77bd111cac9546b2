"""How often bound names lead somewhere, counted by day; of who asks, nothing is known here."""

import atexit
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from threading import Lock, Timer

_log = logging.getLogger(__name__)

_SECONDS = 30.0  # that counts stay in memory at most
_MOST = 50_000  # names of which there are counts in memory

Leave = Callable[[Mapping[tuple[date, str], int]], None]


def _today() -> date:
    return datetime.now(UTC).date()


class ResolutionTally:
    """Counts names as they lead somewhere, and hands the counts on every half minute."""

    def __init__(
        self, leave: Leave, today: Callable[[], date] = _today, seconds: float = _SECONDS
    ) -> None:
        self._leave, self._today, self._seconds = leave, today, seconds
        self._counts: Counter[tuple[date, str]] = Counter()
        self._lock = Lock()
        self._timer: Timer | None = None
        atexit.register(self.flush)

    def note(self, name: str) -> None:
        """Count a name."""
        counted = (self._today(), name)
        with self._lock:
            if len(self._counts) < _MOST or counted in self._counts:
                self._counts[counted] += 1
            if self._timer is None:
                self._timer = Timer(self._seconds, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Hand on what was counted."""
        with self._lock:
            counts, self._counts, self._timer = self._counts, Counter(), None
        if not counts:
            return
        try:
            self._leave(counts)
        except OSError as error:
            _log.error("couldn’t save the resolution counts: %s", error)
            with self._lock:
                self._counts.update(counts)
