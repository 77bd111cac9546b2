"""All names under a prefix, as they are at one moment, in any of the forms of files."""

from collections.abc import Iterator
from datetime import datetime

from app.assigned_names.assigned_name_records import KERNEL, AssignedNameRecord
from app.assigned_names.name_formats import NameFormat
from app.services.accounts.actors import Actor
from app.services.assigned_names.name_change_plans import record_of
from app.services.assigned_names.prefix_lists import visible_prefixes
from app.store.assigned_names import assigned_name_rows
from app.store.database import read_transaction

_AT_ONCE = 1_000
_MOST_COLUMNS = 40  # of further elements; what has no column stands with the others in one


def export_names(
    actor: Actor, at: datetime, form: NameFormat, ident: int | None
) -> Iterator[bytes]:
    """The octets of a file of all names under a prefix, or under all that somebody has.

    They are those of one moment. Raises NotFound.
    """
    with read_transaction():
        prefixes = visible_prefixes(actor, at, ident)
        labels = list(dict.fromkeys(_labels(prefixes)))[:_MOST_COLUMNS]
        yield from form.write(_records(prefixes), labels)


def _labels(prefixes: list[int]) -> Iterator[str]:
    for record in _records(prefixes):
        yield from (label for label, _ in record.elements if label not in KERNEL)


def _records(prefixes: list[int]) -> Iterator[AssignedNameRecord]:
    for ident in prefixes:
        after = ""
        while rows := assigned_name_rows.page_of(ident, after, _AT_ONCE):
            yield from map(record_of, rows)
            after = rows[-1].name
