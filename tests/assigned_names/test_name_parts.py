"""Parts of all names: what begins so, and what else may answer a name that does."""

import pytest

from app.assigned_names.name_prefixes import (
    ALL_NAMES,
    MOST_BEGINNINGS,
    InvalidPrefix,
    NamePart,
    read_part,
)


def test_beginnings_are_read_in_normal_form_and_those_within_another_are_left_out() -> None:
    told = ["ARK:/12-345/x5", "ark:12345/x5abc", "URN:Example", "ark:1", "ark:12345/x5"]
    assert read_part(told).beginnings == ("ark:1/", "ark:12345/x5", "urn:example:")
    assert read_part(["urn:", "urn:example:boats:", "ARK"]).beginnings == ("ark:", "urn:")
    assert read_part([]) == ALL_NAMES


@pytest.mark.parametrize("text", ["", "12345", "ark:12345/x5.v2", "isbn:", "urn:a b:"])
def test_what_no_name_begins_with_makes_no_part(text: str) -> None:
    with pytest.raises(InvalidPrefix):
        read_part(["ark:12345/", text])


def test_a_part_has_so_many_beginnings_and_no_more() -> None:
    many = [f"ark:12345/{number:03}" for number in range(MOST_BEGINNINGS + 1)]
    assert len(read_part(many[1:]).beginnings) == MOST_BEGINNINGS
    assert len(read_part([*many, "ark:12345/"]).beginnings) == 1
    with pytest.raises(InvalidPrefix, match="at most 20"):
        read_part(many)


def test_a_part_has_what_begins_so_and_keeps_what_may_answer_it() -> None:
    part = read_part(["ark:12345/x5a"])
    has = {"ark:12345/x5a", "ark:12345/x5a1", "ark:12345/x5a/b"}
    keeps = has | {"ark:12345/x5", "ark:12345/x", "ark:12345"}
    others = {"ark:12345/x5b", "ark:12345/x6", "urn:example:b", "ark:12345/y"}
    assert {name for name in keeps | others if part.has(name)} == has
    assert {name for name in keeps | others if part.keeps(name)} == keeps
    assert all(ALL_NAMES.has(name) and ALL_NAMES.keeps(name) for name in keeps | others)
    assert set(part.shorter_texts) == {"ark:12345/x5a"[:end] for end in range(1, 13)}


def test_a_part_lies_within_another_where_all_of_it_does() -> None:
    of_naan, of_both = read_part(["ark:12345/"]), read_part(["ark:12345/", "urn:example:"])
    assert of_naan.is_within(of_both) and of_naan.is_within(ALL_NAMES)
    assert not of_both.is_within(of_naan) and not ALL_NAMES.is_within(of_both)
    assert NamePart().is_within(ALL_NAMES)
    assert not read_part(["ark:"]).is_within(of_naan)
