"""Names that look alike are told: of several signs, in any case, and across scripts."""

import pytest

from app.assigned_names.name_look_alikes import (
    find_look_alikes,
    look_alikes,
    skeleton,
    skeleton_number,
)


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
    assert look_alikes([one], [one, other, f"{other}z"]) == {one: [other]}
    assert look_alikes([one, other]) == {one: [other], other: [one]}
    found = find_look_alikes([one], [other])[one]
    assert not found.refuses
    assert other in found.message


def test_a_name_without_its_like_is_told_nothing() -> None:
    assert look_alikes(["urn:example:b"], ["urn:example:b", "urn:example:d"]) == {}
    assert find_look_alikes(["urn:example:b"], ["urn:example:b", "urn:example:d"]) == {}


def test_numbers_are_those_that_a_database_holds() -> None:
    numbers = [skeleton_number(f"urn:example:{n}") for n in range(1_000)]
    assert len({*numbers}) > 300
    assert -(2**63) <= min(numbers) < 0 < max(numbers) < 2**63
