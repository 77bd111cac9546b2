"""What leads from the published JSON of one edition to that of another."""

from collections.abc import Iterable, Iterator

from app.bundles.edition_checks import EditionFile
from app.exports.content.file_names import registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.link_relations import LinkRelations
from app.exports.editions.delta import delta_bytes
from app.exports.editions.edition_list import delta_path, edition_path
from app.exports.manifests.bundle_files import FOR_EVER
from app.problems import use_case_codes
from app.registration.declarations.registries import Format
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.registration.records.registry_records import RegistrySnapshot
from app.services.refusals import NotFound
from app.services.stored_editions.stored_files import content_at
from app.store.editions import edition_rows

_JSON = "application/json"


def delta_between(group: RegistryGroup, before: int, after: int) -> bytes:
    """What leads from one edition of a group to another; NotFound where one is not published."""
    return delta_bytes(_published(group, before), _published(group, after))


def step_to(
    snapshot: RegistrySnapshot, files: Iterable[EditionFile], place: PublicationSite
) -> Iterator[EditionFile]:
    """What leads to an edition, whose files are given, from the one before if that is published.

    It is kept with the edition, so that copies have it too.
    """
    now = edition_path(snapshot.edition, registry_file(snapshot, Format.JSON), snapshot.id)
    path = delta_path(snapshot.edition - 1, snapshot.edition, snapshot.id)
    try:
        before = _published(GROUPS[snapshot.id], snapshot.edition - 1)
    except NotFound:
        return
    after = next(file.content for file in files if file.path == now)
    links = LinkRelations(snapshot, place).of_step(path)
    yield EditionFile(path, _JSON, delta_bytes(before, after), links, FOR_EVER)


def _published(group: RegistryGroup, number: int) -> bytes:
    path = edition_path(number, f"{group.id}.{Format.JSON}", group.id)
    found = edition_rows.find_numbered(group, number)
    try:
        return content_at(found.n if found else 0, path)
    except KeyError as error:
        raise NotFound(
            use_case_codes.EDITION_UNKNOWN,
            f"Edition {number} doesn't exist or isn't published yet.",
        ) from error
