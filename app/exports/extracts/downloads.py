"""What can be fetched of a registry: each file, what people call it, and its media type."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import kind_of
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.registration.declarations.registries import Format
from app.registration.records.registry_records import RegistrySnapshot

MEDIA_TYPES: dict[Format, str] = {
    Format.XML: "application/xml",
    Format.XHTML: "application/xhtml+xml",
    Format.TXT: "text/plain; charset=utf-8",
    Format.JSON: "application/json",
    Format.CSV: "text/csv; charset=utf-8; header=present",
    Format.TTL: "text/turtle; charset=utf-8",
    Format.JSONLD: "application/ld+json",
    Format.NT: "application/n-triples",
}

LABELS: dict[Format, str] = {
    Format.XML: "XML",
    Format.XHTML: "HTML",
    Format.TXT: "Plain text",
    Format.JSON: "JSON",
    Format.CSV: "CSV",
    Format.TTL: "Turtle",
    Format.JSONLD: "JSON-LD",
    Format.NT: "N-Triples",
}


@dataclass(frozen=True, slots=True)
class Download:
    """One file beside a registry's page."""

    label: str
    file: str
    media_type: str


def downloads(snapshot: RegistrySnapshot) -> Iterator[Download]:
    """The files of a whole registry: its forms, then what is derived for some programs."""
    yield from forms(snapshot)
    for derived, maker in DERIVED_FILES.items():
        file = derived_file_name(snapshot, derived)
        yield Download(maker.label, file, _bare(maker.media_type))


def forms(snapshot: RegistrySnapshot) -> Iterator[Download]:
    """The forms of a whole registry, CSV also table by table."""
    for format_ in Format:
        file = registry_file(snapshot, format_)
        yield Download(LABELS[format_], file, bare_type(format_))
        for table in snapshot.registries if format_ is Format.CSV else ():
            label = f"{LABELS[format_]}: {kind_of(table)}"
            yield Download(label, table_file(table), bare_type(format_))


def bare_type(format_: Format) -> str:
    """The media type of a form without its parameters."""
    return _bare(MEDIA_TYPES[format_])


def _bare(media_type: str) -> str:
    return media_type.partition(";")[0]
