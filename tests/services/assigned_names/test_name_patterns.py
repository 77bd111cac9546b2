"""The pattern of a prefix: however a name under it is given, it follows it."""

from collections.abc import Callable

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState
from app.services.assigned_names import minting, prefix_lists, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput
from app.store.database import read_transaction
from app.store.event_log import event_rows
from tests import factories
from tests.services.assigned_names.conftest import MASK, NameDesk, revision

PATTERN = "[0-9]{4}(?:/[a-z]+)?"
RESERVED = AssignedNameState.RESERVED


def test_names_that_are_bound_or_reserved_follow_the_pattern(desk: NameDesk) -> None:
    desk.add("ark:10099/z5", mask="", pattern=PATTERN)
    for name, told in (
        ("ark:10099/z5123", {"target": "https://a.example/"}),
        ("ark:10099/z512345", {"state": RESERVED}),
        ("ark:10099/z51234/A", {"target": "https://a.example/"}),
    ):
        with pytest.raises(InvalidInput, match="doesn't match the pattern") as refused:
            desk.change(revision(name, **told))
        assert (refused.value.code.code, refused.value.field) == ("assigned_name_refused", "name")
    desk.change(revision("ark:10099/z51234", state=RESERVED))
    desk.change(revision("ark:10099/z51234/page", target="https://a.example/"))
    assert desk.known("ark:10099/z51234").state is RESERVED


def test_a_row_whose_name_does_not_follow_the_pattern_is_refused_and_others_are_taken(
    desk: NameDesk,
) -> None:
    desk.add("ark:10099/z5", mask="", pattern=PATTERN)
    found = desk.found("name,target\nark:10099/z51234,\nark:10099/z5b,\nark:10099/z51235,\n")
    assert [(line, code) for line, code, _ in found] == [(3, "pattern")]
    assert desk.known("ark:10099/z51235").n == 1


def test_minted_names_follow_mask_and_pattern(desk: NameDesk) -> None:
    factories.registered(desk.people, desk.clock())
    made = desk.add("urn:quokka:b", mask="sequence4", pattern="[0-9]+")
    assert desk.mint(2, prefix=made) == ["urn:quokka:b0001", "urn:quokka:b0002"]
    found = desk.found("name,target\nurn:quokka:b12,\n")
    assert [code for _, code, _ in found] == ["sequence_length"]


def test_a_mask_whose_names_do_not_follow_the_pattern_is_refused(desk: NameDesk) -> None:
    with pytest.raises(InvalidInput, match="doesn't match the pattern") as refused:
        desk.add("ark:10099/z5", pattern="[0-9]+")
    assert refused.value.field == "numbering"
    with pytest.raises(InvalidInput, match="doesn't match the pattern"):
        prefix_lists.previewed_names("ark:10099/z5", MASK, "[0-9]+")
    desk.mint(3)
    with pytest.raises(InvalidInput, match="doesn't match the pattern"):
        prefixes.change_prefix(
            desk.command(), desk.prefix, PrefixRules(numbering=MASK, pattern="[0-9]+")
        )


def test_a_number_whose_name_does_not_follow_the_pattern_is_passed_over_and_told_of(
    desk: NameDesk,
) -> None:
    factories.registered(desk.people, desk.clock())
    but_0035 = "[1-9][0-9]{3}|0[1-9][0-9]{2}|00(?:[0-24-9][0-9]|3[0-46-9])"
    made = desk.add("urn:quokka:b", mask="sequence4", pattern=but_0035)
    desk.mint(34, prefix=made)
    by = desk.command()
    event = minting.mint(by, made, 2, given=desk.given)
    names = minting.minted_names(event, by.actor, by.at)
    assert names == ["urn:quokka:b0036", "urn:quokka:b0037"]
    with read_transaction():
        noted = event_rows.find(event)
        assert noted is not None
        assert event_rows.details_of(noted.body)["numbers that give no name here"] == 1


def test_a_pattern_that_is_said_later_is_for_names_that_are_given_from_then_on(
    desk: NameDesk,
) -> None:
    made = desk.add("ark:10099/z5", mask="")
    desk.bring_in("name,target\nark:10099/z5b,\n")
    prefixes.change_prefix(desk.command(), made, PrefixRules(pattern=PATTERN))
    desk.change(revision("ark:10099/z5b", target="https://a.example/"))
    assert desk.known("ark:10099/z5b").n == 2
    with pytest.raises(InvalidInput, match="doesn't match the pattern"):
        desk.change(revision("ark:10099/z5c", target="https://a.example/"))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?:[a-z]+)*", "doubl"),
        ("[a-z", "character 1"),
    ],
)
def test_a_pattern_that_may_take_long_or_is_none_is_refused_wherever_it_is_said(
    desk: NameDesk, pattern: str, why: str
) -> None:
    said: list[Callable[[], object]] = [
        lambda: desk.add("ark:10099/z5", mask="", pattern=pattern),
        lambda: prefixes.change_prefix(
            desk.command(), desk.prefix, PrefixRules(numbering=MASK, pattern=pattern)
        ),
        lambda: prefix_lists.previewed_names("ark:10099/z5", MASK, pattern),
    ]
    for say in said:
        with pytest.raises(InvalidInput, match=why) as refused:
            say()
        assert (refused.value.code.code, refused.value.field) == ("pattern_malformed", "pattern")
