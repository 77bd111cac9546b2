"""Whether the names that were given are what they were, and whether any are lost."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from app.assigned_names.assigned_name_records import AssignedNameChange, AssignedNameRecord
from app.store.assigned_names import assigned_name_rows, batch_rows
from app.store.database import read_transaction

__all__ = ["verify_names"]

_AT_ONCE = 5_000
Begin = Callable[[str, int], Callable[[int], None]]


def verify_names(
    begin: Begin,
    copied: Iterable[AssignedNameChange],
    lost: Callable[[AssignedNameRecord], None],
) -> Iterator[str]:
    """What is wrong with the names that were given, a sentence each.

    What each batch holds has the digest that its event has, each name is as its newest version
    says, and no number was given that is to be given yet. ``copied`` are the names of a host's copy
    in the order of their changes: those that the database does not know came after the backup from
    which it was restored, and ``lost`` is told each.
    """
    with read_transaction():
        yield from _changed_batches(begin)
        yield from batch_rows.names_unlike_their_versions()
        yield from _numbers_to_come()
        yield from _lost(copied, lost)


def _changed_batches(begin: Begin) -> Iterator[str]:
    tell = begin("batches of identifiers read", batch_rows.count())
    for done, (batch, told) in enumerate(batch_rows.all_batches(), 1):
        if batch.digest != told:
            yield f"The digest of the batch of event {batch.event} differs from the event log."
        elif batch_rows.digest_of_versions(batch.first, batch.last) != batch.digest:
            yield f"Changes {batch.first} to {batch.last} differ from their digest."
        tell(done)


def _numbers_to_come() -> Iterator[str]:
    following = batch_rows.following_numbers()
    for text, highest in assigned_name_rows.highest_numbers().items():
        if highest >= following[text]:
            yield f"Number {highest} under {text} is already assigned and would be minted again."


def _lost(
    copied: Iterable[AssignedNameChange], lost: Callable[[AssignedNameRecord], None]
) -> Iterator[str]:
    waiting = iter(copied)
    while some := list(islice(waiting, _AT_ONCE)):
        known = assigned_name_rows.known({one.record.name for one in some})
        for one in some:
            stored = known.get(one.record.name)
            if stored is None or stored.change < one.number:
                lost(one.record)
                yield (
                    f"Change {one.number} of {one.record.name} is in the copy of this host but not "
                    "in the database, which was restored from an older backup."
                )
