"""Where the published pages and files of a registry are."""

from collections.abc import Container
from typing import NamedTuple

from app.exports.content.name_presentation import (
    derived_formats,
    presentation_of,
    registry_path,
    template_path,
)
from app.exports.editions.atom import atom_file
from app.exports.editions.edition_list import edition_path
from app.exports.extracts.derived_files import derived_file_name
from app.exports.extracts.downloads import registry_downloads
from app.registration.declarations.registries import DerivedFormat
from app.registration.declarations.registry_groups import (
    GROUPS,
    URN_GROUP,
    RegistryGroup,
    group_of_space,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

__all__ = [
    "HOME",
    "formats",
    "formats_of_edition",
    "group_of_snapshot",
    "has_home",
    "name_path",
    "registry_path",
    "suggestions_path",
    "table_of",
    "template_path",
]

HOME = "/"
ATOM_PURPOSE = "changes, for feed readers"


class DownloadLink(NamedTuple):
    """A file to fetch, as a page offers it: what it is called, where it is and what it is for."""

    label: str
    href: str
    purpose: str


def group_of_snapshot(snapshot: RegistrySnapshot) -> RegistryGroup:
    """The group of which a snapshot is; that of URN namespaces for one that nobody declared."""
    return GROUPS.get(snapshot.id, URN_GROUP)


def has_home(snapshot: RegistrySnapshot) -> bool:
    """Whether the start page, and all else of the site as a whole, goes with this registry."""
    return group_of_snapshot(snapshot).is_root


def suggestions_path(snapshot: RegistrySnapshot) -> str:
    """What a search field offers while somebody types; empty where there is no such file."""
    if DerivedFormat.SUGGESTIONS not in derived_formats(snapshot):
        return ""
    return registry_path(snapshot) + derived_file_name(snapshot, DerivedFormat.SUGGESTIONS)


def name_path(registry: SubRegistry, record: Registration) -> str:
    """The page of one registered name; its other forms add a suffix to it."""
    return presentation_of(registry).page.format(record.folded)


def name_path_in(edition: int, record: Registration) -> str:
    """The page of one name as it stood at an edition; its other forms add a suffix to it.

    The edition is told by its number in the group that publishes the names of the space.
    """
    group, path = group_of_space(record.space), record.space.page.format(record.folded)
    return edition_path(edition, path[1:], group.id)


def formats(snapshot: RegistrySnapshot) -> list[DownloadLink]:
    """The files of a whole registry."""
    return _formats(snapshot, registry_path(snapshot))


def formats_of_edition(
    snapshot: RegistrySnapshot, kept: Container[str] | None
) -> list[DownloadLink]:
    """The files that an edition keeps at its own address for ever.

    An older one may lack some, since it was made before there were such files. What is not
    made yet, so that nobody knows what is ``kept``, will have all.
    """
    every = _formats(snapshot, edition_path(snapshot.edition, group=snapshot.id))
    return [link for link in every if kept is None or link.href in kept]


def _formats(snapshot: RegistrySnapshot, at: str) -> list[DownloadLink]:
    feed = DownloadLink("Atom feed", at + atom_file(snapshot), ATOM_PURPOSE)
    files = registry_downloads(snapshot)
    return [*(DownloadLink(file.label, at + file.file, file.purpose) for file in files), feed]


def table_of(snapshot: RegistrySnapshot, record: Registration) -> SubRegistry:
    """The table that holds a name; LookupError where none does."""
    for table in snapshot.registries:
        if any(other.key == record.key for other in table.records):
            return table
    raise LookupError(f"No table of this registry contains `{record.name}`.")
