"""The forms in which a registry is published."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.exports.content.publication_site import PublicationSite
from app.exports.extracts.downloads import MEDIA_TYPES
from app.exports.formats.csv import csv_files
from app.exports.formats.json import json_files
from app.exports.formats.rdf import jsonld_files, nt_files, ttl_files
from app.exports.formats.txt import txt_files
from app.exports.formats.xhtml import xhtml_files
from app.exports.formats.xml import xml_files
from app.registration.declarations.registries import Format
from app.registration.records.registry_records import RegistrySnapshot

Files = Iterator[tuple[str, bytes]]
Make = Callable[[RegistrySnapshot, PublicationSite | None], Files]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One form: what it is called in HTTP, and how the files of a snapshot are made."""

    media_type: str
    make: Make

    def files(self, snapshot: RegistrySnapshot, place: PublicationSite | None = None) -> Files:
        """The files of a snapshot; equal snapshots at equal places give equal bytes.

        A form that names things by their addresses makes no file without a place.
        """
        return self.make(snapshot, place)


def _anywhere(make: Callable[[RegistrySnapshot], Files]) -> Make:
    return lambda snapshot, _place: make(snapshot)


def _somewhere(make: Callable[[RegistrySnapshot, PublicationSite], Files]) -> Make:
    return lambda snapshot, place: make(snapshot, place) if place else iter(())


_MAKE: dict[Format, Make] = {
    Format.XML: _anywhere(xml_files),
    Format.XHTML: _anywhere(xhtml_files),
    Format.TXT: _anywhere(txt_files),
    Format.JSON: _anywhere(json_files),
    Format.CSV: _anywhere(csv_files),
    Format.TTL: _somewhere(ttl_files),
    Format.JSONLD: _somewhere(jsonld_files),
    Format.NT: _somewhere(nt_files),
}

FORMATS: dict[Format, Exporter] = {
    format_: Exporter(MEDIA_TYPES[format_], make) for format_, make in _MAKE.items()
}
