"""A snapshot as IANA's registry XML.

Source: IANA's RELAX NG schema for registries, and the order and indentation of its files.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from app.exports.content.file_names import registry_file
from app.exports.content.name_presentation import registry_path
from app.exports.content.page_sections import deprecation_lines, ended_name_lines
from app.exports.content.selection import current_records
from app.exports.formats.export_format import ExportFormat, RecordExport, UnreadableFile
from app.exports.formats.xml_reader import UnreadableRegistry, read_xml
from app.exports.serialization.xml_values import (
    DEPRECATED_TITLE,
    ENDED_TITLE,
    NAMESPACE,
    NOTICE_TITLE,
    XmlValueError,
    check_date,
    check_day,
    check_name,
    check_person_id,
    check_registry_id,
    check_text,
    check_uri,
    check_xref,
    xref_attributes,
)
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
)

RELAX_NG = "http://relaxng.org/ns/structure/1.0"


def xml_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The registry as one XML file; XmlValueError for a value that has no place in XML."""
    yield registry_file(snapshot, Format.XML), xml_bytes(snapshot)


def xml_bytes(snapshot: RegistrySnapshot, folder: str = "") -> bytes:
    """The registry in IANA's XML, valid by IANA's schema.

    The prologue names a style sheet and a schema in ``folder``, or beside the file.

    Left out for want of a place: former names, the edition's number, the titles of
    references, and a record's style, version and fields. A notice becomes a note with a title
    of its own, and so does what is to be said of names that are deprecated, or that their holders
    ended.

    Raises XmlValueError, a ValueError, for what XML or IANA's schema cannot hold.
    """
    _refuse_repeats(snapshot)
    return _RegistryXmlWriter().written(snapshot, folder)


def _refuse_repeats(snapshot: RegistrySnapshot) -> None:
    ids = [snapshot.id, *(registry.id for registry in snapshot.registries)]
    ids += [person.id for person in snapshot.people]
    names = [record.key for registry in snapshot.registries for record in current_records(registry)]
    for values in (ids, names):
        seen: set[str] = set()
        for value in values:
            if value in seen:
                raise XmlValueError(f"`{value}` appears twice in the registry.", value)
            seen.add(value)


class _RegistryXmlGenerator(XMLGenerator):
    def characters(self, content: str) -> None:
        first, *rest = content.split("\r")
        super().characters(first)
        for piece in rest:
            self.ignorableWhitespace("&#13;")
            super().characters(piece)


class _RegistryXmlWriter:
    def __init__(self) -> None:
        self._out = StringIO()
        self._generator = _RegistryXmlGenerator(self._out, "UTF-8", short_empty_elements=True)
        self._indent = "\n"

    def written(self, snapshot: RegistrySnapshot, folder: str) -> bytes:
        self._prologue(folder + check_registry_id(snapshot.id))
        with self._block("registry", xmlns=NAMESPACE, id=snapshot.id):
            self._root_head(snapshot)
            for registry in snapshot.registries:
                self._registry(registry)
            with self._block("people"):
                for person in snapshot.people:
                    self._person(person)
        return self._out.getvalue().encode() + b"\n"

    def _prologue(self, stem: str) -> None:
        sheet = f'type="text/xsl" href="{stem}.xsl"'
        model = f'href="{stem}.rng" schematypens="{RELAX_NG}" '  # the space is IANA's
        self._generator.startDocument()
        self._generator.processingInstruction("xml-stylesheet", sheet)
        self._generator.ignorableWhitespace("\n")
        self._generator.processingInstruction("xml-model", model)

    def _root_head(self, snapshot: RegistrySnapshot) -> None:
        self._line("title", (snapshot.title,))
        self._present("category", snapshot.category)
        if snapshot.updated:
            self._line("updated", (check_day(snapshot.updated),))
        if snapshot.notice:
            self._line("note", (snapshot.notice,), title=NOTICE_TITLE)
        for title, told in ((DEPRECATED_TITLE, deprecation_lines), (ENDED_TITLE, ended_name_lines)):
            if said := [sentence for table in snapshot.registries for sentence in told(table)]:
                self._line("note", (" ".join(said),), title=title)
        for note in snapshot.notes:
            self._line("note", note)

    def _registry(self, registry: SubRegistry) -> None:
        with self._block("registry", id=check_registry_id(registry.id)):
            self._line("title", (registry.title,))
            self._xrefs(registry.references)
            if any(registry.rule):
                self._line("registration_rule", registry.rule)
            self._present("expert", registry.expert)
            for record in current_records(registry):
                self._record(record)

    def _record(self, record: Registration) -> None:
        dates = {"date": record.date, "updated": record.updated}
        known = {name: check_date(day) for name, day in dates.items() if day is not None}
        with self._block("record", **known):
            self._line("name", (check_name(record.name),))
            if any(record.template):
                self._line("template", record.template)
            self._xrefs(record.references)
            if record.contact is not None:
                self._line("contact", record.contact)

    def _person(self, person: Person) -> None:
        with self._block("person", id=check_person_id(person.id)):
            for name, text in (("name", person.name), ("org", person.org)):
                if text is not None:
                    self._line(name, (text,))
            for uri in person.uris:
                self._line("uri", (check_uri(uri),))
            if person.updated is not None:
                self._line("updated", (check_date(person.updated),))

    def _present(self, name: str, text: str) -> None:
        if text:
            self._line(name, (text,))

    def _xrefs(self, xrefs: tuple[Xref, ...]) -> None:
        for xref in xrefs:
            self._break()
            self._xref(xref)

    def _line(self, name: str, content: RichText, **attributes: str) -> None:
        self._break()
        self._generator.startElement(name, AttributesImpl(attributes))
        for part in content:
            if isinstance(part, str):
                self._generator.characters(check_text(part))
            else:
                self._xref(part)
        self._generator.endElement(name)

    def _xref(self, xref: Xref) -> None:
        attributes = dict(xref_attributes(check_xref(xref)))
        self._generator.startElement("xref", AttributesImpl(attributes))
        self._generator.characters(xref.label)
        self._generator.endElement("xref")

    @contextmanager
    def _block(self, name: str, **attributes: str) -> Iterator[None]:
        self._break()
        self._generator.startElement(name, AttributesImpl(attributes))
        outer, self._indent = self._indent, f"{self._indent}  "
        empty = self._out.tell()
        yield
        self._indent = outer
        if self._out.tell() != empty:
            self._break()
        self._generator.endElement(name)

    def _break(self) -> None:
        self._generator.ignorableWhitespace(self._indent)


def _record_xml(one: RecordExport) -> bytes:
    return xml_bytes(_alone(one), registry_path(one.snapshot))


def _alone(one: RecordExport) -> RegistrySnapshot:
    tables = (
        SubRegistry(
            id=table.id, title=table.title, records=(one.record,) if table is one.home else ()
        )
        for table in one.snapshot.registries
    )
    return RegistrySnapshot(
        id=one.snapshot.id,
        title=one.snapshot.title,
        updated="",  # the registry's date would change with every edition
        notice=one.snapshot.notice,
        registries=tuple(tables),
        people=one.people,
    )


def _names_in(body: bytes) -> list[str]:
    try:
        read = read_xml(body, at_most=len(body))
    except UnreadableRegistry as error:
        raise UnreadableFile(f"doesn't match IANA’s grammar: {error}") from error
    return [record.name for record in read.records()]


FORMAT = ExportFormat(
    format=Format.XML,
    make=lambda snapshot, _place: xml_files(snapshot),
    names_in=_names_in,
    record=_record_xml,
    has_former=False,  # IANA's form has no place for a former name
    rank=2,
)
