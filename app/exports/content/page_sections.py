"""What stands above the tables of the registry page, for every form that readers read.

Source: the order of parts of IANA's pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import forms_of
from app.registration.declarations.formats import Format, forms_on_page
from app.registration.declarations.registries import REGISTRIES, TEMPLATE_FIELDS
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    Xref,
)
from app.registration.records.succession import replacement_words
from app.registration.templates.template_writer import format_template

DEPRECATED = "Deprecated"
ENDED = "No longer in use"
INCLUDED = "Registries Included Below"
CONTACTS = "Contact Information"


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading with the lines or the files that stand below it."""

    heading: str
    lines: tuple[RichText, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


def registry_parts(snapshot: RegistrySnapshot) -> Iterator[PageSection]:
    """What the page says of the whole registry; a part with nothing to say is left out."""
    if snapshot.notice:
        yield PageSection("Notice", lines_of((snapshot.notice,)))
    yield PageSection("Last Updated", ((snapshot.updated,),))
    for note in snapshot.notes:
        yield PageSection("Note", lines_of(note))
    files = tuple((form.label, registry_file(snapshot, form)) for form in forms_on_page())
    yield PageSection("Available Formats", files=files)


def table_parts(registry: SubRegistry) -> Iterator[PageSection]:
    """What the page says of one table; a part with nothing to say is left out."""
    if rule := lines_of(registry.rule):
        yield PageSection("Registration Procedure(s)", rule)
    if expert := lines_of((registry.expert,)):
        yield PageSection("Expert(s)", expert)
    if registry.references:
        yield PageSection("Reference", (registry.references,))
    if deprecated := deprecation_lines(registry):
        yield PageSection(DEPRECATED, tuple((sentence,) for sentence in deprecated))
    if ended := ended_name_lines(registry):
        yield PageSection(ENDED, tuple((sentence,) for sentence in ended))
    if Format.CSV in forms_of(registry):
        yield PageSection("Available Formats", files=((Format.CSV.label, table_file(registry)),))


def record_parts(registry: SubRegistry, record: Registration) -> Iterator[PageSection]:
    """What is known of one record beside its references; a part with nothing to say is left out."""
    yield PageSection("Registry", ((registry.title,),))
    yield PageSection("Status", ((str(record.status),),))
    if record.successor:
        renamed = record.status is Status.FORMER and not _ends_by_holder(registry)
        heading = "Became" if renamed else "Use instead"
        yield PageSection(heading, ((record.successor,),))
    yield PageSection("Registered", ((record.date or "date not recorded",),))
    if record.updated:
        yield PageSection("Last changed", ((record.updated,),))


def deprecation_lines(registry: SubRegistry) -> tuple[str, ...]:
    """What is said of the names of one table that are deprecated, for each what to use instead."""
    return tuple(
        (f"{record.folded} is deprecated. Existing identifiers stay valid. {_instead(record)}")
        for record in registry.records
        if record.status is Status.DEPRECATED
    )


def ended_name_lines(registry: SubRegistry) -> tuple[str, ...]:
    """What is said of the names of one table that are in use no more, where their holders end them.

    IANA's registry of namespaces tells nothing of a former name, and neither do forms of it.
    """
    ended = (record for record in registry.records if record.status is Status.FORMER)
    return tuple(map(_ended, ended)) if _ends_by_holder(registry) else ()


def _ends_by_holder(registry: SubRegistry) -> bool:
    declared = REGISTRIES.get(registry.id)
    return declared is not None and declared.ends_as == Status.FORMER


def _ended(record: Registration) -> str:
    was = "was registered by mistake" if record.is_voided else "is no longer in use"
    return f"{record.folded} {was}. It is never reused. {_instead(record)}"


def _instead(record: Registration) -> str:
    successor = record.successor_folded
    return replacement_words(record.space.whole(successor) or successor if successor else "")


def template_of(home: SubRegistry, record: Registration) -> str:
    """The template on file as one mails it, word for word where it came so; else empty.

    Of a deprecated name the first line says so, as a title, which no field is read from.
    """
    if not record.has_template:
        return ""
    is_deprecated = record.status is Status.DEPRECATED
    title = f"This namespace is deprecated. {_instead(record)}" if is_deprecated else ""
    if record.text:
        return f"{title}\n\n{record.text}" if title else record.text
    declared = REGISTRIES.get(home.id)
    fields = declared.public_fields if declared else TEMPLATE_FIELDS
    return format_template(dict(record.fields), fields, title)


def lines_of(text: RichText) -> tuple[RichText, ...]:
    """A mixed text as its lines, without those that say nothing."""
    lines: list[list[str | Xref]] = [[]]
    for part in text:
        first, *rest = part.split("\n") if isinstance(part, str) else [part]
        lines[-1].append(first)
        lines += [[piece] for piece in rest]
    return tuple(tuple(line) for line in lines if any(map(_says_something, line)))


def _says_something(part: str | Xref) -> bool:
    return isinstance(part, Xref) or bool(part.strip())
