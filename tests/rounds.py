"""What the worker does, once and in one thread."""

from collections.abc import Iterable

from app.worker import MAILING, PUBLISHING, STUDYING, WorkerContext, WorkerLane, do_round


def run_once(
    work: WorkerContext, lanes: Iterable[WorkerLane] = (PUBLISHING, MAILING, STUDYING)
) -> None:
    """Do everything that waits now. What fails keeps nothing else from being done.

    Raises what failed, as a group.
    """
    failures = [error for lane in lanes for error in do_round(lane, work)]
    if failures:
        raise ExceptionGroup("the worker could not do all of its work", failures)
