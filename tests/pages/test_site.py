"""The published pages say what the registry says, safely and whole."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from jinja2 import Environment, UndefinedError

from app.exports.editions.changes import registry_changes
from app.exports.editions.edition_list import EditionRow
from app.pages.assets import static_link
from app.pages.diagrams.growth_chart import YearCount, edition_marks, growth_chart
from app.pages.lists.list_query import check_list_parameters, read_list_query
from app.pages.lists.registry_list import published_view, view_of
from app.pages.namespaces.timeline import VersionLink
from app.pages.site.chrome import (
    Chrome,
    Flash,
    GroupLink,
    NavigationLink,
    SiteTally,
    configure_environment,
)
from app.pages.site.published_site import Site
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    Xref,
    XrefType,
)
from tests.pages.answered import answered, extract_of
from tests.pages.seen import Page
from tests.pages.snapshots import EMPTY, SMALL

HOSTILE = "\"'><script>alert(1)</script>\u202e"


def _alpha(snapshot: RegistrySnapshot = SMALL) -> Registration:
    return snapshot.registries[0].records[1]


# Every page


def test_every_page_of_the_shipped_registry_is_whole_and_loads_nothing_from_elsewhere(
    site: Site, snapshot: RegistrySnapshot, chrome: Chrome
) -> None:
    pages = dict(site.pages(snapshot, chrome))
    assert len(pages) == 2 + sum(1 for _ in snapshot.records())
    for path, html in pages.items():
        page = Page(html)
        assert not {"style", "iframe"} & {tag for tag, _ in page.elements}
        assert not page.values("style")
        assert not [name for _, given in page.elements for name in given if name.startswith("on")]
        assert all(src.startswith("/static/") for src in page.values("src"))
        assert page.values("href", "link")[0] == f"https://registry.example{path}"
        repeated = [name for name, times in Counter(page.values("id")).items() if times > 1]
        assert repeated == []
        assert len([tag for tag, _ in page.elements if tag == "h1"]) == 1
        assert "This registry is private." in page.text
        assert "Nothing here is real" in page.text


def test_who_is_named_as_an_expert_is_led_to_the_decision_where_a_site_has_that_page(
    site: Site, snapshot: RegistrySnapshot, chrome: Chrome
) -> None:
    named = sum(1 for table in snapshot.registries if table.expert)
    hrefs = Page(site.registry(snapshot, chrome)).values("href", "a")
    assert hrefs.count("/appointments/") == named > 0
    alone = Page(site.registry(snapshot, replace(chrome, appointments=""))).values("href", "a")
    assert "/appointments/" not in alone


def test_every_link_to_a_part_of_a_page_leads_to_one(
    site: Site, snapshot: RegistrySnapshot, chrome: Chrome
) -> None:
    pages = {path: Page(html) for path, html in site.pages(snapshot, chrome)}
    for path, page in pages.items():
        for href in page.values("href", "a"):
            target, _, part = href.partition("#")
            if part and (target or path) in pages:
                assert part in pages[target or path].values("id"), href


def test_equal_snapshots_give_equal_pages(site: Site, chrome: Chrome) -> None:
    assert list(site.pages(SMALL, chrome)) == list(site.pages(replace(SMALL), chrome))


def test_what_people_wrote_is_escaped_wherever_it_stands(site: Site) -> None:
    hostile = Xref(XrefType.URI, "javascript:alert(1)", label=HOSTILE, title=HOSTILE)
    record = replace(
        _alpha(),
        references=(hostile,),
        template=(HOSTILE, hostile),
        fields=(("purpose", HOSTILE), ("unknown_field", HOSTILE)),
    )
    snapshot = replace(
        SMALL,
        title=HOSTILE,
        notes=((HOSTILE, hostile),),
        registries=(
            replace(
                SMALL.registries[0],
                title=HOSTILE,
                rule=(HOSTILE,),
                expert=HOSTILE,
                records=(record,),
            ),
        ),
        people=(replace(SMALL.people[0], name=HOSTILE, org=HOSTILE, uris=(HOSTILE,)),),
    )
    shell = Chrome(
        site=HOSTILE,
        notice=HOSTILE,
        actor=HOSTILE,
        account=NavigationLink(HOSTILE, "/account"),
        nav=(NavigationLink(HOSTILE, "/x"),),
        footer=(NavigationLink(HOSTILE, "/y"),),
        flashes=(Flash("ok", HOSTILE),),
        name_check="/tools/nid",
    )
    pages = [html for _, html in site.pages(snapshot, shell)]
    pages.append(site.registry(snapshot, shell, answered(snapshot, q=HOSTILE)))
    for html in pages:
        page = Page(html)
        assert [given.get("src") for tag, given in page.elements if tag == "script"] in (
            [static_link("menu.js")],
            [static_link("menu.js"), static_link("suggest.js")],
            [static_link("menu.js"), static_link("filter.js"), static_link("suggest.js")],
            [static_link("menu.js"), static_link("copy.js")],
        )
        assert not [href for href in page.values("href") if href.startswith("javascript:")]
        assert "\u202e" not in page.text
        assert "<script>alert(1)</script>[U+202E]" in page.text


# The shell


def test_the_shell_shows_only_what_it_is_given(site: Site) -> None:
    page = Page(site.home(EMPTY, Chrome()))
    assert not {"nav", "aside"} & {tag for tag, _ in page.elements}
    assert "canonical" not in page.values("rel", "link")
    assert set(page.values("href", "a")) == {
        "#page_main",
        "/",
        "https://www.rfc-editor.org/info/rfc8141",
        "/assignments/urn-namespaces/",
        "/assignments/urn-namespaces/#urn-namespaces-1",
        *(
            f"/assignments/urn-namespaces/urn-namespaces.{s}"
            for s in ("xml", "xhtml", "txt", "json", "csv", "ttl", "jsonld", "atom")
        ),
        *(
            f"/assignments/urn-namespaces/urn-namespaces-{rest}"
            for rest in (
                "profiles.csv",
                "prefixes.json",
                "context.jsonld",
                "resolution.jsonl",
                "suggestions.json",
            )
        ),
        "/assignments/urn-namespaces/urn-namespaces-1.csv",
        *("/?q=978-951-0-18435-6", "/?q=legal+documents"),
    }


def test_the_shell_lights_the_page_that_is_shown_and_its_section(
    site: Site, chrome: Chrome
) -> None:
    def lit(html: str) -> list[tuple[str, str]]:
        return [
            (given["href"], given["aria-current"])
            for _, given in Page(html).elements
            if "aria-current" in given
        ]

    assert lit(site.home(SMALL, chrome)) == []
    assert lit(site.registry(SMALL, chrome)) == [("/assignments/urn-namespaces/", "page")]
    assert lit(site.namespace(SMALL, _alpha(), chrome)) == [
        ("/assignments/urn-namespaces/", "true")
    ]


def test_the_shell_says_who_is_signed_in_and_what_was_just_done(site: Site, chrome: Chrome) -> None:
    flashes = (Flash("ok", "Request 58 asks for `alpha`."), Flash("message", "Seen."))
    signed_in = replace(chrome, actor="Ann", account=NavigationLink("Your account", "/account"))
    page = Page(site.home(SMALL, replace(signed_in, flashes=flashes)))
    assert "Ann Your account" in page.words
    assert "Request 58 asks for alpha." in page.words
    assert page.elements.count(("p", {"class": "flash ok ok-bg", "role": "status"})) == 2
    assert "Review 3" in page.words


# The first page


def test_the_first_page_searches_and_offers_what_this_site_has(site: Site, chrome: Chrome) -> None:
    page = Page(site.home(SMALL, chrome))
    fields = [given for tag, given in page.elements if tag == "input"]
    assert [given["name"] for given in fields] == ["q"]
    (form,) = (given for tag, given in page.elements if tag == "form")
    suggestions = "/assignments/urn-namespaces/urn-namespaces-suggestions.json"
    assert (form["method"], form["action"], form["role"]) == ("get", "/", "search")
    assert form["data-suggest"] == suggestions
    assert "4 formal namespaces 1 informal namespace" in page.words
    assert {"/requests/new", "/tools/nid"} <= set(page.values("href"))
    newest = [href for href in page.values("href") if href.startswith("/namespaces/")]
    assert newest == [f"/namespaces/{name}" for name in ("urn-1", "alpha", "gamma", "beta10")]
    assert "urn:urn-1: Ann Author, Alpha Society 6 May 2024" in page.words


def test_the_first_page_counts_what_other_registries_have(site: Site, chrome: Chrome) -> None:
    others = (GroupLink(title="NAANs", href="/assignments/naans/"),)
    names = {"/assignments/naans/": {NAANS.id: 1432, SHOULDERS.id: 368}}
    tally = SiteTally(names)
    words = Page(
        site.home(SMALL, replace(chrome, others=others, new_request="/requests/new"), tally=tally)
    ).words
    assert "1,432 NAANs and 368 shoulders" in words


def test_the_first_page_of_an_empty_registry_says_so(site: Site) -> None:
    words = Page(site.home(EMPTY, Chrome())).words
    assert "0 formal namespaces" in words
    assert "No registrations at this time." in words


# The registry page


def test_the_registry_page_has_ianas_parts_in_ianas_order(
    site: Site, snapshot: RegistrySnapshot, chrome: Chrome
) -> None:
    words = Page(site.registry(replace(snapshot, edition=74), chrome)).words
    parts = [
        "Edition 74",
        "Last updated 2026-07-28: gs1 added.",
        "Note This is the Official IANA Registry of URN Namespaces.",
        "Available formats XML",
        "Registries included below",
        "Formal URN Namespaces Registration procedures Expert Review",
        "Experts Peter Saint-Andre (team leader)",
        "Reference [RFC8141]",
        "URN Namespace Template Reference Registered urn:3gpp:",
        "Informal URN Namespaces Registration procedures",
        "urn:urn-1: [urn-1] [Michael_Mealling]",
        "Contact Information ID Name Last updated [Andrea_Goethals] Andrea Goethals 2010-01-28",
    ]
    places = [words.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_each_row_holds_its_name_as_anchor_link_and_whole_urn(
    site: Site, snapshot: RegistrySnapshot, chrome: Chrome
) -> None:
    page = Page(site.registry(snapshot, chrome))
    rows = [given["id"] for tag, given in page.elements if tag == "tr" and "id" in given]
    names = [row.record.name for table in published_view(snapshot).tables for row in table.rows]
    assert rows[: len(names)] == names
    assert "ad-id" not in rows
    for name in names:
        assert f"urn:{name}:" in page.text
        assert f"/namespaces/{name}" in page.values("href", "a")


def test_rows_tell_dates_changes_titles_and_status(site: Site) -> None:
    words = Page(site.registry(SMALL, Chrome())).words
    assert "urn:beta10: [RFC1000] Names for Boxes 2020-02-02" in words
    assert "[alpha-template] [Alpha Society] 2021-03-04 changed 2024-05-06" in words
    assert "urn:beta2: [RFC99][RFC1000] —date not recorded" in words
    assert "urn:gamma: Deprecated" in words
    assert "Last updated 2024-05-06: urn-1 added; alpha changed." in words


def test_the_chart_has_its_figures_in_words(site: Site) -> None:
    page = Page(site.registry(SMALL, Chrome()))
    charts = [given for tag, given in page.elements if tag == "svg" and given.get("role") == "img"]
    assert [given["aria-label"] for given in charts] == [
        "Registrations by year. 2020: 2, 2021: 1, 2022: 0, 2023: 0, 2024: 1."
    ]
    assert "1 entry has no recorded date." in page.words


MANY = tuple(Registration(name=f"delta-{n}", date="2024-05-06") for n in range(5))
FORMER_YEAR, LATER_YEAR = {"urn-namespaces-1": 2}, {"urn-namespaces-1": 3, "urn-namespaces-2": 1}
TOLD = [
    (None, SMALL, "First edition, with 6 entries."),
    (
        SMALL,
        replace(SMALL, title="Large"),
        "No entries changed. The text about the registry changed.",
    ),
    (SMALL, replace(SMALL, people=()), "No entries changed. Contacts changed."),
    (
        SMALL,
        replace(
            SMALL,
            registries=(
                replace(SMALL.registries[0], records=SMALL.registries[0].records + MANY[:2]),
                SMALL.registries[1],
            ),
        ),
        "delta-0 added. delta-1 added.",
    ),
    (
        SMALL,
        replace(
            SMALL,
            registries=(
                replace(SMALL.registries[0], records=SMALL.registries[0].records + MANY),
                SMALL.registries[1],
            ),
        ),
        "Entries: 5 registered.",
    ),
]


def _row(before: RegistrySnapshot | None, after: RegistrySnapshot, **given: str) -> EditionRow:
    found = registry_changes(before, replace(after, edition=8))
    as_of = datetime(2025, 1, 2, tzinfo=UTC)
    row = EditionRow(number=8, as_of=as_of, changes=found, origin="local", cause="correction")
    return replace(row, **given)  # type: ignore[arg-type]  # mypy takes them for any member


@pytest.mark.parametrize(("before", "after", "words"), TOLD)
def test_the_list_of_editions_tells_in_short_what_each_changed(
    site: Site, before: RegistrySnapshot | None, after: RegistrySnapshot, words: str
) -> None:
    assert words in Page(site.editions(SMALL, [_row(before, after)], (), Chrome())).words


def test_the_page_of_an_edition_says_where_it_came_from_and_why(site: Site) -> None:
    for reason in ("It was misspelt", "It was misspelt."):
        row = _row(None, SMALL, origin="imported", cause="import", reason=reason)
        words = Page(site.edition(SMALL, row, 8, Chrome(), None)).words
        assert "imported from the registry’s files" in words
        assert "Reason: It was misspelt. This is the newest edition." in words


def test_the_growth_of_the_registry_is_drawn_also_where_a_kind_came_later(site: Site) -> None:
    years = (YearCount(2023, 1, FORMER_YEAR), YearCount(2025, 2, LATER_YEAR))
    page = Page(site.editions(SMALL, [_row(None, SMALL)], years, Chrome()))
    charts = [given for tag, given in page.elements if tag == "svg" and given.get("role") == "img"]
    said = "Registered entries at the end of each year. 2023: 2, 2024: 2, 2025: 4."
    said += " The table below lists the kinds. Editions: 2025: edition 8."
    assert [given["aria-label"] for given in charts] == [said]
    assert len([tag for tag, _ in page.elements if tag == "rect"]) == 4
    assert "Year FormalInformal All Edition 2025 31 4 2 2023 20 2 1" in page.words


def test_each_figure_stands_above_the_middle_of_its_column_the_last_one_too(site: Site) -> None:
    years = (YearCount(2023, 1, FORMER_YEAR), YearCount(2025, 2, LATER_YEAR))
    chart = growth_chart(years)
    assert chart
    page = Page(site.editions(SMALL, [_row(None, SMALL)], years, Chrome()))
    told = [(given["x"], given["text-anchor"]) for tag, given in page.elements if tag == "text"]
    assert told == [(str(column.middle), "middle") for column in chart.columns for _ in range(2)]


def test_the_years_that_had_editions_are_marked_in_the_history() -> None:
    years = (YearCount(2023, 1, FORMER_YEAR), YearCount(2025, 2, LATER_YEAR))
    marks = edition_marks(growth_chart(years), [(2023, 1), (2025, 2), (2025, 3), (2022, 9)])
    assert [mark.words for mark in marks] == ["2023: edition 1", "2025: editions 2 to 3"]
    assert edition_marks(None, [(2023, 1)]) == ()


def test_where_all_editions_are_of_one_year_the_days_of_the_names_draw_the_history(
    site: Site,
) -> None:
    page = Page(site.editions(SMALL, [_row(None, SMALL)], (), Chrome()))
    assert len([given for tag, given in page.elements if tag == "svg"]) > 0
    assert "entries with a registration date" in page.words


def test_headings_sort_and_turn_round_and_keep_the_query(site: Site) -> None:
    def sorts(view_of: dict[str, str]) -> list[str]:
        html = site.registry(SMALL, Chrome(), answered(SMALL, **view_of))
        return [href for href in Page(html).values("href", "a") if href.startswith("?")][:4]

    assert sorts({}) == ["?sort=name", "?sort=template", "?sort=reference", "?sort=date"]
    assert sorts({"q": "urn:", "sort": "name"})[:2] == [
        "?q=urn%3A&sort=name&order=desc",
        "?q=urn%3A&sort=template",
    ]
    assert sorts({"sort": "name", "order": "desc"})[0] == "?sort=name"


def test_the_sorted_column_says_which_way(site: Site) -> None:
    for order, way in (("asc", "ascending"), ("desc", "descending")):
        html = site.registry(SMALL, Chrome(), answered(SMALL, sort="date", order=order))
        assert Page(html).values("aria-sort") == [way, way]
    assert Page(site.registry(SMALL, Chrome())).values("aria-sort") == []


def test_a_query_is_answered_with_its_rows_and_a_way_back(site: Site, chrome: Chrome) -> None:
    page = Page(site.registry(SMALL, chrome, answered(SMALL, q="boxes", sort="name", order="desc")))
    assert "1 of 5 namespaces matches. Show all" in page.words
    assert "urn:alpha:" not in page.text
    values = {given["name"]: given["value"] for tag, given in page.elements if tag == "input"}
    assert values == {"q": "boxes", "sort": "name", "order": "desc"}
    assert "data-filter" not in [name for _, given in page.elements for name in given]


def test_a_query_that_matches_nothing_says_so_with_a_way_on(site: Site, chrome: Chrome) -> None:
    page = Page(site.registry(SMALL, chrome, answered(SMALL, q="no such name")))
    assert "No namespace matches no such name." in page.words
    assert "/tools/nid?q=no%20such%20name" in page.values("href", "a")
    none = next(given for _, given in page.elements if given.get("id") == "filter_none")
    assert "hidden" not in none


def test_an_empty_table_says_so(site: Site) -> None:
    page = Page(site.registry(EMPTY, Chrome()))
    assert "No registrations at this time." in page.words
    assert "No namespace matches" not in page.words
    assert "Last updated" not in page.words


def test_people_have_no_column_that_would_be_empty(site: Site) -> None:
    without = replace(SMALL, people=(replace(SMALL.people[0], org=None),))
    assert "ID Name Organization Last updated" in Page(site.registry(SMALL, Chrome())).words
    assert "ID Name Last updated" in Page(site.registry(without, Chrome())).words
    uris = replace(SMALL, people=(replace(SMALL.people[0], uris=("mailto:ann&alpha.example",)),))
    assert "Contact URI Last updated" in Page(site.registry(uris, Chrome())).words


def test_a_large_registry_is_published_as_the_first_rows_of_each_table(site: Site) -> None:
    formal = tuple(Registration(name=f"name-{n}", date="2024-05-06") for n in range(600))
    tables = (replace(SMALL.registries[0], records=formal), SMALL.registries[1])
    page = Page(site.registry(replace(SMALL, registries=tables), Chrome()))
    rows = [given["id"] for tag, given in page.elements if tag == "tr" and "id" in given]
    assert rows == [*(f"name-{n}" for n in range(100)), "urn-1", "Ann_Author"]
    assert "601 namespaces. Each table shows the first ones." in page.words
    after = "/assignments/urn-namespaces/?kind=formal&after=name-99"
    assert after in page.values("href", "a")
    assert "data-filter" not in [name for _, given in page.elements for name in given]
    assert "data-sort" not in [name for _, given in page.elements for name in given]
    assert "name-19, urn-1" not in page.words
    assert "name-19 added; and more." in page.words


def test_a_page_of_an_answer_leads_to_the_next_and_back_to_the_first(site: Site) -> None:
    asked = read_list_query({"q": "rfc", "sort": "name", "after": "alpha"}, URN_GROUP)
    extract = replace(extract_of(SMALL, asked), leaves_out=True)
    page = Page(site.registry(extract.snapshot, Chrome(), view_of(extract, asked)))
    path = "/assignments/urn-namespaces/"
    links = [href for href in page.values("href", "a") if href.startswith(f"{path}?q=rfc&sort")]
    assert f"{path}?q=rfc&sort=name" in links
    assert links[-1] == f"{path}?q=rfc&sort=name&after=beta10"
    assert page.words.index("First page") < page.words.index("Next page")


def test_facets_tell_how_many_names_each_choice_leaves(site: Site) -> None:
    page = Page(site.registry(SMALL, Chrome(), answered(SMALL, status="deprecated")))
    assert "Kind Formal 1 Status: Deprecated Any Registered 4 Deprecated 1 Former 1" in page.words
    assert "1 of 5 namespaces matches. Show all" in page.words
    path, to = "/assignments/urn-namespaces/", "#filter"
    offered = {path + to, f"{path}?status=former{to}", f"{path}?status=deprecated&year=2020{to}"}
    assert offered <= set(page.values("href", "a"))


def test_former_names_are_counted_beside_those_in_use(site: Site) -> None:
    page = Page(site.registry(SMALL, Chrome(), answered(SMALL, status="former")))
    assert (
        "1 former entry matches, in addition to 5 namespaces in use. Show all in use" in page.words
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sort": "bogus"}, "Use `name`, `template`, `reference` or"),
        ({"status": "bogus"}, "Use `registered`, `deprecated` or `former`."),
        ({"kind": "x"}, "Use `formal` or `informal`."),
        ({"reference": "x"}, "Use `rfc`, `draft`, "),
        ({"order": "up"}, "Use `asc` or `desc`."),
        ({"year": "20"}, "such as `2001`, or `none`."),
        ({"year": "\uff12\uff10\uff12\uff11"}, "a year"),
        ({"organization": "x"}, "a parameter of this list. Use `q`, "),
        ({"x" * 999: ""}, f"`{'x' * 64}` isn't a parameter"),
    ],
)
def test_what_of_an_address_is_not_understood_is_told_with_what_there_is(
    given: dict[str, str], said: str
) -> None:
    (told,) = check_list_parameters(given, URN_GROUP)
    assert said in told


def test_of_what_is_understood_nothing_is_told() -> None:
    given = dict.fromkeys(("q", "kind", "status", "reference", "year", "sort", "order"), "")
    assert (
        check_list_parameters(given | {"q": "bogus", "after": "isbn", "year": "none"}, URN_GROUP)
        == ()
    )
    chosen = {"kind": "formal", "status": "former", "reference": "rfc", "year": "2001"}
    assert check_list_parameters(chosen | {"sort": "date", "order": "desc"}, URN_GROUP) == ()


# One namespace


def test_a_namespace_page_shows_the_template_as_its_registrants_own(site: Site) -> None:
    page = Page(site.namespace(SMALL, _alpha(), Chrome()))
    assert "Formal URN namespace, registered on 4 March 2021." in page.words
    assert "Version 2, dated 1 May 2024. The text below is the registrant’s." in page.words
    assert "Purpose from the registrant Names <things> of alpha." in page.words
    assert "Resolution from the registrant" not in page.words
    assert "Resolution The template doesn’t describe resolution." in page.words
    assert {
        "/namespaces/alpha.json",
        "/namespaces/alpha.xml",
        "/assignments/urn-formal/alpha",
        "https://alpha.example/",
    } <= set(page.values("href", "a"))
    assert {"urn:alpha:", "/namespaces/alpha"} <= set(page.values("data-copy"))


def test_html_made_before_is_shown_instead_of_being_made_again(site: Site) -> None:
    html = site.namespace(SMALL, _alpha(), Chrome(), rendered={"purpose": "<p>kept</p>"})
    assert '<div class="text"><p>kept</p></div>' in html


def test_a_namespace_without_a_template_leads_to_what_there_is(site: Site) -> None:
    formal, informal = SMALL.registries
    page = Page(site.namespace(SMALL, formal.records[0], Chrome()))
    assert "This registry has no copy of the template." in page.words
    assert "[RFC1000] Names for Boxes" in page.words
    assert "https://www.rfc-editor.org/info/rfc1000" in page.values("href", "a")
    assert "/assignments/urn-formal/beta10" not in page.values("href", "a")
    original = Page(site.namespace(SMALL, informal.records[0], Chrome()))
    assert "See the original: [urn-1]." in original.words
    assert "/assignments/urn-namespaces/#Ann_Author" in original.values("href", "a")


def test_deprecated_and_former_names_say_so_and_name_their_successor(site: Site) -> None:
    _, _, undated, deprecated, former = SMALL.registries[0].records
    assert "Deprecated. Existing identifiers stay valid. Use urn:alpha: instead." in (
        Page(site.namespace(SMALL, deprecated, Chrome())).words
    )
    page = Page(site.namespace(SMALL, former, Chrome()))
    assert "No longer registered. It is never reused." in page.words
    assert "/namespaces/alpha" in page.values("href", "a")
    assert "The registration date is not recorded." in (
        Page(site.namespace(SMALL, undated, Chrome())).words
    )


def test_versions_are_listed_and_the_shown_one_is_no_link(site: Site) -> None:
    versions = (
        VersionLink(2, "/namespaces/alpha/versions/2", "2024-05-01", is_shown=True),
        VersionLink(1, "/namespaces/alpha/versions/1"),
    )
    page = Page(site.namespace(SMALL, _alpha(), Chrome(), versions))
    assert "Template version 2 1 May 2024 Template version 1" in page.words
    links = [href for href in page.values("href", "a") if "versions" in href]
    assert links == ["/namespaces/alpha/versions/1"]


def test_a_page_template_that_lacks_a_value_fails_loudly() -> None:
    environment = Environment(autoescape=True)
    configure_environment(environment)
    with pytest.raises(UndefinedError):
        environment.from_string("{{ chrome.colour }}").render(chrome=Chrome())


def test_a_table_that_no_declaration_knows_is_still_shown(site: Site) -> None:
    unknown = SubRegistry(id="things-1", title="Things", records=(Registration(name="one"),))
    page = Page(site.registry(replace(SMALL, registries=(unknown,)), Chrome()))
    assert "Things" in page.words
