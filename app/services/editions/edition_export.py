"""An edition in one of its formats, made from the database whether or not it is published."""

from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.editions.atom import atom_bytes, atom_file
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.exporters import FORMATS
from app.registration.declarations.registries import DerivedFormat, Format
from app.services.editions.changelog import history
from app.services.registry.snapshots import current_snapshot, snapshot_of


def exported(form: str, edition: int | None, place: PublicationSite) -> list[tuple[str, bytes]]:
    """The files of a format, of the feed or of a derived file by name, that of the whole first.

    They are the newest edition's where none is named; NotFound where it is not there.
    """
    snapshot = current_snapshot() if edition is None else snapshot_of(edition)
    if form == ATOM:
        feed = atom_bytes(snapshot, history(snapshot.edition), place)
        return [(atom_file(snapshot), feed)]
    if form in frozenset(map(str, DerivedFormat)):
        derived = DerivedFormat(form)
        return [(derived_file_name(snapshot, derived), DERIVED_FILES[derived].make(snapshot))]
    return list(FORMATS[Format(form)].files(snapshot, place))
