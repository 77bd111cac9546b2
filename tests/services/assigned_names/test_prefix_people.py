"""Who gives names under a prefix, and who decides on it."""

from dataclasses import replace
from datetime import date

import pytest

from app.assigned_names.prefix_roles import PrefixRole
from app.problems import assigned_name_codes as codes
from app.services.assigned_names import prefix_lists, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, Refusal
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
    with pytest.raises(NotAllowed):
        desk.mint()
    assert desk.mint(actor=rival)
    at = desk.clock()
    assert prefix_lists.first_holder_of_prefix("ark:10099/x5", at) == (desk.prefix, rival.id)


def test_who_gives_names_already_does_so_as_it_is_said_now(desk: NameDesk) -> None:
    robin, rival = desk.people.registrant, desk.people.rival
    _add(desk, rival.email, until=date(2027, 6, 30))
    _add(desk, rival.email, until=date(2028, 6, 30))
    assert _people(desk)[rival.id] == (PrefixRole.DELEGATE, date(2028, 6, 30))
    with pytest.raises(InvalidInput, match="so already"):
        _add(desk, rival.email, until=date(2028, 6, 30))
    _add(desk, rival.email, role=PrefixRole.HOLDER)
    _add(desk, rival.email)
    assert _people(desk)[rival.id] == (PrefixRole.DELEGATE, None)
    with pytest.raises(Refusal, match="only holder"):
        _add(desk, robin.email)
    assert _people(desk)[robin.id] == (PrefixRole.HOLDER, None)


def test_a_holder_has_no_last_day(desk: NameDesk) -> None:
    told = {"role": PrefixRole.HOLDER, "until": date(2027, 6, 30)}
    with pytest.raises(InvalidInput, match="no last day"):
        _add(desk, desk.people.rival.email, **told)


def test_who_changes_a_prefix_that_somebody_changed_since_looks_again(desk: NameDesk) -> None:
    first, second = (replace(desk.command(), seen=1) for _ in range(2))
    prefixes.change_prefix(first, desk.prefix, PrefixRules(numbering=MASK, label="Boats"))
    with pytest.raises(EditConflict):
        prefixes.change_prefix(second, desk.prefix, PrefixRules(numbering=MASK, label="Ships"))
    detail = prefix_lists.prefix_detail(desk.prefix, desk.people.registrant, desk.clock())
    assert detail.held.label == "Boats"


def test_no_prefix_is_put_round_one_that_somebody_holds(desk: NameDesk) -> None:
    with pytest.raises(Refusal, match="would hold ark:10099/x5"):
        desk.add("ark:10099/x")
