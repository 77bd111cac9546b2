"""How the published forms speak of the names of a space."""

from dataclasses import replace

from app.exports.content.file_names import registry_folder
from app.registration.declarations.formats import Format
from app.registration.declarations.registries import (
    REGISTRIES,
    DerivedFormat,
    IdentifierSpace,
    space_of,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry


def presentation_of(registry: SubRegistry) -> IdentifierSpace:
    """The space that a table's names belong to; a plain one for a table nobody declared."""
    return space_of(registry.id)


def whole_name(space: IdentifierSpace, record: Registration) -> str:
    """A name with what stands around it in use, such as ``urn:isbn:``; empty if nothing does."""
    return space.whole(record.folded)


def forms_of(registry: SubRegistry) -> tuple[Format, ...]:
    """The forms in which the names of a table are published; all for a table nobody declared."""
    declared = REGISTRIES.get(registry.id)
    return declared.exports if declared else tuple(Format)


def derived_tables(snapshot: RegistrySnapshot, derived: DerivedFormat) -> RegistrySnapshot:
    """The tables whose names a file for some programs holds; those that nobody declared too."""
    declared = ((table, REGISTRIES.get(table.id)) for table in snapshot.registries)
    tables = tuple(table for table, it in declared if it is None or derived in it.derived)
    return snapshot if tables == snapshot.registries else replace(snapshot, registries=tables)


def kind_of(registry: SubRegistry) -> str:
    """A word for the names of one table, such as ``formal``; its id where none is declared."""
    declared = REGISTRIES.get(registry.id)
    return declared.kind if declared else registry.id


def registry_path(snapshot: RegistrySnapshot) -> str:
    """The page of a whole registry, below which its files lie."""
    return registry_folder(snapshot.id)


def template_path(registry: SubRegistry, record: Registration) -> str:
    """Where the text of a registered template is; LookupError for a table nobody declared."""
    return REGISTRIES[registry.id].template_page.format(record.folded)
