"""Each code of names under a prefix is met once, by a call that somebody could make."""

import errno
from collections.abc import Callable

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState
from app.bundles import given_numbers
from app.problems import assigned_name_codes as codes
from app.problems.problem_codes import ProblemCode
from app.services.assigned_names import minting, prefixes
from app.services.operations.name_resumption import announce_backup
from app.services.refusals import Refusal
from app.store.assigned_names import name_line_rows
from app.store.database import transaction
from tests.services.assigned_names.conftest import NameDesk, desk, revision

__all__ = ["desk"]


def _ended(desk: NameDesk) -> None:
    prefix = desk.add("ark:10099/z5")
    prefixes.end_prefix(desk.command(), prefix, "Done.")
    desk.mint(prefix=prefix)


def _damaged(desk: NameDesk) -> None:
    desk.mint()
    for file in desk.numbers.iterdir():
        file.write_bytes(b"\0")
    desk.mint()


def _unwritable(desk: NameDesk) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(given_numbers, "NamedTemporaryFile", full)
        desk.mint()


def _lost(desk: NameDesk) -> None:
    with transaction():
        name_line_rows.held("0" * 32, name_line_rows.place()).lost = "They are."
    desk.mint()


def _awaited(desk: NameDesk) -> None:
    with transaction():
        name_line_rows.keep_host("0" * 32, "host", "of another telling")
    announce_backup()
    desk.mint()


def _delegated(desk: NameDesk) -> None:
    above = desk.add("ark:10099/q5", mask="sdd")
    for digit in range(10):
        desk.add(f"ark:10099/q5{digit}")
    desk.mint(prefix=above)


def _withdrawn(desk: NameDesk) -> None:
    (name,) = desk.mint()
    desk.change(revision(name, state=AssignedNameState.WITHDRAWN, reason="It sank."))
    desk.change(revision(name, state=AssignedNameState.PUBLIC))


DRAWS: dict[ProblemCode, Callable[[NameDesk], object]] = {
    codes.PREFIX_UNKNOWN: lambda desk: desk.mint(prefix=desk.prefix + 99),
    codes.PREFIX_MALFORMED: lambda desk: desk.add("doi:10.1/"),
    codes.PREFIX_UNREGISTERED: lambda desk: desk.add("ark:99998/x5"),
    codes.PREFIX_TAKEN: lambda desk: desk.add("ark:10099/x5"),
    codes.PREFIX_ENDED: _ended,
    codes.PREFIX_HOLDERS_ONLY: lambda desk: desk.mint(actor=desk.people.operator),
    codes.PREFIX_HOLDER_NEEDED: lambda desk: prefixes.end_delegate(
        desk.command(), desk.prefix, desk.people.registrant.id
    ),
    codes.NUMBERING_MALFORMED: lambda desk: desk.add("ark:10099/y5", mask="a mask"),
    codes.PATTERN_MALFORMED: lambda desk: desk.add("ark:10099/y5", mask="", pattern="["),
    codes.TARGET_RULE_MALFORMED: lambda desk: desk.add("ark:10099/y5", target_rule="here"),
    codes.NAMES_EXHAUSTED: lambda desk: desk.mint(11, prefix=desk.add("ark:10099/q5", mask="sd")),
    codes.NUMBERS_PASSED_OVER: _delegated,
    codes.TOO_MANY_NAMES: lambda desk: desk.mint(10_001),
    codes.ASSIGNED_NAME_UNKNOWN: lambda desk: minting.minted_names(
        999, desk.people.registrant, desk.clock()
    ),
    codes.ASSIGNED_NAME_REFUSED: lambda desk: desk.change(revision("ark:10099/x5b", target="")),
    codes.ASSIGNED_NAME_WITHDRAWN: _withdrawn,
    codes.GIVEN_NUMBERS_DAMAGED: _damaged,
    codes.GIVEN_NUMBERS_UNWRITABLE: _unwritable,
    codes.NAMES_LOST: _lost,
    codes.NUMBERS_AWAITED: _awaited,
}


@pytest.mark.parametrize("code", DRAWS, ids=lambda code: code.code)
def test_each_code_is_drawn_by_a_call(desk: NameDesk, code: ProblemCode) -> None:
    with pytest.raises(Refusal) as refused:
        DRAWS[code](desk)
    assert refused.value.code is code
    assert refused.value.message.endswith(".")


def test_no_code_is_without_a_call() -> None:
    declared = {row for row in vars(codes).values() if isinstance(row, ProblemCode)}
    assert declared == set(DRAWS)
