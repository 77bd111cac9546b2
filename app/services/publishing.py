"""Publishing an edition: its files made once, kept as bytes, and laid out on this host."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from app.exports.bundle import BundleFile, Manifest, bundle_file
from app.exports.formats import FORMATS
from app.exports.json import SCHEMAS
from app.exports.namespace import all_namespace_files
from app.exports.schema import schema_files
from app.exports.support import SUPPORT_TYPES, support_files
from app.pages.chrome import Chrome
from app.pages.places import registry_path, template_path
from app.pages.site import Site
from app.registration.declarations import Format
from app.registration.records import Registration, RegistrySnapshot, Status
from app.registration.text import format_template
from app.services.layout import current_manifest, lay_out
from app.services.registry import snapshot_of
from app.store import editions
from app.store.database import reading, transaction
from app.store.tables.editions import Result

_log = logging.getLogger(__name__)

_TEXT = "text/plain; charset=utf-8"
_HTML = "text/html; charset=utf-8"
_MEDIA_TYPES = {".json": "application/json", ".xml": "application/xml"}


class EditionRefused(Exception):
    """The files of an edition contradict each other or lose a name; it is not published."""


def build_pending() -> list[int]:
    """Make the files of every edition that lacks them, oldest first; give those made.

    An edition that cannot be built is noted for the operator and tried again later; those
    after it are built all the same, since each is whole in itself.
    """
    with reading():
        waiting = editions.unbuilt()
    return [edition for edition in waiting if _build_or_note(edition)]


def _build_or_note(edition: int) -> bool:
    try:
        _build(edition)
    except Exception as error:  # whatever it is, the old edition stays and the operator is told
        _log.exception("edition %s cannot be built", edition)
        with transaction():
            editions.set_result(edition, Result.FAILED, f"{type(error).__name__}: {error}")
        return False
    return True


def _build(edition: int) -> None:
    with transaction():
        if not editions.has_files(edition):
            files = list(_files(snapshot_of(edition)))
            check_files(files, snapshot_of(edition), _names_before(edition))
            for path, media_type, content in files:
                editions.add_file(edition, path, media_type, content)
        editions.set_result(edition, Result.BUILT)


def _names_before(edition: int) -> frozenset[str]:
    if edition == 1:
        return frozenset()
    return frozenset(record.folded for record in snapshot_of(edition - 1).records())


def _files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, str, bytes]]:
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


def _templates(snapshot: RegistrySnapshot) -> Iterator[tuple[str, str, bytes]]:
    for table in snapshot.registries:
        for record in table.records:
            if record.fields:
                yield template_path(table, record), _TEXT, template_text(record).encode()


def template_text(record: Registration) -> str:
    """A registered template as plain text."""
    return format_template(dict(record.fields))


def check_files(
    files: list[tuple[str, str, bytes]], snapshot: RegistrySnapshot, before: frozenset[str]
) -> None:
    """Raise EditionRefused unless the formats agree and no name that was there is gone."""
    content = {path: body for path, _, body in files}
    expected = [record.name for record in snapshot.records() if record.status is not Status.FORMER]
    for kind, names in (
        (Format.XML, _names_in_xml(content[f"{registry_path(snapshot)}{snapshot.id}.xml"])),
        (Format.JSON, _names_in_json(content[f"{registry_path(snapshot)}{snapshot.id}.json"])),
    ):
        if names != expected:
            raise EditionRefused(f"The {kind} does not hold the names of the registry.")
    lost = before - {record.folded for record in snapshot.records()}
    if lost:
        raise EditionRefused(f"Names that were published are missing: {', '.join(sorted(lost))}.")


def _names_in_xml(body: bytes) -> list[str]:
    root = ElementTree.fromstring(body)  # noqa: S314 — our own bytes, made a moment ago
    space = "{http://www.iana.org/assignments}"
    return [name.text or "" for name in root.iterfind(f"{space}registry/{space}record/{space}name")]


def _names_in_json(body: bytes) -> list[str]:
    document = json.loads(body)
    return [
        record["name"]
        for table in document["tables"]
        for record in table["records"]
        if record["status"] != Status.FORMER
    ]


def lay_out_newest(folder: Path, site: Site, chrome: Chrome, made_by: str) -> int | None:
    """Lay the newest edition out on this host, unless it lies there as this software makes it.

    The formats are the stored bytes. The pages are made here, since they show this site's
    settings and not only the edition.
    """
    with reading():
        newest = editions.newest_built()
        lying = current_manifest(folder)
        if newest is None or (lying and (lying.edition, lying.made_by) == (newest, made_by)):
            return None
        stored = {
            row.path: BundleFile(
                path=row.path, media_type=row.media_type, sha256=row.sha256, length=row.length
            )
            for row in editions.files_of(newest)
        }
        snapshot = snapshot_of(newest)
        registry = registry_path(snapshot)
        pages = {path: html.encode() for path, html in site.pages(snapshot, chrome)}
        files = [
            *stored.values(),
            *(bundle_file(path, _HTML, body) for path, body in pages.items()),
        ]
        manifest = Manifest(
            edition=newest,
            as_of=editions.get_edition(newest).as_of.isoformat(),
            made_by=made_by,
            files=tuple(files),
            redirects=((registry.rstrip("/"), registry), (f"{registry}{snapshot.id}", registry)),
        )
        lay_out(
            folder,
            manifest,
            lambda file: pages[file.path] if file.path in pages else editions.content(file.sha256),
        )
    return newest
