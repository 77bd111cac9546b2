"""What leads from the published JSON of one edition to that of another."""

import json
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from app.exports.editions.delta import delta_bytes, list_difference
from app.exports.formats.json import json_files
from app.exports.formats.xml_reader import read_xml
from app.exports.schemas.json_schema import delta_schema_bytes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)
from tests.exports.delta_reader import apply, changed
from tests.exports.snapshots import EMPTY, FULL, GENERATED, TEXTS, snapshots

SCHEMA = Draft202012Validator(json.loads(delta_schema_bytes(URN_GROUP.id)))
ALPHA, ALFA, OMEGA, DRAFT, URN_1 = FULL.records()


def published(snapshot: RegistrySnapshot) -> bytes:
    """The JSON of an edition."""
    ((_file, content),) = json_files(snapshot)
    return content


def registry(*records: Registration, edition: int = 1, **given: Any) -> RegistrySnapshot:
    """A registry of one table."""
    table = SubRegistry(id="things-1", title="Things", records=records)
    return replace(EMPTY, registries=(table,), edition=edition, **given)


def named(*names: str) -> tuple[Registration, ...]:
    """Records of these names."""
    return tuple(Registration(name=name) for name in names)


def sent(before: RegistrySnapshot, after: RegistrySnapshot) -> dict[str, Any]:
    """A delta as a mirror reads it."""
    content = delta_bytes(published(before), published(after))
    members: dict[str, Any] = json.loads(content)
    SCHEMA.validate(members)
    return members


def test_it_names_both_files_and_tells_nothing_of_the_records_that_stayed() -> None:
    after = replace(FULL, edition=12, updated="2026-02-03")
    members = sent(FULL, after)
    assert list(members) == ["$schema", "registry", "from", "to", "head"]
    assert members["$schema"] == "/schemas/urn-namespaces-delta.json"
    for name, snapshot in (("from", FULL), ("to", after)):
        digest = sha256(published(snapshot)).hexdigest()
        assert members[name] == {"edition": snapshot.edition, "sha256": digest}
    assert members["head"]["updated"] == "2026-02-03"
    assert [table["records"] for table in members["head"]["tables"]] == [[], []]
    assert members["head"]["people"] == []


def test_new_and_changed_records_stand_as_they_are_published_and_with_their_place() -> None:
    changed = replace(OMEGA, status=Status.REGISTERED)
    formal, informal = FULL.registries
    records = (ALPHA, ALFA, *named("new"), changed, DRAFT)
    after = replace(FULL, registries=(replace(formal, records=records), informal))
    whole = json.loads(published(after))["tables"][0]["records"]
    assert sent(FULL, after)["tables"] == {
        "urn-namespaces-1": {
            "changed": [whole[3]],
            "added": [{"record": whole[2], "after": "alfa"}],
        }
    }


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("a b c", "b c", {"removed": ["a"]}),
        ("a b c", "c a b", {"moved": [{"key": "c", "after": None}]}),
        ("a b c", "b c a", {"moved": [{"key": "a", "after": "c"}]}),
        ("isni iso", "iso isni", {"moved": [{"key": "iso", "after": None}]}),
        ("a", "x a y", {"added": [("x", None), ("y", "a")]}),
        ("", "x y", {"added": [("x", None), ("y", "x")]}),
        ("a b", "", {"removed": ["a", "b"]}),
        ("a b", "a b", {}),
    ],
)
def test_the_order_by_hand_is_kept_and_no_more_is_moved_than_must_be(
    before: str, after: str, change: dict[str, Any]
) -> None:
    old, new = (registry(*named(*text.split())) for text in (before, after))
    found = sent(old, replace(new, edition=2))
    told = found.get("tables", {}).get("things-1", {})
    if "added" in told:
        told["added"] = [(entry["record"]["name"], entry["after"]) for entry in told["added"]]
    assert told == change
    assert apply(published(old), sent(old, replace(new, edition=2))) == published(
        replace(new, edition=2)
    )


def test_the_head_stands_whole_and_people_where_they_changed() -> None:
    after = replace(FULL, notice="", category="", people=(Person(id="New"), *FULL.people[:1]))
    members = sent(FULL, after)
    assert not {"notice", "category"} & members["head"].keys()
    assert members["people"] == {
        "removed": ["Ørg"],
        "added": [{"record": {"id": "New"}, "after": None}],
    }
    assert apply(published(FULL), members) == published(after)


def test_what_stands_twice_and_two_registries_are_refused() -> None:
    with pytest.raises(ValueError, match="different registries"):
        delta_bytes(published(FULL), published(EMPTY))
    for bad in (
        registry(*named("a", "A")),
        registry(people=(Person(id="J"), Person(id="J"))),
        replace(EMPTY, registries=EMPTY.registries * 2),
    ):
        with pytest.raises(ValueError, match="twice"):
            delta_bytes(published(EMPTY), published(bad))
    for other in (b"[]", b"{}", b"\xff", b'{"id": "things"}'):
        with pytest.raises(ValueError, match=r"the JSON of a registry|decode"):
            delta_bytes(other, published(EMPTY))


@pytest.mark.slow
def test_ianas_history_is_walked_forth_and_back(shared: Path) -> None:
    files = sorted((shared / "data" / "iana" / "history").glob("*.xml"))
    read = (read_xml(file.read_bytes()) for file in files)
    editions = [replace(snapshot, edition=n) for n, snapshot in enumerate(read, 1)]
    state = published(editions[0])
    for before, after in pairwise(editions):
        state = apply(state, sent(before, after))
        assert state == published(after)
        assert apply(state, sent(after, before)) == published(before)
    assert apply(published(editions[0]), sent(editions[0], editions[-1])) == state


@st.composite
def steps(draw: st.DrawFn) -> tuple[RegistrySnapshot, RegistrySnapshot]:
    """Two states of one registry: names dropped, changed, added and moved, also across tables."""
    before, other = draw(snapshots()), draw(snapshots())
    known = {r.folded: r for r in (*before.records(), *other.records())}
    kept = draw(st.lists(st.sampled_from(sorted(known)), unique=True)) if known else []
    records = [
        replace(known[name], successor=draw(st.none() | TEXTS))
        if draw(st.booleans())
        else known[name]
        for name in kept
    ]
    tables = draw(st.sampled_from([before.registries, other.registries]))
    cut = draw(st.integers(0, len(records)))
    parts = (tuple(records[:cut]), tuple(records[cut:]), *[()] * len(tables))
    filled = tuple(replace(t, records=part) for t, part in zip(tables, parts, strict=False))
    people = tuple(draw(st.permutations(before.people))) if draw(st.booleans()) else other.people
    return before, replace(other, id=before.id, registries=filled, people=people)


@GENERATED
@given(steps())
def test_applying_a_delta_gives_the_other_state(
    pair: tuple[RegistrySnapshot, RegistrySnapshot],
) -> None:
    before, after = pair
    assert apply(published(before), sent(before, after)) == published(after)
    assert apply(published(after), sent(after, before)) == published(before)


KEYS = st.lists(st.sampled_from("abcdefghij"), unique=True)


@given(KEYS, KEYS)
def test_a_difference_leads_there_and_moves_the_least(first: list[str], second: list[str]) -> None:
    old, new = ({key: {"id": key} for key in keys} for keys in (first, second))
    change = list_difference(old, new)
    assert changed(list(old.values()), change, "id") == list(new.values())
    both = [key for key in second if key in first]
    moved = len(change.get("moved", ()))
    assert moved == len(both) - longest_run([first.index(key) for key in both])


def longest_run(numbers: list[int]) -> int:
    """How many can be left as they are, found the slow way."""
    best: list[int] = []
    for n, number in enumerate(numbers):
        best.append(1 + max((best[k] for k in range(n) if numbers[k] < number), default=0))
    return max(best, default=0)
