"""IANA's registry XML to records, from a stranger's bytes.

A document type is refused before it is read, so there are no entities to expand and
nothing to fetch. Every element and attribute is one that a record can hold, or is refused by name
and line; so is text where none belongs. How deep elements may stand in each other follows
from what each may hold. Comments, processing instructions and white space between elements
are not kept.
"""

from typing import cast
from xml.parsers import expat

from app.exports.formats.xml_grammar import ROOT, ElementDeclaration, OpenElement
from app.exports.serialization.xml_values import NAMESPACE, XmlValueError
from app.registration.declarations.registries import space_of
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)

MAX_BYTES = 32 * 1024 * 1024
_ENCODINGS = ("utf-8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "iso-8859-1")
_WHITE = " \t\r\n"


class UnreadableRegistry(ValueError):
    """A file that is not a registry in IANA's XML; line and column count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"Line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


def read_xml(data: bytes, at_most: int | None = None) -> RegistrySnapshot:
    """The records of a registry in IANA's XML.

    Unlike elements may come in any order; the order of like ones is kept. XML carries no
    number of the edition, so it is 0. A note whose title is ``Notice`` is the registry's
    word about itself; one whose title is "Deprecated" or "No longer in use" tells of a
    status, which is not read.

    Raises UnreadableRegistry, with line and column, for a file over 32 MiB (who trusts its
    source may allow more), for XML that is
    broken or has a document type, for what the records cannot hold, and for an id or a name
    that stands twice. Does not ask whether a name follows the rules of its registry.
    """
    if len(data) > (MAX_BYTES if at_most is None else at_most):
        raise UnreadableRegistry("The file is larger than 32 MiB. Check that it is the registry.")
    return _RegistryXmlReader().run(data)


class _RegistryXmlReader:
    def __init__(self) -> None:
        self._open = [OpenElement("file", ROOT, {}, (1, 1))]
        self._seen: set[tuple[str, str]] = set()
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._declaration
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.CharacterDataHandler = self._text
        self._parser.EndElementHandler = self._end

    def run(self, data: bytes) -> RegistrySnapshot:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            message = f"The XML isn't well-formed here: {expat.ErrorString(error.code)}."
            raise UnreadableRegistry(message, error.lineno, error.offset + 1) from error
        return cast("RegistrySnapshot", self._open[0].only("registry"))

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS:
            raise self._refusal(f"The file declares the encoding {encoding}. Save it as UTF-8.")

    def _doctype(self, *_declared: object) -> None:
        raise self._refusal("The file has a DOCTYPE. Remove it.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        parent, local = self._open[-1], _local(name)
        child = parent.kind.children.get(local)
        if child is None:
            raise self._refusal(_unknown_element(local, parent))
        if len(parent.children.get(local, ())) >= child.at_most:
            raise self._refusal(f"`{local}` appears twice in {_called(parent)}. Remove one.")
        self._check_attributes(local, child.kind, attributes)
        self._open.append(OpenElement(local, child.kind, attributes, self._place()))

    def _check_attributes(
        self, name: str, kind: ElementDeclaration, attributes: dict[str, str]
    ) -> None:
        for attribute in attributes:
            if attribute not in kind.required + kind.optional:
                raise self._refusal(f"`{attribute}` isn't an attribute of {name}. Remove it.")
        for attribute in kind.required:
            if attribute not in attributes:
                raise self._refusal(f"`{name}` has no attribute `{attribute}`. Add it.")

    def _text(self, text: str) -> None:
        parent = self._open[-1]
        if parent.kind.holds_text:
            parent.parts.append(text)
        elif found := text.strip(_WHITE):
            raise self._refusal(
                f"`{found[:40]}` is text, but {_called(parent)} can contain only elements."
            )

    def _end(self, _name: str) -> None:
        node = self._open.pop()
        self._open[-1].hold(node.name, self._build(node))

    def _build(self, node: OpenElement) -> object:
        for name, child in node.kind.children.items():
            if len(node.children.get(name, ())) < child.at_least:
                raise UnreadableRegistry(f"{_called(node)} has no `{name}`. Add it.", *node.place)
        try:
            built = node.kind.build(node)
            self._check_new(built)
        except XmlValueError as refusal:
            raise UnreadableRegistry(str(refusal), *node.place) from refusal
        return built

    def _check_new(self, built: object) -> None:
        if isinstance(built, Registration):  # whose table, not closed yet, says which space it has
            space = space_of(self._open[-1].attributes.get("id", ""))
            self._note_once("name", built.folded, space.about(space.fold(built.name)))
        elif isinstance(built, Person | SubRegistry | RegistrySnapshot):
            self._note_once("id", built.id, built.id)

    def _note_once(self, what: str, name: str, key: str) -> None:
        if (what, key) in self._seen:
            raise XmlValueError(f"The {what} `{name}` appears twice. Remove one.", name)
        self._seen.add((what, key))

    def _place(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _refusal(self, message: str) -> UnreadableRegistry:
        return UnreadableRegistry(message, *self._place())


def _local(name: str) -> str:
    namespace, _, local = name.rpartition(" ")
    if namespace == NAMESPACE:
        return local
    return f"{{{namespace}}}{local}" if namespace else f"{local} (in no namespace)"


def _called(node: OpenElement) -> str:
    return "The file" if node.kind is ROOT else f"`{node.name}`"


def _unknown_element(name: str, parent: OpenElement) -> str:
    if parent.kind is ROOT:
        return f"The root element is `{name}`. It must be `registry` of {NAMESPACE}."
    known = ", ".join(parent.kind.children) or "only text"
    return f"`{name}` isn't allowed here. {_called(parent)} can contain {known}."
