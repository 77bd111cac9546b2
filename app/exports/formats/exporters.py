"""The forms in which a registry is published, each from the module that is called after it."""

from importlib import import_module

from app.exports.content.name_presentation import own_forms_of
from app.exports.formats.export_format import ExportFormat
from app.registration.declarations.formats import Format, FormatUse
from app.registration.records.registry_records import SubRegistry


def _row(format_: Format) -> ExportFormat:
    row = import_module(f"app.exports.formats.{format_}").FORMAT
    if not isinstance(row, ExportFormat) or row.format is not format_:
        raise TypeError(f"app.exports.formats.{format_} doesn't define how {format_} is written.")
    return row


FORMATS: dict[Format, ExportFormat] = {format_: _row(format_) for format_ in Format}

# What one name can be had as, besides its page, the most usual first; the suffix chooses.
NAME_FORMATS: tuple[Format, ...] = tuple(
    row.format for row in sorted(FORMATS.values(), key=lambda row: row.rank) if row.record
)


def name_forms(table: SubRegistry, *, former: bool = False) -> tuple[Format, ...]:
    """The forms of one name of a table as they are listed: data, then pages, then linked data.

    Some have no place for a name that is no longer in use.
    """
    uses = list(FormatUse)
    declared = own_forms_of(table)
    having = (form for form in NAME_FORMATS if form in declared)
    forms = (form for form in having if FORMATS[form].has_former or not former)
    return tuple(sorted(forms, key=lambda form: uses.index(form.use)))
