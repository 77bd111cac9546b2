"""Changing names: where they lead, what is said of them, and that they are withdrawn for good."""

import json

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState, assigned_name_from
from app.services.assigned_names.name_changes import prefix_of_name, record_of
from app.services.refusals import InvalidInput, NotAllowed, NotFound, Refusal
from app.store.assigned_names import assigned_name_rows
from app.store.database import reading
from tests.services.assigned_names.conftest import NameDesk, revision

TARGET = "https://library.example/things/1"


def test_what_is_told_of_a_name_changes_and_the_rest_stays(desk: NameDesk) -> None:
    name = desk.mint()[0]
    desk.change(revision(name, target=TARGET, elements={"who": "A", "what": "B"}))
    desk.change(revision(name, elements={"what": "C", "when": "2026"}))
    record = record_of(desk.known(name))
    assert record.target == TARGET
    assert record.elements == (("who", "A"), ("what", "C"), ("when", "2026"))


def test_every_version_of_a_name_stays(desk: NameDesk) -> None:
    name = desk.mint()[0]
    for number in range(3):
        desk.change(revision(name, target=f"{TARGET}{number}"))
    with reading():
        versions = [version.n for version, _ in assigned_name_rows.versions_of(name)]
    assert versions == [4, 3, 2, 1]


def test_several_are_changed_or_none(desk: NameDesk) -> None:
    names = desk.mint(3)
    good = [revision(name, target=TARGET) for name in names[:2]]
    with pytest.raises(InvalidInput, match="https"):
        desk.change(*good, revision(names[2], target="ftp://a.example/"))
    assert not record_of(desk.known(names[0])).target
    desk.change(*good)
    assert record_of(desk.known(names[1])).target == TARGET


def test_a_withdrawn_name_stays_withdrawn_and_is_never_given_again(desk: NameDesk) -> None:
    name = desk.mint()[0]
    withdrawn = AssignedNameState.WITHDRAWN
    with pytest.raises(InvalidInput, match="why"):
        desk.change(revision(name, state=withdrawn))
    desk.change(revision(name, state=withdrawn, reason="Given twice.", since="2026-09-01"))
    with pytest.raises(Refusal, match="does not become"):
        desk.change(revision(name, state=AssignedNameState.PUBLIC, reason="", since=""))
    assert desk.known(name).state is withdrawn
    assert name not in desk.mint(20)


def test_a_reserved_name_can_be_told_later(desk: NameDesk) -> None:
    name = desk.mint(reserved=True)[0]
    desk.change(revision(name, state=AssignedNameState.PUBLIC, target=TARGET))
    assert desk.known(name).state is AssignedNameState.PUBLIC
    with pytest.raises(InvalidInput, match="does not become"):
        desk.change(revision(name, state=AssignedNameState.RESERVED))


def test_names_that_the_holder_made_follow_the_mask_as_well(desk: NameDesk) -> None:
    name = desk.mint()[0]
    wrong = name[:-1] + ("0" if name[-1] != "0" else "1")
    with pytest.raises(InvalidInput, match="check character"):
        desk.change(revision(wrong, target=TARGET))
    with pytest.raises(NotFound):
        desk.change(revision("ark:10099/q9other", target=TARGET))


def test_who_gives_no_names_changes_none(desk: NameDesk) -> None:
    name = desk.mint()[0]
    with pytest.raises(NotAllowed):
        desk.change(revision(name, target=TARGET), actor=desk.people.rival)


def test_where_nothing_differs_nothing_is_kept(desk: NameDesk) -> None:
    name = desk.mint()[0]
    desk.change(revision(name, target=TARGET))
    before = desk.known(name)
    with pytest.raises(Refusal, match="Nothing differs"):
        desk.change(revision(name, target=TARGET))
    assert desk.known(name) == before


def test_a_name_is_under_the_innermost_prefix(desk: NameDesk) -> None:
    desk.add("ark:10099/x5a1", mask="")
    with reading():
        assert prefix_of_name("ark:10099/x5a1bcd").text == "ark:10099/x5a1"
        assert prefix_of_name("ark:10099/x5b").text == "ark:10099/x5"


def test_the_feed_has_every_change_in_order(desk: NameDesk) -> None:
    names = desk.mint(2)
    desk.change(revision(names[0], target=TARGET))
    with reading():
        changes = assigned_name_rows.changes_after(0, 100)
    assert [one.change for one in changes] == [1, 2, 3]
    assert assigned_name_from(json.loads(changes[-1].document)).target == TARGET
    assert [one.number for one in changes] == [0, 1, 0]
