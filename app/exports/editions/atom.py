"""What changed in a registry as an Atom feed, an entry for each name and edition.

Source: RFC 4287; RFC 3339 for dates; RFC 5005 section 4 for the pages of an archive.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from app.exports.content.file_names import archive_file, record_file, registry_file
from app.exports.content.name_presentation import has_name_feeds, presentation_of, whole_name
from app.exports.content.publication_site import PublicationSite, path_segment
from app.exports.editions.changes import NameChange, NameChangeKind
from app.exports.editions.edition_list import EditionRow, edition_path
from app.exports.serialization.xml_values import check_text
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

NAMESPACE = "http://www.w3.org/2005/Atom"
PAGING = "http://purl.org/syndication/history/1.0"
MEDIA_TYPE = "application/atom+xml"
SUFFIX = "atom"
NEWEST = 50
CORRECTED = "corrected"  # the category of what the operator mended, with a reason
TRANSFERRED = "transferred"  # that of a name which went to another registrant
REGISTRY = "registry"  # the category of what changed in the registry's own words

_AUTHOR = "Registry operator"


@dataclass(frozen=True, slots=True)
class _FeedPage:
    file: str
    earlier: int = 0
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class _AtomEntry:
    id: str
    title: str
    updated: str
    category: str
    link: str
    content: str


def atom_file(snapshot: RegistrySnapshot) -> str:
    """What the feed of a registry is called: ``urn-namespaces.atom``."""
    return registry_file(snapshot, SUFFIX)


def atom_bytes(
    snapshot: RegistrySnapshot,
    history: Iterable[EditionRow],
    place: PublicationSite,
    newest: int = NEWEST,
) -> bytes:
    """The feed of a registry's newest changes, the newest first.

    An entry's category tells names that are new from those that changed. Its id is the
    address of its edition with the name, so it never changes. ``snapshot`` is the newest
    edition's; ``history`` may come in any order. Where there are more, the feed names the page of
    the archive that goes on: ``newest`` is how many a page holds too.

    Raises ValueError for a history of no edition, which has no date that a feed could
    bear, and XmlValueError for a character that XML does not take.
    """
    rows = _newest_first(history)
    if not rows:
        raise ValueError("A feed needs at least one edition. Pass the registry’s history.")
    listed = frozenset(record.key for record in snapshot.records())
    entries = (entry for row in rows for entry in _entries(snapshot, row, place, listed))
    page = _FeedPage(atom_file(snapshot), earlier=max(0, _count(rows) - 1) // newest)
    return _AtomWriter().written(snapshot, rows[0].moment, place, islice(entries, newest), page)


def atom_archive(
    snapshot: RegistrySnapshot,
    history: Iterable[EditionRow],
    place: PublicationSite,
    made: Container[str] = (),
    size: int = NEWEST,
) -> Iterator[tuple[str, bytes]]:
    """The pages of a feed's archive by their files, the oldest first, but those ``made`` already.

    Each is full, and what it tells never changes: its entries lead to editions, which stay, and it
    names no page after it. With the feed the pages hold every entry, some twice. The feed of one
    name holds all of its own, and has no archive. ``history`` may come in any order. Raises
    XmlValueError for a character that XML does not take.

    Source: RFC 5005 section 4.
    """
    rows = _newest_first(history)
    numbers = range(1, _count(rows) // size + 1)
    files = {number: archive_file(snapshot.id, number, SUFFIX) for number in numbers}
    wanted = {number: file for number, file in files.items() if file not in made}
    entries = [e for row in rows if wanted for e in _entries(snapshot, row, place, frozenset())]
    entries.reverse()
    for number, file in wanted.items():
        held = entries[(number - 1) * size : number * size][::-1]
        page = _FeedPage(file, number - 1, is_archived=True)
        yield file, _AtomWriter().written(snapshot, held[0].updated, place, held, page)


def _count(rows: Iterable[EditionRow]) -> int:
    return sum(len(row.changes.names) + any(row.changes.other_sentences()) for row in rows)


def _newest_first(history: Iterable[EditionRow]) -> list[EditionRow]:
    return sorted(history, key=lambda row: row.number, reverse=True)


def name_feeds(
    snapshot: RegistrySnapshot, history: Iterable[EditionRow], place: PublicationSite
) -> Iterator[tuple[str, bytes]]:
    """A feed for each record, of what editions changed of it: ``isbn.atom``; the newest first.

    It tells nothing of editions that left the name alone, so that its bytes stay as they are
    until one touches it. ``history`` may come in any order; a record that it tells nothing of,
    or that has no page, has no feed.
    """
    told = _by_name(history, frozenset(record.key for record in snapshot.records()))
    for table in (t for t in snapshot.registries if presentation_of(t).page and has_name_feeds(t)):
        for record in table.records:
            if changes := told[record.key]:
                content = _AtomWriter().of_name(snapshot, table, record, changes, place)
                yield record_file(record, SUFFIX), content


def _by_name(
    history: Iterable[EditionRow], names: frozenset[str]
) -> Mapping[str, list[tuple[EditionRow, NameChange]]]:
    told: dict[str, list[tuple[EditionRow, NameChange]]] = {name: [] for name in names}
    for row in sorted(history, key=lambda row: row.number, reverse=True):
        for change in row.changes.names:
            for name in {change.key, change.successor_key} & names:
                told[name].append((row, change))
    return told


def _of_name(row: EditionRow, change: NameChange, place: PublicationSite, group: str) -> _AtomEntry:
    edition = place.url(edition_path(row.number, group=group))
    is_correction = row.reason and change.kind is NameChangeKind.CHANGED
    because = f" Why: {row.reason}" if row.reason else ""
    return _AtomEntry(
        id=f"{edition}#names/{path_segment(change.record.space.about(change.name))}",
        title=row.headline_of(change).replace("`", ""),
        updated=row.moment,
        category=_category(row) if is_correction else change.kind,
        link=edition,
        content=change.sentence.replace("`", "") + because,
    )


def _category(row: EditionRow) -> str:
    return TRANSFERRED if row.is_transfer else CORRECTED


def _entries(
    snapshot: RegistrySnapshot, row: EditionRow, place: PublicationSite, listed: frozenset[str]
) -> Iterator[_AtomEntry]:
    edition = place.url(edition_path(row.number, group=snapshot.id))
    for change in row.changes.names:
        table = SubRegistry(id=change.table, title="")
        page = place.name_url(snapshot, table, change.record.folded)
        yield _AtomEntry(
            id=f"{edition}#names/{path_segment(change.record.space.about(change.name))}",
            title=row.headline_of(change).replace("`", ""),
            updated=row.moment,
            category=TRANSFERRED if row.is_transfer else change.kind,
            link=page if change.record.key in listed else edition,
            content=change.sentence.replace("`", ""),
        )
    words = " ".join(row.changes.other_sentences())
    if words:
        yield _AtomEntry(
            id=f"{edition}#registry",
            title=f"Edition {row.number}: the registry itself",
            updated=row.moment,
            category=REGISTRY,
            link=edition,
            content=words.replace("`", ""),
        )


@dataclass(frozen=True, slots=True)
class _FeedHead:
    """What a feed says of itself: its id, which is its address, and the page that it is of.

    A page of its archive has the same id, and an address of its ``own``.
    """

    id: str
    title: str
    updated: str
    page: str
    own: str = ""
    earlier: str = ""
    is_archived: bool = False

    @property
    def links(self) -> Iterator[tuple[str, str]]:
        yield "self", self.own or self.id
        if self.is_archived:
            yield "current", self.id
        if self.earlier:
            yield "prev-archive", self.earlier


class _AtomWriter:
    def __init__(self) -> None:
        self._out = StringIO()
        self._generator = XMLGenerator(self._out, "UTF-8", short_empty_elements=True)

    def written(
        self,
        snapshot: RegistrySnapshot,
        updated: str,
        place: PublicationSite,
        entries: Iterable[_AtomEntry],
        page: _FeedPage,
    ) -> bytes:
        itself = place.registry_url(snapshot, atom_file(snapshot))
        earlier = archive_file(snapshot.id, page.earlier, SUFFIX)
        head = _FeedHead(
            itself,
            snapshot.title,
            updated,
            place.registry_url(snapshot),
            own=place.registry_url(snapshot, page.file),
            earlier=place.registry_url(snapshot, earlier) if page.earlier else "",
            is_archived=page.is_archived,
        )
        return self._feed(snapshot, head, entries)

    def of_name(
        self,
        snapshot: RegistrySnapshot,
        table: SubRegistry,
        record: Registration,
        changes: Sequence[tuple[EditionRow, NameChange]],
        place: PublicationSite,
    ) -> bytes:
        page = place.name_url(snapshot, table, record.folded)
        title = whole_name(presentation_of(table), record) or record.name
        entries = (_of_name(row, change, place, snapshot.id) for row, change in changes)
        head = _FeedHead(f"{page}.{SUFFIX}", title, changes[0][0].moment, page)
        return self._feed(snapshot, head, entries)

    def _feed(
        self, snapshot: RegistrySnapshot, head: _FeedHead, entries: Iterable[_AtomEntry]
    ) -> bytes:
        paged = {"xmlns:fh": PAGING} if head.is_archived else {}
        self._generator.startDocument()
        with self._inside("feed", xmlns=NAMESPACE, **paged):
            self._head(snapshot, head)
            for entry in entries:
                self._entry(entry)
        return self._out.getvalue().encode()

    def _head(self, snapshot: RegistrySnapshot, head: _FeedHead) -> None:
        self._element("id", head.id)
        self._element("title", f"{head.title} – what changed")
        if snapshot.notice:
            self._element("subtitle", snapshot.notice)
        self._element("updated", head.updated)
        for relation, address in head.links:
            self._element("link", rel=relation, type=MEDIA_TYPE, href=address)
        self._element("link", rel="alternate", href=head.page)
        if head.is_archived:
            self._element("fh:archive")
        with self._inside("author"):
            self._element("name", _AUTHOR)

    def _entry(self, entry: _AtomEntry) -> None:
        with self._inside("entry"):
            self._element("id", entry.id)
            self._element("title", entry.title)
            self._element("updated", entry.updated)
            self._element("published", entry.updated)
            self._element("category", term=entry.category)
            self._element("link", rel="alternate", href=entry.link)
            self._element("content", entry.content, type="text")

    @contextmanager
    def _inside(self, name: str, **attributes: str) -> Iterator[None]:
        self._generator.startElement(name, AttributesImpl(attributes))
        self._generator.ignorableWhitespace("\n")
        yield
        self._generator.endElement(name)
        self._generator.ignorableWhitespace("\n")

    def _element(self, name: str, text: str = "", **attributes: str) -> None:
        self._generator.startElement(name, AttributesImpl(attributes))
        self._generator.characters(check_text(text))
        self._generator.endElement(name)
        self._generator.ignorableWhitespace("\n")
