"""How the published forms speak of the names of a space."""

from dataclasses import replace

from app.exports.content.file_names import registry_folder
from app.registration.declarations.formats import Format
from app.registration.declarations.identifier_spaces import UNDECLARED_SPACE
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


def space_among(snapshot: RegistrySnapshot) -> IdentifierSpace:
    """The space that gives a registry's names their word: that of its first table."""
    spaces = (presentation_of(table) for table in snapshot.registries)
    return next(spaces, UNDECLARED_SPACE)


def whole_name(space: IdentifierSpace, record: Registration) -> str:
    """A name with what stands around it in use, such as ``urn:isbn:``; empty if nothing does."""
    return space.whole(record.folded)


def forms_of(registry: SubRegistry) -> tuple[Format, ...]:
    """The forms in which the names of a table are published; all for a table nobody declared."""
    declared = REGISTRIES.get(registry.id)
    return declared.exports if declared else tuple(Format)


def own_forms_of(registry: SubRegistry) -> tuple[Format, ...]:
    """The forms in which each name of a table has a file of its own."""
    declared = REGISTRIES.get(registry.id)
    own = declared.name_exports if declared else None
    return forms_of(registry) if own is None else own


def has_name_feeds(registry: SubRegistry) -> bool:
    """Whether each name of a table has a feed of its own."""
    declared = REGISTRIES.get(registry.id)
    return declared is None or declared.has_name_feeds


def derived_tables(snapshot: RegistrySnapshot, derived: DerivedFormat) -> RegistrySnapshot:
    """The tables whose names a file for some programs holds; those that nobody declared too."""
    declared = ((table, REGISTRIES.get(table.id)) for table in snapshot.registries)
    tables = tuple(table for table, it in declared if it is None or derived in it.derived)
    return snapshot if tables == snapshot.registries else replace(snapshot, registries=tables)


def derived_formats(snapshot: RegistrySnapshot) -> tuple[DerivedFormat, ...]:
    """The files for some programs that a registry has: each that one of its tables declares.

    Those of a table that nobody declared are those of the first registry, as where there is none.
    """
    declared = [REGISTRIES.get(table.id) for table in snapshot.registries]
    if not declared or not all(declared):
        return next(iter(REGISTRIES.values())).derived
    return tuple(each for each in DerivedFormat if any(each in it.derived for it in declared if it))


def kind_of(registry: SubRegistry) -> str:
    """A word for the names of one table, such as ``formal``; its id where none is declared."""
    declared = REGISTRIES.get(registry.id)
    return declared.kind if declared else registry.id


def kind_word(registry: SubRegistry) -> str:
    """A word for the names of one table as people read it: ``formal``, ``NAAN``."""
    declared = REGISTRIES.get(registry.id)
    return declared.kind_word if declared else registry.id


def kind_in_words(registry: SubRegistry) -> str:
    """What a name of a table is: ``formal URN namespace``, and ``NAAN`` where the kind says it."""
    kind, noun = kind_of(registry), presentation_of(registry).noun
    return noun if noun.lower().startswith(kind.lower()) else f"{kind} {noun}"


def registry_path(snapshot: RegistrySnapshot) -> str:
    """The page of a whole registry, below which its files lie."""
    return registry_folder(snapshot.id)


def template_path(registry: SubRegistry, record: Registration) -> str:
    """Where the text of a registered template is, empty where its registry has no such texts.

    LookupError for a table nobody declared.
    """
    return REGISTRIES[registry.id].template_page.format(record.folded)
