"""A registry's statements as N-Triples, Turtle and JSON-LD. Equal snapshots give equal bytes.

Each is written thing by thing at any size. Turtle and JSON-LD gather what is said of a thing
by predicate, in the order in which it is said.

Source: RDF 1.1 N-Triples; RDF 1.1 Turtle; JSON-LD 1.1.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO

from app.exports.content.file_names import record_file, registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.rdf_graph import (
    PREFIXES,
    Iri,
    RdfLiteral,
    RdfResource,
    Value,
    record_nodes,
    registry_nodes,
    whole,
)
from app.exports.serialization.json_text import Members, json_bytes
from app.registration.declarations.registries import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)

Files = Iterator[tuple[str, bytes]]

_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\]')  # IRIREF, N-Triples section 7
_NOT_IN_TEXT = re.compile('[\x00-\x1f"\\\\\x7f]')
_NOT_IN_LINES = re.compile('[\x00-\x09\x0b-\x1f"\\\\\x7f]')  # of a text in triple quotes
_SHORT = {"\t": r"\t", "\b": r"\b", "\n": r"\n", "\r": r"\r", "\f": r"\f", '"': r"\"", "\\": r"\\"}


def nt_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as N-Triples."""
    yield registry_file(snapshot, Format.NT), _lines(registry_nodes(snapshot, place))


def ttl_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as Turtle, a paragraph for each thing."""
    yield registry_file(snapshot, Format.TTL), _paragraphs(registry_nodes(snapshot, place))


def jsonld_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as JSON-LD, its context in it."""
    yield registry_file(snapshot, Format.JSONLD), _linked(registry_nodes(snapshot, place))


def record_files(
    snapshot: RegistrySnapshot,
    table: SubRegistry,
    record: Registration,
    people: Iterable[Person],
    place: PublicationSite,
) -> Files:
    """One name alone: ``NID.ttl`` and ``NID.jsonld``, with the people given."""
    nodes = list(record_nodes(snapshot, table, record, people, place))
    yield record_file(record, Format.TTL), _paragraphs(nodes)
    yield record_file(record, Format.JSONLD), _linked(iter(nodes))


def ntriples(nodes: Iterable[RdfResource]) -> Iterator[str]:
    """A line for each statement, with its line end; needs no memory to speak of."""
    for node in nodes:
        subject = _iri(node.iri)
        yield f"{subject} <{whole('rdf:type')}> <{whole(node.type)}> .\n"
        for predicate, value in node.said:
            yield f"{subject} <{whole(predicate)}> {_written(value)} .\n"


def _lines(nodes: Iterable[RdfResource]) -> bytes:
    data = BytesIO()
    for line in ntriples(nodes):
        data.write(line.encode())
    return data.getvalue()


def _paragraphs(nodes: Iterable[RdfResource]) -> bytes:
    """Turtle that declares the prefixes it uses and no others."""
    data, used = BytesIO(), set[str]()
    for node in nodes:
        used.update(name.partition(":")[0] for name in _names_in(node))
        data.write(_paragraph(node).encode())
    declared = (f"@prefix {prefix}: <{PREFIXES[prefix]}> .\n" for prefix in sorted(used))
    return "".join(declared).encode() + data.getvalue()


def _names_in(node: RdfResource) -> Iterator[str]:
    """The prefixed names that a paragraph about a thing holds."""
    yield node.type
    for predicate, value in node.said:
        yield predicate
        if isinstance(value, RdfLiteral) and value.datatype:
            yield value.datatype


def _paragraph(node: RdfResource) -> str:
    said = [f"a {node.type}"]
    for predicate, values in _by_predicate(node).items():
        said.append(f"{predicate} " + ",\n        ".join(map(_short, values)))
    lines = " ;\n    ".join(said)
    return f"\n{_iri(node.iri)} {lines} .\n"


def _by_predicate(node: RdfResource) -> dict[str, list[Value]]:
    said: dict[str, list[Value]] = {}
    for predicate, value in node.said:
        said.setdefault(predicate, []).append(value)
    return said


def _linked(nodes: Iterator[RdfResource]) -> bytes:
    return json_bytes({"@context": PREFIXES, "@graph": map(_members, nodes)})


def _members(node: RdfResource) -> Members:
    said = {name: list(map(_member, values)) for name, values in _by_predicate(node).items()}
    one_or_many = {name: values if values[1:] else values[0] for name, values in said.items()}
    return {"@id": _encoded(node.iri), "@type": node.type, **one_or_many}


def _member(value: Value) -> Members | str:
    if isinstance(value, Iri):
        return {"@id": _encoded(value)}
    return {"@value": value.text, "@type": value.datatype} if value.datatype else value.text


def _written(value: Value) -> str:
    if isinstance(value, Iri):
        return _iri(value)
    text = _NOT_IN_TEXT.sub(_escaped, value.text)
    return f'"{text}"^^<{whole(value.datatype)}>' if value.datatype else f'"{text}"'


def _short(value: Value) -> str:
    """A value in Turtle: lines of a text stay lines, and its type is a prefixed name."""
    if isinstance(value, Iri):
        return _iri(value)
    quote, unfit = ('"""', _NOT_IN_LINES) if "\n" in value.text else ('"', _NOT_IN_TEXT)
    text = f"{quote}{unfit.sub(_escaped, value.text)}{quote}"
    return f"{text}^^{value.datatype}" if value.datatype else text


def _iri(iri: Iri) -> str:
    return f"<{_encoded(iri)}>"


def _encoded(iri: Iri) -> str:
    """An address without the characters that none may hold, which are percent-encoded."""
    return _NOT_IN_IRI.sub(lambda found: f"%{ord(found[0]):02X}", iri)


def _escaped(found: re.Match[str]) -> str:
    return _SHORT.get(found[0], f"\\u{ord(found[0]):04X}")
