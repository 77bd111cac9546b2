"""The registry as statements, in three forms."""

import json
import os
import re
import subprocess
import sys
import warnings
from copy import deepcopy
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pytest
import rdflib
from hypothesis import given
from rdflib import DCAT, DCTERMS, FOAF, OWL, RDF, RDFS, SH, SKOS, VANN, XSD, URIRef

from app.bundled import read
from app.exports.content.publication_site import PublicationSite
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.exporters import FORMATS, name_forms
from app.exports.formats.rdf import iri_text
from app.exports.formats.rdf_graph import (
    PREFIXES,
    Iri,
    RdfLiteral,
)
from app.exports.formats.record_files import all_namespace_files, namespace_files
from app.registration.declarations.registries import REGISTRIES, Format
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    Xref,
    XrefType,
)
from tests.exports.snapshots import EMPTY, FULL, GENERATED, profiled, snapshots

PLACE = PublicationSite("https://urn.example")
PAGE = "https://urn.example/assignments/urn-namespaces/"
FORMAL = URIRef(f"{PAGE}#urn-namespaces-1")
LINKED = (Format.TTL, Format.JSONLD)
PARSERS = {"ttl": "turtle", "jsonld": "json-ld"}
IDOT = rdflib.Namespace("http://identifiers.org/idot/")
VCARD = rdflib.Namespace("http://www.w3.org/2006/vcard/ns#")
DCAT_VERSION = URIRef(f"{DCAT}version")  # of DCAT 3, which rdflib does not know yet
ADMS_STATUS = URIRef("http://www.w3.org/ns/adms#status")
ALPHA, ALFA, OMEGA, DRAFT, URN_1 = FULL.records()


def parsed(name: str, data: bytes) -> rdflib.Graph:
    """A file as a graph, its literals as they are written."""
    graph = rdflib.Graph(bind_namespaces="none")
    with warnings.catch_warnings():
        # rdflib's reader of JSON-LD still uses a class of its own that it advises against
        warnings.filterwarnings("ignore", "ConjunctiveGraph is deprecated", DeprecationWarning)
        graph.parse(data=data, format=PARSERS[PurePosixPath(name).suffix[1:]])
    return graph


def statements(graph: rdflib.Graph) -> set[tuple[str, ...]]:
    """The statements of a graph, to be compared without what rdflib makes of the literals."""
    return {tuple(term.n3() for term in triple) for triple in graph}


def files(snapshot: RegistrySnapshot, place: PublicationSite = PLACE) -> dict[str, bytes]:
    """The registry in both forms."""
    return dict(file for form in LINKED for file in FORMATS[form].files(snapshot, place))


def graph_of(snapshot: RegistrySnapshot) -> rdflib.Graph:
    """The registry as statements."""
    [(name, data)] = FORMATS[Format.TTL].files(snapshot, PLACE)
    return parsed(name, data)


def concept(name: str) -> URIRef:
    """What a name stands for."""
    return URIRef(f"https://urn.example/namespaces/{name}#concept")


def one(graph: rdflib.Graph, subject: URIRef, predicate: URIRef) -> str:
    """The one thing that is said."""
    [value] = graph.objects(subject, predicate)
    return str(value)


def test_a_name_is_a_concept_of_its_table() -> None:
    graph, alpha = graph_of(FULL), concept("alpha")
    assert set(graph.subjects(RDF.type, SKOS.Concept)) == {
        concept(name) for name in ("alpha", "alfa", "omega", "draft", "urn-1")
    }
    assert (FORMAL, RDF.type, SKOS.ConceptScheme) in graph
    assert one(graph, alpha, SKOS.notation) == "Alpha"
    assert one(graph, alpha, SKOS.prefLabel) == "urn:alpha:"
    assert one(graph, alpha, SKOS.definition) == "Identifies\nletters <a>"
    assert URIRef(one(graph, alpha, SKOS.inScheme)) == FORMAL
    assert URIRef(one(graph, alpha, SKOS.topConceptOf)) == FORMAL
    assert one(graph, alpha, FOAF.page) == "https://urn.example/namespaces/alpha"
    assert one(graph, alpha, OWL.versionInfo) == "2"


def test_dates_are_typed_by_what_they_are() -> None:
    graph = graph_of(FULL)
    [issued] = graph.objects(concept("alpha"), DCTERMS.issued)
    [modified] = graph.objects(concept("alpha"), DCTERMS.modified)
    assert issued.n3() == f'"2020-02-29"^^<{XSD.date}>'
    assert modified.n3() == f'"2021-03"^^<{XSD.gYearMonth}>'
    odd = replace(FULL, registries=(), updated="some day")
    [updated] = graph_of(odd).objects(URIRef(PAGE), DCTERMS.modified)
    assert updated.n3() == '"some day"'


@pytest.mark.parametrize(
    ("name", "status", "deprecated"),
    [("alpha", "Completed", False), ("omega", "Deprecated", True), ("alfa", "Withdrawn", True)],
)
def test_the_status_of_a_name_is_told(name: str, status: str, deprecated: bool) -> None:
    graph = graph_of(FULL)
    assert one(graph, concept(name), ADMS_STATUS) == f"http://purl.org/adms/status/{status}"
    assert bool(list(graph.objects(concept(name), OWL.deprecated))) is deprecated


def test_a_namespace_says_of_itself_what_registries_of_identifiers_ask_for() -> None:
    graph, alpha = graph_of(FULL), concept("alpha")
    pattern = r"^(?:(?:[0-9]+)(?:-(?i:a|\(?P<x>))?)$"
    said = {
        DCTERMS.title: {"Letters"},
        DCTERMS.description: {"Names of letters.\nAlso of sounds."},
        SKOS.scopeNote: {'letters, "sounds"'},
        SKOS.example: {"urn:alpha:1-a", "urn:alpha:22"},
        SKOS.related: {str(concept("omega"))},
        FOAF.homepage: {"https://alphabet.example/?a&b"},
        DCTERMS.rightsHolder: {f"{alpha}-holder"},
        IDOT.preferredPrefix: {"alpha"},
        IDOT.exampleIdentifier: {"1-a", "22"},
        IDOT.identifierPattern: {pattern},
        SH.pattern: {pattern},
        VANN.preferredNamespacePrefix: {"alpha"},
        VANN.preferredNamespaceUri: {"urn:alpha:"},
    }
    for predicate, values in said.items():
        assert set(map(str, graph.objects(alpha, predicate))) == values, predicate
    assert one(graph, URIRef(f"{alpha}-holder"), FOAF.name) == "=The Alphabet, Inc."
    alone = parsed("alpha.ttl", dict(namespace_files(FULL, ALPHA, PLACE))["alpha.ttl"])
    assert {t for t in alone if str(t[0]).startswith(alpha)} == {
        t for t in graph if str(t[0]).startswith(alpha)
    }


@pytest.mark.parametrize(
    ("syntax", "patterns"),
    [
        ('NSS = 1*8ALPHA ":" 1*9DIGIT\n', {"^(?:[A-Za-z]{1,8}:[0-9]{1,9})$"}),
        ('NSS = part [ ":" NSS ]\npart = 1*ALPHA\n', set()),  # for which none is made
        ("NSS = 1*DIGIT\n\nSuch as urn:alpha:nope.\n", set()),  # to which names are not held
        ("Names are numbers.", set()),
    ],
)
def test_a_grammar_of_a_template_is_told_as_a_pattern_that_takes_the_same_names(
    syntax: str, patterns: set[str]
) -> None:
    alpha = replace(ALPHA, profile=NamespaceProfile(), fields=(("syntax", syntax),))
    table = replace(FULL.registries[0], records=(alpha,))
    graph = graph_of(replace(FULL, registries=(table,)))
    for predicate in (SH.pattern, IDOT.identifierPattern):
        assert set(map(str, graph.objects(concept("alpha"), predicate))) == patterns


def test_what_is_not_said_is_left_out_and_a_former_name_is_no_prefix() -> None:
    graph = graph_of(FULL)
    assert one(graph, concept("omega"), IDOT.preferredPrefix) == "omega"
    for predicate in (IDOT.preferredPrefix, VANN.preferredNamespaceUri, DCTERMS.title):
        assert not list(graph.objects(concept("alfa"), predicate))
    unsafe = replace(ALPHA, profile=NamespaceProfile(homepage="javascript:alert(1)"))
    table = replace(FULL.registries[0], records=(unsafe,))
    for data in files(replace(FULL, registries=(table,))).values():
        assert b"javascript" not in data


def test_the_bundled_profiles_are_the_same_in_every_form() -> None:
    graphs = [statements(parsed(name, data)) for name, data in files(profiled()).items()]
    assert graphs[0] == graphs[1]
    assert sum(triple[1] == SH.pattern.n3() for triple in graphs[0]) > 30


def test_a_former_name_says_what_took_its_place() -> None:
    assert URIRef(one(graph_of(FULL), concept("alfa"), DCTERMS.isReplacedBy)) == concept("alpha")


def test_references_lead_to_documents_with_their_titles() -> None:
    graph, rfc = graph_of(FULL), URIRef("https://www.rfc-editor.org/info/rfc8141")
    assert set(graph.objects(concept("alpha"), DCTERMS.references)) == {
        rfc,
        URIRef("https://www.rfc-editor.org/errata/eid3188"),
    }
    assert one(graph, concept("alpha"), RDFS.seeAlso) == "https://example.org/a?b&c"
    assert one(graph, rfc, RDFS.label) == "RFC 8141"
    assert one(graph, rfc, DCTERMS.title) == "Uniform Resource Names (URNs)"


def test_a_contact_is_a_person_of_the_page_without_mail_address() -> None:
    graph, jane = graph_of(FULL), URIRef(f"{PAGE}#Jane_Doe")
    assert URIRef(one(graph, concept("urn-1"), DCTERMS.relation)) == jane
    assert one(graph, jane, VCARD.fn) == "Jane Doe"
    assert (jane, RDF.type, VCARD.Kind) in graph
    for data in files(FULL).values():
        assert b"mailto:" not in data


def test_the_registry_is_a_dataset_of_its_tables_and_files() -> None:
    graph, dataset = graph_of(FULL), URIRef(PAGE)
    assert (dataset, RDF.type, DCAT.Dataset) in graph
    assert one(graph, dataset, DCTERMS.title) == "Names & <Numbers>"
    assert one(graph, dataset, DCAT_VERSION) == "7"
    assert FULL.notice in map(str, graph.objects(dataset, DCTERMS.description))
    assert FORMAL in set(graph.objects(dataset, DCTERMS.hasPart))
    found = {
        str(file): one(graph, URIRef(str(file)), DCAT.mediaType)
        for file in graph.objects(dataset, DCAT.distribution)
    }
    made = {
        PAGE + name: exporter.media_type.partition(";")[0]
        for exporter in FORMATS.values()
        for name, _ in exporter.files(FULL, PLACE)
    }
    made |= {
        PAGE + derived_file_name(FULL, each): DERIVED_FILES[each].media_type.partition(";")[0]
        for each in REGISTRIES["urn-namespaces-1"].derived
    }
    types = "https://www.iana.org/assignments/media-types/"
    assert found == {url: types + media_type for url, media_type in made.items()}
    assert not list(graph.objects(dataset, DCTERMS.publisher))


def test_every_form_has_a_media_type_and_a_label() -> None:
    assert all(form.media_type and form.label for form in Format)


def test_a_table_says_its_rule_its_experts_and_its_references() -> None:
    graph = graph_of(FULL)
    assert set(map(str, graph.objects(FORMAL, SKOS.note))) == {
        FULL.notice,
        "Registration procedure: Expert Review, per RFC 8141. Or not.",
        "Experts: Jane Doe, Juan Pérez",
    }
    assert one(graph, FORMAL, DCTERMS.references) == "https://www.rfc-editor.org/info/rfc8141"


def test_what_is_not_public_or_leads_nowhere_is_left_out() -> None:
    for data in files(FULL).values():
        assert b"Never To Be Published" not in data
    script = Registration(name="a", references=(Xref(XrefType.URI, "javascript:alert(1)"),))
    table = replace(FULL.registries[0], records=(script,))
    for data in files(replace(FULL, registries=(table,))).values():
        assert b"javascript" not in data


def test_there_are_no_blank_nodes_and_every_address_is_absolute() -> None:
    for triple in graph_of(FULL):
        for term in triple:
            assert not isinstance(term, rdflib.BNode)
            assert not isinstance(term, URIRef) or re.match("https?://", term)


def test_every_predicate_and_class_is_defined_by_its_vocabulary() -> None:
    vocabularies: tuple[Any, ...] = (DCAT, DCTERMS, FOAF, OWL, RDF, RDFS, SH, SKOS, VANN)
    others = {DCAT_VERSION, ADMS_STATUS}
    others |= {IDOT[name] for name in ("preferredPrefix", "exampleIdentifier", "identifierPattern")}
    others |= {VCARD[name] for name in ("Kind", "fn", "organization-name", "hasURL")}
    graph = graph_of(FULL)
    used = {*graph.predicates(), *graph.objects(None, RDF.type)} - others
    for address in used:
        assert any(address in vocabulary for vocabulary in vocabularies), address
    assert len(used) > 20


def hostile(text: str) -> RegistrySnapshot:
    """A registry with one text in every place."""
    record = Registration(
        name="a", fields=(("purpose", text),), references=(Xref(XrefType.RFC, "rfc1", title=text),)
    )
    table = SubRegistry(
        id="things-1",
        title=text,
        rule=(text,),
        expert=text,
        records=(record, replace(record, name=f"b{text}")),
    )
    return replace(EMPTY, title=text, notice=text, notes=((text,),), registries=(table,))


HOSTILE = (
    'a"b\\c\n\r\t\b\f',
    '"""\\"""',
    "\\u0041 \\n",
    "a\u2028b\u2029c\u0085",
    "\U0001f600\ufeff\u202e",
    "<script>&amp;</script>",
    'ends in a quote"',
    "ends in a backslash\\",
    "\x00\x01\x1f\x7f",
    " . } ] ; @prefix x: <y> .",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_character_gets_out_of_its_place(text: str) -> None:
    snapshot = hostile(text)
    graphs = [parsed(name, data) for name, data in files(snapshot).items()]
    for graph in graphs:
        assert statements(graph) == statements(graphs[0])
        titles = graph.objects(URIRef("https://urn.example/assignments/things/"), DCTERMS.title)
        assert list(map(str, titles)) == [text]
        assert text in map(str, graph.objects(None, SKOS.definition))


@pytest.mark.parametrize("form", LINKED)
def test_a_lone_surrogate_is_refused(form: Format) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        list(FORMATS[form].files(replace(EMPTY, title="a\ud800"), PLACE))


def test_what_no_address_may_hold_is_percent_encoded() -> None:
    made = iri_text(Iri('https://a.example/ <>"{}|^`\\é'))
    assert made == "<https://a.example/%20%3C%3E%22%7B%7D%7C%5E%60%5Cé>"


@GENERATED
@given(snapshots())
def test_the_forms_hold_the_same_statements(snapshot: RegistrySnapshot) -> None:
    said = [statements(parsed(name, data)) for name, data in files(snapshot).items()]
    assert all(statement == said[0] for statement in said)
    names = sum(len(table.records) for table in snapshot.registries)
    concepts = [s for s in said[0] if s[1:] == (RDF.type.n3(), SKOS.Concept.n3())]
    assert len(concepts) == names


@GENERATED
@given(snapshots())
def test_equal_snapshots_give_equal_bytes(snapshot: RegistrySnapshot) -> None:
    assert files(snapshot) == files(deepcopy(snapshot))


def test_the_bytes_are_equal_whatever_the_seed_of_hashes() -> None:
    code = (
        "import hashlib; from tests.exports.test_rdf import FULL, files;"
        "print(hashlib.sha256(b''.join(files(FULL).values())).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_turtle_has_a_paragraph_for_each_thing() -> None:
    made = files(FULL)["urn-namespaces.ttl"]
    begun = re.findall(r"^<([^>]*)> a ", made.decode(), re.MULTILINE)
    assert len(begun) == len(set(begun))
    assert set(begun) == set(map(str, graph_of(FULL).subjects()))


def test_turtle_keeps_the_lines_of_a_text_and_gathers_what_is_said() -> None:
    made = files(FULL)["urn-namespaces.ttl"].decode()
    assert (
        '''
    skos:definition """Identifies
letters <a>""" ;
    dct:issued "2020-02-29"^^xsd:date ;
'''
        in made
    )
    assert (
        """
    dct:references <https://www.rfc-editor.org/info/rfc8141>,
        <https://www.rfc-editor.org/errata/eid3188> ;
"""
        in made
    )


def test_turtle_declares_the_prefixes_it_uses() -> None:
    for data in (
        files(FULL)["urn-namespaces.ttl"],
        dict(namespace_files(FULL, ALPHA, PLACE))["alpha.ttl"],
    ):
        declared = re.findall(rb"^@prefix (\w+):", data, re.MULTILINE)
        used = re.findall(rb"(?: a |^    |\^\^)(\w+):", data, re.MULTILINE)
        assert declared == sorted(set(used))


def test_a_document_is_told_once_with_all_its_titles() -> None:
    other = replace(ALPHA, name="b", references=(Xref(XrefType.RFC, "rfc8141", title="URNs"),))
    table = replace(FULL.registries[0], records=(ALPHA, other))
    made = files(replace(FULL, registries=(table,)))
    for form in ("ttl", "jsonld"):
        assert made[f"urn-namespaces.{form}"].count(b'"RFC 8141"') == 1
    graph = parsed("urn-namespaces.ttl", made["urn-namespaces.ttl"])
    titles = graph.objects(URIRef("https://www.rfc-editor.org/info/rfc8141"), DCTERMS.title)
    assert set(map(str, titles)) == {"Uniform Resource Names (URNs)", "URNs"}


def test_a_name_alone_has_its_own_statements_in_two_forms() -> None:
    made = dict(namespace_files(FULL, URN_1, PLACE))
    assert list(made) == [f"urn-1.{form}" for form in name_forms(FULL.registries[1])]
    turtle, linked = (statements(parsed(n, made[n])) for n in ("urn-1.ttl", "urn-1.jsonld"))
    assert turtle == linked
    graph = parsed("urn-1.ttl", made["urn-1.ttl"])
    assert list(graph.subjects(RDF.type, SKOS.Concept)) == [concept("urn-1")]
    assert one(graph, URIRef(f"{PAGE}#Jane_Doe"), VCARD.fn) == "Jane Doe"
    whole_graph = statements(graph_of(FULL))
    assert turtle < whole_graph


def test_a_former_name_alone_says_so() -> None:
    made = dict(namespace_files(FULL, ALFA, PLACE))
    forms = name_forms(FULL.registries[0], former=True)
    assert list(made) == [f"alfa.{form}" for form in forms]
    assert {Format.XML, Format.CSV}.isdisjoint(forms)
    assert b"isReplacedBy" in made["alfa.jsonld"]


def test_a_change_elsewhere_changes_no_byte_of_a_name_alone() -> None:
    formal, informal = FULL.registries
    newer = replace(
        FULL,
        edition=8,
        updated="2026-02-03",
        registries=(replace(formal, expert="X", records=(OMEGA, ALPHA)), informal),
    )
    for record in (ALPHA, OMEGA, URN_1):
        assert list(namespace_files(newer, record, PLACE)) == list(
            namespace_files(FULL, record, PLACE)
        )


def test_all_names_at_once_give_what_one_by_one_gives() -> None:
    singly = [f for record in FULL.records() for f in namespace_files(FULL, record, PLACE)]
    assert list(all_namespace_files(FULL, PLACE)) == singly


def test_without_a_place_nothing_that_needs_addresses_is_made() -> None:
    assert [list(FORMATS[form].files(FULL)) for form in LINKED] == [[], []]
    assert not [n for n, _ in all_namespace_files(FULL) if n.endswith((".ttl", ".jsonld"))]
    for form in set(Format) - set(LINKED):
        assert list(FORMATS[form].files(FULL)) == list(FORMATS[form].files(FULL, PLACE))


def test_the_bundled_registry_is_the_same_in_every_form() -> None:
    snapshot = snapshot_read(json.loads(read()))
    graphs = [parsed(name, data) for name, data in files(snapshot).items()]
    assert len({len(graph) for graph in graphs}) == 1
    assert len(list(graphs[0].subjects(RDF.type, SKOS.Concept))) == len(list(snapshot.records()))


def test_the_context_of_the_json_is_in_it() -> None:
    members = json.loads(files(FULL)["urn-namespaces.jsonld"])
    assert members["@context"] == PREFIXES
    assert members["@graph"][0]["@type"] == "dcat:Dataset"
    assert members["@graph"][0]["dct:title"] == "Names & <Numbers>"


def test_prefixed_names_stand_for_addresses() -> None:
    assert RdfLiteral("a") != RdfLiteral("a", "xsd:date")
