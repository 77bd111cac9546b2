"""Prefixes: who lets somebody hold one, within what, and who decides on it afterwards."""

from dataclasses import replace
from functools import partial

import pytest
from flask import Flask

from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration, Status
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.assigned_names import prefix_lists, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NotAllowed,
    NotFound,
    RateLimitExceeded,
    Refusal,
)
from app.services.registry.record_import import RecordImport, import_records
from app.store.assigned_names import prefix_rows
from app.store.database import read_transaction, transaction
from tests import factories
from tests.services.assigned_names.conftest import MASK, NameDesk
from tests.store.at_once import Meeting, at_once


def test_no_prefix_is_put_around_one_that_somebody_holds(desk: NameDesk) -> None:
    with pytest.raises(Refusal, match="which has another owner"):
        desk.add("ark:10099/x")
    with pytest.raises(Refusal, match="which you own"):
        desk.add("ark:10099/x", actor=desk.people.registrant)


def test_of_two_prefixes_that_overlap_and_are_added_at_once_each_sees_the_other(
    desk: NameDesk, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is second waits, and looks then: none is put around another one."""
    monkeypatch.setattr(prefix_rows, "add", Meeting().before(prefix_rows.add))
    rival = desk.people.rival.email

    def delegated() -> int:
        by = desk.command(actor=desk.people.operator)
        return prefixes.add_prefix(by, "ark:10099/k5b", rival, PrefixRules())

    at_once(app, partial(desk.add, "ark:10099/k5"), delegated)
    with read_transaction():
        outer, inner = (prefix_rows.find(f"ark:10099/{one}") for one in ("k5", "k5b"))
        assert inner is not None
        assert outer is None or inner.parent == outer.id


def test_under_a_naan_that_is_no_longer_in_use_no_prefix_is_held(desk: NameDesk) -> None:
    former = Registration(name="10099", space=NAAN_SPACE, contact=(), status=Status.FORMER)
    import_records(RecordImport(records={NAANS.id: [former]}), desk.clock())
    with pytest.raises(InvalidInput, match="is retired"):
        desk.add("ark:10099/z5")


def test_within_a_delegated_prefix_its_holder_decides_and_not_that_of_the_naan(
    desk: NameDesk,
) -> None:
    people = desk.people
    naan = factories.registered_naan(people, desk.clock())
    own, delegated = desk.add(f"ark:{naan}/x5", actor=people.registrant), f"ark:{naan}/z5"
    assert own
    by_operator = desk.command(actor=people.operator)
    prefixes.add_prefix(by_operator, delegated, people.rival.email, PrefixRules())
    with pytest.raises(NotAllowed, match=f"Only the owners of {delegated}"):
        desk.add(f"{delegated}b", actor=people.registrant)
    assert desk.add(f"{delegated}b", actor=people.rival)


def test_the_last_holder_stays_so_that_somebody_decides(desk: NameDesk) -> None:
    holder = desk.people.registrant
    prefixes.add_delegate(desk.command(), desk.prefix, desk.people.rival.email)
    with pytest.raises(Refusal, match="last one"):
        prefixes.end_delegate(desk.command(), desk.prefix, holder.id)
    prefixes.change_prefix(desk.command(), desk.prefix, PrefixRules(label="Boats"))


def test_what_another_said_of_a_prefix_meanwhile_is_not_overwritten(desk: NameDesk) -> None:
    def say(label: str, seen: int) -> None:
        command = replace(desk.command(), seen=seen)
        prefixes.change_prefix(command, desk.prefix, PrefixRules(label=label))

    say("Boats", 1)
    with pytest.raises(EditConflict, match="changed this prefix"):
        say("Ships", 1)
    say("Ships", 2)


def test_names_are_shown_ahead_only_of_a_prefix_that_can_be_added(desk: NameDesk) -> None:
    assert len(prefix_lists.previewed_names("ark:10099/z5", "reedeedk")) == 3
    assert prefix_lists.previewed_names("ark:10099/z5", "") == ()
    for text, mask in (
        ("ark:10099/x", "reedeedk"),
        ("ark:10099/x5", "reedeedk"),
        ("ark:99990/x5", "reedeedk"),
        ("ark:10099/z5", "sequence4"),
        ("urn:example:", "reedeedk"),
    ):
        with pytest.raises(Refusal) as shown:
            prefix_lists.previewed_names(text, mask)
        with pytest.raises(Refusal) as added:
            desk.add(text, mask)
        assert str(shown.value) == str(added.value)


def test_once_a_name_was_minted_the_mask_stays(desk: NameDesk) -> None:
    desk.mint()
    for mask in ("", "reedk"):
        with pytest.raises(InvalidInput, match="mask is in use"):
            prefixes.change_prefix(desk.command(), desk.prefix, PrefixRules(numbering=mask))
    prefixes.change_prefix(desk.command(), desk.prefix, PrefixRules(numbering=MASK))


@pytest.mark.parametrize("field", ["label", "holder_name", "policy", "persistence"])
def test_what_everybody_reads_of_a_prefix_has_nothing_that_is_not_seen(
    desk: NameDesk, field: str
) -> None:
    for sign in ("\u202e", "\u200b", "\u2028"):
        with pytest.raises(InvalidInput, match="is invisible") as refused:
            desk.add("ark:10099/z5", mask="", **{field: f"Boats.{sign} Ships."})
        assert refused.value.field == field
    with pytest.raises(InvalidInput, match="only invisible characters"):
        desk.add("ark:10099/z5", mask="", **{field: "\u3164 \u00ad"})
    assert desk.add("ark:10099/z5", mask="", **{field: "Bo\u00adats.\n"})


def test_what_is_one_line_of_a_prefix_holds_no_tab_and_no_end_of_a_line(desk: NameDesk) -> None:
    for field in ("label", "holder_name"):
        for sign in ("\n", "\r\n", "\t"):
            with pytest.raises(InvalidInput, match="is invisible") as refused:
                desk.add("ark:10099/z5", mask="", **{field: f"Boats.{sign}Ships."})
            assert refused.value.field == field
    for shoulder, field in (("z5", "policy"), ("z6", "persistence")):
        assert desk.add(f"ark:10099/{shoulder}", mask="", **{field: "Boats.\r\n\tShips.\n"})


def test_so_many_prefixes_a_day_are_added_by_one_person_and_any_number_by_operators(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = replace(LIMITS[RateLimitKind.PREFIXES_OF_PERSON], most=2)
    monkeypatch.setitem(LIMITS, RateLimitKind.PREFIXES_OF_PERSON, limit)
    people = desk.people
    naan = factories.registered_naan(people, desk.clock())
    for shoulder in ("b2", "c2"):
        desk.add(f"ark:{naan}/{shoulder}", actor=people.registrant)
    with pytest.raises(RateLimitExceeded, match="You added 2 prefixes today"):
        desk.add(f"ark:{naan}/d2", actor=people.registrant)
    for shoulder in ("b2", "c2", "d2"):
        desk.add(f"ark:10099/{shoulder}")


def test_who_holds_a_prefix_is_said_in_a_few_words_and_otherwise_later(desk: NameDesk) -> None:
    with pytest.raises(InvalidInput, match="at most 200") as refused:
        desk.add("ark:10099/z5", mask="", holder_name="w" * 201)
    assert refused.value.field == "holder_name"
    made = desk.add("ark:10099/z5", mask="", holder_name="w" * 200)
    prefixes.change_prefix(desk.command(), made, PrefixRules(holder_name=" Port Authority\n"))
    detail = prefix_lists.prefix_detail(made, desk.people.registrant, desk.clock())
    assert detail.rules == PrefixRules(holder_name="Port Authority")
    with pytest.raises(NotFound):
        by = desk.command(actor=desk.people.rival)
        prefixes.change_prefix(by, made, PrefixRules(holder_name="Somebody else"))


def test_what_an_end_means_is_told_to_nobody_who_does_not_decide_on_it(desk: NameDesk) -> None:
    people = desk.people
    prefixes.add_delegate(desk.command(), desk.prefix, people.rival.email)
    for one, refusal in ((people.rival, NotAllowed), (people.expert, NotFound)):
        with pytest.raises(refusal):
            prefixes.look_at_end(desk.prefix, one, desk.clock(), "Over.")
    for one in (people.registrant, people.operator):
        prefixes.look_at_end(desk.prefix, one, desk.clock(), "Over.")


def test_a_statement_is_short_but_one_that_stands_already_stays(desk: NameDesk) -> None:
    with pytest.raises(InvalidInput, match="at most 1,000") as refused:
        desk.add("ark:10099/z5", mask="", policy="w" * 1_001)
    assert refused.value.field == "policy"
    with transaction():
        prefix = prefix_rows.of_id(desk.prefix)
        assert prefix is not None
        prefix.policy = "w" * 4_000
    rules = PrefixRules(numbering=MASK, label="Ships", policy="w" * 4_000)
    prefixes.change_prefix(desk.command(), desk.prefix, rules)
    with pytest.raises(InvalidInput, match="at most 1,000"):
        prefixes.change_prefix(desk.command(), desk.prefix, replace(rules, policy="v" * 1_001))
