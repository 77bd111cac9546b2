"""The rules and the tables held against the real registries, where they are at hand."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.identifiers.countries import COUNTRIES
from app.identifiers.errors import NidKind
from app.identifiers.nid import AUTHORITY_WORDS, COMMON_WORDS, NidIndex, check_nid
from app.identifiers.uri_schemes import URI_SCHEMES
from app.identifiers.urn import parse_urn

_IANA = "{http://www.iana.org/assignments}"
FORMAL, INFORMAL = NidKind.FORMAL, NidKind.INFORMAL


def _values(path: Path, registry: str, element: str) -> Iterator[str]:
    root = ElementTree.parse(path).getroot()
    for value in root.findall(f"{_IANA}registry[@id='{registry}']/{_IANA}record/{_IANA}{element}"):
        assert value.text
        yield value.text


@pytest.fixture(scope="module")
def formal(shared: Path) -> list[str]:
    path = shared / "data/iana/urn-namespaces/urn-namespaces.xml"
    return list(_values(path, "urn-namespaces-1", "name"))


@pytest.fixture(scope="module")
def informal(shared: Path) -> list[str]:
    path = shared / "data/iana/urn-namespaces/urn-namespaces.xml"
    return list(_values(path, "urn-namespaces-2", "name"))


def test_no_registered_name_breaks_a_rule(formal: list[str], informal: list[str]) -> None:
    assert (len(formal), len(informal)) == (97, 8)
    for kind, names in ((FORMAL, formal), (INFORMAL, informal)):
        assert [name for name in names if not check_nid(name, kind).valid] == []
    assert [name for name in formal + informal if parse_urn(f"urn:{name}:a").nid != name] == []


def test_being_registered_is_the_only_problem_of_a_registered_name(
    formal: list[str], informal: list[str]
) -> None:
    index = NidIndex(formal + informal)
    for kind, names in ((FORMAL, formal), (INFORMAL, informal)):
        for name in [*names, *map(str.upper, names)]:
            assert [found.code for found in check_nid(name, kind, index).problems] == ["registered"]


def test_the_clashes_of_registered_names_are_the_known_ones(formal: list[str]) -> None:
    clashes: dict[str, list[str]] = {}
    for name in formal:
        for found in check_nid(name, FORMAL).advisories:
            clashes.setdefault(found.code, []).append(name)
    assert clashes == {
        "country_code": ["nzl"],
        "uri_scheme": ["doi", "dvb", "example", "oid", "pwid", "service", "xmpp"],
        "common_word": ["alert", "example", "service", "thread"],
    }


def test_no_two_registered_names_look_alike(formal: list[str]) -> None:
    index = NidIndex(formal)
    assert [name for name in formal if index.find_look_alikes(name)] == []


def test_the_name_that_broke_a_rule_in_2017_would_be_refused() -> None:
    (found,) = check_nid("ad-id", FORMAL).problems
    assert found.code == "country_prefix"


def test_the_uri_schemes_are_the_registered_ones(shared: Path) -> None:
    path = shared / "data/iana/other/uri-schemes.xml"
    values = _values(path, "uri-schemes-1", "value")
    assert {value.removesuffix(" (OBSOLETE)").lower() for value in values} == URI_SCHEMES


def test_the_country_codes_have_the_form_of_alpha_3_and_a_name() -> None:
    assert len(COUNTRIES) == 249
    for code, country in COUNTRIES.items():
        assert len(code) == 3 and code.isascii() and code.isalpha() and code.islower()
        assert country and country.isprintable()


@pytest.mark.parametrize("words", [COMMON_WORDS, AUTHORITY_WORDS])
def test_every_listed_word_could_be_a_formal_name(words: frozenset[str]) -> None:
    assert [word for word in sorted(words) if not check_nid(word, FORMAL).valid] == []


def test_no_word_is_listed_twice() -> None:
    assert COMMON_WORDS.isdisjoint(AUTHORITY_WORDS)
