"""Delegations that ended: kept before anything is done, so that no clock brings one back."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from app.services.use_cases import Command
from app.store.assigned_names import prefix_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows

__all__ = ["keep_ended_delegations", "with_ends_kept"]

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
PrefixUseCase = Callable[Concatenate[Command, Asked], Answer]


def keep_ended_delegations(at: datetime) -> None:
    """Keep whose last day is over at a moment; in a transaction of its own, which nothing undoes.

    What is refused afterwards leaves it, and a clock that is set back changes nothing of it.
    """
    with read_transaction():
        if not prefix_rows.has_ends_to_keep(at):
            return
    with transaction():
        prefix_rows.keep_ends(at)


def with_ends_kept(work: PrefixUseCase[Asked, Answer]) -> PrefixUseCase[Asked, Answer]:
    """A use case of prefixes and names before which it is kept whose last day is over."""

    @wraps(work)
    def carried_out(command: Command, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        keep_ended_delegations(max(command.at, edition_rows.clock_time(command.at)))
        return work(command, *args, **named)

    return carried_out
