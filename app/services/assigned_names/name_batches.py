"""Names that are given or changed at once: one event, one batch, one digest."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Protocol

from app.bundles.given_numbers import DamagedGivenNumber
from app.problems import assigned_name_codes
from app.registration.records.record_documents import canonical_json
from app.services.refusals import Refusal
from app.services.use_cases import Command
from app.store.assigned_names import assigned_name_rows, name_line_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion
from app.store.database import is_disk_full
from app.store.tables import Prefix
from app.store.tables.assigned_names import BatchKind
from app.store.tables.requests import EventSubject

_log = logging.getLogger(__name__)
MOST_AT_ONCE = 10_000
_NOTHING: Mapping[str, str | int] = MappingProxyType({})

_EVENTS = {
    BatchKind.MINTED: "names minted",
    BatchKind.CHANGED: "names changed",
    BatchKind.IMPORTED: "names imported",
}


CHANGES = "changes"  # what numbers are kept of beside those of prefixes, which have a colon


class GivenNumbers(Protocol):
    """The highest numbers that were given, kept beside the database.

    A database that comes back from a backup does not know of names that were given since, nor of
    the changes that hosts have copied; what is kept beside it does.
    """

    def next_of(self, of: str) -> int:
        """The number after the highest one that is known to be given; 0 where none is.

        Raises DamagedGivenNumber.
        """

    def seed_of(self, prefix: str) -> str:
        """Return the order seed by which numbers of a prefix were given, or "" if none is known.

        Raises DamagedGivenNumber.
        """

    def keep(self, of: str, following: int, seed: str = "") -> None:
        """Keep that all numbers below one are given, by the order seed of their prefix.

        It is on disk when this returns. Raises DamagedGivenNumber.
        """


def next_free_number(given: GivenNumbers, of: str) -> int:
    """The number after the highest that this host knows beside the database, or another one told.

    Raises Refusal where nobody can tell: a name might be given twice.
    """
    with _told():
        return max(given.next_of(of), name_line_rows.following_number(of))


def known_seed(given: GivenNumbers, prefix: str) -> str:
    """Return the order seed of a prefix that this host or another one knows, "" if none does.

    Raises Refusal if this host can't read its file.
    """
    with _told():
        return given.seed_of(prefix) or name_line_rows.order_seed(prefix)


def keep_given(given: GivenNumbers, of: str, following: int, seed: str = "") -> None:
    """Keep beside the database that all numbers below one are given. Raises Refusal."""
    with _told():
        given.keep(of, following, seed)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except DamagedGivenNumber as error:
        if is_disk_full(error.__cause__):
            _log.error("cannot mint identifiers: %s", error)
            raise Refusal(
                assigned_name_codes.GIVEN_NUMBERS_UNWRITABLE,
                "The disk of this server is full, so it can't mint. Tell the operator to free "
                "space, and try again later.",
            ) from error
        _log.exception("cannot mint identifiers")  # only operators see the path of the file
        sentence = "Nothing was minted: this server can't read its counters. Tell the operator."
        raise Refusal(assigned_name_codes.GIVEN_NUMBERS_DAMAGED, sentence) from error


PREFIX_ENDED = "prefix ended"  # the kind of the event that holds why


def prefix_subject(prefix: Prefix) -> str:
    """How events tell which prefix they are of."""
    return f"prefix {prefix.id}"


def write_batch(
    command: Command,
    prefix: Prefix,
    kind: BatchKind,
    changes: Sequence[NewNameVersion],
    *,
    given: GivenNumbers,
    role: str,
    reason: str = "",
    told: Mapping[str, str | int] = _NOTHING,
) -> int:
    """Keep changes of names under a prefix, with their event; gives the number of the event.

    Whoever calls it has held the changes of names since before it read what the names are now.
    ``told`` is what the event says besides.
    """
    first = assigned_name_rows.number_changes(len(changes), next_free_number(given, CHANGES))
    last = first + len(changes) - 1
    keep_given(given, CHANGES, last + 1)
    documents = assigned_name_rows.documents_of(changes)
    digest = assigned_name_rows.digest_of(enumerate(documents, first))
    body = {"prefix": prefix.text, "first": first, "last": last, "names": digest, **told}
    body[assigned_name_rows.NEW_NAMES] = sum(not one.before for one in changes)
    event = command.append_event(
        _EVENTS[kind],
        subject=EventSubject.REGISTRY,
        about=prefix_subject(prefix),
        role=role,
        reason=reason,
        body=canonical_json(body),
    )
    assigned_name_rows.write(prefix.id, changes, documents, first, event)
    assigned_name_rows.add_batch(event, prefix.id, kind, first, last, digest)
    return event
