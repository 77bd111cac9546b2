"""The files of an edition: what each is called, what it holds, and how they are listed."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from app.bundles.edition_checks import EditionFile
from app.exports.content.name_presentation import derived_formats, presentation_of, template_path
from app.exports.content.page_sections import template_of
from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.link_relations import LinkRelations
from app.exports.editions.atom import MEDIA_TYPE as ATOM_TYPE
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.editions.atom import atom_archive, atom_bytes, atom_file, name_feeds
from app.exports.editions.edition_list import (
    EditionRow,
    edition_path,
    editions_json,
    editions_path,
)
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.exporters import FORMATS, NAME_FORMATS
from app.exports.formats.json import SCHEMAS
from app.exports.formats.record_files import all_namespace_files
from app.exports.manifests.bundle_files import FOR_EVER, BundleFile, EncodedForm
from app.exports.manifests.encodings import encode_forms
from app.exports.manifests.manifest import STANDING
from app.exports.schemas.json_schema import history_schema_files, schema_files
from app.exports.support import SUPPORT_TYPES, support_files
from app.messages.mailed_tokens import octets_without_tokens
from app.registration.declarations.formats import Format
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace, declared_spaces
from app.registration.declarations.registry_groups import GROUPS
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

WHOLE_SUFFIXES = (*Format, ATOM)  # what Accept chooses among of the whole registry
_ARCHIVED = re.compile(rf"/assignments/[^/]+/[^/]+-archive-[0-9]+\.{ATOM}")
_SCHEMA_TYPE = "application/schema+json"
_TEXT = "text/plain; charset=utf-8"

KnownForms = Mapping[tuple[str, str], tuple[EncodedForm, ...]]


def edition_files(
    snapshot: RegistrySnapshot,
    place: PublicationSite,
    history: Iterable[EditionRow] = (),
    names: Container[str] | None = None,
) -> Iterator[EditionFile]:
    """The files that are kept of an edition: of the registry, and of names.

    ``history`` ends with this edition; without it there is neither feed nor list of editions.
    ``names`` are those, by their keys, whose own files are wanted; None for all.
    """
    rows = tuple(history)
    yield from registry_files(snapshot, place, rows)
    yield from name_files(snapshot, place, rows, names)


def registry_files(
    snapshot: RegistrySnapshot,
    place: PublicationSite,
    history: Iterable[EditionRow] = (),
    archived: Container[str] = (),
) -> Iterator[EditionFile]:
    """The files of the registry as a whole, few and large.

    ``archived`` are the pages of the feed's archive that there are, which are made once.
    """
    rows, links = tuple(history), LinkRelations(snapshot, place)
    yield from _formats(snapshot, place, links)
    yield from _derived(snapshot, links)
    for name, content in support_files(snapshot):
        yield EditionFile(links.registry + name, SUPPORT_TYPES[Path(name).suffix[1:]], content)
    for name, content in (*schema_files(snapshot), *history_schema_files(snapshot)):
        yield EditionFile(SCHEMAS + name, _SCHEMA_TYPE, content)
    if rows:
        yield from _twice(atom_file(snapshot), ATOM_TYPE, atom_bytes(snapshot, rows, place), links)
        for name, content in atom_archive(snapshot, rows, place, archived):
            yield EditionFile(links.registry + name, ATOM_TYPE, content, "", FOR_EVER)
        listed = editions_file(snapshot.id)
        yield EditionFile(listed, "application/json", editions_json(snapshot, rows))


def _formats(
    snapshot: RegistrySnapshot, place: PublicationSite, links: LinkRelations
) -> Iterator[EditionFile]:
    for exporter in FORMATS.values():
        for name, content in exporter.files(snapshot, place):
            yield from _twice(name, exporter.media_type, content, links)


def _derived(snapshot: RegistrySnapshot, links: LinkRelations) -> Iterator[EditionFile]:
    own = edition_path(snapshot.edition, group=snapshot.id)
    for derived in derived_formats(snapshot):
        maker = DERIVED_FILES[derived]
        name, content = derived_file_name(snapshot, derived), maker.bytes_of(snapshot, derived)
        kept = links.of_derived(name, is_editions=True)
        yield EditionFile(links.registry + name, maker.media_type, content, links.of_derived(name))
        yield EditionFile(own + name, maker.media_type, content, kept, FOR_EVER)


def _twice(
    name: str, media_type: str, content: bytes, links: LinkRelations
) -> Iterator[EditionFile]:
    own = edition_path(links.snapshot.edition, group=links.snapshot.id)
    yield EditionFile(links.registry + name, media_type, content, links.of_registry(name))
    yield EditionFile(own + name, media_type, content, links.of_edition(name), FOR_EVER)


def _only(snapshot: RegistrySnapshot, names: Container[str]) -> RegistrySnapshot:
    tables = (
        replace(table, records=tuple(r for r in table.records if r.key in names))
        for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(tables))


def _holding(snapshot: RegistrySnapshot, table: SubRegistry) -> RegistrySnapshot:
    tables = (each if each is table else replace(each, records=()) for each in snapshot.registries)
    return replace(snapshot, registries=tuple(tables))


def name_files(
    snapshot: RegistrySnapshot,
    place: PublicationSite,
    history: Iterable[EditionRow] = (),
    names: Container[str] | None = None,
) -> Iterator[EditionFile]:
    """The files of names, many and small: of some names, by their keys, or of all."""
    links = LinkRelations(snapshot, place)
    wanted = snapshot if names is None else _only(snapshot, names)
    rows = tuple(history)
    for table in wanted.registries:  # since two of them may have names that are folded alike
        for name, content in all_namespace_files(_holding(wanted, table), place):
            stem, _, suffix = name.rpartition(".")
            path, media_type = _page_of(table, stem), Format(suffix).media_type
            own = links.of_name(table, path, suffix)
            yield EditionFile(f"{path}.{suffix}", media_type, content, own)
    for table in wanted.registries:
        for name, content in name_feeds(_holding(wanted, table), rows, place):
            path = _page_of(table, name.removesuffix(f".{ATOM}"))
            own = links.of_name(table, path, ATOM)
            yield EditionFile(f"{path}.{ATOM}", ATOM_TYPE, content, own)
    for table in wanted.registries:
        for record in table.records:
            path = template_path(table, record) if record.has_template else ""
            if path:
                yield EditionFile(path, _TEXT, template_text(table, record).encode())


def _page_of(table: SubRegistry, folded: str) -> str:
    return presentation_of(table).page.format(folded)


def accept_choices(registry: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The paths at which Accept chooses, each with what it chooses among, the most usual first.

    ``registry`` is the id of the whole: ``urn-namespaces``.
    """
    home = f"/assignments/{registry}/"
    return (
        (home, (home, *(f"{home}{registry}.{suffix}" for suffix in WHOLE_SUFFIXES))),
        *dict(
            map(_choice_of_name, (space for space in _spaces_of(registry) if space.page))
        ).items(),
        (editions_path(registry), (editions_path(registry), editions_file(registry))),
    )


def _spaces_of(registry: str) -> tuple[IdentifierSpace, ...]:
    return GROUPS[registry].spaces if registry in GROUPS else tuple(declared_spaces())


def editions_file(registry: str) -> str:
    """Where the list of all editions is, by the id of the whole: ``/editions/index.json``."""
    return f"{editions_path(registry)}index.json"


def _choice_of_name(space: IdentifierSpace) -> tuple[str, tuple[str, ...]]:
    page = space.page.format(STANDING)
    having = [one for one in REGISTRIES.values() if one.space is space]
    own = (one.exports if one.name_exports is None else one.name_exports for one in having)
    declared = {form for forms in own for form in forms}
    feeds = (ATOM,) if any(one.has_name_feeds for one in having) else ()
    suffixes = (*(form for form in NAME_FORMATS if form in declared), *feeds)
    return page, (page, *(f"{page}.{suffix}" for suffix in suffixes))


def is_of_archive(path: str) -> bool:
    return _ARCHIVED.fullmatch(path) is not None


def name_of(path: str) -> str:
    """The name, by its key, whose own file is at a path; empty for a file of the whole registry."""
    patterns, editions = _of_name(tuple(REGISTRIES), tuple(GROUPS))
    if path.startswith(editions):
        return ""
    for space, pattern in patterns:
        if match := pattern.fullmatch(path):
            return space.about(match[match.lastindex or 0])
    return ""


@lru_cache(maxsize=2)
def _of_name(
    _registries: tuple[str, ...], groups: tuple[str, ...]
) -> tuple[tuple[tuple[IdentifierSpace, re.Pattern[str]], ...], tuple[str, ...]]:
    patterns = tuple((space, _paths_of_names(space)) for space in declared_spaces())
    return patterns, tuple(GROUPS[each].editions for each in groups)


def _paths_of_names(space: IdentifierSpace) -> re.Pattern[str]:
    forms = "|".join((*map(str, NAME_FORMATS), ATOM))
    suffix = forms if "." in space.signs else "[a-z]+"
    texts = [one.template_page for one in REGISTRIES.values() if one.space is space]
    pages = {space.page: rf"({space.form}?)(?:\.(?:{suffix}))?"}
    names = pages | dict.fromkeys(texts, f"({space.form})")
    paths = [re.escape(path).replace(r"\{\}", name) for path, name in names.items() if path]
    return re.compile("|".join(paths), re.ASCII)


def template_text(table: SubRegistry, record: Registration) -> str:
    """A registered template as plain text, word for word where it came as a text."""
    return template_of(table, record)


def entries_of(
    files: Iterable[EditionFile], known: KnownForms
) -> tuple[tuple[BundleFile, ...], dict[str, bytes]]:
    """Files as a manifest lists them, and their bytes and those of their forms by SHA-256.

    Forms that are ``known`` of the same bytes are not made again.
    """
    bodies: dict[str, bytes] = {}
    return tuple(_entry(_masked(file), known, bodies) for file in files), bodies


def _masked(file: EditionFile) -> EditionFile:
    return file._replace(content=octets_without_tokens(file.content))


def _entry(file: EditionFile, known: KnownForms, bodies: dict[str, bytes]) -> BundleFile:
    digest = sha256(file.content).hexdigest()
    forms = known.get((file.media_type, digest))
    if forms is None:
        forms = tuple(_forms(file, bodies))
    bodies[digest] = file.content
    return BundleFile(
        path=file.path,
        media_type=file.media_type,
        sha256=digest,
        length=len(file.content),
        cache_control=file.cache_control,
        link=file.link,
        forms=forms,
    )


def _forms(file: EditionFile, bodies: dict[str, bytes]) -> Iterator[EncodedForm]:
    for coding, form in encode_forms(file.media_type, file.content).items():
        digest = sha256(form).hexdigest()
        bodies[digest] = form
        yield EncodedForm(coding, digest, len(form))
