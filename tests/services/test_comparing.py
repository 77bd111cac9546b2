"""What each edition changed is told from what it touched, as if both were compared whole."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from app.exports.editions.changes import registry_changes
from app.exports.editions.edition_list import editions_json
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.editions.version_history import (
    edition_of_day,
    growth,
    history,
    name_histories,
    past_of,
)
from app.services.refusals import NotFound
from app.services.registry.snapshots import import_xml, snapshot_of
from app.store.database import read_transaction
from tests import factories
from tests.conftest import START, Clock
from tests.published.bundles import ask
from tests.services.test_corrections import corrected

REASON = "It was misspelt."


@pytest.mark.usefixtures("quokka")
def test_each_edition_is_told_as_the_whole_comparison_tells_it(
    app: Flask, clock: Clock, shared: Path
) -> None:
    people = factories.cast(clock())
    for file in sorted((shared / "data/iana/history").glob("*.xml"))[::30]:
        import_xml(file.read_bytes(), clock.on(days=1))
    factories.registered(people, clock.on(days=1), namespace_identifier="wombat")
    with read_transaction():
        rows = history(URN_GROUP)
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert len(rows) > 3
        for row in rows[1:]:
            before, after = snapshot_of(row.number - 1), snapshot_of(row.number)
            assert list(row.changes.sentences()) == list(
                registry_changes(before, after).sentences()
            )
        assert history(URN_GROUP, 2) == rows[:2]


@pytest.mark.all_names
def test_growth_counts_the_names_in_use_at_the_end_of_each_year(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock.on(days=366))
    with read_transaction():
        first, second = growth(URN_GROUP, history(URN_GROUP))
    assert (first.year, second.year) == (START.year, (START + timedelta(days=366)).year)
    assert (first.total, second.total) == (105, 106)
    assert second.counts["urn-namespaces-1"] == first.counts["urn-namespaces-1"] + 1


def test_an_edition_stands_until_the_next(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock.on(days=10))
    with read_transaction():
        days = [(START + timedelta(days=days)).date().isoformat() for days in (0, 9, 10, 4000)]
        assert [edition_of_day(URN_GROUP, day) for day in days] == [1, 1, 2, 2]
        with pytest.raises(NotFound, match="No edition was published before"):
            edition_of_day(URN_GROUP, (START - timedelta(days=1)).date().isoformat())


def test_a_corrections_reason_is_told_wherever_its_edition_is(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    people = factories.cast(clock())
    corrected(people, clock, "isbn", date="1999-01-02")
    with read_transaction():
        row = history(URN_GROUP)[-1]
        assert (row.cause, row.reason) == ("correction", REASON)
        listed = json.loads(editions_json(snapshot_of(2), history(URN_GROUP)))["editions"]
        assert [edition.get("reason") for edition in listed] == [REASON, None]
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
    published = PublishedPlane(tmp_path)
    for path in ("/editions/", "/editions/2/", "/namespaces/isbn"):
        assert REASON.encode() in ask(published, path).body, path


@pytest.mark.usefixtures("quokka")
def test_a_names_page_tells_what_each_edition_changed_of_it(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    corrected(people, clock, "quokka", references="draft-quokka-urn-01")
    corrected(people, clock, "quokka", references="RFC 8141")
    corrected(people, clock, "quokka", name="wombat")
    corrected(people, clock, "isbn", date="1999-01-02")
    with read_transaction():
        told = name_histories(6)
        for name in ("quokka", "wombat", "isbn"):
            assert told[name].history == past_of(name, URN_SPACE).history
    renamed, of_rfc, of_draft, first = (row.changes for row in told["quokka"].history)
    assert renamed == "Renamed to `wombat`."
    assert of_rfc == "Reference draft-quokka-urn-01 became RFC 8141."
    assert of_draft == "Reference Quokka Society became draft-quokka-urn-01."
    assert first == "Added."
    (row,) = told["wombat"].history
    assert row.changes == "`quokka` renamed to `wombat`."
    assert told["isbn"].history[0].changes == "Date 1999-01-02 added."
