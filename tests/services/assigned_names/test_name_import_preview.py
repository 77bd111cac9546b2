"""A file is looked through before anything is kept: each value that would change is told."""

import pytest

from app.assigned_names.name_formats import read_name_csv
from app.services.assigned_names import name_import, prefixes
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.name_import import NameImportPreview, findings_of, look_through
from app.services.assigned_names.prefixes import PrefixRules
from tests.services.assigned_names.conftest import MASK, NameDesk, revision

HEAD = "name,target,what,state,reason\n"


def _seen(desk: NameDesk, rows: str) -> NameImportPreview:
    read = read_name_csv([f"{HEAD}{rows}".encode()])
    return look_through(desk.command().actor, desk.clock(), "a digest", read)


def _told(seen: NameImportPreview) -> list[tuple[int, str, list[tuple[str, ...]]]]:
    return [(one.line, one.name, [tuple(two) for two in one.differences]) for one in seen.changes]


def test_of_names_that_are_there_each_changed_value_is_told_with_the_one_before(
    desk: NameDesk,
) -> None:
    first, second, third, same = desk.mint(4)
    for name in (first, second, third, same):
        desk.change(revision(name, target="https://a.example/", elements={"what": "A boat"}))
    other = desk.add("ark:10099/w1", "")
    rows = (
        f"{third},https://a.example/,A boat,withdrawn,It sank.\n"
        "ark:10099/w1new,https://a.example/,,,\n"
        f"{same},https://a.example/,A boat,,\n"
        f"{first},https://b.example/,A boat,,\n"
        f"{second},,A ship,,\n"
        f"{first},https://c.example/,A boat,,\n"
        f"{second},ftp://a.example/,,,\n"
    )
    seen = _seen(desk, rows)
    assert _told(seen) == [
        (
            *(2, third),
            [
                ("State", "Withdrawn", "Public"),
                ("Reason", "It sank.", ""),
                ("Target", "", "https://a.example/"),
            ],
        ),
        (5, first, [("Target", "https://b.example/", "https://a.example/")]),
        (6, second, [("what", "A ship", "A boat")]),
        (7, first, [("Target", "https://c.example/", "https://b.example/")]),
    ]
    assert (seen.new, seen.changed, seen.withdrawn, seen.same, seen.refused) == (1, 4, 1, 1, 1)
    assert {one.prefix for one in seen.changes} == {desk.prefix} != {other}
    assert record_of(desk.known(first)).target == "https://a.example/", "nothing is kept"


def test_a_name_that_comes_again_much_later_in_a_file_is_new_once(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many rows as are looked at together know of no other ones."""
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", 2)
    desk.add("ark:10099/w1", "")
    first, second, third = (f"ark:10099/w1{rest}" for rest in "abc")
    rows = (
        f"{first},https://a.example/,,,\n{second},ftp://a.example/,,,\n"
        f"{third},https://a.example/,,,\n{first},https://b.example/,,,\n"
        f"{second},https://a.example/,,,\n{first},https://c.example/,,,\n"
    )
    seen = _seen(desk, rows)
    assert (seen.rows, seen.new, seen.changed, seen.refused) == (6, 3, 2, 1)
    brought = desk.bring_in(f"{HEAD}{rows}")
    assert (brought.taken, brought.refused) == (seen.new + seen.changed, seen.refused)


def test_where_a_name_leads_by_the_rule_of_its_prefix_is_told_as_a_change(desk: NameDesk) -> None:
    (name,) = desk.mint()
    rules = PrefixRules(numbering=MASK, target_rule="https://a.example/${value}")
    prefixes.change_prefix(desk.command(), desk.prefix, rules)
    assert [label for label, *_ in _told(_seen(desk, f"{name},,A boat,,\n"))[0][2]] == [
        *("Target", "Redirect", "what"),
    ]


def test_of_many_findings_the_first_1000_are_kept_with_their_number(desk: NameDesk) -> None:
    repeated = f"{desk.mint()[0]},A boat\n" * 700  # each but the first gets a note
    rows = "name,what\n" + repeated + "x,\n" * 2_500
    made = desk.bring_in(rows)
    assert (made.refused, made.found) == (2_500, 2_500 + 699)
    found = findings_of(desk.command().actor, made.ident, 0, 5_000)
    assert len(found) == 1_000
    assert sum(one.is_refusal for one in found) == 500


def test_what_is_told_of_changes_is_bounded(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(name_import, "FIRST_CHANGES", 3)
    names = desk.mint(5)
    labels = [f"e{number}" for number in range(20)]
    desk.change(*(revision(name, elements=dict.fromkeys(labels, "a" * 3_000)) for name in names))
    head = f"name,{','.join(labels)}\n"
    rows = "".join(f"{name},{','.join(['b' * 3_000] * 20)}\n" for name in names)
    read = read_name_csv([f"{head}{rows}".encode()])
    seen = look_through(desk.command().actor, desk.clock(), "a digest", read)
    assert (len(seen.changes), seen.changed) == (3, 5)
    for one in seen.changes:
        assert (len(one.differences), one.more) == (12, 8)
        assert max(len(text) for told in one.differences for text in told) <= 202
