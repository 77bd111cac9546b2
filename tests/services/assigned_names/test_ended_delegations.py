"""What a delegation ended with stays its end: in the middle of a file, and when clocks go back."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from io import BytesIO

import pytest
from flask import current_app

from app.assigned_names.name_formats import NAME_FORMATS
from app.services.assigned_names import prefixes
from app.services.assigned_names.name_import import ROWS_AT_ONCE, import_names, imports_of
from app.services.assigned_names.name_row_judgements import ReadRow
from app.services.assigned_names.prefix_rights import keep_ended_delegations
from app.services.refusals import NotAllowed, NotFound, Refusal
from app.store.assigned_names import prefix_rows
from app.store.database import read_transaction
from app.store.editions.edition_rows import CLOCK
from tests.services.assigned_names.conftest import NameDesk


@pytest.fixture(autouse=True)
def _told_by_the_clock(desk: NameDesk) -> None:
    current_app.extensions[CLOCK] = desk.clock


def _delegate(desk: NameDesk, days: int | None = None) -> None:
    until = (desk.clock() + timedelta(days=days)).date() if days is not None else None
    prefixes.add_delegate(desk.command(), desk.prefix, desk.people.rival.email, until)


def _days_pass(desk: NameDesk) -> None:
    desk.clock.on(days=3)


def _rows(count: int, then: Callable[[], None]) -> Iterator[ReadRow]:
    """Rows of a file, in the middle of which something happens."""
    lines = "".join(f"ark:10099/x5{number:05}\n" for number in range(count))
    read = NAME_FORMATS["csv"].read(BytesIO(f"name\n{lines}".encode()))
    for at, row in enumerate(read):
        if at == ROWS_AT_ONCE:
            then()
        yield row


def _bring_in(desk: NameDesk, rows: Iterator[ReadRow]) -> None:
    by = desk.command(actor=desk.people.rival)
    import_names(by, sha256(b"").hexdigest(), rows, given=desk.given)


def _without_mask(desk: NameDesk) -> None:
    prefixes.change_prefix(desk.command(), desk.prefix, prefixes.PrefixRules())


def test_a_file_stops_where_its_delegate_is_ended_and_goes_on_when_they_are_back(
    desk: NameDesk,
) -> None:
    _without_mask(desk)
    _delegate(desk)
    rival = desk.people.rival
    with pytest.raises(NotAllowed):
        _bring_in(
            desk,
            _rows(
                3 * ROWS_AT_ONCE,
                lambda: prefixes.end_delegate(desk.command(), desk.prefix, rival.id),
            ),
        )
    (stopped,) = imports_of(rival)
    assert (stopped.rows, stopped.taken, stopped.is_done) == (ROWS_AT_ONCE, ROWS_AT_ONCE, False)
    _delegate(desk)
    _bring_in(desk, _rows(3 * ROWS_AT_ONCE, lambda: None))
    (done,) = imports_of(rival)
    assert (done.taken, done.refused, done.is_done) == (3 * ROWS_AT_ONCE, 0, True)


def test_a_file_stops_where_the_last_day_of_its_delegate_is_over(desk: NameDesk) -> None:
    _without_mask(desk)
    _delegate(desk, days=1)
    with pytest.raises(NotAllowed):
        _bring_in(desk, _rows(2 * ROWS_AT_ONCE, lambda: _days_pass(desk)))
    assert imports_of(desk.people.rival)[0].taken == ROWS_AT_ONCE


def test_of_a_prefix_that_ends_in_the_middle_of_a_file_no_more_names_are_given(
    desk: NameDesk,
) -> None:
    _without_mask(desk)
    _delegate(desk)
    end = lambda: prefixes.end_prefix(desk.command(), desk.prefix, "Enough")  # noqa: E731
    _bring_in(desk, _rows(2 * ROWS_AT_ONCE, end))
    (done,) = imports_of(desk.people.rival)
    assert (done.taken, done.refused) == (ROWS_AT_ONCE, ROWS_AT_ONCE)


@pytest.mark.parametrize("way", ["refused", "worker", "ended by hand"])
def test_who_ended_does_not_come_back_when_a_clock_is_set_back(desk: NameDesk, way: str) -> None:
    rival = desk.people.rival
    _delegate(desk, days=1)
    assert desk.mint(actor=rival)
    desk.clock.on(days=3)
    if way == "refused":
        with pytest.raises(NotFound):
            desk.mint(actor=rival)
    elif way == "worker":
        keep_ended_delegations(desk.clock())
    else:
        desk.clock.on(days=-3, minutes=5)
        prefixes.end_delegate(desk.command(), desk.prefix, rival.id)
    for back in ({"days": -1}, {"days": -2}, {"days": -400}):
        desk.clock.on(**back)
        with pytest.raises(NotFound):
            desk.mint(actor=rival)
        with read_transaction():
            assert prefix_rows.role_at(desk.prefix, rival.id, desk.clock()) is None
    _delegate(desk, days=1)  # the clock is what it is: who is let again is back
    assert desk.mint(actor=rival)


def test_a_prefix_that_ended_stays_so_when_a_clock_is_set_back(desk: NameDesk) -> None:
    prefixes.end_prefix(desk.command(), desk.prefix, "Enough")
    desk.clock.on(days=-30)
    with pytest.raises(Refusal, match="was closed to new"):
        desk.mint()
