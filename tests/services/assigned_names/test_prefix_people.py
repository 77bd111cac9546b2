"""Who gives names under a prefix, and who decides on it."""

from dataclasses import replace
from datetime import date

import pytest

from app.assigned_names.name_prefixes import PrefixRole
from app.problems import assigned_name_codes as codes
from app.services.assigned_names import prefix_lists, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import EditConflict, InvalidInput, NotFound, Refusal
from tests.services.assigned_names.conftest import MASK, NameDesk


def _people(desk: NameDesk) -> dict[int, tuple[PrefixRole, date | None]]:
    detail = prefix_lists.prefix_detail(desk.prefix, desk.people.operator, desk.clock())
    return {one.account: (one.role, one.ends and one.ends.date()) for one in detail.people}


def _add(desk: NameDesk, email: str, **told: object) -> None:
    prefixes.add_delegate(desk.command(), desk.prefix, email, **told)  # type: ignore[arg-type]


def test_a_holder_who_leaves_is_replaced(desk: NameDesk) -> None:
    robin, rival = desk.people.registrant, desk.people.rival
    with pytest.raises(Refusal) as refused:
        prefixes.end_delegate(desk.command(), desk.prefix, robin.id)
    assert refused.value.code is codes.PREFIX_HOLDER_NEEDED
    _add(desk, rival.email, role=PrefixRole.HOLDER)
    prefixes.end_delegate(desk.command(actor=rival), desk.prefix, robin.id)
    assert _people(desk) == {rival.id: (PrefixRole.HOLDER, None)}
    with pytest.raises(NotFound):
        desk.mint()
    assert desk.mint(actor=rival)
    at = desk.clock()
    assert prefix_lists.first_holder_of_prefix("ark:10099/x5", at) == (desk.prefix, rival.id)


def test_who_gives_names_already_does_so_as_it_is_said_now(desk: NameDesk) -> None:
    robin, rival = desk.people.registrant, desk.people.rival
    _add(desk, rival.email, until=date(2027, 6, 30))
    _add(desk, rival.email, until=date(2028, 6, 30))
    assert _people(desk)[rival.id] == (PrefixRole.DELEGATE, date(2028, 6, 30))
    with pytest.raises(InvalidInput, match="already has this role"):
        _add(desk, rival.email, until=date(2028, 6, 30))
    _add(desk, rival.email, role=PrefixRole.HOLDER)
    _add(desk, rival.email)
    assert _people(desk)[rival.id] == (PrefixRole.DELEGATE, None)
    with pytest.raises(Refusal, match="needs an owner"):
        _add(desk, robin.email)
    assert _people(desk)[robin.id] == (PrefixRole.HOLDER, None)


def test_no_holder_takes_the_prefix_from_themselves_by_their_own_address(desk: NameDesk) -> None:
    robin, rival = desk.people.registrant, desk.people.rival
    _add(desk, rival.email, role=PrefixRole.HOLDER)
    for until in (None, date(2027, 6, 30)):
        with pytest.raises(InvalidInput, match="your own address") as refused:
            _add(desk, robin.email.upper(), until=until)
        assert refused.value.field == "email"
    assert _people(desk)[robin.id] == (PrefixRole.HOLDER, None)
    by_rival = desk.command(actor=rival)
    prefixes.add_delegate(by_rival, desk.prefix, robin.email, date(2027, 6, 30))
    assert _people(desk)[robin.id] == (PrefixRole.DELEGATE, date(2027, 6, 30))


def test_an_empty_address_is_told_as_that(desk: NameDesk) -> None:
    for actor in (desk.people.registrant, desk.people.operator):
        by = desk.command(actor=actor)
        for add in (
            lambda by: prefixes.add_delegate(by, desk.prefix, " "),
            lambda by: prefixes.add_prefix(by, "ark:10099/x5b", " ", PrefixRules()),
        ):
            with pytest.raises(InvalidInput, match="Enter an e-mail address") as refused:
                add(by)
            assert refused.value.field in {"email", "holder"}


def test_why_a_prefix_ended_is_told_its_people_and_the_operator(desk: NameDesk) -> None:
    people, other = desk.people, desk.add("ark:10099/z5")
    prefixes.end_prefix(desk.command(), desk.prefix, "The boats\nare sold.")
    prefixes.end_prefix(desk.command(), other, "Another reason.")
    for actor in (people.registrant, people.operator):
        detail = prefix_lists.prefix_detail(desk.prefix, actor, desk.clock())
        assert detail.ended_for == "The boats\nare sold."
    with pytest.raises(NotFound):
        prefix_lists.prefix_detail(desk.prefix, people.rival, desk.clock())
    going_on = prefix_lists.prefix_detail(desk.add("ark:10099/v5"), people.operator, desk.clock())
    assert going_on.ended_for == ""


def test_a_holder_has_no_last_day(desk: NameDesk) -> None:
    told = {"role": PrefixRole.HOLDER, "until": date(2027, 6, 30)}
    with pytest.raises(InvalidInput, match="can't have a last day"):
        _add(desk, desk.people.rival.email, **told)


def test_who_changes_a_prefix_that_somebody_changed_since_looks_again(desk: NameDesk) -> None:
    first, second = (replace(desk.command(), seen=1) for _ in range(2))
    prefixes.change_prefix(first, desk.prefix, PrefixRules(numbering=MASK, label="Boats"))
    with pytest.raises(EditConflict):
        prefixes.change_prefix(second, desk.prefix, PrefixRules(numbering=MASK, label="Ships"))
    detail = prefix_lists.prefix_detail(desk.prefix, desk.people.registrant, desk.clock())
    assert detail.held.label == "Boats"


def test_no_prefix_is_put_round_one_that_somebody_holds(desk: NameDesk) -> None:
    with pytest.raises(Refusal, match="would include ark:10099/x5"):
        desk.add("ark:10099/x")
