"""How a form of a registry is written and read back: what the module of each form says of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.exports.content.name_presentation import forms_of
from app.exports.content.publication_site import PublicationSite
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)

Files = Iterator[tuple[str, bytes]]

_LAST = 100


class UnreadableFile(ValueError):
    """A file that cannot be read back; the message says why and begins with a verb."""


@dataclass(frozen=True, slots=True)
class RecordExport:
    """One record of a registry to be written alone, with its table and the people it names."""

    snapshot: RegistrySnapshot
    home: SubRegistry
    record: Registration
    people: tuple[Person, ...]
    place: PublicationSite | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One form: how it is written, whole and for one record, and how its names are read back.

    A form that names things by their addresses makes no file without a place. ``rank`` is the
    place among the forms of one name, for who likes several of them alike.
    """

    format: Format
    make: Callable[[RegistrySnapshot, PublicationSite | None], Files]
    names_in: Callable[[bytes], list[str]]  # UnreadableFile where it cannot be read
    record: Callable[[RecordExport], bytes | None] | None = None
    lists_former: bool = False  # the file of the whole holds names no longer in use
    has_former: bool = True  # a name no longer in use has a file of its own
    rank: int = _LAST

    @property
    def media_type(self) -> str:
        """What HTTP calls it."""
        return self.format.media_type

    def files(self, snapshot: RegistrySnapshot, place: PublicationSite | None = None) -> Files:
        """The files of a snapshot; equal snapshots at equal places give equal bytes.

        They hold the tables whose registries declare this form, and there is none without them.
        """
        tables = tuple(t for t in snapshot.registries if self.format in forms_of(t))
        if tables == snapshot.registries:
            return self.make(snapshot, place)
        return self.make(replace(snapshot, registries=tables), place) if tables else iter(())
