"""Whatever is done under a prefix in whatever order, with crashes between: the model holds."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.bundles.given_numbers import GivenNumberFolder
from app.services.assigned_names import minting, name_changes, prefixes
from app.services.assigned_names.name_changes import record_of
from app.services.refusals import NotFound, Refusal
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.database import read_transaction, transaction
from tests.services.assigned_names.conftest import NameDesk, revision
from tests.torture.conftest import rounds

MASK = "reeddk"
RESERVED, PUBLIC, WITHDRAWN = AssignedNameState
_shoulders = (f"b{n:05d}".translate(str.maketrans("01234", "cdfgh")) for n in itertools.count())
CRASHES = ("", "", "", "before the number", "after the number", "before the batch", "answer lost")
crashes = st.sampled_from(CRASHES)


class Crash(Exception):
    """The power went away."""


class FrailNumbers:
    """A folder of numbers at which the power goes away."""

    def __init__(self, folder: GivenNumberFolder, crash: str) -> None:
        self._folder, self._crash = folder, crash

    def next_of(self, of: str) -> int:
        return self._folder.next_of(of)

    def seed_of(self, prefix: str) -> str:
        return self._folder.seed_of(prefix)

    def keep(self, of: str, following: int, seed: str = "") -> None:
        if self._crash == "before the number":
            raise Crash
        self._folder.keep(of, following, seed)
        if self._crash == "after the number":
            raise Crash


class NamesUnderAPrefix(RuleBasedStateMachine):
    """Names with what is known of them, beside a dictionary of what should be."""

    desk: NameDesk

    def __init__(self) -> None:
        super().__init__()
        self.text = f"ark:10099/{next(_shoulders)}5"
        self.prefix = self.desk.add(self.text, mask=MASK)
        self.numbering = self.desk.numbering(self.text)
        self.known: dict[str, AssignedNameRecord] = {}
        self.versions: dict[str, int] = {}
        self.delegated: list[str] = []
        self.helps = False

    def _try(self, crash: str, work: Callable[..., Any]) -> Any:
        """What a work gives, None where a crash undid it; a lost answer is asked for again."""
        by = self.desk.command()
        with pytest.MonkeyPatch.context() as patch:
            if crash == "before the batch":
                patch.setattr(assigned_name_rows, "add_batch", _crash)
            try:
                made = work(by, FrailNumbers(self.desk.given, crash))
            except Crash:
                return None
        if crash == "answer lost":
            assert work(by, self.desk.given) == made
        return made

    def _mint(self, count: int, crash: str, **more: Any) -> None:
        def work(by: Any, given: Any) -> int:
            return minting.mint(by, self.prefix, count, given=given, **more)

        event = self._try(crash, work)
        if event is None:
            return
        by = self.desk.command()
        names = minting.minted_names(event, by.actor, by.at)
        assert len({*names}) == count
        assert not {*names} & self.known.keys()
        assert not [one for one in names if one.startswith(tuple(self.delegated))]
        state = RESERVED if more.get("reserved") else PUBLIC
        for name in names:
            self._now(AssignedNameRecord(name=name, state=state))

    def _now(self, record: AssignedNameRecord) -> None:
        self.known[record.name] = record
        self.versions[record.name] = self.versions.get(record.name, 0) + 1

    def _change(self, crash: str, name: str, **told: Any) -> None:
        def work(by: Any, given: Any) -> int:
            return name_changes.change_names(by, (revision(name, **told),), given=given)

        before = self.known.get(name, AssignedNameRecord(name=name))
        if before.state is RESERVED and told.get("state") is WITHDRAWN:
            before = AssignedNameRecord(name=name)  # nothing that was noted of it is told
        if self._try(crash, work) is not None:
            self._now(replace(before, **told))

    @rule(count=st.integers(1, 4), reserved=st.booleans(), crash=crashes)
    def mint(self, count: int, reserved: bool, crash: str) -> None:
        self._mint(count, crash, reserved=reserved)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), page=st.integers(0, 10**6), crash=crashes)
    def bind(self, data: Any, page: int, crash: str) -> None:
        name = data.draw(st.sampled_from(sorted(self.known)))
        target = f"https://a.example/{page}"
        if self.known[name].state is WITHDRAWN and self.known[name].target != target:
            with pytest.raises(Refusal, match="Its target can't change"):
                self._change("", name, target=target)
        elif self.known[name].target != target:
            self._change(crash, name, target=target)

    @rule(ahead=st.integers(0, 8), crash=crashes)
    def bring_in(self, ahead: int, crash: str) -> None:
        with read_transaction():
            row = prefix_rows.of_id(self.prefix)
            name = self.numbering.nth((row.next_number if row else 0) + ahead)
        assert name is not None
        if name not in self.known and not name.startswith(tuple(self.delegated)):
            self._change(crash, name, target="https://own.example/")

    @precondition(lambda self: self.known)
    @rule(data=st.data(), crash=crashes)
    def tell(self, data: Any, crash: str) -> None:
        name = data.draw(st.sampled_from(sorted(self.known)))
        if self.known[name].state is RESERVED:
            self._change(crash, name, state=PUBLIC)
        else:
            with pytest.raises(Refusal, match="can't become"):
                self._change("", name, state=RESERVED)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), crash=crashes)
    def withdraw(self, data: Any, crash: str) -> None:
        name = data.draw(st.sampled_from(sorted(self.known)))
        if self.known[name].state is not WITHDRAWN:
            told = {"state": WITHDRAWN, "reason": "Given twice.", "since": "2026-09-01"}
            self._change(crash, name, **told)
        else:
            with pytest.raises(Refusal, match="can't become"):
                self._change("", name, state=PUBLIC, reason="", since="")

    @precondition(lambda self: len(self.delegated) < 2)
    @rule(sign=st.sampled_from("bcdfgh"))
    def delegate_a_part(self, sign: str) -> None:
        inner = f"{self.text}{sign}"
        if inner not in self.delegated and not [n for n in self.known if n.startswith(inner)]:
            self.desk.add(inner, mask="")
            self.delegated.append(inner)

    @rule()
    def delegate(self) -> None:
        rival, by = self.desk.people.rival, self.desk.command(actor=self.desk.people.operator)
        if self.helps:
            prefixes.end_delegate(by, self.prefix, rival.id)
        else:  # the operator does so as often as they like
            prefixes.add_delegate(by, self.prefix, rival.email)
        self.helps = not self.helps

    @rule()
    def mint_as_a_delegate(self) -> None:
        if not self.helps:
            with pytest.raises(NotFound):
                self.desk.mint(prefix=self.prefix, actor=self.desk.people.rival)
            return
        name = self.desk.mint(prefix=self.prefix, actor=self.desk.people.rival)[0]
        assert name not in self.known
        self._now(AssignedNameRecord(name=name))

    @rule(back=st.integers(1, 50))
    def restore_the_counter_of_a_backup(self, back: int) -> None:
        with transaction():
            row = prefix_rows.of_id(self.prefix)
            assert row is not None
            row.next_number = max(row.next_number - back, 0)

    @invariant()
    def what_is_kept_is_what_should_be(self) -> None:
        with read_transaction():
            rows = assigned_name_rows.page_of(self.prefix, "", 10_000)
            assert {row.name: record_of(row) for row in rows} == self.known
            assert {row.name: row.n for row in rows} == self.versions
            row = prefix_rows.of_id(self.prefix)
            changes = [one.change for one in assigned_name_rows.changes_after(0, 100_000)]
        assert row is not None
        following = max(row.next_number, self.desk.given.next_of(self.text))
        assert all(one.number < following for one in rows if one.number is not None)
        assert len(changes) == len({*changes})


def _crash(*_arguments: Any) -> None:
    raise Crash


def test_whatever_is_done_under_a_prefix_the_model_holds(desk: NameDesk) -> None:
    class Machine(NamesUnderAPrefix):
        pass

    Machine.desk = desk
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=rounds(60, 6),
            stateful_step_count=rounds(40, 15),
            deadline=None,
            suppress_health_check=[*HealthCheck],
        ),
    )
