"""Who changes names once their prefix has ended, or part of it was delegated to somebody else."""

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState, withdrawal
from app.assigned_names.name_prefixes import PrefixRole
from app.problems import assigned_name_codes as codes
from app.services.assigned_names import name_feed, prefix_lists, prefixes
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput, NotAllowed, Refusal
from tests.services.assigned_names.conftest import MASK, NameDesk, register_shoulder, revision

TARGET = "https://library.example/things/1"


@pytest.fixture
def ended(desk: NameDesk) -> list[str]:
    """Names of a prefix that has ended."""
    names = desk.mint(3)
    prefixes.end_prefix(desk.command(), desk.prefix, "Done.")
    return names


def test_names_of_a_prefix_that_has_ended_are_changed_and_withdrawn_by_its_holder(
    desk: NameDesk, ended: list[str]
) -> None:
    desk.change(revision(ended[0], target=TARGET))
    assert record_of(desk.known(ended[0])).target == TARGET
    desk.change(withdrawal(ended[1], "It sank.", "2026-09-01"))
    assert desk.known(ended[1]).state is AssignedNameState.WITHDRAWN
    assert desk.bring_in(f"name,target\n{ended[2]},{TARGET}\n").taken == 1
    history = name_feed.name_history(desk.prefix, ended[0], desk.people.registrant, desk.clock())
    assert history.changes


def test_names_of_a_prefix_that_has_ended_are_changed_by_the_operator(
    desk: NameDesk, ended: list[str]
) -> None:
    desk.change(revision(ended[0], target=TARGET), actor=desk.people.operator)
    assert record_of(desk.known(ended[0])).target == TARGET
    with pytest.raises(NotAllowed):
        desk.change(revision(ended[0], target=""), actor=desk.people.rival)


def test_the_operator_changes_no_names_of_a_prefix_that_somebody_uses(desk: NameDesk) -> None:
    (name,) = desk.mint()
    with pytest.raises(NotAllowed):
        desk.change(revision(name, target=TARGET), actor=desk.people.operator)


def test_a_prefix_that_has_ended_gets_no_names_in_any_way(desk: NameDesk, ended: list[str]) -> None:
    with pytest.raises(Refusal, match="was closed to new"):
        desk.mint()
    new = ended[0][:-2] + "zz"
    with pytest.raises(Refusal, match="was closed to new"):
        desk.change(revision(ended[0], target=TARGET), revision(new, target=TARGET))
    assert not record_of(desk.known(ended[0])).target
    ((_, _, told),) = desk.found(f"name,target\n{new},{TARGET}\n")
    assert "was closed to new" in told


def test_within_a_prefix_that_has_ended_nobody_adds_one(desk: NameDesk, ended: list[str]) -> None:
    people, own = desk.people, PrefixRules()
    prefixes.add_delegate(desk.command(), desk.prefix, people.rival.email, role=PrefixRole.HOLDER)
    for text in ("ark:10099/x5b", ended[0][:-1]):
        for actor in (people.registrant, people.rival, people.operator):
            with pytest.raises(Refusal, match=r"x5 was closed .+ can't add prefixes") as refused:
                prefixes.add_prefix(desk.command(actor=actor), text, actor.email, own)
            assert (refused.value.code, refused.value.field) == (codes.PREFIX_ENDED, "prefix")
        with pytest.raises(Refusal, match="was closed to new"):
            prefix_lists.previewed_names(text, MASK, asker=people.registrant.id)
    new = "ark:10099/x5bnew"
    with pytest.raises(Refusal, match="was closed to new"):
        desk.change(revision(new, target=TARGET))
    assert "was closed to new" in desk.found(f"name,target\n{new},{TARGET}\n")[0][2]
    with pytest.raises(Refusal, match="ark:10099/x would include ark:10099/x5"):
        desk.add("ark:10099/x")


def test_a_shoulder_within_a_prefix_that_has_ended_opens_it_to_nobody(
    desk: NameDesk, ended: list[str]
) -> None:
    register_shoulder(desk, "10099/x5s1", desk.people.rival)
    rival = desk.command(actor=desk.people.rival)
    for text in ("ark:10099/x5s1", "ark:10099/x5s1b"):
        with pytest.raises(Refusal, match="ark:10099/x5 was closed"):
            prefixes.add_prefix(rival, text, rival.actor.email, PrefixRules())
    assert ended


def test_what_was_delegated_from_a_prefix_before_it_ended_goes_on_and_is_parted_further(
    desk: NameDesk,
) -> None:
    inner = desk.add("ark:10099/x57", actor=desk.people.registrant)
    prefixes.end_prefix(desk.command(), desk.prefix, "Done.")
    assert desk.mint(prefix=inner)
    part = desk.add("ark:10099/x57z", actor=desk.people.registrant)
    assert desk.mint(prefix=part)
    prefixes.end_prefix(desk.command(), inner, "Done.")
    with pytest.raises(Refusal, match="ark:10099/x57 was closed"):
        desk.add("ark:10099/x57y", actor=desk.people.registrant)
    assert desk.mint(prefix=part)


def test_names_stay_with_whoever_gave_them_when_part_of_the_prefix_is_delegated(
    desk: NameDesk,
) -> None:
    name, other, third = sorted(desk.mint(3))
    part = name[: len("ark:10099/x5") + 1]
    rules = PrefixRules(numbering="")
    inner = prefixes.add_prefix(
        desk.command(actor=desk.people.operator), part, desk.people.rival.email, rules
    )
    desk.change(revision(name, target=TARGET))
    desk.change(revision(other, target=TARGET), revision(name, target=f"{TARGET}0"))
    desk.change(revision(name, target=f"{TARGET}1"), revision(third, target=TARGET))
    assert desk.bring_in(f"name,target\n{name},{TARGET}2\n").taken == 1
    assert record_of(desk.known(name)).target == f"{TARGET}2"
    with pytest.raises(NotAllowed):
        desk.change(revision(name, target=TARGET), actor=desk.people.rival)
    desk.change(withdrawal(name, "It sank.", "2026-09-01"))
    with pytest.raises(InvalidInput, match="delegated"):
        desk.change(revision(third, target=""), revision(f"{part}new", target=TARGET))
    desk.change(revision(f"{part}new", target=TARGET), actor=desk.people.rival)
    assert desk.known(f"{part}new").prefix == inner


def test_under_a_naan_that_is_no_longer_in_use_no_names_are_given_and_those_there_change(
    desk: NameDesk,
) -> None:
    (name,) = desk.mint()
    desk.retire_naan()
    with pytest.raises(InvalidInput, match="or is retired"):
        desk.add("ark:10099/z5")
    with pytest.raises(Refusal, match="10099 is retired"):
        desk.mint()
    detail = prefix_lists.prefix_detail(desk.prefix, desk.people.registrant, desk.clock())
    assert not detail.gives
    assert detail.changes
    desk.change(revision(name, target=TARGET))
    new = f"{name[:-2]}zz"
    ((_, _, told),) = desk.found(f"name,target\n{new},{TARGET}\n")
    assert "10099 is retired" in told
