"""Publishing an edition: its stored files and the pages of this host, laid out and mended."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

from app.bundles.edition_checks import EditionFile
from app.bundles.edition_files import (
    WHOLE_SUFFIXES,
    accept_choices,
    edition_files,
)
from app.bundles.layout import (
    editions_laid_out,
    is_laid_out,
    keep_bytes,
    lay_out,
    lay_out_edition,
    refuse_older,
)
from app.bundles.scrub import scrub_of
from app.exports.content.file_names import alias_paths, registry_folder
from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.link_relations import LinkRelations
from app.exports.discovery.naptr_zone import MEDIA_TYPE as ZONE_TYPE
from app.exports.discovery.naptr_zone import ZONE, zone_bytes
from app.exports.discovery.sitemap import MEDIA_TYPE as SITEMAP_TYPE
from app.exports.discovery.sitemap import ROBOTS_TYPE, robots_bytes, sitemap_files
from app.exports.editions.edition_list import delta_path, edition_path
from app.exports.formats.json import SCHEMAS
from app.exports.manifests.bundle_files import ALWAYS_ASK, FOR_EVER, BundleFile
from app.exports.manifests.bundle_paths import CURRENT, SHELL, find_owner, shell_path
from app.exports.manifests.manifest import Manifest
from app.pages.assets import FONT_SUFFIX, static_files
from app.pages.lists.registry_paths import HOME
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.registration.declarations.registries import Format
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.registration.records.registry_records import RegistrySnapshot
from app.services.editions import edition_build, page_renewal
from app.services.editions.edition_build import (
    ReusableFiles,
    list_paths,
    mark_in,
    mark_of,
    reusable_files,
)
from app.services.editions.version_history import growth, history, name_histories
from app.services.registry.snapshots import snapshot_of
from app.services.stored_editions.stored_files import (
    BlobMissing,
    BlobReader,
    files_of,
    files_of_below,
    lasting_paths,
    list_of,
)
from app.store.database import read_transaction
from app.store.edition_groups import group_at
from app.store.editions import edition_rows

_log = logging.getLogger(__name__)

_SHELL_TYPE = "text/plain; charset=utf-8"  # no page, but what one is made with
_HTML = "text/html; charset=utf-8"
_MENDED = 50  # files that are mended at once


def lacks_layout(published: Path, group: RegistryGroup) -> bool:
    """Whether this host answers nothing of a group, which has an edition that is built."""
    with read_transaction():
        newest = edition_rows.newest_built(group)
    return newest is not None and not (published / group.folder / CURRENT).is_symlink()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicationEnvironment:
    """What this host makes pages with: the page templates, the shell round them, the assets.

    ``made_by`` is a fingerprint of all of it. ``naptr_suffix`` is the domain below which names have
    records of the DNS; empty for none.
    ``lists`` is where it is listed what lies under a name of the group, by its key, for those that
    have a prefix.
    """

    site: Site
    chrome: Chrome
    static: Path
    place: PublicationSite
    made_by: str
    naptr_suffix: str = ""
    lists: Mapping[str, str] = field(default_factory=dict)


def lay_out_newest(
    published: Path, making: PublicationEnvironment, group: RegistryGroup
) -> int | None:
    """Lay a group's newest edition out on this host, unless it lies there as this software has it.

    Gives its number; None also where only some pages had to be made anew: the first one, which
    tells of other groups, and those of names under which names are given. The formats are the
    stored bytes. The pages are made here, since they show this site's settings and not only the
    edition. Every edition's own files are laid out first.
    Raises OlderEditionRefused where a newer one lies there, as after a database was put back.
    """
    folder = published / group.folder
    with read_transaction():
        newest = edition_rows.newest_built(group)
        _lay_out_history(folder, group)
        number = edition_rows.get_edition(newest).number if newest else 0
        if newest is None:
            return None
        making, made_by = _making_of(making, group)
        moment = edition_build.moments_of(newest)[0]
        if is_laid_out(folder, number, made_by):
            return None
        refuse_older(folder, number)
        renewed = partial(_renewed, newest, making)
        if page_renewal.renew(folder, (number, moment), made_by, renewed):
            return None
        known = reusable_files(folder, newest, made_by, making.lists)
        try:
            _lay_out(folder, newest, making, known)
        except BlobMissing:  # what the current edition has was damaged, so that all is made anew
            _lay_out(folder, newest, making, ReusableFiles())
    return number


def _making_of(
    making: PublicationEnvironment, group: RegistryGroup
) -> tuple[PublicationEnvironment, str]:
    lists = list_paths(group)
    made_by = page_renewal.maker_of(making.made_by, group, mark_of(lists))
    return replace(making, made_by=made_by, lists=lists), made_by


def _renewed(
    edition: int, making: PublicationEnvironment, made_by: str
) -> Iterator[tuple[str, bytes]]:
    group, snapshot = group_at(edition), snapshot_of(edition)
    if group.is_root:
        tally = page_renewal.tally_of(group)
        yield HOME, making.site.home(snapshot, making.chrome, tally=tally).encode()
    if mark_in(made_by) != mark_in(making.made_by):
        pasts = name_histories(edition)
        for path, html in making.site.name_pages(
            snapshot, making.chrome, pasts, only=making.lists, lists=making.lists
        ):
            yield path, html.encode()


def _lay_out(
    folder: Path,
    edition: int,
    making: PublicationEnvironment,
    known: ReusableFiles,
) -> None:
    of_host = chain(_pages(edition, making, known.pages), _lacking(edition, making))
    made = edition_build.manifest_entries(of_host, known.forms, partial(keep_bytes, folder))
    manifest = _current(edition, making, (*made, *known.pages.values()))
    lay_out(folder, manifest, BlobReader(manifest, folder).read)


def mend(
    published: Path, making: PublicationEnvironment, at: datetime, group: RegistryGroup
) -> int:
    """Look at some of what a group has on this host, and mend what is damaged; give how many were.

    Bytes come from the database. Those of pages and lists that a host makes are made anew.
    """
    folder = published / group.folder
    damaged = scrub_of(folder).find_damage(at)
    if not damaged:
        return 0
    _log.warning("repairing %s missing or damaged files in %s", len(damaged), folder)
    with read_transaction():
        held = frozenset(_put_back(folder, sorted({each.sha256 for each in damaged})))
        rest = [each for each in damaged if each.sha256 not in held]
        lasting = {each.edition for each in rest if each.edition}
        for edition in edition_rows.built(group):
            if edition_rows.get_edition(edition).number in lasting:
                _lay_out_own(folder, edition)
        if any(not each.edition for each in rest):
            _make_anew(folder, making, group)
    return len(damaged)


def _put_back(folder: Path, digests: Sequence[str]) -> Iterator[str]:
    for some in (digests[at : at + _MENDED] for at in range(0, len(digests), _MENDED)):
        bodies = edition_rows.contents(some)
        keep_bytes(folder, bodies)
        yield from bodies


def _make_anew(folder: Path, making: PublicationEnvironment, group: RegistryGroup) -> None:
    newest = edition_rows.newest_built(group)
    if newest is None:
        return
    number = edition_rows.get_edition(newest).number
    marked, made_by = _making_of(making, group)
    if page_renewal.has_its_pages(folder, number, made_by):
        _lay_out(folder, newest, marked, ReusableFiles())


def _lay_out_history(folder: Path, group: RegistryGroup) -> None:
    there, keys = editions_laid_out(folder), edition_rows.keys_of(group)
    built = set(edition_rows.built(group))
    for number, edition in keys.items():
        if edition in built and number not in there:
            _lay_out_own(folder, edition)


def _lay_out_own(folder: Path, edition: int) -> None:
    row, listed = edition_rows.get_edition(edition), list_of(edition)
    number, own = row.number, edition_path(row.number, group=row.group_id)
    files = files_of_below(edition, own, delta_path(number - 1, number, row.group_id))
    stem = own + row.group_id
    manifest = Manifest(
        edition=number,
        as_of=listed.as_of,  # as it was published, whichever edition has the number now
        made_by="the registry",
        files=files,
        corrections=listed.corrections,
        negotiated=((stem, _chosen_among(stem, files)),),
    )
    lay_out_edition(folder, manifest, BlobReader(manifest, folder).read)


def _chosen_among(stem: str, files: Collection[BundleFile]) -> tuple[str, ...]:
    listed = tuple(file.path for file in files if file.path.startswith(f"{stem}."))
    if f"{stem}.{Format.CSV}" not in listed:
        return listed
    return tuple(f"{stem}.{suffix}" for suffix in WHOLE_SUFFIXES)


def _pages(
    edition: int, making: PublicationEnvironment, kept: Collection[str]
) -> Iterator[EditionFile]:
    snapshot, site, chrome = snapshot_of(edition), making.site, making.chrome
    group = group_at(edition)
    links, rows = LinkRelations(snapshot, making.place), history(group, edition)
    link_of = links.by_page()
    paths = [*kept]
    for path, html in chain(
        site.pages(
            snapshot,
            chrome,
            name_histories(edition),
            kept,
            page_renewal.tally_of(group),
            making.lists,
        ),
        site.history_pages(
            snapshot, rows, growth(group, rows), chrome, partial(lasting_paths, group)
        ),
    ):
        paths.append(path)
        yield EditionFile(path, _HTML, html.encode(), link_of.get(path) or links.of_page(path))
    for name, content in sitemap_files(sorted(paths), making.place, folder=group.folder):
        yield EditionFile(f"/{name}", SITEMAP_TYPE, content)
    if group.is_root:
        yield from _of_site(snapshot, making)
    elif group.schemes:  # whose names have pages that each host makes by itself
        shell = site.shell(chrome, registry_folder(group.id), has_numbers=True)
        yield EditionFile(shell_path(group.id), _SHELL_TYPE, shell.encode())


def _of_site(snapshot: RegistrySnapshot, making: PublicationEnvironment) -> Iterator[EditionFile]:
    yield EditionFile(
        SHELL, _SHELL_TYPE, making.site.shell(making.chrome, registry_folder(snapshot.id)).encode()
    )
    folders = [each.folder for each in GROUPS.values()]
    yield EditionFile("/robots.txt", ROBOTS_TYPE, robots_bytes(making.place, folders))
    if making.naptr_suffix:
        yield EditionFile(ZONE, ZONE_TYPE, zone_bytes(snapshot, making.place, making.naptr_suffix))
    for name, file in static_files(making.static).items():
        kept = FOR_EVER if name.endswith(FONT_SUFFIX) else ALWAYS_ASK
        yield EditionFile(file.path, file.media_type, file.content, "", kept)
        if file.lasting_path != file.path:
            yield EditionFile(file.lasting_path, file.media_type, file.content, "", FOR_EVER)


def _lacking(edition: int, making: PublicationEnvironment) -> Iterator[EditionFile]:
    if list_of(edition).made_by == edition_build.maker_of(making.place):
        return
    kept = {file.path for file in files_of(edition)}
    rows = history(group_at(edition), edition)
    for file in edition_files(snapshot_of(edition), making.place, rows):
        is_new = file.path not in kept or file.path.startswith(SCHEMAS)
        if is_new and find_owner(file.path) is None:
            yield file


def _current(
    edition: int, making: PublicationEnvironment, of_host: tuple[BundleFile, ...]
) -> Manifest:
    made = {file.path for file in of_host}
    row = edition_rows.get_edition(edition)
    home, ways = registry_folder(row.group_id), alias_paths(GROUPS[row.group_id])
    kept = (file for file in files_of(edition) if find_owner(file.path) != row.number)
    as_of, modified = edition_build.moments_of(edition)
    return Manifest(
        edition=row.number,
        as_of=as_of,
        modified=modified,
        made_by=making.made_by,
        files=(*of_host, *(file for file in kept if file.path not in made)),
        redirects=tuple((way, home) for way in ways),
        negotiated=accept_choices(row.group_id),
        registry=making.place.base_url,
        corrections=list_of(edition).corrections,
    )
