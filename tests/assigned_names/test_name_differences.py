"""What a version of a name says otherwise than the one before is told, and nothing else."""

from dataclasses import replace

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_differences import name_differences

FIRST = AssignedNameRecord(
    name="ark:12345/x5a", target="https://a.example/", elements=(("what", "A boat"),)
)


def test_of_a_first_version_all_is_told() -> None:
    assert name_differences(None, FIRST) == (
        ("State", "Public", ""),
        ("Leads to", "https://a.example/", ""),
        ("Redirect", "302", ""),
        ("what", "A boat", ""),
    )


def test_each_thing_that_can_be_said_of_a_name_is_told_where_it_changes() -> None:
    for changed, told in (
        ({"target": "https://b.example/"}, ("Leads to", "https://b.example/", FIRST.target)),
        ({"redirect": 307}, ("Redirect", "307", "302")),
        ({"extends_anywhere": True}, ("Whatever follows it", "is handed on", "")),
        ({"persistence": "For ever."}, ("Promised", "For ever.", "")),
        ({"elements": ()}, ("what", "", "A boat")),
        ({"elements": (("what", "A ship"),)}, ("what", "A ship", "A boat")),
    ):
        assert name_differences(FIRST, replace(FIRST, **changed)) == (told,)
    assert name_differences(FIRST, FIRST) == ()


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
        ("Why", "It sank.", ""),
        ("Withdrawn since", "2026-09-01", ""),
        ("Use instead", "ark:12345/x5b", ""),
        ("Leads to", "", "https://a.example/"),
        ("Redirect", "", "302"),
    )
