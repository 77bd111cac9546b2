"""The commands by which names wait after a backup was put back, and go on."""

import pytest

from app.config import read_settings
from app.factory import create_app
from app.services.operations import database_binding
from app.store.assigned_names import name_line_rows
from app.store.database import transaction
from tests.cli.conftest import Run, SetUp

RESUME = ("names", "resume", "--by", "operator@example.org", "--reason", "The disk broke.")


@pytest.fixture
def waiting(run: Run, set_up: SetUp, tmp_path: object) -> str:
    """A registry that waits for a host, of whose names it is said that a backup was put back."""
    set_up("--empty")
    assert run("account", "grant", "operator@example.org", "operator")[0] == 0
    settings = read_settings({"URN_REGISTRY_DATA_DIR": f"{tmp_path}/instance"})
    with create_app(settings).app_context():
        with transaction():
            name_line_rows.held("0" * 32, "")
            name_line_rows.keep_host("1" * 32, "lighthouse", "0" * 32)
        database_binding.close_connections()
    code, _, err = run("names", "restored")
    assert (code, "until each host has told its numbers" in err) == (0, True)
    return "lighthouse"


def test_names_go_on_once_a_host_that_is_no_more_is_left_out(run: Run, waiting: str) -> None:
    code, _, err = run(*RESUME)
    assert (code, f"{waiting} has not told its numbers" in err) == (1, True)
    code, _, err = run(*RESUME, "--without", waiting, "--skip", "100")
    assert (code, err) == (0, "Names are given again from now on.\n")
    code, _, err = run(*RESUME)
    assert (code, "already" in err) == (1, True)


@pytest.mark.parametrize("skip", ["-1", "x", "", "1" * 5_000, "2000000000", "٣"])
def test_how_many_are_passed_over_is_a_number(run: Run, waiting: str, skip: str) -> None:
    code, _, err = run(*RESUME, "--without", waiting, f"--skip={skip}")
    assert (code, "from 0 to 1,000,000,000" in err) == (2, True)
