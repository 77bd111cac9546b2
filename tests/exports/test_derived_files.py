"""What is derived of a registry for some programs: profiles, prefixes, and rules to judge by."""

import csv
import io
import json
import re
import warnings
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
import rdflib
from hypothesis import given

from app.exports.content.file_names import RULES_PATH
from app.exports.content.publication_site import PublicationSite
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.extracts.prefix_map import anchor_pattern
from app.exports.formats.exporters import FORMATS
from app.identifiers.urn import parse_urn
from app.pages.lists.registry_paths import registry_path
from app.registration.declarations.registries import FORMAL, DerivedFormat
from app.registration.profiles.profile_records import NamespaceProfile, NssPattern
from app.registration.records.registry_records import Registration, RegistrySnapshot
from app.resolution.namespace_rules import LineRuleBook
from app.resolution.record_rules import rules_of
from tests.exports.snapshots import EMPTY, FULL, GENERATED, LETTERS, profiled, snapshots

OFFICIAL = replace(FULL, notice="")


def derived(form: DerivedFormat, snapshot: RegistrySnapshot = FULL) -> bytes:
    """One of the files."""
    return DERIVED_FILES[form].make(snapshot)


def of_records(*records: Registration) -> RegistrySnapshot:
    """The registry with other records in its first table."""
    return replace(FULL, registries=(replace(FULL.registries[0], records=records),))


def test_every_file_has_a_name_of_its_own_that_is_that_of_no_form() -> None:
    assert set(DERIVED_FILES) == set(DerivedFormat)
    assert [derived_file_name(FULL, form) for form in FORMAL.derived] == [
        "urn-namespaces-profiles.csv",
        "urn-namespaces-prefixes.json",
        "urn-namespaces-context.jsonld",
        "urn-namespaces-resolution.jsonl",
        "urn-namespaces-suggestions.json",
    ]
    assert registry_path(FULL) + derived_file_name(FULL, DerivedFormat.RESOLUTION) == RULES_PATH
    forms = {
        name
        for e in FORMATS.values()
        for name, _ in e.files(FULL, PublicationSite("https://a.example"))
    }
    assert not forms & {derived_file_name(FULL, form) for form in DerivedFormat}
    for bad in ("../urn", "", ".a"):
        with pytest.raises(ValueError, match="`"):
            derived_file_name(replace(FULL, id=bad), DerivedFormat.RESOLUTION)


@GENERATED
@given(snapshots())
def test_equal_snapshots_give_equal_bytes(snapshot: RegistrySnapshot) -> None:
    for form in DerivedFormat:
        assert derived(form, snapshot) == derived(form, deepcopy(snapshot))


def test_a_registry_without_names_has_files_without_names() -> None:
    assert table_of(EMPTY) == []
    assert json.loads(derived(DerivedFormat.PREFIXES, EMPTY)) == []
    assert json.loads(derived(DerivedFormat.CONTEXT, EMPTY)) == {"@context": {}}
    assert derived(DerivedFormat.RESOLUTION, EMPTY) == b""
    assert json.loads(derived(DerivedFormat.SUGGESTIONS, EMPTY))["rows"] == []


# Profiles


def table_of(snapshot: RegistrySnapshot) -> list[dict[str, str]]:
    """The profiles as a reader of CSV finds them."""
    text = derived(DerivedFormat.PROFILES, snapshot).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_a_row_tells_of_a_namespace_what_its_profile_says() -> None:
    alpha, alfa, *_ = table_of(OFFICIAL)
    assert alpha == {
        "nid": "alpha",
        "kind": "formal",
        "status": "registered",
        "successor": "",
        "title": "Letters",
        "names": 'letters, "sounds"',
        "description": "Names of letters.\nAlso of sounds.",
        "holder": "'=The Alphabet, Inc.",
        "homepage": "https://alphabet.example/?a&b",
        "example": "urn:alpha:1-a",
        "pattern": r"(?P<n>[0-9]+)(?:-(?i:a|\(?P<x>))?",
        "exact": "yes",
        "case": "mixed",
        "check": "iso7064-mod11-2",
        "resolvability": "resolved",
        "services": "2",
        "service_target": "https://alphabet.example/{+nss}",
        "service_kind": "I2L",
        "service_when": "[0-9]+",
        "related": "omega",
    }
    first = ("alfa", "formal", "former", "alpha")
    assert tuple(alfa.values()) == (*first, *[""] * (len(alfa) - len(first)))
    assert [row["nid"] for row in table_of(FULL)] == [r.folded for r in FULL.records()]
    assert {row["Notice"] for row in table_of(FULL)} == {
        "This is a private registry. Its numbers are not IANA's."
    }


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t=", "\uff1d", "\r"])
def test_no_cell_of_a_profile_is_read_as_a_formula(sign: str) -> None:
    text = f'{sign}HYPERLINK("https://a.example")'
    everything = NamespaceProfile(
        title=text,
        names=text,
        description=text,
        holder=text,
        homepage=text,
        pattern=NssPattern(expression=text),
        check=text,
        related=(text,),
    )
    [row] = table_of(of_records(Registration(name="a", profile=everything)))
    assert len([cell for cell in row.values() if cell == f"'{text}"]) == 8
    assert not [cell for cell in row.values() if cell.startswith(sign)]


# Prefixes


class PrefixReader:
    """An extended prefix map as the library that reads it does: strictly, and case by case."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self.prefixes: dict[str, str] = {}
        self.beginnings: dict[str, str] = {}
        self.patterns: dict[str, re.Pattern[str]] = {}
        for record in records:
            self._add(**record)

    def _add(
        self,
        prefix: str,
        uri_prefix: str,
        prefix_synonyms: tuple[str, ...] = (),
        uri_prefix_synonyms: tuple[str, ...] = (),
        pattern: str | None = None,
    ) -> None:
        for spelling in (prefix, *prefix_synonyms):
            assert spelling not in self.prefixes, f"duplicate prefix {spelling}"
            self.prefixes[spelling] = uri_prefix
        for spelling in (uri_prefix, *uri_prefix_synonyms):
            assert spelling not in self.beginnings, f"duplicate URI prefix {spelling}"
            self.beginnings[spelling] = prefix
        if pattern is not None:
            self.patterns[prefix] = re.compile(pattern)

    def expand(self, curie: str) -> str:
        """The URI that a compact name stands for."""
        prefix, _, identifier = curie.partition(":")
        return self.prefixes[prefix] + identifier

    def compress(self, uri: str) -> str:
        """The compact name of a URI, by the longest beginning that is known."""
        start = max((one for one in self.beginnings if uri.startswith(one)), key=len)
        return f"{self.beginnings[start]}:{uri.removeprefix(start)}"


def reader_of(snapshot: RegistrySnapshot) -> PrefixReader:
    """A reader of a registry's prefix map."""
    return PrefixReader(json.loads(derived(DerivedFormat.PREFIXES, snapshot)))


def test_compact_names_and_urns_lead_to_each_other() -> None:
    reader = reader_of(profiled())
    for compact in ("isbn:978-951-0-18435-6", "ISBN:978-951-0-18435-6"):
        assert reader.expand(compact) == "urn:isbn:978-951-0-18435-6"
    for urn in ("urn:isbn:1", "urn:ISBN:1", "URN:ISBN:1"):
        assert reader.compress(urn) == "isbn:1"
    assert reader.compress("urn:urn-7:a:b") == "urn-7:a:b"
    assert reader.expand("3gpp:a:b") == "urn:3gpp:a:b"
    assert reader.patterns["isbn"].match("978-951-0-18435-6")
    assert not reader.patterns["isbn"].match("978-951-0-18435-6 or so")
    assert "ad-id" not in reader.prefixes, "what is no name any more"


def test_every_example_of_a_bundled_profile_fits_the_pattern_that_is_told() -> None:
    whole = profiled()
    reader = reader_of(whole)
    examples = [
        (r.folded, parse_urn(e.urn).nss) for r in whole.records() for e in r.profile.examples
    ]
    tried = [(name, nss) for name, nss in examples if name in reader.patterns]
    assert len(tried) > 50
    assert [each for each in tried if not reader.patterns[each[0]].match(each[1])] == []


def test_a_name_is_told_in_the_spelling_in_which_it_was_registered_too() -> None:
    first = json.loads(derived(DerivedFormat.PREFIXES))[0]
    assert first == {
        "prefix": "alpha",
        "uri_prefix": "urn:alpha:",
        "prefix_synonyms": ["Alpha", "ALPHA"],
        "uri_prefix_synonyms": ["urn:Alpha:", "URN:Alpha:", "urn:ALPHA:", "URN:ALPHA:"],
        "pattern": r"^(?:(?:[0-9]+)(?:-(?i:a|\(?P<x>))?)$",
    }


def test_a_grammar_of_a_template_is_told_as_a_pattern() -> None:
    grammar = (("syntax", 'NSS = 4DIGIT [ "-" ALPHA ]\n'),)
    whole = of_records(Registration(name="quokka", fields=grammar), Registration(name="bare"))
    quokka, bare = json.loads(derived(DerivedFormat.PREFIXES, whole))
    assert quokka["pattern"] == "^(?:[0-9]{4}(?:-[A-Za-z])?)$"
    assert "pattern" not in bare
    rows = [*csv.DictReader(io.StringIO(derived(DerivedFormat.PROFILES, whole).decode()))]
    told = {row["nid"]: (row["pattern"], row["exact"], row["resolvability"]) for row in rows}
    assert told["quokka"] == ("[0-9]{4}(?:-[A-Za-z])?", "yes", "")
    assert told["bare"] == ("", "", "")


def test_no_spelling_stands_twice_whatever_names_there_are() -> None:
    names = ("STRASSE", "straße", "strasse-1", "1122")
    reader = reader_of(of_records(*(Registration(name=name) for name in names)))
    assert {reader.prefixes[name] for name in names} == {f"urn:{name.lower()}:" for name in names}


@GENERATED
@given(snapshots())
def test_a_reader_takes_whatever_is_written(snapshot: RegistrySnapshot) -> None:
    declared = tuple(
        replace(table, id=of.id)
        for table, of in zip(snapshot.registries, FULL.registries, strict=False)
    )
    records = json.loads(derived(DerivedFormat.PREFIXES, replace(snapshot, registries=declared)))
    reader = PrefixReader([{**record, "pattern": None} for record in records])
    told = [r.folded for t in declared for r in t.records if r.status != "former"]
    assert [record["prefix"] for record in records] == told
    # no NID has a colon, though a file may say that one has: nothing could be compact with it
    compact = [f"{name}:1" for name in told if ":" not in name]
    assert [reader.compress(reader.expand(name)) for name in compact] == compact


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("a|b", "^(?:a|b)$"),
        ("(?P<a>x)(?P<b_1>y)", "^(?:(?:x)(?:y))$"),
        (r"\(?P<a>", r"^(?:\(?P<a>)$"),
        (r"\\(?P<a>x)", r"^(?:\\(?:x))$"),
        ("[(?P<a>]", "^(?:[(?P<a>])$"),
        ("[](?P<a>](?P<a>x)", "^(?:[](?P<a>](?:x))$"),
        ("[^](?P<a>](?P<a>x)", "^(?:[^](?P<a>](?:x))$"),
        (r"[\](?P<a>](?P<a>x)", r"^(?:[\](?P<a>](?:x))$"),
        ("(?P<a>x)(?P=a)", "^(?:(?P<a>x)(?P=a))$"),
        ("(?<!a)(?=b)(?i:c)", "^(?:(?<!a)(?=b)(?i:c))$"),
    ],
)
def test_a_pattern_finds_whole_texts_and_has_groups_without_names(given: str, told: str) -> None:
    written = anchor_pattern(NssPattern(expression=given))
    assert written == told
    assert re.compile(written)


def test_the_context_makes_urns_of_compact_names_in_json_ld() -> None:
    context = json.loads(derived(DerivedFormat.CONTEXT, profiled()))
    assert context["@context"]["isbn"] == "urn:isbn:"
    assert "ad-id" not in context["@context"]
    assert json.loads(derived(DerivedFormat.CONTEXT))["notice"] == FULL.notice
    document = {**context, "@id": "isbn:978-1", "http://a.example/p": {"@id": "urn-7:a/b"}}
    graph = rdflib.Graph()
    with warnings.catch_warnings():
        # rdflib's reader of JSON-LD still uses a class of its own that it advises against
        warnings.filterwarnings("ignore", "ConjunctiveGraph is deprecated", DeprecationWarning)
        graph.parse(data=json.dumps(document), format="json-ld")
    [(subject, _, value)] = graph
    assert (str(subject), str(value)) == ("urn:isbn:978-1", "urn:urn-7:a/b")


def test_every_prefix_of_the_context_stands_for_one_uri_that_ends_in_a_colon() -> None:
    prefixes = json.loads(derived(DerivedFormat.CONTEXT, profiled()))["@context"]
    assert len(set(prefixes.values())) == len(prefixes) == 105
    assert all(re.fullmatch("urn:[a-z0-9-]+:", uri) for uri in prefixes.values())


# Rules


def test_the_rules_are_those_of_every_record_former_names_included() -> None:
    whole = profiled()
    book = LineRuleBook(derived(DerivedFormat.RESOLUTION, whole))
    for table, kind in zip(whole.registries, ("formal", "informal"), strict=True):
        for record in table.records:
            assert book.find(record.folded) == rules_of(record, kind)
    former = book.find("ad-id")
    assert former is not None
    assert (former.status, former.successor) == ("former", "adid")
    assert book.find("nope") is None


def test_the_rules_are_lines_in_the_order_of_the_folded_names() -> None:
    lines = derived(DerivedFormat.RESOLUTION).splitlines()
    assert [json.loads(line)["nid"] for line in lines] == sorted(r.folded for r in FULL.records())
    assert json.loads(lines[1])["title"] == LETTERS.title
