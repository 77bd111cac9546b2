"""What leads from one edition to another."""

import json
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from app.exports.delta import BrokenDelta, WrongBase, apply, delta, delta_bytes, public
from app.exports.ordering import DoesNotFit, applied, difference
from app.exports.schema import delta_schema_bytes
from app.exports.xml_reader import read_xml
from app.registration.records import Person, Registration, RegistrySnapshot, Status, SubRegistry
from tests.exports.snapshots import EMPTY, FULL, GENERATED, TEXTS, snapshots

SCHEMA = Draft202012Validator(json.loads(delta_schema_bytes()))
ALPHA, ALFA, OMEGA, DRAFT, URN_1 = public(FULL).records()


def registry(*records: Registration, edition: int = 1, **given: Any) -> RegistrySnapshot:
    """A registry of one table."""
    table = SubRegistry(id="things-1", title="Things", records=records)
    return replace(EMPTY, registries=(table,), edition=edition, **given)


def named(*names: str) -> tuple[Registration, ...]:
    """Records of these names."""
    return tuple(Registration(name=name) for name in names)


def sent(before: RegistrySnapshot, after: RegistrySnapshot) -> dict[str, Any]:
    """A delta as a mirror reads it."""
    members: dict[str, Any] = json.loads(delta_bytes(before, after))
    SCHEMA.validate(members)
    return members


def test_it_says_where_it_begins_and_ends_and_nothing_of_what_stayed() -> None:
    members = sent(FULL, replace(FULL, edition=12, updated="2026-02-03"))
    assert list(members) == ["$schema", "registry", "from", "to"]
    assert members["$schema"] == "/schemas/urn-namespaces-delta.json"
    assert members["from"]["edition"] == 7
    assert (members["to"]["edition"], members["to"]["updated"]) == (12, "2026-02-03")
    assert members["from"]["sha256"] != members["to"]["sha256"]


def test_new_and_changed_records_stand_whole_and_with_their_place() -> None:
    changed = replace(OMEGA, status=Status.REGISTERED)
    formal, informal = FULL.registries
    records = (ALPHA, ALFA, *named("new"), changed, DRAFT)
    after = replace(FULL, registries=(replace(formal, records=records), informal))
    assert sent(FULL, after)["tables"] == {
        "urn-namespaces-1": {
            "changed": [
                {
                    "name": "omega",
                    "references": [
                        {
                            "type": "uri",
                            "data": "https://example.org/",
                            "label": '=Omega, "Inc".',
                        }
                    ],
                }
            ],
            "added": [{"record": {"name": "new"}, "after": "alfa"}],
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
    if "added" in change:
        entries = [{"record": {"name": n}, "after": last} for n, last in change["added"]]
        change = {"added": entries}
    found = sent(old, replace(new, edition=2))
    assert found.get("tables", {}) == ({"things-1": change} if change else {})
    assert apply(old, found).registries == new.registries


def test_the_head_and_people_are_there_where_they_changed() -> None:
    after = replace(FULL, notice="", category="", people=(Person(id="New"), *FULL.people[:1]))
    members = sent(FULL, after)
    assert members["notice"] == ""
    assert "category" not in members["head"]
    assert members["people"] == {
        "removed": ["Ørg"],
        "added": [{"record": {"id": "New"}, "after": None}],
    }
    assert apply(FULL, members) == public(after)


def test_nothing_that_is_not_public_is_sent() -> None:
    for before, after in ((replace(FULL, registries=()), FULL), (FULL, replace(FULL, title="T"))):
        text = delta_bytes(before, after).decode()
        assert "Never To Be Published" not in text
        assert "unheard_of" not in text
    assert apply(replace(FULL, registries=()), sent(replace(FULL, registries=()), FULL)) == public(
        FULL
    )


def test_a_delta_for_another_edition_is_refused_with_both_numbers() -> None:
    members = sent(registry(edition=7), registry(*named("a"), edition=12))
    with pytest.raises(WrongBase, match=r"begins at edition 7 .* edition 8") as refusal:
        apply(registry(edition=8), members)
    assert (refusal.value.wanted, refusal.value.given) == (7, 8)


def test_a_delta_for_another_state_of_the_same_edition_is_refused() -> None:
    members = sent(registry(edition=7), registry(*named("a"), edition=12))
    for other in (registry(*named("b"), edition=7), registry(edition=7, notice="N")):
        with pytest.raises(WrongBase):
            apply(other, members)


BEFORE = registry(*named("a", "b"), people=(Person(id="J"),))
AFTER = registry(*named("c", "a"), edition=2, title="T", people=(Person(id="K"),))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("to", "edition"), 3),
        (("to", "sha256"), "0" * 64),
        (("to", "sha256"), None),
        (("tables", "things-1", "removed"), ["x"]),
        (("tables", "things-1", "removed"), []),
        (("tables", "things-1", "removed"), 5),
        (("tables", "things-1", "added"), []),
        (("tables", "things-1", "added", 0, "after"), "nowhere"),
        (("tables", "things-1", "added", 0, "after"), ["a"]),
        (("tables", "things-1", "added", 0, "record"), {}),
        (("tables", "things-1", "added", 0, "record"), None),
        (("tables", "things-1", "added", 0, "record", "status"), "odd"),
        (("tables", "things-1", "added", 0, "record", "name"), "a"),
        (("tables",), []),
        (("head", "title"), "Other"),
        (("head", "registries"), [7]),
        (("head",), None),
        (("people", "removed"), ["K"]),
        (("people", "changed"), [{"id": "L"}]),
        (("people", "moved"), [{"key": "J", "after": None}]),
    ],
)
def test_a_delta_that_was_tampered_with_is_refused(path: tuple[Any, ...], value: object) -> None:
    members = sent(BEFORE, AFTER)
    assert apply(BEFORE, members) == AFTER
    spoilt = deepcopy(members)
    at = spoilt
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(BrokenDelta):
        apply(BEFORE, spoilt)


@pytest.mark.parametrize("document", [{}, {"from": {}}, {"from": {"sha256": "0"}}, {"from": 3}])
def test_a_document_that_is_no_delta_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no delta"):
        apply(BEFORE, document)


def test_what_stands_twice_and_two_registries_are_refused() -> None:
    with pytest.raises(ValueError, match="two registries"):
        delta(FULL, EMPTY)
    for bad in (
        registry(*named("a", "A")),
        registry(people=(Person(id="J"), Person(id="J"))),
        replace(EMPTY, registries=EMPTY.registries * 2),
    ):
        with pytest.raises(ValueError, match="twice"):
            delta(EMPTY, bad)


def test_ianas_history_is_walked_forth_and_back(shared: Path) -> None:
    files = sorted((shared / "data" / "iana" / "history").glob("*.xml"))
    read = (read_xml(file.read_bytes()) for file in files)
    editions = [replace(snapshot, edition=n) for n, snapshot in enumerate(read, 1)]
    state = editions[0]
    for before, after in pairwise(editions):
        state = apply(state, sent(before, after))
        assert state == after
        assert apply(after, sent(after, before)) == before
    assert apply(editions[0], sent(editions[0], editions[-1])) == state


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
    assert apply(before, sent(before, after)) == after
    assert apply(after, sent(after, before)) == before
    assert delta_bytes(before, after) == delta_bytes(deepcopy(before), deepcopy(after))


KEYS = st.lists(st.sampled_from("abcdefghij"), unique=True)


@given(KEYS, KEYS)
def test_a_difference_leads_there_and_moves_the_least(first: list[str], second: list[str]) -> None:
    old, new = ({key: {"id": key} for key in keys} for keys in (first, second))
    change = difference(old, new)
    assert applied(old, change, lambda entry: str(entry["id"])) == list(new.values())
    both = [key for key in second if key in first]
    moved = len(change.get("moved", ()))
    assert moved == len(both) - longest_run([first.index(key) for key in both])


def longest_run(numbers: list[int]) -> int:
    """How many can be left as they are, found the slow way."""
    best: list[int] = []
    for n, number in enumerate(numbers):
        best.append(1 + max((best[k] for k in range(n) if numbers[k] < number), default=0))
    return max(best, default=0)


@pytest.mark.parametrize(
    "change",
    [
        {"added": [{"record": {"id": "x"}, "after": "y"}, {"record": {"id": "y"}, "after": "x"}]},
        {"added": [{"record": {"id": "x"}, "after": "a"}, {"record": {"id": "y"}, "after": "a"}]},
        {"moved": [{"key": "x", "after": None}]},
        {"changed": [{"id": "x"}]},
        {"removed": ["a", "a"]},
    ],
)
def test_a_difference_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(DoesNotFit, match="does not fit"):
        applied({"a": {"id": "a"}}, change, lambda entry: str(entry["id"]))


def test_a_template_that_came_as_a_text_goes_along() -> None:
    before = registry(Registration(name="a"))
    after = registry(Registration(name="a", text="Word\r\nfor word."), edition=2)
    assert apply(before, sent(before, after)) == after
