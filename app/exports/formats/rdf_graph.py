"""A registry as statements: SKOS for its names, DCAT for its files.

Each table is a concept scheme and each name a concept in it; the registry is a dataset with
a distribution for each of its forms. Everything has an address, so there are no blank nodes.
What a namespace says of itself is said in the words by which registries of identifiers and the
W3C's profile of dataset descriptions do.

Left out: references that lead nowhere, what people's mail addresses are, the texts of templates
but their purpose, and the services that resolve names. A private registry has no publisher that
it could name.

Source: SKOS Reference; Data Catalog Vocabulary (DCAT) version 3; DCMI Metadata Terms; ADMS;
Dataset Descriptions: HCLS Community Profile, for idot; VANN; SHACL section 4.4.3.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.publication_site import PublicationSite
from app.exports.content.reference_links import xref_url
from app.exports.content.reference_text import document_words, rich_text_words
from app.exports.content.selection import xrefs_in
from app.exports.extracts.downloads import Download, registry_downloads
from app.exports.extracts.prefix_map import anchor_pattern
from app.exports.serialization.xml_values import is_day_or_month
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)
from app.resolution.record_rules import told_pattern_of

PREFIXES = {
    "adms": "http://www.w3.org/ns/adms#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "idot": "http://identifiers.org/idot/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "vann": "http://purl.org/vocab/vann/",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

_MEDIA_TYPE = "https://www.iana.org/assignments/media-types/"
_STATUS = {
    Status.REGISTERED: "http://purl.org/adms/status/Completed",
    Status.DEPRECATED: "http://purl.org/adms/status/Deprecated",
    Status.FORMER: "http://purl.org/adms/status/Withdrawn",
}
_DEFINITION = "purpose"  # the field that says what the names of a namespace are for


class Iri(str):
    """The address of a thing, which is not a text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RdfLiteral:
    """A text with its type, as a prefixed name; empty for a plain text."""

    text: str
    datatype: str = ""


Value = Iri | RdfLiteral
Statement = tuple[str, Value]


@dataclass(frozen=True, slots=True)
class RdfResource:
    """One thing: its address, what it is, and what is said of it. Names are prefixed ones."""

    iri: Iri
    type: str
    said: tuple[Statement, ...]


def registry_nodes(snapshot: RegistrySnapshot, place: PublicationSite) -> Iterator[RdfResource]:
    """Everything of a registry, former names included; at last the documents, each once."""
    graph, cited = _RdfGraph(snapshot, place), dict[Xref, None]()
    yield graph.dataset()
    yield from graph.distributions()
    for table in snapshot.registries:
        yield graph.scheme(table)
        for record in table.records:
            yield graph.record(table, record)
            yield from graph.holder(table, record)
            cited |= dict.fromkeys(_xrefs_of(record))
    yield from map(graph.person, snapshot.people)
    yield from _documents(cited)


def record_nodes(
    snapshot: RegistrySnapshot,
    table: SubRegistry,
    record: Registration,
    people: Iterable[Person],
    place: PublicationSite,
) -> Iterator[RdfResource]:
    """One name with what its table is called, the people given, and what it cites.

    Says nothing of the edition or of other names.
    """
    graph = _RdfGraph(snapshot, place)
    yield graph.record(table, record)
    yield from graph.holder(table, record)
    yield graph.title_of(table)
    yield from map(graph.person, people)
    yield from _documents(_xrefs_of(record))


@dataclass(frozen=True, slots=True)
class _RdfGraph:
    snapshot: RegistrySnapshot
    place: PublicationSite

    @property
    def page(self) -> Iri:
        return Iri(self.place.registry_url(self.snapshot))

    def dataset(self) -> RdfResource:
        snapshot = self.snapshot
        said: list[Statement] = [
            ("dct:identifier", RdfLiteral(snapshot.id)),
            ("dct:title", RdfLiteral(snapshot.title)),
            ("dcat:keyword", RdfLiteral(snapshot.category)),
            ("dct:description", RdfLiteral(snapshot.notice)),
            *(("dct:description", RdfLiteral(rich_text_words(note))) for note in snapshot.notes),
            *_dated("dct:modified", snapshot.updated),
            ("dcat:version", RdfLiteral(str(snapshot.edition))),
            ("dcat:landingPage", self.page),
        ]
        said += [("dct:hasPart", self._anchor(table.id)) for table in snapshot.registries]
        said += [("dcat:distribution", self._file(d)) for d in registry_downloads(snapshot)]
        return _node(self.page, "dcat:Dataset", said)

    def distributions(self) -> Iterator[RdfResource]:
        for download in registry_downloads(self.snapshot):
            said: list[Statement] = [
                ("dct:title", RdfLiteral(download.label)),
                ("dcat:mediaType", Iri(_MEDIA_TYPE + download.media_type)),
                ("dcat:accessURL", self.page),
                ("dcat:downloadURL", self._file(download)),
            ]
            yield _node(self._file(download), "dcat:Distribution", said)

    def scheme(self, table: SubRegistry) -> RdfResource:
        said: list[Statement] = [
            *self.title_of(table).said,
            ("dct:identifier", RdfLiteral(table.id)),
            ("dct:isPartOf", self.page),
            ("skos:note", _labelled("Registration procedure", rich_text_words(table.rule))),
            ("skos:note", _labelled("Experts", table.expert)),
            *self._cited("dct:references", table.references),
        ]
        return _node(self._anchor(table.id), "skos:ConceptScheme", said)

    def title_of(self, table: SubRegistry) -> RdfResource:
        said = [
            ("dct:title", RdfLiteral(table.title)),
            ("skos:note", RdfLiteral(self.snapshot.notice)),
        ]
        return _node(self._anchor(table.id), "skos:ConceptScheme", said)

    def record(self, table: SubRegistry, record: Registration) -> RdfResource:
        in_texts = xrefs_in(record.template), xrefs_in(record.contact or ())
        said: list[Statement] = [
            ("skos:notation", RdfLiteral(record.name)),
            (
                "skos:prefLabel",
                RdfLiteral(whole_name(presentation_of(table), record) or record.name),
            ),
            ("skos:inScheme", self._anchor(table.id)),
            ("skos:topConceptOf", self._anchor(table.id)),
            ("skos:definition", RdfLiteral(dict(record.fields).get(_DEFINITION, ""))),
            *_dated("dct:issued", record.date),
            *_dated("dct:modified", record.updated),
            ("owl:versionInfo", RdfLiteral(str(record.version or ""))),
            *self._standing(table, record),
            *self._cited("dct:references", record.references),
            *self._cited("rdfs:seeAlso", in_texts[0]),
            *self._cited("dct:relation", in_texts[1]),
            *_prefix(table, record),
            *self._profiled(table, record),
            ("foaf:page", Iri(self.place.name_url(self.snapshot, table, record.folded))),
        ]
        return _node(self._concept(table, record.folded), "skos:Concept", said)

    def holder(self, table: SubRegistry, record: Registration) -> Iterator[RdfResource]:
        if record.profile.holder:
            said = [("foaf:name", RdfLiteral(record.profile.holder))]
            yield _node(self._holder(table, record), "foaf:Agent", said)

    def person(self, person: Person) -> RdfResource:
        urls = (xref_url(Xref(XrefType.URI, uri)) for uri in person.uris)
        said: list[Statement] = [
            ("vcard:fn", RdfLiteral(person.name or "")),
            ("vcard:organization-name", RdfLiteral(person.org or "")),
            *(("vcard:hasURL", Iri(url)) for url in urls if url),
            *_dated("dct:modified", person.updated),
        ]
        return _node(self._anchor(person.id), "vcard:Kind", said)

    def _profiled(self, table: SubRegistry, record: Registration) -> Iterator[Statement]:
        profile = record.profile
        homepage = xref_url(Xref(XrefType.URI, profile.homepage))
        yield "dct:title", RdfLiteral(profile.title)
        yield "dct:description", RdfLiteral(profile.description)
        yield "skos:scopeNote", RdfLiteral(profile.names)
        if profile.holder:
            yield "dct:rightsHolder", self._holder(table, record)
        if homepage:
            yield "foaf:homepage", Iri(homepage)
        for example in profile.examples:
            yield "skos:example", RdfLiteral(example.urn)
            yield "idot:exampleIdentifier", RdfLiteral(_identifier(example.urn))
        pattern = told_pattern_of(record)
        if pattern:
            yield "idot:identifierPattern", RdfLiteral(anchor_pattern(pattern))
            yield "sh:pattern", RdfLiteral(anchor_pattern(pattern))
        for name in profile.related:
            yield "skos:related", self._concept(table, record.space.fold(name))

    def _holder(self, table: SubRegistry, record: Registration) -> Iri:
        return Iri(f"{self._concept(table, record.folded)}-holder")

    def _standing(self, table: SubRegistry, record: Registration) -> Iterator[Statement]:
        yield "adms:status", Iri(_STATUS[record.status])
        if record.status is not Status.REGISTERED:
            yield "owl:deprecated", RdfLiteral("true", "xsd:boolean")
        if record.successor:
            yield "dct:isReplacedBy", self._concept(table, record.successor_folded)

    def _cited(self, predicate: str, xrefs: Iterable[Xref]) -> Iterator[Statement]:
        for xref in xrefs:
            url = xref_url(xref)
            if url and xref.type is XrefType.PERSON:
                yield predicate, self._anchor(xref.data)
            elif url:
                yield predicate, Iri(url)

    def _concept(self, table: SubRegistry, name: str) -> Iri:
        return Iri(self.place.concept(self.snapshot, table, name))

    def _file(self, download: Download) -> Iri:
        return Iri(self.place.registry_url(self.snapshot, download.file))

    def _anchor(self, id_: str) -> Iri:
        return Iri(self.place.anchor(self.snapshot, id_))


def _prefix(table: SubRegistry, record: Registration) -> Iterator[Statement]:
    uri = whole_name(presentation_of(table), record)
    if uri and record.status is not Status.FORMER:
        yield "idot:preferredPrefix", RdfLiteral(record.folded)
        yield "vann:preferredNamespacePrefix", RdfLiteral(record.folded)
        yield "vann:preferredNamespaceUri", RdfLiteral(uri)


def _identifier(urn: str) -> str:
    try:
        return parse_urn(urn).nss
    except InvalidURN:
        return ""


def _xrefs_of(record: Registration) -> tuple[Xref, ...]:
    in_texts = xrefs_in(record.template), xrefs_in(record.contact or ())
    return (*record.references, *in_texts[0], *in_texts[1])


def _documents(xrefs: Iterable[Xref]) -> Iterator[RdfResource]:
    called: dict[str, list[Statement]] = {}
    for xref in xrefs:
        url = xref_url(xref)
        if url and xref.type is not XrefType.PERSON:
            titles = (
                ("rdfs:label", RdfLiteral(document_words(xref))),
                ("dct:title", RdfLiteral(xref.title)),
            )
            called.setdefault(url, []).extend(titles)
    for url, said in called.items():
        yield _node(Iri(url), "foaf:Document", said)


def _node(iri: Iri, type_: str, said: Iterable[Statement]) -> RdfResource:
    known = (pair for pair in said if not isinstance(pair[1], RdfLiteral) or pair[1].text)
    return RdfResource(iri, type_, tuple(dict.fromkeys(known)))


def _dated(predicate: str, date: str | None) -> Iterator[Statement]:
    if date and is_day_or_month(date):
        is_month = date.count("-") == 1
        yield predicate, RdfLiteral(date, "xsd:gYearMonth" if is_month else "xsd:date")
    elif date:
        yield predicate, RdfLiteral(date)


def _labelled(label: str, text: str) -> RdfLiteral:
    return RdfLiteral(f"{label}: {text}" if text else "")
