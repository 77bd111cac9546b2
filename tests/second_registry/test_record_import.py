"""A list of records is taken over as one edition, whatever registry of whatever group has them."""

from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask

from app.problems import operation_codes
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.registries import FORMAL, INFORMAL, REGISTRIES, Registry
from app.registration.declarations.registry_groups import RegistryGroup, group_of
from app.registration.records.registry_records import Registration
from app.services.editions.version_history import edition_of_day, history
from app.services.registry.import_plans import ImportPlan
from app.services.registry.record_import import ImportRefused, RecordImport, import_records
from app.services.registry.snapshots import current_snapshot, key_of, snapshot_of, taken_index
from app.store.database import read_transaction
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from tests.conftest import Clock
from tests.second_registry.library_group import DRAWERS, LENT

EACH = pytest.mark.parametrize("registry", [FORMAL, LENT], ids=lambda one: one.kind)
NAMES = {FORMAL.id: ("quoll", "numbat"), LENT.id: ("S.7", "s12")}
FIELD = {FORMAL.id: "purpose", LENT.id: "contents"}


def taken_over(
    registry: Registry,
    words: str,
    clock: Clock,
    *,
    given: Sequence[str] | None = None,
    dry_run: bool = False,
    **said: Any,
) -> ImportPlan:
    """What came of taking over the names of a registry, each with these words."""
    clock.on(minutes=1)
    which = NAMES[registry.id] if given is None else given
    fields = ((FIELD[registry.id], words),)
    records = [Registration(name=name, date="2020-02-02", fields=fields) for name in which]
    asked = RecordImport(records={registry.id: records}, **said)
    return import_records(asked, clock(), dry_run=dry_run)


def editions(group: RegistryGroup) -> int:
    """How many editions a group has."""
    with read_transaction():
        return len(history(group))


@EACH
def test_records_are_added_changed_and_left_alone_and_it_is_told_which(
    libraries: Flask, clock: Clock, registry: Registry
) -> None:
    group = group_of(registry.id)
    first, second = map(registry.fold, NAMES[registry.id])
    one, other = map(registry.space.about, (first, second))
    began = editions(group)
    planned = taken_over(registry, "One.", clock, dry_run=True)
    assert (sorted(planned.added), editions(group)) == (sorted((one, other)), began)
    assert taken_over(registry, "One.", clock) == planned
    assert taken_over(registry, "One.", clock).is_empty
    assert editions(group) == began + 1
    plan = taken_over(registry, "Two.", clock, given=NAMES[registry.id][:1])
    assert (plan.added, plan.changed, other in plan.kept) == ((), (one,), True)
    with read_transaction():
        row = history(group)[-1]
        assert [(each.folded, each.kind) for each in row.changes.names] == [(first, "changed")]
        stands = {each.folded: dict(each.fields) for each in current_snapshot(group).records()}
        assert stands[first] == {FIELD[registry.id]: "Two."}
        assert stands[second] == {FIELD[registry.id]: "One."}
        assert [each.n for each in names.versions_of(registry.space.id, first)] == [1, 2]
        assert taken_index(registry.space).find_registered(NAMES[registry.id][0]) == first


@EACH
def test_lists_of_former_days_are_editions_of_those_days(
    libraries: Flask, clock: Clock, registry: Registry
) -> None:
    group, days = group_of(registry.id), ("2024-11-05", "2025-02-01")
    if registry is FORMAL:  # which has an edition of today already
        for dry_run in (True, False):
            with pytest.raises(ImportRefused, match="Use a newer date"):
                taken_over(registry, "One.", clock, day=days[0], dry_run=dry_run)
        return
    for words, day in zip(("One.", "Two."), days, strict=True):
        taken_over(registry, words, clock, day=day)
    with read_transaction():
        assert [row.as_of.date().isoformat() for row in history(group)] == [*days]
        assert edition_of_day(group, "2025-01-31") == 1
        assert snapshot_of(key_of(group, 2)).updated == days[1]
    assert taken_over(registry, "Two.", clock).is_empty


@EACH
def test_an_edition_says_where_its_records_come_from(
    libraries: Flask, clock: Clock, registry: Registry
) -> None:
    taken_over(
        registry,
        "One.",
        clock,
        origin=EditionOrigin.LOCAL,
        cause=Cause.CORRECTION,
        notice="Ours alone.",
    )
    with read_transaction():
        row = history(group_of(registry.id))[-1]
        assert (row.origin, row.cause) == (EditionOrigin.LOCAL, Cause.CORRECTION)
        assert current_snapshot(group_of(registry.id)).notice == "Ours alone."


@pytest.mark.parametrize(
    ("registry", "given", "code", "told"),
    [
        (LENT, ["S.7", "s7"], operation_codes.RECORDS_REFUSED, "appear twice: `s7`"),
        (LENT, ["s7/x5"], operation_codes.RECORDS_REFUSED, "are not shelf marks: `s7/x5`"),
        (LENT, ["s 7", ""], operation_codes.RECORDS_REFUSED, "are not shelf marks: ``, `s 7`"),
        (FORMAL, ["\N{GREEK SMALL LETTER OMICRON}"], operation_codes.RECORDS_REFUSED, "are not"),
        (DRAWERS, ["s7/x5.json"], operation_codes.RECORDS_REFUSED, "are not drawers"),
        (
            DRAWERS,
            ["../x", "a//b", "/a"],
            operation_codes.RECORDS_REFUSED,
            "are not drawers: `../x`, `/a`, `a//b`",
        ),
        (FORMAL, ["urn-5"], operation_codes.RECORDS_REFUSED, f"`urn-5` is in `{INFORMAL.id}`"),
    ],
)
def test_what_cannot_stand_in_the_registry_is_refused_and_nothing_is_kept(
    libraries: Flask,
    clock: Clock,
    registry: Registry,
    given: list[str],
    code: ProblemCode,
    told: str,
) -> None:
    began = editions(group_of(registry.id))
    records = {registry.id: [Registration(name=name) for name in given]}
    with pytest.raises(ImportRefused, match=told) as refused:
        import_records(RecordImport(records=records), clock())
    assert refused.value.code == code
    assert editions(group_of(registry.id)) == began


@pytest.mark.parametrize("day", ["2024-02-30", "yesterday", "2999-01-01"])
def test_a_day_that_is_none_or_is_to_come_is_refused(
    libraries: Flask, clock: Clock, day: str
) -> None:
    for dry_run in (True, False):
        with pytest.raises(ImportRefused, match="is not a past date"):
            taken_over(LENT, "One.", clock, day=day, dry_run=dry_run)


def test_a_table_that_is_declared_later_joins_those_that_stand(
    libraries: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = group_of(LENT.id)
    with monkeypatch.context() as before:
        before.delitem(REGISTRIES, DRAWERS.id)
        taken_over(LENT, "One.", clock)
    clock.on(minutes=1)
    drawer = Registration(name="s7/x5", date="2020-02-02")
    plan = import_records(RecordImport(records={DRAWERS.id: [drawer]}), clock())
    assert plan.added == ("drawer:s7/x5",)
    with read_transaction():
        stands = current_snapshot(group)
        assert [table.id for table in stands.registries] == [LENT.id, DRAWERS.id]
        assert [record.folded for record in stands.records()] == ["s7", "s12", "s7/x5"]
