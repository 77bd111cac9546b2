"""Whatever a file of NAANs holds, the edition that is made of it can be published."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.published.plane import PublishedPlane
from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.naan_records import LONGEST_VALUE
from app.registration.records.naan_registrations import registration_of
from app.services.editions import edition_build, publication
from app.services.registry.naan_import import import_naans, import_sentences, read_naan_file
from app.services.registry.record_import import RecordImport, import_records
from app.store.database import read_transaction
from app.store.editions import edition_rows
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of

LONG = "b" * 200_000
RECORDS_FILE = "/assignments/naans/naans-records.json"


def _published(folder: Path, clock: Clock) -> PublishedPlane:
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(9) == []
    publication.lay_out_newest(folder, factories.making(), NAAN_GROUP)
    return PublishedPlane(folder)


@pytest.mark.parametrize(
    "changed",
    [
        {"who": {"name": LONG}},
        {"where": f"https://{LONG}.example"},
        {"target": {"url": f"https://a.example/{LONG}/${{content}}", "http_code": 302}},
        {"when": LONG},
        {"na_policy": {"policy": LONG}},
        {"test_identifier": LONG},
        {"purpose": LONG},
        {"service_provider": [LONG]},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_an_entry_with_a_value_beyond_the_bound_is_kept_unread_and_told(
    app: Flask, clock: Clock, tmp_path: Path, changed: dict[str, Any]
) -> None:
    data = file_of(entry_of(what="13579"), entry_of(**changed), entry_of(what="97531"))
    made = import_naans(read_naan_file(data), clock.on(minutes=1))
    assert made.plan.added == ("naan:13579", "naan:97531")
    told = [one for one in made.findings if one.code == "too_long"]
    assert [(one.name, one.place) for one in told] == [("24680", "/data/1")]
    assert "4,000 characters" in told[0].message
    assert max(map(len, import_sentences(made))) < 1000
    plane = _published(tmp_path / "published", clock)
    given = ask(plane, RECORDS_FILE).body
    assert json.loads(given) == json.loads(data)
    again = import_naans(read_naan_file(given), clock.on(minutes=1))
    assert again.plan.is_empty


def test_a_value_at_the_bound_is_taken_over(app: Flask, clock: Clock, tmp_path: Path) -> None:
    data = file_of(entry_of(who={"name": "b" * LONGEST_VALUE}))
    made = import_naans(read_naan_file(data), clock.on(minutes=1))
    assert made.plan.added == ("naan:24680",)
    _published(tmp_path / "published", clock)


def test_an_old_file_has_the_same_bound(app: Flask, clock: Clock, tmp_path: Path) -> None:
    blocks = (f"naa:\nwho: {who}\nwhat: {what}\n" for who, what in ((LONG, 24680), ("A", 13579)))
    made = import_naans(read_naan_file("\n".join(blocks).encode()), clock.on(minutes=1))
    assert made.plan.added == ("naan:13579",)
    assert "too_long" in [one.code for one in made.findings]
    _published(tmp_path / "published", clock)


def test_an_edition_with_a_value_of_any_length_is_published(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    """One that is in the registry already: what is written is read back, however long it is."""
    long = registration_of(replace(LIBRARY, holder=LONG))
    import_records(RecordImport(records={NAANS.id: [long]}), clock.on(minutes=1))
    plane = _published(tmp_path / "published", clock)
    assert LONG.encode() in ask(plane, "/assignments/naans/naans-table.csv").body


def test_a_host_answers_from_the_newest_edition_that_is_built(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = file_of(entry_of(LIBRARY))
    import_naans(read_naan_file(first), clock.on(minutes=1))
    edition_build.build_pending(clock(), factories.PLACE)
    import_naans(
        read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock.on(minutes=1)
    )

    def refuse(*_arguments: object) -> None:
        raise ValueError("It cannot be published.")

    monkeypatch.setattr(edition_build, "check_files", refuse)
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    assert publication.lay_out_newest(tmp_path, factories.making(), NAAN_GROUP) == 1
    plane = PublishedPlane(tmp_path)
    assert json.loads(ask(plane, RECORDS_FILE).body) == json.loads(first)
    assert ask(plane, "/ark:24680/x5abc").status == 302


@pytest.mark.parametrize("naan", ["5432o", "5432O", "1234", "abcde"])
def test_a_naan_with_which_no_ark_begins_is_kept_and_not_taken_over(
    app: Flask, clock: Clock, tmp_path: Path, naan: str
) -> None:
    data = file_of(entry_of(what=naan), entry_of(replace(SHOULDER, naan=naan)), entry_of(LIBRARY))
    made = import_naans(read_naan_file(data), clock.on(minutes=1))
    assert made.plan.added == ("naan:24680",)
    assert [one.code for one in made.findings] == ["naan_form", "naan_form"]
    plane = _published(tmp_path / "published", clock)
    assert ask(plane, f"/naans/{naan.lower()}").status == 404
    assert json.loads(ask(plane, RECORDS_FILE).body) == json.loads(data)
