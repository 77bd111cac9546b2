"""The commands by which names wait after a backup was put back, and go on."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.config import read_settings
from app.factory import create_app
from app.services.operations import database_binding
from app.store.assigned_names import name_line_rows
from app.store.database import transaction
from tests import factories
from tests.cli.conftest import Run, SetUp

RESUME = ("names", "resume", "--by", "operator@example.org", "--reason", "The disk broke.")


@contextmanager
def database(tmp_path: object) -> Iterator[None]:
    settings = read_settings({"URN_REGISTRY_DATA_DIR": f"{tmp_path}/instance"})
    with create_app(settings).app_context():
        yield
        database_binding.close_connections()


@pytest.fixture
def waiting(run: Run, set_up: SetUp, tmp_path: object) -> str:
    set_up("--empty")
    assert run("account", "grant", "operator@example.org", "operator")[0] == 0
    with database(tmp_path), transaction():
        name_line_rows.held("0" * 32, "")
        name_line_rows.keep_host("1" * 32, "lighthouse", "0" * 32)
    code, _, err = run("names", "restored")
    assert (code, "until every host has reported" in err) == (0, True)
    return "lighthouse"


def test_names_go_on_once_a_host_that_is_no_more_is_left_out(run: Run, waiting: str) -> None:
    code, _, err = run(*RESUME)
    assert (code, f"{waiting} has not reported counters" in err) == (1, True)
    twice = ("--without", waiting, "--without", "1" * 32, "--without", waiting)
    code, _, err = run(*RESUME, *twice, "--skip", "100")
    assert (code, err) == (0, "Minting is resumed.\n")
    code, _, err = run(*RESUME)
    assert (code, "isn't paused" in err) == (1, True)


@pytest.mark.parametrize("skip", ["-1", "x", "", "1" * 5_000, "2000000000", "٣"])
def test_how_many_are_passed_over_is_a_number(run: Run, waiting: str, skip: str) -> None:
    code, _, err = run(*RESUME, "--without", waiting, f"--skip={skip}")
    assert (code, "from 0 to 1,000,000,000" in err) == (2, True)


def test_a_retired_host_that_is_forgotten_blocks_names_no_longer(run: Run, waiting: str) -> None:
    code, out, _ = run("hosts", "list")
    assert (code, out.count("\n")) == (0, 1)
    assert out.startswith(f"{waiting}  {'1' * 32}  stopped, seen ")
    assert out.endswith("waits for its counters\n")
    code, _, err = run("hosts", "forget", "")
    assert (code, "Enter the name or ID" in err) == (1, True)
    code, _, err = run("hosts", "forget", waiting, "--by", "nobody@example.org")
    assert (code, "isn't an operator" in err) == (1, True)
    code, _, err = run("hosts", "forget", waiting, "--by", "operator@example.org")
    assert (code, "Removed " in err) == (0, True)
    code, _, err = run(*RESUME)
    assert (code, "isn't paused" in err) == (1, True), "nothing is waited for"
    code, _, err = run("hosts", "forget", waiting)
    assert (code, "No host is called" in err) == (1, True)
    assert run("hosts", "list")[1] == ""


def test_of_two_hosts_with_one_name_none_is_left_out_by_name(
    run: Run, waiting: str, tmp_path: object
) -> None:
    with database(tmp_path):
        factories.host("3" * 32, label=waiting)
        with transaction():
            name_line_rows.keep_host("2" * 32, waiting, "0" * 32)
    listed = [json.loads(line) for line in run("hosts", "list", "--json")[1].splitlines()]
    found = {one["id"][0]: (one["stopped"], one["awaited"]) for one in listed}
    assert found == {"1": (True, True), "2": (True, True), "3": (False, False)}
    for line in ((*RESUME, "--without", waiting), ("hosts", "forget", waiting)):
        code, _, err = run(*line)
        assert (code, "3 hosts are called lighthouse" in err) == (1, True)
        assert all(digit * 32 in err for digit in "123")
    code, _, err = run(*RESUME, "--without", "1" * 32)
    assert (code, f"lighthouse ({'2' * 32}) has not reported" in err) == (1, True), err
    code, _, err = run(*RESUME, "--without", "3" * 32)
    assert (code, "doesn't wait for" in err) == (1, True)
    code, _, err = run(*RESUME, "--without", "1" * 32, "--without", "2" * 32)
    assert (code, err) == (0, "Minting is resumed.\n")
