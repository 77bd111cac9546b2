"""Publishing an edition: its files made once, kept as bytes, and laid out on this host."""

import logging
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path

from app.bundles.edition_checks import EditionFile, check_files, withdrawn
from app.bundles.edition_files import (
    WHOLE_SUFFIXES,
    KnownForms,
    accept_choices,
    edition_files,
    entries_of,
    is_of_archive,
    name_files,
    name_of,
    registry_files,
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
from app.exports.content.file_names import registry_folder, ways_to
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
from app.exports.manifests.manifest import Manifest, manifest_bytes
from app.exports.manifests.manifest_parts import divide_manifest
from app.pages.assets import FONT_SUFFIX, static_files
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.registration.declarations.registries import Format
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.services.editions import first_page
from app.services.editions.changelog import growth, history
from app.services.editions.deltas import step_to
from app.services.editions.reuse import ReusableFiles, names_touched, reusable
from app.services.editions.version_history import pasts
from app.services.registrations.corrections import is_explained
from app.services.registrations.former_names import left_list_by
from app.services.registry.snapshots import snapshot_of
from app.services.software_fingerprint import fingerprint
from app.services.stored_editions.stored_blobs import BlobMissing, BlobReader
from app.services.stored_editions.stored_files import (
    files_of,
    files_of_below,
    kept_by_number,
    list_of,
)
from app.store.database import reading, transaction
from app.store.digests import sha256
from app.store.edition_groups import find_before, group_at
from app.store.editions import edition_rows
from app.store.editions.edition_digests import digests_until
from app.store.editions.edition_lock import sole_builder
from app.store.event_log import event_rows
from app.store.registry.record_versions import made_former
from app.store.tables.requests import EventSubject

BUILT = "edition built"  # the kind of the entry that says so

_log = logging.getLogger(__name__)

_SHELL_TYPE = "text/plain; charset=utf-8"  # no page, but what one is made with
_HTML = "text/html; charset=utf-8"
_LONGEST_WHY = 2000
_LONGEST_BUILD = timedelta(minutes=15)  # of a hundred thousand names, and more
_AT_ONCE = 2000  # files whose bytes are in memory
_MENDED = 50  # files that are mended at once


def build_pending(
    at: datetime | None, place: PublicationSite, built: Callable[[], None] = lambda: None
) -> list[int]:
    """Make the files of every edition that lacks them, oldest first; give those made.

    ``built`` is called after each that is made, before the next is begun.

    They are told by their keys. An edition that cannot be built is noted for the operator and
    tried again later; those after it are built all the same, since each is whole in itself.
    Without a moment all are tried, also those that failed just now. Where another worker builds,
    this one leaves it to that, unless it takes too long: a process that was stopped holds its
    right.
    """
    if not _unbuilt(at):
        return []
    with sole_builder() as is_alone:
        waiting = _unbuilt(at) if is_alone else _overdue(at)
        return [edition for edition in waiting if _build_or_note(edition, at, place, built)]


def _unbuilt(at: datetime | None) -> list[int]:
    with reading():
        return edition_rows.unbuilt(at)


def _overdue(at: datetime | None) -> list[int]:
    """What whoever builds should have built by now; to build it twice does no harm."""
    with reading():
        waiting = edition_rows.unbuilt(at) if at else []
        return [
            n for n in waiting if at and at - edition_rows.get_edition(n).as_of > _LONGEST_BUILD
        ]


def _build_or_note(
    edition: int, at: datetime | None, place: PublicationSite, built: Callable[[], None]
) -> bool:
    try:
        _build(edition, place)
    except Exception as error:  # whatever it is, the old edition stays and the operator is told
        _log.exception("edition %s cannot be built", edition)
        why = f"{type(error).__name__}: {error}"[:_LONGEST_WHY]
        with transaction():
            edition_rows.note_failure(edition, why, at)
        return False
    built()
    return True


def lacks_layout(published: Path, group: RegistryGroup) -> bool:
    """Whether this host answers nothing of a group, which has an edition that is built."""
    with reading():
        newest = edition_rows.newest_built(group)
    return newest is not None and not (published / group.folder / CURRENT).is_symlink()


def _maker(place: PublicationSite) -> str:
    """By what the files of an edition are made: the site, and a fingerprint of the software."""
    return f"{place.base_url} {fingerprint()}"


def _build(edition: int, place: PublicationSite) -> None:
    """An edition never changes, so that its files are made before anything is locked.

    Bytes go into the database as they are made: of a large registry they would fill the
    memory, and to write them at once would keep everybody else from writing for minutes.
    """
    made_by = _maker(place)
    with reading():
        snapshot, group = snapshot_of(edition), group_at(edition)
        before = edition_rows.built(group, until=edition)
        earlier = files_of(before[-1]) if before else ()
        kept, names = _kept(edition, earlier, made_by)
        previous = edition_rows.manifest_digest(before[-1]) if before else ""
        rows = history(group, edition)
        archive = _archive(earlier, before, place)
        archived = frozenset(path.rpartition("/")[2] for path in archive)
        files = list(registry_files(snapshot, place, rows, archived))
        records = _records_before(edition)
        check_files(files, snapshot, frozenset(record.key for record in records))
        listed = (record.key for record in records if record.status is not Status.FORMER)
        gone = withdrawn(snapshot, frozenset(listed), _recorded(edition))
        files += step_to(snapshot, files, place)
        as_of, modified = _moments(edition)
        digests = digests_until(edition)[edition]
    known = {(file.media_type, file.sha256): file.forms for file in earlier}
    own = name_files(snapshot, place, rows, names)
    made = _entries(chain(files, own), known, _storing(earlier))
    manifest = Manifest(
        edition=snapshot.edition,
        as_of=as_of,
        modified=modified,
        previous=previous,
        made_by=made_by,
        files=(*made, *kept, *archive.values()),
        corrections=gone,
    )
    head, parts = divide_manifest(manifest)
    head_bytes = manifest_bytes(head)
    digest = sha256(head_bytes)
    _keep({**parts, digest: head_bytes})
    with transaction():
        if edition_rows.keep_files(edition, digest):
            _note_built(edition, digest, digests)


def _archive(
    earlier: tuple[BundleFile, ...], before: Sequence[int], place: PublicationSite
) -> Mapping[str, BundleFile]:
    """The pages of the feed's archive that there are: each is made once, unless the site moved."""
    if not before or list_of(before[-1]).made_by.partition(" ")[0] != place.base_url:
        return {}
    return {file.path: file for file in earlier if is_of_archive(file.path)}


def _note_built(edition: int, manifest: str, digests: Mapping[str, str]) -> None:
    """Whoever knows this entry of the record knows every byte of the edition, and of all before."""
    event = event_rows.NewEvent(
        at=edition_rows.clock_time(edition_rows.get_edition(edition).as_of),
        kind=BUILT,
        subject=EventSubject.REGISTRY,
        about=str(edition),
        role="registry",
        body=canonical_json({"manifest": manifest}),
    )
    event_rows.append(event, secrets.token_hex(16), digests)


def _moments(edition: int) -> tuple[str, str]:
    """When an edition was opened; and its Last-Modified, where that is another second."""
    opened, modified = edition_rows.get_edition(edition).as_of, edition_rows.last_modified(edition)
    is_same = modified == opened.replace(microsecond=0)
    return opened.isoformat(), "" if is_same else f"{modified:%Y-%m-%dT%H:%M:%SZ}"


def _entries(
    files: Iterator[EditionFile], known: KnownForms, keep: Callable[[dict[str, bytes]], None]
) -> Iterator[BundleFile]:
    """The files as a manifest lists them; ``keep`` gets their bytes by SHA-256, some at once.

    So the memory holds but some files of a large registry.
    """
    while batch := list(islice(files, _AT_ONCE)):
        entries, bodies = entries_of(batch, known)
        keep(bodies)
        yield from entries


def _storing(earlier: tuple[BundleFile, ...]) -> Callable[[dict[str, bytes]], None]:
    held = {blob.sha256 for file in earlier for blob in file.blobs}

    def keep(bodies: dict[str, bytes]) -> None:
        _keep({digest: body for digest, body in bodies.items() if digest not in held})

    return keep


def _keep(bodies: Mapping[str, bytes]) -> None:
    made = edition_rows.packed_bytes(bodies)
    with transaction():
        edition_rows.keep_bytes(made)


def _records_before(edition: int) -> tuple[Registration, ...]:
    before = find_before(edition)
    return tuple(snapshot_of(before).records()) if before else ()


def _recorded(edition: int) -> dict[str, str]:
    """What became of the names that an edition says why it no longer lists.

    It is the name that took its place, or by what else it left the list.
    """
    why = left_list_by(edition)
    return {
        name: successor or why
        for name, (cause, successor) in made_former(edition).items()
        if is_explained(cause, edition)
    }


def _kept(
    edition: int, earlier: tuple[BundleFile, ...], made_by: str
) -> tuple[tuple[BundleFile, ...], frozenset[str] | None]:
    """The files of names that this edition did not touch, and the names that it did.

    None and no files where all are to be made: after other software or another address,
    and where more changed than names.
    """
    before, group = find_before(edition), group_at(edition)
    if before is None or before not in edition_rows.built(group, until=edition):
        return (), None
    is_same = list_of(before).made_by == made_by
    names = names_touched(edition) if is_same else None
    if names is None:
        return (), None
    kept = (file for file in earlier if (name := name_of(file.path)) and name not in names)
    return tuple(kept), names


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicationEnvironment:
    """What this host makes pages with: the page templates, the shell round them, the assets.

    ``made_by`` is a fingerprint of all of it. ``naptr_suffix`` is the domain below which names have
    records of the DNS; empty for none. ``times`` tells the first page how long decisions take.
    """

    site: Site
    chrome: Chrome
    static: Path
    place: PublicationSite
    made_by: str
    naptr_suffix: str = ""
    times: first_page.MeasureTimes | None = None


def lay_out_newest(
    published: Path,
    making: PublicationEnvironment,
    group: RegistryGroup,
    at: datetime | None = None,
) -> int | None:
    """Lay a group's newest edition out on this host, unless it lies there as this software has it.

    Gives its number; None also where only the first page had to be made anew, which tells of other
    groups and, on the day of ``at``, of decisions. The formats are the stored bytes. The pages are
    made here, since they show this site's settings and not only the edition. Every edition's own
    files are laid out first.
    Raises OlderEditionRefused where a newer one lies there, as after a database was put back.
    """
    folder = published / group.folder
    with reading():
        newest = edition_rows.newest_built(group)
        _lay_out_history(folder, group)
        number = edition_rows.get_edition(newest).number if newest else 0
        if newest is None:
            return None
        made_by, moment = first_page.maker_of(making.made_by, group, at), _moments(newest)[0]
        if is_laid_out(folder, number, made_by):
            return None
        refuse_older(folder, number)
        home = partial(_home, newest, making, at)
        if group.is_root and first_page.renew(folder, (number, moment), made_by, home):
            return None
        known = reusable(folder, newest, making.made_by)
        making = replace(making, made_by=made_by)
        try:
            _lay_out(folder, newest, making, known, at)
        except BlobMissing:  # what the current edition has was damaged, so that all is made anew
            _lay_out(folder, newest, making, ReusableFiles(), at)
    return number


def _home(edition: int, making: PublicationEnvironment, at: datetime | None) -> bytes:
    tally = first_page.tally_of(group_at(edition), making.times, at)
    return making.site.home(snapshot_of(edition), making.chrome, tally=tally).encode()


def _lay_out(
    folder: Path,
    edition: int,
    making: PublicationEnvironment,
    known: ReusableFiles,
    at: datetime | None,
) -> None:
    of_host = chain(_pages(edition, making, known.pages, at), _lacking(edition, making))
    made = _entries(of_host, known.forms, partial(keep_bytes, folder))
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
    _log.warning("%s files in %s are missing or damaged, and are mended", len(damaged), folder)
    with reading():
        held = frozenset(_put_back(folder, sorted({each.sha256 for each in damaged})))
        rest = [each for each in damaged if each.sha256 not in held]
        lasting = {each.edition for each in rest if each.edition}
        for edition in edition_rows.built(group):
            if edition_rows.get_edition(edition).number in lasting:
                _lay_out_own(folder, edition)
        if any(not each.edition for each in rest):
            _make_anew(folder, making, group, at)
    return len(damaged)


def _put_back(folder: Path, digests: Sequence[str]) -> Iterator[str]:
    for some in (digests[at : at + _MENDED] for at in range(0, len(digests), _MENDED)):
        bodies = edition_rows.contents(some)
        keep_bytes(folder, bodies)
        yield from bodies


def _make_anew(
    folder: Path, making: PublicationEnvironment, group: RegistryGroup, at: datetime
) -> None:
    """Lay the current edition out once more, which reads and mends all of it."""
    newest = edition_rows.newest_built(group)
    if newest is None:
        return
    number = edition_rows.get_edition(newest).number
    # as it lies there if that can be: with the day of decisions or without one
    for day in (at, None, at):
        made_by = first_page.maker_of(making.made_by, group, day)
        if is_laid_out(folder, number, made_by):
            break
    if first_page.has_its_pages(folder, number, made_by):
        _lay_out(folder, newest, replace(making, made_by=made_by), ReusableFiles(), day)


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
    """What Accept chooses among where it asks for an edition, the most usual first.

    Every host lists an edition alike and for ever, also one that was listed by its paths alone
    before the whole registry came to be had as CSV.
    """
    listed = tuple(file.path for file in files if file.path.startswith(f"{stem}."))
    if f"{stem}.{Format.CSV}" not in listed:
        return listed
    return tuple(f"{stem}.{suffix}" for suffix in WHOLE_SUFFIXES)


def _pages(
    edition: int, making: PublicationEnvironment, kept: Collection[str], at: datetime | None
) -> Iterator[EditionFile]:
    """What is made for this host: the pages but those kept, and what belongs to the whole site."""
    snapshot, site, chrome = snapshot_of(edition), making.site, making.chrome
    group = group_at(edition)
    links, rows = LinkRelations(snapshot, making.place), history(group, edition)
    link_of = links.by_page()
    paths = [*kept]
    for path, html in chain(
        site.pages(
            snapshot, chrome, pasts(edition), kept, first_page.tally_of(group, making.times, at)
        ),
        site.history_pages(
            snapshot, rows, growth(group, rows), chrome, partial(kept_by_number, group)
        ),
    ):
        paths.append(path)
        yield EditionFile(path, _HTML, html.encode(), link_of.get(path) or links.of_page(path))
    for name, content in sitemap_files(sorted(paths), making.place, folder=group.folder):
        yield EditionFile(f"/{name}", SITEMAP_TYPE, content)
    if group.is_root:
        yield from _of_site(snapshot, making)
    elif group.schemes:  # whose names have pages that each host makes by itself
        shell = site.shell(chrome, registry_folder(group.id))
        yield EditionFile(shell_path(group.id), _SHELL_TYPE, shell.encode())


def _of_site(snapshot: RegistrySnapshot, making: PublicationEnvironment) -> Iterator[EditionFile]:
    """What belongs to the site as a whole, whatever groups there are."""
    yield EditionFile(SHELL, _SHELL_TYPE, making.site.shell(making.chrome).encode())
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
    """What the pages lead to and other software, which built the edition, did not make.

    It is no part of the edition, so that the edition keeps its bytes. The schemas are those
    of what this software answers, as of the differences between editions.
    """
    if list_of(edition).made_by == _maker(making.place):
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
    """The bundle of an edition: its stored files, and what was made for this host."""
    made = {file.path for file in of_host}
    row = edition_rows.get_edition(edition)
    home, ways = registry_folder(row.group_id), ways_to(GROUPS[row.group_id])
    kept = (file for file in files_of(edition) if find_owner(file.path) != row.number)
    as_of, modified = _moments(edition)
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
