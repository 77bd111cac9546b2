"""A use case that fails anywhere leaves nothing behind, and can be tried again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from app.services.accounts import sign_in
from app.services.registry import snapshots
from app.store.database import db
from app.store.tables.accounts import Grant
from tests import factories
from tests.conftest import Clock
from tests.services.use_cases import USE_CASES, UseCase
from tests.store.schema import dump, rows_of
from tests.torture.conftest import WHOLE


class Fault(Exception):
    """Stands for a disk that is full, a server that is gone, a process that ends."""


@contextmanager
def failing_at(step: int) -> Iterator[None]:
    """Let the step-th statement fail, commits included, and every one after it."""
    left = step

    def fail(*_arguments: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Fault

    moments = ("before_cursor_execute", "commit")
    for moment in moments:
        event.listen(db.engine, moment, fail)
    try:
        yield
    finally:
        for moment in moments:
            event.remove(db.engine, moment, fail)


def fails_cleanly(work: Callable[[], object], least: int) -> object:
    """Try it with a fault at every step; what it gives once no step is left to fail.

    Each third step is tried here, and every one by `make torture`: what a commit in the middle
    leaves is seen at any step after it.
    """
    before = dump()
    for step in count(step=1 if WHOLE else 3):
        try:
            with failing_at(step):
                answer = work()
        except Fault:
            assert dump() == before, f"something stayed after a fault at step {step}"
        else:
            assert step > least, "hardly anything was tried"
            assert dump() != before
            return answer
    raise AssertionError


@pytest.mark.parametrize("case", USE_CASES, ids=lambda case: case.name)
def test_an_action_that_fails_anywhere_changes_nothing_and_can_be_repeated(
    app: Flask, clock: Clock, case: UseCase
) -> None:
    # tried with a commit between the move and its messages: seen at the next step
    people = factories.cast(clock())
    assert fails_cleanly(case.ready(people, clock()), least=6) is case.target


def test_an_import_that_fails_anywhere_changes_nothing(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = snapshots.bundled_snapshot()
    less = replace(
        shipped,
        updated="2026-08-01",
        title="Changed",
        people=shipped.people[:1],
        registries=tuple(
            replace(table, records=table.records[-1:]) for table in shipped.registries
        ),
    )
    monkeypatch.setattr(snapshots, "read_xml", lambda _: less)
    fails_cleanly(lambda: snapshots.import_xml(b"", clock()), least=8)


def test_granting_a_role_that_fails_anywhere_changes_nothing(app: Flask, clock: Clock) -> None:
    fails_cleanly(lambda: sign_in.grant("new@org.example", Grant.EXPERT, clock()), least=5)


def test_asking_for_a_link_that_fails_anywhere_changes_nothing(app: Flask, clock: Clock) -> None:
    def ask() -> None:
        sign_in.ask_for_link("new@org.example", "/", clock(), secret="s", host="h")

    fails_cleanly(ask, least=3)


def test_using_a_link_that_fails_anywhere_leaves_the_link_unused(app: Flask, clock: Clock) -> None:
    sign_in.ask_for_link("new@org.example", "/", clock(), secret="s", host="h")
    token = sign_in.token_of(rows_of("sign_in")[0][0], "s")
    fails_cleanly(lambda: sign_in.use_link(token, clock()), least=5)
