"""Rows are filtered and sorted as asked, and counted."""

from dataclasses import replace

import pytest

from app.pages.lists.registry_list import RegistryListView, newest_names, published_view
from app.registration.records.registry_records import RegistrySnapshot
from tests.pages.answered import answered
from tests.pages.snapshots import EMPTY, SMALL


def _names(view: RegistryListView) -> list[str]:
    return [row.record.name for table in view.tables for row in table.rows]


def test_without_a_question_every_name_in_use_stands_in_the_registrys_own_order() -> None:
    view = published_view(SMALL)
    assert _names(view) == ["beta10", "alpha", "beta2", "gamma", "urn-1"]
    assert (view.shown, view.total, view.asked.sort) == (5, 5, None)


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("ALPHA", ["alpha", "urn-1"]),  # the name, and the organization of a person
        ("alpha-template", ["alpha"]),
        ("alpha society", ["alpha", "urn-1"]),
        ("society alpha 2021", ["alpha"]),
        ("boxes", ["beta10"]),  # the title of an RFC
        ("rfc1000", ["beta10", "beta2"]),
        ("2020", ["beta10", "gamma"]),
        ("2024", ["alpha", "urn-1"]),
        ("ann author", ["urn-1"]),
        ("not recorded", ["beta2"]),
        ("changed 2024", ["alpha"]),
        ("pha", ["alpha"]),  # any end of a name
        ("rfc 1000", ["beta10", "beta2"]),
        ("thi", ["alpha"]),  # the template's text, by the beginning of its last word
        ("thi names", []),
        ("things names", ["alpha"]),
        ("ÁLPHA soCIETY", ["alpha", "urn-1"]),
        ("\N{GRINNING FACE}", []),
        ("deprecated", ["gamma"]),
        ("urn:alpha:", ["alpha"]),
        ("urn:alpha:with/more", ["alpha"]),
        ("urn:b", ["beta10", "beta2"]),
        ("al-pha", []),
        ("nothing", []),
        ("<script>", []),
        ("  ", ["beta10", "alpha", "beta2", "gamma", "urn-1"]),
    ],
)
def test_a_row_is_found_by_each_of_its_words(q: str, names: list[str]) -> None:
    assert _names(answered(SMALL, q=q)) == names


def test_a_filtered_view_still_tells_how_many_names_there_are() -> None:
    view = answered(SMALL, q="boxes")
    assert (view.shown, view.total) == (1, 5)


@pytest.mark.parametrize(
    ("sort", "order", "names"),
    [
        ("name", "asc", ["alpha", "beta2", "beta10", "gamma"]),
        ("name", "desc", ["gamma", "beta10", "beta2", "alpha"]),
        ("date", "asc", ["beta10", "gamma", "alpha", "beta2"]),
        ("date", "desc", ["alpha", "gamma", "beta10", "beta2"]),
        ("reference", "asc", ["alpha", "beta2", "beta10", "gamma"]),
        ("template", "desc", ["alpha", "beta10", "beta2", "gamma"]),
        ("shoe size", "sideways", ["beta10", "alpha", "beta2", "gamma"]),
    ],
)
def test_rows_are_sorted_by_a_column_and_what_has_no_value_comes_last(
    sort: str, order: str, names: list[str]
) -> None:
    assert _names(answered(SMALL, sort=sort, order=order))[:4] == names


def test_informal_names_show_their_contact_as_reference() -> None:
    row = published_view(SMALL).tables[1].rows[0]
    assert row.references == SMALL.registries[1].records[0].contact
    assert row.template == SMALL.registries[1].records[0].references
    assert row.about == "Ann Author, Alpha Society"


def test_a_title_that_repeats_the_label_is_left_out(snapshot: RegistrySnapshot) -> None:
    rows = {row.record.name: row for table in published_view(snapshot).tables for row in table.rows}
    assert rows["3gpp"].titles == (
        "A Uniform Resource Name (URN) Namespace for the 3rd Generation Partnership Project (3GPP)",
    )
    assert rows["cdx"].titles == ()
    assert rows["cdx"].about == "The OWASP Foundation Inc."
    assert rows["urn-1"].titles == ()
    assert rows["urn-1"].about == "Michael Mealling"


def test_news_are_the_names_of_the_day_of_the_last_update() -> None:
    told = published_view(SMALL).news
    assert [(one.name, one.href) for one in told.added] == [("urn-1", "#urn-1")]
    assert [(one.name, one.href) for one in told.changed] == [("alpha", "#alpha")]


def test_the_newest_names_come_first_and_undated_ones_not_at_all() -> None:
    assert [row.record.name for row in newest_names(SMALL)] == ["urn-1", "alpha", "gamma", "beta10"]
    assert len(newest_names(SMALL, 2)) == 2
    assert newest_names(EMPTY) == ()


def test_years_count_the_dated_names_and_the_others() -> None:
    assert published_view(SMALL).years == {2020: 2, 2021: 1, 2024: 1}
    assert (published_view(SMALL).undated, published_view(EMPTY).undated) == (1, 0)
    assert published_view(EMPTY).years == {}


def test_a_long_query_is_cut_short() -> None:
    assert len(answered(SMALL, q="x" * 10_000).asked.q) == 200


def test_people_are_not_needed_to_list_the_rows() -> None:
    assert _names(answered(replace(SMALL, people=()), q="ann_author")) == ["urn-1"]
