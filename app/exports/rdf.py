"""A registry's statements as N-Triples, Turtle and JSON-LD. Equal snapshots give equal bytes.

N-Triples and JSON-LD are written piece by piece at any size. Turtle is grouped by rdflib up
to a size, since its memory grows far faster than the text; above it Turtle is N-Triples,
which is Turtle too.

Source: RDF 1.1 N-Triples; RDF 1.1 Turtle; JSON-LD 1.1.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice

from app.exports.file_names import record_file, registry_file
from app.exports.graph import (
    PREFIXES,
    Iri,
    Node,
    Value,
    record_nodes,
    registry_nodes,
    whole,
)
from app.exports.json_text import Members, json_bytes
from app.exports.place import Place
from app.registration.declarations import Format
from app.registration.records import Person, Registration, RegistrySnapshot, SubRegistry

Files = Iterator[tuple[str, bytes]]

_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\]')  # IRIREF, N-Triples section 7
_NOT_IN_TEXT = re.compile('[\x00-\x1f"\\\\\x7f]')
_SHORT = {"\t": r"\t", "\b": r"\b", "\n": r"\n", "\r": r"\r", "\f": r"\f", '"': r"\"", "\\": r"\\"}


def nt_files(snapshot: RegistrySnapshot, place: Place) -> Files:
    """The registry as N-Triples."""
    yield registry_file(snapshot, Format.NT), _lines(registry_nodes(snapshot, place))


def ttl_files(snapshot: RegistrySnapshot, place: Place) -> Files:
    """The registry as Turtle, grouped for readers up to ``place.largest_graph`` names."""
    nodes = registry_nodes(snapshot, place)
    write = _grouped if _is_small(snapshot, place) else _lines
    yield registry_file(snapshot, Format.TTL), write(nodes)


def jsonld_files(snapshot: RegistrySnapshot, place: Place) -> Files:
    """The registry as JSON-LD, its context in it."""
    yield registry_file(snapshot, Format.JSONLD), _linked(registry_nodes(snapshot, place))


def record_files(
    snapshot: RegistrySnapshot,
    table: SubRegistry,
    record: Registration,
    people: Iterable[Person],
    place: Place,
) -> Files:
    """One name alone: ``NID.ttl`` and ``NID.jsonld``, with the people given."""
    nodes = list(record_nodes(snapshot, table, record, people, place))
    write = _grouped if _is_small(snapshot, place) else _lines
    yield record_file(record, Format.TTL), write(nodes)
    yield record_file(record, Format.JSONLD), _linked(iter(nodes))


def ntriples(nodes: Iterable[Node]) -> Iterator[str]:
    """A line for each statement, with its line end; needs no memory to speak of."""
    for node in nodes:
        subject = _iri(node.iri)
        yield f"{subject} <{whole('rdf:type')}> <{whole(node.type)}> .\n"
        for predicate, value in node.said:
            yield f"{subject} <{whole(predicate)}> {_written(value)} .\n"


def _is_small(snapshot: RegistrySnapshot, place: Place) -> bool:
    names = islice(snapshot.records(), place.largest_graph + 1)
    return sum(1 for _ in names) <= place.largest_graph


def _lines(nodes: Iterable[Node]) -> bytes:
    data = BytesIO()
    for line in ntriples(nodes):
        data.write(line.encode())
    return data.getvalue()


def _grouped(nodes: Iterable[Node]) -> bytes:
    import rdflib  # takes a while to load and is needed only here

    def term(value: Value) -> rdflib.URIRef | rdflib.Literal:
        if isinstance(value, Iri):
            return rdflib.URIRef(_encoded(value))
        value.text.encode()  # refuses a lone surrogate, which rdflib would replace
        datatype = rdflib.URIRef(whole(value.datatype)) if value.datatype else None
        return rdflib.Literal(value.text, datatype=datatype, normalize=False)

    graph = rdflib.Graph(bind_namespaces="none")
    for prefix, address in PREFIXES.items():
        graph.bind(prefix, address)
    for node in nodes:
        for predicate, value in (("rdf:type", Iri(whole(node.type))), *node.said):
            graph.add((term(node.iri), rdflib.URIRef(whole(predicate)), term(value)))
    return graph.serialize(format="turtle", encoding="utf-8")


def _linked(nodes: Iterator[Node]) -> bytes:
    return json_bytes({"@context": PREFIXES, "@graph": map(_members, nodes)})


def _members(node: Node) -> Members:
    said: dict[str, list[Members | str]] = {}
    for predicate, value in node.said:
        said.setdefault(predicate, []).append(_member(value))
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


def _iri(iri: Iri) -> str:
    return f"<{_encoded(iri)}>"


def _encoded(iri: Iri) -> str:
    """An address without the characters that none may hold, which are percent-encoded."""
    return _NOT_IN_IRI.sub(lambda found: f"%{ord(found[0]):02X}", iri)


def _escaped(found: re.Match[str]) -> str:
    return _SHORT.get(found[0], f"\\u{ord(found[0]):04X}")
