"""Who holds NAANs is made once for each edition, and never told of another one."""

from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from app.registration.declarations.naan_registries import NAANS
from app.registration.naans.naan_records import NaanRecord
from app.registration.records.naan_registrations import registration_of
from app.registration.records.registry_records import RegistrySnapshot, SubRegistry
from app.services.registry import naan_history as holders


def _snapshots() -> Iterator[RegistrySnapshot]:
    """Editions that have one NAAN more each."""
    records: list[NaanRecord] = []
    for number in range(24680, 24690):
        records.append(NaanRecord(naan=str(number), holder="A library"))
        kept = tuple(map(registration_of, records))
        table = SubRegistry(id=NAANS.id, title="", records=kept)
        yield RegistrySnapshot(id="naans", title="", updated="", registries=(table,))


def test_holders_are_of_the_newest_edition_also_where_a_database_was_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that is made anew counts its editions from the same number on, of another moment."""
    made, latest = _snapshots(), SimpleNamespace(n=7, as_of=datetime(2026, 9, 1, tzinfo=UTC))
    monkeypatch.setattr(f"{holders.__name__}.edition_rows.latest_edition", lambda _group: latest)
    monkeypatch.setattr(f"{holders.__name__}.names.database_name", lambda: "of this test")
    monkeypatch.setattr(
        f"{holders.__name__}.edition_snapshots.snapshot", lambda _edition: next(made)
    )
    assert [holders.naan_holders().count for _ in range(2)] == [1, 1]
    latest.as_of = datetime(2026, 9, 2, tzinfo=UTC)
    assert [holders.naan_holders().count for _ in range(2)] == [2, 2]
    latest.n = 8
    assert holders.naan_holders().count == 3
