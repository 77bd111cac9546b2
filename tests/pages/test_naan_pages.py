"""What the pages of NAANs tell: the list by which they are found, and each of them in words."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml.html import HtmlElement, document_fromstring

from app import bundled
from app.pages.lists.facets import cube_of
from app.pages.lists.list_query import check_list_parameters, read_list_query
from app.pages.lists.registry_list import RegistryExtract, published_view, view_of
from app.pages.site.published_site import Site
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.naan_checks import web_address_faults
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_records import NaanRow
from app.registration.records.naan_registrations import registration_of, registry_of
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)
from tests.pages.test_namespace import HOME
from tests.registration.naans.made_records import LIBRARY, SHOULDER

FILE = naan_file_from(bundled.naans())


def snapshot_of(rows: list[NaanRow]) -> RegistrySnapshot:
    """An edition that holds some rows, each in its table."""
    tables: dict[str, list[Registration]] = {ident: [] for ident in NAAN_GROUP.registries}
    for row in rows:
        tables[registry_of(row).id].append(registration_of(row))
    return RegistrySnapshot(
        id=NAAN_GROUP.id,
        title=NAAN_GROUP.title,
        updated="2024-11-07",
        registries=tuple(SubRegistry(id=i, title=i, records=tuple(r)) for i, r in tables.items()),
    )


@pytest.fixture(scope="module")
def naans() -> RegistrySnapshot:
    """All NAANs and shoulders that are shipped."""
    return snapshot_of(list(FILE.records))


def words(html: str, xpath: str = "//main") -> str:
    """What stands in a part of a page."""
    root: HtmlElement = document_fromstring(html)
    found: list[HtmlElement] = root.xpath(xpath)
    return " ".join(found[0].text_content().split())


def test_the_list_tells_holder_and_host_and_counts_by_what_naans_differ_in(
    site: Site, naans: RegistrySnapshot
) -> None:
    html = site.registry(naans, HOME)
    assert len(html) < 160_000  # of 1,800 names the first of each table stand there
    row = "10113 US National Agricultural Library (USNAL) www.nal.usda.gov 2001-03-08"
    assert row in words(html, "//tr[@id='10113']").replace("ark:", "")
    assert "1,800 NAANs and shoulders" in words(html, "//output")
    counts = Counter(code for row in FILE.records for code in row.policy.split(", "))
    policy = words(html, "//figure[figcaption='Policy']")
    assert f"Never given again (NR) {counts['NR']}" in policy
    assert f"Check character (CC) {counts['CC']}" in policy
    assert "ezid.cdlib.org 478" in words(html, "//details[contains(., 'ezid')]")


def test_the_list_leads_to_the_names_that_were_given_under_its_naans(
    site: Site, naans: RegistrySnapshot
) -> None:
    assert 'href="/names/under/ark:"' in site.registry(naans, HOME)


def test_a_day_of_1970_is_not_drawn_and_this_is_said(site: Site, naans: RegistrySnapshot) -> None:
    view = published_view(naans)
    undated = sum(not row.day for row in FILE.records)
    assert view.growth is not None
    assert view.growth.columns[0].year.year == 2001
    assert view.growth.columns[-1].year.total == len(FILE.records) - undated
    told = f"{undated} entries have no date."
    assert told in words(site.registry(naans, HOME), "//figure[1]")


@pytest.mark.parametrize(
    ("given", "is_meant"),
    [
        ({"organization": "fp"}, lambda row: row.kind == "FP"),
        ({"policy": "op", "kind": "shoulder"}, lambda r: "OP" in r.policy and "/" in r.name),
        ({"policy": "none"}, lambda row: not {"NR", "OP", "CC"} & set(row.policy.split(", "))),
        ({"host": "ark.bnf.fr"}, lambda row: "//ark.bnf.fr/" in row.target),
        ({"year": "none"}, lambda row: not row.day),
    ],
)
def test_each_facet_counts_what_it_says(
    naans: RegistrySnapshot, given: dict[str, str], is_meant: Callable[[NaanRow], bool]
) -> None:
    whole = published_view(naans)
    asked = read_list_query(given, NAAN_GROUP)
    assert asked.query == "?" + "&".join(f"{name}={value}" for name, value in asked.filters.items())
    cube = cube_of(naans)
    view = view_of(RegistryExtract(snapshot=naans, cube=cube, matching=cube), asked)
    assert view.matching == sum(map(is_meant, FILE.records))
    assert not check_list_parameters(given, NAAN_GROUP)
    assert view.total == whole.total == len(FILE.records)


def page_of(site: Site, row: NaanRow, *others: NaanRow, **changed: object) -> str:
    """The page of a row as it is published, with others in its edition."""
    snapshot = snapshot_of([row, *others])
    tables = tuple(
        replace(table, records=(replace(table.records[0], **changed), *table.records[1:]))  # type: ignore[arg-type]  # a field of a record
        if table.id == registry_of(row).id
        else table
        for table in snapshot.registries
    )
    pages = dict(site.pages(replace(snapshot, registries=tables), HOME))
    return pages[f"/naans/{row.name}"]


def test_the_page_of_a_naan_says_whose_it_is_what_it_promises_and_where_it_leads(
    site: Site,
) -> None:
    html = page_of(site, LIBRARY, SHOULDER)
    told = words(html)
    for sentence in (
        "Utopian Library (Bibliotheek van Utopia, UTOPIA) assigns ARKs with this prefix.",
        "only shows the format",
        "where ${content} is the NAAN and everything after it",
        "redirects to http://library.example/ark:/24680/b7k3q9",
        "never reassigned",
        "Identifiers are opaque",
        "Since 2002.",
        "1 shoulder",
        "24680/x5 Rare Books (RARE) rare.example",
    ):
        assert sentence in told, sentence
    assert "check character" not in told
    assert 'value="ark:24680/"' in html
    tried = page_of(site, replace(LIBRARY, test_ark="ark:24680/9test"))
    assert "NAAN holder chose this ARK" in words(tried)
    assert "only shows the format" not in words(tried)


def test_what_nobody_set_is_no_promise_and_what_is_no_address_is_remarked_on(site: Site) -> None:
    unset = replace(LIBRARY, when="1970-01-01T00:00:00+00:00", tenure="1970", where="http//a.b")
    told = words(page_of(site, unset))
    assert "Since 1970" not in told
    assert "start date is not known" in told
    assert "1970-01-01, a placeholder date" in told and "T00:00:00" not in told
    assert (
        "http//a.b. "
        + " ".join(text for _, text in web_address_faults("http//a.b")).replace("`", "")
        in told
    )


def test_a_shoulder_is_told_under_its_naan_and_a_promise_is_nobodys_who_made_none(
    site: Site,
) -> None:
    html = page_of(site, SHOULDER, LIBRARY)
    told = words(html)
    assert "Shoulder under NAAN 24680, registered on 1 September 2010." in told
    assert "related information at http://rare.example" in told
    assert "No policy is declared." in told
    assert "never reassigned" not in told
    assert 'href="/naans/24680"' in html


@pytest.mark.parametrize(
    ("naan", "sentence", "is_for_tests"),
    [
        ("99999", "NAAN 99999 is for tests only", True),
        ("99152", "NAAN 99152 is shared, for terms of vocabularies", False),
        ("99166", "NAAN 99166 is shared, for people, groups and institutions", False),
        ("12345", "", False),
    ],
)
def test_shared_naans_are_told_as_such_and_that_of_examples_is_as_all_others(
    site: Site, naan: str, sentence: str, is_for_tests: bool
) -> None:
    row = next(row for row in FILE.naans if row.naan == naan)
    told = words(page_of(site, row))
    assert (sentence or "assigns ARKs with this prefix") in told
    assert ("don't rely on its ARKs" in told) == is_for_tests
    assert ("assigns ARKs" in told) != bool(sentence)


def test_a_withdrawn_naan_stays_marked_and_leads_nowhere(site: Site) -> None:
    html = page_of(site, LIBRARY, status=Status.FORMER)
    told = words(html)
    assert "No longer registered." in told
    assert "the NAAN is withdrawn" in told
    assert "assigned ARKs with this prefix" in told
    assert "tried_ark" not in html


@pytest.mark.parametrize("target", ["", "N/A", "http//host.example/${content}", "//${content}"])
def test_a_target_that_is_none_is_told_and_never_a_link(site: Site, target: str) -> None:
    html = page_of(site, replace(LIBRARY, target=target, where="N/A", policy_address="N/A"))
    assert "ARKs don’t resolve" in words(html)
    assert "redirect to" not in words(html) and "redirects to" not in words(html)
    assert 'href="N/A"' not in html
