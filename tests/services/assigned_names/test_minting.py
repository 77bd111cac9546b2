"""Minting: each name once, whatever comes between."""

import threading
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.name_numbering import numbering_of
from app.assigned_names.name_prefixes import read_prefix
from app.bundles.name_copies import NameCopyWriter
from app.identifiers import has_valid_check
from app.problems import assigned_name_codes
from app.services.assigned_names import minting, name_feed, name_import, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import IdempotencyConflict, InvalidInput, NotAllowed, NotFound, Refusal
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.database import db, read_transaction, transaction
from app.store.event_log import event_rows
from app.store.tables import Event
from tests.services.assigned_names.conftest import MASK, NameDesk, revision
from tests.store.at_once import at_once

pytestmark = pytest.mark.postgresql


def test_names_follow_the_mask_and_are_all_different(desk: NameDesk) -> None:
    names = desk.mint(100)
    assert len(set(names)) == 100
    assert all(name.startswith("ark:10099/x5") for name in names)
    assert all(has_valid_check(name.removeprefix("ark:")) for name in names)
    assert not {*names} & {*desk.mint(100)}


def test_the_same_key_gives_the_same_names_and_another_count_by_it_is_refused(
    desk: NameDesk,
) -> None:
    names = desk.mint(3, key="of a form")
    assert desk.mint(3, key="of a form") == names
    with pytest.raises(IdempotencyConflict):
        desk.mint(4, key="of a form")


def test_a_batch_is_one_event_that_holds_its_digest(desk: NameDesk) -> None:
    by = desk.command()
    event = minting.mint(by, desk.prefix, 5, given=desk.given)
    with read_transaction():
        noted = event_rows.find(event)
        assert noted is not None
        told = event_rows.details_of(noted.body)
        batch = assigned_name_rows.batch_of(event)
        assert batch is not None
        assert (told["first"], told["last"]) == (batch.first, batch.last)
        assert told["names"] == batch.digest
        assert batch.last - batch.first == 4


def test_minted_names_cannot_be_predicted_from_the_public_mask(desk: NameDesk) -> None:
    """The attack: compute the public order of the mask, find the minted names, continue."""
    public = numbering_of(read_prefix("ark:10099/x5"), MASK)
    predicted = {public.nth(number) for number in range(2_000)}
    assert not {*desk.mint(20)} & predicted


def test_two_prefixes_with_one_mask_mint_in_different_orders(desk: NameDesk) -> None:
    other = desk.add("ark:10099/z5")
    parts = [[name[-8:-1] for name in desk.mint(20, prefix=one)] for one in (desk.prefix, other)]
    assert not {*parts[0]} & {*parts[1]}


def test_a_prefix_of_older_software_keeps_its_public_order(desk: NameDesk) -> None:
    with transaction():
        row = prefix_rows.of_id(desk.prefix)
        assert row is not None
        row.order_seed = ""
    public = numbering_of(read_prefix("ark:10099/x5"), MASK)
    assert desk.mint(5) == [public.nth(number) for number in range(5)]


def test_every_name_of_a_mask_is_minted_once(desk: NameDesk) -> None:
    small = desk.add("ark:10099/z5", mask="red")
    names = [name for _ in range(10) for name in desk.mint(29, prefix=small)]
    assert len({*names}) == 290
    with pytest.raises(Refusal, match="no identifiers left"):
        desk.mint(prefix=small)


def test_a_new_mask_gets_a_new_order_as_long_as_nothing_was_minted(desk: NameDesk) -> None:
    before = desk.numbering()
    rules = PrefixRules(numbering="reeddeek")
    prefixes.change_prefix(desk.command(), desk.prefix, rules)
    prefixes.change_prefix(desk.command(), desk.prefix, PrefixRules(numbering=MASK))
    assert desk.numbering().nth(0) != before.nth(0)


def test_the_order_seed_is_in_no_event_and_in_no_copy(desk: NameDesk, tmp_path: Path) -> None:
    desk.mint(3)
    with read_transaction():
        row = prefix_rows.of_id(desk.prefix)
        assert row is not None
        seed = row.order_seed
        events = db.session.scalars(select(Event)).all()
        told = [str(getattr(one, column.key)) for one in events for column in Event.__table__.c]
    assert len(seed) == 64
    assert not [text for text in told if seed in text]
    name_feed.follow(NameCopyWriter(tmp_path / "names"), desk.given)
    for file in (tmp_path / "names").iterdir():
        assert seed.encode() not in file.read_bytes()


@pytest.mark.parametrize("count", [0, -1, 10_001])
def test_how_many_names_are_given_at_once_has_its_limits(desk: NameDesk, count: int) -> None:
    with pytest.raises(InvalidInput, match="10,000"):
        desk.mint(count)


def test_only_those_who_may_give_names_do(desk: NameDesk) -> None:
    with pytest.raises(NotFound):
        desk.mint(actor=desk.people.rival)
    with pytest.raises(NotAllowed):  # who can see it
        desk.mint(actor=desk.people.operator)
    with pytest.raises(NotFound):
        desk.mint(prefix=desk.prefix + 99)


def test_names_that_were_brought_in_are_passed_over(desk: NameDesk) -> None:
    numbering = desk.numbering()
    names = [str(numbering.nth(number)) for number in range(6)]
    desk.change(*(revision(name, target="https://a.example/") for name in names[1:3]))
    assert desk.mint(4) == [names[0], *names[3:]]


def test_a_long_sequence_that_was_brought_in_is_passed_in_few_steps(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = desk.add("ark:10099/z5", mask="sdddd")
    numbering = numbering_of(read_prefix("ark:10099/z5"), "sdddd")
    names = [str(numbering.nth(number)) for number in range(2_503)]
    assert desk.bring_in("\n".join(["name", *names[:2_500]])).taken == 2_500
    asked: list[int] = []
    taken = assigned_name_rows.taken

    def counted(names: Collection[str]) -> set[str]:
        asked.append(len(names))
        return taken(names)

    monkeypatch.setattr(assigned_name_rows, "taken", counted)
    assert desk.mint(2, prefix=parts) == names[2_500:2_502]
    assert len(asked) <= 4
    asked.clear()
    assert desk.mint(1, prefix=parts) == names[2_502:]
    assert asked == [1]


def test_past_the_last_name_nothing_is_given(desk: NameDesk) -> None:
    small = desk.add("ark:10099/z5", mask="rd")
    assert len({*desk.mint(8, prefix=small)}) == 8
    with pytest.raises(Refusal, match="has 2 identifiers left"):
        desk.mint(3, prefix=small)
    assert len(desk.mint(2, prefix=small)) == 2
    with pytest.raises(Refusal, match="no identifiers left"):
        desk.mint(1, prefix=small)


def test_a_database_of_an_older_backup_gives_no_name_again(desk: NameDesk) -> None:
    names = desk.mint(5)
    with transaction():  # as it was before
        prefix = prefix_rows.of_id(desk.prefix)
        assert prefix is not None
        prefix.next_number = 0
    again = desk.mint(5)
    assert not {*names} & {*again}
    assert desk.given.next_of("ark:10099/x5") == 10


def test_what_fails_after_its_numbers_were_kept_leaves_a_gap_and_no_double(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.mint(1)

    def fail(*_args: Any, **_given: Any) -> int:
        raise ConnectionError("the database went away")

    with monkeypatch.context() as broken:
        broken.setattr(minting, "write_batch", fail)
        with pytest.raises(ConnectionError):
            desk.mint(3)
    names = desk.mint(1)
    assert names != first
    assert desk.known(names[0]).number == 4


def test_two_who_mint_at_once_never_get_one_name(desk: NameDesk, app: Flask) -> None:
    made = at_once(app, *(partial(desk.mint, 50) for _ in range(4)))
    assert all(isinstance(names, list) for names in made), made
    names = [name for some in made for name in some]
    assert len(set(names)) == 200
    assert desk.next_number() == 200
    with read_transaction():
        changes = [row.change for row in assigned_name_rows.changes_after(0, 1_000)]
    assert changes == list(range(1, 201))


def test_who_mints_waits_for_who_brings_in_names_and_neither_fails(
    desk: NameDesk, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold, brings_in = assigned_name_rows.hold_changes, threading.local()
    is_held, is_waiting = threading.Event(), threading.Event()

    def held() -> None:
        if getattr(brings_in, "file", False):
            hold()
            is_held.set()
            is_waiting.wait(1)
        else:
            is_waiting.set()
            is_held.wait(1)
            hold()

    def bring_in() -> int:
        brings_in.file = True
        names = (numbering.nth(number) for number in range(5))
        return desk.bring_in("\n".join(["name", *map(str, names)])).taken

    numbering = numbering_of(read_prefix("ark:10099/x5"), MASK)
    monkeypatch.setattr(assigned_name_rows, "hold_changes", held)
    taken, minted = at_once(app, bring_in, partial(desk.mint, 3))
    assert not isinstance(minted, Exception), minted
    assert not isinstance(taken, Exception), taken


def test_two_who_give_and_change_names_of_two_prefixes_number_their_changes_in_turn(
    desk: NameDesk, app: Flask
) -> None:
    other = desk.add("ark:10099/z5")
    names, bound = desk.mint(10), desk.mint(10, prefix=other)

    def bind(some: list[str]) -> None:
        for name in some:
            desk.change(revision(name, target="https://a.example/"))

    works = (partial(bind, names), partial(bind, bound), partial(desk.mint, 10))
    made = at_once(app, *works, partial(desk.mint, 10, prefix=other))
    assert not [one for one in made if isinstance(one, Exception)], made
    with read_transaction():
        changes = [row.change for row in assigned_name_rows.changes_after(0, 1_000)]
    assert changes == list(range(1, 61))


def test_a_file_that_is_brought_in_twice_at_once_is_taken_once(desk: NameDesk, app: Flask) -> None:
    numbering = numbering_of(read_prefix("ark:10099/x5"), MASK)
    file = "\n".join(["name", *(str(numbering.nth(number)) for number in range(5))])
    made = at_once(app, *(partial(desk.bring_in, file) for _ in range(3)))
    assert [getattr(one, "taken", one) for one in made] == [5, 5, 5]
    with read_transaction():
        assert assigned_name_rows.last_change() == 5


def test_rows_that_somebody_else_took_meanwhile_are_not_taken_once_more(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes on with a file begins where it was then, and others may be further."""
    desk.add("ark:10099/w1", mask="")
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", 2)
    rows = "name,target\n" + "".join(
        f"ark:10099/w1{n // 2},https://a.example/{n}\n" for n in range(6)
    )
    others: list[bool] = []
    take = name_import._take

    def beside(*told: Any, **more: Any) -> None:
        if not others:
            others.append(True)
            desk.bring_in(rows)  # all of it, between the look and the first rows of this one
        take(*told, **more)

    monkeypatch.setattr(name_import, "_take", beside)
    made = desk.bring_in(rows)
    assert (made.rows, made.taken, made.same) == (6, 6, 0)
    assert [desk.known(f"ark:10099/w1{n}").n for n in range(3)] == [2, 2, 2]


def test_reserved_names_are_given_and_not_told(desk: NameDesk) -> None:
    name = desk.mint(1, reserved=True)[0]
    assert desk.known(name).state is AssignedNameState.RESERVED


def test_a_name_never_goes_away(desk: NameDesk) -> None:
    name = desk.mint(1)[0]
    for statement in (
        "DELETE FROM assigned_name",
        "UPDATE assigned_name SET name = 'ark:10099/x5other'",
        "UPDATE assigned_name SET number = 77",
        "DELETE FROM assigned_name_version",
        "UPDATE assigned_name_version SET document = '{}'",
        "DELETE FROM name_batch",
    ):
        with pytest.raises(Exception, match="append-only"), transaction():
            db.session.execute(db.text(statement))
    assert desk.known(name).name == name


def test_what_is_delegated_is_not_given_by_the_one_above(desk: NameDesk) -> None:
    above = desk.add("ark:10099/z", mask="sddd")
    below = desk.add("ark:10099/z01", mask="sd")
    assert len(desk.mint(15, prefix=above)) == 15
    assert not [name for name in desk.mint(15, prefix=above) if name.startswith("ark:10099/z01")]
    assert desk.mint(1, prefix=below) == ["ark:10099/z010"]


def _growing_and_delegated(desk: NameDesk) -> int:
    """A prefix of a mask that has no end, of whose names all but the first ten are delegated."""
    above = desk.add("ark:10099/t7", mask="zd")
    for digit in range(10):
        desk.add(f"ark:10099/t7{digit}", mask="sd")
    return above


def test_minting_ends_where_all_that_is_left_is_delegated_and_keeps_nothing(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minting, "MOST_PASSED_OVER", 1_500)
    above = _growing_and_delegated(desk)
    with pytest.raises(Refusal, match=r"ark:10099/t7[0-9]+ is under a delegated prefix") as refused:
        desk.mint(11, prefix=above)
    assert refused.value.code is assigned_name_codes.NUMBERS_PASSED_OVER
    assert "Mint at most 10, or add a prefix" in refused.value.message
    assert desk.given.next_of("ark:10099/t7") == 0
    assert len(desk.mint(10, prefix=above)) == 10
    with pytest.raises(Refusal, match="Add a prefix with another mask"):
        desk.mint(1, prefix=above)
    assert desk.mint(1)


def test_of_a_mask_whose_names_are_all_delegated_it_is_said_so(desk: NameDesk) -> None:
    above = desk.add("ark:10099/z", mask="sdd")
    for digit in range(10):
        desk.add(f"ark:10099/z{digit}", mask="sd")
    with pytest.raises(Refusal, match="100 numbers of ark:10099/z were skipped") as refused:
        desk.mint(1, prefix=above)
    assert refused.value.code is assigned_name_codes.NUMBERS_PASSED_OVER


def test_numbers_are_passed_over_up_to_the_budget_that_their_refusal_tells() -> None:
    assert f"{minting.MOST_PASSED_OVER:,}" in assigned_name_codes.NUMBERS_PASSED_OVER.source


def test_names_of_a_namespace_are_made_as_it_declares(desk: NameDesk) -> None:
    books = desk.add("urn:isbn:97895118", mask="sequence4+isbn")
    assert desk.mint(2, prefix=books) == ["urn:isbn:9789511800019", "urn:isbn:9789511800026"]
    with pytest.raises(InvalidInput, match="registration of isbn"):
        desk.add("urn:isbn:97895119", mask="sequence9")


def test_names_that_their_namespace_does_not_have_any_more_are_not_given(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minting, "MOST_PASSED_OVER", 50)
    books = desk.add("urn:isbn:97895118", mask="sequence4+isbn")
    with transaction():  # as when the namespace declared its check later than the mask was chosen
        prefix = prefix_rows.of_id(books)
        assert prefix is not None
        prefix.numbering = "sequence4"
    with pytest.raises(Refusal, match="Add a prefix with another mask"):
        desk.mint(prefix=books)
