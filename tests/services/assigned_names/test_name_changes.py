"""Changing names: where they lead, what is said of them, and that they are withdrawn for good."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from app.assigned_names.assigned_name_records import (
    AssignedNameState,
    NameRevision,
    assigned_name_from,
    retarget_names,
    withdrawal,
)
from app.registration.profiles.profile_answers import write_services
from app.registration.profiles.profile_records import Resolution
from app.services.assigned_names import minting, name_changes, name_import, prefix_lists
from app.services.assigned_names.minting import find_alike
from app.services.assigned_names.name_changes import change_names, prefix_of_name, record_of
from app.services.assigned_names.name_feed import name_history
from app.services.assigned_names.name_import import findings_of
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound, Refusal
from app.store.assigned_names import assigned_name_rows
from app.store.database import read_transaction
from tests import factories
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
    with read_transaction():
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
    with pytest.raises(InvalidInput, match="reason"):
        desk.change(revision(name, state=withdrawn))
    desk.change(revision(name, state=withdrawn, reason="Given twice.", since="2026-09-01"))
    with pytest.raises(Refusal, match="can't become"):
        desk.change(revision(name, state=AssignedNameState.PUBLIC, reason="", since=""))
    assert desk.known(name).state is withdrawn
    assert name not in desk.mint(20)


def test_a_tombstone_stays_as_it_was_told_first(desk: NameDesk) -> None:
    name, successor = desk.mint(2)
    desk.change(withdrawal(name, "It sank.", "2001-02-03", successor))
    before = desk.known(name)
    with pytest.raises(Refusal, match="already withdrawn on 2001-02-03"):
        desk.change(withdrawal(name, "Bulk.", "2026-11-24"))
    with pytest.raises(Refusal, match="Nothing to save"):
        desk.change(withdrawal(name, "It sank.", "2001-02-03", successor))
    assert desk.known(name) == before
    found = desk.found(f"name,state,reason\n{name},withdrawn,Bulk.\n")
    assert [(line, code) for line, code, _ in found] == [(2, "assigned_name_withdrawn")]
    desk.change(revision(name, elements={"what": "A boat"}))
    record = record_of(desk.known(name))
    assert (record.reason, record.since, record.successor) == ("It sank.", "2001-02-03", successor)


def test_a_reserved_name_can_be_told_later(desk: NameDesk) -> None:
    name = desk.mint(reserved=True)[0]
    desk.change(revision(name, state=AssignedNameState.PUBLIC, target=TARGET))
    assert desk.known(name).state is AssignedNameState.PUBLIC
    with pytest.raises(InvalidInput, match="can't become"):
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


def test_what_another_said_of_a_name_meanwhile_is_not_overwritten(desk: NameDesk) -> None:
    name = desk.mint()[0]

    def lead_to(target: str, seen: int) -> None:
        command = replace(desk.command(), seen=seen)
        change_names(command, (revision(name, target=target),), given=desk.given)

    lead_to(TARGET, 1)
    with pytest.raises(EditConflict, match=f"changed {name} after"):
        lead_to(f"{TARGET}later", 1)
    assert record_of(desk.known(name)).target == TARGET


def test_names_of_two_prefixes_are_not_changed_together(desk: NameDesk) -> None:
    outer = desk.mint()[0]
    inner = desk.mint(prefix=desk.add("ark:10099/x5a1", mask="sdd"))[0]
    with pytest.raises(InvalidInput, match=f"{inner}: .* under another prefix"):
        desk.change(revision(outer, target=TARGET), revision(inner, target=TARGET))
    assert desk.known(outer).n == 1


def test_where_nothing_differs_nothing_is_kept(desk: NameDesk) -> None:
    name = desk.mint()[0]
    desk.change(revision(name, target=TARGET))
    before = desk.known(name)
    with pytest.raises(Refusal, match="Nothing to save"):
        desk.change(revision(name, target=TARGET))
    assert desk.known(name) == before


def test_a_name_is_under_the_innermost_prefix(desk: NameDesk) -> None:
    desk.add("ark:10099/x5a1", mask="")
    with read_transaction():
        assert prefix_of_name("ark:10099/x5a1bcd").text == "ark:10099/x5a1"
        assert prefix_of_name("ark:10099/x5b").text == "ark:10099/x5"


def test_names_are_found_by_what_is_told_of_them_and_by_nothing_else(desk: NameDesk) -> None:
    ferry, harbour, bare = sorted(desk.mint(3))
    desk.change(revision(ferry, target=TARGET, elements={"what": 'Fähre "Ost"', "how": "a/b"}))
    desk.change(revision(harbour, elements={"what": "A harbour"}))

    def found(part: str) -> list[str]:
        robin = desk.people.registrant
        page = prefix_lists.names_under(desk.prefix, robin, desk.clock(), part=part)
        return [one.record.name for one in page.names]

    for part in ("FÄHRE", "fähre", "FäHRE", '"ost"', "LIBRARY.example", "A/B", ferry[-6:]):
        assert found(part) == [ferry], part
    for part in ("state", "elements", "u00e4", "what", "name", "\\", '["'):
        assert found(part) == [], part
    assert found("harb") == [harbour]
    assert found("") == [ferry, harbour, bare]


def test_the_feed_has_every_change_in_order(desk: NameDesk) -> None:
    names = desk.mint(2)
    desk.change(revision(names[0], target=TARGET))
    with read_transaction():
        changes = assigned_name_rows.changes_after(0, 100)
    assert [one.change for one in changes] == [1, 2, 3]
    assert assigned_name_from(json.loads(changes[-1].document)).target == TARGET
    assert [one.number for one in changes] == [0, 1, 0]


def test_the_names_of_a_batch_are_told_under_its_prefix_alone(desk: NameDesk) -> None:
    by = desk.command()
    event = minting.mint(by, desk.prefix, 1, given=desk.given)
    other = desk.add("ark:10099/w1", mask="")
    assert minting.minted_names(event, by.actor, by.at, prefix=desk.prefix)
    with pytest.raises(NotFound):
        minting.minted_names(event, by.actor, by.at, prefix=other)


def test_a_name_that_is_bound_and_looks_like_another_says_so_wherever_it_is_shown(
    desk: NameDesk,
) -> None:
    ident = desk.add("ark:10099/w1", mask="")
    desk.change(revision("ark:10099/w1boat", target=TARGET))
    desk.change(revision("ark:10099/w1b0at", target=TARGET))
    for name, other in (("boat", "b0at"), ("b0at", "boat")):
        seen = name_history(ident, f"ark:10099/w1{name}", desk.people.registrant, desk.clock())
        assert f"looks like `ark:10099/w1{other}`" in seen.alike
    assert not find_alike(["ark:10099/w1car"])
    assert find_alike(["ark:10099/w1Boat"])


@pytest.mark.parametrize("told", [{"state": "withdrawn"}, {"state": "withdrawn", "what": "A"}])
def test_what_was_noted_of_a_reserved_name_is_not_told_by_its_withdrawal(
    desk: NameDesk, told: dict[str, str]
) -> None:
    name = desk.mint(reserved=True)[0]
    desk.change(revision(name, target=TARGET, elements={"what": "A secret", "who": "Somebody"}))
    columns = {"name": name, "reason": "Not needed.", "since": "2026-09-01"} | told
    desk.bring_in(",".join(columns) + "\n" + ",".join(columns.values()) + "\n")
    stored = desk.known(name)
    assert stored.state is AssignedNameState.WITHDRAWN
    assert "secret" not in stored.document and TARGET not in stored.document
    assert ("what", "A") in record_of(stored).elements or "what" not in told


def test_a_name_that_stands_in_a_file_twice_is_told_in_whatever_spelling(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_import, "ROWS_AT_ONCE", 2)  # the rows are of different commits
    names = desk.mint(2)
    again = names[0].replace("/x5", "/x-5")
    found = desk.found(
        f"name,target\n{names[0]},{TARGET}\n{names[1]},{TARGET}\n{again},{TARGET}2\n"
    )
    assert [(line, code) for line, code, _ in found] == [(4, "name_repeated")]
    assert record_of(desk.known(names[0])).target == f"{TARGET}2"


def test_a_withdrawn_name_is_not_led_elsewhere(desk: NameDesk) -> None:
    name = desk.mint()[0]
    desk.change(revision(name, target=TARGET))
    gone = revision(name, state=AssignedNameState.WITHDRAWN, reason="Sunk.", since="2026-09-01")
    desk.change(gone)
    assert not list(retarget_names([record_of(desk.known(name))], TARGET, "https://new.example/"))
    told = desk.found(f"name,target\n{name},https://new.example/\n")
    assert [code for _, code, _ in told] == ["assigned_name_withdrawn"]
    assert record_of(desk.known(name)).target == TARGET


@pytest.mark.parametrize("declares", [True, False])
def test_what_follows_a_urn_is_handed_on_where_its_namespace_declares_it(
    desk: NameDesk, declares: bool
) -> None:
    factories.registered(
        desk.people,
        desk.clock(),
        namespace_identifier="quokka",
        services=write_services(Resolution(extends_names=declares)),
    )
    desk.add("urn:quokka:", "", actor=desk.people.registrant)
    bound = revision("urn:quokka:q1", target="https://q.example/", extends_anywhere=True)
    if declares:
        assert desk.change(bound)
    else:
        with pytest.raises(InvalidInput, match="quokka doesn't allow") as refused:
            desk.change(bound)
        assert refused.value.field == "extends_anywhere"


def test_a_name_that_hands_on_what_follows_is_changed_though_its_namespace_declares_that_no_more(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.registered(desk.people, desk.clock(), namespace_identifier="quokka")
    desk.add("urn:quokka:", "", actor=desk.people.registrant)
    bound = revision("urn:quokka:q1", target="https://q.example/", extends_anywhere=True)
    with monkeypatch.context() as declared:
        declared.setattr(name_changes, "check_extension", lambda *_: None)
        assert desk.change(bound)
    desk.change(revision(bound.name, target=TARGET))
    assert record_of(desk.known(bound.name)).target == TARGET


def _withdrawn(desk: NameDesk, name: str, successor: str = "", days: int = 0) -> NameRevision:
    since = f"{desk.clock() + timedelta(days=days):%Y-%m-%d}"
    return withdrawal(name, "It sank.", since, successor)


def test_of_a_row_that_is_refused_it_is_not_told_that_it_counts(desk: NameDesk) -> None:
    name, other = desk.mint(2)
    found = desk.found(
        f"name,target\n{name},ftp://a.example/\n{name},ftp://b.example/\n"
        f"{other},ftp://a.example/\n{other},{TARGET}\n"
    )
    assert [(line, code) for line, code, _ in found] == [
        (2, "target_scheme"),
        (3, "target_scheme"),
        (4, "target_scheme"),
        (5, "name_repeated"),
    ]
    assert "replace the earlier ones" in found[-1][2]


def test_why_rows_are_refused_stands_before_what_is_to_be_looked_at(desk: NameDesk) -> None:
    name, other = desk.mint(2)
    rows = [name, name, name, other]
    text = "\n".join(["name,target", *(f"{one},{TARGET}" for one in rows), "bad", f"{name},ftp:x"])
    made, by = desk.bring_in(text), desk.command().actor
    read, after = [], 0
    while found := findings_of(by, made.ident, after, 1):
        read += [(one.line, one.is_refusal) for one in found]
        after = found[-1].ident
    assert read == [(6, True), (7, True), (3, False), (4, False)]
    assert [one.line for one in findings_of(by, made.ident, 0, 3)] == [6, 7, 3]


@pytest.mark.parametrize("state", ["reserved", "withdrawn"])
def test_what_is_to_be_used_instead_leads_somewhere(desk: NameDesk, state: str) -> None:
    first, second, public = desk.mint(3)
    (gone,) = desk.mint(reserved=True)
    if state == "withdrawn":
        desk.change(_withdrawn(desk, gone))
    with pytest.raises(InvalidInput, match=f"{gone} is {state}") as refused:
        desk.change(_withdrawn(desk, first, gone))
    assert refused.value.field == "successor"
    with pytest.raises(InvalidInput, match=f"{gone} is {state}"):
        desk.change(_withdrawn(desk, first, public), _withdrawn(desk, second, gone))
    rows = f"name,state,reason,successor\n{first},withdrawn,It sank.,{gone}\n"
    ((_, code, _),) = desk.found(rows)
    assert (code, desk.known(first).state) == (f"successor_{state}", "public")


def test_a_name_that_is_withdrawn_in_a_row_above_is_no_successor(desk: NameDesk) -> None:
    first, second = desk.mint(2)
    head = "name,state,reason,successor\n"
    rows = f"{head}{first},withdrawn,It sank.,\n{second},withdrawn,It sank.,{first}\n"
    assert [(line, code) for line, code, _ in desk.found(rows)] == [(3, "successor_withdrawn")]


def test_more_is_said_of_a_withdrawn_name_whose_successor_was_withdrawn_since(
    desk: NameDesk,
) -> None:
    first, second = desk.mint(2)
    desk.change(_withdrawn(desk, first, second))
    desk.change(_withdrawn(desk, second))
    desk.change(revision(first, elements={"who": "Robin Roe"}))
    assert record_of(desk.known(first)).element("who") == "Robin Roe"


def test_what_is_to_be_used_instead_was_given_and_a_withdrawal_is_not_of_tomorrow(
    desk: NameDesk,
) -> None:
    name, other, third = desk.mint(3)
    with pytest.raises(InvalidInput, match="isn't assigned under ark:10099/x5") as refused:
        desk.change(_withdrawn(desk, name, "ark:10099/x5never"))
    assert refused.value.field == "successor"
    with pytest.raises(InvalidInput, match="in the future") as refused:
        desk.change(_withdrawn(desk, name, days=1))
    assert refused.value.field == "since"
    assert desk.change(_withdrawn(desk, name, other))
    assert desk.change(_withdrawn(desk, other, "ark:12148/elsewhere", days=-1))
    desk.add("ark:10099/z5")
    rows = f"name,state,reason,successor\n{third},withdrawn,It sank.,ark:10099/z5never\n"
    ((_, code, told),) = desk.found(rows)  # of another prefix it is told, and refuses nothing
    assert (code, record_of(desk.known(third)).state) == ("successor_elsewhere", "withdrawn")
    assert "isn't assigned under ark:10099/z5" in told
