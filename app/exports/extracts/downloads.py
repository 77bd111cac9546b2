"""What can be fetched of a registry: each file, what people call it, and its media type."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import derived_formats, forms_of, kind_of
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.registration.declarations.formats import Format, FormatUse
from app.registration.records.registry_records import RegistrySnapshot


@dataclass(frozen=True, slots=True)
class Download:
    """One file beside a registry's page, and what it is for."""

    label: str
    file: str
    media_type: str
    purpose: str = ""


def registry_downloads(snapshot: RegistrySnapshot) -> Iterator[Download]:
    """The files of a whole registry: its forms, then what is derived for some programs."""
    yield from registry_forms(snapshot)
    for derived in derived_formats(snapshot):
        maker, file = DERIVED_FILES[derived], derived_file_name(snapshot, derived)
        yield Download(maker.label, file, maker.media_type.partition(";")[0], maker.purpose)


def registry_forms(snapshot: RegistrySnapshot) -> Iterator[Download]:
    """The forms of a whole registry, those of its tables after that of the whole."""
    for form in Format:
        having = [table for table in snapshot.registries if form in forms_of(table)]
        if not having and snapshot.registries:
            continue
        yield Download(form.label, registry_file(snapshot, form), form.bare_type, form.purpose)
        for table in having if form.use is FormatUse.TABLES else ():
            label = f"{form.label}: {kind_of(table)}"
            yield Download(label, table_file(table), form.bare_type, form.purpose)
