"""What a version of a name says otherwise than the one before is told, and nothing else."""

from dataclasses import replace

from app.assigned_names.assigned_name_records import (
    REDIRECT_WORDS,
    AssignedNameRecord,
    AssignedNameState,
    NameDifference,
    name_differences,
    shorten_difference,
)

FIRST = AssignedNameRecord(
    name="ark:12345/x5a", target="https://a.example/", elements=(("what", "A boat"),)
)


def test_of_a_first_version_all_is_told() -> None:
    assert name_differences(None, FIRST) == (
        ("State", "Public", ""),
        ("Target", "https://a.example/", ""),
        ("Redirect", REDIRECT_WORDS[302], ""),
        ("what", "A boat", ""),
    )


def test_each_thing_that_can_be_said_of_a_name_is_told_where_it_changes() -> None:
    for changed, told in (
        ({"target": "https://b.example/"}, ("Target", "https://b.example/", FIRST.target)),
        (
            {"redirect": 303},
            ("Redirect", REDIRECT_WORDS[303], REDIRECT_WORDS[302]),
        ),
        ({"extends_anywhere": True}, ("Suffix", "forwarded to the target", "")),
        ({"persistence": "For ever."}, ("Persistence", "For ever.", "")),
        ({"elements": ()}, ("what", "", "A boat")),
        ({"elements": (("what", "A ship"),)}, ("what", "A ship", "A boat")),
    ):
        assert name_differences(FIRST, replace(FIRST, **changed)) == (told,)
    assert name_differences(FIRST, FIRST) == ()


def test_of_elements_with_one_label_each_is_told_in_its_order() -> None:
    first = replace(FIRST, elements=(("who", "A"), ("who", "B"), ("x", "1"), ("x", "2")))
    assert name_differences(None, first)[-2:] == (("who", "A; B", ""), ("x", "1; 2", ""))
    for who, told in (
        (("C", "B"), "C; B"),
        (("A", "C"), "A; C"),
        (("B", "A"), "B; A"),
        (("A",), "A"),
        (("A; B",), "A; B"),
        (("A", "B", "B"), "A; B; B"),
    ):
        elements = (*(("who", one) for one in who), *first.elements[2:])
        after = replace(first, elements=elements)
        assert name_differences(first, after) == (("who", told, "A; B"),)


def test_a_withdrawn_name_leads_nowhere_any_more_and_says_why() -> None:
    gone = replace(
        FIRST,
        state=AssignedNameState.WITHDRAWN,
        reason="It sank.",
        since="2026-09-01",
        successor="ark:12345/x5b",
    )
    assert name_differences(FIRST, gone) == (
        ("State", "Withdrawn", "Public"),
        ("Reason", "It sank.", ""),
        ("Withdrawn on", "2026-09-01", ""),
        ("Successor", "ark:12345/x5b", ""),
        ("Target", "", "https://a.example/"),
    )


def test_how_a_name_led_is_not_told_where_it_leads_nowhere_any_more() -> None:
    led = replace(FIRST, redirect=303, extends_anywhere=True)
    assert name_differences(led, replace(led, target="")) == (("Target", "", FIRST.target),)
    assert [one.label for one in name_differences(replace(led, target=""), led)] == [
        *("Target", "Redirect", "Suffix"),
    ]


def test_of_long_texts_the_part_is_told_in_which_they_differ() -> None:
    begun, end = "a" * 5_000, "z" * 5_000
    for after, before, told in (
        ("short", "", ("short", "")),
        (f"{begun}1{end}", f"{begun}2{end}", (f"…{'a' * 5}1zzzz…", f"…{'a' * 5}2zzzz…")),
        (f"{begun}1", begun, (f"…{'a' * 5}1", f"…{'a' * 5}")),
        (f"1{end}", "", (f"1{'z' * 9}…", "")),
        ("1", end, ("1", f"{'z' * 10}…")),
    ):
        assert shorten_difference(NameDifference("what", after, before), 10)[1:] == told
