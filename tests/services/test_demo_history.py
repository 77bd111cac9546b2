"""A demonstration has a past: IANA's registry since 2015, and what its people did after that."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app import server
from app.config import Settings
from app.exports.editions.changes import NameChangeKind
from app.factory import open_application
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import RegistrySnapshot
from app.services.editions import edition_build
from app.services.editions.version_history import growth, history
from app.services.operations import demo_requests
from app.services.registry.history_import import bundled_history
from app.services.registry.snapshots import bundled_snapshot, snapshot_of
from app.store.database import read_transaction
from app.store.editions import edition_rows
from app.store.tables.editions import EditionOrigin

DAYS = [state.day for state in bundled_history()]
NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of one that is not set up yet, and has one story to tell."""
    monkeypatch.setattr(server, "now", lambda: NOW)
    monkeypatch.setattr(edition_build, "build_pending", lambda *_: None)
    told = demo_requests.stories(with_naans=False)[-1:]
    monkeypatch.setattr(demo_requests, "stories", lambda **_: told)
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    return Settings(
        data_dir=tmp_path, database_url=url, secret_key="of a test", demo=True, naans=False
    )


def _comparable(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """A state without its number among editions."""
    return replace(snapshot, edition=0)


def test_its_newest_imported_state_is_the_registry_as_shipped(demonstration: Settings) -> None:
    plan = server.initialize(demonstration, print)
    assert plan and len(plan.added) == 106
    with open_application(demonstration), read_transaction():
        editions = [edition_rows.get_edition(n) for n in edition_rows.keys_of(URN_GROUP).values()]
        imported = [one for one in editions if one.origin == EditionOrigin.IMPORTED]
        assert [one.updated for one in imported] == DAYS
        assert [f"{one.as_of:%Y-%m-%d}" for one in imported] == DAYS
        assert editions[: len(DAYS)] == imported, "what its people did comes after"
        assert _comparable(snapshot_of(imported[-1].n)) == bundled_snapshot()
        moments = [one.as_of for one in editions]
        assert moments == sorted(moments)


def test_each_step_tells_its_changes(demonstration: Settings) -> None:
    server.initialize(demonstration, print)
    with open_application(demonstration), read_transaction():
        newest = edition_rows.latest_edition(URN_GROUP)
        assert newest is not None
        rows = {f"{row.as_of:%Y-%m-%d}": row.changes for row in history(URN_GROUP, newest.n)}
        assert all(rows[day].names for day in DAYS[1:])
        (renamed,) = rows["2017-03-06"].names
        assert renamed.kind is NameChangeKind.RENAMED
        assert renamed.sentence == "`ad-id` renamed to `adid`."
        told = {change.name: change.sentence for change in rows["2019-02-28"].names}
        assert told["isbn"] == (
            "`isbn`: template isbn-template added; "
            "reference RFC 3187 became International ISBN Agency."
        )
        assert told["etsi"] == "`etsi` added."
        assert "Leslie Daigle is no longer an expert" in " ".join(rows["2019-02-28"].sentences())
        years = growth(URN_GROUP, history(URN_GROUP, newest.n))
        assert [(one.year, one.total) for one in years] == [
            (2015, 62),
            (2017, 69),
            (2019, 74),
            (2021, 80),
            (2023, 91),
            (2026, 105),
        ]


@pytest.mark.parametrize("setting", [{"demo_requests": False}, {"demo": False}], ids=str)
def test_without_requests_the_registry_begins_as_it_is_shipped(
    demonstration: Settings, setting: dict[str, Any]
) -> None:
    settings = replace(demonstration, **setting)
    server.initialize(settings, print)
    with open_application(settings), read_transaction():
        assert len(edition_rows.keys_of(URN_GROUP)) == 1
        latest = edition_rows.latest_edition(URN_GROUP)
        assert latest is not None
        assert latest.origin == EditionOrigin.LOCAL


def test_a_clock_behind_the_shipped_registry_begins_with_it_alone(
    demonstration: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = datetime.fromisoformat(DAYS[-1]).replace(tzinfo=UTC) + timedelta(days=10)
    monkeypatch.setattr(server, "now", lambda: behind)
    assert server.initialize(demonstration, print)
    with open_application(demonstration), read_transaction():
        first = edition_rows.find_numbered(URN_GROUP, 1)
        assert first is not None
        assert first.origin == EditionOrigin.LOCAL
        assert _comparable(snapshot_of(first.n)).registries == bundled_snapshot().registries
