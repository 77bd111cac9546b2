"""Where a record will stand in its table: between those before and after it."""

from dataclasses import dataclass

from app.exports.content.selection import people_named
from app.pages.lists.registry_list import RegistryListRow, row_of
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Registration, SubRegistry
from app.services.registrations.given_numbers import likely_name
from app.services.registrations.name_registration import Reference, registration_of
from app.store.registry import search_index
from app.store.registry.person_versions import people_of
from app.store.tables import Request


@dataclass(frozen=True, slots=True)
class RecordNeighbours:
    """A record as it will stand, and ``rows``: its own between those before and after it, each
    with all that the published table shows.
    """

    record: Registration
    rows: tuple[RegistryListRow, ...]


def neighbours(
    request: Request, reference: Reference | None, day: str, base_url: str, number_prefix: str = ""
) -> RecordNeighbours:
    """Where a request's record will stand in its table."""
    name = likely_name(request.registry_id, request.purpose, request.asked_name, number_prefix)
    return place_record(
        request.registry_id, registration_of(request, name, reference, day, base_url)
    )


def place_record(registry_id: str, record: Registration) -> RecordNeighbours:
    """A record between those before and after it in a table."""
    own = REGISTRIES[registry_id].sort_key(record.folded)
    before, after = search_index.neighbours_of(registry_id, own, record.folded)
    shown = [one for one in (before, record, after) if one]
    named = {ident for one in shown for ident in people_named(one)}
    people = {person.id: person for person in people_of(named)}
    table = SubRegistry(id=registry_id, title="")
    return RecordNeighbours(record, tuple(row_of(table, one, people) for one in shown))
