"""Words, charts, places and shells."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from app.pages.diagrams.year_chart import chart
from app.pages.lists.registry_paths import (
    formats,
    name_path,
    registry_path,
    table_of,
    template_path,
)
from app.pages.site.chrome import Chrome, NavigationLink
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import count_phrase, day_phrase, sentence_html
from app.registration.records.registry_records import Registration
from tests.pages.snapshots import SMALL


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("2025-02-10", "10 February 2025"),
        ("2015-03", "March 2015"),
        (date(2024, 12, 1), "1 December 2024"),
        ("TBD", "TBD"),
        ("2025-13-01", "2025-13-01"),
        ("2025", "2025"),
        ("", ""),
    ],
)
def test_days_are_told_in_words(day: str | date, words: str) -> None:
    assert day_phrase(day) == words


def test_one_is_told_from_many() -> None:
    assert [count_phrase(n, "name") for n in (0, 1, 2000)] == ["0 names", "1 name", "2,000 names"]
    assert count_phrase(2, "entry has", "entries have") == "2 entries have"


def test_backticks_mark_identifiers_and_everything_is_escaped() -> None:
    assert sentence_html("`a<b` is <taken>\u202e.") == (
        '<bdi class="id" translate="no">a&lt;b</bdi> is &lt;taken&gt;[U+202E].'
    )
    assert sentence_html("one ` alone") == "one ` alone"
    assert sentence_html(Markup("<b>x</b>")) == "<b>x</b>"


@given(st.text())
def test_no_unseen_character_is_left_unseen(text: str) -> None:
    shown = reveal_unseen(text)
    assert not set("\u200e\u200f\u061c\u202a\u202e\u2066\u2069\x00\x1b\u200b") & set(shown)
    shown.encode()  # raises where a lone surrogate is left
    assert reveal_unseen(shown) == shown


def test_what_can_be_seen_is_left_alone() -> None:
    text = "\ufeffab\tc\r\nd é \u200d 漢"
    assert reveal_unseen(text) == text
    assert reveal_unseen("a\ufeff") == "a[U+FEFF]"


def test_a_chart_has_a_bar_for_each_year_and_the_figures_in_words() -> None:
    drawn = chart({2014: 4, 2016: 7, 2017: 7})
    assert drawn is not None
    assert drawn.words == "2014: 4, 2015: 0, 2016: 7, 2017: 7"
    assert [bar.height for bar in drawn.bars] == [32.0, 0.0, 56.0, 56.0]
    assert all(bar.y + bar.height == drawn.frame.base for bar in drawn.bars)
    assert drawn.bars[-1].x + drawn.bars[-1].width <= drawn.frame.width
    assert drawn.highest.period == "2017"
    assert chart({}) is None


def test_places_are_those_of_iana() -> None:
    formal = SMALL.registries[0]
    alpha = formal.records[1]
    assert registry_path(SMALL) == "/assignments/urn-namespaces/"
    assert name_path(formal, alpha) == "/namespaces/alpha"
    assert template_path(formal, alpha) == "/assignments/urn-formal/alpha"
    assert [link.href.rpartition("/")[2] for link in formats(SMALL)] == [
        "urn-namespaces.xml",
        "urn-namespaces.xhtml",
        "urn-namespaces.txt",
        "urn-namespaces.json",
        "urn-namespaces.csv",
        "urn-namespaces-1.csv",
        "urn-namespaces-2.csv",
        "urn-namespaces.ttl",
        "urn-namespaces.jsonld",
        "urn-namespaces-profiles.csv",
        "urn-namespaces-prefixes.json",
        "urn-namespaces-context.jsonld",
        "urn-namespaces-resolution.jsonl",
        "urn-namespaces-suggestions.json",
        "urn-namespaces.atom",
    ]


def test_a_name_that_no_table_holds_is_refused() -> None:
    with pytest.raises(LookupError, match="`delta`"):
        table_of(SMALL, Registration(name="delta"))


def test_the_entry_that_leads_to_a_page_is_lit_and_no_other() -> None:
    nav = (
        NavigationLink("Registry", "/assignments/"),
        NavigationLink("Requests", "/requests/"),
        NavigationLink("Home", "/"),
    )
    chrome = Chrome(nav=nav)
    lit = [[entry.label for entry in chrome.at(path).nav if entry.current] for path in _PATHS]
    assert lit == [["Home"], ["Requests"], ["Registry"]]
    assert chrome.at("/namespaces/a", section="/assignments/").nav[0].current


_PATHS = ("/", "/requests/58", "/assignments/urn-namespaces/")
