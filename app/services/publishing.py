"""Publishing an edition: its files made once, kept as bytes, and laid out on this host."""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from app.exports.bundle import BundleFile, Manifest, bundle_file
from app.exports.formats import FORMATS
from app.exports.json import SCHEMAS
from app.exports.namespace import all_namespace_files
from app.exports.schema import schema_files
from app.exports.support import SUPPORT_TYPES, support_files
from app.pages.chrome import Chrome
from app.pages.places import registry_path, template_path
from app.pages.site import Site
from app.registration.records import Registration, RegistrySnapshot
from app.registration.text import format_template
from app.services.agreement import File, check_files
from app.services.layout import is_laid_out, lay_out, refuse_older
from app.services.registry import snapshot_of
from app.services.versions import pasts
from app.store import editions
from app.store.database import reading, transaction

_log = logging.getLogger(__name__)

_TEXT = "text/plain; charset=utf-8"
_HTML = "text/html; charset=utf-8"
_MEDIA_TYPES = {".json": "application/json", ".xml": "application/xml"}
_LONGEST_WHY = 2000


def build_pending(at: datetime | None = None) -> list[int]:
    """Make the files of every edition that lacks them, oldest first; give those made.

    An edition that cannot be built is noted for the operator and tried again later; those
    after it are built all the same, since each is whole in itself. Without a moment all are
    tried, also those that failed just now.
    """
    with reading():
        waiting = editions.unbuilt(at)
    return [edition for edition in waiting if _build_or_note(edition, at)]


def _build_or_note(edition: int, at: datetime | None) -> bool:
    try:
        _build(edition)
    except Exception as error:  # whatever it is, the old edition stays and the operator is told
        _log.exception("edition %s cannot be built", edition)
        why = f"{type(error).__name__}: {error}"[:_LONGEST_WHY]
        with transaction():
            editions.note_failure(edition, why, at)
        return False
    return True


def _build(edition: int) -> None:
    """An edition never changes, so that its files are made before anything is locked."""
    with reading():
        snapshot = snapshot_of(edition)
        files = list(edition_files(snapshot))
        check_files(files, snapshot, _names_before(edition))
    with transaction():
        editions.keep_files(edition, files)


def _names_before(edition: int) -> frozenset[str]:
    if edition == 1:
        return frozenset()
    return frozenset(record.folded for record in snapshot_of(edition - 1).records())


def edition_files(snapshot: RegistrySnapshot) -> Iterator[File]:
    """The files that are kept of an edition: path, media type, bytes."""
    registry = registry_path(snapshot)
    for exporter in FORMATS.values():
        for name, content in exporter.files(snapshot):
            yield registry + name, exporter.media_type, content
    for name, content in support_files(snapshot):
        yield registry + name, SUPPORT_TYPES[Path(name).suffix[1:]], content
    for name, content in schema_files(snapshot):
        yield SCHEMAS + name, "application/schema+json", content
    for name, content in all_namespace_files(snapshot):
        yield f"/namespaces/{name}", _MEDIA_TYPES[Path(name).suffix], content
    yield from _templates(snapshot)


def _templates(snapshot: RegistrySnapshot) -> Iterator[File]:
    for table in snapshot.registries:
        for record in table.records:
            if record.fields:
                yield template_path(table, record), _TEXT, template_text(record).encode()


def template_text(record: Registration) -> str:
    """A registered template as plain text."""
    return format_template(dict(record.fields))


def lay_out_newest(folder: Path, site: Site, chrome: Chrome, made_by: str) -> int | None:
    """Lay the newest edition out on this host, unless it lies there as this software makes it.

    The formats are the stored bytes. The pages are made here, since they show this site's
    settings and not only the edition. Raises OlderEdition where a newer one lies there, as
    after a database was put back.
    """
    with reading():
        newest = editions.newest_built()
        if newest is None or is_laid_out(folder, newest, made_by):
            return None
        refuse_older(folder, newest)
        snapshot = snapshot_of(newest)
        pages = {path: html.encode() for path, html in site.pages(snapshot, chrome, pasts(newest))}
        manifest = _manifest(newest, snapshot, pages, made_by)
        lay_out(
            folder,
            manifest,
            lambda file: pages[file.path] if file.path in pages else editions.content(file.sha256),
        )
    return newest


def _manifest(
    edition: int, snapshot: RegistrySnapshot, pages: Mapping[str, bytes], made_by: str
) -> Manifest:
    registry = registry_path(snapshot)
    stored = (
        BundleFile(path=row.path, media_type=row.media_type, sha256=row.sha256, length=row.length)
        for row in editions.files_of(edition)
    )
    return Manifest(
        edition=edition,
        as_of=editions.get_edition(edition).as_of.isoformat(),
        made_by=made_by,
        files=(*stored, *(bundle_file(path, _HTML, body) for path, body in pages.items())),
        redirects=((registry.rstrip("/"), registry), (f"{registry}{snapshot.id}", registry)),
    )
