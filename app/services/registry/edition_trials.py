"""Trying a change before its commit: can every format hold it, and would the worker publish it?"""

from dataclasses import replace

from app.bundles.edition_checks import check_files
from app.bundles.edition_files import edition_files
from app.exports.content.publication_site import PublicationSite
from app.exports.content.selection import people_named
from app.problems import use_case_codes
from app.registration.records.registry_records import RegistrySnapshot
from app.services.refusals import InvalidInput
from app.store.registry import edition_snapshots
from app.store.registry.person_versions import people_of

# Rendering doesn't depend on the site or the edition, so a trial uses placeholders for both.
_ANYWHERE, ANY_EDITION = PublicationSite("https://registry.example"), 1
_AT_ONCE = 1_000  # records of a trial, whose files are in memory together


def check_edition(edition: int) -> None:
    """Refuse an edition that can't be published because of what changed in it.

    Renders only the records, people and texts that the edition changes, in every format, and runs
    the checks that the worker runs before it publishes. Call it in the transaction that opens the
    edition. Raises InvalidInput.
    """
    _before, touched = edition_snapshots.snapshots_of_touched(edition)
    if touched is None:
        return
    every = [(table.id, record) for table in touched.registries for record in table.records]
    people = {person.id: person for person in touched.people}
    for at in range(0, max(len(every), 1), _AT_ONCE):
        some = every[at : at + _AT_ONCE]
        named = {ident for _, record in some for ident in people_named(record)}
        people |= {person.id: person for person in people_of(named)}
        tables = (
            replace(table, records=tuple(record for ident, record in some if ident == table.id))
            for table in touched.registries
        )
        check_writable(replace(touched, registries=tuple(tables), people=(*people.values(),)))
        people = {}  # those whom the edition changes are tried once


def check_writable(snapshot: RegistrySnapshot) -> None:
    """Raise InvalidInput unless every format can hold a snapshot and passes the worker's checks."""
    trial = replace(snapshot, edition=ANY_EDITION)
    try:
        check_files([*edition_files(trial, _ANYWHERE)], trial, frozenset())
    except Exception as error:  # whatever would stop the worker must be refused before the commit
        raise InvalidInput(
            use_case_codes.ENTRY_UNWRITABLE,
            f"The registry can’t be published with this entry: {error}",
        ) from error
