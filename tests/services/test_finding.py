"""Names are found alike on both databases, a page at a time, and nothing more is read."""

import json
from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import event, select, text

from app.pages.lists import registry_list
from app.pages.lists.list_query import ListQuery, read_list_query
from app.pages.lists.registry_list import RegistryListView, view_of
from app.registration.declarations.registries import URN_SPACE, space_of
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import registration_from
from app.registration.records.registry_records import Person
from app.services.names import name_search
from app.services.refusals import NotFound
from app.services.registry.snapshots import current_snapshot
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, person_changes, search_index
from app.store.tables import Name, RecordVersion, SearchEntry
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from tests import factories, synthetic
from tests.conftest import START, Clock
from tests.pages.answered import answered
from tests.store.schema import rows_of
from tests.torture.conftest import some
from tests.web.corpus import ALL

SIZE = 60
PAGE = 10


VERSIONS = select(RecordVersion).order_by(RecordVersion.name_id, RecordVersion.n)


def entry_of(row: RecordVersion) -> search_index.SearchIndexEntry:
    """A version as the index takes it."""
    registry = db.session.scalars(select(Name.registry_id).where(Name.id == row.name_id)).one()
    record = registration_from(json.loads(row.document), space_of(registry))
    return search_index.SearchIndexEntry(row.name_id, row.id, record, registry, row.sort_key)


@pytest.fixture
def short_pages(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The bundled registry, which more than one page is needed for."""
    monkeypatch.setattr(registry_list, "WHOLE", 50)
    monkeypatch.setattr(registry_list, "PAGE", PAGE)
    return app


@pytest.fixture
def many(short_pages: Flask) -> Flask:
    """The same and names of every kind beside."""
    synthetic.fill(SIZE, START, words=5)
    return short_pages


def view(**given: str) -> RegistryListView:
    asked = read_list_query(given, URN_GROUP)
    with read_transaction():
        return view_of(name_search.listing(asked, URN_GROUP), asked)


def names_in(shown: RegistryListView) -> list[str]:
    return [row.record.name for table in shown.tables for row in table.rows]


def all_pages(**given: str) -> Iterator[RegistryListView]:
    """Every page of an answer, as somebody who follows its links sees them."""
    after = ""
    while True:
        shown = view(**given, after=after)
        yield shown
        if not shown.next:
            return
        after = names_in(shown)[-1]
        assert f"after={after}" in shown.next


ASKED: tuple[dict[str, str], ...] = (
    {"sort": "name"},
    {"sort": "date", "order": "desc"},
    {"sort": "reference"},
    {"sort": "template", "order": "desc"},
    {"q": "things", "sort": "date"},
    {"kind": "informal"},
    {"status": "former"},
    {"status": "deprecated", "sort": "reference", "order": "desc"},
    {"reference": "rfc", "year": "2004"},
    {"reference": "person", "kind": "formal"},
    {"year": "none", "sort": "name", "order": "desc"},
    {"q": "organization 1"},
    {"q": "rfc 2"},
    {"q": "some society"},
    {"q": "urn:isbn:0451450523"},
    {"q": "urn:is"},
    {"q": "URN:UrN-1"},
    {"q": "MÉALLING Michael"},
    {"q": "bn"},
    {"q": "nothing at all"},
    {"kind": "sideways"},
    {"year": "none'"},
)


def test_an_answer_is_the_same_on_both_databases_and_as_worked_out_by_hand(many: Flask) -> None:
    with read_transaction():
        everything = current_snapshot(URN_GROUP)
    for given in ASKED:
        expected, pages = answered(everything, **given), list(all_pages(**given))
        assert [name for page in pages for name in names_in(page)] == names_in(expected), given
        for page in pages:
            assert (page.matching, page.total) == (expected.matching, expected.total)
            assert counts_of(page) == counts_of(expected)
            assert page.shown <= PAGE
            assert bool(page.first) == bool(page.asked.after)


def counts_of(shown: RegistryListView) -> list[list[tuple[str, int]]]:
    return [[(one.label, one.count) for one in facet.choices] for facet in shown.facets]


def test_a_registry_of_one_page_is_shown_whole_in_any_order(app: Flask) -> None:
    for given in ({}, {"sort": "date"}, {"q": "a"}):
        shown = view(**given)
        assert shown.shown == shown.matching
        assert (shown.next, shown.first) == ("", "")
    assert view().is_whole


@pytest.mark.all_names
def test_a_large_registry_begins_with_the_first_names_of_each_table(many: Flask) -> None:
    shown = view()
    assert [len(table.rows) for table in shown.tables] == [PAGE, PAGE]
    formal = shown.tables[0].rows
    assert shown.tables[0].more.endswith(f"?kind=formal&after={formal[-1].record.folded}")
    following = view(kind="formal", after=formal[-1].record.folded)
    assert names_in(following)[0] not in names_in(shown)


def test_any_text_can_be_asked_for(short_pages: Flask) -> None:
    # each is asked for in one place here, and in all of them by `make torture`
    for place, query in enumerate(("\ud800", "a\udfff", "a\0b", *some(ALL, _every(), 1))):
        ways = ({"q": f"isbn {query}"}, {"q": f"urn:{query}"}, _each(query))
        for given in some(ways, 1 if place < 3 else 3, place):
            shown = view(**given)
            assert shown.shown <= shown.total
            assert shown.first.isascii()


def _every() -> int:
    """All of them on SQLite; PostgreSQL, which takes far longer, has the same words from us."""
    return 1 if db.engine.dialect.name == "sqlite" else 3


def _each(text_: str) -> dict[str, str]:
    return dict.fromkeys(("kind", "status", "reference", "year", "sort", "order"), text_)


OPERATORS = (
    '"',
    "isbn OR",
    "NOT isbn",
    "isbn*",
    "NEAR(isbn, 2)",
    "words:isbn",
    "^isbn",
    "'",
    "isbn\0",
)


def test_what_a_database_takes_for_an_operator_is_a_word_or_nothing(app: Flask) -> None:
    with read_transaction():
        everything = current_snapshot(URN_GROUP)
    for query in OPERATORS:
        assert names_in(view(q=query)) == names_in(answered(everything, q=query)), query


def test_a_page_after_nobody_is_refused_with_what_to_do(app: Flask) -> None:
    for after in ("nobody", "a\0b", "é", "'", "x" * 300, "\ud800"):
        with pytest.raises(NotFound, match="Take `after=` out of the address"):
            view(after=after)


@pytest.mark.all_names
def test_a_registered_name_is_found_in_the_transaction_that_registers_it(
    app: Flask, clock: Clock
) -> None:
    assert names_in(view(q="quokka")) == []
    factories.registered(factories.cast(clock()), clock(), purpose="Names marsupials.")
    assert names_in(view(q="quokka marsup")) == ["quokka"]
    assert [(n.name, n.href) for n in view().news.added] == [("quokka", "#quokka")]
    with read_transaction():
        snapshot, cube = name_search.front()
    assert "quokka" in [record.name for record in snapshot.records()]
    assert sum(cube.values()) == 107


def test_the_index_made_anew_is_the_index_that_was_kept(many: Flask) -> None:
    kept = rows_of("search")
    with transaction():
        db.session.execute(text("DELETE FROM search"))
    assert names_in(view(q="isbn")) == []
    with transaction():
        newest = {row.name_id: entry_of(row) for row in db.session.scalars(VERSIONS)}
        search_index.index_versions(list(newest.values()))
    assert rows_of("search") == kept
    assert "isbn" in names_in(view(q="isbn"))
    if db.engine.dialect.name == "sqlite":
        with transaction():  # raises where the full text differs from the table
            db.session.execute(
                text("INSERT INTO search_text(search_text, rank) VALUES ('integrity-check', 1)")
            )


def test_an_index_that_older_software_filled_is_made_anew_where_it_differs(many: Flask) -> None:
    """It lacked words of facets and sorted otherwise; an upgrade changes no record."""
    kept = rows_of("search")
    assert name_search.refresh_index() == 0
    with transaction():
        older = "UPDATE search SET words = 'old', by_name = '' WHERE name_id % 3 = 0"
        changed = db.session.execute(text(older)).rowcount  # type: ignore[attr-defined]
    assert rows_of("search") != kept
    assert name_search.refresh_index() == changed > 0
    assert rows_of("search") == kept
    assert "isbn" in names_in(view(q="isbn"))


def test_names_are_found_by_what_a_person_is_called_now(app: Flask, clock: Clock) -> None:
    assert names_in(view(q="mealling verisign")) == []
    with transaction():
        edition = edition_rows.add_edition(
            URN_GROUP,
            as_of=clock(),
            updated="2026-09-01",
            origin=EditionOrigin.LOCAL,
            cause=Cause.CORRECTION,
            notice="",
        )
        renamed = Person(id="Michael_Mealling", name="M. Mealling", org="Verisign")
        person_changes.set_people([renamed], edition)
    assert "urn-1" in names_in(view(q="mealling verisign"))


@pytest.mark.all_names
@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("books", "isbn"),
        ("mobile equipment", "gsma"),
        ("broadband forum", "dslforum-org"),
        ("legal entities", "lei"),
    ],
)
@pytest.mark.usefixtures("app")
def test_a_namespace_is_found_by_what_its_profile_says(words: str, name: str) -> None:
    assert name in names_in(view(q=words))


def test_nothing_loads_the_whole_registry(many: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def note(_c: object, cursor: object, *_: object) -> None:
        read.append(1)

    def fail(*_: object) -> None:
        raise AssertionError("all records are read")

    event.listen(db.engine, "after_cursor_execute", note)
    monkeypatch.setattr(edition_snapshots, "snapshot", fail)
    try:
        for given in ({}, *ASKED):
            read.clear()
            view(**given)
            assert len(read) < 25
        with read_transaction():
            assert name_search.find("IsBn", URN_SPACE) is not None
            assert name_search.find("nobody", URN_SPACE) is None
            name_search.front()
    finally:
        event.remove(db.engine, "after_cursor_execute", note)


@pytest.mark.all_names
def test_the_search_table_holds_each_name_once(many: Flask) -> None:
    with read_transaction():
        assert (
            db.session.query(SearchEntry).count()
            == sum(search_index.cells(URN_GROUP.registries).values())
            == 106 + SIZE
        )
    assert ListQuery().is_plain
