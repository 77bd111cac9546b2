"""An edition in one of its formats, made from the database whether or not it is published."""

from app.exports.content.name_presentation import derived_formats, forms_of
from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.editions.atom import atom_bytes, atom_file
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.exporters import FORMATS
from app.problems import page_codes
from app.registration.declarations.registries import DerivedFormat, Format
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.registry_records import RegistrySnapshot
from app.services.editions.changelog import history
from app.services.refusals import NotFound
from app.services.registry.snapshots import current_snapshot, key_of, snapshot_of


def export_files(
    group: RegistryGroup, form: str, number: int | None, place: PublicationSite
) -> list[tuple[str, bytes]]:
    """The files of a format, of the feed or of a derived file by name, that of the whole first.

    They are the group's newest edition's where none is named; NotFound where it is not there, or
    the group has no such files.
    """
    asked = None if number is None else key_of(group, number)
    snapshot = current_snapshot(group) if asked is None else snapshot_of(asked)
    _refuse_undeclared(form, snapshot)
    if form == ATOM:
        feed = atom_bytes(snapshot, history(group, asked), place)
        return [(atom_file(snapshot), feed)]
    if form in frozenset(map(str, DerivedFormat)):
        derived = DerivedFormat(form)
        return [
            (
                derived_file_name(snapshot, derived),
                DERIVED_FILES[derived].bytes_of(snapshot, derived),
            )
        ]
    return list(FORMATS[Format(form)].files(snapshot, place))


def _refuse_undeclared(form: str, snapshot: RegistrySnapshot) -> None:
    tables = snapshot.registries
    forms = {str(each) for table in tables for each in forms_of(table)} if tables else {*Format}
    having = {*forms, ATOM, *map(str, derived_formats(snapshot))}
    if form not in having:
        told = f"`{snapshot.id}` has no {form} format. Choose one of: {', '.join(sorted(having))}."
        raise NotFound(page_codes.FORMAT_UNKNOWN, told)
