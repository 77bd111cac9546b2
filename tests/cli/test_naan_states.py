"""Six dated states of the registry of NAANs as editions: none loses anything, each tells its step.

They are reference material, which a clone alone has not.
"""

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest

from app.commands.registry_database import registry_database
from app.config import read_settings
from app.exports.editions.changes import NameChange, NameChangeKind
from app.exports.extracts.naan_files import naan_records_bytes
from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.naan_changes import NaanChangeKind, naan_changes
from app.registration.naans.naan_records import NaanFile, name_key
from app.resolution.ark_rules import ark_rule_lines, ark_rules_of, day_of_file
from app.services.editions.version_history import history
from app.services.registry.snapshots import snapshot_of
from app.store.database import read_transaction
from app.store.editions import edition_rows
from tests.registration.naans.conftest import naan_states
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of

from .conftest import Run, SetUp

__all__ = ["naan_states"]

CIRCLE = {"url": "https://n2t.net/ark:${content}", "http_code": 302}


def dated(day: str) -> str:
    return json.dumps({"metadata": {"updated": f"{day}T00:00:00+00:00"}, "records": []})


@pytest.mark.slow
def test_six_dated_states_are_six_editions_which_tell_each_change_and_lose_nothing(
    run: Run, set_up: SetUp, naan_states: list[tuple[bytes, NaanFile]], tmp_path: Path
) -> None:
    set_up("--empty")
    days = [day_of_file(file) for _, file in naan_states]
    first, *others = (data for data, _ in naan_states)
    assert run("registry", "import-naans", "--day", days[0], "-", stdin=first)[0] == 0
    folder = tmp_path / "states"
    folder.mkdir()
    for number, data in enumerate(others):
        (folder / f"{9 - number}.json").write_bytes(data)
    code, _, said = run("registry", "import-history", str(folder))
    assert (code, f"editions 2 to 6, from {days[1]} to {days[5]}" in said) == (0, True)
    for again in (
        ("import-naans", "--day", days[2], str(folder / "8.json")),
        ("import-history", str(folder)),
    ):
        code, _, said = run("registry", *again)
        assert (
            code,
            f"Edition 6 {'of the NAANs ' if len(again) == 2 else ''}has the date" in said,
        ) == (
            1,
            True,
        )
    with registry_database(read_settings(os.environ)), read_transaction():
        rows = history(NAAN_GROUP)
        assert [row.as_of.date().isoformat() for row in rows] == days
        for row, (data, _) in zip(rows, naan_states, strict=True):
            edition = edition_rows.find_numbered(NAAN_GROUP, row.number)
            assert edition
            assert json.loads(naan_records_bytes(snapshot_of(edition.n))) == json.loads(data)
        for row, ((_, before), (_, after)) in zip(rows[1:], pairwise(naan_states), strict=True):
            assert _facts(row.changes.names) == _differences(before, after)
            assert list(row.changes.other_sentences()) == []
    _, out, _ = run("registry", "export", "--group", "naans", "--format", "ark-rules")
    assert out.encode() == ark_rule_lines(map(ark_rules_of, naan_states[-1][1].records))


@pytest.mark.parametrize(
    ("states", "said"),
    [
        (["{}", "neither"], "0.json: "),
        (['{"records": []}'], "0.json: /metadata: The file has no date."),
        ([dated("2024-02-30")], "0.json: `2024-02-30` isn't a date."),
        ([dated("2024-02-29")] * 2, "0.json and 1.json have the same date"),
        ([dated("2024-02-29"), dated("9024-02-29")], "1.json: `9024-02-29` is in the future."),
    ],
)
def test_states_that_cannot_follow_each_other_are_told_and_none_is_taken_over(
    run: Run, set_up: SetUp, tmp_path: Path, states: list[str], said: str
) -> None:
    set_up("--empty")
    for number, text in enumerate(states):
        (tmp_path / f"{number}.json").write_text(text)
    code, _, told = run("registry", "import-history", str(tmp_path))
    assert code == 1
    assert said in told
    assert "Nothing was imported." in told


def test_what_is_found_in_states_and_in_a_file_is_told_by_its_kind(
    run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    set_up("--empty")
    led_back = [entry_of(LIBRARY, what=name, target=CIRCLE) for name in ("24680", "13579")]
    orphan = entry_of(SHOULDER, what="99999/x5", naan="99999")
    entries = [{"what": 5}, {"what": 6}, *led_back, orphan]
    for name, given in (("1", entries), ("2", entries[2:3])):
        file = json.loads(file_of(*given))
        file["metadata"] = {"version": "1.0", "updated": f"2024-02-0{name}T00:00:00+00:00"}
        (tmp_path / f"{name}.json").write_text(json.dumps(file))
    code, _, told = run("registry", "import-history", str(tmp_path))
    lines = told.splitlines()
    assert (code, "from 2024-02-01 to 2024-02-02" in told) == (1, True)
    (unread,) = [line for line in lines if line.startswith("1.json: /data/0")]
    assert unread.endswith("(1 similar)")
    (gone,) = [line for line in lines if "is not in this file" in line]
    assert gone.startswith("2.json: `13579` ")
    assert gone.endswith("(1 similar)")
    assert len([line for line in lines if ".json: " in line]) == 2
    file_of_one = str(tmp_path / "1.json")
    code, _, told = run("registry", "import-naans", "--dry-run", file_of_one)
    assert code == 1
    (circle,) = [line for line in told.splitlines() if "would loop" in line]
    assert "24680" in circle
    assert circle.endswith("(1 similar)")
    assert "The NAAN `99999` of this shoulder is missing." in told
    assert "The shoulder has no policy." in told
    (tmp_path / "3.json").write_bytes(file_of(*led_back))
    assert run("registry", "import-naans", str(tmp_path / "3.json"))[0] == 1  # one is not in it
    (tmp_path / "4.json").write_bytes(file_of(*led_back, orphan))
    code, _, told = run("registry", "import-naans", str(tmp_path / "4.json"))
    assert (code, "would loop" in told) == (0, True)  # remarks are no reason to fail


def _facts(told: tuple[NameChange, ...]) -> set[tuple[str, str, str]]:
    facts = set()
    for change in told:
        if change.kind is NameChangeKind.REGISTERED:
            facts.add((change.folded, "", "new"))
        for fact in change.facts:
            assert f"{fact.label} “{fact.before or fact.after}” " in change.sentence
            assert not fact.before or not fact.after or f" became “{fact.after}”" in change.sentence
            facts.add((change.folded, fact.before, fact.after))
    return facts


def _differences(before: NaanFile, after: NaanFile) -> set[tuple[str, str, str]]:
    return {
        (name_key(one.name), "", "new")
        if one.kind is NaanChangeKind.NEW
        else (name_key(one.name), _in_words(one.before), _in_words(one.after))
        for one in naan_changes(before.records, after.records)
    }


def _in_words(said: object) -> str:
    text = str(said or "")
    for name in ("policy", "organization_kind"):
        text = NAANS.named[name].worded(text)
    return text
