"""A registry's statements as N-Triples, a line for each. Equal snapshots give equal bytes.

Source: RDF 1.1 N-Triples.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO

from app.exports.content.file_names import registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.export_format import ExportFormat, Files
from app.exports.formats.rdf import NOT_IN_TEXT, escape_character, iri_text, names_in
from app.exports.formats.rdf_graph import Iri, RdfResource, Value, expand_name, registry_nodes
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import RegistrySnapshot


def nt_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as N-Triples."""
    yield registry_file(snapshot, Format.NT), _lines(registry_nodes(snapshot, place))


def ntriples(nodes: Iterable[RdfResource]) -> Iterator[str]:
    """A line for each statement, with its line end; needs no memory to speak of."""
    for node in nodes:
        subject = iri_text(node.iri)
        yield f"{subject} <{expand_name('rdf:type')}> <{expand_name(node.type)}> .\n"
        for predicate, value in node.said:
            yield f"{subject} <{expand_name(predicate)}> {_written(value)} .\n"


def _lines(nodes: Iterable[RdfResource]) -> bytes:
    data = BytesIO()
    for line in ntriples(nodes):
        data.write(line.encode())
    return data.getvalue()


def _written(value: Value) -> str:
    if isinstance(value, Iri):
        return iri_text(value)
    text = NOT_IN_TEXT.sub(escape_character, value.text)
    return f'"{text}"^^<{expand_name(value.datatype)}>' if value.datatype else f'"{text}"'


FORMAT = ExportFormat(
    format=Format.NT,
    make=lambda snapshot, place: nt_files(snapshot, place) if place else iter(()),
    names_in=names_in,
    lists_former=True,
)
