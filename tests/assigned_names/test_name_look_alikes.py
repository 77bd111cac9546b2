"""Names that look alike are told: of several signs, in any case, and across scripts."""

from itertools import islice, product
from unittest.mock import Mock

import pytest

from app.assigned_names.name_look_alikes import (
    find_look_alikes,
    look_alikes,
    skeleton,
    skeleton_number,
)
from app.identifiers import errors as spelling


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("urn:example:doc01", "urn:example:DOC-O1"),
        ("urn:example:rnodel", "urn:example:model"),
        ("urn:example:a%D0%B0", "urn:example:aa"),
        ("ark:12345/x5abl", "ark:12345/x5ab1"),
        ("urn:example:O0O1", "urn:example:0O0l"),
        ("urn:example:Report", "urn:example:REP0RT"),
        ("urn:example:x-y_z", "urn:example:xyz"),
        ("urn:example:Map", "urn:example:%D0%9C%D0%B0p"),
        ("urn:example:ab", "urn:example:ab%E2%80%8B"),
        ("urn:example:caf%C3%A9", "urn:example:Caf%C3%89"),
    ],
)
def test_names_that_look_alike_are_told_and_not_refused(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert skeleton_number(one) == skeleton_number(other)
    assert look_alikes([one], [one, other, f"{other}z"]) == {one: ((other,), 1)}
    assert look_alikes([one, other]) == {one: ((other,), 1), other: ((one,), 1)}
    found = find_look_alikes([one], [other])[one]
    assert not found.refuses
    assert other in found.message


def test_a_name_without_its_like_is_told_nothing() -> None:
    assert look_alikes(["urn:example:b"], ["urn:example:b", "urn:example:d"]) == {}
    assert find_look_alikes(["urn:example:b"], ["urn:example:b", "urn:example:d"]) == {}


def flood(count: int) -> list[str]:
    """So many names that all look alike."""
    return [f"urn:example:{''.join(signs)}" for signs in islice(product("oO0", repeat=8), count)]


def test_of_many_that_look_alike_the_first_are_told_and_the_others_counted() -> None:
    first, second, third, fourth, *_ = there = sorted(flood(2_000))
    found = look_alikes(there)
    assert len(found) == 2_000
    assert found[first] == ((second, third, fourth), 1_999)
    assert found[third] == ((first, second, fourth), 1_999)
    assert found[there[-1]] == ((first, second, third), 1_999)
    assert "and 1996 more." in find_look_alikes(there)[first].message


def test_each_name_is_spelled_a_few_times_however_many_look_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spell = Mock(wraps=spelling.spell_text)
    monkeypatch.setattr("app.assigned_names.name_look_alikes.spell_text", spell)
    find_look_alikes(flood(500))
    assert spell.call_count <= 4 * 500


def test_where_more_look_alike_than_are_read_that_is_said() -> None:
    here, *flooded = flood(50)
    alike = find_look_alikes([here, "urn:example:b", "urn:example:d"], flooded, is_cut=True)
    assert {*alike} == {here, "urn:example:b"}
    assert "and at least 46 more." in alike[here].message
    assert "may be missing" in alike["urn:example:b"].message
    assert not alike["urn:example:b"].refuses


def test_numbers_are_those_that_a_database_holds() -> None:
    numbers = [skeleton_number(f"urn:example:{n}") for n in range(1_000)]
    assert len({*numbers}) > 300
    assert -(2**63) <= min(numbers) < 0 < max(numbers) < 2**63
