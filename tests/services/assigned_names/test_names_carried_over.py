"""What was exported can always be brought in again, also elsewhere and by an older state."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState, NameRevision
from app.assigned_names.name_formats import NAME_FORMATS
from app.services.assigned_names import name_import
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.name_feed import export_names
from app.services.assigned_names.name_import import look_through
from tests.services.assigned_names.conftest import NameDesk, revision

HERE, THERE = "ark:10099/w1", "ark:10099/w2"
# each is used instead of the one before it, whatever the order of their names
CHAINS = [("a", "b", "c", "d"), ("d", "c", "b", "a"), ("b", "d", "a", "c")]
FORMS = sorted(NAME_FORMATS)


def _withdrawn(desk: NameDesk, name: str, successor: str = "") -> NameRevision:
    since = desk.clock().date().isoformat()
    gone = AssignedNameState.WITHDRAWN
    return revision(name, state=gone, reason="It sank.", since=since, successor=successor)


def _chain(desk: NameDesk, signs: Sequence[str], days: int) -> None:
    """Names each of which was withdrawn in favour of the next one, so many days apart."""
    names = [f"{HERE}{sign}" for sign in signs]
    desk.change(*(revision(name, target=f"https://a.example/{name[-1]}") for name in names))
    for name, successor in pairwise(names):
        desk.change(_withdrawn(desk, name, successor))
        desk.clock.on(days=days)


def _exported(desk: NameDesk, prefix: int, form: str) -> str:
    made = export_names(desk.people.operator, desk.clock(), NAME_FORMATS[form], prefix)
    return b"".join(made).decode()


@pytest.mark.parametrize("rows", [1, 3, 2_000])
@pytest.mark.parametrize(("signs", "form"), list(zip(CHAINS, FORMS, strict=True)))
def test_a_chain_of_withdrawn_names_is_brought_in_elsewhere(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch, signs: Sequence[str], form: str, rows: int
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", rows)
    here, there = desk.add(HERE, ""), desk.add(THERE, "")
    _chain(desk, signs, days=1 if rows == 1 else 0)
    file = _exported(desk, here, form).replace(HERE, THERE)
    made = desk.bring_in(file, form)
    assert (made.taken, made.refused) == (len(signs), 0)
    assert _exported(desk, there, form) == file
    found = desk.found(file, form)
    assert not found or rows < 2_000, "what stands in a later row of a few is not told"
    assert {code for _, code, _ in found} <= {"successor_nowhere"}


@pytest.mark.parametrize("signs", CHAINS)
def test_a_chain_that_was_withdrawn_since_is_brought_in_where_its_names_lead_still(
    desk: NameDesk, signs: Sequence[str]
) -> None:
    here, there = desk.add(HERE, ""), desk.add(THERE, "")
    _chain(desk, signs, days=0)
    file = _exported(desk, here, "csv").replace(HERE, THERE)
    desk.change(*(revision(f"{THERE}{sign}", target="https://a.example/") for sign in signs[:-1]))
    seen = look_through(
        desk.command().actor, desk.clock(), "a digest", NAME_FORMATS["csv"].read([file.encode()])
    )
    assert (seen.refused, seen.withdrawn, seen.findings) == (0, 3, ())
    assert desk.found(file) == []
    assert record_of(desk.known(f"{THERE}{signs[0]}")).successor == f"{THERE}{signs[1]}"
    assert desk.bring_in(file + "\n").same == len(signs), "the same once more"
    assert _exported(desk, there, "csv").count("withdrawn") == 3


def test_a_successor_that_was_of_another_prefix_or_is_reserved_by_now_is_told_and_kept(
    desk: NameDesk,
) -> None:
    desk.add(THERE, "")
    head, tombstone = "name,state,reason,since,successor", "withdrawn,It sank.,2026-01-31"
    rows = (
        f"{THERE}a,reserved,,,\n"
        f"{THERE}b,{tombstone},{THERE}a\n"
        f"{THERE}c,{tombstone},{THERE}never\n"
        f"{THERE}d,{tombstone},ark:99999/x\n"
    )
    made = desk.bring_in(f"{head}\n{rows}")
    assert (made.taken, made.refused) == (4, 0)
    assert [(line, code) for line, code, _ in desk.found(f"{head}\n{rows}")] == [
        (3, "successor_nowhere"),
        (4, "successor_nowhere"),
    ]
    described = f"{head},what\n{rows}".replace("\n", ",A boat\n").replace("what,A boat", "what")
    assert desk.found(described) == [], "who names the same once more was told"
    assert desk.bring_in(described).taken == 4


def test_what_leads_nowhere_since_before_a_withdrawal_is_told(desk: NameDesk) -> None:
    desk.add(THERE, "")
    desk.change(revision(f"{THERE}a", target="https://a.example/"))
    desk.change(_withdrawn(desk, f"{THERE}a"))
    desk.clock.on(days=1)
    since = (desk.clock() - timedelta(hours=1)).date().isoformat()
    head = "name,state,reason,since,successor"
    ((_, code, told),) = desk.found(f"{head}\n{THERE}b,withdrawn,It sank.,{since},{THERE}a\n")
    assert code == "successor_nowhere" and "is withdrawn" in told
    assert desk.known(f"{THERE}b").state == "withdrawn"


def test_a_preview_of_many_rows_refuses_no_more_than_bringing_them_in(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", 1)
    here = desk.add(HERE, "")
    desk.add(THERE, "")
    _chain(desk, CHAINS[2], days=0)
    octets = _exported(desk, here, "csv").replace(HERE, THERE).encode()
    read = NAME_FORMATS["csv"].read([octets])
    seen = look_through(desk.command().actor, desk.clock(), "a digest", read)
    assert (seen.new, seen.refused) == (4, 0)


HEAD = "name,state,target,reason,since,successor"


@pytest.mark.parametrize("rows", [1, 2_000])
def test_a_name_is_not_withdrawn_now_in_favour_of_one_that_no_row_before_gave(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", rows)
    desk.add(THERE, "")
    desk.change(revision(f"{THERE}a", target="https://a.example/"))
    later = f"{HEAD}\n{THERE}a,withdrawn,,It sank.,,{THERE}b\n{THERE}b,public,ftp://nope/,,,\n"
    made = desk.bring_in(later)
    assert (made.taken, made.refused) == (0, 2)
    assert desk.known(f"{THERE}a").state == "public"
    before = (
        f"{HEAD}\n{THERE}b,public,https://b.example/,,,\n{THERE}a,withdrawn,,It sank.,,{THERE}b\n"
    )
    assert desk.bring_in(before).taken == 2


@pytest.mark.parametrize("rows", [1, 2_000])
@pytest.mark.parametrize("signs", ["ab", "abc"])
def test_names_are_not_used_instead_of_each_other(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch, signs: str, rows: int
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", rows)
    desk.add(THERE, "")
    pairs = zip(signs, signs[1:] + signs[0], strict=True)
    told = (f"{THERE}{a},withdrawn,,It sank.,2026-01-01,{THERE}{b}\n" for a, b in pairs)
    file = f"{HEAD}\n{''.join(told)}"
    made = desk.bring_in(file)
    assert (made.taken, made.refused) == (len(signs) - 1, 1)
    ((_, _, message),) = [one for one in desk.found(file) if one[1] == "successor_circle"]
    assert f"{THERE}{signs[-1]}" in message


def test_a_row_that_is_refused_gives_no_name_to_be_used_instead(desk: NameDesk) -> None:
    desk.add(THERE, "")
    file = f"{HEAD}\n{THERE}a,withdrawn,,It sank.,2026-01-01,{THERE}b\n{THERE}b,public,ftp://nope/,,,\n"
    made = desk.bring_in(file)
    assert (made.taken, made.refused) == (1, 1)
    assert "successor_nowhere" in [code for _, code, _ in desk.found(file)]
